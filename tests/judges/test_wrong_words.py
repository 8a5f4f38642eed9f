"""Every error names its words; what the prompts could not answer before has its answer now."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from noteeval_desktop.commands.run import load_rubric
from noteeval_desktop.domain.note import Block, Note, Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.domain.two_witnesses import TrackRecord, claim_by_two
from noteeval_desktop.domain.verdicts import ClaimVerdict, OmissionKind, Severity, Verdict
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.judges.llm.judge import LlmJudge
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.remote import PrivateJudge
from noteeval_desktop.paths import resources
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from tests.factories import make_case, make_note, make_transcript
from tests.llm_answers import claims, sound
from tests.scripted_chat import ScriptedChat

NEVER = threading.Event()
FOUR = {"words": "four times", "turn": 2, "quote": "twice a week", "instead": "twice"}
NOWHERE = {"turn": 0, "quote": "", "instead": ""}
CASE = make_case(note=make_note({Section.SUBJECTIVE: ["🙂 Client reports drinking four times a week."]}))


class FirstTurns:
    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> list[tuple[int, ...]]:
        return [tuple(range(count))] * len(texts)


def make_judge(**answer: object) -> tuple[LlmJudge, ScriptedChat]:
    chat = ScriptedChat(lambda request: claims(request, **answer) if '"claims"' in request.question else sound(request))
    return LlmJudge(chat, load_rubric(), load_prompts(resources() / "prompts"), FirstTurns()), chat


def judged(text: str = "", **answer: object) -> ClaimVerdict:
    case = make_case(note=make_note({Section.SUBJECTIVE: [text]})) if text else CASE
    return next(make_judge(**answer)[0].support(case, NEVER))


@pytest.mark.parametrize("label", ["partly", "contradicted"])
def test_an_error_names_its_words_and_the_sessions(label: str) -> None:
    claim = judged(label=label, citations=[], wrong=[FOUR], severity="medium")
    assert (claim.verdict, claim.severity) == (Verdict.CONTRADICTED, Severity.MEDIUM)
    (wrong,) = claim.wrong
    assert (wrong.words, wrong.instead) == ("four times", "twice")
    assert wrong.span.of(CASE.note.sentences[0].text) == "four times"
    assert wrong.said is not None
    assert wrong.said.stands_in(CASE.transcript)
    assert (wrong.said.turn, wrong.said.quote) == (1, "twice a week")
    assert claim.citations == (wrong.said,), "what decides is what is shown"


def test_what_the_session_has_nothing_for_is_unsupported_and_named() -> None:
    claim = judged(label="partly", wrong=[NOWHERE | {"words": "reports drinking"}], severity="low")
    assert claim.verdict is Verdict.UNSUPPORTED
    assert [(one.words, one.said, one.instead) for one in claim.wrong] == [("reports drinking", None, "")]


@pytest.mark.parametrize(
    ("label", "wrong", "problem"),
    [
        ("partly", [], "needs the wrong words"),
        ("partly", [FOUR | {"words": "five times"}], "needs the wrong words"),
        ("partly", [FOUR | {"quote": "thrice"}], "turn 2 does not stand there"),
        ("contradicted", [FOUR | {"turn": 99}], "turn 99 does not stand there"),
        ("contradicted", [NOWHERE | {"words": "four times"}], "needs a citation"),
    ],
)
def test_words_that_stand_nowhere_are_asked_for_once_more(label: str, wrong: list[Any], problem: str) -> None:
    judge, chat = make_judge(label=label, citations=[], wrong=wrong)
    claim = next(judge.support(CASE, NEVER))
    assert claim.verdict is None
    assert problem in claim.rationale
    assert problem in chat.requests[-1].question
    assert len(chat.requests) == 2


def test_a_verdict_that_stands_by_its_citation_only_loses_words_that_are_not_the_sentences() -> None:
    claim = judged(label="contradicted", wrong=[FOUR | {"words": "five times"}])
    assert (claim.verdict, claim.wrong) == (Verdict.CONTRADICTED, ())


@pytest.mark.parametrize(("instead", "kept"), [("Twice", "Twice"), ("thrice", ""), ("see turn 2", ""), ("", "")])
def test_only_words_of_the_session_are_offered(instead: str, kept: str) -> None:
    assert judged(label="contradicted", wrong=[FOUR | {"instead": instead}]).wrong[0].instead == kept


def test_a_conclusion_is_supported_and_known_for_one() -> None:
    claim = judged("Client is at risk of relapse.", label="inferred")
    assert (claim.verdict, claim.inferred, claim.severity) == (Verdict.SUPPORTED, True, Severity.NONE)
    assert claim.citations
    assert not judged(label="supported").inferred
    assert judged(label="inferred", citations=[]).verdict is None, "a conclusion cites its facts"


def test_what_claims_nothing_is_set_aside() -> None:
    claim = judged("N/A", label="no_claim", citations=[])
    assert (claim.verdict, claim.set_aside) == (None, True)


def test_of_looks_and_words_in_one_sentence_only_the_looks_are_observed() -> None:
    text = "Tearful, but agreed to meet on Tuesday."
    claim = judged(text, label="observed", seen="tearful", wrong=[FOUR])
    assert claim.seen is not None
    assert (claim.verdict, claim.seen.of(text), claim.wrong) == (Verdict.OBSERVED, "Tearful", ())
    assert judged("Tearful.", label="observed", seen="Tearful").seen is None, "it is all of the sentence"


def test_two_witnesses_keep_what_the_model_names_with_its_verdict() -> None:
    quick = ClaimVerdict("s1", Verdict.SUPPORTED, 0.6)
    sharp, dull = TrackRecord(30, 30, 0, 30), TrackRecord(15, 30, 15, 30)
    wrong = judged(label="partly", wrong=[FOUR])
    assert claim_by_two(quick, wrong, "local", sharp).wrong == wrong.wrong
    outvoted = claim_by_two(replace(quick, probability=0.99), wrong, "local", dull)
    assert (outvoted.verdict, outvoted.wrong) == (Verdict.SUPPORTED, ())
    inferred = judged(label="inferred")
    assert claim_by_two(quick, inferred, "local", sharp).inferred
    doubted = claim_by_two(ClaimVerdict("s1", Verdict.UNSUPPORTED, 0.01), inferred, "local", dull)
    assert (doubted.verdict, doubted.inferred) == (Verdict.UNSUPPORTED, False)


def test_behind_masks_the_words_are_those_of_the_note() -> None:
    note = make_note({Section.SUBJECTIVE: ["🙂 Client's sister Stephanie visited."]})
    case = make_case(
        transcript=make_transcript((("client", "My sister Denise visited. Stephanie is my aunt."),)), note=note
    )

    def answer(request: Request) -> str:
        claim = next(line for line in request.question.splitlines() if "sister" in line)
        said = next(line for line in request.prefix.splitlines() if line.startswith("1 client"))
        words, quote = claim.split("sister ")[1].split()[0], said.split("sister ")[1].split()[0]
        wrong = {"words": words, "turn": 1, "quote": f"sister {quote}", "instead": quote}
        return claims(request, label="partly", citations=[], wrong=[wrong], severity="low")

    llm = LlmJudge(ScriptedChat(answer), load_rubric(), load_prompts(resources() / "prompts"), FirstTurns())
    judge = PrivateJudge(llm, IdentifierFinder().with_names(["Denise", "Stephanie"]))
    assert "Stephanie" not in judge.prepared(case).case.note.text
    claim = next(judge.support(case, NEVER))
    (wrong,) = claim.wrong
    assert wrong.span.of(note.sentences[0].text) == wrong.words == "Stephanie"
    assert wrong.said is not None
    assert (wrong.said.quote, wrong.instead) == ("sister Denise", "Denise")


# What is asked about, and under which name


def dap(*sections: tuple[tuple[Section, ...], str]) -> Note:
    text, blocks, sentences = "", [], []
    for number, (own, words) in enumerate(sections, 1):
        start = len(text)
        text += words + "\n"
        blocks.append(Block(own, None, Span(start, len(text))))
        sentences.append(Sentence(f"s{number}", own, Span(start, start + len(words)), words))
    return Note(text, tuple(blocks), tuple(sentences), "DAP")


DATA = (Section.SUBJECTIVE, Section.OBJECTIVE)


def asked(note: Note, question: str) -> list[Request]:
    judge, chat = make_judge()
    list(getattr(judge, question)(make_case(note=note), NEVER))
    return chat.requests


@pytest.mark.parametrize("question", ["cover", "need"])
def test_sections_that_a_note_joins_are_asked_once_and_said_to_be_joined(question: str) -> None:
    requests = asked(dap((DATA, "Sleeps badly. "), ((Section.PLAN,), "Meet on Tuesday.")), question)
    data, plan = requests[:2]
    assert "The subjective and objective sections of the note (it writes them together). Sent" in data.prefix
    assert "The plan section of the note. Sentences" in plan.prefix
    shown = "\n".join(request.question for request in requests)
    assert shown.count(": What the client hopes to get out of therapy.") == 1
    assert shown.count("Techniques and strategies planned") == 1
    if question == "need":
        assert "another section" not in data.question
        assert "another section" in plan.question


def test_a_section_that_the_note_lacks_is_missing_and_never_looked_for_in_another() -> None:
    note = dap(((Section.PLAN,), "Meet on Tuesday."))
    requests = asked(note, "cover")
    assert [request.prefix.split(".")[0] for request in requests] == [
        "The plan section of the note",
        "The whole note",
    ]
    judge, _ = make_judge()
    absent = [item for item in judge.cover(make_case(note=note), NEVER) if item.section is Section.OBJECTIVE]
    assert absent
    assert {(item.present, item.rationale) for item in absent} == {(False, "This section is empty.")}


def test_a_note_without_headings_is_asked_for_all_of_the_checklist() -> None:
    requests = asked(dap(((Section.UNASSIGNED,), "Sleeps badly.")), "cover")
    assert "The note (it has no headings). Sentences" in requests[0].prefix
    assert "Techniques and strategies planned" in requests[0].question
    assert "another section" not in asked(dap(((Section.UNASSIGNED,), "Sleeps badly.")), "need")[0].question


@pytest.mark.parametrize("question", ["cover", "need", "likert"])
def test_no_section_is_called_by_an_article_that_does_not_fit(question: str) -> None:
    for request in asked(make_note(), question):
        assert '"objective"' not in request.prefix + request.question
        assert "'whole note'" not in request.prefix + request.question


def test_every_item_that_others_come_near_says_where_it_ends_to_model_and_people() -> None:
    rubric = load_rubric()
    bounded = {item.id for item in rubric.items if item.scope}
    assert bounded >= {
        *("subjective-chief-complaint", "subjective-symptoms", "objective-behavior", "objective-mental-status"),
        *("assessment-progress", "assessment-overall-progress", "plan-follow-up", "objective-assessment-tools"),
        *("general-safety", "general-professionalism", "plan-adjustment"),
    }
    shown = "\n".join(request.question for request in asked(make_note(), "cover"))
    assert all(item.explained in shown for item in rubric.items)


# Who speaks


def session(*speakers: tuple[str, Role]) -> Transcript:
    return Transcript(tuple(Turn(n, name, role, f"Words {n}.") for n, (name, role) in enumerate(speakers)))


@pytest.mark.parametrize(
    ("speakers", "called"),
    [
        ([("Dr. Wu", Role.THERAPIST), ("Ann", Role.CLIENT)], ["therapist", "client"]),
        ([("Ann", Role.CLIENT), ("Ben (partner)", Role.CLIENT)], ["client", "partner"]),
        ([("Ann", Role.CLIENT), ("Ben", Role.CLIENT)], ["client 1", "client 2"]),
        ([("client 1", Role.CLIENT), ("partner", Role.CLIENT)], ["client 1", "partner"]),
        ([("Client", Role.THERAPIST)], ["therapist"]),
        ([("Ann", Role.CLIENT), ("Ann", Role.THERAPIST)], ["client", "therapist"]),
    ],
)
def test_two_people_are_never_called_the_same(speakers: list[tuple[str, Role]], called: list[str]) -> None:
    transcript = session(*speakers)
    assert list(transcript.callings.values()) == called
    judge, chat = make_judge()
    list(judge.support(make_case(transcript=transcript), NEVER))
    for number, calling in enumerate(called, 1):
        assert f"{number} {calling}: Words {number - 1}." in chat.requests[0].prefix


def test_who_speaks_stays_apart_behind_masks() -> None:
    couple = session(("Ann", Role.CLIENT), ("Ben (partner)", Role.CLIENT), ("Cy", Role.CLIENT))
    prepared = PrivateJudge(make_judge()[0], IdentifierFinder()).prepared(make_case(transcript=couple))
    assert list(prepared.case.transcript.callings.values()) == list(couple.callings.values())


# What is left out


@pytest.mark.parametrize("kind", ["safety-plan", "social", "result"])
def test_safety_plans_social_facts_and_results_are_kinds_of_their_own(kind: str) -> None:
    entry = {"turn": 4, "quote": "not since the spring", "kind": kind, "severity": "high", "reason": "r"}
    found: Mapping[str, Any] = {"dangers": [], "omissions": [entry]}
    llm = LlmJudge(
        ScriptedChat(lambda request: json.dumps(found)),
        load_rubric(),
        load_prompts(resources() / "prompts"),
        FirstTurns(),
    )
    (omission,) = llm.omit(make_case(), (), NEVER)
    assert omission.kind is OmissionKind(kind)


def test_the_search_says_what_is_one_entry_and_how_grave() -> None:
    (request,) = asked(make_note(), "hear")
    for said in ("what it says wrongly", "One fact is one entry", "low (", "medium (", "high (", *OmissionKind):
        assert said in request.question
