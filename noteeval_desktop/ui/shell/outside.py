"""What the rooms need from the rest of the program; app.py fills it in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.domain.decisions import Decision
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.review import Review
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.trust import Trust
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.store.drafts import DraftStore
from noteeval_desktop.ui.case.files import Export, WriteNote
from noteeval_desktop.ui.judging.keys import Keys
from noteeval_desktop.ui.library.access import Place
from noteeval_desktop.ui.many.run_store import RunStore
from noteeval_desktop.ui.scorecard.pdf_dialog import SavePdf


@dataclass(frozen=True)
class Outside:
    """``load_judge`` raises ModelError; ``sample`` is a transcript and a note.

    ``scorecard`` gives a PDF in memory, which nothing may leave on the disk; ``reviewed_pdf`` writes one with a
    handed-in review; ``trust`` reads the disk.
    """

    rubric: Rubric
    load_judge: Callable[[], Judge]
    sample: tuple[Path, Path]
    help_text: Path
    model_cards: tuple[Path, ...]
    licences: Path
    exports: Mapping[str, Export]
    scorecard: Callable[[Evaluation, tuple[Decision, ...], Review | None], bytes]
    write_note: WriteNote
    looks_like_note: Callable[[Path], bool]
    reviewed_pdf: SavePdf
    drafts: DraftStore
    keys: Keys
    library: Place
    sets: RunStore
    trust: Callable[[], tuple[Trust, ...]]
