"""While a review is blind nothing of the judge or of the author is in its window; and nothing of it is ever lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel

from noteeval_desktop.domain.review import Review, ReviewKind
from noteeval_desktop.errors import InputError
from noteeval_desktop.store.cases import Cases
from noteeval_desktop.store.library import Library, by_passphrase
from noteeval_desktop.store.supervision import Rater
from noteeval_desktop.ui.editor.turn_list import TURN_ROLE
from noteeval_desktop.ui.supervision.pages import highlights
from noteeval_desktop.ui.supervision.passes import Stage
from tests.ui.library.conftest import PASSPHRASE
from tests.ui.supervision.conftest import Reviewer

_OF_THE_JUDGE = ("The session says twice", "script", "covered", "supported ·", "Frau Ünal", "intake", "Kim")


def _said(window) -> str:
    """Everything that the window shows or tells a screen reader."""
    parts = [window.windowTitle()]
    for label in window.findChildren(QLabel):
        parts += [label.text(), label.toolTip(), label.accessibleName()]
    for button in window.findChildren(QAbstractButton):
        parts += [button.text(), button.toolTip(), button.accessibleName()]
    for box in window.findChildren(QComboBox):
        parts += [box.itemText(number) for number in range(box.count())]
    parts += [row.spoken + row.hint for row in window.panel.list.rows.rows]
    return "\n".join(parts)


def test_a_blind_window_holds_nothing_of_the_judge_or_the_author(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    assert desk.session.evaluation is None
    assert desk.library.list_window is None
    assert shown.session.shown.judged == ()
    assert shown.session.shown.labels is None
    assert shown.session.found == ()
    for key in (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_5, Qt.Key.Key_6):
        reviewer.ctrl(key)
        said = _said(shown)
        assert not [words for words in _OF_THE_JUDGE if words in said]
    assert shown.session.stage is Stage.RATINGS
    assert highlights(shown.session) == ()
    reviewer.mark_everything_from_the_start()
    reviewer.hand_in()
    assert "Frau Ünal 🙂" in _said(shown)
    assert shown.session.shown.judged


def test_the_therapists_name_in_the_session_is_hidden_until_then(desk, hands, qtbot):
    named = desk.session.transcript.with_speaker_renamed("Therapist", "Ruth Alden")
    desk.session.change_transcript(named)
    hands.settle(desk)
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)

    def speakers() -> set[str]:
        model = shown.transcript.model
        return {model.index(row).data(TURN_ROLE).speaker for row in range(model.rowCount())}

    assert "Ruth Alden" not in speakers()
    reviewer.mark_everything()
    reviewer.hand_in()
    assert "Ruth Alden" in speakers()


def test_a_sentence_that_is_clicked_is_the_one_at_hand(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    note = shown.session.shown.note
    shown.note.clicked_at.emit(note.sentences[2].span.start)
    assert shown.session.stage is Stage.COMPLETENESS
    reviewer.ctrl(Qt.Key.Key_3)
    shown.note.clicked_at.emit(note.sentences[2].span.start + 1)
    assert shown.session.place.id == note.sentences[2].id


def test_turns_are_found_and_picked_by_key_and_by_click(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    reviewer.ctrl(Qt.Key.Key_3)
    reviewer.type("f ")
    assert shown.session.picked == (1,)
    shown.transcript.view.clicked.emit(shown.transcript.model.index(3))
    assert shown.session.picked == (1, 3)
    assert shown.transcript.model.cited_turns() == (1, 3)
    reviewer.type("m")
    assert shown.session.review.claims[0].turns == (1, 3)
    assert shown.session.picked == ()
    QTest.keyClick(shown.panel.list, Qt.Key.Key_Up)
    assert shown.session.picked == (1, 3)


def test_the_search_field_takes_letters_for_itself(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    reviewer.type("/")
    QTest.keyClicks(shown.transcript.search.field, "yny")
    assert shown.transcript.search.field.text() == "yny"
    assert shown.session.review.items == ()


def test_the_looks_change_while_a_review_is_open(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    reviewer.type("yn")
    desk.choose_theme("dark")
    reviewer.type("y")
    assert len(shown.session.review.items) == 3


def test_a_review_begins_from_the_list_of_the_library(desk, hands, qtbot):
    hands.keep(desk)
    desk.library.access.library.supervision.set_rater(Rater("Kim"))
    listed = hands.list(desk)
    listed.acts.review.trigger()
    hands.settle(desk)
    assert len(desk.supervision.reviews) == 1
    assert desk.library.list_window is None


def test_another_raters_marks_stay_hidden_too(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    first = Reviewer(desk, qtbot, "Kim")
    first.open(case_id)
    first.mark_everything()
    first.hand_in()
    first.shown.close()
    desk.library.open_case(case_id)
    hands.settle(desk)
    desk.commands["review_anew"].trigger()
    hands.settle(desk)
    asks = desk.supervision.dialog
    asks.name.setText("Dr. Žižek 🙂")
    QTest.keyClick(asks, Qt.Key.Key_Return)
    hands.settle(desk)
    shown = desk.supervision.reviews[-1]
    assert shown.session.review.rater == "Dr. Žižek 🙂"
    assert shown.session.progress()[Stage.COMPLETENESS] == (0, 8)
    assert shown.session.shown.earlier is None


def test_the_name_is_asked_once_and_kept_in_the_library_only(desk, hands, qtbot, tmp_path):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    reviewer.comment("Mind the Żółw, 緑.")
    shown.close()
    reviewer.settle()
    asked = desk.supervision.dialog
    reviewer.open(case_id)
    assert desk.supervision.dialog is asked
    clear = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    for words in ("Žižek", "Żółw"):
        assert not [path for path in clear if words.encode() in path.read_bytes()]


def test_a_review_goes_on_where_it_was_left(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    reviewer.type("y" * 23 + "0")
    reviewer.settle()
    left = shown.session.review
    shown.close()
    reviewer.settle()
    again = reviewer.open(case_id)
    assert again.session.review == left
    assert (again.session.stage, again.session.at) == (Stage.CONCISENESS, 1)


def test_locking_keeps_the_marks_and_unlocking_brings_the_window_back(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    reviewer.type("ynyn")
    left = shown.session.review
    desk.commands["lock"].trigger()
    assert desk.supervision.reviews == []
    hands.unlock(desk)
    hands.settle(desk)
    qtbot.waitUntil(lambda: len(desk.supervision.reviews) == 1)
    assert desk.supervision.reviews[0].session.review == left


def test_a_comment_that_is_being_typed_when_the_library_locks_is_kept(desk, hands, qtbot):
    hands.keep(desk)
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(desk.library.kept.id)
    reviewer.type("c")
    shown.comments.dialog.text.setPlainText("Half a thought, in the mid")
    desk.commands["lock"].trigger()
    hands.unlock(desk)
    hands.settle(desk)
    qtbot.waitUntil(lambda: len(desk.supervision.reviews) == 1)
    (comment,) = desk.supervision.reviews[0].session.review.comments
    assert comment.text == "Half a thought, in the mid"


def test_what_could_not_be_kept_is_said_and_kept_with_the_next_mark(desk, hands, qtbot, monkeypatch):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)

    def fail(*_):
        raise InputError("library.db", "is full", "Free some space.")

    with monkeypatch.context() as broken:
        broken.setattr(Cases, "save_review", fail)
        reviewer.type("y")
        reviewer.settle()
        assert shown.saved.text() == "Not saved"
        assert "Free some space." in shown.banner.text
    reviewer.type("n")
    reviewer.settle()
    kept = desk.library.access.library.cases.reviews(case_id)[-1]
    assert kept == shown.session.review
    assert len(kept.items) == 2


def test_closing_the_program_keeps_the_last_mark(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    reviewer = Reviewer(desk, qtbot)
    shown = reviewer.open(case_id)
    reviewer.type("yny")
    left = shown.session.review
    desk.workspace.editor.document().setModified(False)
    desk.close()
    library = Library.open(hands.folder, by_passphrase(PASSPHRASE))
    kept = library.cases.reviews(case_id)[-1]
    library.lock()
    assert kept == left


def _mark_until_killed(folder: Path, case_id: str, told: int) -> None:
    """A program of its own that marks key by key, and says how many marks were acknowledged."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["NOTEEVAL_HOME"] = str(folder.parent / "other")
    from noteeval_desktop import app
    from noteeval_desktop.ui.library.access import Place
    from noteeval_desktop.ui.widgets.plain import Application
    from tests.sample_evaluation import sample_case, sample_judge, sample_rubric
    from tests.ui.library.conftest import CHEAP

    application = Application([])
    window = app.make_window(application, sample_rubric(), lambda: sample_judge(sample_case()), "light")
    window.library.access._place = Place(folder, CHEAP)
    window.library.access._take(Library.open(folder, by_passphrase(PASSPHRASE)), lambda: None)
    window.supervision.review_case(case_id)
    while not window.supervision.reviews:
        application.processEvents()
    shown = window.supervision.reviews[0]
    shown.all.click()
    shown.saver.kept.connect(lambda review: os.write(told, bytes([len(review.items) + len(review.needs)])))
    keys = "yn" * 12
    for number in range(200):
        in_items = shown.session.stage is Stage.COMPLETENESS
        QTest.keyClicks(shown.panel.list, keys[number % 24] if in_items else "0")
        application.processEvents()


def test_a_kill_in_the_middle_loses_nothing_that_was_acknowledged(desk, hands, qtbot):
    hands.keep(desk)
    case_id = desk.library.kept.id
    desk.library.access.library.supervision.set_rater(Rater("Kim"))
    desk.library.access.take_out().lock()
    for least in (1, 20):
        reads, writes = os.pipe()
        os.set_inheritable(writes, True)
        writer = _start(hands.folder, case_id, writes)
        os.close(writes)
        acknowledged = 0
        while acknowledged < least and (told := os.read(reads, 1)):
            acknowledged = told[0]
        os.kill(writer.pid, signal.SIGKILL)
        writer.wait()
        while told := os.read(reads, 1):
            acknowledged = told[0]
        os.close(reads)
        assert acknowledged >= least
        library = Library.open(hands.folder, by_passphrase(PASSPHRASE))
        library.check()
        review: Review = next(r for r in library.cases.reviews(case_id) if r.kind is ReviewKind.SUPERVISION)
        library.lock()
        assert len(review.items) + len(review.needs) >= acknowledged


def _start(folder: Path, case_id: str, writes: int) -> subprocess.Popen[bytes]:
    code = (
        "from pathlib import Path\n"
        "from tests.ui.supervision.test_blind import _mark_until_killed\n"
        f"_mark_until_killed(Path({str(folder)!r}), {case_id!r}, {writes})\n"
    )
    root = Path(__file__).parents[3]
    return subprocess.Popen([sys.executable, "-c", code], pass_fds=(writes,), cwd=root)
