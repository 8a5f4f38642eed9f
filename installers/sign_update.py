"""Sign the file by which the updates page tells what is new.

    .venv/bin/python installers/sign_update.py new-key KEYFILE       make a key, once; KEYFILE never goes into git
    .venv/bin/python installers/sign_update.py sign KEYFILE CHANGES OUT

CHANGES is JSON: {"product": "NoteEval", "version": "0.2.0", "date": "2027-01-10", "changes": ["…", "…"]}. The first
command prints the public key, which goes into resources/update-key.txt and is what every package trusts from then on.
Keep KEYFILE where only who makes releases can read it, with a copy elsewhere: who has it can sign, and without it no
later file can be read by the packages that are out.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from noteeval_desktop.store.signing import Signer
from noteeval_desktop.updates import Update, signed


def new_key(file: Path) -> str:
    """The public key, hex; the secret goes into ``file``, which must not be there yet. Raises OSError."""
    secret = secrets.token_bytes(32)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as opened:
        opened.write(secret.hex() + "\n")
    return Signer(secret).public


def sign(key: Path, changes: Path, out: Path) -> None:
    """Raises OSError, and ValueError for changes that are not as they should be."""
    signer = Signer(bytes.fromhex(key.read_text("ascii")))
    out.write_text(signed(Update.model_validate_json(changes.read_text("utf-8")), signer), "utf-8")


def main(arguments: list[str]) -> int:
    match arguments:
        case ["new-key", file]:
            print(new_key(Path(file)))
        case ["sign", key, changes, out]:
            sign(Path(key), Path(changes), Path(out))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
