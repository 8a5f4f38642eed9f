"""The pictures of the user guide. Not collected by itself: ``benchmarks/film_strip.py --guide`` runs it."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageColor
from PySide6.QtWidgets import QPushButton, QWidget

from noteeval_desktop import paths
from noteeval_desktop.ui.widgets.theme import LIGHT
from tests.ui.film_scenes import film, filmed, sample  # noqa: F401 (fixtures)
from tests.ui.library.conftest import Hands
from tests.ui.many.conftest import write_pairs
from tests.ui.supervision.conftest import Reviewer, submit

_COLOURS = 96  # enough for smooth letters on flat areas, at a third of the bytes
_TONES = ("base", "surface", "text", "muted", "line", "red", "amber", "blue", "green", "accent", "warning", "tint")


def _reduced(picture: Image.Image) -> Image.Image:
    """With the theme's tones, and their edges on paper, in the palette: where one is rare its letters would turn into
    the next one's, red into amber."""
    paper, palette = ImageColor.getrgb(LIGHT.base), []
    for tone in _TONES:
        drawn = ImageColor.getrgb(getattr(LIGHT, tone))
        palette += [[one + (other - one) * n // 3 for one, other in zip(drawn, paper, strict=True)] for n in range(3)]
    common = picture.quantize(_COLOURS, dither=Image.Dither.NONE).getpalette()
    colours = np.array(palette + [common[n : n + 3] for n in range(0, len(common), 3)])
    # Pillow's own search for the nearest one takes a near one.
    seen, where = np.unique(np.array(picture).reshape(-1, 3), axis=0, return_inverse=True)
    nearest = np.abs(seen[:, None].astype(int) - colours).sum(axis=2).argmin(axis=1).astype(np.uint8)
    reduced = Image.fromarray(nearest[where].reshape(picture.height, picture.width), "P")
    reduced.putpalette(colours.ravel().tolist())
    return reduced


@pytest.fixture
def picture(film):  # noqa: F811
    def take(name: str, widget: QWidget) -> None:
        film.settle()
        file = Path(os.environ["FILM"]) / f"{name}.png"
        assert widget.grab().save(str(file))
        _reduced(Image.open(file).convert("RGB")).save(file, optimize=True)

    return take


def test_note(sample, picture) -> None:  # noqa: F811
    sample.commands["next_finding"].trigger()
    picture("screenshot", sample)
    found = sample.workspace.findings
    for _ in found.steps:
        if any("twice" in button.text() for button in found.card.findChildren(QPushButton)):
            break
        sample.commands["next_finding"].trigger()
    picture("suggestion", found)


def test_review(sample, picture, qtbot, tmp_path) -> None:  # noqa: F811
    hands = Hands(qtbot, tmp_path / "home" / "library")
    hands.cheap(sample)
    hands.keep(sample, "D. M., session 4")
    submit(sample, hands)
    shown = Reviewer(sample, qtbot, "Dr. Kim", asks_all=False).open(sample.library.kept.id)
    shown.resize(1000, 640)
    qtbot.wait(1500)
    picture("reviewing", shown)


def test_many(sample, picture, qtbot, tmp_path) -> None:  # noqa: F811
    """The sample's note again and again, each time with other sentences left out."""
    pairs = write_pairs(tmp_path / "set", 12, clinician=["Ruth Meyer", "Ben Ortiz"], source=["Scribe", "By hand"])
    whole = sample.session.evaluation.case.note.text
    sentences = [sentence.text for sentence in sample.session.evaluation.case.note.sentences]
    chosen = random.Random(0)
    for n, note in enumerate(sorted(pairs.glob("*.md"))):
        left = whole
        for sentence in chosen.sample(sentences, n):
            left = left.replace(sentence, "")
        note.write_text(left, "utf-8")
    for session in pairs.glob("*.txt"):
        shutil.copy(paths.resources() / "sample" / "transcript.vtt", session.with_suffix(".vtt"))
    table = pairs / "pairs.csv"
    table.write_text(table.read_text("utf-8").replace("transcript.txt", "transcript.vtt"), "utf-8")
    sample.commands["review_many"].trigger()
    many, shown = sample.many, sample.many.window
    many.open_paths([table])
    qtbot.waitUntil(lambda: bool(many.queue.entries) and not many.queue.running, timeout=240_000)
    qtbot.waitUntil(lambda: bool(shown.overview.views) and not many._redraw.isActive(), timeout=10_000)
    shown.resize(1000, 640)
    shown.tabs.setCurrentIndex(1)
    picture("many", shown)
