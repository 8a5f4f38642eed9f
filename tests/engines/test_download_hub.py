"""Fetching from a server on loopback that behaves like the hub: the file lies on another host behind a redirect."""

from __future__ import annotations

import datetime
import hashlib
import http.client
import ipaddress
import re
import select
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from noteeval_desktop.engines.download import Source, download, part_of
from noteeval_desktop.engines.route import said_of, system_proxy
from noteeval_desktop.errors import ModelError

CONTENT = b"GGUF" + bytes(range(256)) * 4_000
SHA256 = hashlib.sha256(CONTENT).hexdigest()
SIGN_IN = b"<!doctype html><title>Sign in</title>"


@dataclass
class Hub:
    """``script``: what the hosts do at the first requests, a name each; then they behave. ``told``: the SHA-256 that
    the hub names before it sends one on."""

    content: bytes = CONTENT
    told: str = SHA256
    etag: str = '"edition-1"'
    script: list[str] = field(default_factory=list)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    url: str = ""

    def wanted(self, **changes: object) -> Source:
        made = Source("Model", self.url, SHA256, "model.gguf", len(CONTENT), "https://hub.example/model")
        return replace(made, **changes)  # type: ignore[arg-type]


class _Quiet(BaseHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        return

    def answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler], certificate: Path | None = None) -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def serving(hub: Hub, certificate: Path | None = None) -> Iterator[Hub]:
    scheme = "https" if certificate else "http"

    class Files(_Quiet):
        def do_GET(self) -> None:
            asked, edition = self.headers["Range"] or "", self.headers["If-Range"]
            hub.asked.append(("files", asked, edition or ""))
            step = hub.script.pop(0) if hub.script else ""
            if step == "signed link ran out":
                self.answer(403, b"<Error/>", Content_Type="application/xml")
                return
            if step == "sign in":
                self.answer(200, SIGN_IN, Content_Type="text/html")
                return
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and edition in (None, hub.etag) else 0
            body, whole = hub.content[start:], len(hub.content)
            ranges = {"Content_Range": f"bytes {start}-{whole - 1}/{whole}"} if start else {}
            sent = body[:100_000] if step == "cut" else body
            self.answer(206 if start else 200, sent, ETag=hub.etag, Content_Length=str(len(body)), **ranges)

    with ExitStack() as stack:
        files = stack.enter_context(listening(Files, certificate))

        class Front(_Quiet):
            def do_GET(self) -> None:
                hub.asked.append(("hub", self.headers["Range"] or "", self.headers["User-Agent"]))
                match hub.script.pop(0) if hub.script and not hub.script[0].startswith(("cut", "sign")) else "":
                    case "wait":
                        self.answer(429, Retry_After="0.2")
                    case "wait long":
                        self.answer(429, Retry_After="900")
                    case "fault":
                        self.answer(503)
                    case "refuse":
                        self.answer(403)
                    case "gone":
                        self.answer(404)
                    case _:
                        place = f"{scheme}://localhost:{files}/signed?expires=1"
                        size = str(len(hub.content))
                        self.answer(302, Location=place, X_Linked_ETag=f'"{hub.told}"', X_Linked_Size=size)

        front = stack.enter_context(listening(Front, certificate))
        hub.url = f"{scheme}://localhost:{front}/owner/repository/resolve/revision/model.gguf"
        yield hub


def test_the_file_comes_from_another_host_and_goes_on_where_it_was_cut(tmp_path: Path) -> None:
    with serving(Hub(script=["cut", "cut"])) as hub:
        assert download(hub.wanted(), tmp_path).read_bytes() == CONTENT
    assert [ranges for host, ranges, _ in hub.asked if host == "files"] == ["", "bytes=100000-", "bytes=200000-"]
    assert [edition for host, _, edition in hub.asked if host == "files"] == ["", '"edition-1"', '"edition-1"']
    assert [path.name for path in tmp_path.iterdir()] == ["model.gguf"]


def test_a_part_of_another_edition_is_begun_anew_and_not_paid_for_twice(tmp_path: Path) -> None:
    old = Hub(script=["cut", "fault", "fault", "fault"], etag='"edition-0"', content=CONTENT[:-1] + b"?")
    with serving(old) as hub, pytest.raises(ModelError, match="has a problem"):
        download(hub.wanted(), tmp_path)
    assert part_of(old.wanted(), tmp_path).stat().st_size == 100_000
    with serving(Hub()) as hub:
        assert download(hub.wanted(), tmp_path).read_bytes() == CONTENT
    assert len([1 for host, *_ in hub.asked if host == "files"]) == 1


@pytest.mark.parametrize("step", ["wait", "fault", "signed link ran out"])
def test_what_passes_is_waited_for(step: str, tmp_path: Path) -> None:
    script = ["", step] if step.startswith("signed") else [step]
    with serving(Hub(script=script)) as hub:
        assert download(hub.wanted(), tmp_path).read_bytes() == CONTENT
    assert len(hub.asked) in (3, 4)


@pytest.mark.parametrize(
    ("hub", "said"),
    [
        (Hub(script=["refuse"]), r"refuses to send it to this computer \(status 403\).*try another network"),
        (Hub(script=["wait long"]), r"asks you to wait for 15 minutes\. Try again later\.$"),
        (Hub(script=["gone"]), r"does not have it \(status 404\)\. .*look for a newer version.*, or get it from https"),
        (Hub(script=["", "sign in"]), "sent something else instead of the file, perhaps a page to sign in at"),
        (Hub(told="0" * 64), "offers a different file than expected"),
        (Hub(told="", content=CONTENT + b"more"), "does not have the expected size"),
        (Hub(told="", content=CONTENT[:-1] + b"!"), r"SHA-256 differs\) and was deleted"),
    ],
    ids=["refused", "too many requests", "gone", "a web page", "changed", "grown", "changed silently"],
)
def test_what_is_not_the_file_is_said_in_one_line_and_not_kept(hub: Hub, said: str, tmp_path: Path) -> None:
    with serving(hub), pytest.raises(ModelError, match=said) as caught:
        download(hub.wanted(), tmp_path)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_web_page_that_calls_itself_a_file_is_not_taken_for_one(tmp_path: Path) -> None:
    with serving(Hub(told="", content=SIGN_IN)) as hub, pytest.raises(ModelError, match="sent something else"):
        download(hub.wanted(bytes=0), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_users_own_file_is_compared_with_its_page_and_its_address_checked(tmp_path: Path) -> None:
    for hub, said in (
        (Hub(told="0" * 64), r"not downloaded\. Compare its SHA-256"),
        (Hub(told="", content=CONTENT[:-1] + b"!"), r"was deleted\. Compare its SHA-256"),
        (Hub(script=["gone"]), r"does not have it \(status 404\)\. Check the address\.$"),
    ):
        with serving(hub), pytest.raises(ModelError, match=said):
            download(hub.wanted(page=""), tmp_path)


@pytest.mark.parametrize(("free", "shown"), [(200_000_000, "0.2"), (190_000_000, "0.1")])
def test_the_space_is_looked_at_before_anything_is_asked(free: int, shown: str, tmp_path: Path) -> None:
    said = f"needs 0.3 GB of free space on the disk; {shown} GB are free"
    with serving(Hub()) as hub, pytest.raises(ModelError, match=re.escape(said)):
        download(hub.wanted(), tmp_path, free_bytes=lambda _: free)
    assert hub.asked == []


# The system's way


class Proxy(_Quiet):
    """Speaks for its clients, and lets TLS through."""

    seen: list[str]
    status = 200

    def do_GET(self) -> None:
        self.seen.append(self.path)
        parts = urlsplit(self.path)
        onward = http.client.HTTPConnection(parts.hostname or "", parts.port)
        onward.request("GET", f"{parts.path}?{parts.query}", headers=dict(self.headers))
        got = onward.getresponse()
        self.send_response(got.status)
        for name, value in got.getheaders():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(got.read())
        onward.close()

    def do_CONNECT(self) -> None:
        self.seen.append(self.path)
        if self.status != 200:
            self.answer(self.status)
            return
        host, _, port = self.path.partition(":")
        with socket.create_connection((host, int(port))) as onward:
            self.send_response(200)
            self.end_headers()
            pair = [self.connection, onward]
            while True:
                for ready in select.select(pair, [], [], 5)[0]:
                    data = ready.recv(65_536)
                    if not data:
                        return
                    pair[ready is self.connection].sendall(data)


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Proxy]]:
    class Own(Proxy):
        seen: list[str] = []  # noqa: RUF012

    for name in ("no_proxy", "NO_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with listening(Own) as port:
        for name in ("http_proxy", "https_proxy"):
            monkeypatch.setenv(name, f"http://user:secret@localhost:{port}")
        yield Own


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a clinic's own authority, for this machine, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("clinic") / "clinic.pem"
    form, plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    secret = key.private_bytes(serialization.Encoding.PEM, form, plain)
    path.write_bytes(made.public_bytes(serialization.Encoding.PEM) + secret)
    return path


def test_the_systems_proxy_is_used_and_said(proxy: type[Proxy], tmp_path: Path) -> None:
    with serving(Hub()) as hub:
        assert download(hub.wanted(), tmp_path).read_bytes() == CONTENT
        said = said_of(hub.url)
    assert [urlsplit(asked).path.rpartition("/")[2] for asked in proxy.seen] == ["model.gguf", "signed"]
    assert "goes through the proxy that this computer is set to use (localhost:" in said
    assert "secret" not in said


def test_the_systems_exceptions_hold(proxy: type[Proxy], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "localhost")
    with serving(Hub()) as hub:
        assert system_proxy(hub.url) is None
        download(hub.wanted(), tmp_path)
        assert said_of(hub.url).startswith("It is fetched directly")
    assert proxy.seen == []


@pytest.mark.parametrize(
    ("status", "said"), [(407, "asks for a name and a password"), (403, "does not let it through")]
)
def test_a_proxy_that_refuses_is_said(
    status: int, said: str, proxy: type[Proxy], certificate: Path, tmp_path: Path
) -> None:
    proxy.status = status
    with serving(Hub(), certificate) as hub, pytest.raises(ModelError, match=f"set to use {said}"):
        download(hub.wanted(), tmp_path)


def test_a_proxy_that_is_not_there_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("http_proxy", f"http://localhost:{free.getsockname()[1]}")
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with serving(Hub()) as hub, pytest.raises(ModelError, match=r"proxy .* \(localhost:\d+\) cannot be reached"):
        download(hub.wanted(), tmp_path)


def test_certificates_that_are_not_where_the_settings_say_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    with serving(Hub()) as hub, pytest.raises(ModelError, match=r"SSL_CERT_FILE or SSL_CERT_DIR\) cannot be read"):
        download(hub.wanted(), tmp_path)


def test_a_proxy_of_another_kind_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "socks5://localhost:1080")
    monkeypatch.delenv("no_proxy", raising=False)
    with serving(Hub()) as hub, pytest.raises(ModelError, match=r"\(localhost:1080\) is of a kind that cannot be used"):
        download(hub.wanted(), tmp_path)


def test_a_clinics_own_certificate_is_trusted_where_the_system_trusts_it(
    proxy: type[Proxy], certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Hub(), certificate) as hub, pytest.raises(ModelError, match="certificate that this computer does not"):
        download(hub.wanted(), tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serving(Hub(), certificate) as hub:
        assert download(hub.wanted(), tmp_path).read_bytes() == CONTENT
    assert len(proxy.seen) >= 2
