"""What came back, beside the note that is being rewritten: a point is chosen, the note and the session go there."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Signal

from noteeval_desktop.domain.asked import RiskAnswer, risk_answers
from noteeval_desktop.domain.decisions import item_subject, risk_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind, ranked_findings
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import SCORED, Dimension, Review, Vouched
from noteeval_desktop.domain.reviewed import accepted_marks, settled_evaluation, settled_marks
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Importance, Rubric
from noteeval_desktop.domain.standing import Stand, Standing, stand_of
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Transcript, cite
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.present import standing
from noteeval_desktop.present.headings import item_heading
from noteeval_desktop.present.scores import covered, needed, supported
from noteeval_desktop.present.standing import answered, whose
from noteeval_desktop.present.vocabulary import RISK_NAMES
from noteeval_desktop.report.feedback import ACCEPTANCE_VALUES
from noteeval_desktop.report.talking_points import FOUND_BY_THE_CHECK
from noteeval_desktop.ui.case.workspace import Workspace
from noteeval_desktop.ui.findings.row_list import RowList
from noteeval_desktop.ui.findings.rows import Row
from noteeval_desktop.ui.library import brought
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.pages import Line, grouped
from noteeval_desktop.ui.widgets.parts import Window, button, column, row, tick
from noteeval_desktop.ui.widgets.plain import PlainLabel, shortened
from noteeval_desktop.ui.widgets.shell import Shell
from noteeval_desktop.ui.widgets.theme import UNIT
from noteeval_desktop.ui.widgets.words import turn_list

if TYPE_CHECKING:
    from noteeval_desktop.ui.supervision.work import Feedback

RISK = words.DIMENSION_NAMES[Dimension.RISK]
COMMENTS, TO_FIX, TO_ADD, TO_CUT = tr("Comments"), tr("To fix"), tr("To add"), tr("To cut")
REASONS = tr("How differences were settled")


@dataclass(frozen=True, slots=True)
class Point:
    """``quote`` are words of the reviewed note that it is about; ``turns`` those of the session that it rests on.
    ``by``: of what only the check found, the group that it would stand in."""

    group: str
    said: str
    quote: str = ""
    turns: tuple[int, ...] = ()
    about: str = ""
    by: str = ""


def points(
    review: Review, note: Note, rubric: Rubric, judged: Evaluation | None = None, dismissed: Container[str] = ()
) -> tuple[Point, ...]:
    """After settling: what both agreed on in the end, and of ``judged`` what the supervisor left to it and the author
    has not ``dismissed`` (keys of findings)."""
    rubric = (judged and judged.rubric) or rubric
    found = [*_risks(review, judged), *_points(settled_marks(review), note, rubric)]
    if judged is not None:
        left = _points(
            replace(_as_shown(accepted_marks(review, judged), judged, dismissed), comments=(), settled=()), note, rubric
        )
        check = FOUND_BY_THE_CHECK
        found += [replace(one, group=check, about=one.about or one.group, by=one.group) for one in left]
        # Passages on risk that the check did not find in the note, and about which nobody asked the supervisor.
        asked = risk_answers(review.items)
        found += [
            _not_written(check, risk.citation.turn, risk, by=RISK)
            for risk in settled_evaluation(judged, review).risks or ()
            if risk.pressing and risk.citation.turn not in asked and risk_subject(risk) not in dismissed
        ]
    own = (RISK, TO_FIX, TO_ADD, TO_CUT)
    order, kinds = (COMMENTS, *own, REASONS, FOUND_BY_THE_CHECK), (*own, "")
    return tuple(sorted(found, key=lambda point: (order.index(point.group), kinds.index(point.by))))


def _as_shown(accepted: Review, judged: Evaluation, dismissed: Container[str]) -> Review:
    """Without marks that the judge itself is not sure enough of to show the author: nobody said them."""
    found = [one for one in ranked_findings(judged) if one.key not in dismissed]
    told = {(one.kind, one.sentence.id) for one in found if one.sentence is not None}
    wrong = {sentence for kind, sentence in told if kind in map(FindingKind, ERRORS)}
    return replace(
        accepted,
        items=tuple(m for m in accepted.items if m.present or item_subject(m.item) not in dismissed),
        needs=tuple(m for m in accepted.needs if m.needed or (FindingKind.UNNEEDED, m.sentence) in told),
        claims=tuple(m for m in accepted.claims if m.verdict not in ERRORS or m.sentence in wrong),
    )


def _risks(review: Review, judged: Evaluation | None) -> list[Point]:
    """Passages on risk that the supervisor did not find in the note; ``judged`` knows which danger each is."""
    ledger = (settled_evaluation(judged, review).risks if judged is not None else None) or ()
    known = {risk.citation.turn: risk for risk in reversed(ledger)}
    return [
        _not_written(RISK, turn, known.get(turn), answer is RiskAnswer.OPPOSITE)
        for turn, answer in risk_answers(settled_marks(review).items).items()
        if answer in (RiskAnswer.LEFT_OUT, RiskAnswer.OPPOSITE)
    ]


def _not_written(group: str, turn: int, risk: RiskFinding | None, opposite: bool = False, by: str = "") -> Point:
    """ "Abuse, turn 11: “That was frightening.” It is not in your note."; ``risk`` None where it is not known."""
    said = tr("Your note says the opposite.") if opposite else tr("It is not in your note.")
    where = turn_list((turn,))
    if risk is None:
        said = tr("{where} is about risk. {said}").format(where=where, said=said)
    else:
        said = f"{RISK_NAMES[risk.kind]}, {where.lower()}: “{shortened(risk.citation.quote, 160)}” {said}"
    return Point(group, said, turns=(turn,), by=by)


def _points(settled: Review, note: Note, rubric: Rubric) -> list[Point]:
    sentences = {sentence.id: sentence.text for sentence in note.sentences}
    names = {item.id: item.name for item in rubric.items}
    found = []
    for one in settled.comments:
        about = (turn_list(one.turns) if one.turns else "", names.get(one.item or ""))
        found.append(Point(COMMENTS, one.text, one.quote, one.turns, " · ".join(filter(None, about))))
    found += [
        Point(TO_FIX, words.claim(mark), sentences[mark.sentence], mark.turns)
        for mark in settled.claims
        if mark.verdict in ERRORS and mark.sentence in sentences
    ]
    missing = {mark.item for mark in settled.items if not mark.present}
    items = [item for item in rubric.items if item.id in missing]
    items.sort(key=lambda item: item.importance is not Importance.MANDATORY)
    found += [
        Point(
            TO_ADD,
            f"{item.name}: {item.description}" if item.more else item.name,
            about=item_heading(note, item.section, item.id),
        )
        for item in items
    ]
    found += [
        Point(TO_CUT, words.NOT_NEEDED, sentences[mark.sentence])
        for mark in settled.needs
        if not mark.needed and mark.sentence in sentences
    ]
    judged = {mark.sentence for mark in settled.claims if mark.judged}
    found += [
        Point(
            REASONS,
            words.decided(one, one.place in judged),
            sentences.get(one.place, ""),
            turns=(turn := (int(one.place.split(":")[-1]),) if one.dimension is Dimension.RISK else ()),
            about=names.get(one.place, turn_list(turn) if turn else ""),
        )
        for one in settled.settled
        if one.reason
    ]
    return found


def summary(review: Review) -> str:
    """ "Completeness 4 of 5 · Conciseness 3 of 5 · …"."""
    rated = {rating.dimension: rating.value for rating in review.ratings if rating.section is None}
    parts = [f"{words.DIMENSION_NAMES[d]} {words.of_five(rated[d])}" for d in SCORED if d in rated]
    if review.acceptance is not None:
        said = tr("Would I accept this note into the record? {answer}.")
        parts.append(said.format(answer=ACCEPTANCE_VALUES[review.acceptance - 1]))
    return " · ".join(parts)


def in_the_margin(review: Review, rater: str, text: str) -> tuple[tuple[Span, str], ...]:
    """The review's comments where their words still stand in the note; at their old place where they stand twice."""
    found = []
    for comment in review.comments:
        start = comment.span.start if comment.span.of(text) == comment.quote else text.find(comment.quote)
        if start >= 0 and comment.quote:
            found.append((Span(start, start + len(comment.quote)), f"{rater}: {comment.text}"))
    return tuple(found)


def came_back(stand: Stand, review: Review, changed: bool, mine: bool, vouched: Vouched | None) -> str:
    """What became of the note on the desk. ``changed``: it reads otherwise than what was reviewed; ``mine``: whoever
    reads this reviewed it. Empty while the note waits for an answer."""
    own = stand_of(review)
    shown = Stand(Standing.CHANGED, own.by) if changed and review.signature is not None else own
    if shown.standing is Standing.MARKED and stand.review == review.id:
        shown = stand
    if shown.standing is Standing.MARKED:
        return standing.said(shown, True) if mine else ""
    said = standing.said(shown, mine, whose(shown.by, vouched))
    count = len(review.comments)
    if shown.standing is Standing.CHANGED or not count:
        return said
    return tr("{said} It has {comments}.").format(said=said, comments=words.comments(count))


_SIGNS = {
    COMMENTS: ("✎", "accent"),
    RISK: ("⚠", "red"),
    TO_FIX: ("✗", "red"),
    TO_ADD: ("+", "red"),
    TO_CUT: ("–", "grey"),
    REASONS: ("≈", "accent"),
    FOUND_BY_THE_CHECK: ("?", "muted"),
}


class FeedbackWindow(Window):
    """``submit_asked`` when the author is done, ``pdf_asked`` for the scorecard with the review.

    Stays open while the note is written.
    """

    submit_asked = Signal()
    pdf_asked = Signal()

    def __init__(
        self, came: Feedback, rubric: Rubric, transcript: Transcript, workspace: Workspace, window: Shell
    ) -> None:
        """``came`` has a review and its note."""
        super().__init__(window, tr("Feedback"), (58 * UNIT, 76 * UNIT))
        review, note = came.review, came.note
        assert review is not None
        assert note is not None
        self._workspace, self._turns = workspace, transcript.turns
        self._points = points(review, note, rubric, came.judged, came.dismissed)
        self._lines: tuple[Line, ...] = ()
        self._review, self._note, self._vouched = review, note, came.vouched
        self._stand = came.stand if came.stand.review == review.id else stand_of(review)
        self.head = PlainLabel("", look="heading", wrap=True)
        key = brought.vouched_review(came.provenance) if came.provenance is not None else ""
        self.vouched = PlainLabel(key, look="muted", wrap=True)
        said = [summary(review)]
        if came.judged is not None:
            scores = settled_evaluation(came.judged, review).scores
            parts = covered(scores.completeness), needed(scores.conciseness), supported(scores.faithfulness)
            by = tr("With the supervisor's marks, and the check's where the supervisor was not asked: {scores}.")
            said.append(by.format(scores=" · ".join(parts)))
        self.summary = PlainLabel("\n".join(filter(None, said)), look="muted", wrap=True)
        self.list = RowList(tr("What was marked"))
        self.list.selectionModel().currentChanged.connect(self._show)
        self.pdf = button(tr("Save as PDF…"), self.pdf_asked.emit)
        self.again = button(tr("Submit again…"), self.submit_asked.emit, "primary")
        while_open = tr(
            "While this window is open, the note, its scores and its risks are shown as the judge marked them. "
            "Otherwise the supervisor's marks are shown."
        )
        self.judges = tick(tr("Judge's marks in the note"), hint=while_open)
        foot = row(self.judges, None, self.pdf, self.again)
        column(self.head, self.vouched, self.summary, (self.list, 1), foot, on=self, margins=(2,), spacing=1)
        self.again.setVisible(review.signature is None)
        self._workspace.editor.note_edited.connect(self.refresh)
        self.refresh()
        self.list.setFocus()

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.list.rows.rows

    def refresh(self) -> None:
        """Which of the quoted words still stand in the note as it is now, and whether that is what was approved."""
        text, review = self._workspace.editor.note_text(), self._review
        changed = review.signature is not None and text != self._note.text
        now = Stand(Standing.CHANGED, self._stand.by) if changed else self._stand
        self.head.setText(answered(now, self._vouched))
        self._lines = grouped((one.group for one in self._points), [_row(one, text) for one in self._points])
        self.list.rows.show_rows(tuple(line.row for line in self._lines))

    def _show(self, index: QModelIndex) -> None:
        at = self._lines[index.row()].at if index.isValid() and index.row() < len(self._lines) else None
        if at is None:
            return
        point = self._points[at]
        place = self._workspace.editor.note_text().find(point.quote) if point.quote else -1
        if place >= 0:
            self._workspace.editor.reveal(Span(place, place + len(point.quote)))
        turns = self._turns
        self._workspace.transcript.show_citations(tuple(cite(turns[n]) for n in point.turns if n < len(turns)))


def _row(point: Point, text: str) -> Row:
    sign, tone = _SIGNS[point.group]
    quote = f"“{shortened(point.quote, 110)}”" if point.quote else ""
    detail = " · ".join(part for part in (point.about, quote) if part)
    rewritten = tr("✓ rewritten since")
    done = bool(point.quote) and point.quote not in text
    return Row(point.said, f"{detail}\n{rewritten}" if done else detail, sign, "muted" if done else tone)
