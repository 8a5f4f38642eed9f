"""Before a model's verdicts are believed: the entrance test, what it lets in, and what it remembers."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, cite
from noteeval_desktop.domain.two_witnesses import TrackRecord
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Severity,
    Verdict,
)
from noteeval_desktop.engines.local_llm.speed import Speed, guessed
from noteeval_desktop.engines.manifest import read_manifest
from noteeval_desktop.errors import Cancelled, JudgeError, ModelError
from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm import entrance as entrance_module
from noteeval_desktop.judges.llm.cache import NoCache
from noteeval_desktop.judges.llm.entrance import KINDS, Result
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.known_models import KnownModels, Served
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.llm.retrieval import WholeSession
from noteeval_desktop.judges.protocol import Heard
from tests.gguf_factory import make_biased_model, make_chat_model
from tests.llm_answers import as_request, sound_for_any
from tests.openai_server import Behaviour, serve
from tests.scripted_chat import ScriptedChat
from tests.scripted_local import ScriptedLocal, agreeable, speak_for_local_models

GO = threading.Event()
TEST = making.entrance()
PERFECT = Result(dict.fromkeys(KINDS, (12, 12)))


@dataclass
class KnowsAll:
    """Answers every question as expected, but for those about the kinds that it is ``blind`` to."""

    data: dict[str, Any]
    blind: tuple[str, ...] = ()

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        for item, entry in zip(TEST.rubric.items, self.data["items"], strict=True):
            yield ItemVerdict(item.id, item.section, item.importance, entry["covered"] is ("covered" not in self.blind))

    def need(self, case: Case, cancel: threading.Event) -> Iterator[NeedVerdict]:
        known = {entry["text"]: entry["needed"] for entry in self.data["sentences"]}
        for sentence in case.note.sentences:
            yield NeedVerdict(sentence.id, None if "needed" in self.blind else known[sentence.text])

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        known = {claim["text"]: claim["expected"] for claim in self.data["claims"]}
        for sentence in case.note.sentences:
            expected = known[sentence.text]
            yield ClaimVerdict(sentence.id, Verdict("supported" if expected in self.blind else expected))

    def hear(self, case: Case, cancel: threading.Event) -> Iterator[Heard]:
        for entry in self.data["dangers"]:
            if entry["danger"] is ("dangers" not in self.blind):
                yield Heard(cite(case.transcript.turns[entry["turn"] - 1]), RiskKind.SUICIDE, Stance.CURRENT)

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        if "left_out" in self.blind:
            raise JudgeError("it answered nonsense")
        for entry in self.data["left_out"]:
            if entry["left_out"]:
                text = case.transcript.turns[entry["turn"] - 1].text
                place = Citation(entry["turn"] - 1, Span(0, len(text)), text)
                yield Omission(place, OmissionKind.SYMPTOM, Severity.LOW, None, "r")


def result_of(*blind: str) -> Result:
    return TEST.run(KnowsAll(dict(TEST.data), blind), GO)  # type: ignore[arg-type]


ASKED = {"supported": 12, "contradicted": 12, "covered": 16, "needed": 20, "left_out": 12, "dangers": 18}


def test_there_are_ninety_questions_of_six_kinds_each_with_both_answers() -> None:
    assert {kind: asked for kind, (_, asked) in result_of().kinds.items()} == ASKED
    for kind, name, answer in entrance_module._YES_NO:
        assert sum(entry[answer] for entry in TEST.data[name]) == ASKED[kind] / 2
    assert len({entry["text"] for entry in (*TEST.data["claims"], *TEST.data["sentences"])}) == 44
    note = entrance_module._note(entrance_module._by_section(TEST.data["note"]))
    assert all(sentence.span.of(note.text) == sentence.text for sentence in note.sentences)


def test_every_answer_as_expected_is_said_and_nothing_more() -> None:
    told: list[tuple[int, int]] = []
    found = TEST.run(KnowsAll(dict(TEST.data)), GO, lambda done, total: told.append((done, total)))  # type: ignore[arg-type]
    assert found.said == "This model answered 90 of 90 test questions as expected."
    assert (found.refused, found.doubtful) == (False, False)
    assert told == [(done, 90) for done in range(1, 91)]


def test_what_a_model_has_shown_is_told_by_question() -> None:
    assert dict(result_of("contradicted", "dangers").records) | {"claims": TrackRecord(0, 0, 0, 0)} == {
        "claims": TrackRecord(0, 0, 0, 0),
        "checklist": TrackRecord(8, 8, 0, 8),
        "sentences": TrackRecord(10, 10, 0, 10),
    }
    whole = result_of("dangers").records
    assert whole["claims"] == TrackRecord(12, 12, 0, 12)
    assert whole["omissions"] == TrackRecord(6, 6, 0, 6)
    assert whole["risks"] == TrackRecord(0, 9, 9, 9)
    # What has no answer is counted as the wrong one.
    assert result_of("needed").records["sentences"] == TrackRecord(0, 10, 10, 10)


@pytest.mark.parametrize(
    ("blind", "right", "refused", "said"),
    [
        (("left_out",), 78, False, "often be wrong, most of all on passages that were left out or not"),
        (("contradicted",), 48, True, "48 of 56 test questions as expected. That is no better than guessing, so"),
        (("covered", "needed", "dangers"), 36, True, "36 of 73"),
        (("covered", "dangers", "left_out"), 44, True, "44 of 81"),
    ],
    ids=["one kind unanswered", "says supported to everything", "wrong from the start", "wrong at both ends"],
)
def test_what_a_model_is_worth_is_said(blind: tuple[str, ...], right: int, refused: bool, said: str) -> None:
    found = result_of(*blind)
    assert (found.right, found.refused) == (right, refused)
    assert found.doubtful
    assert said in found.said


def test_less_than_four_in_five_is_warned_about() -> None:
    def with_right(right: int) -> Result:
        return Result({"supported": (12, 12), "contradicted": (10, 12), "covered": (right, 36)})

    assert [with_right(right).doubtful for right in (25, 26)] == [True, False]


@pytest.mark.parametrize(("asked", "least"), [(90, entrance_module.GUESSED), (24, entrance_module.GUESSED_CLAIMS)])
def test_a_coin_gets_in_less_than_once_in_twenty_tries(asked: int, least: int) -> None:
    def chance(from_: int) -> float:
        return sum(comb(asked, right) for right in range(from_, asked + 1)) / 2**asked

    assert chance(least) < 0.05 < chance(least - 1)


def test_a_base_model_with_random_weights_is_asked_once_and_knows_nothing(tmp_path: Path) -> None:
    model = make_chat_model(tmp_path / "m.gguf", context=8192, layers=1, width=32, template=None)
    known, told = KnownModels(tmp_path / "known.json"), list[int]()
    found = making.admit(model, known=known, progress=lambda done, total: told.append(done))
    assert found.refused
    assert found.right <= found.asked / 2
    assert told == list(range(1, found.asked + 1))
    told.clear()
    assert making.admit(model, known=known, progress=lambda done, total: told.append(done)) == found
    assert told == []
    speed = known.speed(model)
    assert speed is not None
    assert min(speed.read, speed.written) > 1


def test_a_model_that_never_closes_its_quotation_marks_is_not_asked_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entrance_module, "GUESSED_CLAIMS", 24)
    model = make_biased_model(tmp_path / "m.gguf", {"Yes": 3.0, "No": 1.0}, context=8192)
    found = making.admit(model, known=KnownModels(tmp_path / "known.json"))
    yes_and_no = {"covered": (8, 16), "needed": (10, 20)}
    assert found.kinds == dict.fromkeys(KINDS, (0, 0)) | yes_and_no | {"supported": (0, 1)}
    assert found.refused


def test_a_model_that_agrees_to_everything_is_not_let_in_and_is_asked_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat = speak_for_local_models(monkeypatch, ScriptedLocal())
    model, known = tmp_path / "m.gguf", KnownModels(tmp_path / "known.json")
    model.write_bytes(b"GGUF")
    found = making.admit(model, known=known)
    with pytest.raises(ModelError, match=r"m\.gguf: This model answered 30 of 56 .* Choose another model"):
        making.check_admitted(found, model.name)
    asked = len(chat.requests)
    assert making.admit(model, known=known) == found
    assert len(chat.requests) == asked
    assert making.admit(model, known=known, anew=True) == found
    assert len(chat.requests) == 2 * asked


@pytest.mark.parametrize("answer", ["Yes", "No", "", "I am only a language model."])
@pytest.mark.parametrize("manner", list(Manner))
def test_a_model_that_always_says_the_same_is_not_let_in(manner: Manner, answer: str) -> None:
    prompts = load_prompts(paths.resources() / "prompts")
    judge = LlmJudge(ScriptedChat(lambda request: answer), TEST.rubric, prompts, WholeSession(), manner, NoCache())
    assert TEST.run(judge, GO).refused


def test_a_model_that_supports_everything_with_a_quote_is_not_let_in() -> None:
    prompts = load_prompts(paths.resources() / "prompts")
    chat = ScriptedChat(agreeable)
    judge = LlmJudge(chat, TEST.rubric, prompts, WholeSession(), Manner.PUBLISHED, NoCache())
    found = TEST.run(judge, GO)
    assert (found.kinds["supported"], found.kinds["contradicted"]) == ((12, 12), (0, 8))
    assert found.refused


def test_the_test_takes_less_than_five_minutes_at_4b_on_two_cores() -> None:
    """By estimate, at four characters a token, shared beginnings read once; answers of 50 tokens a claim."""
    prompts = load_prompts(paths.resources() / "prompts")
    chat = ScriptedChat(agreeable)
    TEST.run(LlmJudge(chat, TEST.rubric, prompts, WholeSession(), Manner.PUBLISHED, NoCache()), GO)
    beginnings = {(request.system, request.prefix) for request in chat.requests}
    read = sum(map(len, itertools.chain(*beginnings))) / 4
    read += sum(len(request.question) / 4 + 10 for request in chat.requests)
    of_4b = next(entry for entry in read_manifest().chat if entry.name == "Qwen3-4B")
    assert 100 < guessed(of_4b.bytes, cores=2).seconds(read, 24 * 50 + 6 * 60) < 300


def test_an_encoder_is_not_even_asked(encoder_path: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="does not write answers"):
        making.admit(encoder_path, known=KnownModels(tmp_path / "known.json"))


def test_a_test_can_be_stopped_and_leaves_nothing_half_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    speak_for_local_models(monkeypatch, ScriptedLocal())
    model, known, stop = tmp_path / "m.gguf", KnownModels(tmp_path / "known.json"), threading.Event()
    model.write_bytes(b"GGUF")
    with pytest.raises(Cancelled):
        making.admit(model, known=known, cancel=stop, progress=lambda done, total: stop.set())
    assert not known.file.exists()


def test_what_is_known_goes_with_the_bytes_not_with_the_name(tmp_path: Path) -> None:
    known, model = KnownModels(tmp_path / "known.json"), tmp_path / "m.gguf"
    model.write_bytes(b"GGUF one")
    known.keep_result(model, "1", PERFECT)
    known.keep_speed(model, Speed(64.0, 8.0))
    assert (known.result(model, "1"), known.speed(model)) == (PERFECT, Speed(64.0, 8.0))
    assert known.result(model, "2") is None, "of another test"
    moved = model.rename(tmp_path / "moved.gguf")
    assert known.sha256(moved)
    assert known.result(moved, "1") == PERFECT
    moved.write_bytes(b"GGUF two, longer")
    assert known.result(moved, "1") is None


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{", b'{"files": 1, "models": []}', b'{"files": {}, "models": {"x": 1}}', b"[" * 100_000]
)
def test_a_record_that_is_damaged_counts_as_none(content: bytes, tmp_path: Path) -> None:
    known, model = KnownModels(tmp_path / "known.json"), tmp_path / "m.gguf"
    model.write_bytes(b"GGUF")
    known.file.write_bytes(content)
    assert (known.result(model, "1"), known.speed(model)) == (None, None)
    known.keep_result(model, "1", PERFECT)
    assert known.result(model, "1") == PERFECT


def test_a_model_at_an_address_is_tested_once_and_known_by_address_and_name(tmp_path: Path) -> None:
    known, sent = KnownModels(tmp_path / "known.json"), list[str]()

    def behave(body: dict[str, object], _number: int) -> Behaviour:
        request = as_request(body)
        sent.append(request.prefix + request.question)
        return Behaviour(sound_for_any(request))

    with serve(behave) as endpoint:
        found = making.admit_served(endpoint.url, "m", "", known=known)
        asked = len(sent)
        assert making.admit_served(endpoint.url, "m", "", known=known) == found
    # It supports every claim, so that no more than its claims are asked, and is refused.
    assert found.kinds["supported"] == (12, 12)
    assert found.refused
    assert len(sent) == asked
    assert known.result(Served(f"{endpoint.url}/", "m"), making.entrance_version()) == found
    assert known.result(Served(endpoint.url, "other"), making.entrance_version()) is None
    assert not any("Moreno" in text for text in sent)
