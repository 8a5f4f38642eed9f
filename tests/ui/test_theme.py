from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QWidget

from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.present.vocabulary import MARKED
from noteeval_desktop.ui.editor.highlights import mark_colour, mark_format
from noteeval_desktop.ui.widgets.theme import (
    DARK,
    LIGHT,
    THEME,
    Theme,
    forced,
    open_at,
    stylesheet,
    theme_for,
    theme_of,
)
from noteeval_desktop.ui.widgets.theme import contrast as contrast_of


def contrast(one: str, other: str) -> float:
    return contrast_of(QColor(one), QColor(other))


def palette_of(text: str, ground: str, chosen: str, on_chosen: str) -> QPalette:
    made, roles = QPalette(), QPalette.ColorRole
    for role, colour in (
        *((role, text) for role in (roles.Text, roles.WindowText, roles.ButtonText)),
        *((role, ground) for role in (roles.Base, roles.Window, roles.Button)),
        (roles.Highlight, chosen),
        (roles.HighlightedText, on_chosen),
    ):
        made.setColor(role, QColor(colour))
    return made


# Windows 11's contrast themes, and the plain ones before them.
FORCED = [
    forced(palette_of(*colours))
    for colours in (
        ("#ffffff", "#202020", "#8ee3f0", "#263b50"),  # Aquatic
        ("#3d3d3d", "#fffaef", "#903909", "#fff5e3"),  # Desert
        ("#ffffff", "#2d3236", "#a1bfde", "#212d3b"),  # Dusk
        ("#ffffff", "#000000", "#d6b4fd", "#2b2b2b"),  # Night sky
        ("#000000", "#ffffff", "#000000", "#ffffff"),
        ("#ffff00", "#000000", "#008000", "#ffffff"),
    )
]
THEMES = [LIGHT, DARK, *FORCED]


TEXT = [
    (fore, back)
    for fore in ("text", "muted", "accent", "red", "amber", "blue", "green")
    for back in ("base", "surface")
] + [
    ("text", "tint"),
    ("text", "hover"),
    ("muted", "tint"),
    ("muted", "hover"),
    ("on_accent", "accent"),
    ("red", "warning"),
    ("text", "warning"),
]
# What cannot be used now: buttons and menu entries, in grey, or in muted on a line where it would be the main one.
DISABLED = [("grey", "base"), ("grey", "surface"), ("grey", "hover"), ("muted", "line")]
MARKS = [(fore, back) for fore in ("red", "amber", "blue", "green", "grey", "accent") for back in ("base", "tint")]


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: f"{theme.name}-{theme.base}")
@pytest.mark.parametrize(("fore", "back"), TEXT)
def test_text_can_be_read(theme: Theme, fore: str, back: str) -> None:
    assert contrast(getattr(theme, fore), getattr(theme, back)) >= 4.5


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: f"{theme.name}-{theme.base}")
@pytest.mark.parametrize(("fore", "back"), DISABLED)
def test_what_cannot_be_used_can_still_be_read(theme: Theme, fore: str, back: str) -> None:
    assert contrast(getattr(theme, fore), getattr(theme, back)) >= 3


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: f"{theme.name}-{theme.base}")
def test_every_rule_of_the_stylesheet_that_names_text_and_ground_can_be_read(theme: Theme) -> None:
    rules = re.findall(r"([^{}]+)\{([^}]*)\}", stylesheet(theme))
    pairs = []
    for selector, body in rules:
        fore, back = re.search(r"(?<![-\w])color: (#\w{6})", body), re.search(r"background: (#\w{6})", body)
        if fore and back:
            pairs.append((selector.strip(), fore[1], back[1]))
    assert len(pairs) >= 8
    low = [(s, f, b) for s, f, b in pairs if contrast(f, b) < (3 if ":disabled" in s else 4.5)]
    assert not low


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: f"{theme.name}-{theme.base}")
@pytest.mark.parametrize(("fore", "back"), MARKS)
def test_marks_can_be_seen(theme: Theme, fore: str, back: str) -> None:
    assert contrast(getattr(theme, fore), getattr(theme, back)) >= 3


def test_marks_differ_without_colour_and_the_rest_by_sign(monkeypatch) -> None:
    monkeypatch.setattr(THEME, "now", DARK)
    styles = {kind: mark_format(kind).underlineStyle() for kind in MARKED}
    assert len(set(styles.values())) == 3
    assert styles[FindingKind.OBSERVED] == styles[FindingKind.UNNEEDED]
    dimmed = mark_format(FindingKind.UNNEEDED).foreground().color()
    assert dimmed == QColor(DARK.muted)
    # Grey twice: what may not be needed is dotted, what is for the record dashed.
    assert len({(styles[kind], mark_colour(kind)) for kind in MARKED}) == len(MARKED)


@pytest.mark.parametrize(
    ("choice", "system", "expected"),
    [
        ("system", Qt.ColorScheme.Dark, DARK),
        ("system", Qt.ColorScheme.Light, LIGHT),
        ("system", Qt.ColorScheme.Unknown, LIGHT),
        ("light", Qt.ColorScheme.Dark, LIGHT),
        ("dark", Qt.ColorScheme.Light, DARK),
    ],
)
def test_theme_follows_the_choice_or_the_system(choice: str, system: Qt.ColorScheme, expected: Theme) -> None:
    assert theme_for(choice, system) is expected


def test_a_window_leaves_room_for_its_title_bar(qtbot, monkeypatch) -> None:
    screen = SimpleNamespace(availableSize=lambda: QSize(1280, 800))
    window = QWidget()
    qtbot.addWidget(window)
    monkeypatch.setattr(window, "screen", lambda: screen)
    open_at(window, 1280, 800)
    assert window.width() == 1280
    assert 760 <= window.height() < 790
    open_at(window, 1000, 600)
    assert (window.width(), window.height()) == (1000, 600)


@pytest.mark.parametrize(("choice", "name"), [("system", "contrast"), ("dark", "dark"), ("light", "light")])
def test_whoever_leaves_it_to_a_system_with_forced_colours_gets_those(choice: str, name: str) -> None:
    night = palette_of("#ffffff", "#000000", "#d6b4fd", "#2b2b2b")
    preference = SimpleNamespace(contrastPreference=lambda: Qt.ContrastPreference.HighContrast)
    hints = SimpleNamespace(accessibility=lambda: preference, colorScheme=lambda: Qt.ColorScheme.Light)
    application: Any = SimpleNamespace(styleHints=lambda: hints, setPalette=lambda _: None, palette=lambda: night)
    made = theme_of(application, choice)
    assert made.name == name
    if name == "contrast":
        assert (made.text, made.base, made.accent) == ("#ffffff", "#000000", "#d6b4fd")


def test_without_forced_colours_the_system_chooses_between_our_two(qapp) -> None:
    assert theme_of(qapp, "system") in (LIGHT, DARK)
