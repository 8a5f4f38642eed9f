"""What a scorecard was made from, as hashes and counts without a word of the case, and comparing two of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.domain.review import Review, Vouched
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.errors import InputError

NAMES = {
    "note": tr("Note"),
    "transcript": tr("Session"),
    "rubric": tr("Rubric"),
    "prompts": tr("Prompts"),
    "judge": tr("Kind of judge"),
    "model": tr("Model"),
    "version": tr("Version of the judge"),
    "completeness": tr("Completeness"),
    "conciseness": tr("Conciseness"),
    "faithfulness": tr("Faithfulness"),
    "judgements": tr("Every mark of the judge"),
    "review": tr("Supervisor's review"),
    "signer": tr("Key of the review"),
    "signer_known": tr("Whose key it is"),
}


@dataclass(frozen=True, slots=True)
class Fingerprints:
    """SHA-256 in hex; empty where there is none. Scores as "done/total"; ``judgements`` is all that was judged.

    ``model`` and ``version`` are the judge's own names for themselves (the built-in judge's model is a hash).
    ``signer`` is the fingerprint of the key that the review is signed with, ``signer_known`` a ``SignerKnown``: whether
    that key was known where the scorecard was made.
    """

    note: str = ""
    transcript: str = ""
    rubric: str = ""
    prompts: str = ""
    judge: str = ""
    model: str = ""
    version: str = ""
    completeness: str = ""
    conciseness: str = ""
    faithfulness: str = ""
    judgements: str = ""
    review: str = ""
    signer: str = ""
    signer_known: str = ""

    def to_json(self) -> dict[str, str]:
        return asdict(self)


def fingerprints_of(
    evaluation: Evaluation, review: Review | None = None, vouched: Vouched | None = None
) -> Fingerprints:
    judge, scores = evaluation.judge, evaluation.scores
    return Fingerprints(
        note=evaluation.case.note.sha256,
        transcript=evaluation.case.transcript.source_sha256,
        rubric=judge.rubric,
        prompts=judge.prompts,
        judge=_printable(judge.kind),
        model=_printable(judge.model),
        version=_printable(judge.version),
        completeness=f"{scores.completeness.done}/{scores.completeness.total}",
        conciseness=f"{scores.conciseness.done}/{scores.conciseness.total}",
        faithfulness=f"{scores.faithfulness.done}/{scores.faithfulness.total}",
        judgements=_judgements(evaluation),
        review=_of_review(review) if review is not None else "",
        signer=vouched.signer if vouched is not None else "",
        signer_known=vouched.known.value if vouched is not None else "",
    )


def _of_review(review: Review) -> str:
    """Facts that reviews came to have later count only where they hold, so that earlier scorecards still match."""
    plain = to_plain(review)
    for comment in plain["comments"]:
        if not comment.get("turns"):
            comment.pop("turns", None)
    return _hashed({name: value for name, value in plain.items() if value is not False})


def fingerprints_in(data: Mapping[str, Any]) -> Fingerprints:
    """Of an evaluation's JSON, also one without its texts; ``judgements`` stays empty. Raises InputError."""
    try:
        case, judge, scores = data["case"], data["judge"], data["scores"]
        return Fingerprints(
            note=case["note_sha256"],
            transcript=case["transcript_sha256"],
            rubric=judge["rubric"],
            prompts=judge["prompts"],
            judge=_printable(judge["kind"]),
            model=_printable(judge["model"]),
            version=_printable(judge["version"]),
            **{
                name: f"{int(scores[name]['done'])}/{int(scores[name]['total'])}"
                for name in ("completeness", "conciseness", "faithfulness")
            },
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError("evaluation", tr("is damaged"), tr("Write it again with this version.")) from error


def fingerprints_from_json(data: object) -> Fingerprints:
    """What ``to_json`` gave; members that are not known here are left out. Raises ValueError."""
    if not isinstance(data, dict) or not all(isinstance(value, str) for value in data.values()):
        raise ValueError("not fingerprints")
    return Fingerprints(**{field.name: data[field.name] for field in fields(Fingerprints) if field.name in data})


class State(StrEnum):
    SAME = "same"
    DIFFERENT = "different"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Check:
    """``what`` is a member of Fingerprints; both values as they stand, empty where one side has none."""

    what: str
    state: State
    scorecard: str
    case: str


def compare(scorecard: Fingerprints, case: Fingerprints) -> tuple[Check, ...]:
    """One check a member, in order; what either side lacks is not compared."""
    checks = []
    for field in fields(Fingerprints):
        mine, theirs = getattr(scorecard, field.name), getattr(case, field.name)
        known = bool(mine) and bool(theirs)
        state = State.NOT_COMPARED if not known else State.SAME if mine == theirs else State.DIFFERENT
        checks.append(Check(field.name, state, mine, theirs))
    return tuple(checks)


def of_case(
    scorecard: Fingerprints,
    evaluations: Sequence[Evaluation],
    reviews: Sequence[Review] = (),
    signers: Sequence[str] = (),
) -> Fingerprints | None:
    """Of the evaluations of a case the one that differs least from the scorecard, the latest of several; None for none.

    The review is the scorecard's own where the case holds it, otherwise the case's last one. ``signers``: the
    fingerprint of the key that signed each review, where that is known.
    """
    known = [fingerprints_of(one) for one in evaluations]
    if not known:
        return None
    nearest = min(
        reversed(known), key=lambda one: sum(check.state is State.DIFFERENT for check in compare(scorecard, one))
    )
    handed_in = [_of_review(review) for review in reviews]
    review = scorecard.review if scorecard.review in handed_in else next(reversed(handed_in), "")
    signed = dict(zip(handed_in, signers, strict=False))
    return replace(nearest, review=review, signer=signed.get(review, ""))


def _judgements(evaluation: Evaluation) -> str:
    """Not its label, its usage or its scores: those follow from what is here, or say nothing of it."""
    parts = (
        evaluation.checklist,
        tuple((one.sentence, one.need, one.claim) for one in evaluation.sentences),
        evaluation.omissions,
        evaluation.responses,
        evaluation.risks,
    )
    return _hashed([to_plain(part) for part in parts])


def _printable(name: str) -> str:
    """Names are the user's own, and XML cannot hold every character."""
    return "".join(character if character.isprintable() else "?" for character in name)


def _hashed(data: object) -> str:
    return fingerprint(json.dumps(data, ensure_ascii=True, sort_keys=True, separators=(",", ":")))
