"""A sentence for what the note lacks: what was said and by whom, in a note's manner and with nothing added."""

from __future__ import annotations

import re

from noteeval_desktop.documents import role_by_label
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.transcript import Citation, Role, Transcript, turn_number
from noteeval_desktop.domain.verdicts import Omission
from noteeval_desktop.present.finding import Finding
from noteeval_desktop.present.vocabulary import STANCE_NAMES
from noteeval_desktop.ui.findings.excerpts import excerpt, quotes

_SHORT_ANSWER_WORDS = 12
_REPORTED_WORDS = 30
_MOST_QUOTED = 4
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


def draft(finding: Finding, case: Case) -> str:
    """For the note of ``case``: with its full stop, or it would take the next sentence in."""
    source, transcript = finding.ranked.source, case.transcript
    if isinstance(source, Omission) and source.citation.stands_in(transcript):
        return draft_of(source, transcript, case.note.text)
    shown = [one for one in quotes(finding) if one.stands_in(transcript)]
    if not isinstance(source, RiskFinding):
        about, said = f"{finding.item.name}: " if finding.item else "", shown[:1]
    else:
        about = tr("Risk ({kind}, {stance}): ").format(kind=source.name, stance=STANCE_NAMES[source.stance])
        mentioned = {risk.citation.turn for risk in finding.ranked.risks}
        said = [one for one in shown if one.turn in mentioned][:_MOST_QUOTED]
    quoted = "; ".join(f"“{excerpt(one, transcript.turns[one.turn])}” {_in_turn(one)}" for one in said)
    return f"{about}{quoted} {tr('[finish this sentence].')}"


def _in_turn(citation: Citation) -> str:
    return tr("(turn {number})").format(number=turn_number(citation.turn))


def draft_of(omission: Omission, transcript: Transcript, note: str = "") -> str:
    """For ``note``, one sentence on the first passage, which names its turn. Words that are not quoted are the
    speaker's with the fillers left out and "I" told as "they"; where that could change the meaning they are quoted as
    they are."""
    citation = omission.citation
    turn = transcript.turns[citation.turn]
    quote = excerpt(citation, turn)
    where = _in_turn(citation)
    question = question_before(omission, transcript)
    # With a couple or a family, "the client" does not say who.
    clients = {one.speaker for one in transcript.turns if one.role is Role.CLIENT}
    who = named_as(turn.speaker, note) if len(clients) > 1 else ""
    if question is not None:
        return tr("Asked “{question}”, {who} answered “{answer}” {where}.").format(
            question=excerpt(question, transcript.turns[question.turn]),
            who=who or tr("the client"),
            answer=quote,
            where=where,
        )
    if turn.role is Role.THERAPIST:
        asked = (
            tr("Therapist asked: “{quote}” {where}.")
            if quote.endswith("?")
            else tr("Therapist said: “{quote}” {where}.")
        )
        return asked.format(quote=quote, where=where)
    if turn.role is not Role.CLIENT:
        other = named_as(turn.speaker, note) or tr("It was")
        return tr("{who} said: “{quote}” {where}.").format(who=other, quote=quote, where=where)
    told = _reported(citation.quote)
    reports = tr("{who} reports that {told} {where}.") if told else tr("{who} reports: “{quote}” {where}.")
    return reports.format(who=who or tr("Client"), told=told, quote=quote, where=where)


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
