"""The `noteeval` commands: arguments in, files and a short table out, exit codes as documented."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn, TextIO

from noteeval_desktop import __version__, batch, documents, isolation, paths, secrets
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.rubric import Rubric, rubric_from_json
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.engines import models
from noteeval_desktop.errors import Cancelled, InputError, JudgeError, NoteEvalError
from noteeval_desktop.evaluate import Finished, Progress, evaluate
from noteeval_desktop.judges.protocol import Exchange, Judge
from noteeval_desktop.report.content import scorecard
from noteeval_desktop.report.csv_layout import write_csv
from noteeval_desktop.report.files import dump_json, writable, write_json
from noteeval_desktop.report.json_layout import evaluation_to_json, response_to_json
from noteeval_desktop.report.terminal import ProgressBar, evaluation_table, response_table, table

DONE, JUDGE_FAILED, BAD_INPUT, CANCELLED = 0, 1, 2, 130
_MOST_JOBS = 64
_MOST_RESPONSE_BYTES = 200_000

JudgeMaker = Callable[[argparse.Namespace, Rubric, ExitStack], Judge]


@dataclass
class Run:
    """What a command works with."""

    options: argparse.Namespace
    make_judge: JudgeMaker
    out: TextIO
    err: TextIO
    closing: ExitStack
    cancel: threading.Event = field(default_factory=threading.Event)

    def judge(self) -> Judge:
        return self.make_judge(self.options, load_rubric(), self.closing)

    def say(self, message: str) -> None:
        print(f"noteeval: {message}", file=self.err)


def load_rubric() -> Rubric:
    """The rubric that ships with the program."""
    return rubric_from_json(json.loads((paths.resources() / "rubrics" / "tn-eval.json").read_text("utf-8")))


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
        return making.local_judge(Path(options.model), rubric, closing)
    if not (options.base_url and options.model):
        raise InputError("--judge remote", "needs an address and a model", "Add --base-url URL --model NAME.")
    if not options.consent:
        raise InputError(
            "--judge remote",
            "sends the session and the note to the address given, and only with consent",
            "Add --consent if you may send them there.",
        )
    return making.remote_judge(options.base_url, options.model, _key(options.base_url), rubric, closing)


def main(argv: Sequence[str] | None = None, make_judge: JudgeMaker = make_judge) -> int:
    """Run a command; returns the exit code: 0 done, 1 the judge failed, 2 bad usage or input, 130 cancelled."""
    isolation.serve_if_child()
    try:
        options = _parser().parse_args(argv)
    except SystemExit as stop:
        return int(stop.code or DONE)
    with ExitStack() as closing:
        run = Run(options, make_judge, sys.stdout, sys.stderr, closing)
        with _interrupts(run.cancel):
            return _guarded(run)


def _key(base_url: str) -> str:
    """From NOTEEVAL_API_KEY, or the keychain's entry for the address; empty for a server that asks for none."""
    key = os.environ.get("NOTEEVAL_API_KEY")
    if key is not None:
        return key
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
        code: int = run.options.command(run)
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
        return DONE
    except Exception as error:
        # The message may hold clinical text, so only the kind and the place are told.
        place = traceback.extract_tb(error.__traceback__)[-1]
        run.say(
            f"internal error ({type(error).__name__} in {Path(place.filename).name}, line {place.lineno}). "
            "Please report it with this line."
        )
        return JUDGE_FAILED
    return code


def _evaluate(run: Run) -> int:
    options = run.options
    outputs = _outputs(options)
    case = Case(
        documents.read_transcript(options.transcript, options.session),
        documents.read_note(options.note),
        options.label or "",
    )
    for warning in case.warnings:
        run.say(f"note: {warning}")
    end = _judged(run, case)
    rubric = load_rubric()
    data = evaluation_to_json(end.evaluation, text=not options.no_text)
    if "json" in outputs:
        _deliver(run, options.json, data)
    if "csv" in outputs:
        write_csv(end.evaluation, options.csv, text=not options.no_text)
    if "pdf" in outputs:
        from noteeval_desktop.report.pdf import write_pdf

        write_pdf(end.evaluation, options.pdf, rubric=rubric)
    if str(options.json) != "-":
        print(evaluation_table(scorecard(end.evaluation, rubric)), file=run.out)
    if end.cancelled:
        run.say("cancelled; what was judged until then is in the files, marked incomplete.")
        return CANCELLED
    for problem in end.evaluation.problems:
        run.say(f"the judge failed: {problem}")
    return DONE if end.evaluation.complete else JUDGE_FAILED


def _judged(run: Run, case: Case) -> Finished:
    bar = ProgressBar(run.err)
    for event in evaluate(case, run.judge(), cancel=run.cancel):
        match event:
            case Progress():
                bar.show(event.question.value.capitalize(), event.done, event.total, event.seconds_left)
            case Finished():
                bar.clear()
                return event
    raise AssertionError("an evaluation ends with Finished")


def _outputs(options: argparse.Namespace) -> set[str]:
    """The outputs asked for, checked before anything is judged: distinct, writable, not one of the inputs."""
    taken = {path.expanduser().resolve(): "an input" for path in (options.transcript, options.note)}
    asked = {kind: getattr(options, kind) for kind in ("json", "pdf", "csv") if getattr(options, kind) is not None}
    for kind, path in asked.items():
        if str(path) == "-":
            if kind != "json":
                raise InputError(f"--{kind}", "cannot go to standard output", "Name a file.")
            continue
        target = writable(path)
        if target in taken:
            raise InputError(path.name, f"is already {taken[target]}", f"Give --{kind} a file of its own.")
        taken[target] = f"the file for --{kind}"
    return set(asked)


def _deliver(run: Run, target: Path, data: Any) -> None:
    if str(target) == "-":
        run.out.write(dump_json(data))
    else:
        write_json(target, data)


def _batch(run: Run) -> int:
    options = run.options
    pairs = batch.read_pairs(options.pairs)
    try:
        options.out_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            options.out_dir.name, f"cannot be used ({error.strerror})", "Choose another folder."
        ) from error
    if options.aggregate:
        writable(options.aggregate)
    plan = batch.Plan(
        options.out_dir, options.jobs, options.resume, not options.no_text, load_rubric() if options.pdf else None
    )
    bar, ended = ProgressBar(run.err), []
    bar.show("Cases", 0, len(pairs))

    def report(outcome: batch.Outcome) -> None:
        ended.append(outcome)
        if outcome.problem:
            bar.clear()
            run.say(f"{outcome.pair.id}: {outcome.problem}")
        bar.show("Cases", len(ended), len(pairs))

    outcomes = batch.run(pairs, run.judge, plan, run.cancel, report)
    bar.clear()
    if options.aggregate:
        write_json(options.aggregate, batch.aggregate(outcomes))
    counts = dict(batch.counts(outcomes))
    print(table([[status.capitalize(), str(number)] for status, number in counts.items()]), file=run.out)
    if run.cancel.is_set():
        return CANCELLED
    return JUDGE_FAILED if "incomplete" in counts else BAD_INPUT if "failed" in counts else DONE


def _score_response(run: Run) -> int:
    options = run.options
    if str(options.context) == str(options.response) == "-":
        raise InputError("standard input", "cannot be both the context and the response", "Give one of them as a file.")
    if options.json is not None and str(options.json) != "-":
        writable(options.json)
    exchange = Exchange(_context(_plain_text(options.context)), _plain_text(options.response))
    verdict = next(iter(run.judge().respond((exchange,), run.cancel)), None)
    if verdict is None:
        raise JudgeError("it gave no answer.")
    if options.json is not None:
        _deliver(run, options.json, response_to_json(verdict, text=not options.no_text))
    if str(options.json) != "-":
        print(response_table(verdict), file=run.out)
    return DONE


def _plain_text(path: Path) -> str:
    name = "standard input" if str(path) == "-" else path.name
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(_MOST_RESPONSE_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(_MOST_RESPONSE_BYTES + 1)
        text = normalise(data.decode("utf-8-sig")).strip()
    except UnicodeDecodeError as error:
        raise InputError(name, "is not text in UTF-8", "Save it as plain text in UTF-8.") from error
    except OSError as error:
        raise InputError(name, f"cannot be read ({error.strerror})", "Check the path.") from error
    if len(data) > _MOST_RESPONSE_BYTES:
        raise InputError(name, "is longer than a response and its context can be", "Give the last few turns only.")
    if not text:
        raise InputError(name, "holds no text", "Give what was said.")
    return text


def _context(text: str) -> tuple[Turn, ...]:
    """The turns of a dialogue with speaker prefixes; text without any is what the client said."""
    if documents.looks_like_transcript(text):
        return documents.parse_transcript(text).turns
    return (Turn(0, "Client", Role.CLIENT, text),)


def _models_list(run: Run) -> int:
    print(table(_model_rows(models.list_models())), file=run.out)
    return DONE


def _models_check(run: Run) -> int:
    found = models.check_models()
    print(table(_model_rows(found)), file=run.out)
    damaged = [model for model in found if model.remedy and model.state in (models.State.MISSING, models.State.DAMAGED)]
    for model in damaged:
        run.say(f"{model.name}: {model.state}. {model.remedy}")
    return JUDGE_FAILED if damaged else DONE


def _models_build(run: Run) -> int:
    bar = ProgressBar(run.err)
    path = models.build_encoder(lambda what, share: bar.show(what, round(100 * share), 100), run.cancel)
    bar.clear()
    print(f"The encoder is ready: {path.name}", file=run.out)
    return DONE


def _model_rows(found: Sequence[models.ModelStatus]) -> list[list[str]]:
    rows = [["Model", "Kind", "State", "Size", "Licence"]]
    for model in found:
        size = f"{model.bytes / 1e6:.0f} MB" if model.bytes else "–"
        rows.append([model.name, model.kind, model.state.value, size, model.licence or "–"])
    return rows


def _benchmark(run: Run) -> int:
    options = run.options
    if not options.data.is_file():
        raise InputError(options.data.name, "there is no such file", "Give the benchmark's data with --data FILE.")
    result, text = _BENCHMARKS[options.name](run)
    if options.json is not None:
        _deliver(run, options.json, result)
    if str(options.json) != "-":
        print(text, file=run.out)
    return DONE


def _mts_dialog(run: Run) -> tuple[dict[str, Any], str]:
    from noteeval_desktop.measures import mts_dialog

    result = mts_dialog.run(run.options.data)
    return result, mts_dialog.as_table(result)


_BENCHMARKS: dict[str, Callable[[Run], tuple[dict[str, Any], str]]] = {"mts-dialog": _mts_dialog}


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
    command.add_argument("--csv", type=Path, metavar="OUT")
    _add_common(command, _evaluate)

    command = commands.add_parser("batch", help="judge many notes")
    command.add_argument("--pairs", type=Path, required=True, metavar="PAIRS.csv")
    command.add_argument("--out-dir", type=Path, required=True, metavar="DIR")
    command.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="how many at a time")
    command.add_argument("--resume", action="store_true", help="leave out what this judge finished before")
    command.add_argument("--aggregate", type=Path, metavar="OUT.json", help="means, recurring misses, distributions")
    command.add_argument("--pdf", action="store_true", help="write a scorecard beside each JSON file")
    _add_common(command, _batch, json_out=False)

    command = commands.add_parser("score-response", help="score one response to a client")
    command.add_argument("--context", type=Path, required=True, metavar="C", help="what came before; - for stdin")
    command.add_argument("--response", type=Path, required=True, metavar="R", help="the response; - for stdin")
    _add_common(command, _score_response)

    command = commands.add_parser("benchmark", help="measure a judge against published data")
    command.add_argument("name", choices=sorted(_BENCHMARKS), metavar="NAME", help=", ".join(sorted(_BENCHMARKS)))
    command.add_argument("--data", type=Path, required=True, metavar="FILE")
    _add_common(command, _benchmark)

    _add_models(commands)
    return parser


def _add_models(commands: Any) -> None:
    inner = commands.add_parser("models", help="the models on this computer").add_subparsers(
        required=True, metavar="list|build|check", parser_class=_OneLineParser
    )
    inner.add_parser("list", help="what is here and what can be had").set_defaults(command=_models_list)
    inner.add_parser("build", help="fetch and convert the sentence encoder").set_defaults(command=_models_build)
    inner.add_parser("check", help="compare what is here with the manifest").set_defaults(command=_models_check)


def _add_common(command: argparse.ArgumentParser, function: Callable[[Run], int], *, json_out: bool = True) -> None:
    command.set_defaults(command=function)
    command.add_argument("--judge", choices=("builtin", "local", "remote"), default="builtin")
    command.add_argument("--model", metavar="FILE.gguf|NAME", help="of the local or the remote judge")
    command.add_argument("--base-url", metavar="URL", help="the remote judge's address")
    command.add_argument("--consent", action="store_true", help="the session may be sent to that address")
    command.add_argument("--no-text", action="store_true", help="leave texts and quotes out of JSON and CSV")
    if json_out:
        command.add_argument("--json", type=Path, metavar="OUT", help="- for standard output")


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= _MOST_JOBS:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {_MOST_JOBS}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
