"""Sentences made to say something else in other words than ``changes`` uses, for training alone.

A head that learns what a changed sentence looks like from one generator learns that generator's handwriting: heads
trained on ``changes`` alone found a quarter of the negations that were put in other words. Nothing here is measured
by ``degrade``.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from noteeval_desktop.measures.changes import ChangeKind

FACTS = (
    "He mentioned that his apartment was flooded last month.",
    "Patient has a history of seizures since childhood.",
    "They also shared that a colleague at the factory was recently fired.",
    "She stated that her landlord is raising the rent.",
    "The client recalled being bullied at boarding school.",
    "He noted that he recently won a small lottery prize.",
    "She is worried about her upcoming hip surgery.",
    "They described a conflict with a stepson over inheritance.",
    "Patient disclosed a past arrest for vandalism in Nevada.",
    "The client expressed interest in fostering a teenager.",
    "He takes melatonin to fall asleep.",
    "She reported that her cat passed away in March.",
    "They are saving money for a trip to Portugal.",
    "He attends church every Sunday with his uncle.",
    "Client reported frequent migraines triggered by bright light.",
    "The patient explained that he dropped out of law school.",
    "She volunteers at a food bank on weekends.",
    "They mentioned being in recovery from an eating disorder.",
    "His brother is serving a prison sentence.",
    "The client said that she is allergic to penicillin.",
    "She recently broke her ankle while hiking.",
    "He hears his name called when no one is there.",
    "They reported sleeping only three hours because of a newborn.",
    "The client is going through a bankruptcy.",
    "Sleep has been poor since a night shift began in May.",
    "Client completed a trauma questionnaire before the session and scored in the severe range.",
    "Therapist called the client's school counselor during the session.",
    "A safety plan was signed because of threats by a neighbor.",
    "Client arrived by ambulance after fainting at work.",
    "Client brought a letter from an employer about sick leave.",
    "Refer to a dermatologist because of the rash.",
    "Client will bring a dream diary to the next session.",
    "Client will start sertraline at fifty milligrams on Monday.",
    "The therapist taught a breathing exercise with counting to four.",
    "The session was held by telephone because of a snowstorm.",
    "Client's symptoms are consistent with obsessive-compulsive disorder.",
)
# The first word of each is what it replaces; \1 keeps what was matched.
_NEGATIONS = (
    (r"\bwants to\b", "has no wish to"), (r"\bwould like to\b", "would never"), (r"\bagreed to\b", "refused to"),
    (r"\bis able to\b", "is not in a position to"), (r"\bagrees to\b", "refuses to"), (r"\benjoys\b", "dislikes"),
    (r"\bexpressed\b", "never expressed"), (r"\bexpresses\b", "never expresses"), (r"\breported\b", "never reported"),
    (r"\breports\b", "rejects"), (r"\bfeels\b", "no longer feels"), (r"\bfelt\b", "never felt"),
    (r"\backnowledges\b", "refuses to acknowledge"), (r"\backnowledged\b", "refused to acknowledge"),
    (r"\bmotivated\b", "unmotivated"), (r"\bwilling to\b", "not willing to"), (r"\bopen to\b", "not open to"),
    (r"\bwill continue\b", "will no longer continue"), (r"\bwill\b", "won't"), (r"\bis\b", "isn't"),
    (r"\bare\b", "aren't"), (r"\bwas\b", "wasn't"), (r"\bhas been\b", "has never been"),
    (r"\bdoes not (see|view|consider|want|feel|like|know|believe)\b", r"\1s"), (r"\bis not\b", "is definitely"),
    (r"\bappears\b", "fails to appear"), (r"\bmentioned\b", "never mentioned"), (r"\bstates\b", "does not say"),
    (r"\bstated\b", "did not say"),
)  # fmt: skip
_RELATIVES = {
    "wife": "ex-husband", "husband": "sister-in-law", "mother": "stepfather", "father": "grandmother",
    "mom": "uncle", "dad": "aunt", "son": "nephew", "daughter": "niece", "friends": "cousins", "friend": "boss",
    "kids": "nieces", "children": "parents", "parents": "children", "family": "coworkers", "partner": "father",
    "boyfriend": "mother", "girlfriend": "mother", "sister": "wife", "brother": "girlfriend", "boss": "husband",
    "doctor": "brother", "roommate": "girlfriend", "therapist": "mother", "clinician": "sister",
}  # fmt: skip
_RELATIVE = re.compile(rf"\b({'|'.join(_RELATIVES)})\b")
_SUBJECT = re.compile(r"(?:The client|Client|The patient|Patient|He|She|They)\b(?= (?!will|with|to|and)[a-z]+)")
_OTHERS = (
    "Client's boss", "The client's teacher", "The client's ex-wife", "His neighbor", "Her grandfather",
    "Her best friend",
)  # fmt: skip
_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NUMBER = re.compile(
    rf"(?<![\w.$/-])\d{{1,4}}(?![\w.]*\d)(?!st\b|nd\b|rd\b|th\b|\))|\b(?:{'|'.join(_WORDS[1:])})\b", re.IGNORECASE
)
_SCALE_END = re.compile(r"(?:out of|scale of \w+(?: to|-)|/)\s*$")
_MOST = {ChangeKind.NEGATION: 4, ChangeKind.PERSON: 3, ChangeKind.NUMBER: 4, ChangeKind.FACT: 3}


def reworded(texts: Sequence[str], note: str, seed: int) -> list[tuple[int, ChangeKind, str]]:
    """(index into ``texts``, kind, the sentence that says something else): a few of each kind, the same for a seed."""
    rng = random.Random(f"{seed}|{note}")
    found: list[tuple[int, ChangeKind, str]] = []
    for kind, edit in _EDITORS.items():
        order = rng.sample(range(len(texts)), k=len(texts))
        made = ((index, edit(texts[index], rng, note)) for index in order)
        found += [(index, kind, text) for index, text in made if text is not None][: _MOST[kind]]
    facts = rng.sample(FACTS, k=min(_MOST[ChangeKind.FACT], len(texts)))
    return found + [(rng.randrange(len(texts)), ChangeKind.FACT, fact) for fact in facts]


def _negation(text: str, rng: random.Random, note: str) -> str | None:
    places = [(match, put) for pattern, put in _NEGATIONS if (match := re.search(pattern, text))]
    if not places:
        return None
    match, put = rng.choice(places)
    return text[: match.start()] + match.expand(put) + text[match.end() :]


def _person(text: str, rng: random.Random, note: str) -> str | None:
    places = [match for match in _RELATIVE.finditer(text) if _RELATIVES[match[0]] not in note.lower()]
    if places:
        match = rng.choice(places)
        return text[: match.start()] + _RELATIVES[match[0]] + text[match.end() :]
    subject = _SUBJECT.match(text)
    return rng.choice(_OTHERS) + text[subject.end() :] if subject else None


def _number(text: str, rng: random.Random, note: str) -> str | None:
    places = [match for match in _NUMBER.finditer(text) if not _SCALE_END.search(text[: match.start()])]
    if not places:
        return None
    match = rng.choice(places)
    if match[0].isdigit():
        value = int(match[0])
        other = str(rng.choice([x for x in (value + 1, value + 2, max(1, value - 1), value * 10) if x != value]))
    else:
        value = _WORDS.index(match[0].lower()) + 1
        other = rng.choice([_WORDS[x - 1] for x in (value - 1, value + 1, value + 2) if 0 < x <= len(_WORDS)])
    return text[: match.start()] + other + text[match.end() :]


_EDITORS: dict[ChangeKind, Callable[[str, random.Random, str], str | None]] = {
    ChangeKind.NEGATION: _negation,
    ChangeKind.PERSON: _person,
    ChangeKind.NUMBER: _number,
}
