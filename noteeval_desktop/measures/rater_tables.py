"""Who agrees with whom about what: tables per dimension, section and item, between people and with judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from noteeval_desktop.domain.asked import risk_answers
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.review import SCORED, Dimension, Review
from noteeval_desktop.domain.reviewed import judged_risk
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.measures.agreement import Agreement, Level, Thing, agree
from noteeval_desktop.measures.tn_eval import LLM_JUDGES, LabelledNote
from noteeval_desktop.measures.tn_eval_tables import tables

ACCEPTANCE = "acceptance"


@dataclass(frozen=True, slots=True)
class Rated:
    """A thing with what it belongs to: ``topic`` is a dimension or ``acceptance``, ``item`` a rubric item's id."""

    topic: str
    section: str
    item: str
    thing: Thing
    level: Level = Level.NOMINAL


def tn_eval_agreement(notes: Sequence[LabelledNote], rounds: int = 1000) -> dict[str, Any]:
    """The therapists of the TN-Eval data against each other, and each LLM judge against them.

    ``{"people": TABLE, "ratings": TABLE, "judges": {name: TABLE}, "notes": {dimension: {"r", "ceiling", ...}}}``; a
    TABLE is ``table``'s, and ``notes`` correlates the two therapists' scores of whole notes.
    """
    whole = tables(notes, {}, rounds=0)
    return {
        "people": people_table(notes, rounds),
        "ratings": ratings_table(notes, rounds),
        "judges": {
            name: table([rated for note in notes for rated in _marks(note, (judge,))], rounds)
            for judge, name in LLM_JUDGES.items()
        },
        "notes": {dimension.value: whole[dimension.value]["therapists"] for dimension in SCORED},
    }


def people_table(notes: Sequence[LabelledNote], rounds: int) -> dict[str, Any]:
    """Therapist against therapist, by rubric."""
    return table([rated for note in notes for rated in _marks(note, ())], rounds)


def ratings_table(notes: Sequence[LabelledNote], rounds: int) -> dict[str, Any]:
    """The same of their ratings from 1 to 5."""
    return table(_ratings(notes), rounds)


def review_agreement(
    cases: Sequence[tuple[Note, Sequence[Review]]],
    judged: Sequence[Mapping[str, Evaluation]] | None = None,
    rounds: int = 1000,
) -> dict[str, Any]:
    """The same over reviews of the library: per case a note and one review a rater, in the same order of raters.

    ``judged`` has a case's evaluations by judge. People whose marks are not submitted yet are left out.
    """
    ready = [(note, [review for review in reviews if review.submitted]) for note, reviews in cases]
    result: dict[str, Any] = {
        "people": table([r for note, reviews in ready for r in _of_reviews(note, reviews, None)], rounds),
        "ratings": table([r for note, reviews in ready for r in _likert(note, reviews)], rounds),
        "judges": {},
    }
    names = dict.fromkeys(name for one in judged or () for name in one)
    for name in names:
        pairs = [
            rated
            for (note, reviews), own in zip(ready, judged or (), strict=True)
            if name in own
            for review in reviews
            for rated in _of_reviews(note, [review], own[name])
        ]
        result["judges"][name] = table(pairs, rounds)
    return result


def table(rated: Sequence[Rated], rounds: int) -> dict[str, Any]:
    """Per topic: ``all``, ``sections`` and, where there are any, ``items``; each an ``Agreement`` as a dict."""
    result: dict[str, Any] = {}
    for topic in dict.fromkeys(one.topic for one in rated):
        own = [one for one in rated if one.topic == topic]
        result[topic] = {
            "all": _agreement(own, rounds),
            "sections": _by(own, lambda one: one.section, rounds),
            "items": _by(own, lambda one: one.item, rounds),
        }
    return result


def as_text(report: Mapping[str, Any]) -> str:
    """The table's main lines for a terminal: alpha with its interval, kappa, raw agreement."""
    lines = [f"{'':34}{'n':>6}  {'alpha':>6}  {'95 % interval':16}{'kappa':>6}  {'equal':>6}"]
    groups = {"people": report["people"], "ratings": report["ratings"], **report["judges"]}
    for group, topics in groups.items():
        for topic, part in topics.items():
            lines.append(_line(f"{group}: {topic}", part["all"]))
            lines += [_line(f"    {section}", one) for section, one in part["sections"].items()]
    for dimension, one in report.get("notes", {}).items():
        lines.append(f"{f'whole notes: {dimension}':34}r {_shown(one['r'])}, no judge above {_shown(one['ceiling'])}")
    return "\n".join(lines)


def _line(name: str, one: Mapping[str, Any]) -> str:
    alpha, kappa = one["alpha"], one["cohen"] if one["raters"] == 2 else one["fleiss"]
    limits = "" if alpha["low"] is None else f"{alpha['low']:.2f} to {alpha['high']:.2f}"
    values = [_shown(alpha["value"]), _shown(kappa["value"]), _shown(one["raw"]["value"])]
    return f"{name:34}{one['things']:6}  {values[0]:>6}  {limits:16}{values[1]:>6}  {values[2]:>6}"


def _shown(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _by(rated: Sequence[Rated], key: Callable[[Rated], str], rounds: int) -> dict[str, Any]:
    keys = dict.fromkeys(key(one) for one in rated if key(one))
    return {name: _agreement([one for one in rated if key(one) == name], rounds) for name in keys}


def _agreement(rated: Sequence[Rated], rounds: int) -> dict[str, Any]:
    found: Agreement = agree([one.thing for one in rated], rated[0].level, rounds=rounds)
    return asdict(found)


def _marks(note: LabelledNote, judges: Sequence[str]) -> list[Rated]:
    """Without ``judges``: therapist against therapist; with one: each therapist against it, a thing a therapist."""

    def things(values: tuple[int, ...], judge_values: Sequence[int | None]) -> list[Thing]:
        if not judges:
            return [Thing(note.conversation, values)]
        return [Thing(note.conversation, (value, theirs)) for value in values for theirs in judge_values]

    found = [
        Rated(Dimension.COMPLETENESS.value, item.split("-")[0], item, thing)
        for item, present in note.present.items()
        for thing in things(present, [note.llm_present[judge][item] for judge in judges])
    ]
    for labelled in note.sentences:
        section = labelled.sentence.section.value
        found += [
            Rated(Dimension.CONCISENESS.value, section, "", thing)
            for thing in things(labelled.needed, [labelled.llm_needed[judge] for judge in judges])
        ]
        if not judges:
            thing = Thing(note.conversation, labelled.faithful)
            found.append(Rated(Dimension.FAITHFULNESS.value, section, "", thing))
    return found


def _ratings(notes: Sequence[LabelledNote]) -> list[Rated]:
    """The 1 to 5 ratings, ordinal."""
    found = []
    for note in notes:
        for section, own in note.likert.items():
            found += [
                Rated(name, section.value, "", Thing(note.conversation, values), Level.ORDINAL)
                for name, values in own.items()
            ]
        if note.acceptance:
            found.append(Rated(ACCEPTANCE, "", "", Thing(note.conversation, note.acceptance), Level.ORDINAL))
    return found


def _of_reviews(note: Note, reviews: Sequence[Review], judged: Evaluation | None) -> list[Rated]:
    sections = {sentence.id: sentence.section.value for sentence in note.sentences}
    risks: list[dict[str, Any]] = [{str(t): a.value for t, a in risk_answers(r.items).items()} for r in reviews]
    items: list[dict[str, Any]] = [{m.item: m.present for m in r.items if ":" not in m.item} for r in reviews]
    needs: list[dict[str, Any]] = [{m.sentence: m.needed for m in review.needs} for review in reviews]
    claims: list[dict[str, Any]] = [
        {m.sentence: m.verdict is Verdict.SUPPORTED for m in review.claims} for review in reviews
    ]
    if judged is not None:
        asked = dict.fromkeys(turn for one in risks for turn in one)
        theirs = {turn: judged_risk(judged, int(turn)) for turn in asked}
        risks.append({turn: answer and answer.value for turn, answer in theirs.items()})
        items.append({v.item: v.present for v in judged.checklist})
        needs.append({j.sentence.id: j.need.needed for j in judged.sentences if j.need})
        claims.append(
            {
                j.sentence.id: j.claim.verdict is Verdict.SUPPORTED
                for j in judged.sentences
                if j.claim and j.claim.verdict
            }
        )
    found = [
        Rated(Dimension.RISK.value, "", "", _thing(note, risks, turn))
        for turn in dict.fromkeys(turn for one in risks for turn in one)
    ]
    found += [
        Rated(Dimension.COMPLETENESS.value, item.split("-")[0], item, _thing(note, items, item))
        for item in dict.fromkeys(item for one in items for item in one)
    ]
    for dimension, marks in ((Dimension.CONCISENESS, needs), (Dimension.FAITHFULNESS, claims)):
        found += [Rated(dimension.value, sections[s], "", _thing(note, marks, s)) for s in sections]
    return found


def _likert(note: Note, reviews: Sequence[Review]) -> list[Rated]:
    ratings: list[dict[str, Any]] = [{rating.place: rating.value for rating in review.ratings} for review in reviews]
    places = {rating.place: rating for review in reviews for rating in review.ratings}
    found = [
        Rated(rating.dimension.value, rating.section or "", "", _thing(note, ratings, place), Level.ORDINAL)
        for place, rating in places.items()
    ]
    values = tuple(review.acceptance for review in reviews)
    return [*found, Rated(ACCEPTANCE, "", "", Thing(note.sha256, values), Level.ORDINAL)]


def _thing(note: Note, marks: Sequence[Mapping[str, Any]], place: str) -> Thing:
    return Thing(note.sha256, tuple(one.get(place) for one in marks))
