"""`noteeval score-response`: one response to a client, or a set of them and how often each attribute fails."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from noteeval_desktop.commands.rater_scores import compare, disagreement_words, read_ratings
from noteeval_desktop.commands.rater_scores import figure as icc_figure
from noteeval_desktop.commands.run import (
    DONE,
    JUDGE_FAILED,
    STANDARD_INPUT,
    Run,
    check_outputs,
    check_piped,
    deliver,
    finish,
    piped_in,
)
from noteeval_desktop.commands.sending import as_remote, clear_to_send, write_preview
from noteeval_desktop.documents.response_sets import Pair, as_context, read_response_set
from noteeval_desktop.domain.phrases import interval, share_of, tr
from noteeval_desktop.domain.text import normalise
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.errors import Cancelled, InputError, JudgeError, NoteEvalError
from noteeval_desktop.evaluate import score_response as score_one
from noteeval_desktop.judges.protocol import Exchange, Judge, Responder, case_of
from noteeval_desktop.measures.agreement import known_mean
from noteeval_desktop.measures.responses import AttributeSummary, ranking, ranks, summaries
from noteeval_desktop.present.vocabulary import NOT_CHECKED
from noteeval_desktop.report.json_layout import response_to_json
from noteeval_desktop.report.terminal import ProgressBar, figure, response_table, table

SCHEMA = "noteeval.response-set/1"
_MOST_RESPONSE_BYTES = 200_000


def score_response(run: Run) -> int:
    """One response to a client, on the six attributes, or a set of them."""
    options = run.options
    if options.ratings is not None:
        return compare_ratings(run)
    if options.role != Responder.NONE and options.judge == "builtin":
        raise InputError(
            "--role",
            tr("makes no difference to the quick check, which scores all responses alike"),
            tr("Add --judge local or remote."),
        )
    if options.set is not None:
        if options.context is not None or options.response is not None:
            raise InputError("--set", tr("is used on its own"), tr("Leave out --context and --response."))
        return score_set(run)
    if options.context is None or options.response is None:
        raise InputError(
            "score-response", tr("needs a context and a response"), tr("Give --context and --response, or --set.")
        )
    check_piped(options.context, options.response, tr("cannot be both the context and the response"))
    check_outputs({"--json": options.json, "--preview": options.preview}, (options.context, options.response))
    exchange = Exchange(
        as_context(_plain_text(options.context)), _plain_text(options.response), responder=Responder(options.role)
    )
    judge = run.judge()
    if options.preview is not None:
        preview_responses(run, judge, [exchange])
        return DONE
    clear_to_send(run, judge, [case_of([exchange])])
    verdict = score_one(judge, exchange, run.cancel)
    named = {"judge": dataclasses.asdict(judge.identity), "role": options.role}
    finish(run, response_to_json(verdict, text=not options.no_text) | named, response_table(verdict))
    reason = why_unjudged(verdict)
    if reason is not None:
        run.say(tr("the judge failed: {problem}").format(problem=reason))
    return DONE if reason is None else JUDGE_FAILED


def _plain_text(path: Path) -> str:
    name = STANDARD_INPUT if str(path) == "-" else path.name
    try:
        data = piped_in(path, _MOST_RESPONSE_BYTES)
        if data is None:
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


def score_set(run: Run) -> int:
    """Every response of the file, then failure frequency, high-quality share and spread of each attribute.

    Of a judge that fails or is stopped half-way, what was scored is written and marked incomplete.
    """
    options = run.options
    check_outputs({"--json": options.json, "--preview": options.preview}, (options.set,))
    pairs = read_response_set(options.set)
    role = Responder(options.role)
    exchanges = [Exchange(as_context(pair.context), pair.response, responder=role) for pair in pairs]
    judge, progress = run.judge(), ProgressBar(run.err)
    if options.preview is not None:
        preview_responses(run, judge, exchanges)
        return DONE
    clear_to_send(run, judge, (case_of([exchange]) for exchange in exchanges))
    scored: list[ResponseVerdict] = []
    problem: NoteEvalError | None = None
    try:
        for number, exchange in enumerate(exchanges):
            progress.show(tr("Scoring responses"), number, len(pairs))
            scored.append(score_one(judge, exchange, run.cancel))
        progress.show(tr("Scoring responses"), len(pairs), len(pairs))
    except (JudgeError, Cancelled) as stopped:
        problem = stopped
    reasons = [reason for reason in map(why_unjudged, scored) if reason is not None]
    if reasons and problem is None:
        problem = JudgeError(tr("{count} could not be judged: {reason}").format(count=len(reasons), reason=reasons[0]))
    found = summaries(scored)
    result = _to_json(pairs, scored, found, problem, text=not options.no_text)
    result |= {"judge": dataclasses.asdict(judge.identity), "role": options.role}
    if isinstance(problem, Cancelled):
        if options.json is not None:
            deliver(run, options.json, result)
        raise problem
    right = len(scored) - len(reasons)
    finish(run, result, f"{_lines(result)}\n\n{_table(found, right, len(pairs))}")
    if problem is not None:
        told = tr("{scored} responses were scored: {problem}")
        run.say(told.format(scored=share_of(right, len(pairs)), problem=problem))
        return JUDGE_FAILED
    return DONE


def preview_responses(run: Run, judge: Judge, exchanges: Sequence[Exchange]) -> None:
    """To `--preview`: what scoring ``exchanges`` would send first. Raises InputError."""
    remote = as_remote(judge)
    bodies, _ = remote.previews_of(exchanges)
    write_preview(run, remote, [case_of([one]) for one in exchanges], bodies["responses"], run.options.preview)


def why_unjudged(verdict: ResponseVerdict) -> str | None:
    """What the judge said where it gave no mark on an attribute; None where it gave all."""
    if all(given is not None for _, given in verdict.scores):
        return None
    return " ".join(verdict.notices) or tr("it gave no answer.")


def _to_json(
    pairs: Sequence[Pair],
    scored: Sequence[ResponseVerdict],
    found: Sequence[AttributeSummary],
    problem: Exception | None,
    text: bool,
) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "complete": problem is None,
        "problems": [] if problem is None else [str(problem)],
        "asked": len(pairs),
        "attributes": _summarised(found),
        "models": {
            model: {
                "responses": len(own),
                "css": known_mean([verdict.css for verdict in own]),
                "ars": known_mean([verdict.ars for verdict in own]),
                "gap": known_mean([verdict.gap for verdict in own]),
                "attributes": _summarised(summaries(own)),
            }
            for model, own in _by_model(pairs, scored).items()
        },
        "responses": [
            {"id": pair.id, "model": pair.model or None, "rank": rank} | response_to_json(verdict, text=text)
            for pair, verdict, rank in zip(
                pairs, scored, ranks([pair.context for pair in pairs[: len(scored)]], scored), strict=False
            )
        ],
    }


def _by_model(pairs: Sequence[Pair], scored: Sequence[ResponseVerdict]) -> dict[str, list[ResponseVerdict]]:
    """Of the responses whose model is told."""
    found: dict[str, list[ResponseVerdict]] = {}
    for pair, verdict in zip(pairs, scored, strict=False):
        if pair.model:
            found.setdefault(pair.model, []).append(verdict)
    return found


def _summarised(found: Sequence[AttributeSummary]) -> dict[str, Any]:
    return {
        summary.attribute.value: {
            "judged": summary.judged,
            "failures": summary.failures,
            "failure_frequency": summary.failure_frequency,
            "failure_interval": None if summary.interval is None else list(summary.interval),
            "high_quality_share": summary.high_quality_share,
            "mean": summary.mean,
            "spread": summary.spread,
        }
        for summary in found
    }


def _lines(result: Mapping[str, Any]) -> str:
    """One line a response, and one a model where models are told: of each attribute how often it scores 3 or less."""
    attributes = [attribute.value for attribute in Attribute]
    rows = [[tr("Response"), tr("Model"), *(name.capitalize() for name in attributes), "CSS", "ARS", tr("Rank")]]
    for one in result["responses"]:
        scores = [figure(one["scores"][name], 0) for name in attributes]
        rank = "" if one["rank"] is None else str(one["rank"])
        rows.append([one["id"], one["model"] or "", *scores, figure(one["css"], 1), figure(one["ars"], 1), rank])
    if not result["models"]:
        return table(rows)
    models = [[tr("3 or less"), "n", *(name.capitalize() for name in attributes), "CSS", "ARS", tr("Gap")]]
    for model, own in result["models"].items():
        shares = [own["attributes"][name]["failure_frequency"] for name in attributes]
        told = ["–" if share is None else f"{share:.0%}" for share in shares]
        models.append([model, str(own["responses"]), *told, *(figure(own[name], 2) for name in ("css", "ars", "gap"))])
    return f"{table(rows)}\n\n{table(models)}"


def compare_ratings(run: Run) -> int:
    """How far people's scores of the same responses agree, where they are more than two points apart, and how the
    responses rank by the raters' rounded means."""
    options = run.options
    if options.set is not None or options.context is not None or options.response is not None:
        raise InputError("--ratings", tr("is used on its own"), tr("Leave out what is to be scored."))
    check_outputs({"--json": options.json}, (options.ratings,))
    ratings = read_ratings(_plain_text(options.ratings))
    found = compare(ratings)
    count = max(map(len, ratings.values()), default=0)
    means = [_mean_verdict([own[n] for own in ratings.values()]) for n in range(count)]
    ranked = ranking(means)
    result = {
        "schema": "noteeval.response-ratings/1",
        "raters": list(ratings),
        "responses": count,
        "agreement": [dataclasses.asdict(one) for one in found.agreement],
        "disagreements": [dataclasses.asdict(one) for one in found.disagreements],
        "ranking": [dataclasses.asdict(one) for one in ranked],
    }
    rows = [[tr("Attribute"), "n", "ICC(C,1)", "ICC(A,1)"]]
    for one in found.agreement:
        row = [one.attribute.value.capitalize(), str(one.responses)]
        row += [icc_figure(one.consistency, one.consistency_interval), icc_figure(one.absolute, one.absolute_interval)]
        rows.append(row)
    order = [[tr("Rank"), tr("Response"), tr("3 or less"), tr("Mean")]]
    order += [[str(o.rank), str(o.index + 1), f"{o.failure_frequency:.0%}", f"{o.mean:.1f}"] for o in ranked]
    apart = [disagreement_words(one, "") for one in found.disagreements]
    told = [tr("More than two points apart: {those}").format(those="; ".join(apart))] if apart else []
    return finish(run, result, "\n\n".join([table(rows), table(order), *told]))


def _mean_verdict(given: Sequence[ResponseVerdict]) -> ResponseVerdict:
    """Means half up, on the scale of the scores."""
    means = [(attribute, known_mean([one.score(attribute) for one in given])) for attribute in Attribute]
    return ResponseVerdict(None, tuple((a, None if mean is None else int(mean + 0.5)) for a, mean in means))


def _table(found: Sequence[AttributeSummary], scored: int, asked: int) -> str:
    rows = [[tr("Attribute"), tr("3 or less"), tr("95 % interval"), tr("Above 3"), tr("Mean"), tr("Spread")]]
    for summary in sorted(found, key=lambda s: -(s.failure_frequency or 0.0)):
        rows.append([summary.attribute.value.capitalize(), *_figures(summary)])
    told = tr("{scored} responses scored. A guide for qualified reviewers, not a verdict.")
    return f"{table(rows)}\n{told.format(scored=share_of(scored, asked))}"


def _figures(summary: AttributeSummary) -> list[str]:
    if summary.interval is None or summary.failure_frequency is None or summary.high_quality_share is None:
        return [NOT_CHECKED]
    low, high = summary.interval
    return [
        f"{share_of(summary.failures, summary.judged)} ({summary.failure_frequency:.0%})",
        interval(f"{low:.0%}", f"{high:.0%}"),
        f"{summary.high_quality_share:.0%}",
        f"{summary.mean:.1f}",
        f"{summary.spread:.1f}",
    ]
