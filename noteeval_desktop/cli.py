"""The `noteeval` commands: arguments in, files and a short table out, exit codes as documented."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from noteeval_desktop import __version__, isolation
from noteeval_desktop.commands.passwords import CASE_PASSPHRASE, PDF_PASSWORD
from noteeval_desktop.commands.run import BAD_INPUT, CANCELLED, DONE, JUDGE_FAILED, JudgeMaker, Run
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.errors import Cancelled, InputError, JudgeError, NoteEvalError
from noteeval_desktop.judges.protocol import Judge

if TYPE_CHECKING:
    from noteeval_desktop.judges.llm.cache import AnswerCache

_MOST_JOBS = 64
_BENCHMARKS = ("annomi", "composed", "degrade", "mts-dialog", "omissions", "tn-eval")


def make_judge(options: argparse.Namespace, rubric: Rubric, closing: ExitStack) -> Judge:
    """The judge that the options name. Raises InputError for options that do not fit, JudgeError, ModelError."""
    # Here, not above: `--help` and a mistyped path need neither llama.cpp nor a client.
    from noteeval_desktop.judges import making

    if options.judge == "builtin":
        return making.builtin_judge(rubric, closing)
    if options.judge == "local":
        if not options.model:
            raise InputError("--judge local", "needs a model file", "Add --model FILE.gguf.")
        if not Path(options.model).is_file():
            raise InputError(Path(options.model).name, "there is no such model file", "Check the path after --model.")
        layers = making.ALL_LAYERS if options.gpu else 0
        cache = _cache(options, closing)
        return making.local_judge(Path(options.model), rubric, closing, cache=cache, gpu_layers=layers)
    if not (options.base_url and options.model):
        raise InputError("--judge remote", "needs an address and a model", "Add --base-url URL --model NAME.")
    if not options.consent:
        raise InputError(
            "--judge remote",
            "sends the session and the note to the address given, and only with consent",
            "Add --consent if you may send them there.",
        )
    key = _key(options.base_url)
    cache, fence = _cache(options, closing), getattr(options, "fence", None)
    judge = making.remote_judge(options.base_url, options.model, key, rubric, closing, cache=cache, fence=fence)
    if options.library:
        from noteeval_desktop.commands.answers import log_sending

        log_sending(options, closing, judge)
    return judge


def _cache(options: argparse.Namespace, closing: ExitStack) -> AnswerCache:
    from noteeval_desktop import secrets
    from noteeval_desktop.commands.answers import answers_of_run

    return answers_of_run(options, closing, secrets.Keychain)


def main(argv: Sequence[str] | None = None, make_judge: JudgeMaker = make_judge) -> int:
    """Run a command; returns the exit code: 0 done, 1 the judge failed, 2 bad usage or input, 130 cancelled."""
    isolation.serve_if_child()
    try:
        options = _parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or DONE)
    with ExitStack() as closing:
        out, err = _usable(sys.stdout, closing), _usable(sys.stderr, closing)
        run = Run(options, make_judge, out, err, closing)
        with _interrupts(run.cancel):
            return _guarded(run)


def _usable(stream: TextIO | None, closing: ExitStack) -> TextIO:
    """One that takes any text: a console of few characters shows ``?`` for others, a closed one takes all."""
    if stream is None:
        return closing.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
    if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
        stream.reconfigure(errors="replace")
    return stream


def _key(base_url: str) -> str:
    """From NOTEEVAL_API_KEY, or the keychain's entry for the address; empty for a server that asks for none."""
    key = os.environ.get("NOTEEVAL_API_KEY")
    if key is not None:
        return key
    from noteeval_desktop import secrets

    try:
        return secrets.Keychain().read(base_url) or ""
    except secrets.SecretsError:
        return ""


@contextmanager
def _interrupts(cancel: threading.Event) -> Iterator[None]:
    """The first Ctrl+C asks to stop, so that what was judged is kept; the second stops at once."""

    def ask_to_stop(_number: int, _frame: object) -> None:
        cancel.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, ask_to_stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _guarded(run: Run) -> int:
    """The command's exit code; every error in one line, without a traceback."""
    try:
        code = _command(run.options.command)(run)
        run.out.flush()
    except InputError as error:
        run.say(str(error))
        return BAD_INPUT
    except JudgeError as error:
        run.say(f"the judge failed: {error}")
        return JUDGE_FAILED
    except (Cancelled, KeyboardInterrupt):
        run.say("cancelled.")
        return CANCELLED
    except NoteEvalError as error:
        run.say(str(error))
        return BAD_INPUT
    except BrokenPipeError:
        _drop(run.out)
        return DONE
    except OSError as error:
        _drop(run.out)
        what = Path(error.filename).name if isinstance(error.filename, str) else "A file or standard output"
        run.say(f"{what}: cannot be used ({error.strerror}). Make room or choose another place, and run it again.")
        return BAD_INPUT
    except Exception as error:
        # The message may hold clinical text, so only the kind and the place are told.
        place = traceback.extract_tb(error.__traceback__)[-1]
        run.say(
            f"internal error ({type(error).__name__} in {Path(place.filename).name}, line {place.lineno}). "
            "Please report it with this line."
        )
        return JUDGE_FAILED
    return code


def _command(name: str) -> Callable[[Run], int]:
    """``module.function`` of ``commands``, imported when it is asked for.

    All of them together take over a second: `--help` and a mistyped option would, and Ctrl+C meanwhile would end in
    a traceback.
    """
    module, function = name.split(".")
    found: Callable[[Run], int] = getattr(importlib.import_module(f"noteeval_desktop.commands.{module}"), function)
    return found


def _drop(stream: TextIO) -> None:
    """What could not be written is not tried again when the interpreter ends, with a traceback."""
    with suppress(io.UnsupportedOperation):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


class _OneLineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"noteeval: {message}. Run `{self.prog} --help` to see how it is used.\n")


def _parser() -> argparse.ArgumentParser:
    parser = _OneLineParser("noteeval", description="Reviews therapy notes against the session they document.")
    parser.add_argument("--version", action="version", version=f"noteeval {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_OneLineParser)

    command = commands.add_parser("evaluate", help="judge one note against its session")
    command.add_argument("--transcript", type=Path, required=True, metavar="T")
    command.add_argument("--note", type=Path, required=True, metavar="N")
    command.add_argument("--session", metavar="ID", help="which session of a file that holds several")
    command.add_argument("--label", metavar="TEXT", help="what the scorecard calls the case")
    command.add_argument("--pdf", type=Path, metavar="OUT")
    command.add_argument("--paper", choices=("a4", "letter"), default="a4", help="of the PDF (a4)")
    command.add_argument(
        "--encrypt-pdf", action="store_true", help=f"with the password in {PDF_PASSWORD}, or asked for"
    )
    command.add_argument("--csv", type=Path, metavar="OUT")
    command.add_argument(
        "--likert", action="store_true", help="also ask a language model for marks from 1 to 5, and for acceptance"
    )
    _add_common(command, "judging.evaluate")

    command = commands.add_parser("batch", help="judge many notes")
    command.add_argument("--pairs", type=Path, required=True, metavar="PAIRS.csv")
    command.add_argument("--out-dir", type=Path, required=True, metavar="DIR")
    command.add_argument("--jobs", type=_counted(_MOST_JOBS), default=1, metavar="N", help="how many at a time")
    command.add_argument("--resume", action="store_true", help="leave out what this judge finished before")
    command.add_argument("--aggregate", type=Path, metavar="OUT.json", help="means, recurring misses, distributions")
    command.add_argument("--pdf", action="store_true", help="write a scorecard beside each JSON file")
    command.add_argument(
        "--provider-batch",
        action="store_true",
        help="ask the remote judge through its provider's batch API: at most vendors half the price, within a day; "
        "what it answers in a form of no use is asked once more directly",
    )
    _add_common(command, "judging.batch", json_out=False)

    command = commands.add_parser("score-response", help="score one response to a client")
    command.add_argument("--context", type=Path, metavar="C", help="what came before; - for stdin")
    command.add_argument("--response", type=Path, metavar="R", help="the response; - for stdin")
    command.add_argument(
        "--set", type=Path, metavar="SET", help="instead: a CSV or JSON file of many, with context and response"
    )
    _add_common(command, "scoring.score_response")

    command = commands.add_parser("benchmark", help="measure a judge against published data")
    command.add_argument("name", choices=_BENCHMARKS, metavar="NAME", help=", ".join(_BENCHMARKS))
    command.add_argument("--data", type=Path, required=True, metavar="FILE")
    command.add_argument(
        "--cross-validate",
        action="store_true",
        help="with built-in heads trained anew, each judging only what it has not seen (degrade, omissions, tn-eval)",
    )
    _add_common(command, "benchmarks.benchmark")

    command = commands.add_parser("degrade", help="put known errors into a note, to test a judge with")
    command.set_defaults(command="benchmarks.degrade")
    command.add_argument("--note", type=Path, required=True, metavar="N")
    command.add_argument("--out", type=Path, required=True, metavar="OUT")
    command.add_argument("--changes", type=_counted(1000), default=5, metavar="K", help="how many errors (5)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="another seed, other errors (0)")
    command.add_argument("--json", type=Path, metavar="OUT", help="what was changed; - for standard output")

    command = commands.add_parser("agreement", help="how far raters, and judges, agree")
    command.add_argument("--data", type=Path, required=True, metavar="FILE")
    command.add_argument("--json", type=Path, metavar="OUT", help="- for standard output")
    command.set_defaults(command="agreeing.agreement")

    _add_verify(commands)
    _add_models(commands)
    return parser


def _add_verify(commands: Any) -> None:
    command = commands.add_parser("verify", help="whether a scorecard is unaltered, and of this case")
    command.add_argument("scorecard", type=Path, metavar="SCORECARD.pdf", help=f"its password: {PDF_PASSWORD}")
    command.add_argument("--transcript", type=Path, metavar="T")
    command.add_argument("--note", type=Path, metavar="N")
    command.add_argument("--session", metavar="ID", help="which session of a file that holds several")
    command.add_argument(
        "--case", type=Path, metavar="FILE", help=f"an evaluation as JSON, or an encrypted case ({CASE_PASSPHRASE})"
    )
    command.add_argument("--json", type=Path, metavar="OUT", help="- for standard output")
    command.set_defaults(command="verifying.verify")


def _add_models(commands: Any) -> None:
    inner = commands.add_parser("models", help="the models on this computer").add_subparsers(
        required=True, metavar="list|build|check|download", parser_class=_OneLineParser
    )
    inner.add_parser("list", help="what is here and what can be had").set_defaults(command="models.models_list")
    inner.add_parser("build", help="fetch and convert the sentence encoder").set_defaults(command="models.models_build")
    inner.add_parser("check", help="compare what is here with the manifest").set_defaults(command="models.models_check")
    command = inner.add_parser("download", help="fetch a chat model, checked against its SHA-256")
    command.set_defaults(command="models.models_download")
    command.add_argument("name", nargs="?", metavar="NAME", help="one of `noteeval models list`")
    command.add_argument("--url", default="", metavar="URL", help="the file's address, from the publisher's page")
    command.add_argument("--sha256", default="", metavar="HEX", help="the file's SHA-256, from the same page")
    command.add_argument("--folder", type=Path, metavar="DIR", help="where to keep it (the app's folder of models)")


def _add_common(command: argparse.ArgumentParser, function: str, *, json_out: bool = True) -> None:
    command.set_defaults(command=function)
    command.add_argument("--judge", choices=("builtin", "local", "remote"), default="builtin")
    command.add_argument("--model", metavar="FILE.gguf|NAME", help="of the local or the remote judge")
    command.add_argument("--gpu", action="store_true", help="the local judge computes with the graphics processor")
    command.add_argument("--base-url", metavar="URL", help="the remote judge's address")
    command.add_argument("--consent", action="store_true", help="the session may be sent to that address")
    command.add_argument("--no-cache", action="store_true", help="ask a language model again what it answered before")
    command.add_argument(
        "--library",
        action="store_true",
        help="keep its answers in the encrypted library and use those there; opened with NOTEEVAL_PASSPHRASE, the "
        "keychain or a passphrase asked for. Without it they last as long as the command",
    )
    command.add_argument("--no-text", action="store_true", help="leave texts and quotes out of JSON and CSV")
    if json_out:
        command.add_argument("--json", type=Path, metavar="OUT", help="- for standard output")


def _counted(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {most}")
        return int(text)

    return number


if __name__ == "__main__":
    sys.exit(main())
