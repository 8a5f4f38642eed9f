"""The window in the colours of a system that is set to high contrast, as Windows' contrast themes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from noteeval_desktop.ui.widgets.theme import DARK, LIGHT, Theme, theme_for

_READABLE = 4.5
_SIGNS = ("red", "amber", "blue", "green")


def theme_of(application: QApplication, choice: str) -> Theme:
    """For ``choice`` (system, light or dark); who leaves it to the system gets its colours where those are forced."""
    hints = application.styleHints()
    if choice == "system" and hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        application.setPalette(QPalette())  # the system's, in the place of ours
        return forced(application.palette())
    return theme_for(choice, hints.colorScheme())


def forced(system: QPalette) -> Theme:
    """The system's text on the system's grounds. Its accent and our signs keep a colour only where that can be read;
    all of them differ by more than colour."""
    roles = QPalette.ColorRole
    text, base, surface = (system.color(role) for role in (roles.Text, roles.Base, roles.Window))
    chosen = _between(base, text, 0.15)

    def readable(*colours: QColor) -> QColor:
        grounds = (base, surface, chosen)
        return next((c for c in colours if min(contrast(c, ground) for ground in grounds) >= _READABLE), text)

    signs = {name: readable(QColor(getattr(LIGHT, name)), QColor(getattr(DARK, name))).name() for name in _SIGNS}
    accent = readable(system.color(roles.Highlight))
    on_accent = system.color(roles.HighlightedText)
    edges = [_between(base, text, share / 20) for share in range(6, 15)]
    line = max(edges, key=lambda edge: min(contrast(edge, base), contrast(edge, text)))
    return Theme(
        name="contrast",
        text=text.name(),
        muted=text.name(),
        line=line.name(),
        base=base.name(),
        surface=surface.name(),
        hover=chosen.name(),
        tint=chosen.name(),
        warning=base.name(),
        accent=accent.name(),
        on_accent=(on_accent if contrast(on_accent, accent) >= _READABLE else base).name(),
        grey=text.name(),
        **signs,
    )


def contrast(one: QColor, other: QColor) -> float:
    """WCAG 2: 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: QColor) -> float:
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else float(((value + 0.055) / 1.055) ** 2.4) for value in _shares(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _between(one: QColor, other: QColor, share: float) -> QColor:
    return QColor.fromRgbF(*(a + (b - a) * share for a, b in zip(_shares(one), _shares(other), strict=True)))


def _shares(colour: QColor) -> tuple[float, float, float]:
    return colour.redF(), colour.greenF(), colour.blueF()
