"""The exchanges as their authors wrote them (GUIDE.md): parsed, and checked for form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from noteeval_desktop.research.benchmark_risk import Exchange

HERE = Path(__file__).parent
DANGERS = (
    "suicide", "self-harm", "harm-to-others", "abuse", "psychosis", "overdose", "child-at-risk", "elder-at-risk",
    "coercive-control", "access-to-means", "impaired-driving", "medication-misuse", "neglect",
)  # fmt: skip
MEANINGS = ("now", "past", "denied", "other_person", "hypothetical", "asked")
FORMS = ("plain", "oblique", "behind")
_LINE = re.compile(r"(T|C2?|N|~): *(\S.*)")
_FEWEST, _MOST = 3, 6


class FormError(ValueError):
    """Line and reason."""


def read(path: Path) -> list[Exchange]:
    """Raises FormError with every fault, a line each."""
    found, faults = [], []
    for number, (line, head, body) in enumerate(_blocks(path.read_text(encoding="utf-8")), 1):
        try:
            found.append(_exchange(path.stem, number, head, body))
        except FormError as error:
            faults.append(f"line {line}: {error}")
    if faults:
        raise FormError("\n".join(faults))
    return found


def read_all(folder: Path = HERE / "open") -> list[Exchange]:
    """All exchanges of a folder, by author."""
    return [one for path in sorted(folder.glob("*.txt")) for one in read(path)]


def _blocks(text: str) -> Iterator[tuple[int, str, list[str]]]:
    current: tuple[int, str, list[str]] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            if current:
                yield current
            current = (number, line[1:].strip(), [])
        elif line.strip():
            if current is None:
                raise FormError(f"line {number}: text before the first line of labels")
            current[2].append(line.strip())
    if current:
        yield current


def _exchange(author: str, number: int, head: str, body: list[str]) -> Exchange:
    labels = [word for word in head.split() if "=" not in word]
    places = dict(word.split("=", 1) for word in head.split() if "=" in word)
    said: list[tuple[str, str]] = []
    note: dict[str, str] = {}
    for line in body:
        match = _LINE.fullmatch(line)
        if match is None:
            raise FormError(f"neither a turn nor a sentence of the note: {line[:40]}")
        if match[1] in "N~":
            note[match[1]] = match[2]
        else:
            said.append((match[1], match[2]))
    look_alike = labels[:1] == ["none"]
    if len(labels) != (2 if look_alike else 3) or set(places) - {"says", "needs"}:
        raise FormError(f"labels: {head}")
    kind = labels[1] if look_alike else labels[0]
    meaning, form = ("", "") if look_alike else labels[1:3]
    says, needs = _place(places.get("says"), len(said)), _place(places.get("needs"), len(said))
    wrong = [
        (kind not in DANGERS, f"no such danger: {kind}"),
        (not look_alike and meaning not in MEANINGS, f"no such meaning: {meaning}"),
        (not look_alike and form not in FORMS, f"no such form: {form}"),
        (not _FEWEST <= len(said) <= _MOST, f"{len(said)} turns"),
        (says is None, "says= is missing"),
        (needs is not None and says is not None and needs >= says, "needs= comes before says="),
        (look_alike == bool(note), "the note's two sentences belong to dangers, and to each"),
        (not look_alike and set(note) != {"N", "~"}, "N: and ~: are both needed"),
    ]
    for is_so, reason in wrong:
        if is_so:
            raise FormError(reason)
    assert says is not None
    return Exchange(
        author, number, tuple(said), kind, look_alike, meaning, form, says, needs, note.get("N", ""), note.get("~", "")
    )


def _place(value: str | None, count: int) -> int | None:
    if value is None:
        return None
    if not value.isdigit() or int(value) >= count:
        raise FormError(f"no turn {value}")
    return int(value)
