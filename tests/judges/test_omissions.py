from __future__ import annotations

import threading
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Omission, OmissionKind, Severity
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.omissions import features as omission_features
from noteeval_desktop.judges.builtin.omissions import omissions as found_omissions
from noteeval_desktop.judges.builtin.omissions.features import Talk, read_units
from noteeval_desktop.judges.builtin.omissions.omissions import MOST, PASSAGES, find_omissions, topics
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.text.words import claim_lexicon
from tests.factories import make_note, make_transcript
from tests.fake_embedder import FakeEmbedder
from tests.sample_evaluation import sample_case

TALK = (
    ("therapist", "Do you think about ending your life?"),
    ("client", "Sometimes."),
    ("therapist", "How is the new medication going, any side effects?"),
    ("client", "The sertraline was raised to 50 mg two weeks ago and my headaches are worse."),
    ("therapist", "Shall we meet again next Tuesday at ten and go over your diary?"),
    ("client", "Yes."),
)


Omissions = Callable[..., tuple[Case, list[Omission]]]


@pytest.fixture
def omissions(encoder: LlamaEmbedder) -> Omissions:
    """Of a session's turns, for a note of the sentences."""

    def found(turns: tuple[tuple[str, str], ...], *sentences: str) -> tuple[Case, list[Omission]]:
        case, lexicon = Case(make_transcript(turns), make_note({Section.SUBJECTIVE: list(sentences)})), claim_lexicon()
        session = index_session(case.transcript, encoder, lexicon)
        return case, list(find_omissions(case, encoder, session, lexicon))

    return found


def test_a_danger_that_no_sentence_answers_comes_first_and_is_grave(omissions: Omissions) -> None:
    case, found = omissions(TALK, "Client talked about the garden.")
    assert (found[0].kind, found[0].severity, found[0].item) == (OmissionKind.RISK, Severity.HIGH, "general-safety")
    assert found[0].citation.quote == "Sometimes."
    assert all(omission.citation.stands_in(case.transcript) for omission in found)


def test_what_the_note_says_is_not_reported(omissions: Omissions) -> None:
    case = sample_case()
    turns = tuple((turn.role.value, turn.text) for turn in case.transcript.turns)
    note = [sentence.text for sentence in case.note.sentences]
    raised = next(turn for turn in case.transcript.turns if "put the sertraline up" in turn.text)
    medication = next(one for one in omissions(turns, *note)[1] if one.citation.turn == raised.index)
    assert (medication.kind, medication.item) == (OmissionKind.MEDICATION, "plan-adjustment")
    assert "medication" in medication.rationale
    told = [citation.turn for one in omissions(turns, *note, raised.text)[1] for citation in one.citations]
    assert told
    assert raised.index not in told


def test_repeated_topics_are_one_finding_and_the_list_is_short(omissions: Omissions) -> None:
    turns = tuple(("client", f"I drink wine every night and I want to stop drinking wine, day {n}.") for n in range(60))
    _, found = omissions(turns, "Client talked about the garden.")
    assert 1 <= len(found) <= MOST
    assert len(found) < 5


ALCOHOL = (
    ("therapist", "How much wine do you drink in the evening?"),
    ("client", "I drink wine every evening, two bottles of wine."),
    ("therapist", "Let us talk about your garden and the tomatoes."),
    ("client", "The tomatoes did well, my garden keeps me calm and busy."),
    ("client", "When I drink that much wine every evening I miss work the next day."),
)


def test_passages_on_one_subject_are_one_finding_with_several_quotes(omissions: Omissions) -> None:
    case, found = omissions(ALCOHOL, "Client talked about the weather.")
    drinking = [omission for omission in found if {1, 4} & {citation.turn for citation in omission.citations}]
    assert len(drinking) == 1
    assert {1, 4} <= {citation.turn for citation in drinking[0].citations}
    assert 1 < len(drinking[0].citations) <= PASSAGES
    assert all(citation.stands_in(case.transcript) for citation in drinking[0].citations)
    assert [c.turn for c in drinking[0].also] == sorted(c.turn for c in drinking[0].also)


def test_no_passage_stands_in_two_findings(omissions: Omissions) -> None:
    _, found = omissions(TALK + ALCOHOL, "Client talked about the weather.")
    places = [(c.turn, c.span.start) for omission in found for c in omission.citations]
    assert len(places) == len(set(places))


def test_a_short_answer_comes_with_its_question() -> None:
    turns = (
        ("therapist", "Let us begin with the weather report."),
        ("therapist", "On a scale of 0 to 10, how ready are you to stop smoking?"),
        ("client", "8 — “eight”, I’d say."),
    )
    talk = Talk(read_units(index_session(make_transcript(turns), FakeEmbedder(), claim_lexicon())))
    (topic,) = topics(np.array([-np.inf, 2.0, 1.0]), talk, threshold=0.0)
    assert (topic.lead, topic.others) == (2, (1,))


@pytest.mark.parametrize("answer", ["Yes, please.", "Sure."])
def test_asking_for_leave_is_no_finding(answer: str, omissions: Omissions) -> None:
    asked = "Would it be okay if I share some information on drinking and sleep with you?"
    assert omissions((("therapist", asked), ("client", answer)))[1] == []


def test_a_danger_asked_about_and_answered_cites_both(omissions: Omissions) -> None:
    turns = tuple((turn.role.value, turn.text) for turn in sample_case().transcript.turns)
    _, found = omissions(turns, "Client talked about the garden.")
    answered = next(one for one in found if one.citation.quote.startswith("No. Not a plan or anything."))
    assert [citation.turn for citation in answered.also] == [answered.citation.turn - 1]


@pytest.mark.parametrize(
    ("speaker", "words", "kind", "item"),
    [
        ("client", "I felt nausea all morning and my stomach hurts.", OmissionKind.SYMPTOM, "subjective-symptoms"),
        ("client", "The cholesterol is high and I have a heart condition.", OmissionKind.HISTORY, "subjective-history"),
        ("client", "I take sertraline pills every morning.", OmissionKind.MEDICATION, "subjective-history"),
        ("client", "The sertraline was put up last Thursday.", OmissionKind.MEDICATION, "plan-adjustment"),
        ("client", "I wrote the diary and did the worksheet you set.", OmissionKind.HOMEWORK, "subjective-homework"),
        ("therapist", "Please keep the diary and do the worksheet at home.", OmissionKind.HOMEWORK, "plan-homework"),
        ("therapist", "You want to quit smoking and lose weight.", OmissionKind.GOAL, "subjective-goals"),
        ("therapist", "A good goal is to cut down to three glasses.", OmissionKind.GOAL, "assessment-goals"),
    ],
)
def test_what_item_a_passage_belongs_to_goes_by_who_says_what(
    speaker: str, words: str, kind: OmissionKind, item: str
) -> None:
    (passage,) = index_session(make_transcript(((speaker, words),)), FakeEmbedder(), claim_lexicon()).passages
    assert found_omissions._item(kind, passage) == item


@pytest.mark.parametrize(
    ("by_meaning", "likely", "stance", "listed"),
    [
        (False, False, Stance.CURRENT, True),
        (True, True, Stance.CURRENT, True),
        (True, False, Stance.CURRENT, False),
        (False, False, Stance.DENIED, False),
        (False, False, Stance.OTHER_PERSON, False),
    ],
)
def test_only_dangers_to_be_warned_of_stand_before_the_rest(
    by_meaning: bool, likely: bool, stance: Stance, listed: bool, encoder: LlamaEmbedder
) -> None:
    case = Case(make_transcript(TALK), make_note({Section.SUBJECTIVE: ["Client talked about the garden."]}))
    risk = RiskFinding((4,), cite(case.transcript.turns[4]), RiskKind.SUICIDE, stance, by_meaning, likely=likely)
    lexicon, embedder = claim_lexicon(), encoder
    session = index_session(case.transcript, embedder, lexicon)
    found = list(find_omissions(case, embedder, session, lexicon, ledger=lambda *_: [risk]))
    assert (found[0].kind is OmissionKind.RISK) is listed


@pytest.mark.parametrize(
    ("answered", "stance"), [(("s1",), Stance.CURRENT), (("s1",), Stance.DENIED), ((), Stance.DENIED)]
)
def test_what_the_ledger_shows_is_not_listed_again_as_something_else(
    answered: tuple[str, ...], stance: Stance, encoder: LlamaEmbedder
) -> None:
    case = Case(make_transcript(TALK), make_note({Section.SUBJECTIVE: ["Client talked about the garden."]}))
    shown = RiskFinding((3,), cite(case.transcript.turns[3]), RiskKind.OVERDOSE, stance, addressed_by=answered)
    lexicon, embedder = claim_lexicon(), encoder
    session = index_session(case.transcript, embedder, lexicon)

    def turns(risks: list[RiskFinding]) -> set[int]:
        found = find_omissions(case, embedder, session, lexicon, ledger=lambda *_: risks)
        return {citation.turn for omission in found for citation in (omission.citation, *omission.also)}

    assert 3 in turns([])
    assert 3 not in turns([shown])


def test_greetings_and_half_sentences_are_no_findings(omissions: Omissions) -> None:
    turns = (("therapist", "All right, take care, bye."), ("client", "And wait, I mean, feeling, but—"))
    assert omissions(turns, "Client talked about the garden.")[1] == []


def test_back_channels_alone_leave_nothing_out(omissions: Omissions) -> None:
    assert omissions((("client", "Mm-hmm."), ("therapist", "Okay."), ("client", "🙂")), "Client was quiet.")[1] == []


@pytest.mark.parametrize("turns", [(), (("client", ""),)])
def test_an_empty_session_or_note_is_no_error(turns: tuple[tuple[str, str], ...], omissions: Omissions) -> None:
    assert omissions(turns)[1] == []


def test_cancelling_stops(encoder: LlamaEmbedder) -> None:
    cancel = threading.Event()
    cancel.set()
    case = Case(make_transcript(TALK), make_note())
    lexicon, embedder = claim_lexicon(), encoder
    session = index_session(case.transcript, embedder, lexicon)
    with pytest.raises(Cancelled):
        list(find_omissions(case, embedder, session, lexicon, cancel))


@pytest.mark.parametrize(
    ("role", "tells"),
    [("therapist", False), ("client", True)],
)
def test_a_therapists_greeting_is_nothing_to_leave_out(role: str, tells: bool) -> None:
    said = ((role, "Hi Lorraine, you look worn out today, and thinner, you slept badly."), *TALK)
    lexicon = claim_lexicon()
    talk = Talk(read_units(index_session(make_transcript(said), FakeEmbedder(), lexicon)))

    assert found_omissions._tells(talk)[0] == tells


def long_talk(turns: int) -> Talk:
    said = [("client" if n % 2 else "therapist", f"We spoke of matter {n} and of day {n % 97}.") for n in range(turns)]
    lexicon = claim_lexicon()
    return Talk(read_units(index_session(make_transcript(tuple(said)), FakeEmbedder(), lexicon)))


def test_memory_for_a_long_session_does_not_grow_with_the_square_of_its_turns() -> None:
    talk, values = long_talk(3000), np.ones((3000, 4), dtype=np.float32)
    tracemalloc.start()
    try:
        assert talk.features.shape[0] == talk.around(values).shape[0] == 3000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3000 * 3000 * 4  # one array of all cosines; it was more than seven


def test_a_session_read_in_parts_is_read_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.arange(160, dtype=np.float32).reshape(40, 4)
    whole = long_talk(40)
    expected = whole.features, whole.around(values)
    monkeypatch.setattr(omission_features, "_ROWS_AT_ONCE", 7)
    parts = long_talk(40)
    np.testing.assert_allclose(parts.features, expected[0], rtol=1e-5)
    np.testing.assert_allclose(parts.around(values), expected[1], rtol=1e-5)
