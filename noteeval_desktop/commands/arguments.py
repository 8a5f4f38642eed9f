"""What each command takes. No command is imported here: `--help` and a mistyped option answer at once."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from noteeval_desktop import __version__
from noteeval_desktop.commands.passwords import CASE_PASSPHRASE, PDF_PASSWORD
from noteeval_desktop.commands.run import BAD_INPUT
from noteeval_desktop.domain.phrases import did_you_mean, nearest, sentence, tr
from noteeval_desktop.errors import InputError

_SCORES = ("completeness", "conciseness", "faithfulness")
# A command's name, the function that runs it (none where it has commands of its own), what it does, which of _SHARED it
# takes besides, and its options.
Row = tuple[str, str, str, tuple[str, ...], str]


class _OneLineParser(argparse.ArgumentParser):
    """What is wrong in one line, with the nearest that there is; options stand under the last ``group`` begun."""

    _given: Sequence[str] = ()
    _row: Row | None = None
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
        for row in rows:
            name, function, said, *_ = row
            made: _OneLineParser = commands.add_parser(name, help=said, description=f"{sentence(said)}.")
            made.set_defaults(**({"command": function} if function else {}))
            made._row = row

    def filled(self) -> _OneLineParser:
        """With its options, which nobody needs of a command that was not typed."""
        row, self._row = self._row, None
        if row is not None:
            _, function, _, shared, table = row
            for rows in (table, *(_SHARED[name] for name in shared)):
                for one in re.split(r"\n *", re.sub(r"\n {12,}", " ", rows.strip())) if rows else ():
                    self._add(one)
            if not function:
                self.add_commands("|".join(name for name, *_ in _MODELS), _MODELS)
        return self

    def _add(self, row: str) -> None:
        """``--name VALUE  what it says``, or a group's title and a colon. Without a value it is a flag; ``a|b`` is one
        of these, by default the first. Behind the value ``!``: must be given; ``...``: one or more; ``?WORD``: may be
        left out and then stands for WORD; ``*``: may be given again; `` = WORD``: is WORD where nothing is given."""
        if row.endswith(":"):
            self._under = self.add_argument_group(row[:-1])
            return
        spec, _, said = row.partition("  ")
        name, _, value = spec.partition(" ")
        value, _, default = value.partition(" = ")
        value, may_lack, instead = value.partition("?")
        metavar, kind = value.rstrip("!.*"), dict[str, Any]()
        if not value:
            kind["action"] = "store_true"
        elif metavar.islower():
            kind["choices"] = choices = metavar.replace(" ", "").split("|")
            kind |= {"action": "append"} if value.endswith("*") else {"default": choices[0]}
        else:
            kind |= {"metavar": metavar, "type": str if metavar in _WORDS else _READ.get(name, Path)}
        if value.endswith("!"):
            kind["required"] = True
        if "..." in value:
            kind["nargs"] = "*" if may_lack else "+"
        elif may_lack:
            kind |= {"nargs": "?", "const": instead or None}
        if default:
            kind["default"] = default
        (self._under or self).add_argument(*name.split(","), help=said, **kind)

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
            "To begin: noteeval evaluate --transcript SESSION.txt --note NOTE.md. `noteeval COMMAND --help` explains a "
            "command. Exit codes: 0 done, 1 the judge failed, 2 bad usage or bad input, 3 a score is below "
            "--fail-under, 130 cancelled."
        ),
    )
    made.add_argument("--version", action="version", version=f"noteeval {__version__}")
    made.add_commands("COMMAND", _COMMANDS)
    return made


def _least(text: str) -> Mapping[str, float]:
    """The least share of each score named."""
    least: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        if name not in _SCORES:
            near = did_you_mean(name, _SCORES)
            told = tr("there is no score {name}{near}, only {scores}: write faithfulness=0.9, for instance")
            raise argparse.ArgumentTypeError(told.format(name=name, near=near, scores=", ".join(_SCORES)))
        least[name] = _number(0, 1, tr("{text} is not a share from 0 to 1"))(share or text)
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


def _number(least: float, most: float, problem: str) -> Callable[[str], float]:
    def number(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(problem.format(text=text))
        return value

    return number


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


# How the value of an option is read that is no file: by its metavar, or by its name.
_WORDS = frozenset(
    ("ID", "TEXT", "LIST", "COLUMN", "A,B", "URL", "HEX", "NAME", "FILE|NAME", "FILE.gguf|NAME", "ADDRESS", "CHECK")
)
_READ: Mapping[str, Callable[[str], Any]] = {
    "--limit": _counted(100_000_000),
    "--jobs": _counted(64),
    "--changes": _counted(1000),
    "--seeds": _counted(20),
    **dict.fromkeys(("--rpm", "--tpm", "--concurrency"), _counted(10**9)),
    "--seed": int,
    "--shard": _shard,
    "--minutes": _number(0.1, 1440, tr("{text} is not a number of minutes from 0.1 to 1440")),
    "--price": _price,
    "--tolerance": _number(0, 1e12, tr("{text} is not a tolerance: give a number such as 1")),
    "--fail-under": _least,
}
_SHARED: Mapping[str, str] = {
    "checklist": tr("""
        --checklist FILE|NAME  judge by another checklist: a file (JSON, CSV, XLSX, Markdown), or the name
            of one of your own or a ready-made one
        """),
    "compared": tr("""
        --note N  the note
        --reference R  another note of the same session
        --transcript T  the session
        --session ID  which session to use if the file holds several
        --pairs PAIRS.csv  many notes at once: a table with note,reference and, if you like, transcript and id: files,
            or the texts themselves; - for standard input
        --jobs N  how many notes to compare at a time (1)
        --resume  skip what the file of --json already holds of the same notes and judge
        --csv OUT  write a row per note; - for standard output
        """),
    "no-text": tr("--no-text  leave all text and quotes out of the JSON and CSV"),
    "json": tr("--json OUT  where to write the JSON; - for standard output"),
    "quiet": tr("-q,--quiet  print nothing but errors"),
    "config": tr("--config FILE.toml  a TOML file of options by their names; what you type takes precedence"),
    "judge": tr("""
        judge (the built-in one needs none of these):
        --judge builtin|local|remote  who judges (builtin)
        """),
    "judges": tr("""
        judge (the built-in one needs none of these):
        --judge builtin|local|remote|none*  may be given twice: the built-in judge (the default) and one language model;
            or none
        """),
    "model": tr("""
        --model FILE.gguf|NAME  model of the local or remote judge
        --gpu  let the local judge use the graphics processor
        --base-url URL  address of the remote judge
        --price IN,OUT[,CACHED]  price of the remote judge per million tokens: input, output, cached input
        --rpm N  ask the remote judge's server at most N times a minute (as often as it allows)
        --tpm N  send it about N tokens a minute at most (as many as it allows)
        --concurrency N  ask it N questions at once (8)
        --consent  allow the session to be sent to that address
        --allow-unencrypted  also send to an http address in your own network, where anyone can read it
        --no-cache  ignore earlier answers of a language model
        --library  keep answers of a language model in the encrypted library and reuse them; it opens with
            NOTEEVAL_PASSPHRASE, the keychain, or a passphrase that is asked for
        """),
    "preview": tr("--preview FILE  write what would be sent, and send nothing"),
    "full-check": tr("""
        --quick-first  full check: the built-in judge first, then the model about everything; each verdict weighs both,
            and the JSON contains both answers
        --leave-out  also ask the language model what does not belong in the record, such as the therapist's own
            feelings (on 36 made-up notes a large model was right every time; smaller ones were not tried)
        --minutes N  with --judge local --quick-first: ask the model for this long at most, what matters most first
        """),
}
_RESULT = ("json", "quiet", "config")
_JUDGED = ("no-text", *_RESULT, "judge", "model", "preview")
_MODELS: tuple[Row, ...] = (
    ("list", "models.models_list", tr("list what is installed and what can be downloaded"), _RESULT, ""),
    ("build", "models.models_build", tr("download and convert the sentence encoder"), ("quiet",), ""),
    ("check", "models.models_check", tr("verify the installed models"), ("quiet",), ""),
    (
        "download",
        "models.models_download",
        tr("download a chat model and verify its SHA-256"),
        ("quiet",),
        tr("""
        name NAME?  a name from `noteeval models list`
        --url URL  the file's address, from the publisher's page
        --sha256 HEX  the file's SHA-256, from the same page
        --folder DIR  where to save it (the app's model folder)
        """),
    ),
    (
        "test",
        "models.models_test",
        tr("test a chat model and measure its speed on this computer"),
        ("quiet",),
        tr("""
        model FILE.gguf|NAME  a model file, or with --base-url a model's name on that server
        --gpu  use the graphics processor
        --base-url URL  address of a server; it is sent 90 questions about two invented sessions, and nothing of yours
        --allow-unencrypted  also send to an http address in your own network, where anyone can read it
        """),
    ),
)
_COMMANDS: tuple[Row, ...] = (
    (
        "evaluate",
        "judging.evaluate",
        tr("check one note against its session"),
        ("checklist", *_JUDGED, "full-check"),
        tr("""
        --transcript T!  the session; - for standard input
        --note N!  the note; - for standard input
        --session ID  which session to use if the file holds several
        --label TEXT  name of the case on the scorecard
        --earlier DIR  the client’s earlier notes, to find what was copied from them
        --right-session  the session is the right one, though NoteEval doubts it: check the statements
        --plan FILE  the client's treatment plan (TXT, DOCX or PDF): which goals the note addresses
        --pdf OUT  the scorecard as a two-page PDF
        --html OUT  the scorecard as a web page for screen readers
        --csv OUT  a row for each verdict; - for standard output
        --paper a4|letter  paper size of the PDF (a4)
        --appendix  add an appendix with everything else to the two pages of the scorecard
        --responses  add the therapist's responses to the PDF and the web page
        --encrypt-pdf  encrypt the PDF; the password comes from {variable} or is asked for
        --likert  also ask the language model for ratings from 1 to 5 and whether it would accept the note
        --fail-under SCORE=SHARE  end with exit code 3 if a score is lower, as in
            completeness=0.6,faithfulness=0.9
        """).format(variable=PDF_PASSWORD),
    ),
    (
        "batch",
        "batching.batch",
        tr("check many notes"),
        ("checklist", *(name for name in _JUDGED if name != "json"), "full-check"),
        tr("""
        --pairs PAIRS.csv!  a table with transcript,note (CSV, TSV, XLSX, JSON Lines): files, or the texts themselves;
            - for standard input
        --out-dir DIR!  where to write a JSON file per note
        --limit N  only the first N rows
        --jobs N  how many notes to check at a time, each on a processor core of its own (built-in judge: as many as
            this computer has cores, 8 at most; other judges: 1)
        --shard I/N = 1/1  check only part I of N; a session's notes stay in the same part; to share a list among
            computers
        --scheduler ADDRESS?embedded  have the notes checked by the workers of this Dask scheduler, which read and write
            the same folders; without ADDRESS, or with `embedded`, by workers on this computer; skips finished notes;
            needs the extra `cluster`
        --resume  skip what this judge has already finished
        --aggregate OUT.json  write averages, recurring gaps and distributions
        --pdf  write a scorecard beside each JSON file, as a PDF and as a web page for screen readers
        --provider-batch  ask the remote judge through its provider's batch API: usually half the price, within a day;
            answers that cannot be used are requested again directly
        --fail-under SCORE=SHARE  end with exit code 3 if a mean is lower, as in completeness=0.6,faithfulness=0.9
        """),
    ),
    (
        "aggregate",
        "batching.aggregate",
        tr("summarize the results of batches"),
        _RESULT,
        tr("""
        folders DIR...  where `noteeval batch` wrote its results
        --parquet OUT  write tables for analysts: a row per note in OUT, a row per finding beside it in OUT-findings;
            needs the extra `analyst`
        --html OUT  write the overview as a web page
        --pdf OUT  write the overview on two pages
        --csv OUT  write a row per note; - for standard output
        --xlsx OUT  write the overview and a row per note as a workbook
        """),
    ),
    (
        "compare",
        "research.compare.compare",
        tr("test whether two sets of results differ, case by case"),
        _RESULT,
        tr("""
        a A  a folder that `noteeval batch` wrote, or the JSON of a command
        b B  a folder that `noteeval batch` wrote, or the JSON of a command
        --chart OUT.svg  draw the differences
        """),
    ),
    (
        "score-response",
        "scoring.score_response",
        tr("score a therapist's response to a client"),
        _JUDGED,
        tr("""
        --context C  what was said before; - for standard input
        --response R  the response; - for standard input
        --set SET  a CSV or JSON file of many responses, with context, response and, to compare models, model
        --ratings TABLE  people's scores instead: a CSV file with rater, response and the six attributes; how far they
            agree
        --role none|clinician|peer  the role in which the response was to be given; a language model judges it in
            that role (none)
        """),
    ),
    (
        "benchmark",
        "research.benchmarks.benchmark",
        tr("measure a judge against published data"),
        _JUDGED,
        tr("""
        name annomi|checklist|composed|degrade|mts-dialog|mts-dialog-facts|need|omissions|plans|recorded|risk|
            risk-exchanges|tn-eval|tn-eval-metrics|tn-eval-tables|true-notes  what is measured
        --data FILE...!  the files or folders as they were published; “For researchers” in the help says which
        --limit N  only the first N notes, sessions or exchanges
        --cross-validate  retrain the built-in judge so that it only judges what it has not seen (degrade, tn-eval)
        --keep DIR  with --cross-validate: save what takes long here, and continue from what is already there
        --stem  ROUGE compares stems (drink, drinks), not whole words
        --csv OUT  write the figures, one a row; - for standard output (tn-eval-tables)
        --chart OUT.svg  draw the correlations (mts-dialog, tn-eval-metrics)
        """),
    ),
    (
        "degrade",
        "research.benchmarks.degrade",
        tr("put known errors into a note to test a judge"),
        ("quiet", "config"),
        tr("""
        --note N!  the note
        --out OUT!  where to write the worse note
        --changes K = 5  how many errors to add (5)
        --seed S = 0  random seed (0)
        --json OUT  list what was changed; - for standard output
        """),
    ),
    (
        "degrade-study",
        "research.degrading.degrade_study",
        tr("make notes worse step by step, and see which judges and metrics notice"),
        ("no-text", *_RESULT, "judges", "model"),
        tr("""
        --data FILE...  notes of TN-Eval, ACI-Bench, MTS-Dialog or PriMock57: the files or folders as they were
            published
        --candidates TABLE  other notes to degrade, such as paraphrases, beside the data's as references: a table
            note,candidate
        --sheet OUT.csv  write ten pairs for people to check (CSV), and measure nothing
        --read-sheet SHEET.csv  count what people answered in such a sheet
        --metrics LIST = cheap  cheap (the default), claims, all, none, or names from `noteeval metrics`, separated by
            commas
        --degrader rules|local|remote  what makes the notes worse: rules (the default) or the language model that you
            name
        --seeds N = 3  degraded notes of each kind (3)
        --limit N  only the first N notes
        --out DIR  save tables and charts here, and continue from what is already there
        """),
    ),
    (
        "metrics",
        "research.against_reference.metrics",
        tr("compare a note with a reference note: ROUGE, BERTScore and others"),
        ("compared", *_JUDGED),
        tr("""
        --metrics LIST = all  all (the default), cheap, claims, or names from the table, separated by commas
        --stem  ROUGE compares stems (drink, drinks), not whole words
        --bleurt FOLDER  also compute BLEURT, with this checkpoint of yours and its authors' package
        """),
    ),
    (
        "facts",
        "research.against_reference.facts",
        tr("count the facts that a note gets right, gets wrong, adds or leaves out"),
        ("compared", *_JUDGED),
        tr("""
        --annotations TABLE  facts counted by people: a table with
            note,section,rater,correct,incorrect,hallucinated,omitted,reference
        --phrases TABLE  errors marked by people, phrase by phrase: a table with
            note,hallucinated,omitted,words,reference_words and, for quality,
            critical,non_critical,spelling,sentences,reference_sentences
        """),
    ),
    (
        "agreement",
        "research.benchmarks.agreement",
        tr("measure how well raters and judges agree"),
        _RESULT,
        tr("""
        --data FILE...!  TN-Eval's files, or a table of ratings: a row for each rating (case, item, rater, value), or a
            row for each case and a column for each rater; - for standard input
        --case COLUMN  the column of the case, if it has another name
        --item COLUMN  the column of the item, if it has another name
        --rater COLUMN  the column of the rater, if it has another name
        --value COLUMN  the column of the value, if it has another name
        --raters A,B  the columns of the raters, separated by commas
        --tolerance T = 0  for F1, ratings that differ by at most this much count as the same (0)
        """),
    ),
    (
        "verify",
        "verifying.verify",
        tr("check that a scorecard is unchanged and belongs to this case"),
        _RESULT,
        tr("""
        scorecard SCORECARD.pdf  the scorecard; its password comes from {password}
        --transcript T  the session
        --note N  the note
        --session ID  which session to use if the file holds several
        --case FILE  an evaluation as JSON, or an encrypted case ({passphrase})
        """).format(password=PDF_PASSWORD, passphrase=CASE_PASSPHRASE),
    ),
    ("models", "", tr("manage the models on this computer"), (), ""),
    (
        "self-test",
        "self_test.self_test",
        tr("check that NoteEval works on this computer"),
        _RESULT,
        tr("checks CHECK...?  only these checks, and what they need (all)"),
    ),
    (
        "completion",
        "completion.completion",
        tr('let bash or zsh complete with the Tab key; in its start file: eval "$(noteeval completion)"'),
        ("quiet",),
        "",
    ),
)
