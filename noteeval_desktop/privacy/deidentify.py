"""A case without identifiers, and the way back for verdicts about it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from noteeval_desktop.domain.case import Background, Case
from noteeval_desktop.domain.note import Block, Note, Sentence
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import PARTS, Citation, Transcript, Turn
from noteeval_desktop.paths import lexicon
from noteeval_desktop.privacy.dates import calendar_of
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.masking import Identifier, IdentifierKind, Masked, Tokens, disjoint, mask, same_form

# Who is who in a case: which names are one person's, and what that person is to the client.
_CALLED = lexicon("called.json")
_ANY = "|".join(f"(?P<{role}>{words})" for role, words in _CALLED.items())
_BEFORE = re.compile(rf"\b(?:{_ANY})(?:['’]s name is| named| is named| is called| called)? [\"“]?$", re.I)
_BEHIND = re.compile(rf"[\"”]? \((?:(?:his|her|their|my|the|pt['’]?s|client['’]?s) )?(?:{_ANY})\b", re.I)
_NEAR = 40


def people(
    texts: Sequence[str], finder: IdentifierFinder, speakers: Mapping[str, str]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """By name, in ``same_form``: the full name that it is a part of, where it is of one only; and by full name what the
    person is, where all texts agree. ``speakers``: labels and their roles."""
    told: dict[str, set[str]] = {same_form(label): {role.upper()} - {"OTHER"} for label, role in speakers.items()}
    for text in texts:
        for one in disjoint(text, finder.find(text)):
            if one.kind is IdentifierKind.PERSON:
                before = _BEFORE.search(text[max(0, one.span.start - _NEAR) : one.span.start])
                found = before or _BEHIND.match(text, one.span.end)
                roles = told.setdefault(same_form(one.text), set())
                if found and found.lastgroup:
                    roles.add(found.lastgroup)
    whole = {}
    for name in told:
        owners = [other for other in told if name != other and set(name.split()) < set(other.split())]
        if len(owners) == 1:
            whole[name] = owners[0]
    known = {same_form(label) for label in speakers}
    for name, owner in whole.items():
        if owner not in known:
            told[owner] |= told[name]
    return whole, {name: next(iter(roles)) for name, roles in told.items() if len(roles) == 1}


MOSTLY_HIDDEN = 0.5
"""From this ``hidden_share`` on a judge has little left to go by; a session in English has 0.02 or so."""
_TOKEN = re.compile(r"\[[A-Z]+-\d+\]")


@dataclass(frozen=True, slots=True)
class DeidentifiedCase:
    """``case`` has tokens for identifiers, the same turns and the same sentence ids as ``original``."""

    original: Case
    case: Case
    turns: tuple[Masked, ...]
    tokens: Tokens

    def citation(self, masked: Citation) -> Citation:
        """The same passage in the original transcript."""
        span = self.turns[masked.turn].to_original(masked.span)
        return Citation(masked.turn, span, span.of(self.original.transcript.turns[masked.turn].text))

    def restore(self, text: str) -> str:
        return self.tokens.restore(text)

    @property
    def hidden_share(self) -> float:
        """How much of the letters and digits is replaced, 0..1: of the session or of the note, whichever lost more."""
        session = [turn.text for turn in self.original.transcript.turns]
        return max(
            _lost("".join(session), "".join(turn.text for turn in self.turns)),
            _lost(self.original.note.text, self.case.note.text),
        )


def _lost(original: str, masked: str) -> float:
    total = sum(map(str.isalnum, original))
    return 1.0 - min(1.0, sum(map(str.isalnum, _TOKEN.sub("", masked))) / total) if total else 0.0


def as_it_is(case: Case) -> DeidentifiedCase:
    """For a judge on this computer: nothing is replaced."""
    return DeidentifiedCase(case, case, tuple(Masked(turn.text, ()) for turn in case.transcript.turns), Tokens())


def deidentify(case: Case, finder: IdentifierFinder, *, move_dates: bool = False) -> DeidentifiedCase:
    """Replace what ``finder`` finds in transcript and note; speaker labels become their parts. ``move_dates``: they
    stay dates, for a reader who compares them. Raises OSError where the key for that cannot be kept."""
    texts = [*(turn.text for turn in case.transcript.turns), case.note.text, *case.plan_texts]
    finder = finder.learn(texts)
    tokens = tokens_for(texts, finder, case.transcript.turns, move_dates=move_dates)
    turns = tuple(mask(turn.text, finder.find(turn.text), tokens) for turn in case.transcript.turns)
    called = case.transcript.callings
    transcript = Transcript(
        tuple(
            replace(turn, text=masked.text, speaker=called[turn.speaker, turn.role])
            for turn, masked in zip(case.transcript.turns, turns, strict=True)
        )
    )
    note = _masked_note(case.note, finder, tokens)
    known = case.background
    if known is not None:
        known = Background(plan=case.plan and masked_plan(case.plan, finder, tokens), visit=known.visit)
    return DeidentifiedCase(case, Case(transcript, note, background=known), turns, tokens)


def tokens_for(
    texts: Sequence[str], finder: IdentifierFinder, turns: Sequence[Turn], *, move_dates: bool = False
) -> Tokens:
    """Tokens of all ``texts`` of a case, said by who speaks in ``turns``."""
    calendar = calendar_of(texts, "\n".join(turn.text for turn in turns)) if move_dates else None
    return Tokens(calendar, *people(texts, finder, dict(map(_speaker, turns))))


def _speaker(turn: Turn) -> tuple[str, str]:
    """The name and the part of who speaks: of "Ben (partner)" both."""
    name, _, part = turn.speaker.removesuffix(")").partition(" (")
    return name, part if part in PARTS else turn.role.value


def masked_plan(plan: TreatmentPlan, finder: IdentifierFinder, tokens: Tokens) -> TreatmentPlan:
    """Its lines alone: what else its text holds, as a name and a diagnosis above them, is nobody's business."""
    lines = tuple(replace(line, text=mask(line.text, finder.find(line.text), tokens).text) for line in plan.lines)
    return TreatmentPlan("", lines)


def _masked_note(note: Note, finder: IdentifierFinder, tokens: Tokens) -> Note:
    """Found in the whole note, masked heading by heading and sentence by sentence, so that each keeps its place."""
    found = disjoint(note.text, finder.find(note.text))
    cuts = sorted(
        {0, len(note.text)}
        | {edge for s in note.sentences for edge in (s.span.start, s.span.end)}
        | {edge for b in note.blocks for span in (b.heading, b.body) if span for edge in (span.start, span.end)}
    )
    moved, parts, length = {}, [], 0
    for start, end in zip(cuts, [*cuts[1:], cuts[-1]], strict=True):
        moved[start] = length
        if end > start:
            part = mask(note.text[start:end], _inside(Span(start, end), note.text, found), tokens).text
            parts.append(part)
            length += len(part)
    text = "".join(parts)

    def move(span: Span) -> Span:
        return Span(moved[span.start], moved[span.end])

    sentences = tuple(Sentence(s.id, s.sections, move(s.span), move(s.span).of(text)) for s in note.sentences)
    blocks = tuple(Block(b.sections, move(b.heading) if b.heading else None, move(b.body)) for b in note.blocks)
    return Note(text, blocks, sentences, note.format)


def _inside(part: Span, text: str, found: Sequence[Identifier]) -> Iterator[Identifier]:
    """What of ``found`` in ``text`` stands in its ``part``, by the part's own offsets."""
    for one in found:
        if one.span.meets(part):
            cut = Span(max(one.span.start, part.start), min(one.span.end, part.end))
            yield Identifier(one.kind, Span(cut.start - part.start, cut.end - part.start), cut.of(text))
