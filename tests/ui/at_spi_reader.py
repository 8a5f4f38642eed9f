"""Run beside the window. For each title on its input a line of JSON on its output: what the accessibility bus of this
session tells of the window of that title, or null where there is none."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

from jeepney import DBusAddress, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from jeepney.wrappers import DBusErrorResponse, unwrap_msg

LABELLED_BY = 2
FOCUSABLE, FOCUSED, SENSITIVE, SHOWING = 11, 12, 24, 25
ROOT = "/org/a11y/atspi/accessible/root"
GONE = "org.freedesktop.DBus.Error.UnknownObject"


class Bus:
    def __init__(self) -> None:
        session = open_dbus_connection("SESSION")
        self._bus = open_dbus_connection(_call(session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress"))

    def windows(self) -> Iterator[tuple[str, str]]:
        """Each program on the bus but this one, by its root."""
        names = _call(self._bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
        own = self._bus.unique_name
        for name in (name for name in names if name.startswith(":") and name != own):
            try:
                role = self.ask((name, ROOT), "Accessible", "GetRoleName")
            except DBusErrorResponse:  # the bus has others on it than programs with a window
                continue
            if role == "application":
                yield name, ROOT

    def titled(self, title: str) -> tuple[str, str] | None:
        for program in self.windows():
            for window in map(tuple, self.ask(program, "Accessible", "GetChildren")):
                if self.read(window, "Name") == title:
                    return window
        return None

    def ask(self, at: tuple[str, str], interface: str, method: str) -> Any:
        return _call(self._bus, *at, f"org.a11y.atspi.{interface}", method)

    def read(self, at: tuple[str, str], name: str) -> Any:
        address = DBusAddress(at[1], bus_name=at[0], interface="org.freedesktop.DBus.Properties")
        asked = new_method_call(address, "Get", "ss", ("org.a11y.atspi.Accessible", name))
        return unwrap_msg(self._bus.send_and_get_reply(asked, timeout=20))[0][1]

    def nodes(self, at: tuple[str, str]) -> Iterator[dict[str, Any]]:
        low, high = self.ask(at, "Accessible", "GetState")
        states = low | high << 32
        actions = "org.a11y.atspi.Action" in self.ask(at, "Accessible", "GetInterfaces")
        yield {
            "role": self.ask(at, "Accessible", "GetRoleName"),
            "name": self.read(at, "Name"),
            "description": self.read(at, "Description"),
            "focusable": bool(states >> FOCUSABLE & 1),
            "focused": bool(states >> FOCUSED & 1),
            "enabled": bool(states >> SENSITIVE & 1),
            "showing": bool(states >> SHOWING & 1),
            "labelled": any(kind == LABELLED_BY for kind, _ in self.ask(at, "Accessible", "GetRelationSet")),
            "actions": [action[0] for action in self.ask(at, "Action", "GetActions")] if actions else [],
        }
        for child in self.ask(at, "Accessible", "GetChildren"):
            yield from self.nodes(tuple(child))


def told(bus: Bus, title: str, again: int = 4) -> list[dict[str, Any]] | None:
    """A part that goes while the window is read (a page is laid out anew, say) has it read once more, as a screen
    reader does."""
    try:
        window = bus.titled(title)
        return None if window is None else list(bus.nodes(window))
    except DBusErrorResponse as error:
        if error.name != GONE or not again:
            raise
    time.sleep(0.2)
    return told(bus, title, again - 1)


def _call(bus: DBusConnection, name: str, path: str, interface: str, method: str) -> Any:
    address = DBusAddress(path, bus_name=name, interface=interface)
    return unwrap_msg(bus.send_and_get_reply(new_method_call(address, method), timeout=20))[0]


if __name__ == "__main__":
    bus, until = Bus(), time.monotonic() + 30
    while not list(bus.windows()) and time.monotonic() < until:
        time.sleep(0.2)  # Qt comes to the bus when it has been told that somebody listens
    for line in sys.stdin:
        print(json.dumps(told(bus, line.rstrip("\n"))), flush=True)
