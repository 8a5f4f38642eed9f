"""The study over judges that notice everything, and nothing, and the reverse."""

from __future__ import annotations

import csv
import functools
import itertools
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop import paths
from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, NeedVerdict, Verdict
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote.chat import RemoteChat
from noteeval_desktop.errors import InputError, JudgeError
from noteeval_desktop.judges.llm.prompts import load_prompts
from noteeval_desktop.judges.reference_scores import ReferenceScorer
from noteeval_desktop.measures.clinical_terms import ClinicalTerms
from noteeval_desktop.research.degrade_study import Study, study_figures
from noteeval_desktop.research.fact_degrader import FactDegrader
from noteeval_desktop.research.study_notes import FACTS, KINDS, ROW, StudyNote, by_rules, load_study, wanted
from tests.factories import make_note, make_transcript
from tests.fake_embedder import FakeEmbedder
from tests.openai_server import Behaviour, Body, serve
from tests.scripted_chat import ScriptedChat
from tests.scripted_judge import ScriptedJudge

NEVER = threading.Event()
RICH = {
    Section.SUBJECTIVE: [
        "Client reports drinking four times a week.",
        "His wife asked him to come.",
        "He denies suicidal thoughts.",
        "He is not sleeping.",
        "He rates his mood as a 6 out of 10.",
    ],
    Section.OBJECTIVE: ["Client is calm and oriented.", "He was able to follow."],
    Section.ASSESSMENT: ["Client meets criteria for depression.", "He is able to name triggers."],
    Section.PLAN: ["Continue sertraline.", "Client will return in two weeks.", "He agreed to keep a diary."],
}
ITEM = "plan-follow-up"


def study_note(name: str = "a") -> StudyNote:
    note = make_note(RICH)
    true = frozenset(sentence.id for sentence in note.sentences)
    return StudyNote(name, Case(make_transcript(), note), note, True, true, {ITEM: frozenset({"s11"})})


class Noticing(ScriptedJudge):
    """Says ``good`` of what stands in the intact note where it stood, and ``bad`` of all else."""

    good, bad = 0.9, 0.1

    def _chance(self, known: bool) -> float:
        return self.good if known else self.bad

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        texts = {text for own in RICH.values() for text in own}
        for sentence in case.note.sentences:
            chance = self._chance(sentence.text in texts)
            verdict = Verdict.SUPPORTED if chance >= 0.5 else Verdict.UNSUPPORTED
            yield ClaimVerdict(sentence.id, verdict, probability=chance)

    def need(self, case: Case, cancel: threading.Event) -> Iterator[NeedVerdict]:
        for sentence in case.note.sentences:
            chance = self._chance(sentence.text in RICH.get(sentence.section, ()))
            yield NeedVerdict(sentence.id, chance >= 0.5, probability=chance)

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        said = {(sentence.section, sentence.text) for sentence in case.note.sentences}
        for section, own in RICH.items():
            for n, text in enumerate(own):
                item = ITEM if text.startswith("Client will return") else f"{section}-{n}"
                chance = self._chance((section, text) in said)
                yield ItemVerdict(item, section, Importance.MANDATORY, chance >= 0.5, chance)


class Blind(Noticing):
    good = bad = 0.9


class Backwards(Noticing):
    good, bad = 0.1, 0.9


@functools.cache
def figures(judge: type[Noticing]) -> dict[str, object]:
    study = Study({"it": judge()}, {}, clock=lambda: 0.0)
    notes = {name: study_note(name) for name in ("a", "b")}
    records = [study.record(*by_rules(note, 2), NEVER) for note in notes.values()]
    return study_figures(records, notes)


@pytest.mark.parametrize(
    ("series", "score"),
    [
        (FACTS, "faithfulness"),
        (FACTS, "faithfulness, counted"),
        *((kind, "faithfulness") for kind in ("number", "negation", "person", "drug", "risk", "plan", "fact")),
        ("drop", "completeness"),
        ("padding", "conciseness"),
        ("order", "conciseness"),
        ("order", "completeness"),
    ],
)
def test_who_notices_everything_drops_at_every_level_and_who_notices_nothing_never(series: str, score: str) -> None:
    expected = {
        Noticing: {"violations": 0.0, "unnoticed": 0.0, "auc": 1.0},
        Blind: {"violations": 0.0, "unnoticed": 1.0, "auc": 0.5},
        Backwards: {"violations": 1.0, "unnoticed": 0.0, "auc": 0.0},
    }
    for judge, own in expected.items():
        found = figures(judge)["series"]
        assert isinstance(found, dict)
        levels = found[series][f"it: {score}"]
        drops = [level["drop"] for level in levels.values()]
        sign = {Noticing: 1, Blind: 0, Backwards: -1}[judge]
        assert levels
        for level in levels.values():
            assert {name: level[name] for name in own} == own
            assert level["violations_of_level_before"] == (1.0 if sign < 0 else 0.0)
        assert drops == sorted(drops, key=lambda drop: sign * drop)
        assert all(drop * sign > 0 or sign == drop == 0 for drop in drops)


def test_what_is_found_and_what_is_doubted_wrongly_is_counted() -> None:
    for judge, share, alarms in ((Noticing, 1.0, 0.0), (Blind, 0.0, 0.0), (Backwards, 0.0, 1.0)):
        found = figures(judge)["found"]
        assert isinstance(found, dict)
        assert {kind: own["found"] for kind, own in found["it"].items() if kind in ("number", "fact", FACTS)} == {
            "number": share,
            "fact": share,
            FACTS: share,
        }
        assert found["it"]["false alarms"] == {"sentences": 24, "share": alarms}


def test_a_row_falls_when_its_sentences_are_gone() -> None:
    for judge, drop, auc, missing in ((Noticing, 0.8, 1.0, 1.0), (Blind, 0.0, 0.5, 0.0)):
        rows = figures(judge)["rows"]
        assert isinstance(rows, dict)
        row = rows["it"][ITEM]
        assert (row["notes"], row["auc"], row["called_missing"]) == (2, auc, 0.0)
        assert row["drop"] == pytest.approx(drop)
        assert row["called_missing_without"] == missing
        assert row["errors"] > 0
        assert row["errors_found"] == (1.0 if drop else 0.0)


def test_every_kind_is_made_and_each_level_holds_the_one_before() -> None:
    _, versions = by_rules(study_note(), 2)
    assert {v.series for v in versions} == {FACTS, ROW + ITEM, *(kind.value for kind in KINDS)}
    for seed in range(2):
        facts = [v for v in versions if (v.series, v.seed) == (FACTS, seed)]
        assert [v.wrong for v in facts] == [1, 2, 3, 4, 5]
        for less, more in itertools.pairwise(facts):
            assert {c.original for c in less.changes} < {c.original for c in more.changes}


def test_levels_are_five_percent_apart_and_one_fact_at_least() -> None:
    assert [wanted(level, 60) for level in range(1, 6)] == [3, 6, 9, 12, 15]
    assert [wanted(level, 10) for level in range(1, 6)] == [1, 2, 3, 4, 5]


def test_metrics_are_measured_too_and_edit_distance_turned_round() -> None:
    terms = ClinicalTerms(frozenset({"sertraline", "depression"}), (), frozenset())
    scorer = ReferenceScorer(FakeEmbedder(), terms, window=200, overlap=20, wanted=("ROUGE-1-F", "Edit-Distance"))
    notes = {"a": study_note("a"), "b": study_note("b")}
    study = Study({}, {"words and letters": scorer}, clock=lambda: 0.0)
    found = study_figures([study.record(*by_rules(note, 1), NEVER) for note in notes.values()], notes)
    assert set(found["series"][FACTS]) == {"ROUGE-1-F", "Edit-Distance"}
    for name in ("ROUGE-1-F", "Edit-Distance"):
        assert all(level["violations"] == 0 and level["drop"] > 0 for level in found["series"][FACTS][name].values())


# --- the data


def test_aci_bench_s_notes_are_their_own_references(tmp_path: Path) -> None:
    path = tmp_path / "aci.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["dataset", "encounter_id", "dialogue", "note"])
        writer.writerow(["x", "D1", "[doctor] hi .\n[patient] i sleep badly 😴 .", "PLAN\n\nSleep more. Meet again."])
    (note,) = load_study(path)
    assert (note.name, note.rubric, note.reference) == ("D1", False, note.case.note)
    assert note.true == {sentence.id for sentence in note.case.note.sentences}
    assert len(note.case.transcript.turns) == 2


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.csv", "x,y\n1,2\n", "no column dialogue and note"),
        ("a.csv", "dialogue,note\n,a\n", "row 1"),
        ("a.csv", b"dialogue,note\n\xff,b\n", "UTF-8"),
        ("a.json", "[]", "no cases"),
    ],
)
def test_other_data_is_said_in_one_line(name: str, text: str | bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError, match=re.escape(said)):
        load_study(path)


def test_tn_eval_s_notes_know_which_sentences_serve_a_row(dev_data: Path) -> None:
    notes = load_study(dev_data)
    assert len(notes) == 35
    for note in notes:
        ids = {sentence.id for sentence in note.case.note.sentences}
        assert note.reference != note.case.note
        assert note.true <= ids
        assert all(serving and serving <= ids for serving in note.rows.values())


# --- a model makes the notes worse


def scripted(request: Request) -> str:
    """Splits at full stops, negates, and joins."""
    text = request.question.partition("Text:\n")[2]
    if text:
        return json.dumps({"facts": [f"{part.strip()}." for part in text.split(".") if part.strip()]})
    text = request.question.partition("Fact:\n")[2]
    if text:
        return json.dumps({"fact": f"It is wrong that {text}"})
    return json.dumps({"text": " ".join(request.question.partition("Facts:\n")[2].splitlines())})


def degrader(chat: ScriptedChat | RemoteChat) -> FactDegrader:
    return FactDegrader(chat, load_prompts(paths.resources() / "prompts" / "degrade"))


def test_a_model_s_facts_are_corrupted_and_left_out_level_by_level() -> None:
    note = study_note()
    again, versions = degrader(ScriptedChat(scripted))(note, 1, NEVER)
    assert [s.text for s in again.case.note.sentences] == [s.text for s in note.case.note.sentences]
    assert again.reference == note.reference
    worse = [v for v in versions if v.series == FACTS]
    assert [v.note.text.count("It is wrong that") for v in worse] == [1, 2, 3, 4, 5]
    for less, more in itertools.pairwise(worse):
        wrong = {s.text for s in less.note.sentences if s.text.startswith("It is wrong")}
        assert wrong < {s.text for s in more.note.sentences}
    fewer = [v for v in versions if v.series == "drop"]
    assert [len(v.note.sentences) for v in fewer] == [12 - n for n in range(1, 6)]
    assert degrader(ScriptedChat(scripted))(note, 1, NEVER)[1] == versions


def test_a_model_that_cannot_answer_is_said() -> None:
    with pytest.raises(JudgeError, match="cannot be used"):
        degrader(ScriptedChat(lambda request: "I would rather not."))(study_note(), 1, NEVER)
    with pytest.raises(JudgeError, match="hardly any facts"):
        degrader(ScriptedChat(lambda request: '{"facts": []}'))(study_note(), 1, NEVER)


def test_an_unusable_answer_is_asked_once_more() -> None:
    asked: list[str] = []

    def moody(request: Request) -> str:
        asked.append(request.question)
        return "Well…" if len(asked) == 1 else scripted(request)

    again, _ = degrader(ScriptedChat(moody))(study_note(), 1, NEVER)
    assert asked.count(asked[0]) == 2
    assert len(again.case.note.sentences) == 12


def test_over_a_server_only_what_may_be_shown_is_sent_and_comes_back_in_words() -> None:
    note = replace(study_note(), case=Case(make_transcript(), parse_note("# Plan\n" + "\n".join(PLAN))))

    def behave(body: Body, number: int) -> Behaviour:
        return Behaviour(content=scripted(Request("", "", body["messages"][-1]["content"])))

    shown = parse_note(note.case.note.text.replace("Anna", "[PERSON-1]"))
    with serve(behave) as endpoint:
        chat = RemoteChat(endpoint.url, "m", "", jobs=2)
        made = FactDegrader(
            chat,
            load_prompts(paths.resources() / "prompts" / "degrade"),
            lambda case: (shown, lambda text: text.replace("[PERSON-1]", "Anna")),
        )
        again, versions = made(note, 1, NEVER)
        chat.close()
    sent = json.dumps(endpoint.requests)
    assert "[PERSON-1]" in sent
    assert "Anna" not in sent
    assert "Anna" in again.case.note.text
    assert [v.wrong for v in versions if v.series == FACTS] == [1, 2, 3, 4, 5]


PLAN = (
    "Anna will return in two weeks.",
    "Continue sertraline.",
    "Keep a diary.",
    "Call the clinic.",
    "Sleep more.",
    "Walk daily.",
)
