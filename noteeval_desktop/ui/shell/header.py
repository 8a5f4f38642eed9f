"""The top line: the case, the judge, check again, export."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QIcon, QPixmap
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.shell.actions import name_keys
from noteeval_desktop.ui.widgets.parts import MenuButton, row
from noteeval_desktop.ui.widgets.plain import ElidedLabel, PlainLabel, menu_text
from noteeval_desktop.ui.widgets.theme import HIT, UNIT, Icons, Theme

_ICON = QSize(16, 16)


class Header(QWidget):
    """Its icons come with ``set_theme``: until then there is room for them."""

    def __init__(self, actions: Mapping[str, QAction], icons: Icons) -> None:
        super().__init__()
        self.setObjectName("header")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._icons = icons
        self._name = PlainLabel("NoteEval")
        self._name.setObjectName("program")
        self._case = ElidedLabel("", look="muted")
        nothing = QPixmap(_ICON)
        nothing.fill(Qt.GlobalColor.transparent)
        self._no_icon = QIcon(nothing)
        self._drawn: list[tuple[QToolButton, str]] = []
        self.judge_button = self._button(tr("Judge: Built-in ▾"), "judge")
        name_keys(self.judge_button, actions["choose_judge"])
        recheck = self._button(actions["recheck"].text(), "recheck", actions["recheck"])
        parts = self._name, (self._case, 1), self.judge_button, recheck, self._export(actions)
        row(*parts, on=self, margins=(2, 0.5, 1, 0.5), spacing=0.5).insertSpacing(1, UNIT)

    def _button(
        self, text: str, icon: str, action: QAction | None = None, made: type[QToolButton] = QToolButton
    ) -> QToolButton:
        button = made()
        button.setText(f" {text}")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(_ICON)
        button.setIcon(self._no_icon)
        button.setMinimumHeight(HIT)
        button.setAccessibleName(text.removesuffix(" ▾"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if action is not None:
            name_keys(button, action)
            button.clicked.connect(action.trigger)
            action.enabledChanged.connect(button.setEnabled)
            button.setEnabled(action.isEnabled())
        self._drawn.append((button, icon))
        return button

    def show_judge(self, name: str) -> None:
        said = tr("Judge: {name}").format(name=name)
        self.judge_button.setText(menu_text(f" {said} ▾"))
        self.judge_button.setAccessibleName(said)

    def _export(self, actions: Mapping[str, QAction]) -> QToolButton:
        button = self._button(tr("Export ▾"), "export", made=MenuButton)
        button.setProperty("look", "")
        menu = QMenu(button)
        for name in ("preview", "export_pdf", "export_json", "export_csv"):
            menu.addAction(actions[name])
        button.setMenu(menu)
        actions["export_pdf"].enabledChanged.connect(button.setEnabled)
        button.setEnabled(actions["export_pdf"].isEnabled())
        return button

    def show_case(self, label: str) -> None:
        self._case.setText(label)

    def set_theme(self, theme: Theme) -> None:
        for button, icon in self._drawn:
            button.setIcon(self._icons.icon(icon, theme, "muted"))
