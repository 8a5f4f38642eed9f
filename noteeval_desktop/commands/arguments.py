"""What each command takes. No command is imported here: `--help` and a mistyped option answer at once."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from noteeval_desktop import __version__
from noteeval_desktop.commands.passwords import CASE_PASSPHRASE, PDF_PASSWORD
from noteeval_desktop.commands.run import BAD_INPUT

_MOST_JOBS = 64
_BENCHMARKS = (
    "annomi",
    "checklist",
    "composed",
    "degrade",
    "mts-dialog",
    "need",
    "omissions",
    "risk",
    "tn-eval",
    "tn-eval-metrics",
    "true-notes",
)


class _OneLineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"noteeval: {message}. Run `{self.prog} --help` to see how it is used.\n")


def parser() -> argparse.ArgumentParser:
    """Of all commands; ``command`` names the function of this package that runs it, as ``module.function``."""
    made = _OneLineParser("noteeval", description="Reviews therapy notes against the session they document.")
    made.add_argument("--version", action="version", version=f"noteeval {__version__}")
    commands = made.add_subparsers(required=True, metavar="COMMAND", parser_class=_OneLineParser)
    for add in (
        _add_evaluate,
        _add_batch,
        _add_aggregate,
        _add_score_response,
        _add_benchmark,
        _add_degrade,
        _add_degrade_study,
        _add_metrics,
        _add_facts,
        _add_agreement,
        _add_verify,
        _add_models,
        _add_self_test,
    ):
        add(commands)
    return made


def _add_evaluate(commands: Any) -> None:
    command = commands.add_parser("evaluate", help="check one note against its session")
    command.add_argument("--transcript", type=Path, required=True, metavar="T")
    command.add_argument("--note", type=Path, required=True, metavar="N")
    command.add_argument("--session", metavar="ID", help="which session to use, in a file with several")
    command.add_argument("--label", metavar="TEXT", help="name of the case on the scorecard")
    command.add_argument("--pdf", type=Path, metavar="OUT")
    command.add_argument("--paper", choices=("a4", "letter"), default="a4", help="paper size of the PDF (a4)")
    command.add_argument(
        "--appendix", action="store_true", help="add an appendix with everything else to the two pages of the PDF"
    )
    command.add_argument("--responses", action="store_true", help="add the therapist's responses to the PDF")
    command.add_argument(
        "--encrypt-pdf",
        action="store_true",
        help=f"encrypt the PDF; the password comes from {PDF_PASSWORD} or is asked for",
    )
    command.add_argument("--csv", type=Path, metavar="OUT")
    command.add_argument(
        "--likert",
        action="store_true",
        help="also ask the language model for ratings from 1 to 5 and whether it would accept the note",
    )
    _add_common(command, "judging.evaluate")


def _add_batch(commands: Any) -> None:
    command = commands.add_parser("batch", help="check many notes")
    command.add_argument("--pairs", type=Path, required=True, metavar="PAIRS.csv")
    command.add_argument("--out-dir", type=Path, required=True, metavar="DIR")
    command.add_argument(
        "--jobs",
        type=_counted(_MOST_JOBS),
        metavar="N",
        help="how many notes to check at a time, each on a processor core of its own (built-in judge: as many as this "
        "computer has cores, 8 at most; other judges: 1)",
    )
    command.add_argument(
        "--shard",
        type=_shard,
        default=(1, 1),
        metavar="I/N",
        help="check only part I of N, with all notes of a session in the same part; to share a list among computers",
    )
    command.add_argument(
        "--scheduler",
        nargs="?",
        const="embedded",
        metavar="ADDRESS",
        help="have the notes checked by the workers of this Dask scheduler, which read and write the same folders; "
        "without ADDRESS, or with `embedded`, by workers on this computer; skips finished notes; needs the extra "
        "`cluster`",
    )
    command.add_argument("--resume", action="store_true", help="skip what this judge has already finished")
    command.add_argument(
        "--aggregate", type=Path, metavar="OUT.json", help="write averages, recurring gaps and distributions"
    )
    command.add_argument("--pdf", action="store_true", help="write a scorecard beside each JSON file")
    command.add_argument(
        "--provider-batch",
        action="store_true",
        help="ask the remote judge through its provider's batch API: usually half the price, within a day; "
        "answers that cannot be used are requested again directly",
    )
    _add_common(command, "batching.batch", json_out=False)


def _add_aggregate(commands: Any) -> None:
    command = commands.add_parser("aggregate", help="sum up the results of batches")
    command.set_defaults(command="batching.aggregate")
    command.add_argument(
        "folders", type=Path, nargs="+", metavar="DIR", help="where `noteeval batch` wrote its results"
    )
    command.add_argument("--json", type=Path, metavar="OUT", help="where to write the JSON; - for standard output")
    command.add_argument(
        "--parquet",
        type=Path,
        metavar="OUT",
        help="write tables for analysts: a row per note in OUT, a row per finding beside it in OUT-findings; needs the "
        "extra `analyst`",
    )
    command.add_argument("--html", type=Path, metavar="OUT", help="the overview as one page for a browser")
    command.add_argument("--pdf", type=Path, metavar="OUT", help="the overview on two pages")
    command.add_argument("--xlsx", type=Path, metavar="OUT", help="the overview and a row per note, as a workbook")


def _add_score_response(commands: Any) -> None:
    command = commands.add_parser("score-response", help="score a therapist's response to a client")
    command.add_argument("--context", type=Path, metavar="C", help="what was said before; - for standard input")
    command.add_argument("--response", type=Path, metavar="R", help="the response; - for standard input")
    command.add_argument(
        "--set", type=Path, metavar="SET", help="a CSV or JSON file of many responses, with context and response"
    )
    _add_common(command, "scoring.score_response")


def _add_benchmark(commands: Any) -> None:
    command = commands.add_parser("benchmark", help="measure a judge against published data")
    command.add_argument("name", choices=_BENCHMARKS, metavar="NAME", help=", ".join(_BENCHMARKS))
    command.add_argument("--data", type=Path, required=True, metavar="FILE")
    command.add_argument(
        "--cross-validate",
        action="store_true",
        help="retrain the built-in judge so that it only judges what it has not seen (degrade, tn-eval)",
    )
    command.add_argument(
        "--chart", type=Path, metavar="OUT.svg", help="draw the correlations (mts-dialog, tn-eval-metrics)"
    )
    _add_common(command, "benchmarks.benchmark")


def _add_degrade(commands: Any) -> None:
    command = commands.add_parser("degrade", help="put known errors into a note to test a judge")
    command.set_defaults(command="benchmarks.degrade")
    command.add_argument("--note", type=Path, required=True, metavar="N")
    command.add_argument("--out", type=Path, required=True, metavar="OUT")
    command.add_argument("--changes", type=_counted(1000), default=5, metavar="K", help="how many errors to add (5)")
    command.add_argument("--seed", type=int, default=0, metavar="S", help="random seed (0)")
    command.add_argument("--json", type=Path, metavar="OUT", help="list what was changed; - for standard output")


def _add_degrade_study(commands: Any) -> None:
    command = commands.add_parser(
        "degrade-study", help="make notes worse step by step, and see which judges and metrics notice"
    )
    _add_common(command, "degrading.degrade_study", judge=False)
    command.add_argument(
        "--judge",
        action="append",
        choices=("builtin", "local", "remote", "none"),
        help="may be given twice: the built-in judge (the default) and one language model; or none",
    )
    command.add_argument("--data", type=Path, required=True, metavar="FILE", help="TN-Eval's or ACI-Bench's notes")
    command.add_argument(
        "--metrics",
        default="cheap",
        metavar="LIST",
        help="cheap (the default), claims, all, none, or names as `noteeval metrics` has them, with commas between",
    )
    command.add_argument(
        "--degrader",
        choices=("rules", "local", "remote"),
        default="rules",
        help="what makes the notes worse: rules (the default), or the language model named",
    )
    command.add_argument("--seeds", type=_counted(20), default=3, metavar="N", help="degraded notes of each kind (3)")
    command.add_argument("--limit", type=_counted(100_000), metavar="N", help="only the first N notes")
    command.add_argument(
        "--out", type=Path, metavar="DIR", help="save tables and charts here, and go on from what is there already"
    )


def _add_metrics(commands: Any) -> None:
    command = commands.add_parser("metrics", help="compare a note with a reference note: ROUGE, BERTScore and others")
    _add_compared(command)
    _add_common(command, "comparing.metrics")


def _add_facts(commands: Any) -> None:
    command = commands.add_parser(
        "facts", help="count the facts that a note gets right, gets wrong, adds or leaves out"
    )
    _add_compared(command)
    command.add_argument(
        "--annotations",
        type=Path,
        metavar="TABLE",
        help="facts counted by people: a CSV file with note,section,correct,incorrect,hallucinated,omitted,reference",
    )
    _add_common(command, "comparing.facts")


def _add_compared(command: argparse.ArgumentParser) -> None:
    command.add_argument("--note", type=Path, metavar="N")
    command.add_argument("--reference", type=Path, metavar="R", help="another note of the same session")
    command.add_argument("--transcript", type=Path, metavar="T", help="the session itself")
    command.add_argument("--session", metavar="ID", help="which session to use, in a file with several")
    command.add_argument(
        "--pairs", type=Path, metavar="PAIRS.csv", help="many notes at once: a CSV file with transcript,note,reference"
    )


def _add_agreement(commands: Any) -> None:
    command = commands.add_parser("agreement", help="how well raters and judges agree")
    command.add_argument("--data", type=Path, required=True, metavar="FILE")
    command.add_argument("--json", type=Path, metavar="OUT", help="where to write the JSON; - for standard output")
    command.set_defaults(command="agreeing.agreement")


def _add_verify(commands: Any) -> None:
    command = commands.add_parser("verify", help="check that a scorecard is unchanged and belongs to this case")
    command.add_argument(
        "scorecard", type=Path, metavar="SCORECARD.pdf", help=f"the scorecard; its password comes from {PDF_PASSWORD}"
    )
    command.add_argument("--transcript", type=Path, metavar="T")
    command.add_argument("--note", type=Path, metavar="N")
    command.add_argument("--session", metavar="ID", help="which session to use, in a file with several")
    command.add_argument(
        "--case", type=Path, metavar="FILE", help=f"an evaluation as JSON, or an encrypted case ({CASE_PASSPHRASE})"
    )
    command.add_argument("--json", type=Path, metavar="OUT", help="where to write the JSON; - for standard output")
    command.set_defaults(command="verifying.verify")


def _add_models(commands: Any) -> None:
    inner = commands.add_parser("models", help="manage the models on this computer").add_subparsers(
        required=True, metavar="list|build|check|download|test", parser_class=_OneLineParser
    )
    inner.add_parser("list", help="list what is installed and what can be downloaded").set_defaults(
        command="models.models_list"
    )
    inner.add_parser("build", help="download and convert the sentence encoder").set_defaults(
        command="models.models_build"
    )
    inner.add_parser("check", help="verify the installed models").set_defaults(command="models.models_check")
    command = inner.add_parser("test", help="test a chat model and measure its speed on this computer")
    command.set_defaults(command="testing.models_test")
    command.add_argument("model", type=Path, metavar="FILE.gguf")
    command.add_argument("--gpu", action="store_true", help="use the graphics processor")
    command = inner.add_parser("download", help="download a chat model and verify its SHA-256")
    command.set_defaults(command="models.models_download")
    command.add_argument("name", nargs="?", metavar="NAME", help="a name from `noteeval models list`")
    command.add_argument("--url", default="", metavar="URL", help="the file's address, from the publisher's page")
    command.add_argument("--sha256", default="", metavar="HEX", help="the file's SHA-256, from the same page")
    command.add_argument("--folder", type=Path, metavar="DIR", help="where to save it (the app's model folder)")


def _add_self_test(commands: Any) -> None:
    command = commands.add_parser("self-test", help="check that NoteEval works on this computer")
    command.set_defaults(command="self_test.self_test")
    command.add_argument("checks", nargs="*", metavar="CHECK", help="only these checks, and what they need (all)")
    command.add_argument("--json", type=Path, metavar="OUT", help="where to write the JSON; - for standard output")


def _add_common(command: argparse.ArgumentParser, function: str, *, json_out: bool = True, judge: bool = True) -> None:
    command.set_defaults(command=function)
    if judge:
        command.add_argument("--judge", choices=("builtin", "local", "remote"), default="builtin")
    command.add_argument("--model", metavar="FILE.gguf|NAME", help="model of the local or remote judge")
    command.add_argument("--gpu", action="store_true", help="let the local judge use the graphics processor")
    command.add_argument("--base-url", metavar="URL", help="address of the remote judge")
    if function in ("judging.evaluate", "batching.batch"):
        command.add_argument(
            "--quick-first",
            action="store_true",
            help="check with the built-in judge first and ask the model only what is in doubt; the JSON contains both "
            "answers",
        )
    command.add_argument(
        "--price",
        type=_price,
        metavar="IN,OUT[,CACHED]",
        help="price of the remote judge per million tokens: input, output, cached input",
    )
    if function not in ("benchmarks.benchmark", "degrading.degrade_study"):  # published data
        command.add_argument("--preview", type=Path, metavar="FILE", help="write what would be sent, and send nothing")
    command.add_argument("--consent", action="store_true", help="allow the session to be sent to that address")
    command.add_argument(
        "--allow-unencrypted",
        action="store_true",
        help="also to an http address in your own network, where everybody can read what is sent",
    )
    command.add_argument("--no-cache", action="store_true", help="ignore earlier answers of a language model")
    command.add_argument(
        "--library",
        action="store_true",
        help="keep answers of a language model in the encrypted library and reuse them; it opens with "
        "NOTEEVAL_PASSPHRASE, the keychain, or a passphrase that is asked for",
    )
    command.add_argument("--no-text", action="store_true", help="leave all text and quotes out of JSON and CSV")
    if json_out:
        command.add_argument("--json", type=Path, metavar="OUT", help="where to write the JSON; - for standard output")


def _price(text: str) -> tuple[float, ...]:
    try:
        prices = tuple(float(part) for part in text.split(","))
    except ValueError:
        prices = ()
    if len(prices) not in (2, 3) or not all(0 <= price < 1e6 for price in prices):
        raise argparse.ArgumentTypeError(f"{text} is no price: give two or three numbers, as in 2.50,10 (per million)")
    return prices


def _counted(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {most}")
        return int(text)

    return number


def _shard(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(f"{text} is no part of a list: write 2/8 for the second of eight parts")
    return int(number), int(of)
