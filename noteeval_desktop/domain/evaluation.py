"""The result of judging a case: a frozen value that views, store and reports show and never recompute."""

from __future__ import annotations

from dataclasses import dataclass, field

from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.exchanges import Reading
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.remarks import CopiedShare, Remark
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.verdicts import ClaimVerdict, ItemVerdict, NeedVerdict, Omission, ResponseVerdict


@dataclass(frozen=True, slots=True)
class JudgeIdentity:
    """Who said it: ``kind`` is builtin, local, remote or human; ``rubric`` and ``prompts`` are fingerprints."""

    kind: str
    model: str
    version: str
    rubric: str = ""
    prompts: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What judging took; ``cost`` is None where the price is unknown."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None
    seconds: float = 0.0
    bytes_sent: int = 0

    def since(self, before: Usage) -> Usage:
        """What was used after ``before``; ``seconds`` stay, as they are of one check already."""
        return Usage(
            calls=self.calls - before.calls,
            input_tokens=self.input_tokens - before.input_tokens,
            output_tokens=self.output_tokens - before.output_tokens,
            cached_tokens=self.cached_tokens - before.cached_tokens,
            cost=None if self.cost is None else self.cost - (before.cost or 0.0),
            seconds=self.seconds,
            bytes_sent=self.bytes_sent - before.bytes_sent,
        )


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """``done`` of ``total`` over the note and a share (0..1) per section; None where nothing was judged.

    ``expected`` is made from the judge's probabilities (their mean; for faithfulness see
    ``scores.expected_faithfulness``) and correlates better with people's scores than the counts do. ``unjudged`` items
    or sentences are in ``total`` and not in ``done``; unjudged claims are in neither.
    """

    done: int
    total: int
    sections: tuple[tuple[Section, float | None], ...]
    expected: float | None = None
    unjudged: int = 0

    @property
    def note(self) -> float | None:
        return self.done / self.total if self.total else None

    @property
    def least(self) -> int:
        """``done``, without what passed so narrowly that it is still to be looked at."""
        return self.done


@dataclass(frozen=True, slots=True)
class FaithfulnessScore(DimensionScore):
    """``observed`` claims are in neither ``done`` nor ``total``; ``published_definition`` counts them as errors.
    ``barely``: those of ``done`` that only a look at the session settles."""

    unsupported: int = 0
    contradicted: int = 0
    observed: int = 0
    by_severity: tuple[tuple[str, int], ...] = ()
    published_definition: float | None = None
    barely: int = 0

    @property
    def least(self) -> int:
        return self.done - self.barely


@dataclass(frozen=True, slots=True)
class Scores:
    completeness: DimensionScore
    conciseness: DimensionScore
    faithfulness: FaithfulnessScore


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """A sentence of the note with what was said about it; None: not judged."""

    sentence: Sentence
    need: NeedVerdict | None = None
    claim: ClaimVerdict | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``complete`` is False when a judge failed or was cancelled part-way; ``problems`` says how.

    ``risks`` is the ledger of dangers that the session touches, in its order; None: not looked for.
    ``wrong_on_risk`` are the sentences on risk that the session contradicts. ``behaviours`` counts what the therapist
    does; None: not counted. ``reading`` sums the responses up; None: not read, or taken from a file, which does not
    hold it. ``dropped`` are passages that the built-in judge would list as left out and a model would
    not: they are shown, and no finding. ``unheard`` are the turns of which the judge left out what speaks to whoever
    reviews the note. ``remarks`` need no session: rules, copied text, words for another record. ``rubric``: what the
    checklist was judged by; None where the judge has none of its own, and in files from before it was kept.
    ``copied``: None where there was no earlier note to compare with.
    ``thread``: what of the client's treatment plan note and session speak to; None without a plan.
    """

    case: Case
    judge: JudgeIdentity
    checklist: tuple[ItemVerdict, ...]
    sentences: tuple[JudgedSentence, ...]
    scores: Scores
    complete: bool = True
    problems: tuple[str, ...] = ()
    omissions: tuple[Omission, ...] | None = None
    responses: tuple[ResponseVerdict, ...] | None = None
    usage: Usage = field(default_factory=Usage)
    risks: tuple[RiskFinding, ...] | None = None
    behaviours: MiCounts | None = None
    unheard: tuple[int, ...] = ()
    wrong_on_risk: tuple[str, ...] = ()
    reading: Reading | None = field(default=None, compare=False)
    dropped: tuple[Omission, ...] = ()
    remarks: tuple[Remark, ...] = ()
    thread: Thread | None = None
    rubric: Rubric | None = None
    copied: CopiedShare | None = None

    def judged(self, sentence_id: str) -> JudgedSentence:
        """Raises KeyError for an unknown id."""
        for judged in self.sentences:
            if judged.sentence.id == sentence_id:
                return judged
        raise KeyError(sentence_id)


BUILTIN, LOCAL, REMOTE = "builtin", "local", "remote"
JUDGES = {BUILTIN: "Built-in", LOCAL: "Local model", REMOTE: "Online AI service"}


def model_name(known: str) -> str:
    """What a list calls the judge that is ``known`` as "kind model"."""
    kind, _, model = known.partition(" ")
    return JUDGES[BUILTIN] if kind == BUILTIN else model or kind
