"""To whom a connection is opened, and that it ends with the run: against a real server on loopback."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpcore2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.remote import transport
from noteeval_desktop.engines.remote.chat import RemoteChat, models_at
from noteeval_desktop.engines.remote.transport import _Network, checked_address
from noteeval_desktop.errors import Cancelled, InputError, ModelError, NoteEvalError
from tests.openai_server import Behaviour, Body, serve, then_well

QUESTION = Request("system", "prefix", "question")


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("noteeval_desktop.engines.remote.chat.jittered", lambda attempt: 0.01)


def test_an_address_without_tls_takes_no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr("noteeval_desktop.engines.remote.transport.trusted", lambda: read.append("read"))
    with serve(then_well()) as endpoint, contextlib.closing(RemoteChat(endpoint.url, "m")) as chat:
        assert dict(chat.ask([QUESTION], threading.Event()))[0].text == "fine"
    assert read == []
    RemoteChat("https://example.org/v1", "m").close()
    assert read == ["read"]


def test_a_connection_that_a_thread_waits_on_is_closed_by_that_thread_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Closed by another, its number is soon that of the next connection, and the thread waits on this one for good."""
    asked, answered, waited_on = threading.Event(), threading.Event(), list[socket.socket]()

    def silent(_body: object, _number: int) -> Behaviour:
        asked.set()
        answered.wait(20)
        return Behaviour()

    monkeypatch.setattr("noteeval_desktop.engines.remote.transport._shut_down", waited_on.append)
    with serve(silent) as endpoint:
        chat = RemoteChat(endpoint.url, "m")
        asking = threading.Thread(target=lambda: dict(chat.ask([QUESTION], threading.Event())))
        asking.start()
        assert asked.wait(20)
        chat.close()
        (connection,) = waited_on
        left_open = connection.fileno() >= 0
        answered.set()
        asking.join(20)
    assert left_open
    assert connection.fileno() < 0


def test_a_server_without_tls_where_tls_is_asked_for_is_a_problem() -> None:
    with serve(then_well()) as endpoint:
        chat = RemoteChat(endpoint.url.replace("http://", "https://"), "m")
        reply = dict(chat.ask([QUESTION], threading.Event()))[0]
        chat.close()
    assert "cannot be reached" in reply.problem
    assert endpoint.requests == []


def test_a_closed_port_is_a_problem() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    chat = RemoteChat(f"http://127.0.0.1:{port}/v1", "m")
    reply = dict(chat.ask([QUESTION], threading.Event()))[0]
    assert chat.usage().bytes_sent == 0
    chat.close()
    assert "cannot be reached" in reply.problem


@pytest.mark.parametrize(
    "address",
    [
        "ftp://host/v1",
        "host/v1",
        "",
        "http://example.org/v1",
        "https://me:pw@host/v1",
        "https://host/v1?key=1",
        "https://",
        "https://host/v1?",
        "https://host/v1#",
        "https://host:99999/v1",
        "http://localhost\\@example.org/v1",
        "https://host/v1\x00",
    ],
)
def test_an_address_that_would_not_be_safe_is_refused(address: str) -> None:
    with pytest.raises(InputError):
        checked_address(address)


@pytest.fixture(scope="module")
def own_certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate for 127.0.0.1 that nobody vouches for, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "own.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return path


def test_a_certificate_that_nobody_vouches_for_gets_nothing(own_certificate: Path) -> None:
    with serve(then_well(), certificate=own_certificate) as endpoint:
        chat = RemoteChat(endpoint.url, "m", key="secret")
        with pytest.raises(ModelError, match="shows a certificate that this computer does not trust"):
            dict(chat.ask([QUESTION], threading.Event()))
        assert chat.usage().bytes_sent == 0
        chat.close()
        with pytest.raises(ModelError, match="shows a certificate that this computer does not trust"):
            models_at(endpoint.url, "secret")
    assert endpoint.requests == []


def _drip_body(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    _drip(connection)


def _drip_headers(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    _drip(connection)


def _drip_interim(connection: socket.socket) -> None:
    _drip(connection, b"HTTP/1.1 103 Early Hints\r\n\r\n")


def _drip(connection: socket.socket, piece: bytes = b"x") -> None:
    while True:
        time.sleep(0.02)
        connection.sendall(piece)


@pytest.mark.parametrize("drip", [_drip_body, _drip_headers, _drip_interim])
def test_an_answer_that_drips_is_given_up(
    drip: Callable[[socket.socket], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("noteeval_desktop.engines.remote.transport.NEAR_SECONDS", 0.3)
    with raw_server(drip) as url:
        chat = RemoteChat(url, "m")
        reply = dict(chat.ask([QUESTION], threading.Event()))[0]
        chat.close()
    assert reply.problem.startswith("the answer takes longer than ")


def test_a_server_on_this_computer_that_answers_one_after_the_other_is_asked_each_question_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(transport._PATIENCE, "read", 0.2)
    alone = threading.Lock()

    def slowly(body: dict[str, object], number: int) -> Behaviour:
        with alone:
            time.sleep(0.3)
        return Behaviour("fine")

    with serve(slowly) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=4)
        replies = dict(chat.ask([QUESTION] * 4, threading.Event()))
        chat.close()
    assert [replies[n].text for n in range(4)] == ["fine"] * 4
    assert len(endpoint.requests) == 4


@contextlib.contextmanager
def raw_server(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """``talk`` has each connection once its request's headers are there, until the client goes away."""

    class Handler(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with contextlib.suppress(OSError):
                self.request.recv(65_536)
                talk(self.request)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        server.shutdown()
        thread.join()


def _trusting(monkeypatch: pytest.MonkeyPatch, certificate: Path) -> None:
    context = ssl.create_default_context(cafile=str(certificate))
    monkeypatch.setattr("noteeval_desktop.engines.remote.transport.trusted", lambda: context)


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize(
    ("ends", "error", "said"), [("401", ModelError, "does not accept the key"), ("cancel", Cancelled, None)]
)
def test_no_thread_goes_on_waiting_for_a_silent_server(
    ends: str,
    error: type[NoteEvalError],
    said: str | None,
    tls: bool,
    own_certificate: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if tls:
        _trusting(monkeypatch, own_certificate)
    released, cancel = threading.Event(), threading.Event()

    def behave(body: dict[str, object], number: int) -> Behaviour:
        if number == 3:
            if ends == "401":
                return Behaviour(status=401, raw=b"{}")
            cancel.set()
        released.wait(60)
        return Behaviour("late")

    with serve(behave, certificate=own_certificate if tls else None) as endpoint:
        chat = RemoteChat(endpoint.url, "m", jobs=4)
        began = time.monotonic()
        try:
            with pytest.raises(error, match=said):
                dict(chat.ask([QUESTION] * 8, cancel))
            chat.close()  # what waits for the next question ends; its connections are new ones
            workers = [thread for thread in threading.enumerate() if thread.name.startswith("endpoint")]
            for worker in workers:
                worker.join(timeout=max(0.0, began + 10 - time.monotonic()))
            assert not any(worker.is_alive() for worker in workers)
        finally:
            released.set()
            chat.close()
    assert len(endpoint.requests) <= 5  # who got the 401 may have asked once more; nobody does after the end


def test_what_is_refused_for_good_leaves_other_questions_alone() -> None:
    refused = threading.Event()

    def behave(body: Body, _number: int) -> Behaviour:
        if "refuse" in str(body):
            return Behaviour(status=429, headers={"retry-after": "1000"})
        return Behaviour("fine" if refused.wait(20) else "not refused yet")

    with serve(behave) as endpoint, contextlib.closing(RemoteChat(endpoint.url, "m")) as chat:
        answers: list[str] = []
        asking = threading.Thread(
            target=lambda: answers.extend(reply.text for _, reply in chat.ask([QUESTION] * 2, threading.Event()))
        )
        asking.start()
        while len(endpoint.raw) < 2:
            time.sleep(0.01)
        with pytest.raises(ModelError):
            dict(chat.ask([Request("system", "prefix", "refuse"), QUESTION], threading.Event()))
        refused.set()
        asking.join(20)
        assert answers == ["fine", "fine"]
        assert len(endpoint.raw) <= 4  # none of them was sent again


def test_a_stop_that_is_noticed_late_leaves_the_next_run_alone() -> None:
    stops, at_work = [threading.Event(), threading.Event()], threading.Event()

    def behave(body: Body, _number: int) -> Behaviour:
        if "next" not in str(body):
            at_work.wait(20)
            return Behaviour("late")
        stops[1].set()
        late.join(20)
        return Behaviour("fine")

    with serve(behave) as endpoint, contextlib.closing(RemoteChat(endpoint.url, "m")) as chat:

        def ask(stop: threading.Event) -> None:
            with pytest.raises(Cancelled):
                dict(chat.ask([QUESTION], stop))

        first, late = (threading.Thread(target=ask, args=(stop,)) for stop in stops)
        first.start()
        late.start()
        while len(endpoint.raw) < 2:
            time.sleep(0.01)
        stops[0].set()
        first.join(20)
        assert dict(chat.ask([Request("system", "prefix", "next")], threading.Event()))[0].text == "fine"
        at_work.set()
        assert sum(b"next" in body for body in endpoint.raw) == 1


def test_a_connection_that_opens_after_the_end_carries_nothing() -> None:
    ours, theirs = socket.socketpair()

    class Stream(httpcore2.NetworkStream):
        def get_extra_info(self, info: str) -> socket.socket:
            return ours

    network = _Network()
    network.end()
    network.watched(Stream())
    with ours, theirs:
        theirs.settimeout(5)
        assert theirs.recv(1) == b""
