"""Puts the judges' desk into the window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from noteeval_desktop.privacy import consent
from noteeval_desktop.ui.judging import words
from noteeval_desktop.ui.judging.chooser import JudgeChooser
from noteeval_desktop.ui.judging.desk import JudgeDesk, Parts

if TYPE_CHECKING:
    from noteeval_desktop.ui.shell.main_window import MainWindow


def desk_for(window: MainWindow) -> JudgeDesk:
    """The desk, connected to the header's button, the panes, the banner and the status line."""

    parts = Parts(
        session=window.session,
        jobs=window.jobs,
        rubric=window.outside.rubric,
        banner=window.banner,
        keys=window.outside.keys,
        settings=lambda: window.settings,
        save=window.keep_settings,
        show_working=window.status.show_working,
        show_checked=window.status.show_checked,
        show_idle=window.status.show_idle,
        choose_session=window.files.choose_transcript,
    )
    desk = JudgeDesk(parts, window)
    desk.judge_changed.connect(window.header.show_judge)
    desk.judge_changed.connect(lambda _: window.empty.show_privacy(desk.kind == words.REMOTE))
    desk.place_asked.connect(window.workspace.show_place)
    window.header.judge_button.clicked.connect(lambda: open_chooser(window, desk))
    window.status.cancel_asked.connect(desk.stop_preparing)
    window.commands["cancel"].triggered.connect(desk.stop_preparing)
    desk.restore()
    return desk


def open_chooser(window: MainWindow, desk: JudgeDesk) -> JudgeChooser:
    evaluation, settings = window.session.evaluation, window.settings
    # Here, not above: a window that starts with the built-in judge needs none of it.
    from noteeval_desktop.engines.local_llm.speed import guessed
    from noteeval_desktop.judges.llm import estimate
    from noteeval_desktop.judges.llm.known_models import KnownModels

    seconds = None
    if evaluation is not None and settings.local_model:
        size, model = estimate.Size.of(evaluation.case), Path(settings.local_model)
        measured = KnownModels.of_this_user().speed(model)
        seconds = estimate.seconds(size, measured or guessed(words.file_size(settings.local_model)))
    chooser = JudgeChooser(desk.kind, settings, consent.load().locked, seconds, desk.comparable() is not None, window)
    chooser.chosen.connect(desk.choose)
    chooser.settings_asked.connect(desk.open_settings)
    chooser.compare_asked.connect(desk.compare)
    chooser.open_under(window.header.judge_button)
    return chooser
