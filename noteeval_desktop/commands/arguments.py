"""What each command takes. No command is imported here: `--help` and a mistyped option answer at once."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from noteeval_desktop import __version__
from noteeval_desktop.commands.passwords import CASE_PASSPHRASE, PDF_PASSWORD
from noteeval_desktop.commands.run import BAD_INPUT
from noteeval_desktop.domain.evaluation import JUDGES
from noteeval_desktop.domain.phrases import did_you_mean, nearest, sentence, tr
from noteeval_desktop.errors import InputError

_MOST_JOBS, _MOST_ROWS = 64, 100_000_000
_SCORES = ("completeness", "conciseness", "faithfulness")
_JSON = tr("where to write the JSON; - for standard output")
_DATA = tr("the files or folders as they were published; “For researchers” in the help says which")
_SESSION = tr("which session to use if the file holds several")
_TRANSCRIPT, _NOTE = tr("the session"), tr("the note")
_STEM = tr("ROUGE compares stems (drink, drinks), not the words as they stand")
_ALLOW_UNENCRYPTED = tr("also send to an http address in your own network, where anyone can read it")
_BENCHMARKS = (
    "annomi",
    "checklist",
    "composed",
    "degrade",
    "mts-dialog",
    "mts-dialog-facts",
    "need",
    "omissions",
    "plans",
    "recorded",
    "risk",
    "risk-exchanges",
    "tn-eval",
    "tn-eval-metrics",
    "tn-eval-tables",
    "true-notes",
)


Fill = Callable[[Any], None]
Row = tuple[str, str, str, Fill]  # a command's name, the function that runs it, what it does, what adds its options


class _OneLineParser(argparse.ArgumentParser):
    """What is wrong in one line, with the nearest that there is; options stand under the last ``group`` begun."""

    _given: Sequence[str] = ()
    _fill: Fill | None = None
    _under: argparse._ActionsContainer | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.filled()
        self._given = sys.argv[1:] if args is None else list(args)
        for given, following in zip(self._given, [*self._given[1:], ""], strict=False):
            name, _, value = given.partition("=")
            if name.startswith("--c") and [one for one in self._option_string_actions if one.startswith(name)] == [
                "--config"
            ]:
                self._configure(Path(value or following))
        return super().parse_known_args(args, namespace)

    def add_commands(self, metavar: str, rows: Iterable[Row]) -> None:
        commands = self.add_subparsers(required=True, metavar=metavar, parser_class=_OneLineParser)
        for name, function, said, fill in rows:
            made: _OneLineParser = commands.add_parser(name, help=said, description=f"{sentence(said)}.")
            made.set_defaults(**({"command": function} if function else {}))
            made._fill = fill

    def filled(self) -> _OneLineParser:
        """With its options, which nobody needs of a command that was not typed."""
        fill, self._fill = self._fill, None
        if fill is not None:
            fill(self)
        return self

    def group(self, title: str) -> None:
        self._under = self.add_argument_group(title) if title else None

    def option(self, name: str, said: str, **kind: Any) -> None:
        (self._under or self).add_argument(name, help=said, **kind)

    def flag(self, name: str, said: str) -> None:
        self.option(name, said, action="store_true")

    def file(self, name: str, said: str, metavar: str = "OUT", **kind: Any) -> None:
        self.option(name, said, type=Path, metavar=metavar, **kind)

    def error(self, message: str) -> NoReturn:
        self.exit(
            BAD_INPUT,
            tr("noteeval: {problem}. Run `{command} --help` to see how it is used.\n").format(
                problem=message, command=self.prog
            )
            + "".join(
                tr("noteeval: there is no {given}. Did you mean {near}?\n").format(given=given, near=near)
                for given, near in self._nearest()
            ),
        )

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Of a command, too: to argparse it is the value of an option like any other."""
        known = list(map(str, action.choices or ()))
        if known and value not in known:
            problem = tr("there is no {value}{near}, only {known}")
            near = did_you_mean(value, known)
            raise argparse.ArgumentError(action, problem.format(value=value, near=near, known=", ".join(known)))

    def _nearest(self) -> Iterator[tuple[str, str]]:
        """What was given that is no option, with the option that it is nearest to: a misspelt one that is required is
        told as missing."""
        known = self._options(self._given)
        for given in self._given:
            name = given.partition("=")[0]
            if name.startswith("--") and name != "--" and not any(option.startswith(name) for option in known):
                yield from ((name, near) for near in nearest(name, known))

    def _options(self, given: Sequence[str]) -> set[str]:
        own = set(self._option_string_actions)
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                chosen = [parser.filled() for name, parser in action.choices.items() if name in given]
                own = own.union(*(parser._options(given) for parser in chosen))
        return own

    def _configure(self, path: Path) -> None:
        """What the file of ``--config`` says holds where the command line says nothing else."""
        from noteeval_desktop.commands.config import take_defaults

        try:
            known = {name: own._options(()) for name, own in commands_of(parser()).items()}
            take_defaults(self, path, known, self._given)
        except InputError as error:
            self.exit(BAD_INPUT, f"noteeval: {error}\n")


def commands_of(made: argparse.ArgumentParser) -> dict[str, _OneLineParser]:
    """The commands right under a command, by name; none under most."""
    inner = (action for action in made._actions if isinstance(action, argparse._SubParsersAction))
    return {name: own.filled() for action in inner for name, own in action.choices.items()}


def parser() -> argparse.ArgumentParser:
    """Of all commands; ``command`` names the function of this package that runs it, as ``module.function``."""
    made = _OneLineParser(
        "noteeval",
        description=tr("Reviews therapy notes against the session they document."),
        epilog=tr(
            "To begin: noteeval evaluate --transcript SESSION.txt --note NOTE.md. `noteeval COMMAND --help` says more "
            "of a command. Exit codes: 0 done, 1 the judge failed, 2 bad usage or bad input, 3 a score is below "
            "--fail-under, 130 cancelled."
        ),
    )
    made.add_argument("--version", action="version", version=f"noteeval {__version__}")
    made.add_commands("COMMAND", _COMMANDS)
    return made


def _add_evaluate(command: _OneLineParser) -> None:
    command.file("--transcript", tr("the session; - for standard input"), metavar="T", required=True)
    command.file("--note", tr("the note; - for standard input"), metavar="N", required=True)
    command.option("--session", _SESSION, metavar="ID")
    command.option("--label", tr("name of the case on the scorecard"), metavar="TEXT")
    command.file("--earlier", tr("the client’s earlier notes, to find what was copied from them"), metavar="DIR")
    command.flag("--right-session", tr("the session is the note's, though the program doubts it: check the statements"))
    command.file(
        "--plan", tr("the client's treatment plan (TXT, DOCX or PDF): which goals the note speaks to"), metavar="FILE"
    )
    command.file("--pdf", tr("the scorecard as a PDF of two pages"))
    command.file("--html", tr("the scorecard as a web page for screen readers"))
    command.file("--csv", tr("a row for each verdict; - for standard output"))
    command.option("--paper", tr("paper size of the PDF (a4)"), choices=("a4", "letter"), default="a4")
    command.flag("--appendix", tr("add an appendix with everything else to the two pages of the scorecard"))
    command.flag("--responses", tr("add the therapist's responses to the PDF and the web page"))
    command.flag(
        "--encrypt-pdf",
        tr("encrypt the PDF; the password comes from {variable} or is asked for").format(variable=PDF_PASSWORD),
    )
    command.flag(
        "--likert", tr("also ask the language model for ratings from 1 to 5 and whether it would accept the note")
    )
    _add_scoring(command, tr("end with exit code 3 where a score is lower, as in completeness=0.6,faithfulness=0.9"))
    _add_judge(command)
    _add_result(command)


def _add_batch(command: _OneLineParser) -> None:
    command.file(
        "--pairs",
        tr(
            "a table with transcript,note (CSV, TSV, XLSX, JSON Lines): files, or the texts themselves; "
            "- for standard input"
        ),
        metavar="PAIRS.csv",
        required=True,
    )
    command.file("--out-dir", tr("where to write a JSON file a note"), metavar="DIR", required=True)
    command.option("--limit", tr("only the first N rows"), type=_counted(_MOST_ROWS), metavar="N")
    command.option(
        "--jobs",
        tr(
            "how many notes to check at a time, each on a processor core of its own (built-in judge: as many "
            "as this computer has cores, 8 at most; other judges: 1)"
        ),
        type=_counted(_MOST_JOBS),
        metavar="N",
    )
    command.option(
        "--shard",
        tr("check only part I of N; a session's notes stay in the same part; to share a list among computers"),
        type=_shard,
        default=(1, 1),
        metavar="I/N",
    )
    command.option(
        "--scheduler",
        tr(
            "have the notes checked by the workers of this Dask scheduler, which read and write the same "
            "folders; without ADDRESS, or with `embedded`, by workers on this computer; skips finished "
            "notes; needs the extra `cluster`"
        ),
        nargs="?",
        const="embedded",
        metavar="ADDRESS",
    )
    command.flag("--resume", tr("skip what this judge has already finished"))
    command.file("--aggregate", tr("write averages, recurring gaps and distributions"), metavar="OUT.json")
    command.flag("--pdf", tr("write a scorecard beside each JSON file, as a PDF and as a web page for screen readers"))
    command.flag(
        "--provider-batch",
        tr(
            "ask the remote judge through its provider's batch API: usually half the price, within a day; "
            "answers that cannot be used are requested again directly"
        ),
    )
    _add_scoring(command, tr("end with exit code 3 where a mean is lower, as in completeness=0.6,faithfulness=0.9"))
    _add_judge(command)
    _add_result(command, json_out=False)


def _add_aggregate(command: _OneLineParser) -> None:
    command.option("folders", tr("where `noteeval batch` wrote its results"), type=Path, nargs="+", metavar="DIR")
    command.file(
        "--parquet",
        tr(
            "write tables for analysts: a row per note in OUT, a row per finding beside it in OUT-findings; "
            "needs the extra `analyst`"
        ),
    )
    command.file("--html", tr("write the overview as a web page"))
    command.file("--pdf", tr("write the overview on two pages"))
    command.file("--csv", tr("write a row per note; - for standard output"))
    command.file("--xlsx", tr("write the overview and a row per note as a workbook"))
    _add_result(command)


def _add_compare(command: _OneLineParser) -> None:
    results = tr("a folder that `noteeval batch` wrote, or the JSON of a command")
    command.file("a", results, metavar="A")
    command.file("b", results, metavar="B")
    command.file("--chart", tr("draw the differences"), metavar="OUT.svg")
    _add_result(command)


def _add_score_response(command: _OneLineParser) -> None:
    command.file("--context", tr("what was said before; - for standard input"), metavar="C")
    command.file("--response", tr("the response; - for standard input"), metavar="R")
    command.file(
        "--set",
        tr("a CSV or JSON file of many responses, with context, response and, to compare models, model"),
        metavar="SET",
    )
    command.file(
        "--ratings",
        tr("people's scores instead: a CSV file with rater, response and the six attributes; how far they agree"),
        metavar="TABLE",
    )
    command.option(
        "--role",
        tr("as whom the response was to be given; a language model holds it to that (none)"),
        choices=("none", "clinician", "peer"),
        default="none",
    )
    _add_judge(command)
    _add_result(command)


def _add_benchmark(command: _OneLineParser) -> None:
    command.option("name", ", ".join(_BENCHMARKS), choices=_BENCHMARKS, metavar="NAME")
    command.file("--data", _DATA, metavar="FILE", nargs="+", required=True)
    command.option(
        "--limit", tr("only the first N notes, sessions or exchanges"), type=_counted(_MOST_ROWS), metavar="N"
    )
    command.flag(
        "--cross-validate",
        tr("retrain the built-in judge so that it only judges what it has not seen (degrade, tn-eval)"),
    )
    command.file(
        "--keep",
        tr("with --cross-validate: keep here what takes long, and continue from what is already there"),
        metavar="DIR",
    )
    command.flag("--stem", _STEM)
    command.file("--csv", tr("write the figures, one a row; - for standard output (tn-eval-tables)"))
    command.file("--chart", tr("draw the correlations (mts-dialog, tn-eval-metrics)"), metavar="OUT.svg")
    _add_judge(command)
    _add_result(command)


def _add_degrade(command: _OneLineParser) -> None:
    command.file("--note", _NOTE, metavar="N", required=True)
    command.file("--out", tr("where to write the worse note"), required=True)
    command.option("--changes", tr("how many errors to add (5)"), type=_counted(1000), default=5, metavar="K")
    command.option("--seed", tr("random seed (0)"), type=int, default=0, metavar="S")
    _add_result(command, tr("list what was changed; - for standard output"))


def _add_degrade_study(command: _OneLineParser) -> None:
    command.file(
        "--data",
        tr("notes of TN-Eval, ACI-Bench, MTS-Dialog or PriMock57: the files or folders as they were published"),
        metavar="FILE",
        nargs="+",
        default=(),
    )
    command.file(
        "--candidates",
        tr("other notes to degrade, such as paraphrases, beside the data's as references: a table note,candidate"),
        metavar="TABLE",
    )
    command.file("--sheet", tr("write ten pairs for people to check (CSV), and measure nothing"), metavar="OUT.csv")
    command.file("--read-sheet", tr("count what people answered in such a sheet"), metavar="SHEET.csv")
    command.option(
        "--metrics",
        tr("cheap (the default), claims, all, none, or names from `noteeval metrics`, separated by commas"),
        default="cheap",
        metavar="LIST",
    )
    command.option(
        "--degrader",
        tr("what makes the notes worse: rules (the default) or the language model that you name"),
        choices=("rules", "local", "remote"),
        default="rules",
    )
    command.option("--seeds", tr("degraded notes of each kind (3)"), type=_counted(20), default=3, metavar="N")
    command.option("--limit", tr("only the first N notes"), type=_counted(100_000), metavar="N")
    command.file("--out", tr("save tables and charts here, and continue from what is already there"), metavar="DIR")
    _add_judge(
        command,
        tr("may be given twice: the built-in judge (the default) and one language model; or none"),
        action="append",
        choices=(*JUDGES, "none"),
        default=None,
    )
    _add_result(command)


def _add_metrics(command: _OneLineParser) -> None:
    _add_compared(command)
    command.option(
        "--metrics",
        tr("all (the default), cheap, claims, or names from the table, separated by commas"),
        default="all",
        metavar="LIST",
    )
    command.flag("--stem", _STEM)
    command.file(
        "--bleurt", tr("also compute BLEURT, with this checkpoint of yours and its authors' package"), metavar="FOLDER"
    )
    _add_judge(command)
    _add_result(command)


def _add_facts(command: _OneLineParser) -> None:
    _add_compared(command)
    command.file(
        "--annotations",
        tr("facts counted by people: a table with note,section,rater,correct,incorrect,hallucinated,omitted,reference"),
        metavar="TABLE",
    )
    command.file(
        "--phrases",
        tr(
            "errors marked by people, phrase by phrase: a table with note,hallucinated,omitted,words,reference_words "
            "and, for quality, critical,non_critical,spelling,sentences,reference_sentences"
        ),
        metavar="TABLE",
    )
    _add_judge(command)
    _add_result(command)


def _add_compared(command: _OneLineParser) -> None:
    command.file("--note", _NOTE, metavar="N")
    command.file("--reference", tr("another note of the same session"), metavar="R")
    command.file("--transcript", _TRANSCRIPT, metavar="T")
    command.option("--session", _SESSION, metavar="ID")
    command.file(
        "--pairs",
        tr(
            "many notes at once: a table with note,reference and, if you like, transcript and id: files, or the texts "
            "themselves; - for standard input"
        ),
        metavar="PAIRS.csv",
    )
    command.option("--jobs", tr("how many notes to compare at a time (1)"), type=_counted(_MOST_JOBS), metavar="N")
    command.flag("--resume", tr("skip what the file of --json already holds of the same notes and judge"))
    command.file("--csv", tr("write a row per note; - for standard output"))


def _add_agreement(command: _OneLineParser) -> None:
    command.file(
        "--data",
        tr(
            "TN-Eval's files, or a table of ratings: a row for each rating (case, item, rater, value), or a row for "
            "each case and a column for each rater; - for standard input"
        ),
        metavar="FILE",
        nargs="+",
        required=True,
    )
    for use in ("case", "item", "rater", "value"):
        command.option(
            f"--{use}", tr("the column of the {use}, where it is called otherwise").format(use=use), metavar="COLUMN"
        )
    command.option("--raters", tr("the columns of the raters, separated by commas"), metavar="A,B")
    command.option(
        "--tolerance",
        tr("F1 takes ratings that differ by this much at most as the same (0)"),
        type=_tolerance,
        default=0.0,
        metavar="T",
    )
    _add_result(command)


def _add_verify(command: _OneLineParser) -> None:
    command.file(
        "scorecard",
        tr("the scorecard; its password comes from {variable}").format(variable=PDF_PASSWORD),
        metavar="SCORECARD.pdf",
    )
    command.file("--transcript", _TRANSCRIPT, metavar="T")
    command.file("--note", _NOTE, metavar="N")
    command.option("--session", _SESSION, metavar="ID")
    command.file(
        "--case",
        tr("an evaluation as JSON, or an encrypted case ({variable})").format(variable=CASE_PASSPHRASE),
        metavar="FILE",
    )
    _add_result(command)


def _add_models(command: _OneLineParser) -> None:
    command.add_commands("list|build|check|download|test", _MODELS)


def _add_models_test(command: _OneLineParser) -> None:
    command.option(
        "model", tr("a model file, or with --base-url a model's name on that server"), metavar="FILE.gguf|NAME"
    )
    command.flag("--gpu", tr("use the graphics processor"))
    command.option(
        "--base-url",
        tr("address of a server; it is sent 90 questions about two invented sessions, and nothing of yours"),
        metavar="URL",
    )
    command.flag("--allow-unencrypted", _ALLOW_UNENCRYPTED)
    _add_quiet(command)


def _add_models_download(command: _OneLineParser) -> None:
    command.option("name", tr("a name from `noteeval models list`"), nargs="?", metavar="NAME")
    command.option("--url", tr("the file's address, from the publisher's page"), default="", metavar="URL")
    command.option("--sha256", tr("the file's SHA-256, from the same page"), default="", metavar="HEX")
    command.file("--folder", tr("where to save it (the app's model folder)"), metavar="DIR")
    _add_quiet(command)


def _add_self_test(command: _OneLineParser) -> None:
    command.option("checks", tr("only these checks, and what they need (all)"), nargs="*", metavar="CHECK")
    _add_result(command)


def _add_scoring(command: _OneLineParser, gate: str) -> None:
    command.option(
        "--checklist",
        tr("judge by another checklist: a file (JSON, CSV, XLSX, Markdown), or one of yours or a ready-made by name"),
        metavar="FILE|NAME",
    )
    command.option("--fail-under", gate, type=_least, metavar="SCORE=SHARE", default={})


def _add_quiet(command: _OneLineParser) -> None:
    command.add_argument("-q", "--quiet", action="store_true", help=tr("print nothing but errors"))


def _add_result(command: _OneLineParser, said: str = _JSON, *, json_out: bool = True) -> None:
    command.group("")
    if "--judge" in command._option_string_actions:
        command.flag("--no-text", tr("leave all text and quotes out of the JSON and CSV"))
    if json_out:
        command.file("--json", said)
    _add_quiet(command)
    command.file("--config", tr("a TOML file of options by their names; what is typed goes first"), metavar="FILE.toml")


def _add_judge(command: _OneLineParser, said: str = tr("who judges (builtin)"), **kind: Any) -> None:
    command.group(tr("judge (the built-in one needs none of these)"))
    command.option("--judge", said, **{"choices": tuple(JUDGES), "default": "builtin"} | kind)
    command.option("--model", tr("model of the local or remote judge"), metavar="FILE.gguf|NAME")
    command.flag("--gpu", tr("let the local judge use the graphics processor"))
    command.option("--base-url", tr("address of the remote judge"), metavar="URL")
    function = command.get_default("command")
    if function in ("judging.evaluate", "batching.batch"):
        command.flag(
            "--quick-first",
            tr(
                "full check: the built-in judge first, then the model about everything; each verdict weighs "
                "both, and the JSON contains both answers"
            ),
        )
        command.flag(
            "--leave-out",
            tr(
                "also ask the language model what does not belong in the record, such as the therapist's own feelings "
                "(how often it is right is not measured)"
            ),
        )
        command.option(
            "--minutes",
            tr("with --judge local --quick-first: ask the model for this long at most, what matters most first"),
            type=_minutes,
            metavar="N",
        )
    command.option(
        "--price",
        tr("price of the remote judge per million tokens: input, output, cached input"),
        type=_price,
        metavar="IN,OUT[,CACHED]",
    )
    for name, said in (
        ("--rpm", tr("ask the remote judge's server at most N times a minute (as often as it allows)")),
        ("--tpm", tr("send it about N tokens a minute at most (as many as it allows)")),
        ("--concurrency", tr("ask it N questions at once (8)")),
    ):
        command.option(name, said, type=_counted(10**9), metavar="N")
    if function != "research.degrading.degrade_study":  # published data
        command.file("--preview", tr("write what would be sent, and send nothing"), metavar="FILE")
    command.flag("--consent", tr("allow the session to be sent to that address"))
    command.flag("--allow-unencrypted", _ALLOW_UNENCRYPTED)
    command.flag("--no-cache", tr("ignore earlier answers of a language model"))
    command.flag(
        "--library",
        tr(
            "keep answers of a language model in the encrypted library and reuse them; it opens with "
            "NOTEEVAL_PASSPHRASE, the keychain, or a passphrase that is asked for"
        ),
    )


def _least(text: str) -> Mapping[str, float]:
    """The least share of each score named."""
    least: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        if name not in _SCORES:
            near = did_you_mean(name, _SCORES)
            told = tr("there is no score {name}{near}, only {scores}: write faithfulness=0.9, for instance")
            raise argparse.ArgumentTypeError(told.format(name=name, near=near, scores=", ".join(_SCORES)))
        try:
            least[name] = float(share)
        except ValueError:
            least[name] = -1.0
        if not 0 <= least[name] <= 1:
            raise argparse.ArgumentTypeError(tr("{share} is not a share from 0 to 1").format(share=share or text))
    return least


def _price(text: str) -> tuple[float, ...]:
    try:
        prices = tuple(float(part) for part in text.split(","))
    except ValueError:
        prices = ()
    if len(prices) not in (2, 3) or not all(0 <= price < 1e6 for price in prices):
        raise argparse.ArgumentTypeError(
            tr("{text} is not a price: give two or three numbers, as in 2.50,10 (per million)").format(text=text)
        )
    return prices


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0.1 <= minutes <= 1440:
        raise argparse.ArgumentTypeError(tr("{text} is not a number of minutes from 0.1 to 1440").format(text=text))
    return minutes


def _tolerance(text: str) -> float:
    try:
        tolerance = float(text)
    except ValueError:
        tolerance = -1.0
    if not 0 <= tolerance < 1e12:
        raise argparse.ArgumentTypeError(tr("{text} is not how far apart ratings may be").format(text=text))
    return tolerance


def _counted(most: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= most:
            raise argparse.ArgumentTypeError(tr("{text} is not a number from 1 to {most}").format(text=text, most=most))
        return int(text)

    return number


def _shard(text: str) -> tuple[int, int]:
    number, _, of = text.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(
            tr("{text} is not a part of a list: write 2/8 for the second of eight parts").format(text=text)
        )
    return int(number), int(of)


_MODELS: tuple[Row, ...] = (
    ("list", "models.models_list", tr("list what is installed and what can be downloaded"), _add_result),
    ("build", "models.models_build", tr("download and convert the sentence encoder"), _add_quiet),
    ("check", "models.models_check", tr("verify the installed models"), _add_quiet),
    ("test", "models.models_test", tr("test a chat model and measure its speed on this computer"), _add_models_test),
    ("download", "models.models_download", tr("download a chat model and verify its SHA-256"), _add_models_download),
)
_COMMANDS: tuple[Row, ...] = (
    ("evaluate", "judging.evaluate", tr("check one note against its session"), _add_evaluate),
    ("batch", "batching.batch", tr("check many notes"), _add_batch),
    ("aggregate", "batching.aggregate", tr("summarise the results of batches"), _add_aggregate),
    ("compare", "research.compare.compare", tr("test whether two sets of results differ, case by case"), _add_compare),
    ("score-response", "scoring.score_response", tr("score a therapist's response to a client"), _add_score_response),
    ("benchmark", "research.benchmarks.benchmark", tr("measure a judge against published data"), _add_benchmark),
    ("degrade", "research.benchmarks.degrade", tr("put known errors into a note to test a judge"), _add_degrade),
    (
        "degrade-study",
        "research.degrading.degrade_study",
        tr("make notes worse step by step, and see which judges and metrics notice"),
        _add_degrade_study,
    ),
    (
        "metrics",
        "research.against_reference.metrics",
        tr("compare a note with a reference note: ROUGE, BERTScore and others"),
        _add_metrics,
    ),
    (
        "facts",
        "research.against_reference.facts",
        tr("count the facts that a note gets right, gets wrong, adds or leaves out"),
        _add_facts,
    ),
    ("agreement", "research.benchmarks.agreement", tr("measure how well raters and judges agree"), _add_agreement),
    ("verify", "verifying.verify", tr("check that a scorecard is unchanged and belongs to this case"), _add_verify),
    ("models", "", tr("manage the models on this computer"), _add_models),
    ("self-test", "self_test.self_test", tr("check that NoteEval works on this computer"), _add_self_test),
    (
        "completion",
        "completion.completion",
        tr('let bash or zsh complete with the Tab key; in its start file: eval "$(noteeval completion)"'),
        _add_quiet,
    ),
)
