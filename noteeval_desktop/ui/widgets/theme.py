"""Every colour, size and distance of the window, in one place; light and dark; icons drawn in its colours."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QStyle, QWidget

from noteeval_desktop import paths

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


UNIT = 8
HIT = 28
READING_SIZE = 15
READING_SIZES = (11, 28)
UI_SIZE = 13
SMALL_SIZE = 12
LINE_HEIGHT_PERCENT = 145
COLUMN_CHARACTERS = 68


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours as #rrggbb. ``base`` is paper, ``surface`` the frame around it, ``tint`` a cited or chosen
    passage, ``warning`` what is behind the red words of the risk banner."""

    name: str
    text: str
    muted: str
    line: str
    base: str
    surface: str
    hover: str
    tint: str
    warning: str
    accent: str
    on_accent: str
    red: str
    amber: str
    blue: str
    green: str
    grey: str

    def colour(self, name: str) -> QColor:
        return QColor(getattr(self, name))


LIGHT = Theme(
    name="light",
    text="#1f2328",
    muted="#59636e",
    line="#d1d9e0",
    base="#ffffff",
    surface="#f5f7f9",
    hover="#e9eef2",
    tint="#e0f1f2",
    warning="#fdf0ef",
    accent="#0b6e75",
    on_accent="#ffffff",
    red="#c0362c",
    amber="#9a6700",
    blue="#2f6fb0",
    green="#1a7f37",
    grey="#76808b",
)
DARK = Theme(
    name="dark",
    text="#e6edf3",
    muted="#9aa4af",
    line="#30363d",
    base="#15191e",
    surface="#1b2026",
    hover="#262d35",
    tint="#173a3e",
    warning="#2b1d20",
    accent="#4fb8bf",
    on_accent="#0b1a1c",
    red="#ff7b72",
    amber="#d9a441",
    blue="#79b8ff",
    green="#56d364",
    grey="#8b949e",
)


class _Shown(QObject):
    """The theme that the program shows. ``changed``: what was made in its colours, and is not painted anew by itself,
    is made in those of another."""

    changed = Signal()
    now = LIGHT

    def show(self, theme: Theme) -> None:
        self.now = theme
        self.changed.emit()


THEME = _Shown()


def colour_of(name: str) -> QColor:
    return THEME.now.colour(name)


def fill(painter: QPainter, area: QRectF, colour: str, radius: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour_of(colour))
    painter.drawRoundedRect(area, radius, radius)


def write(
    painter: QPainter,
    area: QRectF,
    text: str,
    font: QFont,
    colour: str = "text",
    how: Qt.AlignmentFlag | Qt.TextFlag = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft,
) -> None:
    painter.setFont(font)
    painter.setPen(colour_of(colour))
    painter.drawText(area, how, text)


def paint_share(painter: QPainter, bar: QRectF, share: float) -> None:
    """``share`` of a bar, which is seen however small it is."""
    high = bar.height()
    fill(painter, bar, "line", high / 2)
    if share > 0:
        fill(painter, QRectF(bar.left(), bar.top(), max(high, bar.width() * share), high), "accent", high / 2)


def theme_for(choice: str, system: Qt.ColorScheme) -> Theme:
    """``choice`` is light, dark or system."""
    if choice == "system":
        return DARK if system == Qt.ColorScheme.Dark else LIGHT
    return DARK if choice == "dark" else LIGHT


def sized(font: QFont, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """``font`` at a size in device-independent pixels."""
    copy = QFont(font)
    copy.setPixelSize(pixels)
    copy.setWeight(weight)
    return copy


def zoomed(font: QFont, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """``pixels`` as they are at the usual size of ``font``; in proportion where the reader enlarged it."""
    return sized(font, round(pixels * max(font.pixelSize(), UI_SIZE) / UI_SIZE), weight)


def open_at(window: QWidget, width: int, height: int) -> None:
    """The size that a window has at first: no larger than its screen, which at 200 % may be 960 pixels wide, leaves
    below a title bar."""
    bar = QSize(0, window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight))
    window.resize(QSize(width, height).boundedTo(window.screen().availableSize() - bar))


def bring_up(window: QWidget) -> None:
    """Shown, before all others, and the one that is typed into."""
    window.show()
    window.raise_()
    window.activateWindow()


def palette(theme: Theme) -> QPalette:
    roles = QPalette.ColorRole
    colours = {
        roles.Window: theme.surface,
        roles.WindowText: theme.text,
        roles.Base: theme.base,
        roles.AlternateBase: theme.surface,
        roles.Text: theme.text,
        roles.Button: theme.surface,
        roles.ButtonText: theme.text,
        roles.BrightText: theme.red,
        roles.ToolTipBase: theme.base,
        roles.ToolTipText: theme.text,
        roles.Highlight: theme.accent,
        roles.HighlightedText: theme.on_accent,
        roles.Link: theme.accent,
        roles.PlaceholderText: theme.muted,
        roles.Mid: theme.line,
        roles.Light: theme.base,
        roles.Midlight: theme.hover,
        roles.Dark: theme.line,
        roles.Shadow: theme.line,
    }
    made = QPalette()
    for role, colour in colours.items():
        made.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.grey))
    return made


def stylesheet(theme: Theme) -> str:
    """What the palette cannot say. Widgets are told apart by object names and the ``look`` property."""
    t = theme
    # Fusion draws the frame of a box darker than the window, which nobody sees on a dark one.
    drawn = (paths.resources() / "icons").as_posix()
    return f"""
QToolTip {{ background: {t.base}; color: {t.text}; border: 1px solid {t.line}; padding: 6px; }}
QMenuBar {{ background: {t.surface}; padding: 1px 8px; }}
QMenuBar::item {{ padding: 5px 9px; border-radius: 4px; background: transparent; }}
QMenuBar::item:selected {{ background: {t.hover}; }}
QMenu {{ background: {t.base}; border: 1px solid {t.line}; padding: 4px; }}
QMenu::item {{ padding: 6px 26px 6px 26px; border-radius: 4px; }}
QMenu::item:selected {{ background: {t.tint}; color: {t.text}; }}
QMenu::item:disabled {{ color: {t.grey}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
QMenu::icon {{ padding-left: 6px; }}
QMenu::indicator {{ width: 12px; height: 12px; left: 8px; }}
QMenu::indicator:checked {{ image: url("{drawn}/check-{"dark" if t.name == "light" else "light"}.svg"); }}
#header, #glance_row, #status_line {{ background: {t.surface}; }}
#program {{ font-weight: 700; }}
#header {{ border-bottom: 1px solid {t.line}; }}
#status_line {{ border-top: 1px solid {t.line}; }}
#pane_head {{ background: {t.base}; border-bottom: 1px solid {t.line}; }}
#pane, #pane QStackedWidget, #pane_foot {{ background: {t.base}; }}
#banner {{ background: {t.base}; border: 1px solid {t.amber}; border-left: 5px solid {t.amber}; }}
#banner[look="done"] {{ border: 1px solid {t.line}; border-left: 5px solid {t.accent}; }}
#card {{ background: {t.surface}; border-top: 1px solid {t.line}; }}
#explanation {{ background: {t.base}; border: 1px solid {t.line}; }}
#drop_target {{ background: {t.base}; border: 2px dashed {t.grey}; border-radius: 12px; }}
#drop_target[state="over"] {{ background: {t.tint}; border-color: {t.accent}; }}
#drop_target[state="filled"] {{ border: 2px solid {t.accent}; }}
QLabel[look="muted"] {{ color: {t.muted}; }}
QLabel[look="accent"] {{ color: {t.accent}; }}
QLabel[look="heading"] {{ font-weight: 600; }}
QSplitter::handle {{ background: {t.line}; }}
QSplitter::handle:hover, QSplitter::handle:focus {{ background: {t.accent}; }}
QToolButton, QPushButton {{ background: transparent; color: {t.text}; border: 1px solid transparent;
  border-radius: 6px; padding: 4px 10px; min-height: {HIT - 10}px; }}
QPushButton, QToolButton[look="push"] {{ background: {t.base}; border-color: {t.line}; }}
QToolButton:hover, QPushButton:hover {{ background: {t.hover}; }}
QToolButton:pressed, QPushButton:pressed {{ background: {t.line}; }}
QToolButton:focus, QPushButton:focus {{ border: 2px solid {t.accent}; padding: 3px 9px; }}
QToolButton:disabled, QPushButton:disabled {{ color: {t.grey}; }}
QToolButton[look="sign"] {{ padding: 4px 2px; }}
QToolButton[look="sign"]:focus {{ padding: 3px 1px; }}
QToolButton[look="chip"] {{ border-color: {t.line}; background: {t.base}; padding: 3px 8px; }}
QToolButton[look="chip"]:focus {{ border: 2px solid {t.accent}; padding: 2px 7px; }}
QToolButton[look="chip"]:checked {{ background: {t.tint}; border-color: {t.accent}; }}
QPushButton[look="answer"] {{ border-color: {t.line}; background: {t.base}; padding: 3px 10px; text-align: left; }}
QPushButton[look="answer"]:hover {{ background: {t.hover}; }}
QPushButton[look="answer"]:checked {{ background: {t.tint}; border-color: {t.accent}; }}
QPushButton[look="answer"]:focus {{ border: 2px solid {t.accent}; padding: 2px 9px; }}
QToolButton::menu-button {{ border: none; width: 0; }}
#chooser {{ background: {t.base}; border: 1px solid {t.line}; }}
QToolButton[look="choice"] {{ background: {t.base}; border: 1px solid transparent; text-align: left; }}
QToolButton[look="choice"]:hover {{ background: {t.hover}; }}
QToolButton[look="choice"]:checked {{ background: {t.tint}; }}
QToolButton[look="choice"]:focus {{ border: 2px solid {t.accent}; }}
QToolButton[look="quote"] {{ background: {t.base}; border: 1px solid {t.line}; text-align: left; }}
QToolButton[look="quote"]:focus {{ border: 2px solid {t.accent}; }}
QPushButton[look="primary"] {{ background: {t.accent}; color: {t.on_accent}; border-color: {t.accent};
  font-weight: 600; }}
QPushButton[look="primary"]:focus {{ border: 2px solid {t.text}; }}
QPushButton[look="primary"]:disabled {{ background: {t.line}; border-color: {t.line}; color: {t.muted}; }}
QLineEdit, QPlainTextEdit, QComboBox, QAbstractSpinBox {{
  background: {t.base}; border: 1px solid {t.line}; border-radius: 6px;
  padding: 4px 8px; min-height: {HIT - 10}px; selection-background-color: {t.accent}; }}
QLineEdit:focus, QPlainTextEdit:focus, QComboBox:focus, QAbstractSpinBox:focus {{
  border: 2px solid {t.accent}; padding: 3px 7px; }}
QLineEdit QToolButton {{ padding: 0; border: none; min-height: 0; }}
QListView, QTextEdit {{ background: {t.base}; border: 1px solid transparent; outline: none; }}
QListView:focus, QTextEdit:focus {{ border: 1px solid {t.accent}; }}
QTabBar {{ background: {t.base}; }}
QTabBar::tab {{ background: {t.base}; color: {t.muted}; padding: 7px 5px 6px 5px; border: none;
  border-bottom: 2px solid transparent; min-height: {HIT - 13}px; }}
QTabBar::scroller {{ width: {HIT}px; }}
QTabBar QToolButton {{ background: {t.base}; padding: 0; border: none; border-radius: 0; }}
QTabBar::tab:hover {{ color: {t.text}; background: {t.hover}; }}
QTabBar::tab:selected {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
QTabBar::tab:focus {{ color: {t.accent}; border: 2px solid {t.accent}; padding: 5px 3px 4px 3px; }}
QCheckBox::indicator, QListWidget::indicator, QTreeWidget::indicator {{
  width: 16px; height: 16px; border: 1px solid {t.grey};
  border-radius: 3px; background: {t.base}; }}
QCheckBox::indicator:checked, QListWidget::indicator:checked, QTreeWidget::indicator:checked {{
  background: {t.accent}; border-color: {t.accent};
  image: url("{drawn}/check-{t.name}.svg"); }}
QCheckBox::indicator:focus {{ border: 2px solid {t.accent}; width: 14px; height: 14px; }}
QTreeWidget, QListWidget, QTableView {{ background: {t.base}; border: 1px solid {t.line}; padding: 1px; }}
QTreeWidget, QListWidget {{ border-radius: 6px; }}
QTreeWidget:focus, QListWidget:focus, QTableView:focus {{ border: 2px solid {t.accent}; padding: 0; }}
QTreeWidget::item {{ padding-left: 4px; }}
QRadioButton::indicator:focus {{ border: 2px solid {t.accent}; border-radius: 8px; }}
QTableView::item {{ padding: 0 6px; }}
QTreeWidget {{ alternate-background-color: {t.base}; }}
QListWidget::item {{ padding: 5px 4px; }}
QTreeWidget::item:selected, QListWidget::item:selected, QTableView::item:selected {{
  background: {t.tint}; color: {t.text}; }}
QHeaderView::section {{ background: {t.surface}; color: {t.muted}; border: none; border-bottom: 1px solid {t.line};
  padding: 5px 3px 5px 7px; }}
QTableView QHeaderView::section {{ padding: 5px 9px; }}
QTableCornerButton::section {{ background: {t.surface}; border: none; }}
QTabWidget::pane {{ background: {t.base}; border: 1px solid {t.line}; }}
QAbstractSpinBox QLineEdit {{ border: none; padding: 0; min-height: 0; }}
QComboBox::drop-down, QDateEdit::drop-down {{ border: none; width: 24px; }}
QSpinBox::up-button, QSpinBox::down-button {{ border: none; background: transparent; width: 22px; }}
QSpinBox::up-arrow {{ image: url("{drawn}/up-{t.name}.svg"); width: 12px; height: 12px; }}
QComboBox::down-arrow, QDateEdit::down-arrow, QSpinBox::down-arrow {{
  image: url("{drawn}/down-{t.name}.svg"); width: 12px; height: 12px; }}
#qt_calendar_navigationbar {{ background: {t.surface}; }}
QScrollArea {{ background: {t.base}; border: none; }}
QScrollArea#around {{ background: {t.surface}; }}
#card_foot, QScrollArea#card_scroll, #card_scroll > #qt_scrollarea_viewport {{ background: {t.surface}; }}
QScrollArea#card_scroll {{ border: 1px solid transparent; }}
QScrollArea#card_scroll:focus {{ border: 1px solid {t.accent}; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {t.grey}; border-radius: 3px; min-height: 32px; margin: 2px 3px; }}
QScrollBar::handle:vertical:hover {{ background: {t.muted}; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle:horizontal {{ background: {t.grey}; border-radius: 3px; min-width: 32px; margin: 3px 2px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QProgressBar {{ background: {t.line}; border: none; border-radius: 3px; max-height: 6px; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
QProgressBar#progress_line {{ max-height: 3px; border-radius: 0; }}
QProgressBar#progress_line::chunk {{ border-radius: 0; }}
QProgressBar#progress_line[state="idle"] {{ background: {t.line}; }}
"""


SIZES = (16, 32)


def icon(name: str) -> QIcon:
    """Muted; ``name`` without its ending. Raises OSError for an icon that does not ship."""
    # Not above: the first screen stands before its icons.
    from PySide6.QtSvg import QSvgRenderer

    drawing = (paths.resources() / "icons" / f"{name}.svg").read_text("utf-8")
    renderer = QSvgRenderer(QByteArray(drawing.replace("currentColor", THEME.now.muted).encode()))
    made = QIcon()
    for size in SIZES:
        picture = QPixmap(size, size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        renderer.render(painter)
        painter.end()
        made.addPixmap(picture)
    return made
