"""The sealed authors' sessions: packed so that nobody reads them by chance, opened by one command that writes it down.

    python -m models.training.corpus.sealed seal AUTHOR
    python -m models.training.corpus.sealed open FOLDER --why "…"

They are opened three times at most before a new set is written; OPENED.md holds when, and why.
"""

from __future__ import annotations

import argparse
import base64
import datetime
import shutil
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent
SEALED, RECORD = HERE / "sealed", HERE / "OPENED.md"
_BETWEEN = "\n=== "


def seal(author: str) -> Path:
    """Move an author's sessions out of the readable folder into one packed file."""
    folder = HERE / "sessions" / author
    SEALED.mkdir(exist_ok=True)
    target = pack(sorted(folder.glob("*.txt")), SEALED / f"{author}.packed")
    shutil.rmtree(folder)
    return target


def pack(files: Sequence[Path], target: Path) -> Path:
    text = "".join(f"{_BETWEEN}{path.name}\n{path.read_text(encoding='utf-8')}" for path in files)
    target.write_bytes(base64.encodebytes(zlib.compress(text.encode("utf-8"), 9)))
    return target


def unseal(folder: Path, why: str, sealed: Path | None = None) -> int:
    """Write every file sealed in ``sealed`` (left out: the sessions) below ``folder``, a folder an author, and record
    it. How many files there are."""
    count = 0
    for packed in sorted((sealed or SEALED).glob("*.packed")):
        text = zlib.decompress(base64.decodebytes(packed.read_bytes())).decode("utf-8")
        for part in text.split(_BETWEEN)[1:]:
            name, _, session = part.partition("\n")
            target = folder / packed.stem / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(session, encoding="utf-8")
            count += 1
    if not RECORD.is_file():
        RECORD.write_text("# When the sealed sessions were opened\n\n| day | why |\n| --- | --- |\n", encoding="utf-8")
    with RECORD.open("a", encoding="utf-8") as record:
        record.write(f"| {datetime.date.today().isoformat()} | {why} |\n")
    return count


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="sealed", description="The sealed authors' sessions.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("seal").add_argument("author")
    opening = commands.add_parser("open")
    opening.add_argument("folder", type=Path)
    opening.add_argument("--why", required=True)
    asked = parser.parse_args(arguments)
    if asked.command == "seal":
        print(f"{seal(asked.author).name} holds the sessions; the readable ones are gone")
    else:
        print(f"{unseal(asked.folder, asked.why)} sessions opened; {RECORD.name} says so")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
