"""The remote judge in the window: what a server fails to answer, and what is stopped."""

from __future__ import annotations

import threading

import pytest

from noteeval_desktop.domain.note import Section
from tests.openai_server import Behaviour, serve
from tests.ui.judging.conftest import (
    agree,
    answer,
    consent_dialog,
    finished,
    send,
    set_up,
    slowly,
)


def test_answers_that_a_server_fails_to_give_are_no_change_of_the_note(window, qtbot) -> None:
    failing = []
    with serve(lambda body, number: Behaviour(status=400, raw=b"{}") if failing else answer(body, number)) as endpoint:
        set_up(window, endpoint.url, remote_jobs=1)
        send(window, qtbot)
        failing.append(True)
        window.workspace.editor.insertPlainText("More. ")
        with finished(window, qtbot):
            window.session.check()
    assert not window.session.evaluation.complete
    assert window.session.first_look is not None
    assert not [b.accessibleName() for b in window.glance_row.buttons if set("▲▼") & set(b.accessibleName())]


@pytest.mark.parametrize("status", [401, 404])
def test_a_failing_endpoint_is_a_message_and_never_a_score(status: int, window, qtbot) -> None:
    with serve(lambda body, number: Behaviour(status=status, raw=b"{}")) as endpoint:
        set_up(window, endpoint.url, remote_jobs=1)
        send(window, qtbot)
    assert "did not finish" in window.banner.text
    assert "Check" in window.banner.text
    assert window.banner.text.count("Check the key") <= 1
    scores = window.session.evaluation.scores
    assert (scores.completeness.note, scores.conciseness.note, scores.faithfulness.note) == (None, None, None)


def test_unusable_answers_are_counted_as_not_judged(window, qtbot) -> None:
    with serve(lambda body, number: Behaviour(content="I cannot say.")) as endpoint:
        set_up(window, endpoint.url)
        send(window, qtbot)
    assert "no usable answer" in window.banner.text
    assert "not checked" in window.status.text
    evaluation = window.session.evaluation
    assert {item.present for item in evaluation.checklist if item.section is not Section.ASSESSMENT} == {None}
    assert evaluation.scores.conciseness.note is None
    assert evaluation.scores.faithfulness.note is None


def test_cancel_waits_for_no_answer(window, qtbot) -> None:
    over = threading.Event()

    def held(body, number):
        over.wait(60)
        return answer(body, number)

    with serve(held) as endpoint:
        set_up(window, endpoint.url)
        window.judging.choose("remote")
        agree(consent_dialog(window, qtbot))
        qtbot.waitUntil(lambda: bool(endpoint.requests), timeout=20_000)
        window.status.cancel.click()
        qtbot.waitUntil(lambda: not window.session.checking, timeout=30_000)
        over.set()
    assert "Stopped" in window.banner.text


def test_a_stopped_check_was_sent_all_the_same_and_one_from_memory_was_not(window, qtbot) -> None:
    told = []
    window.judging.sending.connect(lambda address, of_case: told.append((address, of_case)))
    with serve(slowly) as endpoint:
        set_up(window, endpoint.url)
        window.judging.choose("remote")
        agree(consent_dialog(window, qtbot))
        qtbot.waitUntil(lambda: bool(endpoint.requests), timeout=20_000)
        window.status.cancel.click()
        qtbot.waitUntil(lambda: not window.jobs.busy, timeout=20_000)
        assert told == [(endpoint.url, True)]
        assert "Stopped after" in window.status.text
        assert "nothing sent" not in window.status.text
        assert "bytes sent" in window.status.text
        with finished(window, qtbot):
            window.session.check()
        with finished(window, qtbot):
            window.session.check()
        assert told == [(endpoint.url, True)] * 2
    assert window.banner.text == ""
    assert "Checked in" in window.status.text
