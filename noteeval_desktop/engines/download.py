"""Fetches a chat model from the address in the manifest: resumed where it was cut, checked before it is used."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
    what = f"a GGUF file of it in {entry.quantisation} (about {entry.approximate_gb:g} GB)"
    return f"Open {entry.home} in a browser, download {what}, and choose that file here."


def download(
    entry: ChatEntry,
    folder: Path,
    progress: Progress = lambda done, total: None,
    cancel: threading.Event | None = None,
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
) -> Path:
    """The model's file in ``folder``, fetched where it is not there yet. What is cut stays as ``.part`` and is
    continued, in this call or in a later one; the file appears under its name only when its SHA-256 is right.

    Raises ModelError (no address, no network, disk full, wrong hash) and Cancelled.
    """
    if not (entry.url and entry.file and entry.sha256):
        raise ModelError(f"{entry.name}: the program knows no address for it. {how_to_get(entry)}")
    work = _Download(entry.name, entry.url, entry.sha256, folder / Path(entry.file).name, progress, cancel, free_bytes)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return work.run()
    except OSError as error:
        raise ModelError(
            f"{entry.name}: it cannot be saved ({error.strerror or 'writing failed'}). "
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
                f"{self.name}: what came is not the file in the list (its SHA-256 differs) and was deleted. "
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
        digest = hashlib.sha256()
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                self._raise_if_cancelled()
                digest.update(chunk)
        return digest.hexdigest()

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
