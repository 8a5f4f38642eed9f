"""Says what is wrong in an author's file of exchanges, and how many of each kind it holds: ``check.py FILE``."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from models.training.exchanges.reading import DANGERS, FormError, read


def main(path: Path) -> int:
    try:
        found = read(path)
    except FormError as error:
        print(error)
        return 1
    dangers = [one for one in found if not one.look_alike]
    print(f"{len(found)} exchanges: {len(dangers)} on danger, {len(found) - len(dangers)} look-alikes")
    print("meaning and form:", dict(Counter(f"{one.meaning} {one.form}" for one in dangers)))
    print("dangers:", {kind: Counter(one.kind for one in dangers)[kind] for kind in DANGERS})
    said = Counter(" ".join(text for _, text in one.turns).lower() for one in found)
    twice = [text for text, count in said.items() if count > 1]
    print(f"{len(twice)} written twice" if twice else "none written twice")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
