"""What a person should see before they trust a verdict, for a banner; none of it changes one: passages that try to
steer a judge, and a session that does not seem to be the note's.

Hidden characters that no script needs are taken out, counted and told when a file is read (``Case.warnings``);
here are those that some script needs and that stand where none does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import turn_number
from noteeval_desktop.judges.builtin.conciseness import WITHOUT_REMARK
from noteeval_desktop.judges.builtin.prompt_injection import wording
from noteeval_desktop.judges.builtin.text.language import is_foreign_sentence, session_in_english
from noteeval_desktop.judges.llm.prompts import CONTROL_MARKER
from noteeval_desktop.judges.session_match import may_be_another


class NoticeKind(StrEnum):
    INSTRUCTION = "instruction"
    MARKER = "marker"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Notice:
    """``span`` points into the text of turn number ``turn``, or into the note's text where that is None."""

    kind: NoticeKind
    turn: int | None
    span: Span


_SAYS = {
    NoticeKind.INSTRUCTION: ("reads like an instruction to the judge", "read like instructions to the judge"),
    NoticeKind.MARKER: ("contains control characters for an AI model", "contain control characters for an AI model"),
    NoticeKind.HIDDEN: (
        "contains invisible characters",
        "contain invisible characters",
    ),
}
# Fewer words than these are too few to tell a language by: none of 9,699 turns of real English sessions is taken for
# another with five.
_FEWEST_WORDS = 5
_MOST_NAMED = 5
# Without names: this line goes into files that are to hold no text.
ROLES_GUESSED = (
    "NoteEval guessed from how they talk who is the therapist and who is the client. The results depend on it: please "
    "check."
)
ANOTHER_SESSION = (
    "This note may belong to another session: hardly any of its names and words come up in this one. "
    "Check that note and session go together."
)
_PATTERNS = {
    NoticeKind.INSTRUCTION: re.compile(
        r"(?<!to )\b(?:ignore|disregard|forget)\b.{0,30}?\b(?:instruction|rubric|previous|above|prompt)s?\b"
        r"|\b(?:system prompt|as an ai|you are now an?\b|assistant:)"
        r"|\b(?:score|rate|mark|grade|label) (?:(?:this|my|the) (?:note|record|documentation|text|section|summary)"
        r"|every \w+|each \w+|all \w+|everything)\b.{0,40}?"
        r"\b(?:5/5|5 out of 5|100 ?%|full marks|all items|as supported|as present)",
        re.IGNORECASE | re.DOTALL,
    ),
    NoticeKind.MARKER: CONTROL_MARKER,
    # Joiners and variation selectors: at home in emoji, Arabic or Indic scripts, not between Latin letters.
    NoticeKind.HIDDEN: re.compile("(?<=[A-Za-z])[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]+(?=[A-Za-z])"),
}


def notices(case: Case) -> tuple[Notice, ...]:
    """Every such passage, the session's first, each in the order of the text."""
    found = [notice for turn in case.transcript.turns for notice in _in_text(turn.text, turn.index)]
    return (*found, *_in_text(case.note.text, None))


def with_warnings(case: Case) -> Case:
    """The case with its notices among its warnings, one line for each kind and place, without the passages themselves,
    and with a word on roles that were guessed, on turns in another language than the session's and on a session that
    may not be the note's. None changes a verdict."""
    counted = Counter((notice.turn, notice.kind) for notice in notices(case))
    said = {key: _line(*key, count) for key, count in counted.items()}
    guessed = (ROLES_GUESSED,) if case.transcript.roles_guessed else ()
    in_session = guessed + tuple(line for (turn, _), line in said.items() if turn is not None) + foreign_turns(case)
    in_note = tuple(line for (turn, _), line in said.items() if turn is None) + another_session(case)
    transcript, note = case.transcript, case.note
    # A case that was read back from a result has them already.
    if new := [line for line in in_session if line not in transcript.warnings]:
        transcript = replace(transcript, warnings=(*transcript.warnings, *new))
    if new := [line for line in in_note if line not in note.warnings]:
        note = replace(note, warnings=(*note.warnings, *new))
    return replace(case, transcript=transcript, note=note)


def another_session(case: Case) -> tuple[str, ...]:
    """One line where the session seems not to be the one that the note tells of, none where it may well be."""
    return (ANOTHER_SESSION,) if may_be_another(case) else ()


def with_cuts(evaluation: Evaluation) -> Evaluation:
    """The evaluation with warnings of sentences and turns that a judge set aside, or judged in part, because they
    speak to the reader, where no notice told of them before."""
    return _with_cut_turns(_with_cut_sentences(evaluation))


def unheard_turns(evaluation: Evaluation) -> tuple[int, ...]:
    """The turns that the judge did not wholly hear, but for those of which a notice tells."""
    told = {notice.turn for notice in notices(evaluation.case)} if evaluation.unheard else set()
    return tuple(turn for turn in evaluation.unheard if turn not in told)


def _with_cut_turns(evaluation: Evaluation) -> Evaluation:
    turns = unheard_turns(evaluation)
    if not turns:
        return evaluation
    named = _named(turns)
    one, many = f"Turn {named} of the session seems", f"{len(turns)} turns of the session ({named}) seem"
    what = one if len(turns) == 1 else many
    warning = f"{what} to address the reviewer. That part was checked for risk only."
    transcript = evaluation.case.transcript
    transcript = replace(transcript, warnings=(*transcript.warnings, warning))
    return replace(evaluation, case=replace(evaluation.case, transcript=transcript))


def _with_cut_sentences(evaluation: Evaluation) -> Evaluation:
    told = [notice.span for notice in notices(evaluation.case) if notice.turn is None]
    cut = [
        judged.sentence.span
        for judged in evaluation.sentences
        if _speaks_to_the_reader(judged) and not any(span.meets(judged.sentence.span) for span in told)
    ]
    if not cut:
        return evaluation
    what = "A sentence of the note addresses" if len(cut) == 1 else f"{len(cut)} sentences of the note address"
    warning = f"{what} the reviewer, not the client's care. That part was not checked."
    note = replace(evaluation.case.note, warnings=(*evaluation.case.note.warnings, warning))
    return replace(evaluation, case=replace(evaluation.case, note=note))


def _speaks_to_the_reader(judged: JudgedSentence) -> bool:
    need = judged.need
    return need is not None and ((need.set_aside and need.needed is False) or need.rationale.endswith(WITHOUT_REMARK))


def _line(turn: int | None, kind: NoticeKind, count: int) -> str:
    where = "in the note" if turn is None else f"in turn {turn_number(turn)} of the session"
    one, many = _SAYS[kind]
    return f"A passage {where} {one}." if count == 1 else f"{count} passages {where} {many}."


def foreign_turns(case: Case) -> tuple[str, ...]:
    """One line where turns, or the whole session, are in another language."""
    turns = case.transcript.turns
    if not session_in_english(case.transcript):
        return ("The session does not read as English; risks in it may be missed.",)
    foreign = [t.index for t in turns if len(t.text.split()) >= _FEWEST_WORDS and is_foreign_sentence(t.text)]
    if not foreign:
        return ()
    named = _named(foreign)
    which = (
        f"Turn {named} of the session does"
        if len(foreign) == 1
        else f"{len(foreign)} turns of the session ({named}) do"
    )
    return (f"{which} not read as English; risks in other languages may be missed.",)


def _named(turns: Sequence[int]) -> str:
    named = ", ".join(str(turn_number(turn)) for turn in turns[:_MOST_NAMED])
    return named + ("…" if len(turns) > _MOST_NAMED else "")


def _in_text(text: str, turn: int | None) -> Iterator[Notice]:
    matches = [(match.span(), kind) for kind, pattern in _PATTERNS.items() for match in pattern.finditer(text)]
    taken = [span for span, _ in matches]
    matches += [
        ((start, end), NoticeKind.INSTRUCTION)
        for start, end in wording.known_passages(text)
        if all(end <= own[0] or own[1] <= start for own in taken)
    ]
    for (start, end), kind in sorted(matches):
        yield Notice(kind, turn, Span(start, end))
