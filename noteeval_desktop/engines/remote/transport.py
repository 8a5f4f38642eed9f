"""The client and its wire: nothing from the environment, no redirects, bounded size and time, all bytes counted."""

from __future__ import annotations

import contextlib
import ipaddress
import math
import re
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

import httpcore2
import httpx2
import openai

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.engines.loopback import is_this_machine
from noteeval_desktop.engines.remote.dialect import API_VERSION, Provider, provider_of
from noteeval_desktop.errors import InputError, ModelError

ANSWER_LIMIT = 4 * 1024 * 1024
# From the connection to the last byte; ``_PATIENCE`` is for each piece, and a piece may be one byte.
ANSWER_SECONDS = 600.0
# On this computer and in the own network a model may answer one question after the other, each for minutes, and all are
# put at once: given up and put again they would never come to their end. Who waits can stop it.
NEAR_SECONDS = 3_600.0
_PATIENCE = {"connect": 10.0, "read": 120.0, "write": 120.0, "pool": 120.0}
_WRITTEN_AT_ONCE = 65_536
_VERSION = re.compile(r"api-version=[A-Za-z0-9.-]{1,40}")
_READ_HEADERS = (b"retry-after", b"retry-after-ms", b"x-ratelimit-limit-requests", b"x-ratelimit-limit-tokens")


class NoAnswer(openai.OpenAIError):  # which the client hands on as it is
    """``str()`` is why, in words that go after "Not checked:"; ``passing``: another try may help."""

    def __init__(self, why: str, *, passing: bool = True) -> None:
        super().__init__(why)
        self.passing = passing


class Untrusted(NoAnswer):
    """The server's certificate is not to be trusted. Nothing was sent, and no other try helps."""


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


class RawAnswer(Protocol):
    """What the client's ``with_raw_response`` gives."""

    http_response: httpx2.Response


Question = Callable[[openai.OpenAI], RawAnswer]


class _Client(openai.OpenAI):
    @property
    def default_headers(self) -> dict[str, str | openai.Omit]:
        """Without this computer's system, and what the environment holds: headers, organisation, project."""
        return {"Content-Type": "application/json"}


class Endpoint:
    """A server at ``base_url``, asked from any number of threads. Raises InputError for an address, ModelError for a
    key, that no server can have. ``wire`` takes the network's place; ``unencrypted``: as ``checked_address`` has it."""

    def __init__(
        self,
        base_url: str,
        key: str,
        counter: ByteCounter | None = None,
        wire: httpx2.BaseTransport | None = None,
        *,
        unencrypted: bool = False,
    ) -> None:
        checked = checked_address(base_url, unencrypted=unencrypted)
        address, _, query = checked.partition("?")
        version = query.removeprefix(API_VERSION)
        tls, host = address.startswith("https:"), httpx2.URL(address).host
        near = is_this_machine(host) or is_in_own_network(host)
        self._seconds, self.closed = NEAR_SECONDS if near else ANSWER_SECONDS, False
        self._wire = wire or _Wire(key, counter or ByteCounter(), provider_of(checked), tls=tls)
        self._client = _Client(
            api_key="of the wire",
            base_url=address,
            max_retries=0,
            default_query={"api-version": version} if version else None,
            timeout=httpx2.Timeout(**_PATIENCE | ({"read": NEAR_SECONDS} if near else {})),
            http_client=httpx2.Client(transport=self._wire, trust_env=False),
        )

    def ask(self, question: Question, *, most: int | None = None, seconds: float | None = None) -> httpx2.Response:
        """The server's answer, of whatever status, with ``most`` bytes (``ANSWER_LIMIT``) within ``seconds``
        (``ANSWER_SECONDS``; nearby ``NEAR_SECONDS``). Raises NoAnswer.

        Raw, because the client parses answers without checking them: see ``completion``.
        """
        if isinstance(self._wire, _Wire):
            self._wire.allow(most or ANSWER_LIMIT, seconds or self._seconds)
        try:
            return question(self._client).http_response
        except openai.APIStatusError as error:
            return error.response

    def close(self) -> None:
        """Ends what is under way in other threads, too."""
        self.closed = True
        self._wire.close()


class _Wire(httpx2.BaseTransport):
    """Sends what the client has built, with the headers that are named here and no others."""

    def __init__(self, key: str, counter: ByteCounter, provider: Provider, *, tls: bool) -> None:
        key = key.strip()
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ModelError(tr("The key contains characters that a key cannot have. Copy it again."))
        self._headers = [("Accept", "application/json"), ("Accept-Encoding", "identity"), ("User-Agent", "NoteEval")]
        self._headers += provider.authorisation(key)
        self._counter = counter
        self._network, self._allowed = _Network(), threading.local()
        self._lock, self._under_way = threading.Lock(), 0
        # It takes 20 ms to read them, of every client; a model on this computer is mostly asked by http.
        certificates = trusted() if tls else None
        self._pool = httpcore2.ConnectionPool(
            ssl_context=certificates, max_connections=None, keepalive_expiry=5.0, network_backend=self._network
        )

    def close(self) -> None:
        """Ends what is under way. Its sockets are closed by the threads that wait on them: closed by this one, their
        numbers could be those of other connections before such a thread is awake, and it would wait on these."""
        self._network.end()
        with self._lock:
            idle = not self._under_way
        if idle:
            self._pool.close()

    @contextlib.contextmanager
    def _exchange(self) -> Iterator[None]:
        with self._lock:
            self._under_way += 1
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                last = self._network.ended and not self._under_way
            if last:
                self._pool.close()

    def allow(self, most: int, seconds: float) -> None:
        """Of the next answer to this thread."""
        self._allowed.most, self._allowed.seconds = most, seconds

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        body, url = request.read(), request.url
        kind = [("Content-Type", request.headers["Content-Type"])] if body else []
        self._counter.add(len(body))
        most, seconds = self._allowed.most, self._allowed.seconds
        until = self._network.allow(seconds)
        try:
            with (
                self._exchange(),
                self._pool.stream(
                    request.method,
                    httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                    headers=[*self._headers, *kind],
                    content=body or None,
                    extensions={"timeout": request.extensions["timeout"]},
                ) as response,
            ):
                encoding = httpx2.Headers(response.headers).get("content-encoding", "")
                data = _decoded(b"".join(_bounded(response.iter_stream(), most)), encoding, most)
                read = [(name, value) for name, value in response.headers if name.lower() in _READ_HEADERS]
                return httpx2.Response(response.status, headers=read, content=data)
        except (httpcore2.ConnectError, httpcore2.ConnectTimeout, httpcore2.PoolTimeout, UnicodeError) as error:
            self._counter.add(-len(body))  # there was no connection that it could have gone over
            if untrusted(error):
                raise Untrusted(tr("its certificate is not trusted"), passing=False) from error
            raise NoAnswer(tr("it cannot be reached")) from error
        except httpcore2.TimeoutException as error:
            if time.monotonic() >= until:
                raise NoAnswer(
                    tr("the answer takes longer than {minutes}").format(minutes=counted(round(seconds / 60), "minute")),
                    passing=False,
                ) from error
            raise NoAnswer(tr("no answer in time")) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise NoAnswer(tr("the connection broke off")) from error


def trusted() -> ssl.SSLContext:
    """The system's authorities, whatever the environment names."""
    return httpx2.create_ssl_context(trust_env=False)


def _bounded(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    read = 0
    for chunk in chunks:
        read += len(chunk)
        if read > most:
            raise NoAnswer(_longer_than(most), passing=False)
        yield chunk


def _decoded(body: bytes, encoding: str, most: int) -> bytes:
    """Some servers compress what was asked for as it is. Raises NoAnswer."""
    if encoding.strip().lower() in ("", "identity"):
        return body
    if encoding.strip().lower() in ("gzip", "x-gzip", "deflate"):
        with contextlib.suppress(zlib.error):
            plain = zlib.decompressobj(wbits=47).decompress(body, most + 1)  # 47: either header
            if len(plain) > most:
                raise NoAnswer(_longer_than(most), passing=False)
            return plain
    raise NoAnswer(tr("the answer is compressed in a way that cannot be read"), passing=False)


class _Network(httpcore2.SyncBackend):
    """The sockets of one endpoint: each read and write ends with its thread's exchange, and all when told to."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self.ended = False
        self._exchange = threading.local()

    def allow(self, seconds: float) -> float:
        """What this thread does from now on may take that long; returns until when."""
        self._exchange.until = until = time.monotonic() + seconds
        return until

    def left(self, patience: float | None) -> float:
        """Seconds that this thread may wait now. Raises httpcore2.ReadTimeout when there are none."""
        left = float(self._exchange.until - time.monotonic())
        if left <= 0:
            raise httpcore2.ReadTimeout
        return min(left, math.inf if patience is None else patience)

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, *args: Any, **more: Any) -> _Stream:
        return self.watched(super().connect_tcp(host, port, self.left(timeout), *args, **more))

    def watched(self, stream: httpcore2.NetworkStream) -> _Stream:
        """Remembers its socket, to be shut down while other threads wait on it."""
        opened: socket.socket = stream.get_extra_info("socket")
        with self._lock:
            self._open = {known for known in self._open if known.fileno() >= 0} | {opened}
            if self.ended:  # by the thread that opened it, so nobody else waits on it, and no pool will close it
                _shut_down(opened)
                opened.close()
        return _Stream(stream, self)

    def end(self) -> None:
        """Wake whoever waits on a connection; what is opened from now on carries nothing.

        Closing a socket does not wake a thread that reads from it: that one would wait out its time.
        """
        with self._lock:
            self.ended = True
            for known in self._open:
                _shut_down(known)
            self._open.clear()


class _Stream(httpcore2.NetworkStream):
    """The pool's time limits are for each piece, and a server may send headers one byte at a time."""

    def __init__(self, inner: httpcore2.NetworkStream, network: _Network) -> None:
        self._inner, self._network = inner, network

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, self._network.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _WRITTEN_AT_ONCE):
            self._inner.write(buffer[start : start + _WRITTEN_AT_ONCE], self._network.left(timeout))

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return self._network.watched(self._inner.start_tls(ssl_context, server_hostname, self._network.left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


def _shut_down(opened: socket.socket) -> None:
    with contextlib.suppress(OSError):  # closed already, by either side
        # Not SSLSocket.shutdown: it drops the encryption first, and a thread that writes just then writes plain text.
        socket.socket.shutdown(opened, socket.SHUT_RDWR)


def checked_address(base_url: str, *, unencrypted: bool = False) -> str:
    """A usable address: https, or http on this machine; with ``unencrypted``, to which the user has agreed, also http
    within the own network. Azure's may name its ``api-version``. Raises InputError."""
    base_url, asked, query = base_url.partition("?")
    base_url = base_url.rstrip("/").removesuffix("/chat/completions")
    try:
        url = httpx2.URL(base_url)  # by the same rules as when it is asked
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise InputError(base_url, tr("this is not an address"), tr("Give one like https://host/v1")) from error
    if url.scheme not in ("http", "https") or not url.host or url.port == 0 or (url.port or 0) > 65_535:
        raise InputError(base_url, tr("this is not a web address"), tr("Give one like https://host/v1"))
    if url.userinfo or "#" in base_url or (asked and not _VERSION.fullmatch(query)):
        raise InputError(url.host, tr("the address holds a password or parameters"), tr("Give only https://host/path"))
    if url.scheme == "http" and not is_this_machine(url.host):
        if not is_in_own_network(url.host):
            raise InputError(url.host, tr("the connection would not be encrypted"), tr("Use an https address"))
        if not unencrypted:
            raise InputError(
                url.host,
                tr("the connection would not be encrypted: anyone on the network could read what is sent"),
                tr("Use an https address, or allow it (on the command line with --allow-unencrypted)."),
            )
    return base_url + (f"?{query}" if asked else "")


def is_in_own_network(host: str) -> bool:
    """A private address, or a name that only the own network knows."""
    try:
        found = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return "." not in host or host.endswith((".local", ".lan", ".internal", ".intranet", ".home.arpa"))
    return found.is_private and not found.is_loopback and not found.is_unspecified


def untrusted(error: BaseException) -> bool:
    """Was the connection given up because of the server's certificate?"""
    seen: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and cause not in seen:  # what is raised again may lead back to itself
        if isinstance(cause, ssl.SSLCertVerificationError):
            return True
        seen.append(cause)
        cause = cause.__cause__ or cause.__context__
    return False


def _longer_than(most: int) -> str:
    return tr("the answer is longer than {most} MB").format(most=most // 1024 // 1024)
