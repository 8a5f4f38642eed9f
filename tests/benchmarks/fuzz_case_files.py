"""Case files mutated at random, sealed and unsealed: each is taken in or refused with an error of the store.

    python tests/benchmarks/fuzz_case_files.py --minutes 10 [--seed N]

Mutates the sealed file's bytes, its head (with a checksum that fits), the packed case, and the values of the case's
JSON. Most payloads are opened in this process, for speed; one in ``_ISOLATED`` goes through the child. What is taken
in has to be readable afterwards. Prints the counts, and ends with 1 at the first finding.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
import tempfile
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.domain.review import ClaimMark, Comment, Dimension, Rating, Review, ReviewKind, Signature
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.store import case_file
from noteeval_desktop.store import case_file_reading as child
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.sealing import Cost, checksum, seal_with_passphrase
from tests.sample_evaluation import sample_evaluation

_CHEAP, _WORDS = Cost(memory_kib=64, passes=1, lanes=1), "three quiet rivers"
_ISOLATED = 200
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 5, 2**31, 2**63, -(2**63), 10**14, 10**16, 0.5, -0.0, 1e14, 1e308, 5e-324),
    *("", " ", "x" * 10_000, "\ud83d", "\udc00", "\x00", "🙂", "é" * 99, "\u202e", "s1", "supported", "approved"),
    *("draft", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00+00:00", "9999-12-31T23:59:59+00:00"),
    *("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "nan", "f" * 32, [], {}, [[]], [None], [{}]),
    *(float("nan"), float("inf")),
)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--seed", type=int, default=1)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return _Fuzz(Path(folder), random.Random(asked.seed)).run(asked.minutes * 60)


class _Fuzz:
    def __init__(self, folder: Path, chance: random.Random) -> None:
        self._path, self._chance = folder / "case", chance
        self._library = Library.create(folder / "library", _WORDS, cost=_CHEAP)[0]
        case_id = _whole_case(self._library)
        self._library.export_case(case_id, self._path, _WORDS, _CHEAP)
        self._good = self._path.read_bytes()
        self._library.cases.remove(case_id)
        self._plain = to_plain(case_file.read_case(self._path, _WORDS, datetime.now(UTC)))
        self._counts: Counter[str] = Counter()

    def run(self, seconds: float) -> int:
        ends, tried = time.monotonic() + seconds, 0
        kinds: tuple[Callable[[], bytes], ...] = (self._bytes, self._head, *[self._packed] * 2, *[self._case] * 12)
        while time.monotonic() < ends:
            tried += 1
            state = self._chance.getstate()
            kind = self._chance.choice(kinds)
            try:
                content = kind()
                self._path.write_bytes(content)
                isolated = kind == self._bytes or kind == self._head or not tried % _ISOLATED
                self._counts[f"{kind.__name__[1:]}: {self._taken_in(isolated)}"] += 1
            except Exception:
                traceback.print_exc()
                Path("fuzz-finding.noteeval-case").write_bytes(content)
                print(f"try {tried}, {kind.__name__}; passphrase “{_WORDS}”; random state {hash(state)}")
                return 1
        for name, count in sorted(self._counts.items()):
            print(f"{count:8,} {name}")
        print(f"{tried:,} files, no finding")
        return 0

    def _taken_in(self, isolated: bool) -> str:
        run = case_file.run_isolated  # type: ignore[attr-defined]
        if not isolated:
            case_file.run_isolated = lambda function, *args, **_: function(*args)  # type: ignore[attr-defined]
        try:
            imported = self._library.import_case(self._path, _WORDS)
        except NoteEvalError as error:
            return type(error).__name__
        finally:
            case_file.run_isolated = run  # type: ignore[attr-defined]
        opened = self._library.cases.open(imported.id)
        json.dumps(to_plain(opened.transcript), ensure_ascii=False).encode()
        self._library.cases.find()
        self._library.export_case(imported.id, self._path, _WORDS, _CHEAP)
        case_file.read_case(self._path, _WORDS, datetime.now(UTC)) if isolated else None
        if self._chance.random() < 0.3:
            self._library.cases.remove(imported.id)
        return "taken in"

    # What is mutated

    def _bytes(self) -> bytes:
        return self._mangled(self._good)

    def _head(self) -> bytes:
        magic, line, box = self._good.split(b"\n", 2)
        head = json.loads(line)
        for _ in range(self._chance.randint(1, 3)):
            self._change(head)
        head.pop("checksum", None)
        try:
            head["checksum"] = checksum(json.dumps(head, sort_keys=True).encode() + box)
        except (TypeError, ValueError):
            head = {}
        return magic + b"\n" + json.dumps(head).encode() + b"\n" + box

    def _packed(self) -> bytes:
        text = json.dumps(self._plain).encode()
        either = self._chance.random() < 0.5
        return _sealed(self._mangled(zlib.compress(text)) if either else zlib.compress(self._mangled(text)))

    def _case(self) -> bytes:
        plain = copy.deepcopy(self._plain)
        for _ in range(self._chance.choice((1, 1, 1, 2, 5))):
            self._change(plain)
        return _sealed(zlib.compress(json.dumps(plain).encode(), 1))

    def _mangled(self, content: bytes) -> bytes:
        data, chance = bytearray(content), self._chance
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(data) + 1)
            act = chance.randrange(4)
            if act == 0 and place < len(data):
                data[place] ^= 1 << chance.randrange(8)
            elif act == 1:
                data[place:place] = chance.randbytes(chance.randint(1, 8))
            elif act == 2:
                del data[place : place + chance.randint(1, 50)]
            else:
                data[place:place] = data[: chance.randint(0, 200)]
        return bytes(data)

    def _change(self, plain: Any) -> None:
        """Somewhere within: a value put in, taken out, doubled, swapped or wrapped."""
        chance, place = self._chance, plain
        while True:
            inner = [value for value in _members(place) if isinstance(value, dict | list) and value]
            if not inner or chance.random() < 0.25:
                break
            place = chance.choice(inner)
        keys: list[Any] = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key, act = chance.choice(keys), chance.randrange(6)
        if act <= 2:
            value = place[key]
            near = isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.5
            place[key] = value + chance.choice((-1, 1)) if near else copy.deepcopy(chance.choice(_VALUES))
        elif act == 3:
            del place[key]
        elif act == 4 and isinstance(place, list):
            place.insert(key, copy.deepcopy(place[key]))
        else:
            place[key] = [place[key]]


def _members(place: Any) -> list[Any]:
    return list(place.values()) if isinstance(place, dict) else place if isinstance(place, list) else []


def _sealed(packed: bytes) -> bytes:
    return case_file._written(seal_with_passphrase(packed, _WORDS, child.FORMAT, _CHEAP))


def _whole_case(library: Library) -> str:
    """With something of everything."""
    evaluation = sample_evaluation()
    case_id = library.cases.add(evaluation.case)
    library.cases.save_evaluation(case_id, evaluation)
    note, now = evaluation.case.note, datetime.now(UTC)
    review = Review("r" * 32, ReviewKind.SUPERVISION, "Kim 🙂", note.sha256, now, submitted=now, acceptance=3)
    marks = (ClaimMark(note.sentences[0].id, Verdict.SUPPORTED, (0,)),)
    comments = (Comment(Span(0, 4), note.text[:4], "why?"),)
    ratings, signature = (Rating(Dimension.COMPLETENESS, 4),), Signature("Kim", "LMFT", now)
    review = replace(review, claims=marks, comments=comments, ratings=ratings, signature=signature)
    library.cases.save_review(case_id, review)
    return case_id


if __name__ == "__main__":
    sys.exit(main())
