"""The `noteeval` commands: arguments in, files and a short table out, exit codes as documented."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from noteeval_desktop.child import serve_if_child
from noteeval_desktop.commands.arguments import parser
from noteeval_desktop.commands.run import BAD_INPUT, CANCELLED, DONE, JUDGE_FAILED, Run
from noteeval_desktop.errors import Cancelled, InputError, JudgeError, NoteEvalError, unexpected
from noteeval_desktop.platform.heap import keep_heap_compact
from noteeval_desktop.platform.limits import forbid_core_dumps

if TYPE_CHECKING:
    from noteeval_desktop.commands.run import JudgeMaker
    from noteeval_desktop.domain.rubric import Rubric
    from noteeval_desktop.engines.remote.chat import Price
    from noteeval_desktop.engines.remote.pace import Pace
    from noteeval_desktop.judges.llm.cache import AnswerCache
    from noteeval_desktop.judges.protocol import Judge
    from noteeval_desktop.store.keyed_file import SecretStore


def judge_asked_for(options: argparse.Namespace, rubric: Rubric, closing: ExitStack) -> Judge:
    """The judge that the options name. Raises InputError for options that do not fit, JudgeError, ModelError."""
    # Here, not above: `--help` and a mistyped path need neither llama.cpp nor a client.
    from noteeval_desktop.judges import making

    quick_first, price = getattr(options, "quick_first", False), getattr(options, "price", None)
    _check_fit(options, quick_first)
    if options.judge == "builtin":
        return making.builtin_judge(rubric, closing, getattr(options, "threads", None))
    if options.judge == "local":
        if not options.model:
            raise InputError("--judge local", "needs a model file", "Add --model FILE.gguf.")
        if not Path(options.model).is_file():
            raise InputError(Path(options.model).name, "there is no such model file", "Check the path after --model.")
        layers = making.ALL_LAYERS if options.gpu else 0
        # Those measure a model, whatever it is worth.
        if not options.command.startswith(("research.benchmarks.", "research.degrading.")):
            from noteeval_desktop.commands.models import let_in

            let_in(Path(options.model), layers)
        cache = _cache(options, closing)
        embedder = making.encoder(closing)
        local = making.local_judge(Path(options.model), rubric, embedder, closing, cache=cache, gpu_layers=layers)
        local.asks_private = getattr(options, "leave_out", False)
        if not quick_first:
            return local
        return making.full_check(
            local, Path(options.model), rubric, embedder, minutes=getattr(options, "minutes", None)
        )
    if not (options.base_url and options.model):
        raise InputError("--judge remote", "needs an address and a model", "Add --base-url URL --model NAME.")
    if not options.consent and getattr(options, "preview", None) is None:
        raise InputError(
            "--judge remote",
            "sends the session and the note to the address given, and only with consent",
            "Add --consent if you may send them there.",
        )
    key = _key(options.base_url)
    cache, fence = _cache(options, closing), getattr(options, "fence", None)
    embedder = making.encoder(closing)
    judge = making.remote_judge(
        *(options.base_url, options.model, key, rubric, embedder, closing),
        cache=cache,
        fence=fence,
        price=_price(price),
        jobs=getattr(options, "concurrency", None) or making.AT_ONCE,
        pace=_pace(options),
        unencrypted=options.allow_unencrypted,
    )
    judge.llm.asks_private = getattr(options, "leave_out", False)
    if quick_first:
        judge = making.remote_full_check(judge, rubric, embedder)
    if options.library:
        from noteeval_desktop.commands.answers import log_sending

        log_sending(options, closing, judge)
    return judge


def _check_fit(options: argparse.Namespace, quick_first: bool) -> None:
    """Raises InputError for options that say nothing with this judge."""
    if quick_first and options.judge == "builtin":
        raise InputError("--quick-first", "needs a language model", "Add --judge local or --judge remote.")
    if quick_first and getattr(options, "provider_batch", False):
        raise InputError(
            "--provider-batch", "sends all questions at once", "Leave out --quick-first, or --provider-batch."
        )
    if getattr(options, "leave_out", False) and options.judge == "builtin":
        raise InputError("--leave-out", "needs a language model", "Add --judge local or --judge remote.")
    if getattr(options, "minutes", None) is not None and not (quick_first and options.judge == "local"):
        raise InputError(
            "--minutes", "limits the full check on this computer", "Add --judge local --quick-first, or leave it out."
        )
    # A study asks several judges, one after the other.
    asked = getattr(options, "asked", {options.judge})
    for name in ("base_url", "price", "rpm", "tpm", "concurrency"):
        if getattr(options, name, None) is not None and "remote" not in asked:
            raise InputError(
                f"--{name.replace('_', '-')}",
                "works with a remote judge only",
                "Add --judge remote, or leave it out.",
            )
    if options.model is not None and asked.isdisjoint(("local", "remote")):
        raise InputError("--model", "names a language model", "Add --judge local or --judge remote, or leave it out.")


def _pace(options: argparse.Namespace) -> Pace:
    """One for all workers of a run: together they keep to the address' limits."""
    from noteeval_desktop.engines.remote.pace import Pace

    if not hasattr(options, "pace"):
        options.pace = Pace(getattr(options, "rpm", None), getattr(options, "tpm", None))
    pace: Pace = options.pace
    return pace


def _price(price: Sequence[float] | None) -> Price | None:
    from noteeval_desktop.engines.remote.chat import Price

    return None if price is None else Price(*price)


def _cache(options: argparse.Namespace, closing: ExitStack) -> AnswerCache:
    from noteeval_desktop.commands.answers import answers_of_run

    return answers_of_run(options, closing, _keychain)


def _keychain() -> SecretStore:
    from noteeval_desktop import secrets

    return secrets.Keychain()


def main(argv: Sequence[str] | None = None, make_judge: JudgeMaker = judge_asked_for) -> int:
    """Run a command; returns the exit code: 0 done, 1 the judge failed, 2 bad usage or input, 130 cancelled."""
    serve_if_child()
    forbid_core_dumps()
    keep_heap_compact()
    try:
        options = parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or DONE)
    with ExitStack() as closing:
        out, err = _usable(sys.stdout, closing), _usable(sys.stderr, closing)
        if vars(options).get("quiet"):
            err = _Unwatched(err)
        run = Run(options, make_judge, out, err, closing, keychain=_keychain, key=_key)
        run.anywhere = make_judge is judge_asked_for
        with _interrupts(run.cancel):
            return _guarded(run)


class _Unwatched(io.StringIO):
    """What is written goes on to ``stream``; no bar is drawn, as where nobody looks on."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream

    def write(self, text: str, /) -> int:
        return self._stream.write(text)

    def flush(self) -> None:
        self._stream.flush()


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
        key = key.strip()
        if not key.isascii() or any(not character.isprintable() or character == " " for character in key):
            raise InputError("NOTEEVAL_API_KEY", "contains characters that a key cannot have", "Copy it again.")
        return key
    from noteeval_desktop import secrets

    try:
        return _keychain().read(base_url) or ""
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
    # One line that may be passed on: a traceback could quote the note.
    except Exception as error:
        run.say(unexpected(error))
        return JUDGE_FAILED
    return code


def _command(name: str) -> Callable[[Run], int]:
    """``module.function`` of ``commands``, or ``research.module.function``, imported when it is asked for.

    All of them together take over a second: `--help` and a mistyped option would, and Ctrl+C meanwhile would end in
    a traceback.
    """
    module, _, function = name.rpartition(".")
    room = "noteeval_desktop" if module.startswith("research.") else "noteeval_desktop.commands"
    found: Callable[[Run], int] = getattr(importlib.import_module(f"{room}.{module}"), function)
    return found


def _drop(stream: TextIO) -> None:
    """What could not be written is not tried again when the interpreter ends, with a traceback."""
    with suppress(io.UnsupportedOperation):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


if __name__ == "__main__":
    sys.exit(main())
