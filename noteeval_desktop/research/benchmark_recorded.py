"""A language model measured by answers that were recorded: each request read and answered once, replayed ever after.

A folder holds ``cases/NAME.txt``, sessions with a keyed note (the form is that of ``models/training/corpus/GUIDE.md``),
and ``answers/NAME.jsonl``, a line a request: ``{"key": ..., "answer": ...}``; and ``mts_dialog``, where it is there,
summaries of MTS-Dialog with people's scores, to which ``answers/mts_dialog.jsonl`` belongs. The key is of the request's
own text, so that a prompt which has changed finds no answer and says so.
"""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, Usage
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.two_witnesses import Records, TrackRecord, claim_by_two
from noteeval_desktop.domain.verdicts import ERRORS, ClaimVerdict, Verdict
from noteeval_desktop.engines.chat import ModelInfo, Reply, Request, YesNo, read_yes_no
from noteeval_desktop.errors import InputError
from noteeval_desktop.evaluate import ABOUT_NOTE, evaluate, final
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.full_check import FullCheck
from noteeval_desktop.judges.llm.cache import NoCache
from noteeval_desktop.judges.llm.entrance import Entrance
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import Prompts
from noteeval_desktop.judges.llm.retrieval import Retriever, WholeSession
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures.agreement import auc, ratio
from noteeval_desktop.report.terminal import figure, table
from noteeval_desktop.research.labelled import CorpusError, LabelledSession, Sentence, case_of, parse_session

SUMMARIES = "mts_dialog"
WAYS = ("built-in", "model alone", "full check")
_FENCE = re.compile(r"<<([0-9a-f]{12})\n")
_FIRST = 5
# How often the answers find and doubt when made worse by chance: three strengths.
WEAKENED = ((0.85, 0.11), (0.70, 0.17), (0.63, 0.29))
_DRAWS = 20


def key_of(text: str) -> str:
    """Of a request's whole text, whatever random fence it holds."""
    for fence in set(_FENCE.findall(text)):
        text = text.replace(fence, "")
    return fingerprint(text)[:24]


def text_of(request: Request) -> str:
    return f"{request.system}\n\n{request.prefix}\n\n{request.question}" if request.prefix else request.question


@dataclass
class RecordedChat:
    """Implements ``engines.chat.ChatModel``; what was not recorded is a problem, and stands in ``missing``."""

    answers: Mapping[str, str]
    missing: list[Request] = field(default_factory=list)
    asked: int = 0

    @property
    def info(self) -> ModelInfo:
        return ModelInfo("remote", "recorded", "recorded")

    def ask(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, Reply]]:
        for index, request in enumerate(requests):
            self.asked += 1
            answer = self.answers.get(key_of(text_of(request)))
            if answer is None:
                self.missing.append(request)
            yield index, Reply(answer) if answer is not None else Reply(problem="no answer was recorded")

    def yes_no(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[tuple[int, YesNo]]:
        for index, reply in self.ask(requests, cancel):
            yield index, read_yes_no(reply)

    def usage(self) -> Usage:
        return Usage(self.asked)

    def close(self) -> None:
        """Nothing is held."""


@dataclass(frozen=True, slots=True)
class RecordedCase:
    name: str
    session: LabelledSession
    answers: Mapping[str, str]

    @property
    def case(self) -> Case:
        return case_of(self.session, self.session.notes[0])


def read_recorded(folder: Path) -> list[RecordedCase]:
    """Raises InputError."""
    found = []
    for path in sorted((folder / "cases").glob("*.txt")):
        try:
            session = parse_session(path.read_text("utf-8"))
        except CorpusError as error:
            raise InputError(path.name, str(error), "Correct that line.") from error
        found.append(RecordedCase(path.stem, session, answers_in(folder, path.stem)))
    if not found:
        raise InputError(folder.name, "holds no recorded cases", "Name a folder with cases/ and answers/.")
    return found


def model_alone(chat: RecordedChat, rubric: Rubric, prompts: Prompts, retriever: Retriever) -> LlmJudge:
    return LlmJudge(chat, rubric, prompts, retriever, Manner.GROUPED)


def record_shown(folder: Path, test: Entrance, prompts: Prompts) -> Records | None:
    """What the model shows in the entrance test, where that was recorded, too."""
    answers = answers_in(folder, "entrance")
    if not answers:
        return None
    judge = LlmJudge(RecordedChat(answers), test.rubric, prompts, WholeSession(), Manner.GROUPED, NoCache())
    return test.run(judge, threading.Event()).records


def answers_in(folder: Path, name: str) -> dict[str, str]:
    """By key; none where nothing was recorded."""
    file = folder / "answers" / f"{name}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.is_file() else []
    return {one["key"]: one["answer"] for one in (from_json(line.encode()) for line in lines if line)}


def run_recorded(
    cases: Sequence[RecordedCase], quick: Judge, judge: Callable[[RecordedChat], LlmJudge], records: Records
) -> dict[str, Any]:
    """Shares are 0..1, None where there was nothing to measure. ``records``: what the model has shown."""
    tallies = {way: _Tally() for way in WAYS}
    pairs: list[_Pair] = []
    missing = 0
    for one in cases:
        chat = RecordedChat(one.answers)
        model = judge(chat)
        found = {
            "built-in": final(evaluate(one.case, quick, ABOUT_NOTE)).evaluation,
            "model alone": final(evaluate(one.case, model, ABOUT_NOTE)).evaluation,
            "full check": final(evaluate(one.case, FullCheck(quick, judge(chat), records), ABOUT_NOTE)).evaluation,
        }
        missing += len(chat.missing)
        for way, evaluation in found.items():
            tallies[way].add(one.session, evaluation)
        pairs += _pairs(one.session, found["built-in"], found["model alone"])
    return {
        "cases": len(cases),
        "requests_without_an_answer": missing,
        **{way: tally.figures() for way, tally in tallies.items()},
        "weakened": [_weakened(pairs, found, doubted) for found, doubted in WEAKENED],
    }


def recorded_text(result: dict[str, Any]) -> str:
    names = {
        "found": tr("Errors found"),
        "doubted": tr("True sentences doubted"),
        "auc": "AUC",
        "contradicted_right": tr("“Contradicted” right"),
        "clinical_called_unneeded": tr("Clinical sentences called unneeded"),
        "omitted_in_first_five": tr("Omitted facts in the first five"),
        "wrong_words_named": tr("Wrong words named"),
    }
    rows = [["", *WAYS]] + [[said, *(figure(result[way][name]) for way in WAYS)] for name, said in names.items()]
    weak = [[tr("Made worse by chance: finds / doubts"), tr("Both: find / doubt"), tr("AUC of the model")]]
    weak[0] += [tr("Built-in"), tr("Both")]
    for one in result["weakened"]:
        shares = [f"{100 * one[own + 'found']:.0f} % / {100 * one[own + 'doubted']:.0f} %" for own in ("", "both_")]
        weak.append([*shares, *(figure(one[name]) for name in ("auc_model", "auc_built_in", "auc_both"))])
    missing = result["requests_without_an_answer"]
    told = tr("{requests} without a recorded answer: prompts have changed since they were recorded.")
    told = told.format(requests=counted(missing, "request")) if missing else tr("Every request had a recorded answer.")
    return "\n".join([table(rows), "", table(weak), told])


@dataclass
class _Tally:
    """Counts over keyed notes."""

    false: int = 0
    true: int = 0
    found: int = 0
    doubted: int = 0
    contradicted: list[bool] = field(default_factory=list)
    unneeded: list[bool] = field(default_factory=list)
    left_out: list[bool] = field(default_factory=list)
    words: list[bool] = field(default_factory=list)
    scores: list[tuple[bool, float]] = field(default_factory=list)

    def add(self, session: LabelledSession, evaluation: Evaluation) -> None:
        note = session.notes[0]
        for keyed, judged in zip(note.sentences, evaluation.sentences, strict=True):
            if keyed.label != "observed" and judged.claim is not None and judged.claim.verdict is not None:
                self._claim(keyed, judged.claim)
            if keyed.items and judged.need is not None and judged.need.needed is not None:
                self.unneeded.append(not judged.need.needed)
        told = set(note.covers)
        omitted = [set(fact.turns) for fact in session.facts if fact.id not in told][:_FIRST]
        first = [{c.turn + 1 for c in one.citations} for one in (evaluation.omissions or ())[:_FIRST]]
        near = [{turn + step for turn in turns for step in (-1, 0, 1)} for turns in first]
        self.left_out += [any(turns & own for own in near) for turns in omitted]

    def _claim(self, keyed: Sentence, claim: ClaimVerdict) -> None:
        wrong = claim.verdict in ERRORS
        so = keyed.label == "true"
        self.scores.append((so, _score(claim)))
        self.true += so
        self.false += not so
        self.found += wrong and not so
        self.doubted += wrong and so
        if claim.verdict is Verdict.CONTRADICTED:
            self.contradicted.append(not so and keyed.kind != "invented")
        if wrong and not so and keyed.kind != "invented":
            named = [one.words for one in claim.wrong]
            self.words.append(_names(named, keyed.text, keyed.twin))

    def figures(self) -> dict[str, Any]:
        labels, scores = [so for so, _ in self.scores], [score for _, score in self.scores]
        return {
            "errors": self.false,
            "found": ratio(self.found, self.false),
            "true": self.true,
            "doubted": ratio(self.doubted, self.true),
            "auc": float(auc(labels, scores)) if len(set(labels)) == 2 else None,
            "contradicted_right": ratio(sum(self.contradicted), len(self.contradicted)),
            "contradicted": len(self.contradicted),
            "clinical_called_unneeded": ratio(sum(self.unneeded), len(self.unneeded)),
            "omitted_in_first_five": ratio(sum(self.left_out), len(self.left_out)),
            "omitted": len(self.left_out),
            "wrong_words_named": ratio(sum(self.words), len(self.words)),
        }


def _score(claim: ClaimVerdict) -> float:
    return float(claim.verdict not in ERRORS) if claim.probability is None else claim.probability


def _names(named: Sequence[str], text: str, twin: str) -> bool:
    """Whether the named words hold one that the true twin has otherwise, and are not half of the sentence."""
    said, true = text.split(), twin.split()
    matcher = SequenceMatcher(None, [w.lower() for w in said], [w.lower() for w in true], autojunk=False)
    other = {_bare(w) for op, a, b, *_ in matcher.get_opcodes() if op != "equal" for w in said[a:b]}
    inserted = any(op == "insert" for op, *_ in matcher.get_opcodes())
    words = {_bare(word) for one in named for word in one.split()}
    return bool(words) and (bool(words & other) or inserted) and len(words) <= max(4, len(said) / 2)


def _bare(word: str) -> str:
    return word.lower().strip(".,;:!?()\"'“”’")


@dataclass(frozen=True, slots=True)
class _Pair:
    so: bool
    quick: ClaimVerdict
    model: ClaimVerdict


def _pairs(session: LabelledSession, quick: Evaluation, model: Evaluation) -> Iterator[_Pair]:
    for keyed, one, two in zip(session.notes[0].sentences, quick.sentences, model.sentences, strict=True):
        if keyed.label != "observed" and one.claim and two.claim and two.claim.verdict is not None:
            yield _Pair(keyed.label == "true", one.claim, two.claim)


def _weakened(pairs: Sequence[_Pair], found: float, doubted: float) -> dict[str, Any]:
    """The recorded answers, turned by chance until they find and doubt so much; AUC is the mean of some draws."""
    record = TrackRecord(round(40 * found), 40, round(40 * doubted), 40)
    draw, both, alone = random.Random(31), list[float](), list[float]()
    counts = [0, 0]
    for _ in range(_DRAWS):
        scores, model = list[float](), list[float]()
        for pair in pairs:
            doubts = draw.random() < (doubted if pair.so else found)
            verdict = Verdict.UNSUPPORTED if doubts else Verdict.SUPPORTED
            joined = claim_by_two(pair.quick, replace(pair.model, verdict=verdict, probability=None), "remote", record)
            scores.append(_score(joined))
            model.append(float(not doubts))
            counts[pair.so] += joined.verdict in ERRORS
        labels = [pair.so for pair in pairs]
        both.append(float(auc(labels, scores)))
        alone.append(float(auc(labels, model)))
    true = sum(pair.so for pair in pairs)
    return {
        "found": found,
        "doubted": doubted,
        "both_found": ratio(counts[0], _DRAWS * (len(pairs) - true)),
        "both_doubted": ratio(counts[1], _DRAWS * true),
        "auc_model": sum(alone) / _DRAWS,
        "auc_built_in": float(auc([pair.so for pair in pairs], [_score(pair.quick) for pair in pairs])),
        "auc_both": sum(both) / _DRAWS,
    }
