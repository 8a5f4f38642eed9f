"""The three scores as a reader is told them: the same figure in the window, on paper and in the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from noteeval_desktop.domain.evaluation import BUILTIN, DimensionScore, Evaluation, FaithfulnessScore
from noteeval_desktop.domain.exchanges import Band
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import counted, interval, percent, share_of, tr
from noteeval_desktop.domain.remarks import CopiedShare
from noteeval_desktop.domain.review import Dimension
from noteeval_desktop.domain.risk import SAFETY_ITEM
from noteeval_desktop.domain.rubric import Importance, is_scored
from noteeval_desktop.domain.verdicts import Confidence, Verdict
from noteeval_desktop.present.headings import item_heading, name_of_block, sentence_heading
from noteeval_desktop.present.vocabulary import CLAIMS_SUPPORTED, CONFIDENCE_NAMES, NOT_CHECKED, SCORES, SECTION_NAMES

NOT_COMPARED = tr("Not compared with other sessions: an exchange is unsafe, and that needs to be looked at first.")
BAND_NAMES = {
    "affective": tr("Affective resonance, over the exchanges"),
    "cognitive": tr("Cognitive support, over the exchanges"),
    "reflections_to_questions": tr("Reflections to each question"),
    "complex_reflections": tr("Complex reflections, of all reflections"),
    "open_questions": tr("Open questions, of all questions"),
}


def beside(band: Band) -> str:
    """The session's value beside AnnoMI's sessions, and the usual thresholds."""
    said = tr("Higher than {good} of the good sessions and {weak} of the weak ones")
    said = said.format(good=percent(band.good), weak=percent(band.weak))
    if band.fair is None or band.strong is None:
        return said
    usual = tr("fair from {fair}, good from {strong}")
    return f"{said} · {usual.format(fair=_figure(band, band.fair), strong=_figure(band, band.strong))}"


def band_value(band: Band) -> str:
    """ "1.3, fair"; where there is no threshold, "3.4 of 5"."""
    if band.fair is None or band.strong is None:
        return tr("{value:.1f} of 5").format(value=band.value)
    grade = tr("good") if band.value >= band.strong else tr("fair") if band.value >= band.fair else tr("below fair")
    return f"{_figure(band, band.value)}, {grade}"


def _figure(band: Band, value: float) -> str:
    return f"{value:.1f}".removesuffix(".0") if band.name == "reflections_to_questions" else percent(value)


Shares = tuple[tuple[str, float | None], ...]


@dataclass(frozen=True, slots=True)
class Statement:
    """A score as a sentence: ``figure`` ("17 of 23"), what it counts, and a share (0..1) per section; ``trust``: how
    sure the judge is of what was counted."""

    name: str
    figure: str
    counted: str
    detail: str
    share: float | None
    sections: Shares
    trust: str = ""

    @property
    def said(self) -> str:
        """ "17 of 23 checklist items covered"."""
        return self.figure if self.share is None else f"{self.figure} {self.counted}"


def figure(score: DimensionScore) -> str:
    """ "17 of 23", and "13 to 19 of 24" where six of the 19 are still to be looked at: the one way to tell a score."""
    if not score.total:
        return NOT_CHECKED
    done = str(score.done)
    return share_of(interval(str(score.least), done) if score.least != score.done else done, score.total)


def covered(score: DimensionScore) -> str:
    """ "17 of 23 covered", where there is little room."""
    return f"{figure(score)} {tr('covered')}{_open(score)}" if score.total else tr("Checklist: not checked")


def needed(score: DimensionScore) -> str:
    """ "88 % of sentences needed"."""
    if score.note is None:
        return tr("Sentences: not checked")
    return f"{percent(score.note)} {tr('of sentences needed')}{_open(score)}"


def supported(score: FaithfulnessScore) -> str:
    """ "13 to 19 of 24 statements supported"."""
    if not score.total:
        return tr("No statements to compare") if score.observed else tr("Statements: not checked")
    return f"{figure(score)} {CLAIMS_SUPPORTED}{_open(score)}"


def _open(score: DimensionScore) -> str:
    return tr(" · {count} not checked").format(count=score.unjudged) if score.unjudged else ""


def copied_line(copied: CopiedShare | None) -> str:
    """How much of the note, and of each section, stands in earlier notes; empty where there was none to compare."""
    if copied is None:
        return ""
    said = tr("{share} of the sentences are also in the client’s earlier notes; {notes} compared. {sections}.")
    sections = ", ".join(f"{SECTION_NAMES[section]} {percent(share)}" for section, share in copied.sections)
    return said.format(share=percent(copied.note), notes=counted(copied.notes, tr("note")), sections=sections)


def statements(evaluation: Evaluation, linked: bool = False, confirmed: int = 0) -> tuple[Statement, ...]:
    """Completeness, conciseness, faithfulness. ``linked``: the clinician says which sentence of the note addresses a
    risk, and none is open; ``confirmed``: how many observations were."""
    note, scores = evaluation.case.note, evaluation.scores
    items = [item for item in evaluation.checklist if is_scored(item.item)]
    needs = [(one.sentence, one.need) for one in evaluation.sentences if one.need is not None]
    claims = [(one.sentence, one.claim) for one in evaluation.sentences if one.claim is not None]
    of_items = [(item_heading(note, item.section, item.item), item.present is True) for item in items]
    of_sentences = [
        (sentence_heading(note, one.sentence), one.need is not None and one.need.needed is True)
        for one in evaluation.sentences
    ]
    of_claims = [
        (sentence_heading(note, sentence), claim.verdict is Verdict.SUPPORTED)
        for sentence, claim in claims
        if not claim.set_aside and claim.verdict not in (None, Verdict.OBSERVED)
    ]
    covered = " · ".join(filter(None, (_missing(evaluation, linked), other_checklist(evaluation))))
    told: dict[Dimension, tuple[str, list[tuple[str, bool]], list[Confidence | None]]] = {
        Dimension.COMPLETENESS: (covered, of_items, [item.confidence for item in items]),
        Dimension.CONCISENESS: (needs_said(evaluation), of_sentences, [need.confidence for _, need in needs]),
        Dimension.FAITHFULNESS: (_faith(evaluation, confirmed), of_claims, [claim.confidence for _, claim in claims]),
    }
    made = []
    for dimension, (detail, flags, confidences) in told.items():
        score: DimensionScore = getattr(scores, dimension)
        unjudged = f"{score.unjudged} {NOT_CHECKED}" if score.unjudged and score.total else ""
        counts = Counter(confidence for confidence in confidences if confidence is not None)
        sure = ", ".join(f"{counts[one]} {name}" for one, name in CONFIDENCE_NAMES.items() if counts[one])
        name, counted_as = SCORES[dimension]
        made.append(
            Statement(
                name=name,
                figure=figure(score),
                counted=counted_as,
                detail=" · ".join(part for part in (detail, unjudged) if part),
                share=score.note,
                sections=_shares(score, note, flags),
                trust=tr("Confidence: {said}").format(said=sure) if sure else "",
            )
        )
    return tuple(made)


def other_checklist(evaluation: Evaluation) -> str:
    """Beside a completeness that compares with no published one; empty where it does."""
    rubric = evaluation.rubric
    if rubric is None or rubric.published:
        return ""
    return tr("by “{checklist}”, not comparable with TN-Eval").format(checklist=rubric.titled)


def needs_said(evaluation: Evaluation) -> str:
    """By which checklist the sentences were called needed, where that is not the one of the evaluation."""
    if evaluation.judge.kind != BUILTIN or not other_checklist(evaluation):
        return ""
    return tr("Which sentences are needed is judged by TN-Eval’s checklist: the quick check has learned no other.")


def _missing(evaluation: Evaluation, linked: bool) -> str:
    if not evaluation.scores.completeness.total:
        return ""
    mandatory = [item for item in evaluation.checklist if item.importance is Importance.MANDATORY]
    missing = [item for item in mandatory if item.present is False]
    if counted := sum(is_scored(item.item) for item in missing):
        said = tr("{count} mandatory not covered").format(count=counted)
    elif any(item.present is None for item in mandatory if is_scored(item.item)):
        said = tr("no mandatory item found missing")
    else:
        said = tr("all mandatory items covered")
    missing = [i for i in missing if not (linked and i.item == SAFETY_ITEM)]
    # The list of what to mend has these too: without a word on them the numbers would not add up.
    beside = len(missing) - counted
    return tr("{said} · {count} more outside the score").format(said=said, count=beside) if beside else said


def _faith(evaluation: Evaluation, confirmed: int) -> str:
    score = evaluation.scores.faithfulness
    if not score.total and not score.observed:
        return ""
    counts = [
        (score.barely, tr("{count} of the supported to check")),
        (score.contradicted, tr("{count} contradicted")),
        (score.unsupported, tr("{count} unsupported")),
        (score.observed, tr("{count} to confirm")),
        (confirmed, tr("{count} confirmed")),
    ]
    always = counts[1:4]
    return " · ".join(said.format(count=count) for count, said in counts if count or (count, said) in always)


def _shares(score: DimensionScore, note: Note, flags: Iterable[tuple[str, bool]]) -> Shares:
    """By the note's own headings."""
    if note.format == "SOAP" or not note.blocks:
        return tuple((SECTION_NAMES[section], share) for section, share in score.sections)
    if not score.total:
        return tuple((name, None) for name in dict.fromkeys(name_of_block(note, block) for block in note.blocks))
    own: dict[str, list[bool]] = {name_of_block(note, block): [] for block in note.blocks}
    for name, flag in flags:
        own.setdefault(name, []).append(flag)
    return tuple((name, sum(found) / len(found) if found else None) for name, found in own.items())
