"""The one HTTP client: no proxies from the environment, no redirects, bounded answers, every byte out counted."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai

from noteeval_desktop.errors import InputError

ANSWER_LIMIT = 4 * 1024 * 1024
# From the first byte to the last; the time limit below is for each piece of an answer, and a piece may be one byte.
ANSWER_SECONDS = 600.0
TIMEOUT = httpx2.Timeout(120.0, connect=10.0)
UNTRUSTED = (
    "shows a certificate that this computer does not trust, so nothing was sent. Ask who runs the server for its "
    "authority's certificate and add it to the system's."
)


class AnswerTooLong(httpx2.TransportError):
    """The server sent more than ``ANSWER_LIMIT`` bytes, or for more than ``ANSWER_SECONDS``."""


class ByteCounter:
    """Bytes of request bodies sent, retries included."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent = 0

    def add(self, count: int) -> None:
        with self._lock:
            self._sent += count

    @property
    def sent(self) -> int:
        with self._lock:
            return self._sent


class _BoundedStream(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        read, deadline = 0, time.monotonic() + ANSWER_SECONDS
        for chunk in self._stream:
            read += len(chunk)
            if time.monotonic() > deadline:
                raise AnswerTooLong(f"the answer takes longer than {ANSWER_SECONDS / 60:.0f} minutes")
            if read > ANSWER_LIMIT:
                raise AnswerTooLong(f"the answer is longer than {ANSWER_LIMIT // 1024 // 1024} MB")
            yield chunk

    def close(self) -> None:
        self._stream.close()


class Connections:
    """The sockets of one client, to be shut down while other threads wait on them.

    Closing a socket does not wake a thread that reads from it: that one would wait out ``TIMEOUT``.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._ended = False

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """The HTTP client's ``trace`` extension: remembers each socket as it is opened or put under TLS."""
        if event not in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            return
        opened: socket.socket = info["return_value"].get_extra_info("socket")
        with self._lock:
            self._open = {known for known in self._open if known.fileno() >= 0} | {opened}
            if self._ended:  # by the thread that opened it, so nobody else waits on it, and no pool will close it
                _shut_down(opened)
                opened.close()

    def end(self) -> None:
        """Wake whoever waits on a connection; what is opened from now on carries nothing."""
        with self._lock:
            self._ended = True
            for known in self._open:
                _shut_down(known)
            self._open.clear()


def _shut_down(opened: socket.socket) -> None:
    with contextlib.suppress(OSError):  # closed already, by either side
        # Not SSLSocket.shutdown: it drops the encryption first, and a thread that writes just then writes plain text.
        socket.socket.shutdown(opened, socket.SHUT_RDWR)


class GuardedTransport(httpx2.BaseTransport):
    """Counts what goes out, bounds what comes in, and when closed ends what is under way."""

    def __init__(self, inner: httpx2.BaseTransport, counter: ByteCounter) -> None:
        self._inner = inner
        self._counter = counter
        self._connections = Connections()

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        size = len(request.read())  # a file that is uploaded comes as a stream
        self._counter.add(size)
        sent = _reticent(request)
        sent.extensions["trace"] = self._connections.trace
        try:
            response = self._inner.handle_request(sent)
        except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
            self._counter.add(-size)  # there was no connection that it could have gone over
            raise
        assert isinstance(response.stream, httpx2.SyncByteStream)
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_BoundedStream(response.stream),
            extensions=response.extensions,
        )

    def close(self) -> None:
        self._connections.end()
        self._inner.close()


def _reticent(request: httpx2.Request) -> httpx2.Request:
    """Without what the client tells about this computer: its system, processor and Python version.

    A copy, because the client reads its own request's headers again after the answer.
    """
    headers = httpx2.Headers([(n, v) for n, v in request.headers.raw if not n.lower().startswith(b"x-stainless")])
    headers["user-agent"] = "NoteEval"
    return httpx2.Request(
        request.method, request.url, headers=headers, content=request.content, extensions=dict(request.extensions)
    )


def checked_address(base_url: str) -> str:
    """A usable address: https, or http on this machine. Raises InputError."""
    try:
        parts = urlsplit(base_url)
        host, port_is_fine = parts.hostname or "", parts.port is None or parts.port > 0
    except ValueError as error:
        raise InputError(base_url, "this is not an address", "Give one like https://host/v1") from error
    if parts.scheme not in ("http", "https") or not host or not port_is_fine:
        raise InputError(base_url, "this is not a web address", "Give one like https://host/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise InputError(host, "the address holds a password or parameters", "Give only https://host/path")
    if parts.scheme == "http" and not is_this_machine(host):
        raise InputError(host, "the connection would not be encrypted", "Use an https address")
    return base_url.rstrip("/")


def is_this_machine(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def untrusted(error: BaseException) -> bool:
    """Was the connection given up because of the server's certificate? Nothing was sent then, and no retry helps."""
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:  # what is raised again may lead back to itself
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        seen.append(cause)
        cause = cause.__cause__ or cause.__context__
    return False


class Unsent(httpx2.BaseTransport):
    """Takes the network's place: keeps what would have been sent and answers that it was not taken."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self.bodies.append(request.content)
        return httpx2.Response(503)


def make_client(
    base_url: str, key: str, counter: ByteCounter, wire: httpx2.BaseTransport | None = None
) -> openai.OpenAI:
    """An OpenAI client that talks to ``base_url`` and nowhere else; retries are ours to make.

    The stock client obeys proxy and address variables of the environment and re-posts to another
    host after a redirect: each would send a session somewhere nobody agreed to. ``wire`` takes the
    place of the network.
    """
    return openai.OpenAI(
        api_key=key or "none",
        base_url=checked_address(base_url),
        max_retries=0,
        timeout=TIMEOUT,
        http_client=openai.DefaultHttpxClient(
            trust_env=False,
            follow_redirects=False,
            timeout=TIMEOUT,
            transport=GuardedTransport(wire or httpx2.HTTPTransport(trust_env=False), counter),
        ),
    )
