"""Responses outside a session and a judge at an address: shown before they are sent, each time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.errors import InputError
from noteeval_desktop.privacy import consent
from noteeval_desktop.ui.judging.consent_dialog import ConsentDialog
from noteeval_desktop.ui.judging.permission import LOCKED, NOTHING_SENT
from noteeval_desktop.ui.responses.pairs import Pairs, exchanges_of_pairs
from noteeval_desktop.ui.responses.scratch import ASKING, ScratchWindow
from tests.ui.judging.conftest import agree, consent_dialog, finished, set_up

pytestmark = pytest.mark.usefixtures("another_computer")

MESSAGE = "I am so tired, and my neighbour Quenelda keeps knocking. 🙂"
RESPONSES = ("That sounds hard, Wilma.", "Sleep more.", "Tell me about Quenelda.")


@pytest.fixture
def scratch(window, endpoint, qtbot) -> ScratchWindow:
    """The remote judge has checked the case, and nothing of that counts any more."""
    set_up(window, endpoint.url)
    with finished(window, qtbot):
        window.judging.choose("remote")
        agree(consent_dialog(window, qtbot))
    endpoint.requests.clear()
    endpoint.raw.clear()
    window.commands["compare_responses"].trigger()
    made = window.findChild(ScratchWindow)
    made.add_response()
    made.message.setPlainText(MESSAGE)
    for field, text in zip(made.responses, RESPONSES, strict=True):
        field.setPlainText(text)
    return made


def asked(scratch, qtbot) -> ConsentDialog:
    scratch.score_button.click()
    qtbot.waitUntil(lambda: any(d.isVisible() for d in scratch.findChildren(ConsentDialog)), timeout=20_000)
    return next(d for d in scratch.findChildren(ConsentDialog) if d.isVisible())


def test_responses_are_sent_as_they_were_shown_and_scored_in_their_order(scratch, window, endpoint, qtbot) -> None:
    dialog = asked(scratch, qtbot)
    assert scratch.said.text() == ASKING
    assert endpoint.raw == []
    shown = [body.exact for body in dialog.prepared.bodies]
    assert len(shown) == len(RESPONSES)
    assert "Quenelda" not in "".join(shown)
    agree(dialog)
    qtbot.waitUntil(lambda: scratch.table.columnCount() == len(RESPONSES), timeout=30_000)
    assert sorted(raw.decode() for raw in endpoint.raw) == sorted(shown)
    assert [scratch.table.horizontalHeaderItem(n).text()[-1] for n in range(3)] == ["A", "B", "C"]
    assert all(verdict.css is not None for verdict in scratch.verdicts)
    assert window.session.evaluation.judge.kind == "remote"


def test_what_is_sent_is_told_where_to_and_that_it_is_not_of_the_case(scratch, window, endpoint, qtbot) -> None:
    told = []
    window.judging.sending.connect(lambda address, of_case: told.append((address, of_case)))
    asked(scratch, qtbot).reject()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert told == []
    agree(asked(scratch, qtbot))
    qtbot.waitUntil(lambda: bool(endpoint.raw), timeout=30_000)
    assert told == [(endpoint.url, False)]
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=30_000)


def test_saying_no_sends_nothing_and_the_next_time_asks_again(scratch, window, endpoint, qtbot) -> None:
    asked(scratch, qtbot).reject()
    qtbot.waitUntil(lambda: scratch.said.text() == NOTHING_SENT)
    asked(scratch, qtbot).reject()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert endpoint.raw == []
    assert window.judging.kind == "remote"


def test_what_is_changed_behind_the_question_is_not_sent(scratch, window, endpoint, qtbot) -> None:
    dialog = asked(scratch, qtbot)
    gate = window.session.engaged.pairs
    with pytest.raises(InputError, match="agreed"):
        gate.cleared(exchanges_of_pairs(Pairs(MESSAGE, ("Something else.",))))
    dialog.reject()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert endpoint.raw == []


def test_a_word_that_is_kept_here_stays_hidden_in_the_case(scratch, window, endpoint, qtbot) -> None:
    """Both have a judge of their own, so that a decision about one text does not reach the other."""
    dialog = asked(scratch, qtbot)
    dialog.words_decided.emit({"Quenelda": False})
    qtbot.waitUntil(lambda: "Quenelda" in "".join(body.exact for body in dialog.prepared.bodies), timeout=20_000)
    dialog.reject()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    judge = window.session.engaged.judge()
    bodies = [body for some in judge.preview(window.session.case_maker()()).values() for body in some]
    assert "Quenelda" not in b"".join(bodies).decode()
    assert endpoint.raw == []


def test_the_lock_stops_this_window_too(scratch, window, endpoint, qtbot) -> None:
    consent.save(replace(consent.load(), locked=True))
    scratch.score_button.click()
    assert scratch.said.text() == LOCKED
    assert endpoint.raw == []
