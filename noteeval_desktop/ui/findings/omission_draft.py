"""A sentence for what the note leaves out: what was said and by whom, in a note's manner and with nothing added."""

from __future__ import annotations

import re

from noteeval_desktop.documents import role_by_label
from noteeval_desktop.domain.transcript import Citation, Role, Transcript
from noteeval_desktop.domain.verdicts import Omission
from noteeval_desktop.ui.findings import words
from noteeval_desktop.ui.findings.excerpts import excerpt
from noteeval_desktop.ui.widgets.words import turn_number

_SHORT_ANSWER_WORDS = 12
_REPORTED_WORDS = 30
_ASIDE = re.compile(r"\[[^\]]*\]")
_STUTTER = re.compile(r"\b(\w+(?:'\w+)?)(?:-+\s?\1\b)+-?", re.IGNORECASE)
_FILLER = re.compile(r"(?:,\s*)?\b(?:um+|uh+|er|mm-?hmm|you know|i mean|like(?=,))\b,?(?:\s+|$)", re.IGNORECASE)
_OPENING = re.compile(r"^(?:(?:well|yeah|yes|yep|no|so|and|but|okay|ok|oh|right)\b,?\s+)+(?=(?:I|my)\b)", re.IGNORECASE)
# Where "they" for "I" could change what was meant: other people, unfinished words, questions, speech in speech.
_DOUBTFUL = re.compile(
    r"[?“”\"–—…;:]|\.\.|-(?:\s|$|-)|\b(?:you\w*|we|us|our\w*|they\w*|them\w*|their\w*|i'd|let's|do i|am i)\b",
    re.IGNORECASE,
)
# Labels that a recogniser gives.
_GIVEN = re.compile(r"^(?:speaker|client|participant|voice|unknown)\b", re.IGNORECASE)
_PART = re.compile(r"\s*\(\w+\)$")
_TURNED = (
    (r"\bI'm\b|\bI am\b", "they are"),
    (r"\bI was\b", "they were"),
    (r"\bI wasn't\b", "they weren't"),
    (r"\bI've\b", "they have"),
    (r"\bI'll\b", "they will"),
    (r"\bI\b", "they"),
    (r"\bmyself\b", "themselves"),
    (r"\bmy\b", "their"),
    (r"\bmine\b", "theirs"),
    (r"\bme\b", "them"),
)


def question_before(omission: Omission, transcript: Transcript) -> Citation | None:
    """The question that a short answer answers, where it is cited too."""
    if len(omission.citation.quote.split()) > _SHORT_ANSWER_WORDS:
        return None
    for citation in omission.also:
        asked = transcript.turns[citation.turn].role is Role.THERAPIST and citation.quote.rstrip().endswith("?")
        if asked and citation.turn == omission.citation.turn - 1:
            return citation
    return None


def named_as(speaker: str, note: str) -> str:
    """As ``note`` calls them: by a label that is no name, by what it says itself, else by initials. A draft puts no
    full name into a note that has none."""
    bare = _PART.sub("", speaker)
    parts = bare.split()
    is_name = bool(parts) and all(part[0].isupper() and part.isalpha() for part in parts)
    if not note or bare in note or not is_name or role_by_label(bare) is not Role.OTHER or _GIVEN.search(bare):
        return speaker
    first = [part[0] for part in parts]
    forms = (parts[0], parts[-1], ". ".join(first) + ".", ".".join(first) + ".", "".join(first))
    called = next((form for form in forms if re.search(rf"(?<!\w){re.escape(form)}(?!\w)", note)), forms[3])
    return f"{called}{speaker.removeprefix(bare)}"


def draft_of(omission: Omission, transcript: Transcript, note: str = "") -> str:
    """For ``note``, one sentence on the first passage, which names its turn. Words that are not quoted are the
    speaker's with the fillers left out and "I" told as "they"; where that could change the meaning they are quoted as
    they are."""
    citation = omission.citation
    turn = transcript.turns[citation.turn]
    quote = excerpt(citation, turn)
    where = words.in_turn(turn_number(citation.turn))
    question = question_before(omission, transcript)
    # With a couple or a family, "the client" does not say who.
    clients = {one.speaker for one in transcript.turns if one.role is Role.CLIENT}
    who = named_as(turn.speaker, note) if len(clients) > 1 else ""
    if question is not None:
        return words.asked_and_answered(excerpt(question, transcript.turns[question.turn]), who, quote, where)
    if turn.role is Role.THERAPIST:
        return words.therapist_said(quote, where)
    if turn.role is not Role.CLIENT:
        return words.other_said(named_as(turn.speaker, note), quote, where)
    told = _reported(citation.quote)
    return words.client_reports(who, told, quote, where)


def _reported(quote: str) -> str:
    """ "they drink five beers" for "Well, I-I drink five beers."; empty where it is better quoted."""
    plain = _STUTTER.sub(r"\1", _ASIDE.sub("", quote.replace("’", "'")))
    plain = _OPENING.sub("", " ".join(_FILLER.sub(" ", plain).split()))
    plain = plain.rstrip(" .!,")
    if not re.match(r"(?:I|I'm|I've|I'll|my)\b", plain, re.IGNORECASE) or len(plain.split()) > _REPORTED_WORDS:
        return ""
    if _DOUBTFUL.search(plain) or re.search(r"[.!]\s", plain):
        return ""
    for pattern, word in _TURNED:
        plain = re.sub(pattern, word, plain, flags=0 if pattern.startswith(r"\bI") else re.IGNORECASE)
    return plain
