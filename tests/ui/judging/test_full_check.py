"""The full check in the window: the quick check's results at once, the model's beside them, differences open."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QLabel

from noteeval_desktop.domain.two_witnesses import QUICK
from noteeval_desktop.domain.verdicts import OmissionKind, Verdict, differ
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.present.vocabulary import VERDICT_NAMES
from noteeval_desktop.ui.findings.left_out import left_out_rows
from noteeval_desktop.ui.findings.rows import claim_rows
from tests.gguf_factory import make_brief_model
from tests.let_in import let_in
from tests.sample_evaluation import sample_rubric
from tests.scripted_local import ScriptedLocal, agreeable, speak_for_local_models
from tests.ui.judging.conftest import finished


def choose(window, path: Path) -> None:
    let_in(make_brief_model(path), 12)
    window.keep_settings(replace(window.settings, local_model=str(path), ask_everything=False))
    window.judging.choose("local")


def unhelpful(request: Request) -> str:
    """Supports every claim, and would add nothing."""
    return "No" if "needed and left out" in request.question else agreeable(request)


def test_both_judgements_stand_side_by_side_and_a_difference_is_open(window, tmp_path, monkeypatch, qtbot) -> None:
    chat = speak_for_local_models(monkeypatch, ScriptedLocal(unhelpful))
    with finished(window, qtbot):
        choose(window, tmp_path / "tiny.gguf")
    evaluation, session = window.session.evaluation, window.session
    assert evaluation.judge.kind == "local"
    assert 0 < len(chat.requests) < 40
    differing = [judged for judged in evaluation.sentences if judged.claim and differ(judged.claim.opinions)]
    assert differing
    by_key = {finding.key: finding for finding in session.findings()}
    open_ = [
        f
        for f in session.findings()
        if f.why == "The two checks disagree. Please decide." and f.span in {j.sentence.span for j in differing}
    ]
    assert len(open_) == len(differing)
    row = next(
        row
        for row in claim_rows(evaluation, by_key)
        if row.finding and row.finding.why == "The two checks disagree. Please decide."
    )
    window.workspace.findings.card.show_row(row)
    said = [label.text() for label in window.workspace.findings.card.findChildren(QLabel)]
    assert "Quick check" in said
    assert "Model" in said
    assert "The two checks disagree. Please decide." in said
    assert any(text.startswith(f"{VERDICT_NAMES[Verdict.SUPPORTED]} (confidence: not known). ") for text in said)
    titles = [row.title for row in left_out_rows(evaluation, sample_rubric())]
    assert ("The model would not add these" in titles) is bool(evaluation.dropped)
    assert all(omission.kind is not OmissionKind.RISK for omission in evaluation.dropped)


def test_the_quick_check_is_shown_while_the_model_is_asked(window, tmp_path, monkeypatch, qtbot) -> None:
    chat = speak_for_local_models(monkeypatch, ScriptedLocal(most=2))
    choose(window, tmp_path / "tiny.gguf")
    qtbot.waitUntil(chat.held.is_set, timeout=60_000)
    qtbot.waitUntil(window.status.cancel.isVisible)
    # All of it while the model is at its second answer, which may take a minute: the first was about danger.
    qtbot.waitUntil(lambda: all(judged.claim is not None for judged in window.session.evaluation.sentences))
    assert window.session.evaluation.risks == ()
    window.status.cancel.click()
    qtbot.waitUntil(lambda: not window.session.checking, timeout=5_000)
    evaluation = window.session.evaluation
    assert all(item.present is not None for item in evaluation.checklist if item.section is not None)
    assert all(judged.claim is not None for judged in evaluation.sentences)
    asked = [o for j in evaluation.sentences if j.claim for o in j.claim.opinions if o.judge != QUICK]
    asked += [o for risk in evaluation.risks or () for o in risk.opinions if o.judge != QUICK]
    assert len(asked) == 1
    assert window.banner.text.startswith("Stopped.")


def asked_to_leave_out(chat: ScriptedLocal) -> int:
    return sum('"why": "own-feelings"' in request.question for request in chat.requests)


def test_what_to_leave_out_is_asked_where_wanted_and_not_once_it_is_silenced(
    window, tmp_path, monkeypatch, qtbot
) -> None:
    chat = speak_for_local_models(monkeypatch, ScriptedLocal(unhelpful))
    window.keep_settings(replace(window.settings, private=True))
    with finished(window, qtbot):
        choose(window, tmp_path / "tiny.gguf")
    first = window.session.evaluation.case.note.sentences[0]
    (own,) = [one for one in window.session.evaluation.remarks if one.rule == "asked-gossip"]
    assert (own.span, asked_to_leave_out(chat)) == (first.span, 1)
    assert own.source.endswith("and marked no other; smaller models were not tried.")
    (found,) = [one for one in window.session.findings() if one.ranked.source == own]
    with finished(window, qtbot):
        window.workspace.editor.insertPlainText("Client came late. ")
        window.commands["recheck"].trigger()
    assert asked_to_leave_out(chat) == 2
    with finished(window, qtbot):
        window.session.silence("remark:psychotherapy notes", True)
        window.workspace.editor.insertPlainText("Client left late. ")
        window.commands["recheck"].trigger()
    assert asked_to_leave_out(chat) == 2
    assert found.key not in [one.key for one in window.session.findings()]
