"""The remote judge in the window: nothing leaves without a yes to exactly what is shown."""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from noteeval_desktop import settings
from noteeval_desktop.documents import parse_plan
from noteeval_desktop.privacy import consent
from noteeval_desktop.ui.judging import permission
from noteeval_desktop.ui.judging.chooser import JudgeChooser
from noteeval_desktop.ui.judging.prepared import prepare
from noteeval_desktop.ui.widgets.words import TABS
from tests.openai_server import Behaviour, serve
from tests.ui.judging.conftest import (
    KEY,
    NOTE,
    SESSION,
    agree,
    answer,
    consent_dialog,
    finished,
    send,
    set_up,
)

pytestmark = pytest.mark.usefixtures("another_computer")


def test_nothing_is_sent_before_the_user_agrees(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    dialog = consent_dialog(window, qtbot)
    assert endpoint.requests == []
    assert not dialog.send_button.isEnabled()
    dialog.reject()
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert endpoint.requests == []
    assert window.banner.text == "Nothing was sent. Judge: Built-in."
    assert window.header.judge_button.accessibleName() == "Judge: Built-in"
    assert consent.load().consents == ()
    assert window.session.evaluation.judge.kind != "remote"


def test_the_first_screen_does_not_say_that_nothing_is_sent_with_a_remote_judge(window, endpoint, qtbot) -> None:
    window.opening.close_case()
    assert window.empty.privacy.text() == "Everything stays on this computer. Nothing is sent anywhere."
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    assert "Nothing is sent anywhere" not in window.empty.privacy.text()
    window.judging.choose("builtin")
    assert window.empty.privacy.text() == "Everything stays on this computer. Nothing is sent anywhere."


def test_while_what_would_be_sent_is_prepared_it_says_so_and_can_be_stopped(window, endpoint, qtbot, monkeypatch):
    held = threading.Event()
    ready = prepare
    monkeypatch.setattr(permission, "prepare", lambda *given: (held.wait(20), ready(*given))[1])
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    assert window.status.text == "Preparing what would be sent…"
    window.status.cancel.click()
    assert window.banner.text == "Nothing was sent. Judge: Built-in."
    assert window.status.cancel.isHidden()
    held.set()
    qtbot.wait(200)
    assert endpoint.requests == []
    assert window.judging.permission is None


def test_the_preview_is_what_the_server_gets(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    dialog = consent_dialog(window, qtbot)
    dialog.byte_for_byte.setChecked(True)
    shown = []
    for number in range(len(dialog.prepared.bodies)):
        dialog.request_chooser.setCurrentIndex(number)
        shown.append(dialog.request_view.toPlainText())
    assert dialog.request_chooser.count() > len(shown)
    with finished(window, qtbot):
        agree(dialog)
    assert sorted(shown) == sorted(raw.decode() for raw in endpoint.raw)
    assert window.session.evaluation.usage.bytes_sent == sum(len(raw) for raw in endpoint.raw)
    assert "Wilma" not in "".join(shown)


def test_what_is_asked_again_after_an_answer_of_no_use_was_shown_before(window, qtbot) -> None:
    """The model's first answers are prose; the server then gets exactly the questions that the list ends with."""
    with serve(lambda body, number: Behaviour(content="I would rather not say.")) as endpoint:
        set_up(window, endpoint.url)
        window.judging.choose("remote")
        dialog = consent_dialog(window, qtbot)
        dialog.byte_for_byte.setChecked(True)
        shown = []
        for number in range(len(dialog.prepared.bodies), dialog.request_chooser.count()):
            dialog.request_chooser.setCurrentIndex(number)
            assert "asked again" in dialog.request_chooser.currentText()
            assert dialog.repair_hint.isVisible()
            shown.append(dialog.request_view.toPlainText())
        with finished(window, qtbot):
            agree(dialog)
    first = [body.exact for body in dialog.prepared.bodies]
    assert sorted(first + shown) == sorted(raw.decode() for raw in endpoint.raw)


def test_marks_are_shown_before_they_are_asked_for_and_told_afterwards(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url, marks=True)
    window.judging.choose("remote")
    dialog = consent_dialog(window, qtbot)
    names = [dialog.request_chooser.itemText(number) for number in range(dialog.request_chooser.count())]
    assert "Ratings 1 of 4" in names
    with finished(window, qtbot):
        agree(dialog)
    assert sorted(body.exact for body in dialog.prepared.bodies) == sorted(raw.decode() for raw in endpoint.raw)
    said = "Ratings from 1 to 5: completeness 3, conciseness 4, faithfulness 5 (means of the sections), acceptance 4."
    assert said in window.banner.text
    assert window.session.evaluation.usage.calls == len(endpoint.requests)


def test_marks_that_did_not_come_are_told_and_change_no_score(window, qtbot) -> None:
    def no_marks(body: dict, number: int) -> Behaviour:
        asked = json.dumps(body)
        return Behaviour(content="No.") if "acceptance" in asked or "conciseness" in asked else answer(body, number)

    with serve(no_marks) as endpoint:
        set_up(window, endpoint.url, marks=True)
        send(window, qtbot)
    assert "Ratings were not given: it was not JSON." in window.banner.text
    assert window.session.evaluation.complete


def test_unknown_names_are_hidden_unless_the_user_keeps_them(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    dialog = consent_dialog(window, qtbot)
    words = {
        dialog.word_list.item(n).data(Qt.ItemDataRole.UserRole): dialog.word_list.item(n)
        for n in range(dialog.word_list.count())
    }
    assert "Zorbinsk" in words
    assert words["Zorbinsk"].checkState() is Qt.CheckState.Checked
    dialog.agreement_chooser.setCurrentIndex(1)
    words["Zorbinsk"].setCheckState(Qt.CheckState.Unchecked)
    assert not dialog.send_button.isEnabled()
    qtbot.waitUntil(dialog.send_button.isEnabled)
    assert "Zorbinsk" in dialog.prepared.bodies[-1].exact + dialog.prepared.bodies[2].exact
    with finished(window, qtbot):
        dialog.send_button.click()
    sent = json.dumps(endpoint.requests)
    assert "Zorbinsk" in sent
    assert "Quenelda" not in sent


def test_a_second_check_of_the_case_asks_again_only_for_new_names(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    send(window, qtbot)
    with finished(window, qtbot):
        window.session.check()
    window.workspace.editor.insertPlainText("Seen with Brunhildeson Xaver. She met Oxalotl there. ")
    count = len(endpoint.requests)
    window.session.check()
    dialog = consent_dialog(window, qtbot)
    assert len(endpoint.requests) == count
    assert dialog.agreement is consent.Agreement.YES
    dialog.reject()


def test_a_plan_that_is_put_in_later_is_shown_before_it_is_sent(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    send(window, qtbot)
    before = len(endpoint.requests)
    window.session.use_plan(parse_plan("Goal 1: Drink less than my neighbour Quenelda\nObjective 1a: Diary"))
    window.session.check()
    dialog = consent_dialog(window, qtbot)
    assert len(endpoint.requests) == before
    shown = [body.content.decode() for body in dialog.prepared.bodies if body.question == "goals"]
    assert "[goal] Drink less than my neighbour" in shown[0]
    assert "Quenelda" not in shown[0]
    with finished(window, qtbot):
        agree(dialog)
    thread = window.session.evaluation.thread
    assert ([link.line for link in thread.note], [link.line for link in thread.session]) == (["g1.o1"], ["g1"])


def test_typing_sends_nothing(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    send(window, qtbot)
    count = len(endpoint.requests)
    with qtbot.waitSignal(window.session.check_due, timeout=5000):
        window.workspace.editor.insertPlainText("More. ")
    assert "Choose “Check again”" in window.status.text
    assert len(endpoint.requests) == count
    assert not window.session.checking


def test_a_case_that_was_not_shown_is_refused_in_the_lane_too(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    send(window, qtbot)
    count = len(endpoint.requests)
    window.session.note_text = "Subjective:\nNever shown to anyone.\n"
    window.session._start()
    qtbot.waitUntil(lambda: "is not the one that you agreed to send" in window.banner.text)
    assert len(endpoint.requests) == count


def test_the_status_line_tells_calls_tokens_cost_and_bytes(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    send(window, qtbot)
    calls = len(endpoint.requests)
    sent = sum(map(len, endpoint.raw))
    for part in (f"{calls} calls", "tokens read", "cost unknown", f"{sent:,} bytes sent"):
        assert part in window.status.text


def test_prices_give_a_cost(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url, price_input="10", price_output="20")
    send(window, qtbot)
    expected = len(endpoint.requests) * (100 * 10 + 10 * 20) / 1e6
    assert window.session.evaluation.usage.cost == pytest.approx(expected)
    assert f"cost {expected:.4f}" in window.status.text


def test_a_reason_is_shown_as_plain_text(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    send(window, qtbot)
    row = next(row for row in window.workspace.findings.lists[TABS.index("Statements")].rows.rows if not row.heading)
    card = window.workspace.findings.card
    card.show_row(replace(row, finding=None, citations=(), detail="<b>The session</b> says so."))
    labels = card.findChildren(QLabel)
    assert any("<b>The session</b> says so." in label.text() for label in labels)
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)


def test_the_key_is_sent_and_kept_nowhere_else(window, endpoint, keychain, home: Path, qtbot, caplog) -> None:
    caplog.set_level(logging.DEBUG)
    dialog = window.judging.open_settings("remote")
    dialog.remote.address.setText(endpoint.url)
    dialog.remote.model.setEditText("m")
    dialog.remote.key.setText(KEY)
    dialog.save.click()
    agree(consent_dialog(window, qtbot))
    qtbot.waitUntil(lambda: not window.jobs.busy, timeout=30_000)
    window.workspace.editor.document().setModified(False)
    window.close()
    assert {headers["authorization"] for headers in endpoint.headers} == {f"Bearer {KEY}"}
    assert keychain.kept == {endpoint.url: KEY}
    files = [path for path in home.rglob("*") if path.is_file() and not path.is_symlink()]
    assert {"settings.json", "remote.json"} <= {path.name for path in files}
    assert not any(KEY.encode() in path.read_bytes() for path in files)
    assert KEY not in caplog.text


def test_the_chooser_says_what_each_judge_means(window, endpoint, qtbot) -> None:
    set_up(window, endpoint.url)
    window.header.judge_button.click()
    chooser = window.findChild(JudgeChooser)
    said = {kind: choice.accessibleName() for kind, choice in chooser.choices.items()}
    assert not chooser.compare_button.isEnabled()
    assert any("two judges have checked" in label.text() for label in chooser.findChildren(QLabel))
    assert "Nothing leaves this computer" in said["builtin"]
    assert "Nothing leaves this computer" in said["local"]
    assert "127.0.0.1" in said["remote"]
    assert "after you have seen it" in said["remote"]
    chooser.choices["remote"].setFocus()
    qtbot.keyClick(chooser, Qt.Key.Key_Return)
    consent_dialog(window, qtbot).reject()


def test_the_judge_of_the_last_time_is_taken_up_and_asks_before_it_checks(
    home: Path, make_window, endpoint, qtbot
) -> None:
    settings.save(settings.Settings(judge="remote", base_url=endpoint.url, remote_model="m", ask_everything=True))
    window = make_window()
    assert window.header.judge_button.accessibleName() == "Judge: m"
    with qtbot.waitSignal(window.session.check_due, timeout=10_000):
        window.session.paste_transcript(SESSION)
        window.session.open_note(NOTE)
    qtbot.waitUntil(lambda: not window.jobs.busy)
    assert "Not checked yet" in window.banner.text
    assert endpoint.requests == []
    assert window.session.evaluation is None


def test_nothing_is_sent_where_the_yes_cannot_be_recorded_and_that_is_not_tried_on_the_gui_thread(
    window, endpoint, qtbot, monkeypatch
) -> None:
    threads = []

    def full(rules: object) -> None:
        threads.append(threading.current_thread())
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(consent, "save", full)
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    agree(consent_dialog(window, qtbot))
    qtbot.waitUntil(lambda: "could not be recorded" in window.banner.text)
    assert threading.main_thread() not in threads
    assert endpoint.requests == []


def test_an_address_without_a_model_is_not_saved_without_a_word(window, endpoint, qtbot) -> None:
    dialog = window.judging.open_settings("remote")
    assert "saved key" not in dialog.remote.key.placeholderText()
    assert dialog.remote.forget_key.isHidden()
    dialog.remote.address.setText(endpoint.url)
    dialog.save.click()
    assert "Choose a model" in dialog.said.text()
    assert dialog.isVisible()
    dialog.reject()


def test_an_address_that_asked_for_a_key_is_not_saved_without_one(window, qtbot) -> None:
    with serve(answer, models=Behaviour(status=401, raw=b"{}")) as endpoint:
        dialog = window.judging.open_settings("remote")
        dialog.remote.address.setText(endpoint.url)
        dialog.remote.model.setEditText("gpt 🙂")
        dialog.remote.test.click()
        qtbot.waitUntil(lambda: "asks for a key" in dialog.remote.result.text(), timeout=20_000)
    dialog.save.click()
    assert "asks for a key" in dialog.said.text()
    assert dialog.isVisible()
    dialog.remote.key.setText("secret")
    assert dialog.remote.problem() == ""
    dialog.reject()


def test_where_every_word_is_known_no_list_asks_about_words(window, endpoint, qtbot) -> None:
    with finished(window, qtbot):
        window.session.paste_transcript("Therapist: How is it?\nClient: I sleep better now.")
        window.session.open_note("Subjective:\nClient sleeps better.")
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    dialog = consent_dialog(window, qtbot)
    assert not dialog.prepared.words
    assert dialog.word_list.isHidden()
    dialog.reject()


def test_a_word_that_only_its_capital_hides_is_said_to_be_perhaps_a_name(window, endpoint, qtbot) -> None:
    with finished(window, qtbot):
        window.session.paste_transcript("Therapist: How is it?\nClient: Then Orvidane came and we talked about Xyl.")
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    dialog = consent_dialog(window, qtbot)
    shown = [dialog.word_list.item(n).text() for n in range(dialog.word_list.count())]
    assert {word.text: word.suspected for word in dialog.prepared.words}
    assert [text.endswith("may be a name") for text in shown] == [word.suspected for word in dialog.prepared.words]
    assert any(word.suspected for word in dialog.prepared.words)
    dialog.word_list.item(0).setCheckState(Qt.CheckState.Unchecked)
    qtbot.waitUntil(lambda: dialog._ready, timeout=20_000)
    assert [dialog.word_list.item(n).text() for n in range(dialog.word_list.count())] == shown
    dialog.reject()


def test_a_session_that_is_hidden_nearly_whole_is_said_before_it_is_sent(window, endpoint, qtbot) -> None:
    russian = "Сегодня я почти не спала и весь день думала о сестре, которая уехала весной."
    with finished(window, qtbot):
        window.session.paste_transcript("\n".join(f"{who}: {russian}" for who in ("Therapist", "Client") * 3))
    set_up(window, endpoint.url)
    window.judging.choose("remote")
    dialog = consent_dialog(window, qtbot)
    assert "Most words of this case are hidden" in dialog._summary.text()
    dialog.reject()
