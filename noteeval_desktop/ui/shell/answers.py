"""What the window does when a command is asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from noteeval_desktop.ui.shell.keys_sheet import KeysSheet
from noteeval_desktop.ui.widgets.help_window import help_window
from noteeval_desktop.ui.widgets.theme import READING_SIZE

if TYPE_CHECKING:
    from noteeval_desktop.ui.scorecard.preview import PreviewWindow
    from noteeval_desktop.ui.shell.main_window import MainWindow


def answers(window: MainWindow) -> dict[str, Callable[[], object]]:
    """Looked up when asked for, because the window's parts come after its commands."""
    return {
        "open_transcript": lambda: window.files.choose_transcript(),
        "open_note": lambda: window.files.choose_note(),
        "paste_transcript": lambda: window.files.paste_transcript(),
        "paste_note": lambda: window.files.paste_note(),
        "open_clipboard": lambda: window.opening.open_clipboard(),
        "open_sample": lambda: window.opening.open_sample(),
        "swap": lambda: window.opening.swap(),
        "save_note": lambda: _save(window),
        "save_note_as": lambda: _save_as(window),
        "drafts": lambda: window.left_drafts.show(),
        "keep_case": lambda: window.library.keep(),
        "revisions": lambda: window.library.show_history(),
        "library": lambda: window.library.show_list(),
        "lock": lambda: window.library.lock(),
        "library_keys": lambda: window.library.about.show_keys(),
        "backups": lambda: window.library.about.show_backups(),
        "audit_log": lambda: window.library.about.show_audit(),
        "old_cases": lambda: window.library.about.show_old_cases(),
        **{f"export_{kind}": partial(_export, window, kind) for kind in ("pdf", "json", "csv")},
        "preview": lambda: show_preview(window),
        "check_scorecard": lambda: _check_scorecard(window),
        "close_case": lambda: window.opening.close_case(),
        "quit": window.close,
        "undo": lambda: window.workspace.undo(),
        "redo": lambda: window.workspace.redo(),
        "cut": lambda: window.workspace.edit("cut"),
        "copy": lambda: window.workspace.edit("copy"),
        "paste": lambda: _paste(window),
        "select_all": lambda: window.workspace.edit("selectAll"),
        "copy_note": lambda: window.workspace.copy_note(),
        "search": lambda: window.workspace.open_search(),
        "larger": lambda: window.set_size(window.settings.font_size + 1),
        "smaller": lambda: window.set_size(window.settings.font_size - 1),
        "usual_size": lambda: window.set_size(READING_SIZE),
        **{name: partial(window.choose_theme, name) for name in ("light", "dark", "system")},
        **{f"tab_{n + 1}": partial(window.show_tab, n) for n in range(6)},
        "next_finding": lambda: window.workspace.step(1),
        "previous_finding": lambda: window.workspace.step(-1),
        "finding_actions": lambda: window.workspace.findings.card.open_actions(),
        "next_pane": lambda: window.workspace.next_pane(),
        "recheck": lambda: _recheck(window),
        "cancel": window.session.cancel,
        "choose_judge": lambda: window.header.judge_button.click(),
        "compare_judges": lambda: window.judging.compare(),
        "compare_responses": lambda: _compare_responses(window),
        "judge_settings": lambda: window.judging.open_settings(),
        "review": lambda: window.supervision.review(),
        "review_anew": lambda: window.supervision.review(anew=True),
        "agreement": lambda: window.supervision.show_agreement(),
        "trainee": lambda: _show_trainee(window),
        "submit": lambda: window.supervision.submit(),
        "feedback": lambda: window.supervision.show_feedback(),
        "help": lambda: help_window(window, "How to read the marks", window.outside.help_text).show(),
        "model_card": lambda: help_window(window, "How the judge was made", *window.outside.model_cards).show(),
        "keys": lambda: KeysSheet(window, window.settings.keys, window.choose_keys).show(),
    }


def _recheck(window: MainWindow) -> None:
    if window.workspace.editor.note_text().strip():
        window.session.check()
    else:
        window.banner.say("There is no note to check yet. Write or paste it; the check follows by itself.")


def _paste(window: MainWindow) -> None:
    """On the first screen what was copied is a session or a note."""
    if not window.workspace.edit("paste") and window.pages.currentWidget() is window.empty:
        window.opening.open_clipboard()


def _show_trainee(window: MainWindow) -> None:
    # Here, not above: the library's store is not loaded for the first screen.
    from noteeval_desktop.ui.library.trainee_window import show_trainee

    show_trainee(window)


def _check_scorecard(window: MainWindow) -> None:
    # Here, not above: the first screen checks none.
    from noteeval_desktop.ui.case.checking import choose_scorecard

    choose_scorecard(window)


def _compare_responses(window: MainWindow) -> None:
    # Here, not above: the measures load numpy, which the first screen does not need.
    from noteeval_desktop.ui.responses.scratch import show_scratch

    show_scratch(window, window.jobs, lambda: window.session.engaged)


def show_preview(window: MainWindow) -> PreviewWindow | None:
    """The scorecard of what has been judged; None before that."""
    # Here, not above: printing loads a library that the first screen does not need.
    from noteeval_desktop.ui.scorecard.preview import PreviewWindow

    evaluation = window.session.evaluation
    if evaluation is None:
        return None
    decisions = tuple(window.session.decisions.values())
    shown = PreviewWindow(window, window.jobs, lambda: window.outside.scorecard(evaluation, decisions))
    shown.save_asked.connect(lambda: window.files.export("pdf"))
    shown.show()
    return shown


def _save(window: MainWindow) -> None:
    """Into the library where the case is kept there, otherwise onto its file."""
    if window.library.kept is not None:
        window.library.save()
    else:
        text = window.workspace.editor.note_text()
        window.files.save_note(text, lambda: window.unsaved.note_kept(text))


def _save_as(window: MainWindow) -> None:
    text = window.workspace.editor.note_text()
    window.files.save_note_as(text, lambda: window.unsaved.note_kept(text))


def _export(window: MainWindow, kind: str) -> None:
    window.files.export(kind)
