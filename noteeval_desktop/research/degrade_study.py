"""Which judge and which metric notices: their scores of notes that get worse, and what those say of them."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgedSentence
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.judges.reference_scores import (
    CLAIMS,
    ENSEMBLES,
    LEXICAL,
    METRICS,
    SENTENCES,
    TOKENS,
    NotePair,
    ReferenceScorer,
)
from noteeval_desktop.measures.agreement import auc, mean_interval, ratio
from noteeval_desktop.research.changes import ChangeKind
from noteeval_desktop.research.study_notes import ROW, StudyNote, Version

# Metrics that are only defined within a set of notes, and AutoAIS, which every judge has as its counted faithfulness.
STUDIED = tuple(m for m in METRICS if m not in ENSEMBLES and not m.startswith("BERTScore-idf") and m != "AutoAIS")
CHEAP = (
    *(f"ROUGE-{kind}-F" for kind in ("1", "2", "L")),
    *("BLEU", "chrF", "Edit-Distance", "BERTScore-F", "MedBERTScore-F", "SBERTScore-F", "MIST"),
)
FAMILIES = {
    "words and letters": LEXICAL,
    "word vectors": TOKENS,
    "sentence vectors": SENTENCES,
    "terms": ("MIST",),
    "claims": CLAIMS,
    "likelihood": tuple(metric for metric in METRICS if "-like-" in metric),
}
LOWER_IS_BETTER = frozenset({"Edit-Distance"})
Record = dict[str, Any]
_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Study:
    """``judges`` by the name that the figures give them; ``scorers`` by family; ``clock`` in seconds."""

    judges: Mapping[str, Judge]
    scorers: Mapping[str, ReferenceScorer]
    clock: Callable[[], float] = time.perf_counter

    def record(
        self,
        note: StudyNote,
        versions: Sequence[Version],
        cancel: threading.Event,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Record:
        """Scores only, no text: ``{"note", "intact", "versions", "items", "alarms", "unjudged", "usage", "seconds"}``.

        All but ``seconds`` is the same each time for a judge that answers the same. Raises JudgeError, Cancelled.
        """
        seconds: dict[str, float] = defaultdict(float)
        before = {name: judge.usage() for name, judge in self.judges.items()}
        first = self._scores(note, Version("", 0, 0, note.case.note, 0), seconds, cancel)
        rows = []
        for done, version in enumerate(versions):
            progress(done, len(versions))
            found = self._scores(note, version, seconds, cancel)
            kept = {name: found[name] for name in ("scores", "found", "items") if name in found}
            rows.append(
                {"series": version.series, "level": version.level, "seed": version.seed}
                | {"wrong": version.wrong}
                | kept
            )
        usage = {name: judge.usage().since(before[name]) for name, judge in self.judges.items()}
        return {
            "note": note.name,
            "facts": len(note.case.note.sentences),
            "intact": first["scores"],
            "items": first["items"],
            "alarms": first["alarms"],
            "versions": rows,
            "usage": {
                name: {"calls": u.calls, "input_tokens": u.input_tokens, "output_tokens": u.output_tokens}
                for name, u in usage.items()
            },
            "seconds": {name: round(took, 3) for name, took in seconds.items()},
        }

    def _scores(self, note: StudyNote, version: Version, seconds: dict[str, float], cancel: threading.Event) -> Record:
        case, row = Case(note.case.transcript, version.note), version.series.startswith(ROW)
        result: Record = {"scores": {}, "items": {}, "found": {}, "alarms": {}}
        for name, judge in self.judges.items():
            began = self.clock()
            items = list(judge.cover(case, cancel)) if note.rubric else []
            result["items"][name] = {item.item: [item.present, item.probability] for item in items}
            if not row:
                claims = {claim.sentence: claim for claim in judge.support(case, cancel)}
                needs = {need.sentence: need for need in judge.need(case, cancel)} if note.rubric else {}
                judged = [JudgedSentence(s, needs.get(s.id), claims.get(s.id)) for s in version.note.sentences]
                found = score(items, judged)
                faithful = found.faithfulness
                result["scores"] |= {
                    f"{name}: faithfulness": faithful.published_definition
                    if faithful.expected is None
                    else faithful.expected,
                    f"{name}: faithfulness, counted": faithful.published_definition,
                }
                if note.rubric:
                    for dimension, own in (("completeness", found.completeness), ("conciseness", found.conciseness)):
                        result["scores"][f"{name}: {dimension}"] = own.note if own.expected is None else own.expected
                verdicts = {sentence: claim.verdict for sentence, claim in claims.items()}
                result["found"][name] = [
                    [change.original, verdicts.get(change.sentence) in ERRORS]
                    for change in version.changes
                    if change.sentence is not None and verdicts.get(change.sentence) is not None
                ]
                known = [verdicts[s] for s in note.true if verdicts.get(s) is not None]
                result["alarms"][name] = [sum(verdict in ERRORS for verdict in known), len(known)]
            seconds[name] += self.clock() - began
        if row:
            return {"items": result["items"]}
        for family, scorer in self.scorers.items():
            began = self.clock()
            scored = scorer.score([NotePair(version.note, note.reference, note.case.transcript)], cancel)
            result["scores"] |= scored.values[0]
            seconds[family] += self.clock() - began
        return result


@dataclass(frozen=True, slots=True)
class Step:
    """A note's score as it was (``intact``), one level less degraded (``before``) and at this level (``degraded``).

    Higher is better. One of ``note``'s seeds."""

    note: str
    intact: float
    before: float
    degraded: float


def level_figures(steps: Sequence[Step]) -> dict[str, Any]:
    """Of one score at one level, after SySDEM (Nizar et al.), 3.2 and 5: ``violations``, the share of degraded notes
    that score higher than the intact one; ``violations_of_level_before``, higher than one level less degraded;
    ``unnoticed``, the same as the intact one; ``drop``, the mean of intact less degraded, each note counting the same,
    with a 95 % ``interval`` over notes; its ``quartiles`` with least and most; ``auc``, how likely any intact note
    scores higher than any degraded one, ties half.

    What it does not see: whether a score is right, and whether a drop is as large as the harm. None for no steps.
    """
    if not steps:
        return {"notes": 0, "degraded": 0}
    names = list(dict.fromkeys(step.note for step in steps))
    drops = np.array([step.intact - step.degraded for step in steps])
    means = np.array([np.mean([d for d, s in zip(drops, steps, strict=True) if s.note == name]) for name in names])
    intact = {step.note: step.intact for step in steps}
    return {
        "notes": len(names),
        "degraded": len(steps),
        "violations": float(np.mean(drops < -_TOLERANCE)),
        "violations_of_level_before": float(np.mean([s.degraded > s.before + _TOLERANCE for s in steps])),
        "unnoticed": float(np.mean(np.abs(drops) <= _TOLERANCE)),
        "drop": float(means.mean()),
        "interval": mean_interval(means),
        "quartiles": [float(q) for q in np.quantile(drops, [0, 0.25, 0.5, 0.75, 1])],
        "auc": told_apart(list(intact.values()), [step.degraded for step in steps]),
    }


def told_apart(better: Sequence[float], worse: Sequence[float]) -> float | None:
    """Mann and Whitney (1947): the share of pairs in which the better one has the higher score, ties half; 0..1."""
    # What differs by a rounding is a tie.
    scores = np.round([*better, *worse], 9)
    return float(auc([1] * len(better) + [0] * len(worse), scores)) if better and worse else None


def study_figures(records: Sequence[Record], notes: Mapping[str, StudyNote]) -> Record:
    """``{"series": {series: {scorer: {level: level_figures}}}, "found": {judge: {kind: …}}, "rows": {judge: {item: …}},
    "usage"}`` of what ``Study.record`` found. Edit distance is turned round, so that a drop is a drop.
    """
    steps: dict[tuple[str, str, int], list[Step]] = defaultdict(list)
    for record in records:
        chains: dict[tuple[str, str, int], float] = {}
        for version in record["versions"]:
            for name, value in version.get("scores", {}).items():
                intact = _turned(name, record["intact"].get(name))
                now = _turned(name, value)
                if intact is None or now is None:
                    continue
                chain = (version["series"], name, version["seed"])
                key = (version["series"], name, version["level"])
                steps[key].append(Step(record["note"], intact, chains.get(chain, intact), now))
                chains[chain] = now
    series: dict[str, dict[str, dict[str, Any]]] = {}
    for (kind, name, level), own in steps.items():
        series.setdefault(kind, {}).setdefault(name, {})[str(level)] = level_figures(own)
    judges = list(records[0]["usage"]) if records else []
    return {
        "series": series,
        "found": {judge: _found(judge, records) for judge in judges},
        "rows": {judge: _rows(judge, records, notes) for judge in judges},
        "usage": {
            judge: {
                name: sum(record["usage"][judge][name] for record in records)
                for name in ("calls", "input_tokens", "output_tokens")
            }
            for judge in judges
        },
    }


def _turned(name: str, value: float | None) -> float | None:
    return None if value is None else -value if name in LOWER_IS_BETTER else value


def _deepest(record: Record) -> Iterable[Record]:
    """Of each kind and seed the version with most changes: it holds those of the others."""
    last = {(v["series"], v["seed"]): v for v in record["versions"] if not v["series"].startswith(ROW)}
    return last.values()


def _found(judge: str, records: Sequence[Record]) -> Record:
    """Of changed sentences the share called contradicted or unsupported, by kind; of true ones the same."""
    made: dict[str, list[bool]] = defaultdict(list)
    for record in records:
        for version in _deepest(record):
            made[version["series"]] += [bool(flagged) for _, flagged in version["found"][judge]]
    alarms, known = (sum(record["alarms"][judge][n] for record in records) for n in (0, 1))
    shares = {kind: {"changes": len(own), "found": ratio(sum(own), len(own))} for kind, own in made.items()}
    return shares | {"false alarms": {"sentences": known, "share": ratio(alarms, known)}}


def _rows(judge: str, records: Sequence[Record], notes: Mapping[str, StudyNote]) -> Record:
    """Of each rubric item, over the notes that cover it: how its probability falls when its sentences are gone, and how
    many errors in those sentences are found."""
    drops: dict[str, list[tuple[float, float]]] = defaultdict(list)
    missing: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    errors: dict[str, list[bool]] = defaultdict(list)
    for record in records:
        serving = notes[record["note"]].rows
        for version in record["versions"]:
            item = version["series"].removeprefix(ROW)
            if not version["series"].startswith(ROW) or item not in record["items"][judge]:
                continue
            (said, chance), (now, less) = record["items"][judge][item], version["items"][judge][item]
            if said is not None and now is not None:
                missing[item].append((not said, not now))
                drops[item].append((float(said) if chance is None else chance, float(now) if less is None else less))
        for version in _deepest(record):
            if version["series"] == ChangeKind.ORDER:  # true where it stands, only not at its place
                continue
            for sentence, flagged in version["found"][judge]:
                for item in (item for item, own in serving.items() if sentence in own):
                    errors[item].append(bool(flagged))
    return {item: _row(drops[item], missing[item], errors[item]) for item in sorted({*drops, *errors})}


def _row(drops: Sequence[tuple[float, float]], missing: Sequence[tuple[bool, bool]], errors: Sequence[bool]) -> Record:
    fallen = [before - after for before, after in drops]
    return {
        "notes": len(drops),
        "drop": ratio(sum(fallen), len(fallen)),
        "interval": mean_interval(fallen),
        "auc": told_apart([before for before, _ in drops], [after for _, after in drops]),
        "called_missing": ratio(sum(before for before, _ in missing), len(missing)),
        "called_missing_without": ratio(sum(after for _, after in missing), len(missing)),
        "errors": len(errors),
        "errors_found": ratio(sum(errors), len(errors)),
    }
