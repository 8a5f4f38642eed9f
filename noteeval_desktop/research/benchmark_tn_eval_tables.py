"""The benchmark ``tn-eval-tables``: tables 1 to 8, 11 and 12 of the TN-Eval paper, anew from its data, with the judge
under test among the evaluators.

Source: Shah et al., TN-Eval (ACL 2025, industry track). A note's score by rubric is the share of its items, or of its
sentences, over both therapists; its Likert score the mean of its sections' ratings. Spreads are sample standard
deviations over notes (the paper's of therapists' ratings in table 1 fit one over sections instead). A judge's answers
are counted, as the paper's are; faithfulness of a judge that only rates whole notes (AlignScore) is its rating.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import fmean, stdev
from typing import Any

import numpy as np

from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.judges.reference_scores import NotePair, Scored
from noteeval_desktop.measures.agreement import pearson, plain
from noteeval_desktop.measures.rater_tables import ACCEPTANCE, people_table, ratings_table
from noteeval_desktop.measures.tn_eval import LLM_JUDGES, RATED, SOURCES, Answer, JudgedNote, LabelledNote, Likert
from noteeval_desktop.report.terminal import figure, table

METRICS = ("ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F", "BERTScore-F")
Scores = Mapping[str, float | None]
ScoresOf = Callable[[int, LabelledNote], Scores]
_SHARE, _LIKERT = "share", "likert"
_QUARTILES = ("least", "lower", "median", "upper", "most")
_NAMES = {"human": tr("therapists"), "llm_llama31_70B": "Llama 3.1 70B", "llm_mistral_large_v2": "Mistral Large V2"}
_TITLES = {
    "people": tr("Tables 1 and 2: what therapists say of the notes"),
    "agreement": tr("Table 3: agreement of the two therapists"),
    "evaluators": tr("Tables 4, 11 and 12: what judges say of the notes"),
    "correlations": tr(
        "Table 6: r of judges' shares (A, C) and ratings (B, D) with therapists' shares (A, B) and ratings (C, D)"
    ),
    "metrics": tr("Table 5: against the therapist's note of the same session"),
    "words": tr("Table 7: words"),
    "coverage": tr("Table 8: checklist items that therapists find in the notes"),
}


def pairs_with_therapists(notes: Sequence[LabelledNote]) -> list[NotePair]:
    """Each language model's note with the therapist's of the same session as its reference, in order."""
    references = {note.conversation: note.case.note for note in notes if note.source == "human"}
    return [NotePair(n.case.note, references[n.conversation]) for n in notes if n.source != "human"]


def run_tn_eval_tables(
    notes: Sequence[LabelledNote], judged: Mapping[str, Sequence[JudgedNote]], compared: Scored
) -> dict[str, Any]:
    """``judged[name][i]`` is of ``notes[i]``, ``compared`` of ``pairs_with_therapists``.

    ``{"rows": [{"table", "section", "source", "evaluator", "measure", "kind", "n", "mean", "sd", "least", "lower",
    "median", "upper", "most"}], "correlations", "agreement"}``: shares 0..1, ratings 1..5, words as counted; kinds are
    ``share``, ``likert``, ``words``, ``metric``; lower and upper are quartiles (figures 3 and 4).
    ``correlations[dimension][evaluator]`` has columns A to D of table 6 (Pearson's r over all notes): the evaluator's
    shares with therapists' shares, its ratings with these, its shares with therapists' ratings, its ratings with these;
    None where it gave none.
    """
    rows: list[dict[str, Any]] = []

    def add(name: str, scores: ScoresOf, kind: str, section: str = "", evaluator: str = "") -> None:
        for source in SOURCES:
            found: dict[str, list[float]] = {}
            for number, note in enumerate(notes):
                if note.source == source:
                    for measure, value in scores(number, note).items():
                        found.setdefault(measure, []).extend([] if value is None else [value])
            rows.extend(
                {"table": name, "section": section, "source": source, "evaluator": evaluator, "measure": measure}
                | {"kind": kind, "n": len(values), "mean": fmean(values), "sd": _spread(values)}
                | dict(zip(_QUARTILES, map(float, np.quantile(values, (0, 0.25, 0.5, 0.75, 1))), strict=True))
                for measure, values in found.items()
                if values
            )

    def of_notes(own: Callable[..., Scores], *given: Any) -> ScoresOf:
        return lambda _number, note: own(note, *given)

    def of_numbers(own: Callable[[int], Scores]) -> ScoresOf:
        return lambda number, _note: own(number)

    for section in (None, *SOAP):
        place = "" if section is None else section.value
        add("people", of_notes(_shares, section), _SHARE, place)
        add("people", of_notes(lambda note, own: _ratings(note.likert, own), section), _LIKERT, place)
    add("people", of_notes(lambda note: {ACCEPTANCE: _mean(note.acceptance)}), _LIKERT)
    for name, own in judged.items():
        add("evaluators", of_numbers(partial(_judged_at, own)), _SHARE, evaluator=name)
    for judge, name in LLM_JUDGES.items():
        add("evaluators", of_notes(lambda note, j: _ratings(note.llm_likert[j], None), judge), _LIKERT, evaluator=name)
    others = [number for number, note in enumerate(notes) if note.source != "human"]
    metrics = dict(zip(others, compared.values, strict=True))
    add("metrics", of_numbers(lambda number: metrics.get(number, {})), "metric")
    for section in SOAP:
        add("words", of_notes(_words, section), "words", section.value)
    add("coverage", of_notes(lambda note: {item: fmean(labels) for item, labels in note.present.items()}), _SHARE)
    return {
        "notes": len(notes),
        "conversations": len({note.conversation for note in notes}),
        "rows": rows,
        "correlations": _correlations(notes, judged),
        "agreement": _agreement(notes),
        "missing": compared.missing,
    }


def _spread(values: Sequence[float]) -> float | None:
    return stdev(values) if len(values) > 1 else None


def _shares(note: LabelledNote, section: Section | None) -> Scores:
    """Of the whole note or of one section, over both therapists."""
    items = [v for item, v in note.present.items() if section is None or item.startswith(f"{section.value}-")]
    sentences = [s for s in note.sentences if section is None or section in s.sentence.sections]
    labels = (items, [s.needed for s in sentences], [s.faithful for s in sentences])
    return {name: _mean([fmean(own) for own in given]) for name, given in zip(RATED, labels, strict=True)}


def _ratings(likert: Likert, section: Section | None) -> Scores:
    own = [ratings for place, ratings in likert.items() if section in (None, place)]
    return {name: _mean([fmean(one[name]) for one in own if name in one]) for name in RATED}


def _judged_at(judged: Sequence[JudgedNote], number: int) -> Scores:
    return _judged_shares(judged[number])


def _judged_shares(judged: JudgedNote) -> Scores:
    def yes(answers: Sequence[Answer] | None) -> float | None:
        return None if answers is None else _mean([answer.yes for answer in answers])

    faithful = yes(judged.faithful)
    return {
        "completeness": yes(None if judged.items is None else tuple(judged.items.values())),
        "conciseness": yes(judged.needed),
        "faithfulness": judged.faithfulness if faithful is None else faithful,
    }


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


def _words(note: LabelledNote, section: Section) -> Scores:
    return {"words": float(sum(len(sentence.text.split()) for sentence in note.case.note.sentences_in(section)))}


def _correlations(
    notes: Sequence[LabelledNote], judged: Mapping[str, Sequence[JudgedNote]]
) -> dict[str, dict[str, Any]]:
    shares, ratings = [_shares(n, None) for n in notes], [_ratings(n.likert, None) for n in notes]
    found: dict[str, dict[str, Any]] = {name: {} for name in RATED}
    for evaluator, own in judged.items():
        key = next((judge for judge, name in LLM_JUDGES.items() if name == evaluator), None)
        by_share: list[Scores] = [_judged_shares(one) for one in own]
        by_rating: list[Scores] = [{} if key is None else _ratings(note.llm_likert[key], None) for note in notes]
        for name in RATED:
            columns = {"A": (by_share, shares), "B": (by_rating, shares)}
            columns |= {"C": (by_share, ratings), "D": (by_rating, ratings)}
            row = {column: _r(name, *pair) for column, pair in columns.items()}
            if any(value is not None for value in row.values()):
                found[name][evaluator] = row
    return found


def _r(name: str, one: Sequence[Scores], other: Sequence[Scores]) -> float | None:
    known = [
        (a, b) for x, y in zip(one, other, strict=True) if (a := x.get(name)) is not None and (b := y[name]) is not None
    ]
    return plain(pearson(*zip(*known, strict=True))) if known else None


def _agreement(notes: Sequence[LabelledNote]) -> dict[str, Any]:
    """Of the two therapists: equal marks and alpha by rubric, squared difference and ordinal alpha of ratings."""
    people, rated = people_table(notes, rounds=0), ratings_table(notes, rounds=0)
    result = {}
    for name in (*RATED, ACCEPTANCE):
        pairs = (
            [note.acceptance for note in notes]
            if name == ACCEPTANCE
            else [own[name] for note in notes for own in note.likert.values() if name in own]
        )
        marks, ratings = people.get(name), rated.get(name)
        result[name] = {
            "raw": marks and marks["all"]["raw"]["value"],
            "alpha": marks and marks["all"]["alpha"]["value"],
            "likert_mse": _mean([float(np.subtract(*pair)) ** 2 for pair in pairs if len(pair) == 2]),
            "likert_alpha": ratings and ratings["all"]["alpha"]["value"],
        }
    return result


def tn_eval_tables_text(result: Mapping[str, Any]) -> str:
    told = tr("{notes} of {conversations}; mean (standard deviation over notes).")
    notes, conversations = counted(result["notes"], "note"), counted(result["conversations"], "conversation")
    parts = [told.format(notes=notes, conversations=conversations)]
    parts += [f"{_TITLES[name]}\n{table(list(rows))}" for name, rows in _tables(result)]
    return "\n\n".join(parts)


def _tables(result: Mapping[str, Any]) -> Iterator[tuple[str, Sequence[Sequence[str]]]]:
    for name in _TITLES:
        rows = [row for row in result["rows"] if row["table"] == name]
        cells: dict[tuple[str, ...], dict[str, str]] = {}
        for row in rows:
            source = _NAMES[row["source"]]
            label: tuple[str, ...]
            if name in ("coverage", "words"):
                label, column = (row["section"] or row["measure"],), source
            else:
                label, column = (row["evaluator"] or row["section"] or tr("whole note"), source), _column(row)
            cells.setdefault(label, {})[column] = _cell(row)
        columns = list(dict.fromkeys(column for own in cells.values() for column in own))
        drawn = [[*label, *(own.get(column, "–") for column in columns)] for label, own in cells.items()]
        if name == "agreement":
            yield name, _agreement_rows(result["agreement"])
        elif name == "correlations":
            yield name, _correlation_rows(result["correlations"])
        elif drawn:
            yield name, [[""] * (len(drawn[0]) - len(columns)) + columns, *drawn]


def _column(row: Mapping[str, Any]) -> str:
    rated = tr("{measure}, 1 to 5").format(measure=row["measure"])
    return rated if row["kind"] == _LIKERT else str(row["measure"])


def _cell(row: Mapping[str, Any]) -> str:
    """Shares and metrics in hundredths, as the paper has them."""
    times, places = {_SHARE: (100, 1), "metric": (100, 1), _LIKERT: (1, 2)}.get(row["kind"], (1, 0))
    spread = "" if row["sd"] is None else f" ({figure(times * row['sd'], places)})"
    return figure(times * row["mean"], places) + spread


def _agreement_rows(found: Mapping[str, Mapping[str, float | None]]) -> list[list[str]]:
    rows = [["", tr("equal"), "α", tr("squared difference of ratings"), tr("α of ratings")]]
    return rows + [[name, *(figure(value, 2) for value in own.values())] for name, own in found.items()]


def _correlation_rows(found: Mapping[str, Mapping[str, Mapping[str, float | None]]]) -> list[list[str]]:
    rows = [["", "", *"ABCD"]]
    return rows + [
        [name, evaluator, *(figure(value, 2) for value in row.values())]
        for name, own in found.items()
        for evaluator, row in own.items()
    ]
