"""Refuses every connection that leaves this machine, in the test process and in every Python that a test starts.

Python imports a module of this name at start-up; tests/conftest.py puts this folder on PYTHONPATH for that. An audit
hook sees what a patched socket class would miss: name look-ups, datagrams, and sockets made by C code.
"""

from __future__ import annotations

import ipaddress
import os
import sys

ATTEMPTS: list[str] = []
"""Hosts that this process tried to reach since the list was last emptied."""

_EVENTS = {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname"}


class NetworkBlocked(BaseException):
    """Not an Exception: code that takes a failed connection in its stride must not hide the attempt."""


def is_local(host: object) -> bool:
    """Whether ``host`` (a name, an address or None) is this machine."""
    if host in (None, "", "localhost", b"", b"localhost"):
        return True
    try:
        return ipaddress.ip_address(host.decode() if isinstance(host, bytes) else str(host)).is_loopback
    except ValueError:
        return False


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event not in _EVENTS:
        return
    by_name = event in ("socket.getaddrinfo", "socket.gethostbyname")
    address = arguments[0] if by_name else arguments[1]
    if address is None or (not by_name and not isinstance(address, tuple)):  # an abstract or Unix-domain address
        return
    host = address[0] if isinstance(address, tuple) else address
    if not is_local(host):
        ATTEMPTS.append(str(host))
        raise NetworkBlocked(f"a test tried to reach {host!r} ({event}); tests stay on this machine")


if os.environ.get("NOTEEVAL_NO_NETWORK") == "1" and not hasattr(sys, "_noteeval_no_network"):
    sys._noteeval_no_network = True  # type: ignore[attr-defined]  # an audit hook stays for good: once is enough
    sys.addaudithook(_refuse)
