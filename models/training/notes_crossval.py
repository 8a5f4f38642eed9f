"""Cross-validation of the note heads: every conversation judged by heads that never saw it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from models.training import notes as train_note
from models.training.notes import Example, Examples
from noteeval_desktop.judges.builtin import general_items
from noteeval_desktop.judges.builtin.features_note import Floats
from noteeval_desktop.judges.builtin.heads import NoteHeads
from noteeval_desktop.measures.tn_eval import Answer, JudgedNote

FOLDS = 7


def cross_validated(
    data: Examples, seed: int = 0, folds: int = FOLDS, progress: Callable[[int, int], None] = lambda done, total: None
) -> tuple[JudgedNote, ...]:
    """One judged note an example, in order. Everything, calibration and thresholds included, is learned per fold."""
    judged: dict[int, JudgedNote] = {}
    for number, (inside, outside) in enumerate(train_note.folds(data.examples, folds, seed)):
        heads = train_note.fit(data, inside)
        judged |= {index: judge(heads, data.examples[index]) for index in outside}
        progress(number + 1, folds)
    return tuple(judged[index] for index in range(len(data.examples)))


def judge(heads: NoteHeads, example: Example) -> JudgedNote:
    """As the built-in judge would: what speaks of danger counts as needed."""
    serving = heads.serving(example.rows)
    present = heads.present(example.rows, example.summaries, serving)
    needed = heads.needed(example.rows, serving)
    return JudgedNote(
        items=dict(zip(heads.items, _answers(present, heads.item_bands.threshold), strict=True)),
        needed=tuple(
            replace(answer, yes=answer.yes or general_items.speaks_of_safety(labelled.sentence.text))
            for answer, labelled in zip(
                _answers(needed, heads.need_bands.threshold), example.note.sentences, strict=True
            )
        ),
    )


def _answers(chances: Floats | Sequence[float], threshold: float) -> Iterator[Answer]:
    return (Answer(float(chance), bool(chance >= threshold)) for chance in chances)
