"""What a judge, or a person, says about a part of a note. A value of None means: not judged."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation


class Verdict(StrEnum):
    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    UNSUPPORTED = "unsupported"
    OBSERVED = "observed"


# What is wrong with the note; what is only observed is counted apart.
ERRORS = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
# What each says of the session.
SAYS = {
    Verdict.SUPPORTED: "supported by the session",
    Verdict.CONTRADICTED: "contradicted by the session",
    Verdict.UNSUPPORTED: "not found in the session",
    Verdict.OBSERVED: "only someone in the room can know this",
}
# As claims are listed.
GRAVEST_FIRST = (*ERRORS, Verdict.OBSERVED, Verdict.SUPPORTED)


class Severity(StrEnum):
    NONE = "none"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Confidence(StrEnum):
    """How far a verdict is to be trusted, in the words that the app shows."""

    SURE = "sure"
    LIKELY = "likely"
    UNSURE = "unsure"


# A language model's probability this far from one half is called sure, this near unsure.
_SURE, _UNSURE = 0.4, 0.15


def confidence_of(probability: float | None) -> Confidence | None:
    """Of a language model that gave this probability to one of two answers."""
    if probability is None:
        return None
    distance = abs(probability - 0.5)
    return Confidence.SURE if distance >= _SURE else Confidence.UNSURE if distance < _UNSURE else Confidence.LIKELY


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge says of a thing about which a second was asked, too.

    ``judge``: builtin, local or remote. ``says``: of a claim a verdict's value; of a sentence ``needed`` or ``not
    needed``, of an item ``present`` or ``missing``, of an omission ``left out`` or ``not left out``, of a danger
    ``heard`` or ``not heard``; empty where it gave no answer, and ``rationale`` says why. ``probability`` and
    ``mass``: as the verdicts have them.
    """

    judge: str
    says: str
    probability: float | None = None
    mass: float | None = None
    rationale: str = ""
    citations: tuple[Citation, ...] = ()


def differ(opinions: tuple[Opinion, ...]) -> bool:
    """Whether two judges answered, and not alike."""
    return len({opinion.says for opinion in opinions if opinion.says}) > 1


@dataclass(frozen=True, slots=True)
class ItemVerdict:
    """Is a rubric item covered? ``section`` is None for a general item.

    ``probability``: that a therapist would mark the item present. ``sentences``: ids of those that
    carry it. ``suggested_turns``: where the session would supply a missing item. ``mass``: of a model that was asked
    for yes or no, the probability that it says either at all; None where it was asked otherwise. ``opinions``: as
    NeedVerdict has it. ``set_aside``: the judge has not learned the item, so that its missing verdict is no gap in the
    judging.
    """

    item: str
    section: Section | None
    importance: Importance
    present: bool | None
    probability: float | None = None
    confidence: Confidence | None = None
    sentences: tuple[str, ...] = ()
    suggested_turns: tuple[int, ...] = ()
    rationale: str = ""
    mass: float | None = None
    opinions: tuple[Opinion, ...] = ()
    set_aside: bool = False


@dataclass(frozen=True, slots=True)
class NeedVerdict:
    """Does a sentence serve a rubric item of its section?

    ``probability``: that a therapist would give the sentence at least one rubric item. ``set_aside``: the sentence
    speaks to whoever reviews the note or, where ``needed`` is None, is not finished: no gap in the judging.
    ``mass``: as ItemVerdict has it. ``opinions``: of the built-in judge and of a model, where both were asked.
    """

    sentence: str
    needed: bool | None
    probability: float | None = None
    confidence: Confidence | None = None
    items: tuple[str, ...] = ()
    rationale: str = ""
    set_aside: bool = False
    mass: float | None = None
    opinions: tuple[Opinion, ...] = ()


@dataclass(frozen=True, slots=True)
class WrongWords:
    """Words of a sentence that are wrong: ``span.of(sentence.text) == words``.

    ``said``: what the session has in their place, None where it has nothing. ``instead``: what the note could say
    there; empty where nobody has named it.
    """

    span: Span
    words: str
    said: Citation | None = None
    instead: str = ""


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """Does the session support what a sentence claims?

    ``probability``: that a therapist who reads the transcript would call the sentence faithful (the published
    definition, so low for an ``observed`` claim). ``set_aside``: the sentence makes no claim about the session (yet),
    so that its missing verdict is no gap in the judging. ``opinions``: as NeedVerdict has it; where both were asked,
    the verdict follows from the one probability. ``mass``: of a model, the probability that it says any of the four
    verdicts at all; None where its engine does not tell. ``judged``: as ClaimMark has it. ``unvouched``: it is on risk
    and to be checked, though it passed. ``wrong``: of an error, the words that are, in their order; empty where it is
    all of the sentence, or not known. ``inferred``: of what is supported, that it is a clinician's conclusion which the
    session's facts carry. ``seen``: of what is observed, the stretch of the sentence that only somebody in the room can
    know, where the session bears out the rest.
    """

    sentence: str
    verdict: Verdict | None
    probability: float | None = None
    confidence: Confidence | None = None
    severity: Severity = Severity.NONE
    rationale: str = ""
    citations: tuple[Citation, ...] = ()
    set_aside: bool = False
    opinions: tuple[Opinion, ...] = ()
    mass: float | None = None
    judged: bool = False
    unvouched: bool = False
    wrong: tuple[WrongWords, ...] = ()
    inferred: bool = False
    seen: Span | None = None

    @property
    def barely(self) -> bool:
        """Passed, but without a passage to show for it, or so narrowly that one in four is wrong (of 2,812 claims by
        authors whom the judge never saw, 27 %)."""
        return self.verdict is Verdict.SUPPORTED and self.confidence is Confidence.UNSURE


class OmissionKind(StrEnum):
    RISK = "risk"
    SYMPTOM = "symptom"
    MEDICATION = "medication"
    SUBSTANCE = "substance"
    HISTORY = "history"
    GOAL = "goal"
    HOMEWORK = "homework"
    INTERVENTION = "intervention"
    PLAN = "plan"
    SCALE = "scale"
    SAFETY_PLAN = "safety-plan"
    SOCIAL = "social"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Omission:
    """Something that the session holds and the note leaves out; ``item`` is where it would belong.

    ``also`` are further passages on the same subject, in the session's order: a short answer's question among them.
    ``opinions``: as NeedVerdict has it.
    """

    citation: Citation
    kind: OmissionKind
    severity: Severity
    item: str | None = None
    rationale: str = ""
    also: tuple[Citation, ...] = ()
    opinions: tuple[Opinion, ...] = ()

    @property
    def citations(self) -> tuple[Citation, ...]:
        """What it rests on, the first first."""
        return (self.citation, *self.also)


class Attribute(StrEnum):
    """The six attributes of a response to a client, after Badawi et al. (2026)."""

    GUIDANCE = "guidance"
    INFORMATIVENESS = "informativeness"
    SAFETY = "safety"
    EMPATHY = "empathy"
    HELPFULNESS = "helpfulness"
    INTERPRETATION = "interpretation"


COGNITIVE = (Attribute.GUIDANCE, Attribute.INFORMATIVENESS, Attribute.SAFETY)
AFFECTIVE = (Attribute.EMPATHY, Attribute.HELPFULNESS, Attribute.INTERPRETATION)
GAP_LIMIT = 0.5
SUBTHRESHOLD = 3


@dataclass(frozen=True, slots=True)
class Evidence:
    """The words that a response's score rests on: ``response[span] == quote``."""

    attribute: Attribute
    span: Span
    quote: str
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ResponseVerdict:
    """How a response to a client scores, 1 to 5 an attribute; ``turn`` is None outside a session."""

    turn: int | None
    scores: tuple[tuple[Attribute, int | None], ...]
    crisis: bool = False
    evidence: tuple[Evidence, ...] = ()
    recommendations: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for attribute, score in self.scores:
            if score is not None and not 1 <= score <= 5:
                raise ValueError(f"{attribute} must be 1 to 5, not {score}")

    def score(self, attribute: Attribute) -> int | None:
        return dict(self.scores).get(attribute)

    def _mean(self, attributes: tuple[Attribute, ...]) -> float | None:
        known = [value for attribute, value in self.scores if attribute in attributes and value is not None]
        # Not statistics.mean, which counts in fractions: a long session's list asks this thousands of times.
        return sum(known) / len(known) if len(known) == len(attributes) else None

    @property
    def css(self) -> float | None:
        """Cognitive Support Score."""
        return self._mean(COGNITIVE)

    @property
    def ars(self) -> float | None:
        """Affective Resonance Score."""
        return self._mean(AFFECTIVE)

    @property
    def gap(self) -> float | None:
        """CSS - ARS: positive where facts outweigh attunement."""
        css, ars = self.css, self.ars
        return None if css is None or ars is None else css - ars

    @property
    def flags(self) -> tuple[str, ...]:
        """``gap``, ``crisis``, ``critical:safety`` and ``subthreshold:<attribute>``, as they apply."""
        flags = ["crisis"] if self.crisis else []
        safety = self.score(Attribute.SAFETY)
        if safety is not None and safety <= SUBTHRESHOLD:
            flags.append("critical:safety")
        flags += [f"subthreshold:{name}" for name, value in self.scores if value is not None and value <= SUBTHRESHOLD]
        if (gap := self.gap) is not None and abs(gap) > GAP_LIMIT:
            flags.append("gap")
        return tuple(flags)
