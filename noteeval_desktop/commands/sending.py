"""What `--preview` writes, and what `--consent` says on a terminal before a case is sent."""

from __future__ import annotations

import re
from pathlib import Path

from noteeval_desktop.commands.run import Run
from noteeval_desktop.domain.case import Case
from noteeval_desktop.errors import InputError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.report.files import replacing

_TOKEN = re.compile(r"\[([A-Z]+)-\d+\]")
_MOST_WORDS = 30


def write_preview(run: Run, judge: Judge, case: Case, target: Path) -> None:
    """The bodies that judging ``case`` would send first, byte for byte, one a line. Nothing is sent."""
    from noteeval_desktop.judges.llm.remote import RemoteJudge

    if not isinstance(judge, RemoteJudge):
        raise InputError("--preview", "goes with a remote judge only", "Add --judge remote, or leave it out.")
    judge.marks = run.options.likert
    bodies = [body for some in judge.preview(case).values() for body in some]
    with replacing(target) as file:
        file.write_bytes(b"".join(body + b"\n" for body in bodies))
    tell(run, judge, case)
    run.say(f"nothing was sent; {target.name} holds the {len(bodies)} requests, one a line.")


def tell_on_terminal(run: Run, judge: Judge, case: Case) -> None:
    """Before a remote judge is asked, to a person who is there to read it."""
    from noteeval_desktop.judges.llm.remote import RemoteJudge

    if isinstance(judge, RemoteJudge) and run.err.isatty():
        tell(run, judge, case)


def tell(run: Run, judge: Judge, case: Case) -> None:
    """How many names and other identifiers are replaced, and which words with a capital nobody knows."""
    from noteeval_desktop.judges.llm.remote import RemoteJudge

    assert isinstance(judge, RemoteJudge)
    masked = judge.prepared(case).case
    found = [
        match
        for text in (*(turn.text for turn in masked.transcript.turns), masked.note.text)
        for match in _TOKEN.finditer(text)
    ]
    names = {match.group() for match in found if match[1] == "PERSON"}
    others = {match.group() for match in found} - names
    run.say(f"{len(names)} names and {len(others)} other identifiers are replaced, in {len(found)} places.")
    unknown = judge.unknown(case)
    for hidden, what in ((True, "replaced on suspicion"), (False, "not recognised and sent as they are")):
        words = [word.word for word in unknown if word.hidden is hidden]
        if words:
            more = f" and {len(words) - _MOST_WORDS} more" if len(words) > _MOST_WORDS else ""
            run.say(f"{what}: {', '.join(words[:_MOST_WORDS])}{more}.")
