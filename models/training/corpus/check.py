"""Says what is wrong with the form of labelled sessions: `python3 -m models.training.corpus.check FOLDER`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from noteeval_desktop.research.labelled import CorpusError, LabelledSession, Note, parse_session

TURNS = (45, 130)
SENTENCES = (12, 30)


def problems(session: LabelledSession) -> Iterator[str]:
    """What an author has to mend, in words."""
    numbers = [turn.number for turn in session.turns]
    if numbers != list(range(1, len(numbers) + 1)):
        wrong = next(n for n, (has, wants) in enumerate(zip(numbers, range(1, 10_000), strict=False)) if has != wants)
        yield f"turns are not numbered 1, 2, 3 …: look at {numbers[wrong]}"
    if not TURNS[0] <= len(numbers) <= TURNS[1]:
        yield f"{len(numbers)} turns; {TURNS[0]} to {TURNS[1]} are wanted"
    if not 6 <= len(session.facts) <= 14:
        yield f"{len(session.facts)} facts; 7 to 12 are wanted"
    if sum(risk.stance == "figurative" for risk in session.risk) < 1:
        yield "no look-alike of danger (figurative)"
    for risk in session.risk:
        if (risk.kind == "-") != (risk.stance == "figurative"):
            yield f"risk at turn {risk.turn}: kind - goes with figurative, and only with it"
    known = set(numbers)
    cited = [turn for fact in session.facts for turn in fact.turns] + [risk.turn for risk in session.risk]
    cited += [turn for note in session.notes for sentence in note.sentences for turn in sentence.turns]
    for turn in sorted(set(cited) - known):
        yield f"turn {turn} is cited and is not there"
    if len(session.notes) != 2:
        yield f"{len(session.notes)} notes; two are wanted"
    for note in session.notes:
        yield from (f"note {note.id}: {problem}" for problem in _note_problems(session, note))
    texts = Counter(sentence.text for note in session.notes for sentence in note.sentences)
    yield from (f"stands twice: {text[:60]}" for text, count in texts.items() if count > 1)


def _note_problems(session: LabelledSession, note: Note) -> Iterator[str]:
    count = len(note.sentences)
    if not SENTENCES[0] <= count <= SENTENCES[1]:
        yield f"{count} sentences; 14 to 26 are wanted"
    share = sum(sentence.label == "false" for sentence in note.sentences) / max(count, 1)
    if not 0.1 <= share <= 0.35:
        yield f"{share:.0%} of the sentences are false; 15 to 25 % are wanted"
    twins = sum(sentence.label == "true" and bool(sentence.twin) for sentence in note.sentences)
    if twins < 4:
        yield f"{twins} true sentences have a false twin; five are wanted"
    if not any(not sentence.items for sentence in note.sentences):
        yield "no filler (items -)"
    for sentence in note.sentences:
        if sentence.label == "false" and not sentence.turns and sentence.kind != "invented":
            yield f"no turns that say otherwise: {sentence.text[:60]}"
        if sentence.twin and not 0.5 <= len(sentence.twin) / len(sentence.text) <= 2:
            yield f"the twin is not of the same length: {sentence.text[:60]}"
        if not sentence.section:
            yield f"stands under no heading: {sentence.text[:60]}"
    unknown = set(note.covers) - {fact.id for fact in session.facts}
    if unknown:
        yield f"covers {sorted(unknown)[0]}, which is no fact"
    if len(session.facts) - len(set(note.covers)) < 1:
        yield "leaves no fact out; two to five are wanted"


def main(folder: Path) -> int:
    found = 0
    sessions = []
    for path in sorted(folder.rglob("*.txt")):
        try:
            session = parse_session(path.read_text(encoding="utf-8"))
            wrong = list(problems(session))
            if session.id != f"{path.parent.name}-{path.stem}":
                wrong.append(f"@session is {session.id!r}, the file's place says {path.parent.name}-{path.stem}")
            sessions.append(session)
        except CorpusError as error:
            wrong = [str(error)]
        found += len(wrong)
        for problem in wrong:
            print(f"{path.parent.name}/{path.name}: {problem}")
    sentences = [sentence for session in sessions for note in session.notes for sentence in note.sentences]
    kinds = Counter(sentence.kind for sentence in sentences if sentence.kind)
    print(
        f"{len(sessions)} sessions, {sum(len(session.turns) for session in sessions)} turns, {len(sentences)} sentences"
        f" ({', '.join(f'{label} {count}' for label, count in Counter(s.label for s in sentences).most_common())}),"
        f" kinds {dict(kinds.most_common())}"
    )
    print("nothing is wrong with the form" if not found else f"{found} things to mend")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
