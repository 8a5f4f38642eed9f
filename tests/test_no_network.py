"""The guard that the other tests rely on."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest
import sitecustomize
from sitecustomize import NetworkBlocked


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("localhost", True),
        (b"localhost", True),
        (None, True),
        ("192.0.2.1", False),
        ("2001:db8::1", False),
        ("example.org", False),
        ("localhost.example.org", False),
        ("127.0.0.1.example.org", False),
        ("münchen.example", False),
    ],
)
def test_only_this_machine_is_local(host: object, local: bool) -> None:
    assert sitecustomize.is_local(host) is local


def test_connection_to_another_machine_is_refused() -> None:
    with socket.socket() as outgoing, pytest.raises(NetworkBlocked, match=r"192\.0\.2\.1"):
        outgoing.connect(("192.0.2.1", 443))
    assert sitecustomize.ATTEMPTS == ["192.0.2.1"]
    sitecustomize.ATTEMPTS.clear()


def test_datagram_to_another_machine_is_refused() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as outgoing, pytest.raises(NetworkBlocked):
        outgoing.sendto(b"x", ("192.0.2.1", 53))
    sitecustomize.ATTEMPTS.clear()


def test_name_of_another_machine_is_not_looked_up() -> None:
    with pytest.raises(NetworkBlocked):
        socket.getaddrinfo("example.org", 443)
    sitecustomize.ATTEMPTS.clear()


def test_connection_to_this_machine_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        assert client.getpeername() == server.getsockname()


def test_python_started_by_a_test_is_guarded_too() -> None:
    code = "import socket; socket.create_connection(('192.0.2.1', 443), timeout=1)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert child.returncode != 0
    assert "NetworkBlocked" in child.stderr
