"""A second reader's own labels beside the author's: what they are shown, and how far they agree.

    python -m models.training.corpus.second_reader show FOLDER OUT     a session a file, without any label
    python -m models.training.corpus.second_reader compare FOLDER LABELS

LABELS holds lines ``SESSION NOTE SENTENCE LABEL NEED`` (``a01-03 A 7 t 1``): label t, f or o; need 1, or 0 for what a
careful clinician would strike out. The agreement is Krippendorff's alpha over sentences.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from noteeval_desktop.research.labelled import LabelledSession, read_sessions

_SHORT = {"true": "t", "false": "f", "observed": "o"}


def shown(session: LabelledSession) -> str:
    """Transcript and notes, sentences numbered from 1, nothing of what their author made of them."""
    lines = [f"{session.id}: {session.setting}", ""]
    lines += [f"{turn.number} {turn.speaker} ({turn.role}): {turn.text}" for turn in session.turns]
    for note in session.notes:
        lines += ["", f"NOTE {note.id} ({note.format})"]
        section = ""
        for number, sentence in enumerate(note.sentences, 1):
            if sentence.section != section:
                section = sentence.section
                lines.append(f"= {section}")
            lines.append(f"{number}. {sentence.text}")
    return "\n".join(lines) + "\n"


def compare(sessions: Sequence[LabelledSession], labels: str) -> dict[str, tuple[int, float, float]]:
    """By question (``label``, ``need``): how many sentences both judged, the share that agrees, alpha."""
    from noteeval_desktop.measures.agreement import krippendorff_alpha

    theirs = {tuple(line.split()[:3]): line.split()[3:5] for line in labels.splitlines() if len(line.split()) >= 5}
    pairs: dict[str, list[tuple[str, str]]] = {"label": [], "need": []}
    for session in sessions:
        for note in session.notes:
            for number, sentence in enumerate(note.sentences, 1):
                given = theirs.get((session.id, note.id, str(number)))
                if given:
                    pairs["label"].append((_SHORT[sentence.label], given[0]))
                    pairs["need"].append((str(int(bool(sentence.items))), given[1]))
    return {
        question: (
            len(own),
            sum(one == other for one, other in own) / max(1, len(own)),
            krippendorff_alpha(list(zip(*own, strict=True))),
        )
        for question, own in pairs.items()
    }


def main(arguments: Sequence[str]) -> int:
    what, folder, other = arguments[0], Path(arguments[1]), Path(arguments[2])
    sessions = list(read_sessions(folder))
    if what == "show":
        other.mkdir(parents=True, exist_ok=True)
        for session in sessions:
            (other / f"{session.id}.txt").write_text(shown(session), encoding="utf-8")
        return 0
    for question, (count, share, alpha) in compare(sessions, other.read_text(encoding="utf-8")).items():
        print(f"{question}: {count} sentences, {share:.1%} agree, alpha {alpha:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
