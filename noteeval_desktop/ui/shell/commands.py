"""Everything that can be asked of the window, in one table: what it is called, its menu and keys, and what it does."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from noteeval_desktop import __version__
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.ui.shell.actions import Command, KeysSheet
from noteeval_desktop.ui.widgets.choosing import open_folder
from noteeval_desktop.ui.widgets.theme import READING_SIZE, bring_up
from noteeval_desktop.ui.widgets.words import TABS

# What each command needs is imported when it is asked for: the table stands before the rooms do.
if TYPE_CHECKING:
    from noteeval_desktop.domain.case import Background
    from noteeval_desktop.domain.thresholds import Thresholds
    from noteeval_desktop.ui.scorecard.preview import PreviewWindow
    from noteeval_desktop.ui.shell.main_window import MainWindow

_PANE_STEP = 40
_PAGES = {
    "first_steps": ("first",),
    "practice": ("checklists",),
    "supervisors": ("supervision", "review"),
    "record": ("record",),
    "it": ("it",),
    "privacy": ("privacy",),
    "research": ("research", "command-line", "python", "many-notes", "figures"),
}


def _show_page(window: MainWindow, name: str) -> None:
    _help(window, name, *(window.outside.help_text.with_name(f"{page}.md") for page in _PAGES[name]))


def _help(window: MainWindow, name: str, *pages: Path) -> None:
    from noteeval_desktop.ui.widgets.help_window import help_window

    help_window(window, window.commands[name].text(), *pages).show()


def _show_keys(window: MainWindow) -> None:
    KeysSheet(window, window.commands["keys"].text(), COMMANDS, window.settings.keys, window.choose_keys).show()


def _recheck(window: MainWindow) -> None:
    if window.workspace.editor.note_text().strip():
        window.session.check()
    else:
        window.banner.say(tr("There is no note yet. Write or paste one; it is checked automatically."))


def _paste(window: MainWindow) -> None:
    """On the first screen what was copied is a session or a note."""
    if not window.workspace.edit("paste") and window.pages.currentWidget() is window.empty:
        window.opening.open_clipboard()


def _over_time(page: str, window: MainWindow) -> None:
    """Once the library is unlocked."""

    def tune(chosen: Thresholds) -> None:
        window.keep_settings(replace(window.settings, thresholds=chosen.plain()))
        window.judging.tuned()

    def show() -> None:
        from noteeval_desktop.domain.thresholds import thresholds_of
        from noteeval_desktop.ui.over_time.window import OverTimeWindow, Page

        shown = next((one for one in window.findChildren(OverTimeWindow) if one.isVisible()), None)
        if shown is None:
            now = thresholds_of(window.settings.thresholds)
            shown = OverTimeWindow(window.library.access, window.outside.rubric, now, window)
            shown.open_asked.connect(window.library.open_case)
            shown.tuned.connect(tune)
        asked: Page = getattr(shown, page)
        if asked.found is not None:
            asked.read()
        shown.tabs.setCurrentWidget(asked)
        bring_up(shown)

    window.library.access.use(show)


def _choose_judge(window: MainWindow) -> None:
    from noteeval_desktop.ui.judging.chooser import open_chooser

    open_chooser(window.judging, window.session, window.settings, window.jobs, window.header.judge_button)


def _compare_reference(window: MainWindow) -> None:
    # Here, not above: the measures load numpy, which the first screen does not need.
    from noteeval_desktop.ui.judging.reference_window import ReferenceWindow

    ReferenceWindow(window.jobs, window.workspace.editor.note_text, window).show()


def _compare_responses(window: MainWindow) -> None:
    # Here, not above: the measures load numpy, which the first screen does not need.
    from noteeval_desktop.ui.responses.scratch import show_scratch

    show_scratch(window, window.jobs, lambda: window.session.engaged)


def _show_plan(window: MainWindow) -> None:
    from noteeval_desktop.ui.case.plan_window import PlanWindow

    shown = PlanWindow(window.session, window.jobs, window)
    shown.place_asked.connect(window.workspace.show_place)
    shown.turn_asked.connect(window.workspace.show_turn)
    shown.show()
    if window.session.plan is None:
        asking = shown.ask_plan()
        window.library.find_plan(asking, asking.offer, asking.show_problem)


def _compare_earlier(window: MainWindow) -> None:
    def told(found: Background) -> None:
        if found.warnings:
            window.banner.say(" ".join(found.warnings))
        else:
            window.status.say(tr("Compared with {notes}").format(notes=counted(len(found.earlier), tr("earlier note"))))

    folder = open_folder(window, tr("The folder with this client’s earlier notes"))
    if folder:
        window.session.open_earlier(Path(folder), told)


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


# By the menu that each is in, with the letter that opens it with Alt.
MENUS = {
    tr("&File"): (
        Command("open_transcript", tr("Open session transcript…"), lambda w: w.files.choose_transcript(), ("Ctrl+O",)),
        Command("open_note", tr("Open note…"), lambda w: w.files.choose_note(), ("Ctrl+Shift+O",)),
        Command("open_case_file", tr("Open case file…"), lambda w: w.files.choose_case()),
        Command("paste_transcript", tr("Paste session transcript…"), lambda w: w.files.paste_transcript()),
        Command("paste_note", tr("Paste note…"), lambda w: w.files.paste_note()),
        Command("open_clipboard", tr("New from clipboard"), lambda w: w.opening.open_clipboard(), ("Ctrl+N",)),
        Command("review_many", tr("Review many…"), lambda w: w.many.show(), ("Ctrl+Shift+M",)),
        Command("open_sample", tr("Open the sample case"), lambda w: w.opening.open_sample()),
        Command("swap", tr("Swap transcript and note"), lambda w: w.opening.swap(), needs="case"),
        Command("save_note", tr("Save note"), _save, ("Ctrl+S",), separated=True, needs="case"),
        Command("save_note_as", tr("Save note as…"), _save_as, ("Ctrl+Shift+S",), needs="case"),
        Command("drafts", tr("Unsaved drafts…"), lambda w: w.left_drafts.show()),
        Command(
            "preview", tr("Preview and print the scorecard…"), show_preview, ("Ctrl+P",), separated=True, needs="check"
        ),
        Command("export_pdf", tr("Export scorecard as PDF…"), lambda w: _export(w, "pdf"), ("Ctrl+E",), needs="check"),
        Command("export_json", tr("Export as JSON…"), lambda w: _export(w, "json"), needs="check"),
        Command("export_csv", tr("Export as CSV…"), lambda w: _export(w, "csv"), needs="check"),
        Command("check_scorecard", tr("Check a scorecard…"), lambda w: w.checking.choose()),
        Command(
            "close_case",
            tr("Close the case"),
            lambda w: w.opening.close_case(),
            ("Ctrl+W",),
            separated=True,
            needs="case",
        ),
        Command("quit", tr("Quit"), lambda w: w.close(), ("Ctrl+Q",)),
    ),
    tr("&Library"): (
        Command("keep_case", tr("Keep this case…"), lambda w: w.library.keep(), ("Ctrl+K",), needs="case"),
        Command("revisions", tr("Revisions of this case…"), lambda w: w.library.show_history(), needs="case"),
        Command("library", tr("Open the library…"), lambda w: w.library.show_list(), ("Ctrl+L",), separated=True),
        Command("lock", tr("Lock the library"), lambda w: w.library.lock(), ("Ctrl+Shift+L",)),
        Command("library_keys", tr("Passphrase and keys…"), lambda w: w.library.about.show_keys(), separated=True),
        Command("backups", tr("Backups…"), lambda w: w.library.about.show_backups()),
        Command("audit_log", tr("Audit log…"), lambda w: w.library.about.show_audit()),
        Command("old_cases", tr("Old cases…"), lambda w: w.library.about.show_old_cases()),
    ),
    tr("&Edit"): (
        Command("undo", tr("Undo"), lambda w: w.workspace.editor.undo(), ("Ctrl+Z",), needs="case"),
        Command("redo", tr("Redo"), lambda w: w.workspace.editor.redo(), ("Ctrl+Shift+Z", "Ctrl+Y"), needs="case"),
        Command("cut", tr("Cut"), lambda w: w.workspace.edit("cut"), ("Ctrl+X",), separated=True),
        Command("copy", tr("Copy"), lambda w: w.workspace.edit("copy"), ("Ctrl+C",)),
        Command("paste", tr("Paste"), _paste, ("Ctrl+V",)),
        Command("select_all", tr("Select all"), lambda w: w.workspace.edit("selectAll"), ("Ctrl+A",)),
        Command("copy_note", tr("Copy note"), lambda w: w.workspace.copy_note(), ("Ctrl+Shift+C",), needs="case"),
        Command(
            "search",
            tr("Search this pane"),
            lambda w: w.workspace.open_search(),
            ("Ctrl+F",),
            separated=True,
            needs="case",
        ),
    ),
    tr("&View"): (
        Command("larger", tr("Larger text"), lambda w: w.set_size(w.settings.font_size + 1), ("Ctrl++", "Ctrl+=")),
        Command("smaller", tr("Smaller text"), lambda w: w.set_size(w.settings.font_size - 1), ("Ctrl+-",)),
        Command("usual_size", tr("Normal text size"), lambda w: w.set_size(READING_SIZE), ("Ctrl+0",)),
        Command(
            "session_pane", tr("Show or hide the session"), lambda w: w.workspace.toggle(0), ("F9",), separated=True
        ),
        Command("findings_pane", tr("Show or hide the suggestions"), lambda w: w.workspace.toggle(2), ("Shift+F9",)),
        Command("wider", tr("Widen this pane"), lambda w: w.workspace.widen_pane(_PANE_STEP)),
        Command("narrower", tr("Narrow this pane"), lambda w: w.workspace.widen_pane(-_PANE_STEP)),
        Command("light", tr("Light"), lambda w: w.choose_theme("light"), separated=True),
        Command("dark", tr("Dark"), lambda w: w.choose_theme("dark")),
        Command("system", tr("Follow the system"), lambda w: w.choose_theme("system")),
    ),
    tr("Su&ggestions"): (
        *(
            Command(f"tab_{n + 1}", name, lambda w, n=n: w.workspace.findings.show_tab(n), (f"Ctrl+{n + 1}",), not n)
            for n, name in enumerate(TABS)
        ),
        Command(
            "next_finding", tr("Next suggestion"), lambda w: w.workspace.step(1), ("F8",), separated=True, needs="check"
        ),
        Command(
            "previous_finding", tr("Previous suggestion"), lambda w: w.workspace.step(-1), ("Shift+F8",), needs="check"
        ),
        Command(
            "finding_actions",
            tr("Actions for this suggestion"),
            lambda w: w.workspace.findings.card.open_actions(),
            ("Alt+Return", "Alt+Enter"),
            needs="check",
        ),
        Command("next_pane", tr("Next pane"), lambda w: w.workspace.next_pane(), ("F6",)),
        Command("recheck", tr("Check again"), _recheck, ("F5",), separated=True, needs="case"),
        Command("cancel", tr("Stop checking"), lambda w: w.session.cancel(), ("Ctrl+.",)),
        Command("choose_judge", tr("Choose the judge…"), _choose_judge, ("Ctrl+J",), separated=True),
        Command("treatment_plan", tr("Treatment plan…"), _show_plan, ("Ctrl+Shift+G",), needs="case"),
        Command("compare_judges", tr("Compare two judges…"), lambda w: w.judging.compare()),
        Command("compare_reference", tr("Compare with a reference note…"), _compare_reference, needs="case"),
        Command("compare_earlier", tr("Compare with earlier notes…"), _compare_earlier, needs="case"),
        Command("compare_responses", tr("Compare responses…"), _compare_responses, ("Ctrl+Shift+R",)),
        Command("judge_settings", tr("Judge settings…"), lambda w: w.judging.open_settings()),
        Command("checklists", tr("Checklists…"), lambda w: w.checklists.show(), ("Ctrl+Shift+K",)),
    ),
    tr("&Supervision"): (
        Command("review", tr("Review as supervisor…"), lambda w: w.supervision.review(), ("Ctrl+R",)),
        Command("review_anew", tr("Review under another name…"), lambda w: w.supervision.review(anew=True)),
        Command("agreement", tr("Agreement between raters…"), partial(_over_time, "agreement")),
        Command("trainee", tr("A clinician over time…"), partial(_over_time, "clinician")),
        Command("cohort", tr("Team over time…"), partial(_over_time, "team")),
        Command("submit", tr("Submit this note…"), lambda w: w.supervision.submit(), separated=True, needs="case"),
        Command(
            "feedback",
            tr("Feedback on this note…"),
            lambda w: w.supervision.show_feedback(),
            ("Ctrl+Shift+F",),
            needs="case",
        ),
    ),
    tr("&Help"): (
        Command("first_steps", tr("First steps"), lambda w: _show_page(w, "first_steps")),
        Command("help", tr("How to read the marks"), lambda w: _help(w, "help", w.outside.help_text), ("F1",)),
        Command("practice", tr("For a practice: your own checklist"), lambda w: _show_page(w, "practice")),
        Command("supervisors", tr("For supervisors"), lambda w: _show_page(w, "supervisors")),
        Command("model_card", tr("How the judge was made"), lambda w: _help(w, "model_card", *w.outside.model_cards)),
        Command("licences", tr("Licenses"), lambda w: _help(w, "licences", w.outside.licences)),
        Command("record", tr("For auditors"), lambda w: _show_page(w, "record")),
        Command("it", tr("For your IT department"), lambda w: _show_page(w, "it")),
        Command("privacy", tr("For your privacy officer"), lambda w: _show_page(w, "privacy")),
        Command("research", tr("For researchers"), lambda w: _show_page(w, "research")),
        Command("keys", tr("Keyboard"), _show_keys, ("Ctrl+/",)),
        Command(
            "version",
            tr("Version"),
            lambda w: w.banner.say(
                tr(
                    "NoteEval {version} is installed. It never looks for updates: check for new versions where you got "
                    "it."
                ).format(version=__version__)
            ),
            separated=True,
        ),
    ),
}
COMMANDS = tuple(command for menu in MENUS.values() for command in menu)
