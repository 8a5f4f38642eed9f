"""Case files whose reviews somebody else has touched: python -m tests.benchmarks.forge_reviews [FILES].

Each is written by whoever has the file's passphrase, and signed anew with a key of their own.
"""

from __future__ import annotations

import random
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.review import Review, ReviewKind, Signature
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.store import case_file, case_file_reading
from noteeval_desktop.store.errors import StoreError
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Bundle, Labels, Origin
from noteeval_desktop.store.sealing import Cost, seal_with_passphrase
from noteeval_desktop.store.signing import Signer
from noteeval_desktop.store.supervision import KnownSigner, Rater
from tests.factories import make_case

CHEAP = Cost(memory_kib=64, passes=1, lanes=1)
WORDS, FILES = "for the test alone", 40
Forge = Callable[[dict[str, Any], random.Random], object]


def _one(plain: dict[str, Any]) -> dict[str, Any]:
    return plain["reviews"][0]


def _turn(plain: dict[str, Any], chance: random.Random) -> None:
    turn = chance.choice(plain["transcripts"][-1]["transcript"]["turns"])
    turn["text"] = f"{turn['text']} Not."


def _speaker(plain: dict[str, Any], chance: random.Random) -> None:
    turn = chance.choice(plain["transcripts"][-1]["transcript"]["turns"])
    turn["role"] = {"client": "therapist", "therapist": "client"}.get(turn["role"], "client")


def _marks(plain: dict[str, Any], chance: random.Random) -> None:
    _one(plain)["review"]["acceptance"] = chance.choice([1, 2, 3])


def _note(plain: dict[str, Any], chance: random.Random) -> None:
    _one(plain)["review"]["note_sha256"] = chance.randbytes(32).hex()


def _case(plain: dict[str, Any], chance: random.Random) -> None:
    plain["id"] = chance.randbytes(16).hex()


def _name(plain: dict[str, Any], chance: random.Random) -> None:
    _one(plain)["review"]["rater"] = chance.choice(["Dr Lee", "Kim", "Somebody"])


def _seal(plain: dict[str, Any], chance: random.Random) -> None:
    kind, session, rubric, signature = _one(plain)["seal"].split(":")
    place = chance.randrange(len(signature))
    other = chance.choice([digit for digit in "0123456789abcdef" if digit != signature[place]])
    _one(plain)["seal"] = f"{kind}:{session}:{rubric}:{signature[:place]}{other}{signature[place + 1 :]}"


def _small_order(plain: dict[str, Any], chance: random.Random) -> None:
    _one(plain)["signer"] = "01" + "00" * 31
    kind, session, rubric, _ = _one(plain)["seal"].split(":")
    _one(plain)["seal"] = f"{kind}:{session}:{rubric}:01" + "00" * 63


def _old_form(plain: dict[str, Any], chance: random.Random) -> None:
    """The new signature as if it were of the form that left the session out, with another session."""
    _one(plain)["seal"] = _one(plain)["seal"].split(":")[3]
    _turn(plain, chance)


def _when(plain: dict[str, Any], chance: random.Random) -> None:
    _one(plain)["changed"] = f"2026-0{chance.randrange(1, 9)}-01T00:00:00+00:00"


FORGES: tuple[Forge, ...] = (_turn, _speaker, _marks, _note, _case, _name, _seal, _small_order, _old_form, _when)


def main() -> None:
    chance, files = random.Random(), int(sys.argv[1]) if len(sys.argv) > 1 else FILES
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "one.noteeval-case"
        quinn, _ = Library.create(Path(folder) / "quinn", WORDS, cost=CHEAP)
        quinn.supervision.set_rater(Rater("Dr Quinn"))
        for number in range(files):
            case = make_case(label=f"case {number}")
            case_id = quinn.cases.add(case, Labels(f"case {number}"))
            signature = Signature("Dr Quinn", "PhD", datetime.now(UTC))
            now = datetime.now(UTC)
            kind, sha256 = ReviewKind.SUPERVISION, case.note.sha256
            review = Review(
                id=chance.randbytes(16).hex(),
                kind=kind,
                rater="Dr Quinn",
                note_sha256=sha256,
                started=now,
                acceptance=5,
                submitted=now,
                signature=signature,
            )
            quinn.cases.save_review(case_id, review)
            quinn.export_case(case_id, path, WORDS, CHEAP)
            plain = to_plain(case_file.read_case(path, WORDS, datetime.now(UTC)))
            forge = FORGES[number % len(FORGES)]
            forge(plain, chance)
            _write(plain, path)
            reader, _ = Library.create(Path(folder) / f"reader {number}", WORDS, cost=CHEAP)
            reader.supervision.remember_signer(KnownSigner(quinn.supervision.public_key(), "Dr Quinn"))
            try:
                imported = reader.import_case(path, WORDS)
                arrived = imported.arrived[0]
                assert arrived.provenance.origin in (Origin.UNSIGNED, Origin.MISMATCH), forge.__name__
                counted = imported.status is CaseStatus.APPROVED and arrived.provenance.origin is not Origin.UNSIGNED
                assert not counted, forge.__name__
                found[f"{forge.__name__[1:]}: {arrived.provenance.origin}"] += 1
            except StoreError as error:
                found[f"{forge.__name__[1:]}: {type(error).__name__}"] += 1
            reader.lock()
        quinn.lock()
    print(dict(found))


def _write(plain: dict[str, Any], path: Path) -> None:
    """As the forger's own program does."""
    text = case_file._signed(from_plain(Bundle, plain), Signer(b"f" * 32))
    sealed = seal_with_passphrase(zlib.compress(text), WORDS, case_file_reading.FORMAT, CHEAP)
    path.write_bytes(case_file._written(sealed))


if __name__ == "__main__":
    main()
