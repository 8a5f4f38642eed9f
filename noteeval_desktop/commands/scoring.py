"""`noteeval score-response`."""

from __future__ import annotations

import sys
from pathlib import Path

from noteeval_desktop.commands.run import DONE, JUDGE_FAILED, Run, check_outputs, finish, interrupted_at_once
from noteeval_desktop.commands.scoring_sets import preview_responses, score_set, why_unjudged
from noteeval_desktop.commands.sending import clear_to_send
from noteeval_desktop.documents.response_sets import as_context
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.errors import InputError
from noteeval_desktop.evaluate import score_response as score_one
from noteeval_desktop.judges.protocol import Exchange, case_of
from noteeval_desktop.report.json_layout import response_to_json
from noteeval_desktop.report.terminal import response_table

_MOST_RESPONSE_BYTES = 200_000


def score_response(run: Run) -> int:
    """One response to a client, on the six attributes, or a set of them."""
    options = run.options
    if options.set is not None:
        if options.context is not None or options.response is not None:
            raise InputError("--set", tr("is used on its own"), tr("Leave out --context and --response."))
        return score_set(run)
    if options.context is None or options.response is None:
        raise InputError(
            "score-response", tr("needs a context and a response"), tr("Give --context and --response, or --set.")
        )
    if str(options.context) == str(options.response) == "-":
        raise InputError(
            tr("standard input"), tr("cannot be both the context and the response"), tr("Give one of them as a file.")
        )
    check_outputs({"--json": options.json, "--preview": options.preview}, (options.context, options.response))
    exchange = Exchange(as_context(_plain_text(options.context)), _plain_text(options.response))
    judge = run.judge()
    if options.preview is not None:
        preview_responses(run, judge, [exchange])
        return DONE
    clear_to_send(run, judge, [case_of([exchange])])
    verdict = score_one(judge, exchange, run.cancel)
    finish(run, response_to_json(verdict, text=not options.no_text), response_table(verdict))
    reason = why_unjudged(verdict)
    if reason is not None:
        run.say(tr("the judge failed: {problem}").format(problem=reason))
    return DONE if reason is None else JUDGE_FAILED


def _plain_text(path: Path) -> str:
    name = tr("standard input") if str(path) == "-" else path.name
    try:
        if str(path) == "-" and sys.stdin is None:
            raise InputError(name, tr("is closed"), tr("Pipe the text in, or give it as a file."))
        if str(path) == "-":
            with interrupted_at_once():
                data = sys.stdin.buffer.read(_MOST_RESPONSE_BYTES + 1)
        else:
            with path.open("rb") as file:
                data = file.read(_MOST_RESPONSE_BYTES + 1)
        text = normalise(data.decode("utf-8-sig")).strip()
    except UnicodeDecodeError as error:
        raise InputError(name, tr("is not text in UTF-8"), tr("Save it as plain text in UTF-8.")) from error
    except OSError as error:
        raise InputError(
            name, tr("cannot be read ({reason})").format(reason=error.strerror), tr("Check the path.")
        ) from error
    if len(data) > _MOST_RESPONSE_BYTES:
        raise InputError(
            name, tr("is longer than a response and its context can be"), tr("Give the last few turns only.")
        )
    if not text:
        raise InputError(name, tr("holds no text"), tr("Give what was said."))
    return text
