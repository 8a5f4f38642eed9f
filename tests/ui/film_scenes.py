"""Every view of the window, one scene a group. Not collected by itself: ``benchmarks/film_strip.py`` runs it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFileDialog, QMenu, QPushButton, QToolButton, QWidget

from noteeval_desktop import documents
from noteeval_desktop.domain.plan import GoalProgress, PlanLink, Thread
from noteeval_desktop.engines import loopback
from noteeval_desktop.errors import ModelError
from noteeval_desktop.judges import builtin
from noteeval_desktop.store.records import Labels
from noteeval_desktop.ui.case.plan_window import PlanDialog, PlanWindow
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.judging import keys as judge_keys
from noteeval_desktop.ui.judging.checklists_window import ChecklistsWindow, NameDialog
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.over_time.window import OverTimeWindow
from noteeval_desktop.ui.shell import commands
from noteeval_desktop.ui.shell.main_window import MainWindow
from noteeval_desktop.ui.supervision.passes import Stage
from noteeval_desktop.ui.widgets.parts import MenuButton, restyle
from noteeval_desktop.ui.widgets.words import TABS
from tests.gguf_factory import make_chat_model
from tests.keychain import InMemory
from tests.openai_server import serve
from tests.sample_evaluation import sample_evaluation
from tests.sample_review import sample_review
from tests.ui.judging.conftest import agree, answer, consent_dialog
from tests.ui.library.conftest import Hands
from tests.ui.many.conftest import write_pairs
from tests.ui.supervision.conftest import Reviewer, imported, submit

SPEAKERS = "Therapist: What brings you both?\nAnna: We argue.\nBen: Every evening, since May.\nAnna: He drinks."
PLAN = """Goal 1: Drink at weekends only
  Objective 1a: Two evenings a week without a drink, as she writes down in her diary
Goal 2: Sleep through the night
Goal 3: See her sister and her friends again
Interventions: breathing exercise; motivational interviewing
"""
OWN = {
    "dap": "DATA\nAnna and Ben argue every evening. Ben drinks.\n\nASSESSMENT\nNo risk.\n\nPLAN\nNext week.",
    "birp": "BEHAVIOR\nThe couple argues.\n\nINTERVENTION\nAsked about May.\n\nRESPONSE\nCalm.\n\nPLAN\nNext week.",
}


class Film:
    """Numbers its pictures; ``close`` shuts every window above the main one."""

    def __init__(self, folder: Path, scene: str, window: MainWindow, qtbot) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self._scene, self._window, self._qtbot, self._taken = folder, scene, window, qtbot, 0

    def settle(self) -> None:
        window = self._window
        # Longer than tests wait: a whole session is judged, often on a busy machine.
        self._qtbot.waitUntil(lambda: not window.jobs.busy and not window.session._timer.isActive(), timeout=240_000)
        self._qtbot.wait(120)

    def shoot(self, name: str, widget: QWidget | None = None) -> None:
        self.settle()
        self._taken += 1
        shown = widget or self._window
        assert shown.isVisible()
        room = shown.screen().size()
        if shown.width() > room.width() or shown.height() > room.height():
            print(f"{self._scene}-{name} is larger than its screen: {shown.width()} x {shown.height()}")
        assert shown.grab().save(str(self.folder / f"{self._scene}-{self._taken:02}-{name}.png"))

    def above(self, name: str, act: Callable[[], object], close: bool = True) -> None:
        """What ``act`` opens, also where it waits for the answer."""
        before, taken = set(self.windows()), []

        def look() -> None:
            new = set(self.windows()) - before
            if not new or taken:
                return
            taken.extend(new)
            self.shoot(name, taken[0])
            if close:
                taken[0].close()

        timer = QTimer()
        timer.timeout.connect(look)
        timer.start(100)
        act()
        self._qtbot.waitUntil(lambda: bool(taken), timeout=120_000)
        timer.stop()
        self.settle()

    def windows(self) -> list[QWidget]:
        return [w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not self._window]

    def menu(self, name: str, menu: QMenu) -> None:
        self.above(name, lambda: menu.popup(self._window.pos()))


@pytest.fixture
def filmed(make_window, encoder, encoder_path, rubric, tmp_path, monkeypatch):
    """The real judge in a window of the look's size, before any case."""
    width, height, theme = os.environ["FILM_LOOK"].split()
    keychain = InMemory()
    models = tmp_path / "home" / "models"
    models.mkdir(parents=True)
    (models / encoder_path.name).symlink_to(encoder_path)
    monkeypatch.setattr(judge_keys, "Keys", lambda file: Keys(file, lambda: keychain))
    window = make_window(theme, lambda: builtin.load(encoder, rubric))
    window.resize(int(width), int(height))
    window.activateWindow()
    return window


@pytest.fixture
def film(filmed, qtbot, request) -> Film:
    return Film(Path(os.environ["FILM"]), request.node.name.removeprefix("test_"), filmed, qtbot)


@pytest.fixture
def sample(filmed, film, qtbot):
    with qtbot.waitSignal(filmed.session.evaluation_finished, timeout=240_000):
        filmed.empty.sample_button.click()
    film.settle()
    return filmed


def test_a_start(filmed, film, qtbot, tmp_path) -> None:
    film.shoot("empty")
    restyle(filmed.empty.note, "state", "over")
    film.shoot("drop")
    restyle(filmed.empty.note, "state", "")
    picture = tmp_path / "session.vtt"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    filmed.files.open_transcript(picture)
    qtbot.waitUntil(lambda: bool(filmed.banner.text), timeout=120_000)
    film.settle()
    film.shoot("error")
    filmed.banner.hide()
    filmed.opening.close_case()
    filmed.session.paste_transcript(SPEAKERS)
    filmed.files.open_note("")
    film.shoot("empty-note-three-speakers")
    filmed.workspace.want(0, True)
    film.menu("roles", filmed.workspace.transcript.strip.findChildren(QToolButton)[-1].menu())
    for name, note in OWN.items():
        with qtbot.waitSignal(filmed.session.evaluation_finished, timeout=240_000):
            filmed.session.open_note(note)
        film.shoot(name)
        filmed.workspace.findings.show_tab(1)
        film.shoot(f"{name}-checklist")
        filmed.workspace.findings.show_tab(0)
    filmed.encoder.offer()
    film.shoot("not-set-up")


def test_b_findings(sample, film) -> None:
    for number, name in enumerate(TABS):
        sample.workspace.findings.show_tab(number)
        if name == "Responses":
            sample.session.read_responses()
        film.shoot(name.lower().replace(" ", "-"))
    sample.workspace.findings.show_tab(0)
    for _ in range(4):
        sample.commands["next_finding"].trigger()
        film.shoot("finding")
    sample.workspace.findings.more_button.click()
    film.shoot("all-findings")
    film.menu("filter", sample.workspace.findings.filter_menu)
    dismiss = next(b for b in sample.workspace.findings.card.findChildren(MenuButton) if b.text().startswith("Dismiss"))
    film.menu("dismiss", dismiss.menu())
    sample.commands["tab_2"].trigger()
    sample.workspace.step(1)
    film.shoot("checklist-finding")
    glance = sample.glance_row.buttons[0]
    film.above("glance-explained", glance.click)


def test_c_panes(sample, film, qtbot) -> None:
    sample.workspace.note_search.open_search()
    sample.workspace.note_search.field.setText("client")
    film.shoot("find-in-note")
    sample.workspace.want(0, True)
    sample.workspace.transcript.search.open_search()
    sample.workspace.transcript.search.field.setText("drink")
    film.shoot("find-in-session")
    sample.workspace.want(0, False)
    film.shoot("session-folded")
    sample.workspace.want(0, True)
    for _ in range(6):
        sample.commands["larger"].trigger()
    film.shoot("larger-text")
    for menu in sample.menuBar().findChildren(QMenu):
        if "&" in menu.title():
            film.menu(f"menu-{menu.title().replace('&', '').lower()}", menu)


def test_d_windows(sample, film, monkeypatch) -> None:
    commands = sample.commands
    for name in ("help", "model_card", "keys", "preview", "paste_transcript", "compare_responses", "drafts"):
        film.above(name, commands[name].trigger)
    film.above("judges", sample.header.judge_button.click)
    film.above("settings-local", lambda: sample.judging.open_settings("local"))
    film.above("settings-remote", lambda: sample.judging.open_settings("remote"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(Path(tempfile.gettempdir()) / "card.pdf"), ""))
    film.above("export", commands["export_pdf"].trigger)
    sample.workspace.editor.insertPlainText("Changed. ")
    film.settle()

    def ask(unsaved: Unsaved, asks) -> int:
        asks.show()
        film.shoot("quit", asks)
        return asks.DialogCode.Rejected

    monkeypatch.setattr(Unsaved, "ask", ask)
    sample.opening.close_case()


def test_e_remote(sample, film, qtbot, monkeypatch) -> None:
    # The server stands for one that is elsewhere.
    monkeypatch.setattr(loopback, "on_this_computer", lambda address, model="": False)
    with serve(answer) as endpoint:
        sample.keep_settings(
            replace(sample.settings, base_url=endpoint.url, remote_model="gpt-of-the-clinic", ask_everything=True)
        )
        sample.judging.choose("remote")
        film.settle()
        dialog = consent_dialog(sample, qtbot)
        film.shoot("consent", dialog)
        dialog.reject()
        film.settle()
        sample.judging.choose("remote")
        film.settle()
        dialog = consent_dialog(sample, qtbot)
        with qtbot.waitSignal(sample.session.evaluation_finished, timeout=240_000):
            agree(dialog)
        film.shoot("answered")
        film.above("two-judges", sample.judging.compare)


def test_j_models(sample, film, tmp_path) -> None:
    from noteeval_desktop.ui.judging.download_dialog import DownloadDialog

    folder = tmp_path / "own models"
    folder.mkdir()
    model = make_chat_model(folder / "a-chat-model-q4.gguf", context=8192)
    sample.keep_settings(replace(sample.settings, model_folder=str(folder), local_model=str(model)))

    dialog = sample.judging.open_settings("local")
    film.shoot("own-models", dialog)
    dialog.local.test.setText("Stop")
    dialog.local._said.setText(f"{model.name}: answering test question 3 of 12…")
    film.shoot("entrance-test", dialog)
    dialog.reject()
    download = DownloadDialog(folder, 12_000_000_000, sample.jobs, sample)
    film.above("models", download.show, close=False)
    download._show_running(True)
    download._progress((1_200_000_000, 2_500_000_000, 400))
    film.shoot("download", download)
    download.which.setCurrentIndex(download.which.count() - 1)
    download._show_running(False)
    download._failed(ModelError("The address cannot be reached. Check the connection, then choose Resume."))
    film.shoot("download-of-one's-own", download)
    download.close()
    film.above("encoder-setup", sample.encoder.open, close=False)
    setup = sample.encoder.dialog
    setup._progress(("Fetching the encoder, 32 of 46 MB", 0.7))
    film.shoot("encoder-download", setup)
    setup.close()


def test_k_many(sample, film, qtbot, tmp_path) -> None:
    days = [f"2026-11-{day:02}" for day in range(2, 8)]
    planned = {"client": ["K. M."], "plan": ["plan.txt"], "date": days}
    people = {"clinician": ["Ruth Meyer", "Ben Ortiz"], "source": ["Scribe", "By hand"]}
    pairs = write_pairs(tmp_path / "set", 6, **people, **planned)
    (pairs / "plan.txt").write_text(PLAN, "utf-8")
    for miles, own in enumerate(sorted(pairs.glob("*note.md")), 2):
        own.write_text(f"{own.read_text('utf-8')}He walked {miles} miles on the last day before we met.\n", "utf-8")
    (pairs / "odd one note.md").write_text(OWN["dap"], "utf-8")
    (pairs / "03 Weber note.md").write_bytes(b"")
    film.above("start", sample.commands["review_many"].trigger, close=False)
    many, shown = sample.many, sample.many.window
    (pairs / "pairs.csv").rename(tmp_path / "pairs.csv")
    many.open_paths([pairs])
    qtbot.waitUntil(lambda: shown.pages.currentWidget() is shown.match)
    film.shoot("match", shown)
    (tmp_path / "pairs.csv").rename(pairs / "pairs.csv")
    many.open_paths([pairs / "pairs.csv"])
    qtbot.waitUntil(lambda: bool(many.queue.entries) and not many.queue.running, timeout=240_000)
    qtbot.waitUntil(lambda: bool(shown.overview.views) and bool(shown.compare.first.count()))
    for number in range(shown.tabs.count()):
        shown.tabs.setCurrentIndex(number)
        film.shoot(shown.tabs.tabText(number).lower(), shown)
    shown.tabs.setCurrentIndex(0)
    for view in shown.notes.findChildren(QAbstractItemView):
        view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    film.shoot("copied-and-goals", shown)
    shown.names.setChecked(True)
    shown.notes.choose(3)
    film.shoot("failed", shown)
    film.menu("export", shown.export.menu())


def test_f_library(sample, film, qtbot, tmp_path) -> None:
    hands = Hands(qtbot, tmp_path / "home" / "library")
    hands.cheap(sample)
    film.above("new-library", sample.commands["keep_case"].trigger, close=False)
    hands.make(sample)
    qtbot.waitUntil(lambda: sample.library.labelling is not None)
    film.shoot("label", sample.library.labelling)
    hands.label(sample, "K. M., session 4", "intake")
    film.shoot("kept")
    cases = sample.library.access.library.cases
    for name in ("Ayşe Demir", "Ben Ortiz"):
        for week in range(5):
            evaluation = sample_evaluation()
            labels = Labels(f"{name[0]}. {week}", name, session_date=date(2026, 1, 5 + 7 * week // 2))
            case_id = cases.add(evaluation.case, labels)
            cases.save_evaluation(case_id, evaluation)
            cases.save_review(case_id, replace(sample_review(evaluation), id=f"{name[0]}{week}".encode().hex()))
    film.above("list", sample.commands["library"].trigger)
    for name in ("revisions", "library_keys", "backups", "audit_log", "old_cases", "agreement", "trainee", "cohort"):
        film.above(name, sample.commands[name].trigger)
    film.above("submit", sample.commands["submit"].trigger)
    sample.commands["lock"].trigger()
    film.settle()
    film.shoot("locked")
    film.above("unlock", sample.commands["library"].trigger)


def test_g_supervision(sample, film, qtbot, tmp_path) -> None:
    hands = Hands(qtbot, tmp_path / "home" / "library")
    hands.cheap(sample)
    hands.keep(sample, "K. M., session 4")
    submit(sample, hands)
    case_id = sample.library.kept.id
    reviewer = Reviewer(sample, qtbot, "Dr. Kim", asks_all=False)
    film.above("name", lambda: sample.supervision.review_case(case_id), close=False)
    asks = sample.supervision.dialog
    asks.name.setText("Dr. Kim")
    QTest.keyClick(asks.name, Qt.Key.Key_Return)
    film.settle()
    reviewer.shown = shown = sample.supervision.reviews[-1]
    shown.resize(sample.size())
    film.shoot("first-pass", shown)
    for stage in Stage:
        shown.go_to(stage)
        film.shoot(f"stage-{stage.name.lower()}", shown)
    reviewer.type("c")
    film.shoot("comment", shown.comments.dialog)
    shown.comments.dialog.reject()
    shown.all.click()
    reviewer.ctrl(Qt.Key.Key_1)
    film.shoot("everything-asked", shown)
    film.above("review-keys", shown.show_keys)


def test_h_after(sample, film, qtbot, tmp_path) -> None:
    hands = Hands(qtbot, tmp_path / "home" / "library")
    hands.cheap(sample)
    hands.keep(sample, "K. M., session 4")
    submit(sample, hands)
    case_id = sample.library.kept.id
    reviewer = Reviewer(sample, qtbot, "Dr. Kim")
    shown = reviewer.open(case_id)
    shown.resize(sample.size())
    reviewer.ctrl(Qt.Key.Key_1)
    shown.go(0)
    reviewer.mark_the_rest()
    reviewer.comment("How often, by the session?")
    reviewer.ctrl(Qt.Key.Key_Return)
    film.shoot("hand-in", shown.endings.dialog)
    QTest.keyClick(shown.endings.dialog, Qt.Key.Key_Return)
    film.settle()
    film.shoot("differences", shown)
    reviewer.settle_all("T")
    reviewer.step_to(Stage.ANSWER)
    film.shoot("answer", shown)
    reviewer.of_somebody_else()
    reviewer.type("a")
    film.settle()
    film.shoot("sign", shown.endings.dialog)
    shown.endings.dialog.reject()
    reviewer.answer("R")
    shown.close()
    imported(sample.library.access.library, case_id, False)
    sample.library.open_case(case_id)
    hands.settle(sample)
    film.shoot("came-back")
    film.above("feedback", sample.commands["feedback"].trigger)


def test_l_record(sample, film, qtbot, tmp_path, monkeypatch) -> None:
    """What an auditor asks: the record, what is copied, the treatment plan, checklists, goals over time."""
    hands = Hands(qtbot, tmp_path / "home" / "library")
    hands.cheap(sample)
    text = sample.session.note_text
    folder = tmp_path / "earlier"
    folder.mkdir()
    for month in (9, 10, 11):
        (folder / f"2026-{month:02}-03.md").write_text(text + f"\nSeen {month} times.\n", "utf-8")
    head = "Client: K. M.\nDate: 11/17/2026\nStart: 10:00  End: 10:45\nCPT: 90837  Dx: F33.1 panic disorder\n\n"
    odd = "\nClient was manipulative. I felt annoyed. Her friend Tamsin Orbeley is a gossip. *** \n"
    with qtbot.waitSignal(sample.session.evaluation_finished, timeout=240_000):
        sample.session.open_note(head + text + odd)
    film.settle()
    monkeypatch.setattr(commands, "open_folder", lambda *_: str(folder))
    sample.commands["compare_earlier"].trigger()
    film.settle()
    pane, tab = sample.workspace.findings, TABS.index("Record")
    pane.show_tab(tab)
    rows = pane.lists[tab].rows.rows
    film.shoot("record")
    copied = next(n for n, row in enumerate(rows) if row.finding and "word for word" in row.finding.what)
    pane.lists[tab].setCurrentIndex(pane.lists[tab].rows.index(copied))
    film.shoot("copied")
    sample.workspace.all_marks.click()
    film.shoot("copied-marked")
    sample.workspace.all_marks.click()
    film.above(
        "earlier-note", next(one for one in pane.card.findChildren(QPushButton) if one.text() == "Earlier note").click
    )
    private = next(n for n, row in enumerate(rows) if row.finding and "own feelings" in row.finding.what)
    pane.lists[tab].setCurrentIndex(pane.lists[tab].rows.index(private))
    film.shoot("leave-out")
    film.above("plan-window", sample.commands["treatment_plan"].trigger, close=False)
    window = sample.findChild(PlanWindow)
    asking = window.findChild(PlanDialog)
    film.shoot("plan-dialog", asking)
    with qtbot.waitSignal(sample.session.evaluation_finished, timeout=240_000):
        asking.text.setPlainText(PLAN)
        asking.go.click()
    film.shoot("plan", window)
    window.close()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(film.folder / "scorecard.pdf"), ""))
    sample.commands["export_pdf"].trigger()
    film.settle()
    hands.keep(sample, "K. M., session 4")
    cases = sample.library.access.library.cases
    for week in range(8):
        evaluation = sample_evaluation()
        sentences = [one.id for one in evaluation.case.note.sentences[:3] if (week + len(one.id)) % 3]
        links = tuple(PlanLink(one, f"g{n}", GoalProgress.BETTER) for n, one in enumerate(sentences, 1))
        evaluation = replace(evaluation, thread=Thread(documents.parse_plan(PLAN), links, read=True))
        labels = Labels(f"Session {week}", client="K. M.", session_date=date(2026, 9, 1 + 3 * week))
        cases.save_evaluation(cases.add(evaluation.case, labels), evaluation)
    film.above("over-time", sample.commands["trainee"].trigger, close=False)
    over = sample.findChild(OverTimeWindow)
    over.tabs.setCurrentWidget(over.goals)
    film.shoot("goals-over-time", over)
    over.close()
    film.above("checklists", sample.commands["checklists"].trigger, close=False)
    lists = sample.findChild(ChecklistsWindow)
    (tmp_path / "form.csv").write_text(
        "Item,Description,Section,Required,Colour\nSleep,How she slept,S,must,red\n,,P,must,\nCost,,Billing,soon,\n"
    )
    film.above("import", lambda: lists.import_from(tmp_path / "form.csv"))
    lists.lists.setCurrentItem(lists.lists.topLevelItem(2))
    film.above("copy-checklist", lists.copy.click, close=False)
    lists.findChild(NameDialog).go.click()
    film.shoot("own-checklist", lists)
    film.above("item", lambda: lists.edit(None))
    lists.close()
    film.above("judge-settings", lambda: sample.judging.open_settings())
