"""Compare two builds of one commit, file by file: python3 installers/compare_builds.py ONE/dist OTHER/dist

Prints each file that differs (content, right to run, target of a link) or is in one only, and ends with 1 where that is
none of EXCEPTIONS.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

# Path in dist/, and why it may differ.
EXCEPTIONS = {
    "*.dist-info/RECORD": "lists the hashes of commands that do not ship and name the folder of the build",
}


def described(folder: Path) -> Iterator[tuple[str, str]]:
    """Each file's path under ``folder`` and what must be the same of it."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield name, f"link to {path.readlink()}"
        elif path.is_file():
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            yield name, f"{digest} {'runs' if os.access(path, os.X_OK) else ''}"


def differences(one: Path, other: Path) -> list[str]:
    first, second = dict(described(one)), dict(described(other))
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    one, other = map(Path, arguments)
    found = differences(one, other)
    bad = 0
    for name in found:
        reason = next((why for pattern, why in EXCEPTIONS.items() if fnmatch(name, pattern)), "")
        bad += not reason
        print(f"{name}: {reason or 'differs'}")
    print(f"{sum(1 for _ in described(one))} files, {len(found)} differ, {bad} of them without a reason that is known.")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
