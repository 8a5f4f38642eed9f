"""Fetches a chat model from an address with a known SHA-256: resumed where it was cut, checked before it is used."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx2

from noteeval_desktop.engines.manifest import ChatEntry
from noteeval_desktop.engines.remote.transport import is_this_machine
from noteeval_desktop.errors import Cancelled, ModelError

Progress = Callable[[int, int], None]
"""Called with the bytes that are here and all bytes; the second is 0 while unknown."""

_CHUNK = 1 << 20
_SPARE_BYTES = 200_000_000
_FRUITLESS_TRIES = 3
_TIMEOUT = httpx2.Timeout(30.0, connect=10.0)


def how_to_get(entry: ChatEntry) -> str:
    """In one line, how the user gets a model that the program does not fetch."""
    what = entry.file or f"a GGUF file of it in {entry.quantisation}"
    return (
        f"Open {entry.home} in a browser, download {what} (about {entry.approximate_gb:g} GB), and choose that file "
        "as the model; its SHA-256 is shown for comparison with the page."
    )


@dataclass(frozen=True, slots=True)
class Source:
    """What to fetch: ``file`` is the name to keep it under, ``sha256`` 64 hexadecimal digits in lower case."""

    name: str
    url: str
    sha256: str
    file: str


def source(entry: ChatEntry | None, url: str = "", sha256: str = "") -> Source:
    """From the list's entry, with what the user gives instead; without an entry, both have to be given.

    Raises ModelError: nothing is fetched whose address is not known, or that could not be checked.
    """
    address = url.strip() or (entry.url if entry is not None else None) or ""
    name = entry.name if entry is not None else Path(unquote(urlsplit(address).path)).name or "The model"
    way = how_to_get(entry) if entry is not None else "The publisher's page has it beside the file."
    if not address:
        own = "Or give the file's address and the SHA-256 that the page shows."
        raise ModelError(f"{name}: the program knows no address for it. {way} {own}")
    digest = (sha256.strip() or (entry.sha256 if entry is not None else None) or "").lower()
    if not digest:
        raise ModelError(f"{name}: without its SHA-256 it could not be checked, so nothing is fetched. {way}")
    if not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise ModelError(f"{name}: a SHA-256 has 64 digits from 0 to 9 and a to f. Copy it again.")
    parts = urlsplit(address)
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ModelError(f"{name}: {address[:80]} is not a web address. Give one that begins with https://.")
    file = Path((entry.file if entry is not None else None) or unquote(parts.path)).name
    if not file.lower().endswith(".gguf"):
        raise ModelError(f"{name}: the address does not name a GGUF file. Give the address of the file itself.")
    return Source(name, address, digest, file)


def sha256_of(path: Path, progress: Progress = lambda done, total: None, cancel: threading.Event | None = None) -> str:
    """Of a file that is here, for comparison with the publisher's page. Raises ModelError and Cancelled."""
    try:
        digest, done, total = hashlib.sha256(), 0, path.stat().st_size
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                if cancel is not None and cancel.is_set():
                    raise Cancelled
                digest.update(chunk)
                done += len(chunk)
                progress(done, total)
        return digest.hexdigest()
    except OSError as error:
        raise ModelError(f"{path.name}: cannot be read ({error.strerror}). Check the file.") from error


@dataclass
class TimeLeft:
    """Seconds until the end, at the pace since the first call; None before there is any."""

    clock: Callable[[], float] = time.monotonic
    _began: float | None = None
    _here: int = field(default=0)

    def __call__(self, done: int, total: int) -> float | None:
        now = self.clock()
        if self._began is None or done < self._here:
            self._began, self._here = now, done
        gained, spent = done - self._here, now - self._began
        return spent / gained * (total - done) if gained > 0 and spent > 0 and total >= done else None


def download(
    wanted: Source,
    folder: Path,
    progress: Progress = lambda done, total: None,
    cancel: threading.Event | None = None,
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
) -> Path:
    """The model's file in ``folder``, fetched where it is not there yet. What is cut stays as ``.part`` and is
    continued, in this call or in a later one; the file appears under its name only when its SHA-256 is right.

    Raises ModelError (no network, disk full, wrong hash) and Cancelled.
    """
    target = folder / Path(wanted.file).name
    work = _Download(wanted.name, wanted.url, wanted.sha256, target, progress, cancel, free_bytes)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return work.run()
    except OSError as error:
        raise ModelError(
            f"{wanted.name}: it cannot be saved ({error.strerror or 'writing failed'}). "
            "Free some space or choose another folder; what is there is kept."
        ) from error


@dataclass(slots=True)
class _Download:
    name: str
    url: str
    sha256: str
    target: Path
    progress: Progress
    cancel: threading.Event | None
    free_bytes: Callable[[Path], int]

    @property
    def part(self) -> Path:
        return self.target.with_name(self.target.name + ".part")

    def run(self) -> Path:
        if self.target.is_file() and self._hash(self.target) == self.sha256:
            return self.target
        continued = self._here() > 0
        self._fetch()
        if self._hash(self.part) != self.sha256 and continued:
            # The beginning may be of another edition of the file.
            self.part.unlink()
            self._fetch()
        if self._hash(self.part) != self.sha256:
            self.part.unlink()
            raise ModelError(
                f"{self.name}: what came is not the file that was named (its SHA-256 differs) and was deleted. "
                "Try again later, or get it from the publisher's page."
            )
        os.replace(self.part, self.target)  # noqa: PTH105 - the atomic one, on every system
        return self.target

    def _here(self) -> int:
        return self.part.stat().st_size if self.part.is_file() else 0

    def _fetch(self) -> None:
        """Ask for what is missing until nothing is, as long as some of it comes."""
        fruitless = 0
        # Proxies of the environment are welcome here: nothing of the user's is sent.
        with httpx2.Client(timeout=_TIMEOUT, follow_redirects=True, event_hooks={"request": [self._check]}) as client:
            while True:
                before = self._here()
                try:
                    if self._continue(client):
                        return
                except httpx2.TransportError as error:
                    fruitless = 0 if self._here() > before else fruitless + 1
                    if fruitless == _FRUITLESS_TRIES:
                        raise ModelError(
                            f"{self.name}: no connection to {self._host()}. Connect to the network and try again; "
                            "what is here already is kept."
                        ) from error

    def _continue(self, client: httpx2.Client) -> bool:
        """One request; False where the part was of no use and is gone. Raises TransportError when it is cut."""
        here = self._here()
        headers = {"Accept-Encoding": "identity", "User-Agent": "NoteEval"}  # ranges count bytes as they are sent
        if here:
            headers["Range"] = f"bytes={here}-"
        with client.stream("GET", self.url, headers=headers) as response:
            if response.status_code == 416 and here:
                return self._past_the_end(response, here)
            if response.status_code not in (200, 206):
                raise ModelError(
                    f"{self.name}: {self._host()} answered with status {response.status_code}. "
                    "Try again later, or get it from the publisher's page."
                )
            start = _range_start(response) if response.status_code == 206 else 0
            if start not in (0, here):
                raise ModelError(f"{self.name}: {self._host()} sent another part than asked for. Try again later.")
            total = start + int(response.headers.get("content-length", "0"))
            self._expect_space(total - start)
            self._write(response, start, total)
            return True

    def _past_the_end(self, response: httpx2.Response, here: int) -> bool:
        """Nothing is left to send: all is here, or more than there should be."""
        if response.headers.get("content-range", "") == f"bytes */{here}":
            return True
        self.part.unlink()
        return False

    def _write(self, response: httpx2.Response, start: int, total: int) -> None:
        done = start
        # As they come: what a larger chunk had gathered would be lost with the connection.
        with self.part.open("ab" if start else "wb") as file:
            for chunk in response.iter_raw():
                self._raise_if_cancelled()
                file.write(chunk)
                done += len(chunk)
                self.progress(done, total if total > start else 0)

    def _expect_space(self, needed: int) -> None:
        free = self.free_bytes(self.target.parent)
        if needed + _SPARE_BYTES > free:
            raise ModelError(
                f"{self.name}: needs {needed / 1e9:.1f} GB more on the disk, {free / 1e9:.1f} GB are free. "
                "Free some space or choose another folder."
            )

    def _hash(self, path: Path) -> str:
        return sha256_of(path, cancel=self.cancel)

    def _check(self, request: httpx2.Request) -> None:
        """Before the request and before each redirect."""
        if request.url.scheme != "https" and not is_this_machine(request.url.host):
            raise ModelError(f"{self.name}: {request.url.host} is not asked without encryption. Nothing was fetched.")

    def _host(self) -> str:
        return httpx2.URL(self.url).host

    def _raise_if_cancelled(self) -> None:
        if self.cancel is not None and self.cancel.is_set():
            raise Cancelled


def _range_start(response: httpx2.Response) -> int:
    found = re.match(r"bytes (\d+)-", response.headers.get("content-range", ""))
    return int(found.group(1)) if found else -1
