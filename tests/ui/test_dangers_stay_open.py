"""Three dangers that were ticked by a sentence which does not name them: in the window they stay open."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.findings import open_findings, open_risk, ranked_findings
from noteeval_desktop.judges import builtin
from tests.ui_steps import wait_idle

TEN_MINUTES = """Therapist: You said the weekend was bad.
Client: Sunday was.
Therapist: Were you thinking of killing yourself?
Client: For about ten minutes. Then my sister rang.
Therapist: Thank you for telling me."""
WAKE_UP = """Therapist: How are things at home since they cut your hours?
Client: I sit in the kitchen and do sums. Everybody would have it easier if I just didn't wake up.
Therapist: That sounds very heavy.
Client: It is what it is."""
PATCHES = """Therapist: Where are your mother's medicines now?
Client: I've still got her morphine patches, and all the sleeping tablets, in the drawer by my bed. I look at them.
Therapist: When do you look at them?
Client: Most nights, when I think there's no point."""


@pytest.mark.parametrize(
    ("session", "sentence"),
    [
        (TEN_MINUTES, "No safety concerns at this time."),
        (WAKE_UP, "Worry about losing his job and the bills."),
        (PATCHES, "Psychoeducation on the dual process model of grief was given."),
    ],
    ids=["ten minutes", "not wake up", "patches"],
)
def test_a_danger_stays_open_beside_a_sentence_that_does_not_name_it(
    session: str, sentence: str, make_window, encoder, rubric, qtbot
) -> None:
    window = make_window(load=lambda: builtin.load(encoder, rubric))
    with qtbot.waitSignal(window.session.evaluation_finished, timeout=60_000):
        window.session.paste_transcript(session)
        window.session.open_note(f"Subjective: Client came on time and spoke about the week. {sentence}\n")
    wait_idle(window, qtbot)
    risks = window.session.evaluation.risks
    assert any(risk.certain for risk in risks)
    assert not [risk for risk in risks if risk.addressed]
    still = open_findings(ranked_findings(window.session.evaluation), window.session.evaluation, ())
    assert open_risk(window.session.evaluation, still).missing
    assert "not found in the note" in window.risk_banner.text
