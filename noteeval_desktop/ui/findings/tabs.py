"""The kinds of findings: tabs side by side, or a list to choose from where there is no room for all of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QComboBox, QTabBar

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.ui.widgets.plain import name_choice, native
from noteeval_desktop.ui.widgets.theme import HIT
from noteeval_desktop.ui.widgets.words import TABS

_KINDS = tr("Kinds of suggestions")


def tab_bar(font: QFont) -> QTabBar:
    bar = QTabBar()
    bar.setExpanding(False)
    bar.setDrawBase(False)
    bar.setElideMode(Qt.TextElideMode.ElideNone)
    bar.setFont(font)
    bar.setAccessibleName(_KINDS)
    for number, name in enumerate(TABS, 1):
        bar.addTab(name)
        bar.setTabToolTip(number - 1, f"{name} ({native(f'Ctrl+{number}')})")
    return bar


def tab_list(bar: QTabBar) -> QComboBox:
    """Shows and chooses the tab of ``bar``."""
    box = QComboBox()
    box.setMinimumHeight(HIT)
    box.addItems(TABS)
    name_choice(box, _KINDS)
    box.activated.connect(bar.setCurrentIndex)
    bar.currentChanged.connect(box.setCurrentIndex)
    box.hide()
    return box
