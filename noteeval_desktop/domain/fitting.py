"""Whether what an evaluation points to is there: passages of the session, words of the note, lines of the plan.

For what comes out of a file: whoever wrote it may not have been this program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum

from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.transcript import Citation, Transcript


def leaves(value: object) -> Iterator[object]:
    """Every value within, citations whole too."""
    if isinstance(value, tuple):
        for member in value:
            yield from leaves(member)
    elif is_dataclass(value) and not isinstance(value, Enum | type):
        if isinstance(value, Citation):
            yield value
        for field in fields(value):
            yield from leaves(getattr(value, field.name))
    else:
        yield value


def check_note(note: Note) -> None:
    """Raises ValueError."""
    for block in note.blocks:
        hold(bool(block.sections), "a block of no section")
        ends = [span.end for span in (block.heading, block.body) if span is not None]
        hold(max(ends) <= len(note.text), "a block outside its note")
    for sentence in note.sentences:
        _check_sentence(sentence, note)


def _check_sentence(sentence: Sentence, note: Note) -> None:
    within = sentence.span.end <= len(note.text) and sentence.span.of(note.text) == sentence.text
    hold(within and bool(sentence.sections), "a sentence outside its note")


def check_evaluation(evaluation: Evaluation, transcript: Transcript, note: Note) -> None:
    """Raises ValueError."""
    for one in evaluation.sentences:
        _check_sentence(one.sentence, note)
        if one.claim is not None:
            said = one.sentence.text
            own = all(wrong.words and wrong.span.of(said) == wrong.words for wrong in one.claim.wrong)
            hold(own, "words of something else")
            hold(one.claim.seen is None or one.claim.seen.end <= len(said), "words outside their sentence")
    for value in leaves(evaluation):
        if isinstance(value, Citation):
            hold(value.stands_in(transcript), "a citation of something else")
    risks, responses, heard = evaluation.risks or (), evaluation.responses or (), evaluation.behaviours
    turns = [turn for item in evaluation.checklist for turn in item.suggested_turns]
    turns += [turn for risk in risks for turn in risk.turns]
    turns += [response.turn for response in responses if response.turn is not None]
    turns += [*evaluation.unheard, *(turn for turn, _ in (heard.turns if heard else ()))]
    if evaluation.rubric is not None:
        known = {item.id for item in evaluation.rubric.items}
        hold(all(verdict.item in known for verdict in evaluation.checklist), "an item of another checklist")
    if evaluation.thread is not None:
        thread, plan = evaluation.thread, evaluation.thread.plan
        lines = {line.id for line in plan.lines}
        hold(all(line.span.end <= len(plan.text) for line in plan.lines), "a line outside its plan")
        hold(all(link.line in lines for link in (*thread.note, *thread.session)), "a line of another plan")
        turns += [int(link.place) for link in thread.session]
    check_turns(turns, len(transcript.turns))
    for response in responses:
        for evidence in response.evidence:
            text = transcript.turns[response.turn].text if response.turn is not None else evidence.quote
            quoted = response.turn is None or evidence.span.of(text) == evidence.quote
            hold(quoted, "evidence from something else")


def check_turns(turns: list[int], count: int) -> None:
    hold(all(0 <= turn < count for turn in turns), "a turn outside its session")


def hold(fits: bool, otherwise: str) -> None:
    if not fits:
        raise ValueError(otherwise)
