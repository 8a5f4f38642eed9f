"""Fetches a chat model from an address with a known SHA-256: resumed where it was cut, checked before it is used."""

from __future__ import annotations

import itertools
import math
import re
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

import httpx2

from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.engines import route
from noteeval_desktop.engines.loopback import is_this_machine
from noteeval_desktop.engines.manifest import ChatEntry, Progress, sha256_of
from noteeval_desktop.engines.remote.pace import retry_after
from noteeval_desktop.errors import Cancelled, ModelError
from noteeval_desktop.platform.files import replace_file

_TRY_LATER = tr("Try again later")
_THE_MODEL = tr("The model")
_CHECK_ADDRESS = tr("Check the address")
_OF_ANOTHER_SIZE = tr("the file at that address does not have the expected size, so it was not downloaded. {remedy}")
_SPARE_BYTES = 200_000_000
_LOOK_BYTES = 16_000_000
_FRUITLESS_TRIES = 3
_PAUSE, _LONGEST_PAUSE = 1.0, 60.0  # seconds
_MAGIC = b"GGUF"


@dataclass(frozen=True, slots=True)
class Source:
    """What to fetch: ``file`` is the name to keep it under, ``sha256`` 64 hexadecimal digits in lower case, ``bytes``
    its size, 0 where that is not known, ``page`` where a person finds it."""

    name: str
    url: str
    sha256: str
    file: str
    bytes: int = 0
    page: str = ""


def listed(entry: ChatEntry) -> Source:
    return Source(entry.name, entry.url, entry.sha256, entry.file, entry.bytes, entry.home)


def source(url: str, sha256: str) -> Source:
    """A file that the user names. Raises ModelError: nothing is fetched that could not be checked."""
    address = url.strip()
    parts = urlsplit(address)
    file = Path(unquote(parts.path)).name
    name, digest, problem = file or _THE_MODEL, sha256.strip().lower(), ""
    if not file.isprintable() or re.search(r'[\\/:*?"<>|]', file):
        name = _THE_MODEL
        problem = tr(
            "the address ends in characters that a file name cannot have. Give the address of the file itself."
        )
    elif not digest:
        problem = tr(
            "without its SHA-256 it could not be checked, so nothing is downloaded. You find it beside the "
            "file on the publisher's page."
        )
    elif not re.fullmatch(r"[0-9a-f]{64}", digest):
        problem = tr("a SHA-256 has 64 digits from 0 to 9 and a to f. Copy it again.")
    elif parts.scheme not in ("https", "http") or not parts.hostname:
        said = tr("{address} is not a web address. Give one that begins with https://.")
        problem = said.format(address=address[:80])
    elif not file.lower().endswith(".gguf"):
        problem = tr("the address does not name a GGUF file. Give the address of the file itself.")
    if problem:
        raise ModelError(f"{name}: {problem}")
    return Source(name, address, digest, file)


def part_of(wanted: Source, folder: Path) -> Path:
    """Where what has come of an unfinished download is kept."""
    return folder / (Path(wanted.file).name + ".part")


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

    Raises ModelError (no network, refused, disk full, another file) and Cancelled.
    """
    target = folder / Path(wanted.file).name
    work = _Download(wanted, target, part_of(wanted, folder), progress, cancel or threading.Event(), free_bytes)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return work.run()
    except OSError as error:
        raise ModelError(
            tr(
                "{name}: it cannot be saved ({reason}). Free some space or choose another folder; what is there is "
                "kept."
            ).format(name=wanted.name, reason=error.strerror or tr("writing failed"))
        ) from error


class _Later(Exception):
    """The server sent no file this time, but may soon: after ``seconds``."""

    def __init__(self, said: str, seconds: float) -> None:
        super().__init__(said)
        self.seconds = seconds


@dataclass(slots=True)
class _Download:
    wanted: Source
    target: Path
    part: Path
    progress: Progress
    cancel: threading.Event
    free_bytes: Callable[[Path], int]

    @property
    def validator(self) -> Path:
        """The ETag of the edition that the part is of: a server that has another begins anew by itself."""
        return self.part.with_name(self.part.name + ".etag")

    def run(self) -> Path:
        if self.target.is_file() and sha256_of(self.target, cancel=self.cancel) == self.wanted.sha256:
            return self.target
        continued = self._here() > 0
        self._fetch()
        if sha256_of(self.part, cancel=self.cancel) != self.wanted.sha256 and continued:
            # The beginning may be of another edition of the file.
            self._forget()
            self._fetch()
        if sha256_of(self.part, cancel=self.cancel) != self.wanted.sha256:
            self._forget()
            said = tr("the downloaded file is not the expected one (its SHA-256 differs) and was deleted. {remedy}")
            raise self._error(said, remedy=self._remedy(of_the_list=_TRY_LATER))
        replace_file(self.part, self.target)
        self.validator.unlink(missing_ok=True)
        return self.target

    def _here(self) -> int:
        return self.part.stat().st_size if self.part.is_file() else 0

    def _forget(self) -> None:
        self.part.unlink(missing_ok=True)
        self.validator.unlink(missing_ok=True)

    def _fetch(self) -> None:
        """Ask for what is missing until nothing is, as long as some of it comes."""
        if self.wanted.bytes:
            if self._here() > self.wanted.bytes:
                self._forget()
            self._expect_space(self.wanted.bytes - self._here())
        fruitless = 0
        with route.client() as client:
            client.event_hooks = {"request": [self._check]}
            while True:
                before = self._here()
                try:
                    if self._continue(client):
                        return
                    said, seconds = tr("the server sent nothing usable"), 0.0
                except (httpx2.TooManyRedirects, httpx2.InvalidURL) as error:
                    said = tr("{host} redirects endlessly, or to an address that does not exist. {remedy}")
                    raise self._error(said, remedy=self._remedy(_CHECK_ADDRESS)) from error
                except httpx2.TransportError as error:
                    said, seconds = route.why_unreachable(error), 0.0
                except _Later as later:
                    said, seconds = str(later), later.seconds
                fruitless = 0 if self._here() > before else fruitless + 1
                if fruitless == _FRUITLESS_TRIES or seconds > _LONGEST_PAUSE:
                    raise ModelError(
                        f"{self.wanted.name}: {said}{tr('; the part downloaded is kept') if self._here() > 0 else ''}."
                    )
                if self.cancel.wait(seconds):
                    raise Cancelled

    def _continue(self, client: httpx2.Client) -> bool:
        """One request; False where something is still missing. Raises TransportError when it is cut, and _Later."""
        here = self._here()
        if here and here == self.wanted.bytes:
            return True
        headers = {"Accept-Encoding": "identity", "User-Agent": "NoteEval"}  # ranges count bytes as they are sent
        if here:
            headers["Range"] = f"bytes={here}-"
            if self.validator.is_file():
                headers["If-Range"] = self.validator.read_text("ascii", "replace")
        with client.stream("GET", self.wanted.url, headers=headers) as response:
            if response.status_code == 416 and here:
                # Nothing is left to send: all is here, or more than there should be.
                if response.headers.get("content-range", "") == f"bytes */{here}":
                    return True
                self._forget()
                return False
            self._expect_file(response)
            told = re.match(r"bytes (\d+)-", response.headers.get("content-range", ""))
            start = 0 if response.status_code != 206 else int(told[1]) if told else -1
            if start not in (0, here):
                raise self._error(tr("{host} sent the wrong part of the file. {later}"))
            total = start + int(response.headers.get("content-length", "0"))
            if self.wanted.bytes and total > start and total != self.wanted.bytes:
                raise self._error(_OF_ANOTHER_SIZE)
            self._expect_space(total - start)
            self._write(response, start, total if total > start else self.wanted.bytes)
        return self._here() >= self.wanted.bytes

    def _expect_file(self, response: httpx2.Response) -> None:
        """Raises ModelError, or _Later, where the answer is not the file that was named."""
        for answer in (*response.history, response):
            # The hub's name for the SHA-256 of a large file, told before it sends one to where the bytes are.
            told = answer.headers.get("x-linked-etag", "").strip('W/"')
            if re.fullmatch(r"[0-9a-f]{64}", told) and told != self.wanted.sha256:
                raise self._error(
                    tr("{host} offers a different file than expected, so it was not downloaded. {remedy}")
                )
        status, host = response.status_code, response.url.host
        if status == 429 or status >= 500:
            seconds = retry_after(response.headers)
            asked = seconds if seconds and seconds > _LONGEST_PAUSE else 0.0
            said = tr("{host} has a problem (status {status}). {later}")
            if status == 429:
                said = (
                    tr("{host} asks you to wait for {minutes}. {later}")
                    if asked
                    else tr("{host} asks you to wait. {later}")
                )
            minutes = counted(round(asked / 60), "minute")
            said = said.format(host=host, status=status, minutes=minutes, later=_TRY_LATER)
            raise _Later(said, _PAUSE if seconds is None else seconds)
        if status in (401, 403) and response.history:
            said = tr("{host} refuses to send it (status {status}). {later}")  # its link ran out
            raise _Later(said.format(host=host, status=status, later=_TRY_LATER), 0.0)
        said = ""
        if status in (404, 410):
            said = tr("{host} does not have it (status {status}). {remedy}")
        elif status in (401, 403, 407, 451):
            said = tr(
                "{host} refuses to send it to this computer (status {status}). A network filter may be the reason: try "
                "another network"
            )
        elif status not in (200, 206):
            said = tr("{host} answered with status {status}. {later}")
        if said:
            raise self._error(said, host=host, status=status, remedy=self._remedy(_CHECK_ADDRESS))
        if response.headers.get("content-type", "").lower().startswith("text/html"):
            raise self._web_page(host)

    def _write(self, response: httpx2.Response, start: int, total: int) -> None:
        done = start
        chunks = response.iter_raw()
        first = b"" if start else self._beginning(chunks, response.url.host)
        etag = response.headers.get("etag", "")
        if etag.startswith('"') and etag.isascii():  # a weak one does not vouch for bytes
            self.validator.write_text(etag, "ascii")
        elif not start:
            self.validator.unlink(missing_ok=True)
        # As they come: what a larger chunk had gathered would be lost with the connection.
        with self.part.open("ab" if start else "wb") as file:
            for chunk in itertools.chain([first] if first else [], chunks):
                if self.cancel.is_set():
                    raise Cancelled
                file.write(chunk)
                done += len(chunk)
                if 0 < self.wanted.bytes < done:
                    raise self._error(_OF_ANOTHER_SIZE)
                if done // _LOOK_BYTES > (done - len(chunk)) // _LOOK_BYTES:
                    # It may be longer than was told, or nobody told how long it is.
                    file.flush()
                    try:
                        self._expect_space(max(0, total - done))
                    except ModelError:
                        if not total:
                            self._forget()
                        raise
                self.progress(done, total)

    def _beginning(self, chunks: Iterator[bytes], host: str) -> bytes:
        """The first bytes, once they are a GGUF file's."""
        read = b""
        for chunk in chunks:
            read += chunk
            if len(read) >= len(_MAGIC):
                break
        if not read.startswith(_MAGIC):
            raise self._web_page(host)
        return read

    def _expect_space(self, needed: int) -> None:
        free = self.free_bytes(self.target.parent)
        if needed + _SPARE_BYTES > free:
            # Rounded so that what is needed is never shown as what is free.
            room, there = math.ceil((needed + _SPARE_BYTES) / 1e8) / 10, math.floor(free / 1e8) / 10
            raise ModelError(
                tr(
                    "{name}: needs {room:.1f} GB of free space on the disk; {there:.1f} GB are free. "
                    "Free some space or choose another folder."
                ).format(name=self.wanted.name, room=room, there=there)
            )

    def _check(self, request: httpx2.Request) -> None:
        """Before the request and before each redirect."""
        if request.url.scheme != "https" and not is_this_machine(request.url.host):
            raise ModelError(
                tr("{name}: the connection to {host} would not be encrypted. Nothing was downloaded.").format(
                    name=self.wanted.name, host=request.url.host
                )
            )

    def _host(self) -> str:
        return httpx2.URL(self.wanted.url).host

    def _remedy(
        self,
        own: str = tr("Compare its SHA-256 with the one on the publisher's page"),
        of_the_list: str = tr("Its publisher may have replaced it: look for a newer version of this program"),
    ) -> str:
        return of_the_list if self.wanted.page else own

    def _web_page(self, host: str) -> ModelError:
        said = tr(
            "{host} sent something else instead of the file, perhaps a page to sign in at. Open your browser and sign "
            "in to the network"
        )
        return self._error(said, host=host)

    def _error(self, said: str, **named: object) -> ModelError:
        """``named``: what stands in ``said`` beside, or in the place of, host, later and remedy."""
        page = self.wanted.page
        elsewhere = tr(", or get it from {page} in a browser").format(page=page) if page else ""
        usual = {"host": self._host(), "later": _TRY_LATER, "remedy": self._remedy()}
        return ModelError(f"{self.wanted.name}: {said.format_map(usual | named)}{elsewhere}.")
