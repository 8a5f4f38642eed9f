"""What a case file brought is listed, and a sender's signature is compared once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from noteeval_desktop.domain.review import Review, ReviewKind
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Origin, Provenance
from noteeval_desktop.store.signing import fingerprint
from noteeval_desktop.store.taking_in import Imported, ReviewArrived, Taken
from noteeval_desktop.ui.library.brought import how_to_compare, lines, vouched_review
from noteeval_desktop.ui.library.case_acts import Arrived
from noteeval_desktop.ui.library.keys_window import KeysWindow
from tests.factories import make_case
from tests.ui.library.conftest import CHEAP, PASSPHRASE

DONE = datetime(2026, 4, 1, tzinfo=UTC)
REVIEW = Review("r", ReviewKind.SUPERVISION, "Dr. Ünal", "0", DONE, submitted=DONE)
UNSIGNED, KNOWN = Provenance(Origin.UNSIGNED), Provenance(Origin.KNOWN, "00" * 32, "Dr. Ünal")
CAME = Imported("c", KNOWN, CaseStatus.SUBMITTED, CaseStatus.RETURNED, CaseStatus.RETURNED, ("n",), (), (), False)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "The file is signed by Dr. Ünal, whose code you have compared."),
        ({"sender": UNSIGNED}, "The file is not signed, so anyone with the file could have written it."),
        ({}, "Status: Submitted → Returned."),
        ({}, "1 new version of the note was added."),
        ({"evaluations": ("a", "b")}, "2 new checks were added."),
        ({"session_changed": True}, "⚠ The session now reads as in the file: its words, speakers or roles "),
        ({"status_before": None}, "This case is new here."),
        ({"status": CaseStatus.SUBMITTED}, "⚠ The file calls the case “Returned”. It stays “Submitted” here."),
        (
            {"arrived": (ReviewArrived(REVIEW, KNOWN, Taken.NEW),)},
            "The review by Dr. Ünal was added (signed by Dr. Ünal, whose code you have compared).",
        ),
        (
            {"arrived": (ReviewArrived(REVIEW, UNSIGNED, Taken.OWN),)},
            "⚠ The review by Dr. Ünal reads differently in the file. Yours was kept",
        ),
        (
            {"arrived": (ReviewArrived(replace(REVIEW, kind=ReviewKind.SELF), KNOWN, Taken.CHANGED),)},
            "The author's answers were brought up to date",
        ),
    ],
)
def test_each_change_has_its_line(changes, said):
    assert any(line.startswith(said) for line in lines(replace(CAME, **changes)))


def test_a_file_that_brings_nothing_says_so():
    nothing = replace(CAME, revisions=(), status_before=CaseStatus.RETURNED)
    assert lines(nothing)[1:] == ("It contains nothing new.",)


def test_a_file_with_thousands_of_reviews_fits_the_window_and_warns_first():
    many = tuple(ReviewArrived(replace(REVIEW, rater="x\n" * 5000), KNOWN, Taken.NEW) for _ in range(3000))
    shown = lines(replace(CAME, arrived=(*many, ReviewArrived(REVIEW, UNSIGNED, Taken.OWN))))
    assert shown[1].startswith("⚠")
    assert len(shown) <= 16
    assert all(len(line) < 200 and "\n" not in line for line in shown)
    assert shown[-1] == "And 2989 more."


def test_of_a_sender_who_is_not_known_the_trust_is_told_once():
    unknown = Provenance(Origin.UNKNOWN, "11" * 32)
    came = replace(CAME, sender=unknown, arrived=(ReviewArrived(REVIEW, unknown, Taken.NEW),))
    assert "not compared" not in " ".join(lines(came))
    assert "really from Dr. Ünal. " in how_to_compare(came)
    other = replace(came, arrived=(ReviewArrived(REVIEW, Provenance(Origin.UNKNOWN, "22" * 32), Taken.NEW),))
    assert "you have not compared the sender's code yet" in " ".join(lines(other))


def test_a_review_that_nobody_vouches_for_is_marked():
    assert vouched_review(UNSIGNED).startswith("⚠ This review is not signed")
    assert not vouched_review(KNOWN).startswith("⚠")


@pytest.fixture
def sent(tmp_path):
    """A case file out of another library, and that library's fingerprint."""
    other = Library.create(tmp_path / "other", PASSPHRASE, cost=CHEAP)[0]
    other.export_case(other.cases.add(make_case()), tmp_path / "one.noteeval-case", "travel words", CHEAP)
    key = other.supervision.public_key()
    other.lock()
    return tmp_path / "one.noteeval-case", fingerprint(key)


def arrive(window, hands, path) -> Arrived:
    acts = hands.list(window).acts
    acts.import_from(path)
    acts.asking.passphrase.setText("travel words")
    acts.asking.go.click()
    hands.settle(window)
    assert isinstance(acts.asking, Arrived)
    return acts.asking


def test_a_sender_is_compared_once_and_known_from_then_on(desk, hands, sent, qtbot):
    path, printed = sent
    hands.keep(desk)
    shows = arrive(desk, hands, path)
    said = [label.text() for label in shows.findChildren(QLabel)]
    assert sum("NoteEval cannot tell yet that this file is really from" in text for text in said) == 1
    assert not [text for text in said if "key" in text.lower().replace("keys…", "") or "ingerprint" in text]
    assert shows.go.text() == "The code is the same"
    assert printed in [field.text() for field in shows.findChildren(type(shows.name))]
    shows.go.click()
    assert shows.said.text() == "Type the name of the sender."
    shows.name.setText("Dr. Ünal 🙂")
    shows.go.click()
    hands.settle(desk)
    again = arrive(desk, hands, path)
    assert again.lines[0] == "The file is signed by Dr. Ünal 🙂, whose code you have compared."
    assert not again.go.isVisible()
    again.skip.click()
    keys = hands.page(desk, "library_keys")
    assert isinstance(keys, KeysWindow)
    assert f"Dr. Ünal 🙂 · {printed}" in keys.known.text()
    keys.forget.menu().actions()[0].trigger()
    hands.settle(desk)
    assert printed not in keys.known.text()
    assert not keys.forget.isEnabled()
    keys.close()
    assert arrive(desk, hands, path).go.isVisible()


def test_the_own_fingerprint_is_shown_to_be_read_out(desk, hands):
    hands.keep(desk)
    keys = hands.page(desk, "library_keys")
    own = fingerprint(desk.library.access.library.supervision.public_key())
    assert own in keys.fingerprint.text()
    keys.copy.click()
    assert QGuiApplication.clipboard().text() == own
