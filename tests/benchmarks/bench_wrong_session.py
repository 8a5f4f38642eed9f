"""How many wrong sessions are told from right ones: python tests/benchmarks/bench_wrong_session.py --data FILE.

By hand; not a test. FILE is TN-Eval's data or the composed sessions to learn from. Each note is paired with its own
session, with other ones, and with several others joined: the whole note, its beginning, and with a form around it. A
note of a long session is made of a few sentences of each of several notes, by one writer, of sessions that are joined.
Right pairs come with the five that are nearest to a warning.

Nothing that was counted is tested: of TN-Eval, the words that notes share are counted without the note's conversation;
composed sessions are tested ten by ten, and how often words are said is counted in the other forty.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from models.training import spoken_rates as counting
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.builtin.text import spoken_rates
from noteeval_desktop.judges.builtin.text.note_words import NoteWords
from noteeval_desktop.judges.session_match import LIMIT, SessionMatcher, matcher
from noteeval_desktop.measures.composed import load_composed
from noteeval_desktop.measures.tn_eval import load_notes
from noteeval_desktop.report.terminal import table

JOINED = (1, 4, 9)
REPEATS = 8
FOLDS = 5
COMPOSED = "composed"
BEGINNINGS = (5, 8, 12)
# Forms and findings that nobody says aloud, as many practices put them around each note.
FORM = (
    "Telehealth session conducted via HIPAA-compliant video platform from 10:00 to 10:53; CPT 90834.",
    "Client verified identity and physical location and verbally consented to telehealth services.",
    "Thought content without delusions, obsessions or paranoia; perception free of hallucinations.",
    "Impulse control adequate, psychomotor activity normal, hygiene adequate.",
    "Interventions utilized: cognitive restructuring, psychoeducation, validation, Socratic questioning, mindfulness.",
    "Diagnosis: F41.1 generalized anxiety disorder; rule out F33.1 major depressive disorder, recurrent, moderate.",
    "Treatment plan reviewed; medical necessity criteria continue to be met for outpatient psychotherapy.",
    "Prognosis guarded to fair given chronicity of symptoms and limited psychosocial supports.",
    "Provider available for crisis through the after-hours line; client verbalized understanding.",
)


class Told(NamedTuple):
    conversation: str
    writer: str
    case: Case


def read(path: Path) -> list[Told]:
    try:
        return [Told(note.conversation, note.source, note.case) for note in load_notes(path)]
    except InputError:
        return [Told(session.name, COMPOSED, session.case) for session in load_composed(path)]


def joined(transcripts: Sequence[Transcript]) -> Transcript:
    turns = [turn for transcript in transcripts for turn in transcript.turns]
    return Transcript(tuple(replace(turn, index=index) for index, turn in enumerate(turns)))


def of_sentences(note: Note, texts: Sequence[str]) -> Note:
    """The note with only these sentences; the places are of no account here."""
    return replace(note, sentences=tuple(replace(note.sentences[0], text=text) for text in texts))


def texts_of(told: Told) -> list[str]:
    return [sentence.text for sentence in told.case.note.sentences]


def pairs(told: Told, sessions: Mapping[str, Transcript], rng: random.Random) -> Iterator[tuple[str, Case]]:
    own, texts = sessions[told.conversation], texts_of(told)
    others = [session for name, session in sessions.items() if name != told.conversation]
    notes = [("whole note", told.case.note), ("with a form", of_sentences(told.case.note, [*texts, *FORM]))]
    notes += [(f"its first {n}", of_sentences(told.case.note, texts[:n])) for n in BEGINNINGS if n < len(texts)]
    for name, note in notes:
        yield f"right: {name}", Case(own, note)
        for count in JOINED:
            for _ in range(REPEATS):
                chosen = rng.sample(others, count)
                yield f"wrong, {count} joined: {name}", Case(joined(chosen), note)
    for count in JOINED[1:]:
        yield f"right and {count - 1} more joined", Case(joined([own, *rng.sample(others, count - 1)]), told.case.note)


def long_pairs(
    notes: Sequence[Told], sessions: Mapping[str, Transcript], rng: random.Random
) -> Iterator[tuple[str, Case]]:
    by = {(told.writer, told.conversation): told for told in notes}
    for writer in sorted({told.writer for told in notes}):
        for count in JOINED[1:]:
            for _ in range(10 * REPEATS):
                names = rng.sample(sorted(sessions), count)
                told = [texts_of(by[writer, name]) for name in names]
                some = [text for texts in told for text in rng.sample(texts, max(1, len(texts) // count))]
                note = of_sentences(by[writer, names[0]].case.note, some)
                rest = rng.sample([name for name in sessions if name not in names], count)
                yield f"right, long: {count} joined", Case(joined([sessions[name] for name in names]), note)
                yield f"wrong, long: {count} joined", Case(joined([sessions[name] for name in rest]), note)


def tn_groups(notes: Sequence[Told]) -> Iterator[tuple[SessionMatcher, list[Told], dict[str, Transcript]]]:
    sessions = {told.conversation: told.case.transcript for told in notes}
    base = matcher()
    for left_out in sessions:
        words: dict[str, set[str]] = {}
        for told in notes:
            if told.conversation != left_out:
                found = (word.folded for text in texts_of(told) for word in base.lexicon.words(text))
                words.setdefault(told.conversation, set()).update(found)
        own = replace(base, shared=_counted(words.values(), len(words)))
        yield own, [told for told in notes if told.conversation == left_out], sessions


def composed_groups(notes: Sequence[Told]) -> Iterator[tuple[SessionMatcher, list[Told], dict[str, Transcript]]]:
    base = matcher()
    for fold in range(FOLDS):
        held_out = notes[fold::FOLDS]
        counted = counting.count((t.case.transcript for t in notes if t not in held_out), base.lexicon)
        own = replace(base, spoken=spoken_rates.rates(base.lexicon, counted))
        yield own, list(held_out), {told.conversation: told.case.transcript for told in held_out}


def _counted(notes: Iterable[Iterable[str]], conversations: int) -> NoteWords:
    """``notes`` has the word pieces of one conversation's notes each; pieces in fewer than four are left out."""
    counts = Counter(piece for pieces in notes for piece in set(pieces))
    return NoteWords({piece: count for piece, count in sorted(counts.items()) if count >= 4}, conversations)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    notes = read(parser.parse_args().data)
    rng = random.Random(1)
    found: dict[str, list[float | None]] = {}
    composed = notes[0].writer == COMPOSED
    for own, tested, sessions in (composed_groups if composed else tn_groups)(notes):
        for told in tested:
            for kind, case in pairs(told, sessions, rng):
                found.setdefault(kind, []).append(own.times_chance(case))
    if not composed:
        for kind, case in long_pairs(notes, sessions, rng):
            found.setdefault(kind, []).append(matcher().times_chance(case))
    rows = [["", "pairs", "not asked", "warned", "median", "nearest"]]
    for kind in sorted(found):
        known = sorted(value for value in found[kind] if value is not None)
        warned = sum(value < LIMIT for value in known)
        nearest = " ".join(f"{value:.2f}" for value in known[:5]) if kind.startswith("right") else ""
        share, median = f"{warned / max(1, len(known)):.3f}", f"{known[len(known) // 2]:.2f}" if known else ""
        rows.append([kind, str(len(found[kind])), str(len(found[kind]) - len(known)), share, median, nearest])
    print(table(rows))


if __name__ == "__main__":
    main()
