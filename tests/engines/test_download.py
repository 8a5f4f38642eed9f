"""Fetching a model from a server on loopback that cuts, forgets ranges, lies and redirects."""

from __future__ import annotations

import hashlib
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from noteeval_desktop.engines.download import Source, TimeLeft, download, source
from noteeval_desktop.engines.manifest import read_manifest, sha256_of
from noteeval_desktop.errors import Cancelled, ModelError

CONTENT = b"GGUF" + bytes(range(256)) * 12_000
SIZE = len(CONTENT)


@dataclass
class FileServer:
    """``cuts``: after how many bytes the first responses break off."""

    content: bytes = CONTENT
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    status: int = 200
    location: str = ""
    lengths: bool = True
    asked: list[str | None] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(server: FileServer) -> Iterator[FileServer]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            asked = self.headers["Range"]
            server.asked.append(asked)
            start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and server.ranges else 0
            if start >= len(server.content):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(server.content)}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            body = server.content[start:]
            self.send_response(206 if start else server.status)
            if server.location:
                self.send_header("Location", server.location)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(server.content) - 1}/{len(server.content)}")
            if server.lengths:
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: server.cuts.pop(0)] if server.cuts else body)

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/model.gguf"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


SHA256 = hashlib.sha256(CONTENT).hexdigest()


def entry(url: str, **changes: object) -> Source:
    return replace(Source("Model", url, SHA256, "model.gguf"), **changes)  # type: ignore[arg-type]


def test_a_file_arrives_whole_and_says_how_far_it_is(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with serving(FileServer()) as server:
        path = download(entry(server.url), tmp_path / "models", lambda done, total: told.append((done, total)))
        assert download(entry(server.url), tmp_path / "models") == path
    assert path.read_bytes() == CONTENT
    assert server.asked == [None]
    assert told[-1] == (SIZE, SIZE)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert [file.name for file in path.parent.iterdir()] == ["model.gguf"]


def test_a_cut_download_goes_on_where_it_stopped(tmp_path: Path) -> None:
    with serving(FileServer(cuts=[1_000_000, 500_000])) as server:
        assert download(entry(server.url), tmp_path).read_bytes() == CONTENT
    assert server.asked == [None, "bytes=1000000-", "bytes=1500000-"]


def test_a_server_without_ranges_sends_all_again(tmp_path: Path) -> None:
    with serving(FileServer(cuts=[1_000_000], ranges=False)) as server:
        assert download(entry(server.url), tmp_path).read_bytes() == CONTENT
    assert server.asked == [None, "bytes=1000000-"]


def test_a_cancelled_download_is_continued_another_time(tmp_path: Path) -> None:
    cancel = threading.Event()
    with serving(FileServer()) as server:
        with pytest.raises(Cancelled):
            download(entry(server.url), tmp_path, lambda done, total: cancel.set(), cancel)
        left = (tmp_path / "model.gguf.part").stat().st_size
        assert 0 < left < SIZE
        assert not (tmp_path / "model.gguf").exists()
        assert download(entry(server.url), tmp_path).read_bytes() == CONTENT
    assert server.asked == [None, f"bytes={left}-"]


def test_a_part_that_is_whole_needs_only_its_check(tmp_path: Path) -> None:
    (tmp_path / "model.gguf.part").write_bytes(CONTENT)
    with serving(FileServer()) as server:
        assert download(entry(server.url), tmp_path).read_bytes() == CONTENT
    assert server.asked == [f"bytes={SIZE}-"]


@pytest.mark.parametrize("stale", [b"older edition" * 100, CONTENT + b"more"])
def test_a_stale_part_is_given_up_for_a_fresh_start(tmp_path: Path, stale: bytes) -> None:
    (tmp_path / "model.gguf.part").write_bytes(stale)
    with serving(FileServer()) as server:
        assert download(entry(server.url), tmp_path).read_bytes() == CONTENT
    assert server.asked[-1] is None


def test_a_wrong_file_is_deleted_and_said(tmp_path: Path) -> None:
    wrong = FileServer(content=CONTENT[:-1] + b"!")
    with serving(wrong) as server, pytest.raises(ModelError, match="SHA-256 differs"):
        download(entry(server.url), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_fetched_again(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF but not this one")
    with serving(FileServer()) as server:
        assert download(entry(server.url), tmp_path).read_bytes() == CONTENT


def test_too_little_space_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with serving(FileServer()) as server, pytest.raises(ModelError, match=r"0\.1 GB are free"):
        download(entry(server.url), tmp_path, free_bytes=lambda folder: 100_000_000)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_is_said_and_the_part_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with serving(FileServer()) as server, pytest.raises(ModelError, match=r"No space left on device.*is kept"):
        download(entry(server.url), tmp_path, full)
    assert (tmp_path / "model.gguf.part").exists()


def test_no_connection_is_said_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/model.gguf"
    with pytest.raises(ModelError, match=r"no connection to 127\.0\.0\.1\. Connect to the network"):
        download(entry(url), tmp_path)


@pytest.mark.parametrize(
    ("url", "sha256", "said"),
    [
        ("https://models.example.org/m.gguf", "", "without its SHA-256 it could not be checked"),
        ("https://models.example.org/m.gguf", "12ab", "64 digits"),
        ("file:///etc/model.gguf", SHA256, "is not a web address"),
        ("", SHA256, "is not a web address"),
        ("https://models.example.org/", SHA256, "does not name a GGUF file"),
        ("https://models.example.org/setup.exe", SHA256, "does not name a GGUF file"),
    ],
)
def test_what_could_not_be_checked_is_refused_and_says_how_to_go_on(url: str, sha256: str, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        source(url, sha256)


def test_the_user_may_give_address_and_checksum() -> None:
    own = source(" https://models.example.org/a/My%20Model.gguf?download=true ", SHA256.upper())
    assert own == Source("My Model.gguf", own.url, SHA256, "My Model.gguf")


def test_the_checksum_of_a_file_that_is_here_can_be_shown(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(CONTENT)
    told: list[tuple[int, int]] = []
    assert sha256_of(tmp_path / "m.gguf", lambda done, total: told.append((done, total))) == SHA256
    assert told[-1] == (SIZE, SIZE)
    with pytest.raises(ModelError, match="cannot be read"):
        sha256_of(tmp_path / "none.gguf")


def test_the_time_left_follows_the_pace_of_this_connection() -> None:
    now = [10.0]
    left = TimeLeft(lambda: now[0])
    assert left(600, 1000) is None
    now[0] = 12.0
    assert left(700, 1000) == pytest.approx(6.0)
    now[0] = 13.0
    assert left(100, 1000) is None


def test_every_suggested_model_is_pinned_to_its_bytes() -> None:
    chat = read_manifest().chat
    assert len({one.sha256 for one in chat}) == len({one.file for one in chat}) == len(chat) >= 6
    for one in chat:
        assert re.fullmatch(r"[0-9a-f]{64}", one.sha256)
        assert re.fullmatch(r"[0-9a-f]{40}", one.revision)
        assert one.url == f"https://huggingface.co/{one.repository}/resolve/{one.revision}/{one.file}"
        assert 1e9 < one.bytes < one.memory_gb * 1e9


@pytest.mark.parametrize("status", [403, 404])
def test_a_refusal_is_said(tmp_path: Path, status: int) -> None:
    with serving(FileServer(status=status)) as server, pytest.raises(ModelError, match=f"status {status}"):
        download(entry(server.url), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_redirect_is_followed(tmp_path: Path) -> None:
    with serving(FileServer()) as mirror, serving(FileServer(status=302, location=mirror.url)) as server:
        assert download(entry(server.url), tmp_path).read_bytes() == CONTENT


def test_redirects_without_end_are_said(tmp_path: Path) -> None:
    with serving(FileServer(status=302)) as server:
        server.location = server.url
        with pytest.raises(ModelError, match="redirects endlessly"):
            download(entry(server.url), tmp_path)


@pytest.mark.parametrize("name", ["model%00.gguf", "a%0Ab.gguf", "a%5Cb.gguf"])
def test_an_address_that_names_no_file_is_refused(name: str) -> None:
    with pytest.raises(ModelError, match="characters that a file name cannot have"):
        source(f"https://example.org/{name}", SHA256)


def test_a_download_of_no_told_length_ends_where_the_disk_would_be_full(tmp_path: Path) -> None:
    free = iter([10**9, *[10**9] * 2, *[10**6] * 9])
    endless = FileServer(content=b"GGUF" + bytes(80_000_000), lengths=False)
    with serving(endless) as server, pytest.raises(ModelError, match="needs"):
        download(entry(server.url), tmp_path, free_bytes=lambda _: next(free))
    assert list(tmp_path.iterdir()) == []


def test_more_than_was_named_is_not_written(tmp_path: Path) -> None:
    with serving(FileServer(content=CONTENT * 4, lengths=False)) as server, pytest.raises(ModelError, match="size"):
        download(entry(server.url, bytes=SIZE), tmp_path)


def test_a_redirect_never_leads_out_of_encryption(tmp_path: Path) -> None:
    plain = FileServer(status=302, location="http://models.example.org/model.gguf")
    with serving(plain) as server, pytest.raises(ModelError, match="would not be encrypted"):
        download(entry(server.url), tmp_path)


def test_the_name_in_the_list_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    with serving(FileServer()) as server:
        path = download(entry(server.url, file="../../outside.gguf"), tmp_path / "models")
    assert path == tmp_path / "models" / "outside.gguf"
