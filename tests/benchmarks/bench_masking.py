"""How much of a note the masks hide that names nobody, and how much they send that does: counts, no words.

    python tests/benchmarks/bench_masking.py [--show open] models/training/identifiers

``open`` was read while rules were written, ``held_out`` by nobody who wrote them; --show prints the words of ``open``.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path

from noteeval_desktop.paths import resources
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.lexicon import load_lexicon


def counted(text: str, identifiers: list[str], finder: IdentifierFinder) -> tuple[list[str], list[str], int]:
    """The words masked that name nobody, the identifiers of which a letter or digit is sent, and how many words."""
    covered = {at for one in finder.learn([text]).find(text) for at in range(one.span.start, one.span.end)}
    places = [
        range(found.start(), found.end())
        for one in (marked.removesuffix("'s") for marked in identifiers)
        for found in re.finditer(rf"(?<!\w){re.escape(one)}(?!\w)", text)
    ]
    naming = {at for place in places for at in place}
    words = list(re.finditer(r"\S+", text))
    hidden = [word.group() for word in words if {*range(*word.span())} & covered - naming & _solid(text)]
    sent = [text[p.start : p.stop] for p in places if any(text[at].isalnum() and at not in covered for at in p)]
    return hidden, sent, len(words)


def _solid(text: str) -> set[int]:
    return {at for at, letter in enumerate(text) if letter.isalnum()}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--show", choices=["open"])
    given = asked.parse_args()
    finder = IdentifierFinder(load_lexicon(resources() / "lexicons"))
    for part in ("open", "held_out"):
        totals: dict[str, Counter[str]] = {}
        for path in sorted((given.folder / part).glob("*.jsonl")):
            for line in map(json.loads, path.read_text("utf-8").splitlines()):
                hidden, sent, words = counted(line["text"], line["identifiers"], finder)
                for kind in (line["kind"], "all"):
                    totals.setdefault(kind, Counter()).update(
                        texts=1, hidden=len(hidden), sent=len(sent), words=words, named=len(line["identifiers"])
                    )
                if given.show == part and hidden + sent:
                    print("hidden", hidden, "sent", sent)
        for kind, n in sorted(totals.items()):
            print(
                f"{part:9} {kind:9} {n['texts']:3} texts {n['words']:6} words {n['named']:4} identifiers: "
                f"{1000 * n['hidden'] / n['words']:5.1f} hidden of 1,000 words that name nobody, "
                f"{100 * n['sent'] / max(1, n['named']):5.1f} % sent"
            )


if __name__ == "__main__":
    main()
