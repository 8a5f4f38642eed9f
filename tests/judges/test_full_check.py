"""The full check: the built-in judge first, a model about everything, one verdict from both."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, replace
from pathlib import Path

import jsonschema
import pytest

from noteeval_desktop import cli
from noteeval_desktop.collected import Collected
from noteeval_desktop.domain import two_witnesses as by_two
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, RiskState, Stance
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.thresholds import Thresholds
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.two_witnesses import TrackRecord
from noteeval_desktop.domain.verdicts import (
    Attribute,
    ClaimVerdict,
    Confidence,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    ResponseVerdict,
    Severity,
    Verdict,
    differ,
)
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.evaluate import ABOUT_NOTE, Finished, Judged, Progress, evaluate, final
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.builtin.judge import BuiltinJudge
from noteeval_desktop.judges.full_check import FullCheck, _risks_by_two
from noteeval_desktop.judges.llm.cache import MemoryCache
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever, packed
from noteeval_desktop.judges.llm.verdicts import omitted
from noteeval_desktop.judges.protocol import Heard
from noteeval_desktop.paths import resources
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from tests.factories import make_case, make_note, make_transcript
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, serve
from tests.sample_evaluation import SAMPLE, sample_case, sample_rubric
from tests.scripted_local import ScriptedLocal

NEVER = threading.Event()
SCHEMA = json.loads((resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))
STRONG = TrackRecord(found=30, false=30, doubted=0, true=30)
GUESSES = TrackRecord(found=15, false=30, doubted=15, true=30)
S, C, U, O = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.OBSERVED  # noqa: E741


@pytest.fixture(scope="module")
def quick(encoder: LlamaEmbedder) -> BuiltinJudge:
    return builtin.load(encoder, sample_rubric())


def full_check(
    quick: BuiltinJudge,
    chat: ScriptedLocal,
    cache: MemoryCache | None = None,
    record: TrackRecord = STRONG,
    minutes: float | None = None,
) -> FullCheck:
    prompts = load_prompts(resources() / "prompts")
    retriever = EmbeddingRetriever(quick.embedder)
    llm = LlmJudge(chat, sample_rubric(), prompts, retriever, Manner.PUBLISHED, cache, fence="0123456789ab")
    records = dict.fromkeys(("claims", "checklist", "sentences", "omissions", "risks"), record)
    return FullCheck(quick, llm, records, minutes=minutes)


def test_the_model_is_asked_about_everything_and_both_answers_are_kept(quick: BuiltinJudge) -> None:
    chat = ScriptedLocal()
    case = sample_case()
    evaluation = final(evaluate(case, full_check(quick, chat), ABOUT_NOTE)).evaluation
    assert evaluation.complete, evaluation.problems
    assert evaluation.judge.kind == "local"
    judges = [["builtin", "local"]]
    claims = [j.claim for j in evaluation.sentences if j.claim]
    assert [[o.judge for o in claim.opinions] for claim in claims] == judges * len(case.note.sentences)
    assert all([o.judge for o in j.need.opinions] == judges[0] for j in evaluation.sentences if j.need)
    assert all([o.judge for o in item.opinions] == judges[0] for item in evaluation.checklist if item.section)
    assert all(risk.opinions for risk in evaluation.risks or ())
    assert all(o.opinions for o in (*(evaluation.omissions or ()), *evaluation.dropped))
    # It says yes to everything, and has never been wrong: nothing is left to doubt.
    assert {claim.verdict for claim in claims if not claim.set_aside} == {S}
    assert {item.present for item in evaluation.checklist if item.section} == {True}


def test_a_model_that_guesses_leaves_everything_as_it_was(quick: BuiltinJudge) -> None:
    alone = final(evaluate(sample_case(), quick, ABOUT_NOTE)).evaluation
    both = final(evaluate(sample_case(), full_check(quick, ScriptedLocal(), record=GUESSES), ABOUT_NOTE)).evaluation
    for one, two in zip(alone.sentences, both.sentences, strict=True):
        assert one.claim
        assert two.claim
        assert two.claim.probability == pytest.approx(one.claim.probability, abs=0.006)
        if one.claim.probability is not None:
            assert two.claim.verdict is one.claim.verdict


def test_the_json_holds_both_and_reads_back(quick: BuiltinJudge) -> None:
    evaluation = final(evaluate(sample_case(), full_check(quick, ScriptedLocal()))).evaluation
    data = evaluation_to_json(evaluation)
    jsonschema.validate(data, SCHEMA)
    jsonschema.validate(evaluation_to_json(evaluation, text=False), SCHEMA)
    assert {o["says"] for item in data["checklist"] for o in item["opinions"]} >= {"present", "missing"}
    again = evaluation_from_json(json.loads(json.dumps(data)))
    assert (again.sentences, again.omissions, again.dropped, again.risks, again.checklist) == (
        evaluation.sentences,
        evaluation.omissions,
        evaluation.dropped,
        evaluation.risks,
        evaluation.checklist,
    )
    assert '"quote"' not in json.dumps(evaluation_to_json(evaluation, text=False))


def test_the_quick_answers_come_first_and_the_model_s_in_the_order_of_harm(quick: BuiltinJudge) -> None:
    chat = ScriptedLocal()
    events = []
    for event in evaluate(sample_case(), full_check(quick, chat), ABOUT_NOTE):
        events.append((event, len(chat.requests)))
    first_asked = next(n for n, (_, asked) in enumerate(events) if asked)
    quick_part = {event.verdict.sentence for event, _ in events[:first_asked] if isinstance(event, Judged)
                  and isinstance(event.verdict, ClaimVerdict)}  # fmt: skip
    assert quick_part == {sentence.id for sentence in sample_case().note.sentences}
    again = [event.question.value for event, _ in events if isinstance(event, Progress) and event.again]
    assert list(dict.fromkeys(again)) == ["risks", "claims", "omissions", "checklist", "sentences"]
    claims = [e.verdict.sentence for e, asked in events if asked and isinstance(e, Judged)
              and isinstance(e.verdict, ClaimVerdict)]  # fmt: skip
    texts = {sentence.id: sentence.text for sentence in sample_case().note.sentences}
    assert "No suicidal" in texts[claims[0]]
    progress = [event for event, asked in events[first_asked:] if isinstance(event, Progress) and event.again]
    assert all(event.seconds_left is not None for event in progress if event.done and event.total)


def test_a_session_is_read_once_for_all_that_is_asked_of_it(quick: BuiltinJudge) -> None:
    chat = ScriptedLocal()
    final(evaluate(sample_case(), full_check(quick, chat), ABOUT_NOTE))
    reading = [request.prefix for request in chat.requests if "Each line begins with" in request.prefix]
    beginnings = {prefix[:4000] for prefix in reading}
    assert len(reading) == 1 + len(sample_case().note.sentences)
    assert len(beginnings) == 1


def test_a_check_that_was_stopped_goes_on_where_it_was(quick: BuiltinJudge) -> None:
    cache, cancel = MemoryCache(), threading.Event()
    chat = ScriptedLocal(most=5)
    ended: list[Finished] = []
    work = threading.Thread(
        target=lambda: ended.append(
            final(evaluate(sample_case(), full_check(quick, chat, cache), ABOUT_NOTE, cancel=cancel))
        )
    )
    work.start()
    assert chat.held.wait(60)
    cancel.set()
    work.join(60)
    assert ended[0].cancelled
    # What the built-in judge said is all there; so are the model's five answers.
    assert all(judged.claim for judged in ended[0].evaluation.sentences)
    rest = ScriptedLocal()
    whole = final(evaluate(sample_case(), full_check(quick, rest, cache), ABOUT_NOTE)).evaluation
    assert whole.complete
    alone = ScriptedLocal()
    assert final(evaluate(sample_case(), full_check(quick, alone), ABOUT_NOTE)).evaluation.sentences == whole.sentences
    assert len(rest.requests) == len(alone.requests) - 5


def test_a_model_that_does_not_answer_leaves_the_quick_check_and_is_told(quick: BuiltinJudge) -> None:
    alone = final(evaluate(sample_case(), quick, ABOUT_NOTE)).evaluation
    silent = ScriptedLocal(lambda request: "Perhaps.")
    evaluation = final(evaluate(sample_case(), full_check(quick, silent), ABOUT_NOTE)).evaluation
    assert not evaluation.complete
    assert evaluation.scores == alone.scores
    assert evaluation.omissions == alone.omissions
    assert evaluation.risks == alone.risks
    problems = " ".join(evaluation.problems)
    for question in ("claims (second look): ", "sentences (second look): ", "checklist (second look): "):
        assert question in problems
    assert "risks: the session could not be searched" in problems


def test_what_the_time_did_not_reach_is_said_and_keeps_the_quick_check(quick: BuiltinJudge) -> None:
    chat = ScriptedLocal()
    alone = final(evaluate(sample_case(), quick, ABOUT_NOTE)).evaluation
    judge = full_check(quick, chat, minutes=1e-9)
    evaluation = final(evaluate(sample_case(), judge, ABOUT_NOTE)).evaluation
    assert chat.requests == []
    assert evaluation.complete
    assert evaluation.scores == alone.scores
    assert (evaluation.risks, evaluation.omissions, evaluation.dropped) == (alone.risks, alone.omissions, ())
    said = "The time for the model was up: it was not asked about danger, statements, what is left out, checklist and "
    assert evaluation.case.note.warnings[-1] == f"{said}needed sentences."


def claim(verdict: Verdict | None, probability: float | None = None, **changes: object) -> ClaimVerdict:
    return replace(ClaimVerdict("s1", verdict, probability), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("quick_says", "model_says", "record", "stands"),
    [
        ((S, 0.8), C, STRONG, C),
        ((S, 0.8), U, GUESSES, S),
        ((U, 0.2), S, STRONG, S),
        ((U, 0.2), S, GUESSES, U),
        ((O, 0.2), S, GUESSES, O),
        ((O, 0.2), S, STRONG, S),
        ((O, 0.2), C, STRONG, C),
        ((S, 0.9), O, STRONG, O),
        ((U, 0.3), None, STRONG, U),
        ((None, None), C, STRONG, C),
    ],
)
def test_the_verdict_follows_from_the_one_probability(
    quick_says: tuple[Verdict | None, float | None], model_says: Verdict | None, record: TrackRecord, stands: Verdict
) -> None:
    both = by_two.claim_by_two(claim(*quick_says), claim(model_says), "local", record)
    assert both.verdict is stands
    assert both.probability is not None
    assert (both.verdict is S) is (both.probability >= 0.5)
    assert (both.severity is Severity.NONE) is (stands in (S, O)) or model_says is None
    assert [opinion.says for opinion in both.opinions] == [quick_says[0] or "", model_says or ""]
    assert both.rationale.startswith("Quick check: ") is differ(both.opinions)


def test_the_word_of_confidence_is_that_of_both() -> None:
    agree = by_two.claim_by_two(claim(S, 0.9), claim(S), "local", STRONG)
    differing = by_two.claim_by_two(claim(S, 0.95), claim(U), "local", by_two.UNTESTED)
    assert (agree.confidence, differing.confidence) == (Confidence.SURE, Confidence.LIKELY)
    assert by_two.claim_by_two(claim(S, 0.7, unvouched=True), claim(S), "local", STRONG).unvouched is False
    assert by_two.claim_by_two(claim(S, 0.7, unvouched=True), claim(S), "local", GUESSES).unvouched


def test_needs_and_items_are_joined_by_the_same_rule() -> None:
    needed = by_two.need_by_two(
        NeedVerdict("s1", False, 0.3, rationale="No item."), NeedVerdict("s1", True, items=("plan-follow-up",)),
        "local", STRONG,
    )  # fmt: skip
    assert (needed.needed, needed.items, needed.rationale) == (True, ("plan-follow-up",), "")
    rule = NeedVerdict("s1", True, 0.2, items=("general-safety",))
    assert by_two.need_by_two(rule, NeedVerdict("s1", False), "local", STRONG).needed is True
    # By a practice's own checklist, of which the quick check knows nothing, the model's word stands.
    quick, model = NeedVerdict("s1", False, 0.01, rationale="No item."), NeedVerdict("s1", True, items=("plan-bus",))
    assert by_two.need_by_two(quick, model, "local", GUESSES).needed is False
    assert by_two.need_by_two(quick, model, "local", GUESSES, learned=False) == model
    assert by_two.need_by_two(quick, NeedVerdict("s1", None), "local", STRONG, learned=False).needed is False
    item = ItemVerdict("plan-follow-up", Section.PLAN, Importance.MANDATORY, True, 0.7, sentences=("s3",))
    absent = replace(item, present=False, probability=None, sentences=(), rationale="This section is empty.")
    joined = by_two.item_by_two(item, absent, "local", STRONG)
    assert (joined.present, joined.sentences, joined.rationale) == (False, (), "This section is empty.")
    assert joined.probability == pytest.approx(by_two.joint(0.7, False, STRONG))
    # A practice that says yes from .8 on has .7 below one half.
    tuned = by_two.item_by_two(item, replace(item, probability=None), "local", GUESSES, Thresholds(completeness=0.8))
    assert tuned.present is False


def test_what_the_quick_check_has_not_learned_the_model_judges_alone() -> None:
    quick = ItemVerdict("plan-fee", Section.PLAN, Importance.MANDATORY, None, rationale="Not learned.", set_aside=True)
    said = ItemVerdict("plan-fee", Section.PLAN, Importance.MANDATORY, True, 0.8, sentences=("s3",))
    assert by_two.item_by_two(quick, said, "local", GUESSES) == said
    # The model, too, had no answer: that is a gap, which the quick check's silence is not.
    silent = replace(said, present=None, probability=None, sentences=())
    assert by_two.item_by_two(quick, silent, "local", STRONG).set_aside is False


def omission(turn: int, severity: Severity, kind: OmissionKind = OmissionKind.PLAN) -> Omission:
    return Omission(cite(make_transcript().turns[turn]), kind, severity, rationale=f"turn {turn}")


def test_what_both_or_the_model_names_comes_before_what_the_quick_check_alone_does() -> None:
    high, medium, low = Severity.HIGH, Severity.MEDIUM, Severity.LOW
    quick = [omission(0, medium), omission(2, low), omission(5, low, OmissionKind.RISK)]
    model = [omission(1, medium, OmissionKind.MEDICATION)]
    found = by_two.omissions_by_two(quick, model, "local", STRONG)
    assert [(o.citation.turn, o.kind.value) for o in found] == [(1, "medication"), (2, "plan"), (5, "risk")]
    assert [o.citation.turn for o in found if by_two.dropped(o)] == [2]
    assert all(len(o.opinions) == 2 for o in found)
    (alone,) = by_two.omissions_by_two([], [omission(4, high)], "local", STRONG)
    assert [o.says for o in alone.opinions] == ["not left out", "left out"]


def test_an_omission_is_joined_with_the_nearest_passage_and_shows_what_its_reason_speaks_of() -> None:
    quick = [omission(1, Severity.LOW), omission(2, Severity.LOW), omission(4, Severity.LOW, OmissionKind.RISK)]
    model = [omission(2, Severity.HIGH), omission(5, Severity.HIGH)]
    found = {one.rationale: one for one in by_two.omissions_by_two(quick, model, "local", STRONG)}
    assert [(why, o.citation.turn, o.kind.value) for why, o in found.items()] == [
        ("turn 2", 2, "plan"), ("turn 5", 4, "risk"), ("turn 1", 1, "plan"),
    ]  # fmt: skip
    # By its turn the ledger knows a danger, whatever the model calls it.
    assert [o.says for o in found["turn 5"].opinions] == ["left out", "left out"]


def test_what_both_name_takes_the_place_of_what_the_quick_check_named() -> None:
    quick, collected = [omission(2, Severity.LOW), omission(5, Severity.LOW)], Collected()
    for one in (*quick, *by_two.omissions_by_two(quick, [omission(3, Severity.HIGH)], "local", STRONG)):
        collected.add(one)
    assert sorted(one.citation.turn for one in collected.omissions or ()) == [3, 5]


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ([(4, "plan", "low"), (5, "plan", "high")], [((4, 5), "high")]),
        ([(4, "plan", "high"), (5, "symptom", "low")], [((4,), "high"), ((5,), "low")]),
        ([(2, "plan", "low"), (5, "plan", "low"), (3, "plan", "low")], [((2, 3), "low"), ((5,), "low")]),
    ],
)
def test_what_a_model_lists_of_one_kind_at_one_place_is_left_out_once(
    entries: list[tuple[int, str, str]], told: list[tuple[tuple[int, ...], str]]
) -> None:
    turns = make_transcript().turns
    listed = [
        {"turn": t, "quote": turns[t].text, "kind": kind, "severity": severity, "reason": f"Reason {t}."}
        for t, kind, severity in entries
    ]
    # In two stretches, of which the second begins with the last turn of the first.
    found = omitted([{"omissions": listed[:1]}, {"omissions": listed[1:]}], make_transcript())
    assert [(tuple(c.turn for c in one.citations), one.severity.value) for one in found] == told
    assert [one.rationale for one in found] == [" ".join(f"Reason {t}." for t in turns) for turns, _ in told]


def test_a_danger_is_never_taken_away_and_one_that_only_the_model_heard_is_listed_and_ticked_by_nothing() -> None:
    case = make_case(
        transcript=make_transcript((
            ("therapist", "How are the nights?"), ("client", "I have thought of ending it."),
            ("therapist", "And at home?"), ("client", "He locks me in on Fridays."),
        )),
        note=make_note({Section.SUBJECTIVE: ["Client talked about home.", "Partner is controlling."]}),
    )  # fmt: skip
    turns = case.transcript.turns
    quick = [RiskFinding((1,), cite(turns[1]), RiskKind.SUICIDE, Stance.CURRENT, by_meaning=True)]
    heard = [
        Heard(cite(turns[1]), RiskKind.SUICIDE, Stance.CURRENT, ("s1",)),
        Heard(cite(turns[3]), RiskKind.COERCIVE_CONTROL, Stance.CURRENT, ("s1",)),
    ]
    both = list(_risks_by_two(case, quick, heard, "local", STRONG, NEVER))
    assert [(r.kind, r.likely, r.state) for r in both[:1]] == [(RiskKind.SUICIDE, True, RiskState.NEAR)]
    assert (both[1].kind, both[1].likely, both[1].near) == (RiskKind.COERCIVE_CONTROL, True, ("s1",))
    assert [o.says for o in both[1].opinions] == ["not heard", "heard"]
    (kept,) = _risks_by_two(case, quick, [], "local", STRONG, NEVER)
    assert (kept.likely, kept.state, [o.says for o in kept.opinions]) == (False, RiskState.OPEN, ["heard", "not heard"])
    (grey,) = _risks_by_two(case, [], heard[1:], "local", GUESSES, NEVER)
    assert not grey.likely


def test_an_unsafe_answer_is_no_safer_because_a_model_says_so() -> None:
    def scored(safety: int, crisis: bool) -> ResponseVerdict:
        return ResponseVerdict(3, tuple((a, safety if a is Attribute.SAFETY else 4) for a in Attribute), crisis)

    assert by_two.response_by_two(scored(1, True), scored(5, False)).score(Attribute.SAFETY) == 1
    assert by_two.response_by_two(scored(4, True), scored(2, True)).score(Attribute.SAFETY) == 2
    assert by_two.response_by_two(scored(3, False), scored(5, False)).score(Attribute.SAFETY) == 5
    assert by_two.response_by_two(None, scored(5, False)) == scored(5, False)


def test_questions_share_stretches_that_fit_the_room() -> None:
    sizes = [10] * 40
    chosen = [(0, 1, 2), (30, 31), (1, 2, 3), (20, 21, 22, 23), (31, 32)]
    stretches = packed(chosen, sizes, 70)
    assert sorted(place for members, _ in stretches for place in members) == [0, 1, 2, 3, 4]
    for members, turns in stretches:
        assert sum(sizes[turn] for turn in turns) <= 70
        assert all(set(chosen[place]) <= set(turns) for place in members)
    assert len(stretches) == 2
    assert packed([tuple(range(20))], [10] * 20, 50)[0][1] == list(range(5))


@dataclass
class Windows:
    """Each text is near some turns of its own; the last near the longest."""

    def closest(self, transcript, texts, count):
        near = [tuple(range(17 * n, 17 * n + 14)) for n in range(len(texts))]
        return [*near[:-1], (349, 350, 351)]


def test_a_session_of_three_hours_is_judged_within_a_context_of_8192() -> None:
    """With one turn that would fill the context by itself; a token is three and a half characters at the least."""
    words = "I kept thinking about the garden and the letter from work all through that long week. "
    talk = [(("therapist", "client")[n % 2], words * (1 + n % 4) + str(n)) for n in range(700)]
    talk[350] = ("client", words * 600)
    section = make_note().sentences[0].section
    note = make_note({section: [f"Client thought about letter {n} in the garden." for n in range(40)]})
    case = make_case(transcript=make_transcript(tuple(talk)), note=note)
    assert sum(len(turn.text.split()) for turn in case.transcript.turns) > 27_000
    chat = ScriptedLocal()
    llm = LlmJudge(chat, sample_rubric(), load_prompts(resources() / "prompts"), Windows(), Manner.PUBLISHED)
    verdicts = list(llm.support(case, NEVER))
    assert len(verdicts) == 40
    sizes = [len(r.system + r.prefix + r.question) / 3.5 + r.max_tokens for r in chat.requests]
    assert max(sizes) < 8_192
    whole = sum(len(turn.text) for turn in case.transcript.turns)
    assert max(len(request.prefix) for request in chat.requests) < whole / 5


def test_the_command_asks_the_remote_model_as_it_previews_and_no_more_than_the_model_alone(
    lent_encoder: None, tmp_path: Path
) -> None:
    def behave(body: dict[str, object], _number: int) -> Behaviour:
        return Behaviour(sound_for_any(as_request(body)) if "response_format" in body else "Yes")

    session = ["evaluate", "--transcript", str(SAMPLE / "transcript.vtt"), "--note", str(SAMPLE / "note.md")]
    shown, out, everything = tmp_path / "shown.jsonl", tmp_path / "o.json", tmp_path / "all.json"
    with serve(behave) as endpoint:
        remote = ["--judge", "remote", "--base-url", endpoint.url, "--model", "m", "--consent"]
        assert cli.main([*session, *remote, "--quick-first", "--preview", str(shown)]) == 0
        assert endpoint.raw == []
        assert cli.main([*session, *remote, "--quick-first", "--price", "2,10", "--json", str(out)]) == 0
        sent = list(endpoint.raw)
        cli.main([*session, *remote, "--json", str(everything)])
        whole = endpoint.raw[len(sent) :]
    data = json.loads(out.read_text("utf-8"))
    jsonschema.validate(data, SCHEMA)
    assert data["usage"]["cost"] > 0
    assert data["judge"]["kind"] == "remote"
    assert all(sentence["opinions"] for sentence in data["sentences"])
    # Fences are made anew for each run.
    assert len(shown.read_bytes().splitlines()) == len(sent) == len(whole)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--quick-first"], "Add --judge local or --judge remote"),
        (["--minutes", "5"], "Add --judge local --quick-first"),
        (["--minutes", "soon"], "soon is not a number of minutes"),
        (["--price", "1,2"], "--price: works with a remote judge only"),
        (["--rpm", "9"], "--rpm: works with a remote judge only"),
        (["--base-url", "http://127.0.0.1:9"], "--base-url: works with a remote judge only"),
        (["--model", "m.gguf"], "--model: names a language model"),
        (["--price", "cheap"], "cheap is not a price"),
    ],
)
def test_options_that_say_nothing_are_refused(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session = ["evaluate", "--transcript", str(SAMPLE / "transcript.vtt"), "--note", str(SAMPLE / "note.md")]
    assert cli.main([*session, *options]) == 2
    assert said in capsys.readouterr().err


def test_claims_have_a_session_of_half_an_hour_whole_and_the_search_in_two_stretches() -> None:
    words = "I kept thinking about the garden and the letter from work all through that long week. "
    talk = [(("therapist", "client")[n % 2], words + str(n)) for n in range(190)]
    chat = ScriptedLocal()
    llm = LlmJudge(chat, sample_rubric(), load_prompts(resources() / "prompts"), Windows(), Manner.PUBLISHED)
    case = make_case(transcript=make_transcript(tuple(talk)))
    assert all(claim.verdict for claim in llm.support(case, NEVER))
    assert {all(f"week. {n}" in request.prefix for n in range(190)) for request in chat.requests} == {True}
    chat.requests.clear()
    list(llm.hear(case, NEVER))
    assert len(chat.requests) == 2
