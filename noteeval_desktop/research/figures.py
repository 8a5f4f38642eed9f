"""Do the figures that the documents quote still come out? ``python -m noteeval_desktop.research.figures --check``.

Each ``Quoted`` names a document, a stretch of it with ``{path|format}`` in place of each figure, and the command whose
JSON has them: keys of the path stand between slashes (``mean``: of a list), formats are Python's (``.2f``, ``.0%``: in
hundredths, without the sign). A command runs once, whatever quotes it, over the public data in one folder.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from statistics import fmean
from typing import Any

from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.research.figures_quoted import COMMANDS, ELSEWHERE, QUOTED, Command, Quoted

ROOT = Path(__file__).parents[2]
_PLACE = re.compile(r"\{([^{}|]+)\|([^{}]+)\}")
_NUMBER = r"([−-]?(?:\d[\d,]*)?\.?\d+|–)"


@dataclass(frozen=True, slots=True)
class Stale:
    """What stands at ``start`` of the document is ``old`` and should be ``new``; ``new`` is "" where the stretch is
    gone from it."""

    quoted: Quoted
    start: int
    old: str
    new: str


def compare(text: str, quoted: Quoted, result: Any, tolerance: int = 0) -> list[Stale]:
    """What is stale of a stretch of ``text``. ``tolerance``: units of a figure's last place by which it may differ.
    Raises KeyError where ``result`` lacks a path."""
    found = re.search(pattern(quoted.text), text)
    if found is None:
        return [Stale(quoted, 0, quoted.text, "")]
    stale = []
    for number, place in enumerate(_PLACE.finditer(quoted.text), 1):
        old, new = found.group(number), _shown(_at(result, place[1]), place[2])
        if old.lstrip("−-").startswith(".") and new != "–":
            new = new.replace("0.", ".", 1)
        if old != new and _apart(old, new, place[2]) > tolerance:
            stale.append(Stale(quoted, found.start(number), old, new))
    return stale


def pattern(text: str) -> str:
    """A regular expression of a quoted stretch, with a group for each figure."""
    literal = [re.escape(part).replace("…", r"[^\n]*?") for part in _PLACE.split(text)[::3]]
    return _NUMBER.join(re.sub(r"(?:\\?\s)+", r"\\s+", part) for part in literal)


def _at(result: Any, path: str) -> Any:
    def inside(own: Any, key: str) -> Any:
        return own[key] if isinstance(own, dict) else fmean(own) if key == "mean" else own[int(key)]

    return reduce(inside, path.split("/"), result)


def _shown(value: float | None, form: str) -> str:
    if value is None:
        return "–"
    shown = format(value, form).rstrip("%").replace("-", "−")
    return shown.lstrip("−") if not shown.strip("−0.,") else shown


def _apart(old: str, new: str, form: str) -> float:
    """In units of the last place."""
    places = re.search(r"\.(\d+)", form)
    try:
        one, other = (float(own.replace("−", "-").replace(",", "")) for own in (old, new))
    except ValueError:
        return float("inf")
    return round(abs(one - other) * 10.0 ** int(places[1] if places else 0), 6)


def produce(command: Command, data: Path, results: Path) -> Any:
    """What the command writes as JSON; what stands in ``results`` already is not made again. Raises RuntimeError where
    it fails."""
    target = results / f"{command.name}.json"
    if not target.is_file():
        arguments = [part.format(data=data, root=ROOT, results=results) for part in command.arguments.split()]
        run = [sys.executable, "-m", "noteeval_desktop.cli", *arguments, "--json", str(target)]
        code = subprocess.run(run, stdout=subprocess.DEVNULL, check=False).returncode
        if code:
            raise RuntimeError(f"noteeval {command.arguments} ended with {code}")
    return from_json(target.read_text("utf-8"))


def check(names: Sequence[str], data: Path, results: Path, *, write: bool) -> Iterator[str]:
    """A line for each stale figure: document, line, command, old and new; ``write`` puts the new ones in. What quotes
    other commands than ``names`` is left out."""
    for document in dict.fromkeys(quoted.document for quoted in QUOTED):
        path = ROOT / document
        text = path.read_text("utf-8")
        stale: list[Stale] = []
        for quoted in QUOTED:
            if quoted.document == document and quoted.command in names:
                command = COMMANDS[quoted.command]
                stale += compare(text, quoted, produce(command, data, results), command.tolerance)
        for one in sorted(stale, key=lambda own: own.start):
            command = COMMANDS[one.quoted.command]
            if one.new:
                line = text.count("\n", 0, one.start) + 1
                yield f"{document}:{line}: {one.old} is now {one.new} (noteeval {command.arguments})"
            else:
                yield f"{document}: this stands there no more: {one.old!r} (noteeval {command.arguments})"
        if write:
            for one in sorted(stale, key=lambda own: -own.start):
                if one.new:
                    text = text[: one.start] + one.new + text[one.start + len(one.old) :]
            path.write_text(text, "utf-8")


def main(argv: Sequence[str] | None = None) -> int:
    """0 where nothing is stale, 1 where something is, 2 for options that do not fit and where a command fails."""
    parser = argparse.ArgumentParser(prog="python -m noteeval_desktop.research.figures", description=__doc__)
    parser.add_argument("--check", action="store_true", help="run the commands, and say which figures are stale")
    parser.add_argument("--write", action="store_true", help="the same, and put the new figures into the documents")
    parser.add_argument("--only", metavar="NAMES", help="only these commands, separated by commas, or: quick")
    parser.add_argument("--data", type=Path, default=Path("data"), help="the folder of the public data (data)")
    parser.add_argument("--results", type=Path, help="keep the commands' JSON here, and use what stands there")
    options = parser.parse_args(argv)
    quick = [name for name, command in COMMANDS.items() if command.minutes <= 2]
    names = list(COMMANDS) if options.only is None else quick if options.only == "quick" else options.only.split(",")
    unknown = [name for name in names if name not in COMMANDS]
    if unknown:
        parser.error(f"there is no command {unknown[0]}; there are {', '.join(COMMANDS)}")
    if not (options.check or options.write):
        for name, command in COMMANDS.items():
            print(f"{name:16} about {command.minutes:g} min  noteeval {command.arguments}")
        print("\n".join(("Checked by hand:", *(f"- {told}" for told in ELSEWHERE))))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        results = options.results or Path(folder)
        results.mkdir(parents=True, exist_ok=True)
        stale = 0
        try:
            for told in check(names, options.data, results, write=options.write):
                stale += 1
                print(told)
        except RuntimeError as error:
            print(f"{error}; its own message says why.", file=sys.stderr)
            return 2
    figures = sum(len(_PLACE.findall(quoted.text)) for quoted in QUOTED if quoted.command in names)
    print(f"{figures} figures of {len(names)} commands: {stale} stale.", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
