"""The library locks when the screen is locked or the computer sleeps, on each system in its own words."""

from __future__ import annotations

import ctypes
from ctypes import wintypes

import pytest
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusServer

from noteeval_desktop.ui.library import screen_lock_port
from noteeval_desktop.ui.library.screen_lock_dbus import DBusLock
from noteeval_desktop.ui.library.screen_lock_port import MacLock, WindowsLock, means_leaving


@pytest.fixture
def wire(qtbot, request):
    """Both ends of a D-Bus connection: what is sent at one arrives at the other. No daemon is needed."""
    server = QDBusServer()
    ends = []
    server.newConnection.connect(ends.append)
    near = QDBusConnection.connectToPeer(server.address(), request.node.name)
    qtbot.waitUntil(lambda: bool(ends))
    yield ends[0], near
    QDBusConnection.disconnectFromPeer(request.node.name)


def _say(far, path, interface, name, *arguments):
    message = QDBusMessage.createSignal(path, interface, name)
    message.setArguments(list(arguments))
    assert far.send(message)


@pytest.mark.parametrize(
    ("path", "interface", "name", "arguments"),
    [
        ("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", [True]),
        ("/org/freedesktop/login1/session/_31", "org.freedesktop.login1.Session", "Lock", []),
        ("/ScreenSaver", "org.freedesktop.ScreenSaver", "ActiveChanged", [True]),
        ("/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "ActiveChanged", [True]),
        ("/org/cinnamon/ScreenSaver", "org.cinnamon.ScreenSaver", "ActiveChanged", [True]),
        ("/org/mate/ScreenSaver", "org.mate.ScreenSaver", "ActiveChanged", [True]),
    ],
)
def test_linux_tells_on_the_bus(wire, qtbot, path, interface, name, arguments):
    far, near = wire
    lock = DBusLock(near, near)
    lock.start()
    lock.start()
    with qtbot.waitSignal(lock.left):
        _say(far, path, interface, name, *arguments)


def test_waking_up_is_not_leaving_and_nothing_is_passed_on_when_stopped(wire, qtbot):
    far, near = wire
    lock = DBusLock(near, near)
    heard = []
    lock.left.connect(lambda: heard.append(True))
    lock.start()
    _say(far, "/ScreenSaver", "org.freedesktop.ScreenSaver", "ActiveChanged", False)
    lock.stop()
    _say(far, "/s", "org.freedesktop.login1.Session", "Lock")
    _say(far, "/ScreenSaver", "org.freedesktop.ScreenSaver", "ActiveChanged", True)
    qtbot.wait(200)
    assert not heard
    lock.start()
    with qtbot.waitSignal(lock.left):
        _say(far, "/ScreenSaver", "org.freedesktop.ScreenSaver", "ActiveChanged", True)
    assert heard == [True]


@pytest.mark.parametrize(
    ("message", "wparam", "leaves"),
    [
        (0x02B1, 0x7, True),
        (0x02B1, 0x8, False),
        (0x0218, 0x4, True),
        (0x0218, 0x12, False),
        (0x0100, 0x7, False),
    ],
)
def test_windows_tells_in_window_messages(window, message, wparam, leaves):
    lock = WindowsLock(window)
    heard = []
    lock.left.connect(lambda: heard.append(True))
    said = wintypes.MSG()
    said.message, said.wParam = message, wparam
    assert means_leaving(message, wparam) == leaves
    lock._filter.nativeEventFilter(b"windows_generic_MSG", ctypes.addressof(said))
    lock._filter.nativeEventFilter(b"xcb_generic_event_t", ctypes.addressof(said))
    assert heard == [True] * leaves


def test_windows_is_asked_once_for_its_messages_and_told_when_they_are_not_wanted_any_more(window, monkeypatch):
    asked = []
    monkeypatch.setattr(screen_lock_port, "tell_window", lambda one, wanted=True: not asked.append((one, wanted)))
    lock = WindowsLock(window)
    lock.start()
    lock.start()
    lock.stop()
    lock.stop()
    assert asked == [(int(window.winId()), True), (int(window.winId()), False)]


class Foundation:
    """What the Mac's Core Foundation would be asked."""

    def __init__(self):
        self.observed = {}
        self.strings, self.observers = 0, []

        class Function:
            def __init__(self, act):
                self.act = act

            def __call__(self, *arguments):
                return self.act(*arguments)

        def add(center, observer, callback, name, sender, how):
            self.observed[name] = callback
            self.observers.append(observer.value)

        def make(_, text, __):
            self.strings += 1
            return text

        def release(text):
            self.strings -= 1

        def remove(center, observer):
            self.observed.clear()
            self.observers = [one for one in self.observers if one != observer.value]

        self.CFStringCreateWithCString = Function(make)
        self.CFRelease = Function(release)
        self.CFNotificationCenterRemoveEveryObserver = Function(remove)
        self.CFNotificationCenterGetDistributedCenter = Function(lambda: 1)
        self.CFNotificationCenterAddObserver = Function(add)


def test_the_mac_tells_by_notification_until_it_is_not_wanted_any_more(qtbot):
    foundation = Foundation()
    lock = MacLock(foundation)
    heard = []
    lock.left.connect(lambda: heard.append(True))
    lock.start()
    lock.start()
    assert set(foundation.observed) == {b"com.apple.screenIsLocked", b"com.apple.screensaver.didstart"}
    assert foundation.strings == 0
    foundation.observed[b"com.apple.screenIsLocked"](1, None, None, None, None)
    assert heard == [True]
    lock.stop()
    lock.stop()
    assert foundation.observers == []
    lock.start()
    foundation.observed[b"com.apple.screensaver.didstart"](1, None, None, None, None)
    assert heard == [True, True]


def test_leaving_locks_the_library_and_empties_the_window(desk, hands):
    hands.keep(desk)
    desk.library.locking.screen.left.emit()
    hands.settle(desk)
    assert desk.library.access.library is None
    assert desk.workspace.editor.note_text() == ""
    assert desk.session.transcript is None
