"""An evaluation without names: every text of the case in it has tokens for identifiers, and every place moves along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from noteeval_desktop.domain.decisions import (
    Decision,
    omission_subject,
    remark_subject,
    risk_subject,
    sentence_subject,
    with_decided_links,
)
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.remarks import Remark
from noteeval_desktop.domain.review import Comment, Review
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.privacy.deidentify import DeidentifiedCase, deidentify, masked_plan
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.masking import mask


def masked_scorecard(
    evaluation: Evaluation, decisions: Sequence[Decision], review: Review | None, finder: IdentifierFinder
) -> tuple[Evaluation, tuple[Decision, ...], Review | None]:
    """All that a scorecard tells with tokens such as [PERSON-1], the same for the same name in all of it; speakers are
    called by their roles, whoever signed is named all the same. Responses, which quote freely, are left out.
    ``finder`` finds the names."""
    if evaluation.thread is not None:  # by the words as they were, which the decisions name
        thread = with_decided_links(evaluation.thread, evaluation.case.note, decisions)
        evaluation = replace(evaluation, thread=thread)
    walk = _walk(evaluation, finder)
    masked = _evaluation(evaluation, walk)
    subjects = dict(_subjects(evaluation, masked))
    made = (
        replace(one, subject=subjects.get(one.subject, one.subject), reason=walk.hide(one.reason)) for one in decisions
    )
    return masked, tuple(made), review and _review(review, walk)


def _evaluation(evaluation: Evaluation, walk: _Walk) -> Evaluation:
    case, hidden, thread = evaluation.case, walk.hidden, evaluation.thread
    turns = tuple(replace(turn, speaker=turn.speaker.capitalize()) for turn in hidden.case.transcript.turns)
    transcript = replace(case.transcript, turns=turns)
    note = replace(hidden.case.note, warnings=tuple(map(walk.hide, case.note.warnings)))
    return replace(
        evaluation,
        case=replace(case, transcript=transcript, note=note, label=""),
        checklist=walk(evaluation.checklist),
        sentences=walk(evaluation.sentences),
        omissions=walk(evaluation.omissions),
        dropped=walk(evaluation.dropped),
        risks=walk(evaluation.risks),
        thread=thread and replace(thread, plan=masked_plan(thread.plan, walk.finder, hidden.tokens)),
        remarks=tuple(map(walk.remark, evaluation.remarks)),
        responses=None,
        reading=None,
    )


def _review(review: Review, walk: _Walk) -> Review:
    """Comments and reasons with the tokens, each comment at its words."""
    return replace(
        review,
        note_sha256=walk.hidden.case.note.sha256,
        comments=tuple(walk.comment(one) for one in review.comments),
        settled=tuple(
            replace(one, agreed=walk.hide(one.agreed), reason=walk.hide(one.reason)) for one in review.settled
        ),
    )


def _walk(evaluation: Evaluation, finder: IdentifierFinder) -> _Walk:
    case = evaluation.case
    finder = finder.with_names(name for name in (*case.transcript.speakers, case.label) if name)
    hidden = deidentify(case, finder)
    texts = [*(turn.text for turn in case.transcript.turns), case.note.text]
    texts += [line.text for line in evaluation.thread.plan.lines] if evaluation.thread else []
    return _Walk(hidden, finder.learn(texts), {s.id: s for s in hidden.case.note.sentences})


def _subjects(before: Evaluation, after: Evaluation) -> list[tuple[str, str]]:
    """What a finding was called, and what it is called with its words masked."""
    pairs = [
        (sentence_subject(kind, old.sentence.text), sentence_subject(kind, new.sentence.text))
        for old, new in zip(before.sentences, after.sentences, strict=True)
        for kind in FindingKind
    ]
    for old, new in zip(before.omissions or (), after.omissions or (), strict=True):
        pairs.append((omission_subject(old), omission_subject(new)))
    for was, is_ in zip(before.risks or (), after.risks or (), strict=True):
        pairs.append((risk_subject(was), risk_subject(is_)))
    for first, second in zip(before.remarks, after.remarks, strict=True):
        pairs.append((remark_subject(first, before.case.note), remark_subject(second, after.case.note)))
    return pairs


@dataclass(frozen=True)
class _Walk:
    """Over frozen dataclasses and tuples: citations and sentences are moved, reasons masked, the rest stays."""

    hidden: DeidentifiedCase
    finder: IdentifierFinder
    sentences: dict[str, Sentence]

    def hide(self, text: str) -> str:
        return mask(text, self.finder.find(text), self.hidden.tokens).text

    def comment(self, comment: Comment) -> Comment:
        span = self._place(comment.span, comment.quote)
        return replace(comment, span=span, quote=span.of(self.hidden.case.note.text), text=self.hide(comment.text))

    def remark(self, remark: Remark) -> Remark:
        span = remark.span and self._place(remark.span, remark.span.of(self.hidden.original.note.text))
        says, instead, quote = map(self.hide, (remark.says, remark.instead, remark.quote))
        return replace(remark, span=span, says=says, instead=instead, quote=quote)

    def _place(self, old: Span, words: str) -> Span:
        """Where its ``words`` are not found again, the whole sentences that it is about."""
        own, text, quote = self.hidden.original.note, self.hidden.case.note.text, self.hide(words)
        about = [self.sentences[one.id].span for one in own.sentences if one.span.meets(old)]
        start = text.find(quote, about[0].start if about else 0) if quote else -1
        span = Span(about[0].start, about[-1].end) if about else Span(0, 0)
        return Span(start, start + len(quote)) if start >= 0 else span

    def __call__(self, value: Any) -> Any:
        if isinstance(value, Citation):
            return self._citation(value)
        if isinstance(value, Sentence):
            return self.sentences[value.id]
        if isinstance(value, tuple):
            return tuple(map(self, value))
        if not is_dataclass(value) or isinstance(value, type | Span):
            return value
        return replace(
            value,
            **{
                field.name: self.hide(own) if field.name == "rationale" else self(own)
                for field in fields(value)
                for own in (getattr(value, field.name),)
            },
        )

    def _citation(self, citation: Citation) -> Citation:
        turns = self.hidden.turns
        if not 0 <= citation.turn < len(turns):
            return replace(citation, quote=self.hide(citation.quote))
        turn = turns[citation.turn]
        span = turn.from_original(citation.span)
        return Citation(citation.turn, span, span.of(turn.text))
