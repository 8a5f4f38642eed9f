"""What `--preview` writes, and what `--consent` says and asks on a terminal before anything is sent."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from noteeval_desktop.commands.run import Run, interrupted_at_once
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.phrases import counted, share_of, tr
from noteeval_desktop.errors import Cancelled, InputError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.privacy.deidentify import MOSTLY_HIDDEN, DeidentifiedCase
from noteeval_desktop.privacy.masking import IdentifierKind
from noteeval_desktop.report.files import replacing

if TYPE_CHECKING:
    from noteeval_desktop.judges.llm.remote import RemoteJudge

_TOKEN = re.compile(r"\[([A-Z]+)-\d+\]")
_NO_NAMES = frozenset(kind.upper() for kind in IdentifierKind if kind is not IdentifierKind.PERSON)
_MOST_WORDS = 30


@dataclass
class _Tally:
    """Over all cases that are about to be sent; names are counted in each case by themselves."""

    cases: int = 0
    names: int = 0
    others: int = 0
    places: int = 0
    hidden_whole: int = 0
    as_they_are: bool = False
    suspected: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, judge: RemoteJudge, case: Case) -> None:
        masked = judge.prepared(case)
        found = [match for text in _texts(masked) for match in _TOKEN.finditer(text)]
        names = {match.group() for match in found if match[1] not in _NO_NAMES}
        self.cases += 1
        self.names += len(names)
        self.others += len({match.group() for match in found} - names)
        self.places += len(found)
        self.hidden_whole += masked.hidden_share >= MOSTLY_HIDDEN
        self.as_they_are = judge.finder is None
        for word in judge.unknown(case):
            (self.suspected if word.hidden else self.unknown)[word.word] += word.count


def as_remote(judge: Judge, option: str = "--preview") -> RemoteJudge:
    """Raises InputError where ``judge`` sends nothing."""
    remote = _remote(judge)
    if remote is None:
        raise InputError(option, tr("works with a remote judge only"), tr("Add --judge remote, or leave it out."))
    return remote


def _remote(judge: Judge) -> RemoteJudge | None:
    if judge.identity.kind != "remote":
        return None
    # Here, not above: the other judges need no client, which takes a second to load.
    from noteeval_desktop.judges.llm.remote import RemoteJudge

    return judge if isinstance(judge, RemoteJudge) else None


def write_preview(run: Run, judge: RemoteJudge, cases: Iterable[Case], bodies: Iterable[bytes], target: Path) -> None:
    """The ``bodies`` that judging ``cases`` would send first, byte for byte, one a line. Nothing is sent.

    What stands there twice is asked once, unless answers are not kept.
    """
    unique = list(bodies) if run.options.no_cache else list(dict.fromkeys(bodies))
    with replacing(target) as file:
        file.write_bytes(b"".join(body + b"\n" for body in unique))
    tally = _tally(judge, cases)
    _tell(run, tally)
    _tell_hidden(run, tally)
    run.say(
        tr(
            "nothing was sent; {name} holds the {requests}, one per line. An answer that cannot be used is "
            "requested again, with a line on what was wrong with it."
        ).format(name=target.name, requests=counted(len(unique), "request"))
    )


def clear_to_send(run: Run, judge: Judge, cases: Iterable[Case]) -> None:
    """Before a remote judge is asked about ``cases``: what is replaced and which words nobody knows, and then a
    question, to a person who is there to read it. Raises Cancelled on any answer but yes.

    That little is left of a session is said wherever the command runs; no word of it is, since that may be a log.
    """
    remote = _remote(judge)
    if remote is None:
        return
    tally = _tally(remote, cases)
    if not tally.cases:
        return
    if run.err.isatty():
        _tell(run, tally)
    _tell_hidden(run, tally)
    those = tr("these {cases}").format(cases=counted(tally.cases, "case"))
    ask_to_send(run, judge, tr("this case") if tally.cases == 1 else those)


def ask_to_send(run: Run, judge: Judge, what: str) -> None:
    """On a terminal only. Raises Cancelled on any answer but yes."""
    remote = _remote(judge)
    if remote is None or not run.err.isatty() or sys.stdin is None or not sys.stdin.isatty():
        return
    print(
        tr("Send {what} to {host}? [y/N] ").format(what=what, host=urlsplit(remote.chat.base_url).netloc),
        end="",
        file=run.err,
        flush=True,
    )
    with interrupted_at_once():
        answer = sys.stdin.readline()
    if answer.strip().lower() not in ("y", "yes"):
        run.say(tr("nothing was sent."))
        raise Cancelled


def _tally(judge: RemoteJudge, cases: Iterable[Case]) -> _Tally:
    tally = _Tally()
    for case in cases:
        try:
            tally.add(judge, case)
        # What cannot be prepared is not sent either: it fails again, and is told, with its row.
        except Exception:
            continue
    return tally


def _texts(masked: DeidentifiedCase) -> Sequence[str]:
    case = masked.case
    return (*(turn.text for turn in case.transcript.turns), case.note.text, *case.plan_texts)


def _tell(run: Run, tally: _Tally) -> None:
    """How many names and other identifiers are replaced, and which words with a capital nobody knows."""
    if tally.as_they_are:
        run.say(
            tr(
                "The address is on this computer: nothing is replaced. If the program there passes questions on to an "
                "online service, that service gets names too."
            )
        )
        return
    named, others = counted(tally.names, "name"), counted(tally.others, tr("other identifier"))
    where = share_of(counted(tally.places, "place"), counted(tally.cases, "case"))
    where = where if tally.cases > 1 else counted(tally.places, "place")
    told = tr("{names} and {others} will be replaced, in {places}; dates are shifted.")
    run.say(told.format(names=named, others=others, places=where))
    for found, what in (
        (tally.suspected, tr("replaced on suspicion")),
        (tally.unknown, tr("not recognized and sent as they are")),
    ):
        if found:
            more = tr(" and {count} more").format(count=len(found) - _MOST_WORDS) if len(found) > _MOST_WORDS else ""
            run.say(f"{what}: {', '.join(list(found)[:_MOST_WORDS])}{more}.")


def _tell_hidden(run: Run, tally: _Tally) -> None:
    if tally.hidden_whole:
        run.say(
            tr(
                "note: most words of {cases} are hidden before sending, as when a session is not in English; "
                "there is little left to judge."
            ).format(
                cases=tr("this case")
                if tally.cases == 1
                else share_of(tally.hidden_whole, counted(tally.cases, "case"))
            )
        )
