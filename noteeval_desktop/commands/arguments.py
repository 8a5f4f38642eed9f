"""What each command takes. No command is imported here: `--help` and a mistyped option answer at once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

from noteeval_desktop import __version__
from noteeval_desktop.commands import help_words as words
from noteeval_desktop.commands.run import BAD_INPUT
from noteeval_desktop.domain.judge_names import JUDGES

_MOST_JOBS = 64
_BENCHMARKS = (
    "annomi",
    "checklist",
    "composed",
    "degrade",
    "mts-dialog",
    "need",
    "omissions",
    "plans",
    "recorded",
    "risk",
    "risk-exchanges",
    "tn-eval",
    "tn-eval-metrics",
    "true-notes",
)


class _OneLineParser(argparse.ArgumentParser):
    _given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self._given = sys.argv[1:] if args is None else list(args)
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, words.misused(message, self.prog) + words.did_you_mean(*self._nearest()))

    def _nearest(self) -> Iterator[tuple[str, str]]:
        """What was given that is no option, with the option that it is nearest to: a misspelt one that is required is
        told as missing."""
        known = self._options(self._given)
        for given in self._given:
            name = given.partition("=")[0]
            if name.startswith("--") and name != "--" and not any(option.startswith(name) for option in known):
                yield from ((name, near) for near in get_close_matches(name, known, 1, 0.75))

    def _options(self, given: Sequence[str]) -> set[str]:
        own = set(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                chosen = [parser for name, parser in action.choices.items() if name in given]
                own = own.union(*(parser._options(given) for parser in chosen))
        return own


def parser() -> argparse.ArgumentParser:
    """Of all commands; ``command`` names the function of this package that runs it, as ``module.function``."""
    made = _OneLineParser("noteeval", description=words.PROGRAM)
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
    command = commands.add_parser("evaluate", help=words.EVALUATE)
    command.add_argument("--transcript", type=Path, required=True, metavar="T")
    command.add_argument("--note", type=Path, required=True, metavar="N")
    command.add_argument("--session", metavar="ID", help=words.SESSION)
    command.add_argument("--label", metavar="TEXT", help=words.EVALUATE_LABEL)
    command.add_argument("--earlier", type=Path, metavar="DIR", help=words.EVALUATE_EARLIER)
    command.add_argument("--right-session", action="store_true", help=words.EVALUATE_RIGHT_SESSION)
    command.add_argument("--plan", type=Path, metavar="FILE", help=words.EVALUATE_PLAN)
    command.add_argument("--pdf", type=Path, metavar="OUT")
    command.add_argument("--html", type=Path, metavar="OUT", help=words.EVALUATE_HTML)
    command.add_argument("--paper", choices=("a4", "letter"), default="a4", help=words.EVALUATE_PAPER)
    command.add_argument("--appendix", action="store_true", help=words.EVALUATE_APPENDIX)
    command.add_argument("--responses", action="store_true", help=words.EVALUATE_RESPONSES)
    command.add_argument(
        "--encrypt-pdf",
        action="store_true",
        help=words.EVALUATE_ENCRYPT_PDF,
    )
    command.add_argument("--csv", type=Path, metavar="OUT")
    command.add_argument(
        "--likert",
        action="store_true",
        help=words.EVALUATE_LIKERT,
    )
    _add_common(command, "judging.evaluate")


def _add_batch(commands: Any) -> None:
    command = commands.add_parser("batch", help=words.BATCH)
    command.add_argument("--pairs", type=Path, required=True, metavar="PAIRS.csv")
    command.add_argument("--out-dir", type=Path, required=True, metavar="DIR")
    command.add_argument(
        "--jobs",
        type=_counted(_MOST_JOBS),
        metavar="N",
        help=words.BATCH_JOBS,
    )
    command.add_argument(
        "--shard",
        type=_shard,
        default=(1, 1),
        metavar="I/N",
        help=words.BATCH_SHARD,
    )
    command.add_argument(
        "--scheduler",
        nargs="?",
        const="embedded",
        metavar="ADDRESS",
        help=words.BATCH_SCHEDULER,
    )
    command.add_argument("--resume", action="store_true", help=words.BATCH_RESUME)
    command.add_argument("--aggregate", type=Path, metavar="OUT.json", help=words.BATCH_AGGREGATE)
    command.add_argument("--pdf", action="store_true", help=words.BATCH_PDF)
    command.add_argument(
        "--provider-batch",
        action="store_true",
        help=words.BATCH_PROVIDER_BATCH,
    )
    _add_common(command, "batching.batch", json_out=False)


def _add_aggregate(commands: Any) -> None:
    command = commands.add_parser("aggregate", help=words.AGGREGATE)
    command.set_defaults(command="batching.aggregate")
    command.add_argument("folders", type=Path, nargs="+", metavar="DIR", help=words.AGGREGATE_FOLDERS)
    command.add_argument("--json", type=Path, metavar="OUT", help=words.JSON)
    command.add_argument(
        "--parquet",
        type=Path,
        metavar="OUT",
        help=words.AGGREGATE_PARQUET,
    )
    command.add_argument("--html", type=Path, metavar="OUT", help=words.AGGREGATE_HTML)
    command.add_argument("--pdf", type=Path, metavar="OUT", help=words.AGGREGATE_PDF)
    command.add_argument("--xlsx", type=Path, metavar="OUT", help=words.AGGREGATE_XLSX)


def _add_score_response(commands: Any) -> None:
    command = commands.add_parser("score-response", help=words.SCORE_RESPONSE)
    command.add_argument("--context", type=Path, metavar="C", help=words.SCORE_RESPONSE_CONTEXT)
    command.add_argument("--response", type=Path, metavar="R", help=words.SCORE_RESPONSE_RESPONSE)
    command.add_argument("--set", type=Path, metavar="SET", help=words.SCORE_RESPONSE_SET)
    _add_common(command, "scoring.score_response")


def _add_benchmark(commands: Any) -> None:
    command = commands.add_parser("benchmark", help=words.BENCHMARK)
    command.add_argument("name", choices=_BENCHMARKS, metavar="NAME", help=", ".join(_BENCHMARKS))
    command.add_argument("--data", type=Path, required=True, metavar="FILE")
    command.add_argument(
        "--cross-validate",
        action="store_true",
        help=words.BENCHMARK_CROSS_VALIDATE,
    )
    command.add_argument("--chart", type=Path, metavar="OUT.svg", help=words.BENCHMARK_CHART)
    _add_common(command, "research.benchmarks.benchmark")


def _add_degrade(commands: Any) -> None:
    command = commands.add_parser("degrade", help=words.DEGRADE)
    command.set_defaults(command="research.benchmarks.degrade")
    command.add_argument("--note", type=Path, required=True, metavar="N")
    command.add_argument("--out", type=Path, required=True, metavar="OUT")
    command.add_argument("--changes", type=_counted(1000), default=5, metavar="K", help=words.DEGRADE_CHANGES)
    command.add_argument("--seed", type=int, default=0, metavar="S", help=words.DEGRADE_SEED)
    command.add_argument("--json", type=Path, metavar="OUT", help=words.DEGRADE_JSON)


def _add_degrade_study(commands: Any) -> None:
    command = commands.add_parser("degrade-study", help=words.DEGRADE_STUDY)
    _add_common(command, "research.degrading.degrade_study", judge=False)
    command.add_argument(
        "--judge",
        action="append",
        choices=(*JUDGES, "none"),
        help=words.DEGRADE_STUDY_JUDGE,
    )
    command.add_argument("--data", type=Path, required=True, metavar="FILE", help=words.DEGRADE_STUDY_DATA)
    command.add_argument(
        "--metrics",
        default="cheap",
        metavar="LIST",
        help=words.DEGRADE_STUDY_METRICS,
    )
    command.add_argument(
        "--degrader",
        choices=("rules", "local", "remote"),
        default="rules",
        help=words.DEGRADE_STUDY_DEGRADER,
    )
    command.add_argument("--seeds", type=_counted(20), default=3, metavar="N", help=words.DEGRADE_STUDY_SEEDS)
    command.add_argument("--limit", type=_counted(100_000), metavar="N", help=words.DEGRADE_STUDY_LIMIT)
    command.add_argument("--out", type=Path, metavar="DIR", help=words.DEGRADE_STUDY_OUT)


def _add_metrics(commands: Any) -> None:
    command = commands.add_parser("metrics", help=words.METRICS)
    _add_compared(command)
    _add_common(command, "research.comparing.metrics")


def _add_facts(commands: Any) -> None:
    command = commands.add_parser("facts", help=words.FACTS)
    _add_compared(command)
    command.add_argument(
        "--annotations",
        type=Path,
        metavar="TABLE",
        help=words.FACTS_ANNOTATIONS,
    )
    _add_common(command, "research.comparing.facts")


def _add_compared(command: argparse.ArgumentParser) -> None:
    command.add_argument("--note", type=Path, metavar="N")
    command.add_argument("--reference", type=Path, metavar="R", help=words.REFERENCE)
    command.add_argument("--transcript", type=Path, metavar="T", help=words.TRANSCRIPT)
    command.add_argument("--session", metavar="ID", help=words.SESSION)
    command.add_argument("--pairs", type=Path, metavar="PAIRS.csv", help=words.PAIRS)


def _add_agreement(commands: Any) -> None:
    command = commands.add_parser("agreement", help=words.AGREEMENT)
    command.add_argument("--data", type=Path, required=True, metavar="FILE")
    command.add_argument("--json", type=Path, metavar="OUT", help=words.JSON)
    command.set_defaults(command="agreeing.agreement")


def _add_verify(commands: Any) -> None:
    command = commands.add_parser("verify", help=words.VERIFY)
    command.add_argument("scorecard", type=Path, metavar="SCORECARD.pdf", help=words.VERIFY_SCORECARD)
    command.add_argument("--transcript", type=Path, metavar="T")
    command.add_argument("--note", type=Path, metavar="N")
    command.add_argument("--session", metavar="ID", help=words.SESSION)
    command.add_argument("--case", type=Path, metavar="FILE", help=words.VERIFY_CASE)
    command.add_argument("--json", type=Path, metavar="OUT", help=words.JSON)
    command.set_defaults(command="verifying.verify")


def _add_models(commands: Any) -> None:
    inner = commands.add_parser("models", help=words.MODELS).add_subparsers(
        required=True, metavar="list|build|check|download|test", parser_class=_OneLineParser
    )
    inner.add_parser("list", help=words.MODELS_LIST).set_defaults(command="models.models_list")
    inner.add_parser("build", help=words.MODELS_BUILD).set_defaults(command="models.models_build")
    inner.add_parser("check", help=words.MODELS_CHECK).set_defaults(command="models.models_check")
    command = inner.add_parser("test", help=words.MODELS_TEST)
    command.set_defaults(command="testing.models_test")
    command.add_argument("model", metavar="FILE.gguf|NAME", help=words.MODELS_TEST_MODEL)
    command.add_argument("--gpu", action="store_true", help=words.MODELS_TEST_GPU)
    command.add_argument("--base-url", metavar="URL", help=words.MODELS_TEST_URL)
    command.add_argument("--allow-unencrypted", action="store_true", help=words.ALLOW_UNENCRYPTED)
    command = inner.add_parser("download", help=words.MODELS_DOWNLOAD)
    command.set_defaults(command="models.models_download")
    command.add_argument("name", nargs="?", metavar="NAME", help=words.MODELS_DOWNLOAD_NAME)
    command.add_argument("--url", default="", metavar="URL", help=words.MODELS_DOWNLOAD_URL)
    command.add_argument("--sha256", default="", metavar="HEX", help=words.MODELS_DOWNLOAD_SHA256)
    command.add_argument("--folder", type=Path, metavar="DIR", help=words.MODELS_DOWNLOAD_FOLDER)


def _add_self_test(commands: Any) -> None:
    command = commands.add_parser("self-test", help=words.SELF_TEST)
    command.set_defaults(command="self_test.self_test")
    command.add_argument("checks", nargs="*", metavar="CHECK", help=words.SELF_TEST_CHECKS)
    command.add_argument("--json", type=Path, metavar="OUT", help=words.JSON)


def _add_common(command: argparse.ArgumentParser, function: str, *, json_out: bool = True, judge: bool = True) -> None:
    command.set_defaults(command=function)
    if judge:
        command.add_argument("--judge", choices=tuple(JUDGES), default="builtin")
    command.add_argument("--model", metavar="FILE.gguf|NAME", help=words.MODEL)
    command.add_argument("--gpu", action="store_true", help=words.GPU)
    command.add_argument("--base-url", metavar="URL", help=words.BASE_URL)
    if function in ("judging.evaluate", "batching.batch"):
        command.add_argument("--checklist", metavar="FILE|NAME", help=words.CHECKLIST)
        command.add_argument(
            "--quick-first",
            action="store_true",
            help=words.QUICK_FIRST,
        )
        command.add_argument("--minutes", type=_minutes, metavar="N", help=words.MINUTES)
    command.add_argument(
        "--price",
        type=_price,
        metavar="IN,OUT[,CACHED]",
        help=words.PRICE,
    )
    if function != "research.degrading.degrade_study":  # published data
        command.add_argument("--preview", type=Path, metavar="FILE", help=words.PREVIEW)
    command.add_argument("--consent", action="store_true", help=words.CONSENT)
    command.add_argument(
        "--allow-unencrypted",
        action="store_true",
        help=words.ALLOW_UNENCRYPTED,
    )
    command.add_argument("--no-cache", action="store_true", help=words.NO_CACHE)
    command.add_argument(
        "--library",
        action="store_true",
        help=words.LIBRARY,
    )
    command.add_argument("--no-text", action="store_true", help=words.NO_TEXT)
    if json_out:
        command.add_argument("--json", type=Path, metavar="OUT", help=words.JSON)


def _price(text: str) -> tuple[float, ...]:
    try:
        prices = tuple(float(part) for part in text.split(","))
    except ValueError:
        prices = ()
    if len(prices) not in (2, 3) or not all(0 <= price < 1e6 for price in prices):
        raise argparse.ArgumentTypeError(words.no_price(text))
    return prices


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0.1 <= minutes <= 1440:
        raise argparse.ArgumentTypeError(words.no_minutes(text))
    return minutes


def _counted(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(words.no_number(text, most))
        return int(text)

    return number


def _shard(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(words.no_part(text))
    return int(number), int(of)
