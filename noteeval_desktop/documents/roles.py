"""Who is the therapist, who the client: from the labels, else from how they talk."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from noteeval_desktop.documents import words
from noteeval_desktop.documents.turns import word_set
from noteeval_desktop.domain.phrases import listed, tr
from noteeval_desktop.domain.transcript import Role, Transcript

_THERAPIST = word_set(
    "t th tx therapist psychotherapist counselor counsellor psychologist psychiatrist clinician provider practitioner "
    "doctor dr interviewer coach nurse facilitator trainee intern"
)
_CLIENT = word_set(
    "c cl ct p pt client patient interviewee participant respondent counselee counsellee mother father mom mum dad "
    "partner spouse wife husband parent child son daughter sister brother"
)
# Beside a client they have a part of their own; alone with the therapist they are the client.
_KIN = {
    "partner": word_set("partner spouse wife husband"),
    "parent": word_set("parent mother father mom mum dad"),
    "child": word_set("child son daughter"),
}
_OTHER = word_set("supervisor observer interpreter moderator recording narrator all both group unknown")
_CREDENTIAL = re.compile(
    r",?\s(?:lcsw|lmft|lpcc?|lmhc|psyd|psy\.d\.?|phd|ph\.d\.?|md|m\.d\.?|msw|rn|licsw|lcpc|bcba)\b|^dr\.?\s",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z']+")
# Shares of the words of a session.
_MUCH, _STRAY = 0.1, 0.05
_FIRST_PERSON = word_set("i i'm i've i'd i'll my me myself mine")
_SECOND_PERSON = word_set("you you're you've you'd you'll your yourself")
_PHRASES = re.compile(
    r"\b(?:how (?:does|did|do) that (?:make you )?feel|tell me (?:more|about|a (?:little|bit))|what brings you|"
    r"sounds like|it seems like|i hear (?:you|that)|what i'?m hearing|on a scale|is (?:it|that) (?:ok|okay|all right)|"
    r"would you (?:be|like|say)|what (?:would|do|are|were|have) you|"
    r"how (?:are|do|have|would|long|often|much|many|important)(?: (?:have|do|are|would))? you|"
    r"have you (?:ever|been|thought|tried|noticed)|do you (?:think|feel|want|have)|"
    r"you(?:'re| are) (?:feeling|saying|worried|concerned|thinking)|our (?:session|time)|last session|"
    r"thank you for (?:sharing|coming|filling))\b"
)


def guess_roles(transcript: Transcript) -> Transcript:
    """Set the role of every speaker whose role is OTHER; ``roles_guessed`` is True where talk decided.

    Labels decide where they say it ("Pt", "Dr. Lee") and more than a stray cue stands under them. Else the
    speaker who asks, reflects and speaks of "you" is the therapist, and the others who speak at some length are
    clients. Nothing is guessed
    about turns without a named speaker. A relative beside a client gets a part of PARTS, and a warning says so.
    """
    roles: dict[str, Role] = {}
    for turn in transcript.turns:
        roles.setdefault(turn.speaker, turn.role)
    roles = {speaker: role if role is not Role.OTHER else role_by_label(speaker) for speaker, role in roles.items()}
    open_to_guess = [speaker for speaker, role in roles.items() if role is Role.OTHER and not _is_outsider(speaker)]
    guessed = False
    if open_to_guess and (len(roles) > 1 or len(open_to_guess) > 1):
        by_talk = _by_talk(transcript, open_to_guess, *_told(transcript, roles, open_to_guess))
        guessed = bool(by_talk)
        roles |= by_talk
    turns = tuple(replace(turn, role=roles[turn.speaker]) for turn in transcript.turns)
    return _with_kin(replace(transcript, turns=turns, roles_guessed=guessed))


def _with_kin(transcript: Transcript) -> Transcript:
    """Who is called "Mother" beside a client gets that part, and it is said."""
    clients = [speaker for speaker in transcript.speakers if transcript.role_of(speaker) is Role.CLIENT]
    kin = {speaker: part for speaker in clients if (part := _kin(speaker)) and transcript.part_of(speaker) != part}
    if not kin or len(kin) == len(clients):
        return transcript
    for speaker, part in kin.items():
        transcript = transcript.with_part(speaker, part)
    shown = listed(
        tr("“{speaker}” is shown as a {part}").format(speaker=speaker, part=part) for speaker, part in kin.items()
    )
    said = tr("{shown}, not as the client. To change this, click the name above the session.").format(shown=shown)
    return replace(transcript, warnings=(*transcript.warnings, said))


def _kin(label: str) -> str:
    parts = re.findall(r"[a-z]+", label.lower())
    return next((part for part, names in _KIN.items() if parts and parts[-1] in names), "")


def role_by_label(label: str) -> Role:
    """OTHER where the label says nothing."""
    if _CREDENTIAL.search(label):
        return Role.THERAPIST
    for part in re.split(r"[()|/,\-–]", label.lower()):
        words = re.sub(r"[\d_.#]+", " ", part).split()
        if words and words[-1] in ("a", "b") and len(words) > 1:
            words.pop()
        if not words or words[0] in _OTHER:
            continue
        for names, role in ((_THERAPIST, Role.THERAPIST), (_CLIENT, Role.CLIENT)):
            if words[-1] in names and (len(words[-1]) > 2 or len(words) == 1):
                return role
    return Role.OTHER


def _is_outsider(label: str) -> bool:
    parts = re.findall(r"[a-z]+", label.lower())
    return label == words.SPEAKER or (bool(parts) and parts[0] in _OTHER)


def _told(transcript: Transcript, roles: Mapping[str, Role], unnamed: list[str]) -> tuple[bool, bool]:
    """Whether labels tell the therapist, and the client. A label that says next to nothing ("Client: Thanks.", a stray
    cue at the end) does not, where people without one spoke all along and must be who is meant."""
    said: Counter[str] = Counter()
    for turn in transcript.turns:
        said[turn.speaker] += len(turn.text.split())
    total = max(said.total(), 1)
    labelled = {role for speaker, role in roles.items() if speaker not in unnamed}
    share = {role: sum(said[one] for one, its in roles.items() if its is role) / total for role in labelled}
    spoke_all_along = sum(said[speaker] >= _MUCH * total for speaker in unnamed)

    def told(role: Role, other: Role) -> bool:
        waiting = spoke_all_along if share.get(other, 0) >= _STRAY else spoke_all_along - 1
        return role in labelled and (share[role] >= _STRAY or waiting < 1)

    return told(Role.THERAPIST, Role.CLIENT), told(Role.CLIENT, Role.THERAPIST)


def _by_talk(
    transcript: Transcript, speakers: list[str], therapist_known: bool, client_known: bool
) -> Mapping[str, Role]:
    said: dict[str, list[str]] = {speaker: [] for speaker in speakers}
    total = 0
    for turn in transcript.turns:
        total += len(turn.text.split())
        if turn.speaker in said:
            said[turn.speaker].append(turn.text)
    talks = {speaker: _talk(texts) for speaker, texts in said.items()}
    # Who says less than this is neither: someone who looked in, or a mistake of the recogniser.
    least = total * (_MUCH if client_known else 0.02)
    if therapist_known:
        return {speaker: Role.CLIENT for speaker, (spoke, _) in talks.items() if spoke >= least}
    if len(talks) == 1:
        return dict.fromkeys(talks, Role.THERAPIST) if client_known else {}
    therapist = max(talks, key=lambda one: (talks[one][1], -talks[one][0]))
    clients = {one: Role.CLIENT for one, (spoke, _) in talks.items() if one != therapist and spoke >= least}
    return {therapist: Role.THERAPIST} | (clients if not client_known else {})


def _talk(texts: list[str]) -> tuple[int, float]:
    """How many words, and how much they are a therapist's."""
    turns = [text.lower().replace("’", "'") for text in texts]
    words = [word for text in turns for word in _WORD.findall(text)]
    count = max(len(words), 1)
    questions = sum("?" in text for text in turns) / len(turns)
    phrases = sum(len(_PHRASES.findall(text)) for text in turns) / count
    second = sum(word in _SECOND_PERSON for word in words) / count
    first = sum(word in _FIRST_PERSON for word in words) / count
    return len(words), questions + 20 * phrases + 6 * (second - first)
