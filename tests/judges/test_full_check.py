"""The built-in judge first, a model on what it does not vouch for: what is asked, and what becomes of both answers."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from noteeval_desktop import cli
from noteeval_desktop.domain import second_look as by_two
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    Confidence,
    NeedVerdict,
    Omission,
    OmissionKind,
    Opinion,
    Severity,
    Verdict,
    differ,
)
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.evaluate import Finished, Judged, Progress, evaluate, final
from noteeval_desktop.judges import builtin
from noteeval_desktop.judges.builtin.judge import BuiltinJudge
from noteeval_desktop.judges.builtin.support.vouching import grave
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.cache import MemoryCache
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import EmbeddingRetriever, WholeSession, packed
from noteeval_desktop.judges.llm.second_look import SecondLook
from noteeval_desktop.judges.protocol import Doubt
from noteeval_desktop.paths import resources
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from tests.factories import make_case, make_note, make_transcript
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, serve
from tests.sample_evaluation import SAMPLE, sample_case, sample_rubric
from tests.scripted_local import ScriptedLocal, agreeable

NEVER = threading.Event()
SCHEMA = json.loads((resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def quick(encoder: LlamaEmbedder) -> BuiltinJudge:
    return builtin.load(encoder, sample_rubric())


def full_check(quick: BuiltinJudge, chat: ScriptedLocal, cache: MemoryCache | None = None) -> FullCheck:
    prompts = load_prompts(resources() / "prompts")
    retriever = EmbeddingRetriever(quick._embedder)
    llm = LlmJudge(chat, sample_rubric(), prompts, retriever, Manner.PUBLISHED, cache, fence="0123456789ab")
    return FullCheck(quick, llm, SecondLook(llm))


def answering(**by_question: str) -> ScriptedLocal:
    """Yes to everything but to the questions that hold these words."""

    def answer(request: Request) -> str:
        named = {"danger": "Does the note tell of it", "left_out": "needed and left out", "need": "at least one entry"}
        return next((by_question[n] for n, w in named.items() if w in request.question and n in by_question), "") or (
            agreeable(request)
        )

    return ScriptedLocal(answer)


def test_only_what_is_in_doubt_is_asked_and_both_answers_are_kept(quick: BuiltinJudge) -> None:
    chat = answering(danger="Yes", left_out="No", need="Yes")
    alone = final(evaluate(sample_case(), quick)).evaluation
    evaluation = final(evaluate(sample_case(), full_check(quick, chat))).evaluation
    assert evaluation.complete, evaluation.problems
    assert evaluation.judge.kind == "local"
    assert evaluation.checklist == alone.checklist
    assert evaluation.responses == alone.responses
    asked = [judged for judged in evaluation.sentences if judged.claim and judged.claim.opinions]
    vouched = [judged for judged in evaluation.sentences if judged.claim and not judged.claim.opinions]
    lexicon = quick._lexicon
    assert asked
    for judged in vouched:
        assert judged.claim is not None
        assert judged.claim.set_aside or judged.claim.verdict is Verdict.SUPPORTED
        assert judged.claim.set_aside or not grave(judged.sentence, lexicon)
    unneeded = [judged.need for judged in evaluation.sentences if judged.need and judged.need.needed is False]
    assert unneeded
    assert all(need.set_aside or differ(need.opinions) for need in unneeded)
    risks = [risk for risk in evaluation.risks or () if risk.pressing]
    assert risks == [risk for risk in evaluation.risks or () if risk.opinions]
    assert [risk.pressing for risk in evaluation.risks or ()] == [risk.pressing for risk in alone.risks or ()]
    assert alone.omissions
    assert {o.citation for o in evaluation.dropped} == {
        o.citation for o in alone.omissions if o.kind is not OmissionKind.RISK
    }
    assert {o.kind for o in evaluation.omissions or ()} <= {OmissionKind.RISK}


def test_a_claim_on_which_the_two_differ_is_open_and_says_so(quick: BuiltinJudge) -> None:
    alone = final(evaluate(sample_case(), quick)).evaluation
    evaluation = final(evaluate(sample_case(), full_check(quick, answering()))).evaluation
    before = {judged.sentence.id: judged.claim for judged in alone.sentences}
    differing = [j.claim for j in evaluation.sentences if j.claim and differ(j.claim.opinions)]
    assert differing
    for claim in differing:
        first = before[claim.sentence]
        assert first is not None
        # The model says "supported" to all; the quick check had found something.
        assert claim.verdict is first.verdict is not Verdict.SUPPORTED
        assert claim.confidence is Confidence.UNSURE
        assert claim.rationale.startswith("The two checks differ. Quick check: ")
        assert {opinion.judge for opinion in claim.opinions} == {"builtin", "local"}
        assert claim.opinions[1].citations


def test_the_json_holds_both_and_reads_back(quick: BuiltinJudge) -> None:
    evaluation = final(evaluate(sample_case(), full_check(quick, answering(left_out="No")))).evaluation
    data = evaluation_to_json(evaluation)
    jsonschema.validate(data, SCHEMA)
    jsonschema.validate(evaluation_to_json(evaluation, text=False), SCHEMA)
    again = evaluation_from_json(json.loads(json.dumps(data)))
    assert (again.sentences, again.omissions, again.dropped, again.risks) == (
        evaluation.sentences,
        evaluation.omissions,
        evaluation.dropped,
        evaluation.risks,
    )
    assert '"quote"' not in json.dumps(evaluation_to_json(evaluation, text=False))


def test_the_quick_answers_come_first_and_the_model_s_as_they_are_given(quick: BuiltinJudge) -> None:
    chat = ScriptedLocal()
    events = []
    for event in evaluate(sample_case(), full_check(quick, chat)):
        events.append((event, len(chat.requests)))
    first_asked = next(n for n, (_, asked) in enumerate(events) if asked)
    quick_part = {event.verdict.sentence for event, _ in events[:first_asked] if isinstance(event, Judged)
                  and isinstance(event.verdict, ClaimVerdict)}  # fmt: skip
    assert quick_part == {sentence.id for sentence in sample_case().note.sentences}
    counts = [asked for event, asked in events[first_asked:] if isinstance(event, Judged)]
    assert counts == sorted(counts)
    assert len(set(counts)) == len(counts)  # each is shown before the next is asked
    progress = [event for event, asked in events[first_asked:] if isinstance(event, Progress) and event.done]
    assert all(event.seconds_left is not None for event in progress)


def test_a_check_that_was_stopped_goes_on_where_it_was(quick: BuiltinJudge) -> None:
    cache, cancel = MemoryCache(), threading.Event()
    chat = ScriptedLocal(most=5)
    ended: list[Finished] = []
    work = threading.Thread(
        target=lambda: ended.append(final(evaluate(sample_case(), full_check(quick, chat, cache), cancel=cancel)))
    )
    work.start()
    assert chat.held.wait(60)
    began = time.monotonic()
    cancel.set()
    work.join(10)
    assert time.monotonic() - began < 1
    assert ended[0].cancelled
    # What the built-in judge said is all there; so are the model's five answers.
    assert all(judged.claim for judged in ended[0].evaluation.sentences)
    rest = ScriptedLocal()
    whole = final(evaluate(sample_case(), full_check(quick, rest, cache))).evaluation
    assert whole.complete
    alone = ScriptedLocal()
    assert final(evaluate(sample_case(), full_check(quick, alone))).evaluation.sentences == whole.sentences
    assert len(rest.requests) == len(alone.requests) - 5


def test_a_model_that_does_not_answer_leaves_the_quick_check_and_is_told(quick: BuiltinJudge) -> None:
    alone = final(evaluate(sample_case(), quick)).evaluation
    evaluation = final(evaluate(sample_case(), full_check(quick, ScriptedLocal(lambda request: "Perhaps.")))).evaluation
    assert not evaluation.complete
    assert evaluation.scores == alone.scores
    assert evaluation.omissions == tuple(
        replace(one, opinions=two.opinions)
        for one, two in zip(alone.omissions or (), evaluation.omissions or (), strict=True)
    )
    assert any(problem.startswith("claims (second look): ") for problem in evaluation.problems)
    assert any("sentences (second look)" in problem for problem in evaluation.problems)


def test_what_stands_word_for_word_and_is_harmless_is_not_asked(quick: BuiltinJudge) -> None:
    case = make_case(
        transcript=make_transcript(
            (
                ("therapist", "What has the garden been like for you this month?"),
                ("client", "I planted tomatoes in the garden and watched birds every morning before work."),
                ("therapist", "And the tablets?"),
                ("client", "I take sertraline in the morning. My sister never drinks wine at home."),
            )
        )
    )
    plain = "Client planted tomatoes in the garden and watched birds every morning before work."
    graver = ["Client takes sertraline in the morning.", "Client's sister drinks wine at home."]
    section = next(iter(make_note().sentences)).section
    case = replace(case, note=make_note({section: [plain, *graver]}))
    claims = tuple(ClaimVerdict(s.id, Verdict.SUPPORTED, 0.95, Confidence.SURE) for s in case.note.sentences)
    doubts = {doubt.sentence: doubt.turns for doubt in quick.doubts(case, claims, NEVER)}
    assert list(doubts) == ["s2", "s3"]
    assert 3 in doubts["s2"]
    unsure = tuple(replace(claim, confidence=Confidence.UNSURE) for claim in claims)
    assert len(list(quick.doubts(case, unsure, NEVER))) == 3


GRAVE = {
    "Client denies suicidal ideation.": True,
    "Sertraline was raised to 100 mg.": True,
    "They will meet again on Tuesday.": True,
    "Client's mother drinks every night.": True,
    "Therapist explained the breathing exercise.": True,
    "Client has pain in the left shoulder.": True,
    "Client sleeps badly.": False,
    "Client left early and felt all right.": False,
}


@pytest.mark.parametrize("text", GRAVE)
def test_what_a_word_decides_is_always_asked(quick: BuiltinJudge, text: str) -> None:
    section = make_note().sentences[0].section
    assert grave(make_note({section: [text]}).sentences[0], quick._lexicon) is GRAVE[text]


def claim(verdict: Verdict | None, **changes: object) -> ClaimVerdict:
    return replace(ClaimVerdict("s1", verdict), **changes)  # type: ignore[arg-type]


S, C, U, O = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.OBSERVED  # noqa: E741


@pytest.mark.parametrize(
    ("quick_says", "model_says", "stands"),
    [(S, C, C), (C, S, C), (U, S, U), (S, U, U), (O, S, O), (O, U, U), (S, S, S), (U, None, U), (None, C, C)],
)
def test_the_graver_of_two_verdicts_stands(
    quick_says: Verdict | None, model_says: Verdict | None, stands: Verdict
) -> None:
    both = by_two.claim_by_two(claim(quick_says, probability=None), claim(model_says), "local")
    assert both.verdict is stands
    assert [opinion.says for opinion in both.opinions] == [quick_says or "", model_says or ""]
    differing = quick_says is not None and model_says is not None and quick_says is not model_says
    assert differ(both.opinions) is differing
    assert both.rationale.startswith("The two checks differ.") is differing


def test_a_model_takes_no_danger_away_and_drops_no_risk() -> None:
    turn = make_transcript().turns[3]
    no = Opinion("local", "not left out", 0.01, 0.99)
    danger = by_two.omission_by_two(Omission(cite(turn), OmissionKind.RISK, Severity.HIGH), no)
    small = by_two.omission_by_two(Omission(cite(turn), OmissionKind.PLAN, Severity.LOW), no)
    assert not by_two.dropped(danger)
    assert by_two.dropped(small)
    risk = RiskFinding((3,), cite(turn), RiskKind.SUICIDE, Stance.CURRENT)
    assert by_two.risk_by_two(risk, Opinion("local", "addressed", 0.99, 0.99)).pressing
    need = by_two.need_by_two(NeedVerdict("s1", False), NeedVerdict("s1", True, 0.9, mass=0.99), "local")
    assert need.needed is False
    assert need.rationale.startswith("The two checks differ.")


def test_what_the_model_is_surest_of_stands_first_within_a_severity() -> None:
    def one(turn: int, severity: Severity, chance: float) -> Omission:
        omission = Omission(cite(make_transcript().turns[turn]), OmissionKind.PLAN, severity)
        return by_two.omission_by_two(omission, Opinion("local", "left out", chance, 1.0))

    few = [one(0, Severity.HIGH, 0.6), one(1, Severity.LOW, 0.7), one(2, Severity.LOW, 0.9)]
    assert [o.citation.turn for o in by_two.likeliest_first(few)] == [0, 2, 1]


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
    llm = LlmJudge(chat, sample_rubric(), load_prompts(resources() / "prompts"), WholeSession(), Manner.PUBLISHED)
    doubts = [Doubt(s.id, tuple(range(17 * n, 17 * n + 14))) for n, s in enumerate(note.sentences)]
    verdicts = list(SecondLook(llm).claims(case, [*doubts[:-1], Doubt("s40", (349, 350, 351))], NEVER))
    assert len(verdicts) == 40
    sizes = [len(r.system + r.prefix + r.question) / 3.5 + r.max_tokens for r in chat.requests]
    assert max(sizes) < 8_192
    whole = sum(len(turn.text) for turn in case.transcript.turns)
    assert max(len(request.prefix) for request in chat.requests) < whole / 5


def test_the_command_asks_the_remote_model_only_what_is_in_doubt_and_previews_it(
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
    assert b"Moreno" not in b"".join(sent)
    assert data["usage"]["cost"] > 0
    assert data["judge"]["kind"] == "remote"
    assert any(sentence["opinions"] for sentence in data["sentences"])
    # Fences are made anew for each run.
    assert len(shown.read_bytes().splitlines()) == len(sent)
    assert sum(map(len, sent)) < sum(map(len, whole)) / 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--quick-first"], "Add --judge local or --judge remote"),
        (["--price", "1,2"], "--price: works with a remote judge only"),
        (["--price", "cheap"], "cheap is not a price"),
    ],
)
def test_options_that_say_nothing_are_refused(
    options: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    session = ["evaluate", "--transcript", str(SAMPLE / "transcript.vtt"), "--note", str(SAMPLE / "note.md")]
    assert cli.main([*session, *options]) == 2
    assert said in capsys.readouterr().err
