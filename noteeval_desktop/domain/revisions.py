"""What changed between two evaluated revisions of a note, and which findings each change solved or caused."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from noteeval_desktop.domain.evaluation import DimensionScore, Evaluation, JudgedSentence, Scores
from noteeval_desktop.domain.findings import KIND_OF_CLAIM, FindingKind
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.verdicts import ERRORS


@dataclass(frozen=True, slots=True)
class Finding:
    """``place`` is a rubric item's id, a sentence's id (in its own revision), or turn:start-end for an omission."""

    kind: FindingKind
    place: str


@dataclass(frozen=True, slots=True)
class Change:
    """Sentences taken out (``before``) and put in (``after``); one of them may be empty."""

    before: tuple[Sentence, ...]
    after: tuple[Sentence, ...]
    solved: tuple[Finding, ...] = ()
    caused: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """``elsewhere``: findings that came or went without a change of the sentences that they are about."""

    changes: tuple[Change, ...]
    elsewhere: Change


def start(before: Evaluation, after: Evaluation) -> Scores:
    """The scores of ``before``, from which those of ``after`` are told to rise or fall.

    To take out what the session does not bear out is no fall: where a score is lower now, it is compared without the
    false sentences that are gone, and without the items that they alone covered.
    """
    left = {judged.sentence.text for judged in after.sentences}
    gone = {
        judged.sentence.id
        for judged in before.sentences
        if judged.claim and judged.claim.verdict in ERRORS and judged.sentence.text not in left
    }
    checklist = [
        replace(item, present=False) if item.present and item.sentences and gone.issuperset(item.sentences) else item
        for item in before.checklist
    ]
    fair = score(checklist, [judged for judged in before.sentences if judged.sentence.id not in gone])
    was, now = before.scores, after.scores
    return replace(
        was,
        completeness=_start(was.completeness, fair.completeness, now.completeness),
        conciseness=_start(was.conciseness, fair.conciseness, now.conciseness),
    )


def _start(was: DimensionScore, fair: DimensionScore, now: DimensionScore) -> DimensionScore:
    if was.note is None or fair.note is None or now.note is None or now.note >= was.note:
        return was
    return fair if fair.note > now.note else now


def compare(before: Evaluation, after: Evaluation) -> Comparison:
    """Both by the same judge, or the comparison is between judges too. What was not judged is no finding."""
    changes: list[Change] = []
    solved: list[Finding] = []
    caused: list[Finding] = []
    matcher = SequenceMatcher(
        None, [j.sentence.text for j in before.sentences], [j.sentence.text for j in after.sentences], autojunk=False
    )
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            for old, new in zip(before.sentences[i1:i2], after.sentences[j1:j2], strict=True):
                gone, come = _differing([old], [new])
                solved += gone
                caused += come
            continue
        gone, come = _differing(before.sentences[i1:i2], after.sentences[j1:j2])
        taken_out = tuple(j.sentence for j in before.sentences[i1:i2])
        changes.append(Change(taken_out, tuple(j.sentence for j in after.sentences[j1:j2]), gone, come))
    changes = _with_items(changes, before, after)
    placed = {f for change in changes for f in (*change.solved, *change.caused)}
    whole_before, whole_after = _whole(before), _whole(after)
    solved += [f for f in whole_before if f not in whole_after and f not in placed]
    caused += [f for f in whole_after if f not in whole_before and f not in placed]
    return Comparison(tuple(changes), Change((), (), tuple(solved), tuple(caused)))


def _differing(
    old: Iterable[JudgedSentence], new: Iterable[JudgedSentence]
) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
    """Findings of ``old`` that ``new`` has no more of, and the other way round, counted by kind."""
    first = [finding for judged in old for finding in _of_sentence(judged)]
    second = [finding for judged in new for finding in _of_sentence(judged)]
    return _beyond(first, second), _beyond(second, first)


def _beyond(findings: list[Finding], others: list[Finding]) -> tuple[Finding, ...]:
    left = Counter(finding.kind for finding in others)
    kept = []
    for finding in findings:
        left[finding.kind] -= 1
        if left[finding.kind] < 0:
            kept.append(finding)
    return tuple(kept)


def _of_sentence(judged: JudgedSentence) -> list[Finding]:
    found = []
    if judged.need and judged.need.needed is False:
        found.append(Finding(FindingKind.UNNEEDED, judged.sentence.id))
    if judged.claim and judged.claim.verdict in ERRORS:
        found.append(Finding(KIND_OF_CLAIM[judged.claim.verdict], judged.sentence.id))
    return found


def _with_items(changes: list[Change], before: Evaluation, after: Evaluation) -> list[Change]:
    """A missing item counts to the change that brought, or took away, a sentence that carries it."""
    carried_before = {item.item: set(item.sentences) for item in before.checklist if item.present}
    carried_after = {item.item: set(item.sentences) for item in after.checklist if item.present}
    missing_before = {item.item for item in before.checklist if item.present is False}
    missing_after = {item.item for item in after.checklist if item.present is False}
    result = []
    for change in changes:
        old, new = {s.id for s in change.before}, {s.id for s in change.after}
        solved = [i for i, carriers in carried_after.items() if i in missing_before and carriers & new]
        caused = [i for i, carriers in carried_before.items() if i in missing_after and carriers & old]
        result.append(replace(change, solved=change.solved + _missing(solved), caused=change.caused + _missing(caused)))
    return result


def _missing(items: Iterable[str]) -> tuple[Finding, ...]:
    return tuple(Finding(FindingKind.MISSING, item) for item in items)


def _whole(evaluation: Evaluation) -> list[Finding]:
    """Findings about the note as a whole."""
    omissions = [omission.citation for omission in evaluation.omissions or ()]
    return [
        *_missing(item.item for item in evaluation.checklist if item.present is False),
        *(Finding(FindingKind.OMISSION, f"{c.turn}:{c.span.start}-{c.span.end}") for c in omissions),
    ]
