"""What the window does when a command is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from noteeval_desktop import __version__
from noteeval_desktop.ui.judging.chooser import open_chooser
from noteeval_desktop.ui.shell import words
from noteeval_desktop.ui.shell.keys_sheet import KeysSheet
from noteeval_desktop.ui.shell.main_window import MainWindow
from noteeval_desktop.ui.widgets.help_window import help_window
from noteeval_desktop.ui.widgets.theme import READING_SIZE
from noteeval_desktop.ui.widgets.words import TABS

if TYPE_CHECKING:
    from noteeval_desktop.ui.scorecard.preview import PreviewWindow

_PANE_STEP = 40
_PAGES = {
    "first_steps": ("first",),
    "supervisors": ("supervision", "review"),
    "it": ("it",),
    "privacy": ("privacy",),
    "research": ("research", "command-line", "many-notes", "figures"),
}


def command_handlers(window: MainWindow) -> dict[str, Callable[[], object]]:
    """By the command's name; the window is built."""
    return {
        "open_transcript": window.files.choose_transcript,
        "open_note": window.files.choose_note,
        "open_case_file": window.files.choose_case,
        "paste_transcript": window.files.paste_transcript,
        "paste_note": window.files.paste_note,
        "open_clipboard": window.opening.open_clipboard,
        "review_many": window.many.show,
        "open_sample": window.opening.open_sample,
        "swap": window.opening.swap,
        "save_note": lambda: _save(window),
        "save_note_as": lambda: _save_as(window),
        "drafts": window.left_drafts.show,
        "keep_case": window.library.keep,
        "revisions": window.library.show_history,
        "library": window.library.show_list,
        "lock": window.library.lock,
        "library_keys": window.library.about.show_keys,
        "backups": window.library.about.show_backups,
        "audit_log": window.library.about.show_audit,
        "old_cases": window.library.about.show_old_cases,
        **{f"export_{kind}": partial(_export, window, kind) for kind in ("pdf", "json", "csv")},
        "preview": lambda: show_preview(window),
        "check_scorecard": window.checking.choose,
        "close_case": window.opening.close_case,
        "quit": window.close,
        "undo": window.workspace.undoing.undo,
        "redo": window.workspace.undoing.redo,
        "cut": lambda: window.workspace.edit("cut"),
        "copy": lambda: window.workspace.edit("copy"),
        "paste": lambda: _paste(window),
        "select_all": lambda: window.workspace.edit("selectAll"),
        "copy_note": window.workspace.copy_note,
        "search": window.workspace.open_search,
        "larger": lambda: window.set_size(window.settings.font_size + 1),
        "smaller": lambda: window.set_size(window.settings.font_size - 1),
        "usual_size": lambda: window.set_size(READING_SIZE),
        "session_pane": lambda: window.workspace.toggle(0),
        "findings_pane": lambda: window.workspace.toggle(2),
        "wider": lambda: window.workspace.widen_pane(_PANE_STEP),
        "narrower": lambda: window.workspace.widen_pane(-_PANE_STEP),
        **{name: partial(window.choose_theme, name) for name in ("light", "dark", "system")},
        **{f"tab_{n + 1}": partial(window.show_tab, n) for n in range(len(TABS))},
        "next_finding": lambda: window.workspace.step(1),
        "previous_finding": lambda: window.workspace.step(-1),
        "finding_actions": window.workspace.findings.card.open_actions,
        "next_pane": window.workspace.next_pane,
        "recheck": lambda: _recheck(window),
        "cancel": window.session.cancel,
        "choose_judge": lambda: _choose_judge(window),
        "compare_judges": window.judging.compare,
        "compare_reference": lambda: _compare_reference(window),
        "compare_responses": lambda: _compare_responses(window),
        "judge_settings": window.judging.open_settings,
        "review": window.supervision.review,
        "review_anew": lambda: window.supervision.review(anew=True),
        "agreement": window.supervision.show_agreement,
        "trainee": lambda: _show_trainee(window),
        "cohort": lambda: _show_cohort(window),
        "submit": window.supervision.submit,
        "feedback": window.supervision.show_feedback,
        "help": lambda: help_window(window, words.COMMANDS["help"], window.outside.help_text).show(),
        **{name: partial(_show_page, window, name) for name in _PAGES},
        "model_card": lambda: help_window(window, words.COMMANDS["model_card"], *window.outside.model_cards).show(),
        "licences": lambda: help_window(window, words.COMMANDS["licences"], window.outside.licences).show(),
        "keys": lambda: KeysSheet(window, window.settings.keys, window.choose_keys).show(),
        "version": lambda: window.banner.say(words.installed(__version__)),
    }


def _show_page(window: MainWindow, name: str) -> None:
    pages = [window.outside.help_text.with_name(f"{page}.md") for page in _PAGES[name]]
    help_window(window, words.COMMANDS[name], *pages).show()


def _recheck(window: MainWindow) -> None:
    if window.workspace.editor.note_text().strip():
        window.session.check()
    else:
        window.banner.say(words.THERE_IS_NO_NOTE)


def _paste(window: MainWindow) -> None:
    """On the first screen what was copied is a session or a note."""
    if not window.workspace.edit("paste") and window.pages.currentWidget() is window.empty:
        window.opening.open_clipboard()


def _show_trainee(window: MainWindow) -> None:
    """Once the library is unlocked."""

    def show() -> None:
        # Here, not above: the library's store is not loaded before it is used.
        from noteeval_desktop.ui.library.trainee_window import TraineeWindow

        shown = TraineeWindow(window.library.access, window.outside.rubric, window.theme, window)
        shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown.open_asked.connect(window.library.open_case)
        shown.show()

    window.library.access.use(show)


def _show_cohort(window: MainWindow) -> None:
    """Once the library is unlocked."""

    def show() -> None:
        from noteeval_desktop.ui.library.cohort_window import CohortWindow

        shown = CohortWindow(window.library.access, window.outside.rubric, window)
        shown.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        shown.open_asked.connect(window.library.open_case)
        shown.show()

    window.library.access.use(show)


def _choose_judge(window: MainWindow) -> None:
    open_chooser(window.judging, window.session, window.settings, window.jobs, window.header.judge_button)


def _compare_reference(window: MainWindow) -> None:
    # Here, not above: the measures load numpy, which the first screen does not need.
    from noteeval_desktop.ui.judging.reference_window import ReferenceWindow

    ReferenceWindow(window.jobs, window.workspace.editor.note_text, window).show()


def _compare_responses(window: MainWindow) -> None:
    # Here, not above: the measures load numpy, which the first screen does not need.
    from noteeval_desktop.ui.responses.scratch import show_scratch

    show_scratch(window, window.jobs, lambda: window.session.engaged)


def show_preview(window: MainWindow) -> PreviewWindow | None:
    """The scorecard of what has been judged; None before that."""
    # Here, not above: printing loads a library that the first screen does not need.
    from noteeval_desktop.ui.case.files import titled
    from noteeval_desktop.ui.scorecard.preview import PreviewWindow

    evaluation = window.session.judged
    if evaluation is None:
        return None
    decisions, settled = window.session.decisions_for_export, window.session.settled
    review, named = settled.about(evaluation), titled(settled.on_paper(evaluation), window.files.title)
    shown = PreviewWindow(window, window.jobs, lambda: window.outside.scorecard(named, decisions, review))
    shown.save_asked.connect(lambda: _export(window, "pdf"))
    shown.show()
    return shown


def _save(window: MainWindow) -> None:
    """Into the library where the case is kept there, and onto its file."""
    text = window.workspace.editor.note_text()
    if window.library.kept is not None:
        window.library.save(window.files.beside_library(text))
    else:
        window.files.save_note(text, lambda: window.unsaved.note_kept(text))


def _save_as(window: MainWindow) -> None:
    """The library of a case that is kept there never lags behind its file."""
    text, library = window.workspace.editor.note_text(), window.library
    kept = library.save if library.kept is not None else lambda: window.unsaved.note_kept(text)
    window.files.save_note_as(text, kept)


def _export(window: MainWindow, kind: str) -> None:
    """The other kinds are for programs, and hold what the judge said."""
    if kind == "pdf" and window.session.settled.about(window.session.judged) is not None:
        window.supervision.save_pdf()
    else:
        window.files.export(kind)
