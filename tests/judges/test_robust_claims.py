"""Faithfulness holds when the same note is written otherwise, is very short, or is checked against very little."""

from __future__ import annotations

import re
import threading
from dataclasses import replace

import pytest

from noteeval_desktop import documents
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.scores import expected_faithfulness
from tests.factories import make_note, make_transcript
from tests.sample_evaluation import sample_case

SAMPLE = sample_case()
TEXTS = {section: [one.text for one in SAMPLE.note.sentences_in(section)] for section in SOAP}


def verdicts(judge, note: Note, transcript=SAMPLE.transcript):
    return list(judge.support(Case(transcript, note), threading.Event()))


def expected(judge, note: Note) -> float:
    return expected_faithfulness(one for one in verdicts(judge, note) if one.verdict is not None)


def rewritten(change) -> Note:
    return make_note({section: [change(text) for text in TEXTS[section]] for section in SOAP})


def abbreviated(text: str) -> str:
    for long, short in ((r"\b(?:the )?client\b", "Cl"), (r"\btreatment\b", "tx"), (r"\bwithout\b", "w/o")):
        text = re.sub(long, short, text, flags=re.IGNORECASE)
    return text


def slipped(text: str) -> str:
    """Two letters change places in every third word of five letters and more."""
    places = [match.start() for match in re.finditer(r"(?<= )[a-z]{5,}(?= )", text)][::3]
    for at in places:
        text = text[: at + 2] + text[at + 3] + text[at + 2] + text[at + 4 :]
    return text


@pytest.mark.parametrize(
    ("change", "within"),
    [(str.lower, 0.01), (str.upper, 0.03), (abbreviated, 0.03), (slipped, 0.05)],
    ids=["lower case", "capitals", "abbreviations", "exchanged letters"],
)
def test_the_same_note_in_another_spelling_is_nearly_as_faithful(judge, change, within):
    assert rewritten(change).text != rewritten(str).text
    assert expected(judge, rewritten(change)) == pytest.approx(expected(judge, rewritten(str)), abs=within)


def test_headings_hardly_matter_for_what_the_session_says(judge):
    usual = documents.parse_note("\n\n".join(f"{s.value.capitalize()}:\n{' '.join(TEXTS[s])}" for s in SOAP))
    names = ("Presenting problem", "Mental status", "Case formulation", "Recommendations")
    named = documents.parse_note("\n\n".join(f"{h}\n{' '.join(TEXTS[s])}" for h, s in zip(names, SOAP, strict=True)))
    bare = documents.parse_note(" ".join(text for s in SOAP for text in TEXTS[s]))
    assert expected(judge, named) == expected(judge, usual)
    assert expected(judge, bare) == pytest.approx(expected(judge, usual), abs=0.03)


@pytest.mark.parametrize("turns", [1, 5])
def test_against_a_piece_of_the_session_less_is_supported(judge, turns):
    piece = replace(SAMPLE.transcript, turns=SAMPLE.transcript.turns[:turns])
    whole, little = (verdicts(judge, SAMPLE.note, session) for session in (SAMPLE.transcript, piece))
    assert len(little) == len(whole)
    assert expected_faithfulness(little) < expected_faithfulness(whole)


@pytest.mark.parametrize(
    "session", ["Asiakas kertoo nukkuvansa huonosti joka yö ja juovansa iltaisin.", "Клиент плохо спит."]
)
def test_a_session_in_another_language_is_not_judged_against(judge, session):
    note = make_note({Section.SUBJECTIVE: ["Client sleeps badly."]})
    (verdict,) = verdicts(judge, note, make_transcript((("client", session),)))
    assert (verdict.verdict, verdict.probability) == (None, None)
    assert "English" in verdict.rationale
