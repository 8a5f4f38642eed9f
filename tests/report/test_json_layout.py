from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from noteeval_desktop import paths
from noteeval_desktop.documents import parse_plan
from noteeval_desktop.domain.behaviours import Behaviour, MiCounts
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.plan import PlanLink, Thread
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import Attribute, ClaimVerdict, Evidence, Verdict, WrongWords
from noteeval_desktop.errors import InputError
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.report.files import dump_json
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from tests.factories import make_case, make_transcript
from tests.sample_evaluation import sample_case, sample_evaluation, sample_judge


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    schema = json.loads((paths.resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def _written(evaluation: Evaluation, *, text: bool = True) -> dict[str, Any]:
    return json.loads(dump_json(evaluation_to_json(evaluation, text=text)))


def _unjudged() -> Evaluation:
    judge = replace(sample_judge(sample_case()), failure="no answer")
    return final(evaluate(make_case(), judge)).evaluation


def _astral() -> Evaluation:
    turns = (("therapist", "How was it? 🙂"), ("client", "Καλά — 東京 was 😀 fine."))
    return replace(sample_evaluation(), case=make_case(transcript=make_transcript(turns)), omissions=(), responses=())


def _counted() -> Evaluation:
    counts = ((Behaviour.OPEN_QUESTION, 2), (Behaviour.SIMPLE_REFLECTION, 3))
    turns = ((0, (Behaviour.OPEN_QUESTION, Behaviour.SIMPLE_REFLECTION)), (2, ()))
    return replace(sample_evaluation(), behaviours=MiCounts(counts, 0.4, turns))


def test_what_the_therapist_does_and_likely_dangers_come_back_from_json() -> None:
    before = _counted()
    before = replace(before, risks=tuple(replace(risk, by_meaning=True, likely=True) for risk in before.risks or ()))
    after = evaluation_from_json(_written(before))
    assert before.risks
    assert (after.behaviours, after.risks) == (before.behaviours, before.risks)


def _evaded() -> Evaluation:
    """By a model that said yes or no with a probability of a third."""
    before = sample_evaluation()
    items = tuple(replace(item, present=None, probability=None, mass=1 / 3) for item in before.checklist)
    judged = tuple(
        one if one.need is None else replace(one, need=replace(one.need, needed=None, probability=None, mass=1 / 3))
        for one in before.sentences
    )
    return replace(before, checklist=items, sentences=judged)


def test_how_far_a_model_said_yes_or_no_at_all_is_in_the_file_and_comes_back(validator: Any) -> None:
    before = _evaded()
    written = _written(before)
    assert [error.message for error in validator.iter_errors(written)] == []
    assert {item["mass"] for item in written["checklist"]} == {1 / 3}
    assert 1 / 3 in {sentence["mass_needed"] for sentence in written["sentences"]}
    after = evaluation_from_json(written)
    assert (after.checklist, after.sentences) == (before.checklist, before.sentences)


@pytest.mark.parametrize("text", [True, False])
@pytest.mark.parametrize("make", [sample_evaluation, _unjudged, _astral, _counted])
def test_what_is_written_fits_the_schema(make: Any, text: bool, validator: Any) -> None:
    assert [error.message for error in validator.iter_errors(_written(make(), text=text))] == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("sentences", 0, "verdict"), "Supported"),
        (("sentences", 0, "start"), -1),
        (("checklist", 0, "probability"), 1.2),
        (("responses", 0, "scores", "safety"), 6),
        (("omissions", 0, "kind"), "other"),
        (("schema",), "noteeval.evaluation/2"),
    ],
)
def test_the_schema_refuses_what_the_contract_does_not_know(path: Any, value: Any, validator: Any) -> None:
    data = _written(sample_evaluation())
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert not validator.is_valid(data)


def test_an_evaluation_comes_back_from_its_json() -> None:
    evaluation = sample_evaluation()
    back = evaluation_from_json(_written(evaluation))
    rounded = replace(evaluation, usage=replace(evaluation.usage, seconds=back.usage.seconds))
    assert back == rounded


def _named() -> Evaluation:
    """A sentence with words that are wrong, one by one; a conclusion; and one half of which was only seen."""
    evaluation = sample_evaluation()
    turn = evaluation.case.transcript.turns[1]
    first, second, third, *rest = evaluation.sentences
    said = cite(turn, Span(0, 5))
    words = first.sentence.text
    wrong = (
        WrongWords(Span(0, 6), words[:6], said, said.quote),
        WrongWords(Span(len(words) - 4, len(words)), words[-4:], None),
    )
    claims = (
        ClaimVerdict(first.sentence.id, Verdict.CONTRADICTED, citations=(said,), wrong=wrong),
        ClaimVerdict(second.sentence.id, Verdict.SUPPORTED, citations=(said,), inferred=True),
        ClaimVerdict(third.sentence.id, Verdict.OBSERVED, seen=Span(0, 4)),
    )
    judged = [replace(one, claim=claim) for one, claim in zip((first, second, third), claims, strict=True)]
    return replace(evaluation, sentences=(*judged, *rest))


def test_wrong_words_stand_in_the_note_beside_what_the_session_says(validator: Any) -> None:
    evaluation = _named()
    claim = evaluation.sentences[0].claim
    assert claim is not None
    said = claim.citations[0]
    data, text = _written(evaluation), evaluation.case.note.text
    assert list(validator.iter_errors(data)) == []
    first, second, third = data["sentences"][:3]
    assert [text[one["start"] : one["end"]] for one in first["wrong"]] == [one["words"] for one in first["wrong"]]
    assert [one["instead"] for one in first["wrong"]] == [said.quote, ""]
    assert [one and (one["turn"], one["quote"]) for one in first["session_says"]] == [(1, said.quote), None]
    assert (second["verdict"], second["inferred"]) == ("supported", True)
    assert text[third["seen"]["start"] : third["seen"]["end"]] == third["text"][:4]
    assert evaluation_from_json(data).sentences == evaluation.sentences
    bare = _written(evaluation, text=False)
    assert list(validator.iter_errors(bare)) == []
    assert {"words", "instead", "quote"}.isdisjoint(
        {*bare["sentences"][0]["wrong"][0], *bare["sentences"][0]["session_says"][0]}
    )
    data["sentences"][0]["wrong"][0]["end"] = len(text)
    with pytest.raises(InputError):
        evaluation_from_json(data)


def test_offsets_quote_exactly() -> None:
    data = _written(sample_evaluation())
    note, turns = data["case"]["note_text"], data["case"]["turns"]
    for sentence in data["sentences"]:
        assert note[sentence["start"] : sentence["end"]] == sentence["text"]
    places = [c for s in data["sentences"] for c in s["citations"]] + data["omissions"]
    assert places
    for place in places:
        assert turns[place["turn"]]["text"][place["start"] : place["end"]] == place["quote"]


def test_not_judged_is_null_and_counts_in_no_score() -> None:
    data = _written(_unjudged())
    assert data["complete"] is False
    assert {sentence["verdict"] for sentence in data["sentences"]} == {None}
    assert data["scores"]["faithfulness"]["note"] is None
    assert data["omissions"] is None
    assert data["responses"] is None


def test_observed_claims_lower_only_the_published_definition() -> None:
    evaluation = sample_evaluation()
    score = _written(evaluation)["scores"]["faithfulness"]
    judged = [s.claim.verdict for s in evaluation.sentences if s.claim]
    assert score["note"] == judged.count(Verdict.SUPPORTED) / (len(judged) - judged.count(Verdict.OBSERVED))
    assert score["published_definition"] == judged.count(Verdict.SUPPORTED) / len(judged)


def test_without_text_no_words_of_the_case_remain() -> None:
    evaluation = sample_evaluation()
    written = dump_json(evaluation_to_json(evaluation, text=False))
    words = [turn.text for turn in evaluation.case.transcript.turns if len(turn.text) > 20]
    words += [sentence.text for sentence in evaluation.case.note.sentences]
    words += list(evaluation.case.transcript.speakers)
    words += [s.claim.rationale for s in evaluation.sentences if s.claim and s.claim.rationale]
    assert [text for text in words if text in written] == []


def test_without_text_no_reason_remains_for_they_restate_the_case() -> None:
    evaluation, said = sample_evaluation(), "He said that 🌙"
    evidence = Evidence(Attribute.EMPATHY, Span(0, 4), said, said)
    evaluation = replace(
        evaluation,
        checklist=tuple(replace(item, rationale=said) for item in evaluation.checklist),
        sentences=tuple(
            replace(one, need=one.need and replace(one.need, rationale=said)) for one in evaluation.sentences
        ),
        omissions=tuple(replace(one, rationale=said) for one in evaluation.omissions or ()),
        responses=tuple(
            replace(one, evidence=(evidence,), recommendations=(said,)) for one in evaluation.responses or ()
        ),
    )
    assert said in dump_json(evaluation_to_json(evaluation))
    assert said not in dump_json(evaluation_to_json(evaluation, text=False))


def _damaged(change: str) -> dict[str, Any]:
    data = copy.deepcopy(_written(sample_evaluation()))
    match change:
        case "schema":
            data["schema"] = "other"
        case "texts":
            del data["case"]["note_text"]
        case "span":
            data["sentences"][0]["end"] += 1
        case "member":
            del data["checklist"]
        case "verdict":
            data["sentences"][0]["verdict"] = "perhaps"
        case "type":
            data["checklist"][0]["sentences"] = "s1"
        case "depth":
            for _ in range(5_000):
                data["usage"] = {"calls": data["usage"]}
        case "quoted turn":
            next(one for one in data["sentences"] if one["citations"])["citations"][0]["turn"] = 999
        case "danger's turn":
            data["risks"][0]["turns"] = [999]
        case "checklist":
            data["rubric"] = {"name": 1, "version": "1", "items": []}
        case "item of another checklist":
            data["rubric"] = {"name": "A", "version": "1", "items": []}
    return data


@pytest.mark.parametrize(
    "change",
    [
        *("schema", "texts", "span", "member", "verdict", "type", "depth"),
        *("quoted turn", "danger's turn", "checklist", "item of another checklist"),
    ],
)
def test_a_damaged_file_is_refused(change: str) -> None:
    with pytest.raises(InputError):
        evaluation_from_json(_damaged(change))


@pytest.mark.parametrize(
    ("part", "name", "value"),
    [
        ("session", "turn", 999),
        ("session", "turn", "first"),
        ("note", "line", "g9"),
        ("note", "probability", "likely"),
        ("lines", "end", 5_000),
        ("lines", "text", 5),
    ],
)
def test_a_plan_that_is_damaged_is_refused(part: str, name: str, value: object) -> None:
    """It is read before anything is shown: later there is nobody to tell."""
    plan, evaluation = parse_plan("Goal 1: Sleep six hours."), sample_evaluation()
    first = evaluation.case.note.sentences[0].id
    data = _written(replace(evaluation, thread=Thread(plan, (PlanLink(first, "g1"),), (PlanLink("0", "g1"),), True)))
    assert evaluation_from_json(data).thread == Thread(plan, (PlanLink(first, "g1"),), (PlanLink("0", "g1"),), True)
    data["treatment_plan"][part][0][name] = value
    with pytest.raises(InputError, match="is damaged"):
        evaluation_from_json(data)


def test_half_a_surrogate_pair_is_written_as_an_escape() -> None:
    assert json.loads(dump_json({"text": "a\ud83d"}).encode("utf-8")) == {"text": "a\ud83d"}
