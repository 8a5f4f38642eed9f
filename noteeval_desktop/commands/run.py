"""What a command works with."""

from __future__ import annotations

import argparse
import io
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import Cancelled, InputError

# What reads and writes files is imported where it is used: `--help` and a mistyped option need none of it.
if TYPE_CHECKING:
    from noteeval_desktop.domain.evaluation import JudgeIdentity
    from noteeval_desktop.domain.rubric import Rubric
    from noteeval_desktop.judges.protocol import Judge
    from noteeval_desktop.store.keys import SecretStore

    JudgeMaker = Callable[[argparse.Namespace, Rubric, ExitStack], Judge]

DONE, JUDGE_FAILED, BAD_INPUT, BELOW, CANCELLED = 0, 1, 2, 3, 130

# The options whose result may be printed instead, with ``-``.
_PRINTED = ("--json", "--csv", "--aggregate")

STANDARD_INPUT = tr("standard input")


@dataclass
class Run:
    """The options, how to make the judge, where to print; ``closing`` ends what the judge has opened. ``anywhere``:
    other processes can make the judges that ``make_judge`` makes. ``keychain`` finds the system's; ``key`` that of an
    address. ``asked``: the judge that was made last."""

    options: argparse.Namespace
    make_judge: JudgeMaker
    out: TextIO
    err: TextIO
    closing: ExitStack
    cancel: threading.Event = field(default_factory=threading.Event)
    anywhere: bool = False
    keychain: Callable[[], SecretStore] | None = None
    key: Callable[[str], str] = lambda _address: ""
    asked: JudgeIdentity | None = None

    def judge(self) -> Judge:
        """Raises Cancelled where the user has had enough before there was anything to judge."""
        if self.cancel.is_set():
            raise Cancelled
        judge = self.make_judge(self.options, self.rubric, self.closing)
        self.asked = judge.identity
        return judge

    @cached_property
    def rubric(self) -> Rubric:
        """What ``--checklist`` names, or what ships. Raises InputError."""
        asked = getattr(self.options, "checklist", None)
        if asked is None:
            return load_rubric()
        from noteeval_desktop import checklists

        found = checklists.asked_for(asked)
        for notice in found.notices:
            self.say(f"{asked}: {notice}")
        return found.rubric

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """The lines that were called the practice's template in the window."""
        from noteeval_desktop import settings

        return tuple(settings.load()[0].silenced)

    def show(self, text: str) -> None:
        """On standard output, where no result goes there, and not with --quiet."""
        given = vars(self.options)
        if not (given.get("quiet") or any(str(given.get(option[2:])) == "-" for option in _PRINTED)):
            print(text, file=self.out)

    def note(self, message: str) -> None:
        """What is good to know, and no error."""
        if not vars(self.options).get("quiet"):
            self.say(f"note: {message}")

    def say(self, message: str) -> None:
        with suppress(OSError):  # nobody can be told that nothing can be told; the exit code still says it
            print(f"noteeval: {message}", file=self.err)


@contextmanager
def interrupted_at_once() -> Iterator[None]:
    """While a person or a pipe is waited for, Ctrl+C ends the command: there is nothing yet that could be kept."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def piped_in(path: Path, most: int) -> bytes | None:
    """What comes on standard input, where ``path`` is ``-``: of at most ``most`` bytes, and one that says that it is
    too long. Raises InputError."""
    if str(path) != "-":
        return None
    from noteeval_desktop.documents import rows

    with interrupted_at_once():
        return rows.piped_in(most + 1)


def check_piped(first: Path, second: Path, problem: str) -> None:
    """Raises InputError, which says ``problem``, where both are to come from standard input."""
    if str(first) == str(second) == "-":
        raise InputError(STANDARD_INPUT, problem, tr("Give one of them as a file."))


def check_scores(run: Run, found: Mapping[str, float | None]) -> int:
    """``BELOW`` where a share is lower than --fail-under asks, or unknown, and says which; else ``DONE``."""
    from noteeval_desktop.present.vocabulary import NOT_CHECKED

    asked: Mapping[str, float] = run.options.fail_under or {}
    below = [name for name, least in asked.items() if (found[name] or 0.0) < least or found[name] is None]
    for name in below:
        share, least = found[name], asked[name]
        known = NOT_CHECKED if share is None else f"{share:.3f}"
        run.say(
            tr("{name} is {share}, and --fail-under asks for {least:g}.").format(name=name, share=known, least=least)
        )
    return BELOW if below else DONE


def load_rubric() -> Rubric:
    """The rubric that ships with the program."""
    from noteeval_desktop import checklists

    return checklists.shipped_rubric()


def check_outputs(
    outputs: Mapping[str, Path | None], inputs: Iterable[Path | None], results: Iterable[Path] = ()
) -> None:
    """To be called before anything is judged: each output, by its option, can be written and is a file of its own.

    ``results`` are what the command writes besides. Raises InputError where an output is an input, another output,
    or cannot be written.
    """
    from noteeval_desktop.report.files import writable

    targets: dict[str, tuple[str, Path]] = {}
    for option, path in outputs.items():
        if path is None:
            continue
        if str(path) == "-" and option not in _PRINTED:
            raise InputError(option, tr("cannot go to standard output"), tr("Name a file."))
        target = "-" if str(path) == "-" else os.path.realpath(writable(path))
        if target in targets:
            raise _taken(path, tr("the file for {option}").format(option=targets[target][0]), option)
        targets[target] = (option, path)
    # One by one: a list may name millions.
    for what, files in ((tr("an input"), inputs), (tr("a result"), results)) if targets else ():
        for file in files:
            if file is not None and (found := targets.get(os.path.realpath(file))):
                raise _taken(found[1], what, found[0])


def writable_folder(folder: Path) -> None:
    """Made where it is not there. Raises InputError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = tr("cannot be used ({reason})").format(reason=error.strerror)
        raise InputError(folder.name, problem, tr("Choose another folder.")) from error


def _taken(path: Path, by: str, option: str) -> InputError:
    return InputError(
        path.name, tr("is already {by}").format(by=by), tr("Give {option} a file of its own.").format(option=option)
    )


def deliver(run: Run, target: Path, data: Any) -> None:
    """To a file, whole or not at all; ``-`` is standard output, escaped where that is not in UTF-8."""
    from noteeval_desktop.report.files import dump_json, write_json

    if str(target) == "-":
        encoding = (run.out.encoding or "utf-8").lower().replace("-", "").replace("_", "")
        run.out.write(dump_json(data, escaped=encoding != "utf8"))
    else:
        write_json(target, data)


def deliver_csv(run: Run, target: Path, text: str) -> None:
    """To a file that spreadsheets read, or to standard output in UTF-8, whatever the console's encoding."""
    from noteeval_desktop.report.files import write_csv

    if str(target) != "-":
        write_csv(target, text)
        return
    if isinstance(run.out, io.TextIOWrapper):
        run.out.reconfigure(encoding="utf-8", newline="")
    run.out.write(text)


def finish(run: Run, data: Any, text: str) -> int:
    """``data`` to the file of --json, where one is wanted, and ``text`` to the screen, where the data are not."""
    if run.options.json is not None:
        deliver(run, run.options.json, data)
    run.show(text)
    return DONE


def deliver_pieces(run: Run, target: Path, pieces: Iterable[str]) -> None:
    """Like ``deliver``, of ASCII that comes piece by piece."""
    from noteeval_desktop.report.files import replacing

    if str(target) == "-":
        run.out.writelines(pieces)
        return
    with replacing(target) as temporary, temporary.open("w", encoding="ascii") as file:
        file.writelines(pieces)
