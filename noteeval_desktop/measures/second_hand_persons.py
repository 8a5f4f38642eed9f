"""Ways to tell of somebody else: a relative swapped or put in the client's place, therapist and client exchanged."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping

from noteeval_desktop.measures.wording import MANY_RELATIVES, RELATIVES, Way, relative, replaced

_ALL = (
    *RELATIVES, *MANY_RELATIVES, "mom", "dad", "kids", "kid", "child", "spouse", "mum", "auntie", "family", "doctor",
    "flatmate", "PCP", "baby", "physician", "grandma", "grandpa", "sibling", "parent",
)  # fmt: skip
_RELATIVE = re.compile(rf"\b(?:{'|'.join(sorted(_ALL, key=len, reverse=True))})\b(?!-)", re.IGNORECASE)
_CLIENT = re.compile(r"\b(?P<the>the )?(?P<who>client|patient)\b(?!['’]s)(?= [a-z])", re.IGNORECASE)
_ANY_CLIENT = re.compile(r"\b(?P<the>the )?(?:client|patient)\b(?P<s>['’]s)?", re.IGNORECASE)
_CLIENTS = re.compile(r"\b(?P<who>client|patient)['’]s (?=[a-z])", re.IGNORECASE)
_PRONOUN = re.compile(
    r"(?:(?<=^)|(?<=that )|(?<=and )|(?<=because )|(?<=how )|(?<=when )|(?<=, )|(?<=if )|(?<=but ))"
    r"(?P<who>he|she|they)\b",
    re.IGNORECASE,
)
_WHOSE = re.compile(rf"\b(?P<whose>his|her|their) (?!own |(?:{'|'.join(_ALL)})\b)(?=[a-z])", re.IGNORECASE)
_SUBJECT = re.compile(r"^(?:the )?(?:client|patient|he|she|they)\b(?!['’]s)", re.IGNORECASE)
_THERAPIST = re.compile(
    r"\b(?P<the>the |this )?(?:therapist|clinician|counselor|provider|writer)\b(?P<s>['’]s)?", re.IGNORECASE
)
_POSSESSIVE = {"he": "his", "she": "her", "they": "their"}


def _another_relative(text: str, rng: random.Random, note: str) -> str | None:
    return replaced(text, _RELATIVE, lambda match: relative(rng, note, match[0].lower()), rng)


def _clients_relative(text: str, rng: random.Random, note: str) -> str | None:
    def new(match: re.Match[str]) -> str:
        the, who, name = match["the"] or "", match["who"], relative(rng, note)
        return rng.choice((f"{the}{who}'s {name}", f"{the}{who}'s {name}", f"the {name} of the {who.lower()}"))

    return replaced(text, _CLIENT, new, rng)


def _of_clients_relative(text: str, rng: random.Random, note: str) -> str | None:
    return replaced(text, _CLIENTS, lambda match: f"{match['who']}'s {relative(rng, note)}'s ", rng)


def _pronouns_relative(text: str, rng: random.Random, note: str) -> str | None:
    def new(match: re.Match[str]) -> str:
        whose = _POSSESSIVE[match["who"].lower()]
        return f"{whose} {relative(rng, note, MANY_RELATIVES[0] if whose == 'their' else '')}"

    return replaced(text, _PRONOUN, new, rng)


def _owned_by_relative(text: str, rng: random.Random, note: str) -> str | None:
    return replaced(text, _WHOSE, lambda match: f"{match['whose']} {relative(rng, note)}'s ", rng)


def _outsider(text: str, rng: random.Random, note: str) -> str | None:
    name = relative(rng, note)
    who = (f"A {name}", f"Their {name}", f"His {name}", f"Her {name}", "The receptionist", "A nurse")
    return replaced(text, _SUBJECT, lambda match: rng.choice(who), rng)


def _to_therapist(text: str, rng: random.Random, note: str) -> str | None:
    name = rng.choice(("therapist", "therapist", "clinician", "counselor"))
    return replaced(text, _ANY_CLIENT, lambda match: f"{match['the'] or ''}{name}{match['s'] or ''}", rng)


def _pronoun_to_therapist(text: str, rng: random.Random, note: str) -> str | None:
    return replaced(text, _PRONOUN, lambda match: rng.choice(("the therapist", "therapist", "the clinician")), rng)


def _to_client(text: str, rng: random.Random, note: str) -> str | None:
    name = "patient" if "atient" in note else "client"
    return replaced(text, _THERAPIST, lambda match: f"{match['the'] or ''}{name}{match['s'] or ''}", rng)


def _therapist_to_relative(text: str, rng: random.Random, note: str) -> str | None:
    owner = rng.choice(("client's", "the client's"))
    return replaced(text, _THERAPIST, lambda match: f"{owner} {relative(rng, note)}{match['s'] or ''}", rng)


PERSON_WAYS: Mapping[str, Way] = {
    "another relative": _another_relative,
    "another relative again": _another_relative,
    "client's relative": _clients_relative,
    "of client's relative": _of_clients_relative,
    "pronoun's relative": _pronouns_relative,
    "owned by relative": _owned_by_relative,
    "outsider": _outsider,
    "client to therapist": _to_therapist,
    "pronoun to therapist": _pronoun_to_therapist,
    "therapist to client": _to_client,
    "therapist to client again": _to_client,
    "therapist to relative": _therapist_to_relative,
}
