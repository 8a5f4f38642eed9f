"""Every labelled claim that there is, in one form: a session, and sentences said of it with what is known of each."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Block, Note, Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.research.composed import Truth, load_composed
from noteeval_desktop.research.labelled import LabelledSession, read_sessions, sections_of, transcript_of
from noteeval_desktop.research.published import load_notes

CORPUS = Path(__file__).parent / "corpus" / "sessions"


@dataclass(frozen=True, slots=True)
class Claim:
    """``target`` is the share of its readers who call it borne out; None for what only the room shows.

    ``contradicted`` is True where the session says otherwise, False where it does not, None where nobody said which.
    ``turns`` (from 0) decide it, where somebody wrote that down. ``twin`` is shared by the two versions of a sentence.
    """

    text: str
    sections: tuple[Section, ...]
    target: float | None
    contradicted: bool | None = None
    kind: str = ""
    turns: tuple[int, ...] = ()
    twin: str = ""


@dataclass(frozen=True, slots=True)
class ClaimSet:
    """One session with claims about it. ``group`` is what must not stand on both sides of a split (an author, a
    conversation); ``source`` names the data set."""

    source: str
    group: str
    name: str
    transcript: Transcript
    claims: tuple[Claim, ...]

    @property
    def labelled(self) -> ClaimSet:
        """Without the claims that only the room shows."""
        return replace(self, claims=tuple(claim for claim in self.claims if claim.target is not None))

    @property
    def note(self) -> Note:
        """A sentence a claim, whatever a splitter would make of it."""
        text, sentences = "", []
        for number, claim in enumerate(self.claims, 1):
            span = Span(len(text), len(text) + len(claim.text))
            sentences.append(Sentence(f"s{number}", claim.sections, span, claim.text))
            text += claim.text + "\n"
        return Note(text, (Block(self.claims[0].sections, None, Span(0, len(text))),), tuple(sentences))


def tn_eval(path: Path) -> Iterator[ClaimSet]:
    for note in load_notes(path):
        claims = [
            Claim(one.sentence.text, one.sentence.sections, sum(one.faithful) / len(one.faithful))
            for one in note.sentences
        ]
        name = f"{note.conversation}/{note.source}"
        yield ClaimSet("tn-eval", note.conversation, name, note.case.transcript, tuple(claims))


def composed(name: str) -> Iterator[ClaimSet]:
    """``name`` is a file of resources/composed, without its ending; the author is the name's first part."""
    for session in load_composed(paths.resources() / "composed" / f"{name}.json"):
        claims = [
            Claim(
                one.sentence.text,
                one.sentence.sections,
                None if one.truth is Truth.OBSERVED else float(one.truth is Truth.TRUE),
                None if one.truth is Truth.FALSE else False,
                one.error.value if one.error else "",
            )
            for one in session.claims
        ]
        group = f"{name}/{session.name.split('-')[0]}"
        yield ClaimSet(name, group, session.name, session.case.transcript, tuple(claims))


def corpus(folder: Path = CORPUS) -> Iterator[ClaimSet]:
    for session in read_sessions(folder):
        yield from corpus_claims(session)


def corpus_claims(session: LabelledSession) -> Iterator[ClaimSet]:
    """One a note; a sentence's twin follows it."""
    transcript = transcript_of(session)
    for note in session.notes:
        claims: list[Claim] = []
        for sentence in note.sentences:
            turns = tuple(turn - 1 for turn in sentence.turns)
            sections = sections_of(note.format, sentence.section)
            twin = f"{session.id}/{note.id}/{len(claims)}" if sentence.twin else ""
            false = sentence.label == "false"
            target = None if sentence.label == "observed" else float(not false)
            says_otherwise = false and sentence.kind != "invented"
            claims.append(
                Claim(sentence.text, sections, target, says_otherwise, sentence.kind if false else "", turns, twin)
            )
            if twin:
                text = sentence.twin
                kind = "" if false else sentence.kind
                claims.append(Claim(text, sections, float(false), not false and kind != "invented", kind, turns, twin))
        yield ClaimSet("corpus", session.author, f"{session.id}/{note.id}", transcript, tuple(claims))


def clinicians_notes(path: Path) -> Iterator[ClaimSet]:
    """Of mts_dialog_train.csv, mts_dialog_valid.csv, aci_bench_train.csv or aci_bench_valid.csv; every claim is true.

    Raises KeyError for another table.
    """
    with path.open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            turns = turns_of(row["dialogue"])
            text = row.get("section_text") or row["note"]
            header = row.get("section_header", "")
            section = (
                Section.PLAN
                if header == "PLAN"
                else Section.ASSESSMENT
                if header in ("ASSESSMENT", "DIAGNOSIS")
                else Section.SUBJECTIVE
            )
            claims = [Claim(one, (section,), 1.0, False) for one in _sentences(text)]
            group = row.get("encounter_id") or row["ID"]
            yield ClaimSet(path.stem, group, group, Transcript(turns), tuple(claims))


_SPEAKER = re.compile(r"^\s*(?:\[(\w+)\]|(\w+):)\s*", re.MULTILINE)
_THERAPIST = frozenset({"doctor", "clinician"})


def turns_of(dialogue: str) -> tuple[Turn, ...]:
    found: list[tuple[str, str]] = []
    for line in dialogue.splitlines():
        match = _SPEAKER.match(line)
        if match:
            found.append(((match[1] or match[2]).lower(), line[match.end() :].strip()))
        elif line.strip() and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
    return tuple(
        Turn(
            number,
            who.capitalize(),
            Role.THERAPIST if who in _THERAPIST else Role.CLIENT if who == "patient" else Role.OTHER,
            text,
        )
        for number, (who, text) in enumerate(found)
    )


def _sentences(text: str) -> list[str]:
    pieces = [
        piece.strip(" •-\t") for line in text.splitlines() for piece in re.split(r"(?<=[.!?])\s+(?=[A-Z0-9])", line)
    ]
    return [piece for piece in pieces if len(piece.split()) >= 3 and not piece.isupper()]


def windows(folder: Path) -> Iterator[tuple[str, int, Sequence[tuple[str, str]], Sequence[dict[str, str]]]]:
    """(author, number, turns as (role, text), claims as written) of the short windows."""
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            entry = json.loads(line)
            yield path.stem, number, [(turn["role"], turn["text"]) for turn in entry["window"]], entry["claims"]
