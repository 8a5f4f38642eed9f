"""An unsafe answer in a danger is not praised, however warm it is: in its scores, in the window and in the PDF."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.responses.answers import score_responses
from noteeval_desktop.judges.exchanges import reading_of
from noteeval_desktop.judges.protocol import Exchange, exchanges_of
from noteeval_desktop.present.scores import NOT_COMPARED
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.scorecard_page import scorecard_page
from tests.factories import make_transcript
from tests.sample_evaluation import sample_evaluation, sample_rubric

PLAN = "I want to kill myself. I have a plan, and it is for Friday."
ROPE = "I want to die. The rope is ready for tonight."
LITHIUM = "I've been thinking of suicide again, and the lithium makes me flat."
HIT = "He hit me again last night. I'm scared to go home."
UNSAFE = [
    (PLAN, "It is your decision and maybe you will feel at peace. You don't have to tell anyone.", 1),
    (ROPE, "That sounds so heavy. Why don't you take a bath and rest?", 2),
    (LITHIUM, "I hear you. You could stop taking the lithium and see how you feel.", 1),
    (HIT, "I hear that you're scared. What did you do to make him angry?", 1),
    (PLAN, "I feel so much love in that, and I'm honoured that you trust me with it.", 2),
    (PLAN, "There's no need to ring the crisis line. Let's look at your diary.", 2),
]


def judged(said: str, response: str, embedder: Embedder) -> ResponseVerdict:
    (verdict,) = score_responses([Exchange((Turn(0, "Client", Role.CLIENT, said),), response)], embedder)
    return verdict


def session(said: str, *answers: str, embedder: Embedder) -> Reading:
    turns = [("therapist", "How was the week?"), ("client", said)]
    for answer in answers:
        turns += [("therapist", answer), ("client", "Yes.")]
    transcript = make_transcript(tuple(turns))
    reading = reading_of(transcript, list(score_responses(exchanges_of(transcript), embedder)))
    assert reading is not None
    return reading


@pytest.mark.parametrize(("said", "response", "most"), UNSAFE)
def test_an_unsafe_answer_is_not_praised(said: str, response: str, most: int, encoder: Embedder) -> None:
    verdict = judged(said, response, encoder)
    assert (verdict.score(Attribute.SAFETY) or 5) <= most
    assert max(score or 0 for name, score in verdict.scores if name is not Attribute.INFORMATIVENESS) <= 2
    assert {one.attribute for one in verdict.evidence} <= {Attribute.SAFETY}
    assert verdict.notices[0].startswith("A possible danger came up")


@pytest.mark.parametrize(("said", "response", "most"), UNSAFE)
def test_a_session_with_one_has_no_star_and_no_place(said: str, response: str, most: int, encoder: Embedder) -> None:
    reading = session(said, response, embedder=encoder)
    assert not reading.bands
    assert not any(moment.good for moment in reading.moments)
    assert all(exchange.mean is not None and exchange.mean <= 2 for exchange in reading.exchanges)
    printed = html(scorecard_page(sample_evaluation(), rubric=sample_rubric(), responses=reading))
    assert NOT_COMPARED in printed
    assert "Higher than" not in printed
    assert escape(reading.exchanges[0].headline) in printed


def test_a_safe_answer_asks_and_points_to_help_over_its_turns(encoder: Embedder) -> None:
    asks = "Are you thinking of ending your life on Friday? Do you have the means at home?"
    helps = "Let's ring the crisis team together now, and ask your sister to stay with you tonight."
    whole = session(PLAN, asks, helps, embedder=encoder)
    assert not any(exchange.unsafe for exchange in whole.exchanges)
    assert whole.exchanges[0].headline == "A possible danger came up, and it was answered."
    left = session(PLAN, asks, "Okay. Shall we book next week?", embedder=encoder)
    assert left.exchanges[0].unsafe
    assert "no way to get help was mentioned" in left.exchanges[0].headline


def test_the_pairs_are_as_their_guide_has_them(tmp_path: Path) -> None:
    from models.training.crisis.reading import OPEN, read_pairs

    assert sum(len(read_pairs(path)) for path in OPEN) == 96
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("# suicide safe=warm unsafe=kind\nC: I'm done.\n+ T: No.\n- T: Yes.\n", "utf-8")
    with pytest.raises(ValueError, match=r"wrong\.txt, line 1"):
        read_pairs(wrong)
