"""Puts the judges' desk into the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from noteeval_desktop.privacy import consent
from noteeval_desktop.ui.judging import words
from noteeval_desktop.ui.judging.chooser import JudgeChooser
from noteeval_desktop.ui.judging.desk import JudgeDesk, Parts
from noteeval_desktop.ui.judging.words import Size

if TYPE_CHECKING:
    from noteeval_desktop.ui.main_window import MainWindow


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
    seconds = None
    if evaluation is not None and settings.local_model:
        seconds = words.local_seconds(Size.of(evaluation.case), words.file_size(settings.local_model))
    chooser = JudgeChooser(desk.kind, settings, consent.load().locked, seconds, desk.comparable() is not None, window)
    chooser.chosen.connect(desk.choose)
    chooser.settings_asked.connect(desk.open_settings)
    chooser.compare_asked.connect(desk.compare)
    chooser.open_under(window.header.judge_button)
    return chooser
