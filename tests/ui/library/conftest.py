"""A window over a real encrypted library in a temporary folder, with a passphrase that costs little."""

from __future__ import annotations

from pathlib import Path

import pytest

from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.ui.library.access import Place
from noteeval_desktop.ui.library.key_dialogs import NewLibrary, RecoveryKey, Unlock
from noteeval_desktop.ui.shell.main_window import MainWindow
from tests.keychain import InMemory

PASSPHRASE = "grüne Wiese 緑 am Morgen"
CHEAP = Cost(memory_kib=64, passes=1, lanes=1)


class Hands:
    """What a person would do in the library's dialogs."""

    passphrase = PASSPHRASE

    def __init__(self, qtbot, folder: Path) -> None:
        self._qtbot, self.folder = qtbot, folder
        self.keychain: InMemory | None = None

    def new_keychain(self) -> InMemory:
        return InMemory()

    def settle(self, window: MainWindow) -> None:
        self._qtbot.waitUntil(lambda: not window.jobs.busy, timeout=10_000)

    def cheap(self, window: MainWindow) -> MainWindow:
        window.library.access._place = Place(self.folder, CHEAP, lambda: self.keychain)
        return window

    def dialog(self, window: MainWindow, kind):
        def there() -> None:
            assert isinstance(window.library.access.dialog, kind)
            assert window.library.access.dialog.isVisible()

        self._qtbot.waitUntil(there)
        return window.library.access.dialog

    def keep(self, window: MainWindow, label: str = "Frau Ünal 🙂", tags: str = "intake") -> str:
        """Keep the case on the desk in a library that is made for it; returns the recovery key."""
        window.commands["keep_case"].trigger()
        key = self.make(window)
        self.label(window, label, tags)
        return key

    def make(self, window: MainWindow) -> str:
        """The library, once it is asked for; returns the recovery key."""
        asks = self.dialog(window, NewLibrary)
        asks.first.setText(PASSPHRASE)
        asks.second.setText(PASSPHRASE)
        asks.go.click()
        shows = self.dialog(window, RecoveryKey)
        key = next(field.text() for field in shows.findChildren(type(asks.first)))
        self.write_down(shows)
        return key

    def write_down(self, shows: RecoveryKey) -> None:
        shows.kept.click()
        shows.go.click()

    def label(self, window: MainWindow, label: str, tags: str = "") -> None:
        self._qtbot.waitUntil(lambda: window.library.labelling is not None)
        asks = window.library.labelling
        asks.label.setText(label)
        asks.tags.setText(tags)
        asks.go.click()
        self._qtbot.waitUntil(lambda: window.library.kept is not None)
        self.settle(window)

    def unlock(self, window: MainWindow, passphrase: str = PASSPHRASE) -> Unlock:
        asks = self.dialog(window, Unlock)
        asks.passphrase.setText(passphrase)
        asks.go.click()
        self.settle(window)
        return asks

    def page(self, window: MainWindow, command: str):
        """One of the windows about the library itself."""
        before = window.library.about.shown
        window.commands[command].trigger()
        self._qtbot.waitUntil(lambda: window.library.about.shown is not before)
        self.settle(window)
        return window.library.about.shown

    def list(self, window: MainWindow):
        window.commands["library"].trigger()
        self._qtbot.waitUntil(lambda: window.library.list_window is not None)
        self.settle(window)
        return window.library.list_window


@pytest.fixture
def hands(qtbot, tmp_path: Path) -> Hands:
    return Hands(qtbot, tmp_path / "home" / "library")


@pytest.fixture
def desk(opened: MainWindow, hands: Hands) -> MainWindow:
    """A window with a checked case that is not kept yet."""
    return hands.cheap(opened)
