"""A diagnosis code against the list of codes and against the diagnosis that the note names beside it."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop import paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity

SOURCE = tr("ICD-10-CM, fiscal year 2026, as of April 2026 (CDC and CMS)")
_CODE = re.compile(r"(?<![\w.-])F\d[\dA-B](?:\.[\dA-Z]{1,4})?(?![\w-])")
_SHORT = {
    "mdd": "major depressive disorder",
    "major depression": "major depressive disorder",
    "gad": "generalized anxiety disorder",
    "ptsd": "posttraumatic stress disorder",
    "ocd": "obsessive compulsive disorder",
    "adhd": "attention deficit hyperactivity disorder",
    "dmdd": "disruptive mood dysregulation disorder",
    "generalised": "generalized",
    "post traumatic": "posttraumatic",
}
# Where a code's name says one of these, the note's name beside it says no other of the same row.
_RIVALS = (("mild", "moderate", "severe"), ("single episode", "recurrent"), ("partial remission", "full remission"))
_NEAR = 160
_BESIDE = 40  # how far a diagnosis' specifiers may reach between it and its code


@dataclass(frozen=True, slots=True)
class Codes:
    """``names``: of each code its own, the first, and others that it goes by; ``phrases``: codes by what names them."""

    names: dict[str, tuple[str, ...]]
    phrases: dict[str, frozenset[str]]

    def known(self, code: str) -> bool:
        return code in self.names

    def whole(self, code: str) -> bool:
        """It is billed as it is: no longer code begins with it."""
        return not any(other != code and other.startswith(code) for other in self.names)

    def named_in(self, said: str) -> list[str]:
        """The phrases in ``said``, the longest first, without what lies within a longer one."""
        found: list[str] = []
        for phrase in sorted((part for part in _parts(said) if part in self.phrases), key=len, reverse=True):
            if not any(phrase in longer for longer in found):
                found.append(phrase)
        return found


@functools.cache
def codes(file: Path) -> Codes:
    """From the list that ships: code, name and other names, a line each, "#" before what is said of it."""
    names: dict[str, tuple[str, ...]] = {}
    for line in file.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            code, name, others = line.split("\t")
            names[code] = (name, *filter(None, others.split("|")))
    plain = {code: [_plain(one) for one in own] for code, own in names.items()}
    called = {phrase for own in plain.values() for phrase in own}
    called |= {_plain(re.split(r"[,\[(]", own[0])[0]) for own in names.values()}
    phrases: dict[str, set[str]] = {phrase: set() for phrase in called if " " in phrase}
    for code, own in plain.items():
        for name in own:
            for part in _parts(name):
                if part in phrases:
                    phrases[part].add(code)
    return Codes(names, {phrase: frozenset(of) for phrase, of in phrases.items()})


def _parts(said: str) -> Iterator[str]:
    """Every stretch of two words and more."""
    words = said.split()
    for start in range(len(words)):
        for end in range(start + 2, len(words) + 1):
            yield " ".join(words[start:end])


def _plain(name: str) -> str:
    said = " ".join(re.findall(r"[a-z0-9]+", name.lower().removesuffix(" nos"))).replace("disorders", "disorder")
    for short, long in _SHORT.items():
        said = re.sub(rf"\b{short}\b", long, said)
    return said


def diagnoses(case: Case) -> Iterator[Remark]:
    text = case.note.text
    found = list(_CODE.finditer(text))
    known = codes(paths.resources() / "lexicons" / "icd10cm.tsv") if found else None
    for at, match in enumerate(found):
        assert known is not None
        code, span = match.group(), Span(*match.span())
        if not known.known(code):
            says = tr("ICD-10-CM has no code {code}.").format(code=code)
            yield Remark(RemarkKind.DIAGNOSIS, "code-unknown", says, SOURCE, span, severity=Severity.HIGH)
            continue
        if not known.whole(code):
            says = tr("{code} ({name}) is an incomplete code: the list continues with longer ones.")
            says = says.format(code=code, name=known.names[code][0])
            yield Remark(RemarkKind.DIAGNOSIS, "code-short", says, SOURCE, span, severity=Severity.MEDIUM)
        last, following = found[at - 1].end() if at else 0, found[at + 1].start() if at + 1 < len(found) else len(text)
        before = re.split(r"[.;\n]", text[max(last, span.start - _NEAR) : span.start])[-1]
        behind = re.split(r"[.;\n(]", text[span.end : min(following, span.end + _NEAR)])[0]
        named = _named(_plain(before), _plain(behind), known)
        # "Other specified depressive disorder" goes by other words in the list.
        if named and "specified" not in named and not _fits(code, named, known):
            says = tr("{code} is “{name}”; the note names “{said}”.")
            says = says.format(code=code, name=known.names[code][0], said=known.named_in(named)[0])
            yield Remark(RemarkKind.DIAGNOSIS, "code-name", says, SOURCE, span, severity=Severity.HIGH)


def _named(before: str, behind: str, known: Codes) -> str:
    """What names a diagnosis right behind a code, or with its specifiers right before it; empty where nothing does."""
    if any(behind.startswith(phrase) for phrase in known.named_in(behind)):
        return behind
    ends = (len(before) - before.rfind(phrase) - len(phrase) for phrase in known.named_in(before))
    return before if min(ends, default=_BESIDE) < _BESIDE else ""


def _fits(code: str, said: str, known: Codes) -> bool:
    """One of the names in ``said`` is the code's own, or that of a code above or below it; and no specifier is another
    than the code's."""
    own = _plain(known.names[code][0])
    for rivals in _RIVALS:
        ours = {word for word in rivals if word in own}
        theirs = {word for word in rivals if re.search(rf"\b{word}\b", said)}
        if ours and theirs and not ours & theirs:
            return False
    return any(
        one.startswith(code) or code.startswith(one) for phrase in known.named_in(said) for one in known.phrases[phrase]
    )
