"""`noteeval agreement`: how far raters agree with each other, and each judge with them."""

from __future__ import annotations

from noteeval_desktop.commands.run import DONE, Run, check_outputs, deliver
from noteeval_desktop.measures import rater_tables


def agreement(run: Run) -> int:
    """The tables of the TN-Eval data: therapists, their ratings, and the LLM judges against them."""
    check_outputs({"--json": run.options.json}, (run.options.data,))
    report = rater_tables.tn_eval_agreement(run.options.data)
    if run.options.json is not None:
        deliver(run, run.options.json, report)
    if str(run.options.json) != "-":
        print(rater_tables.as_text(report), file=run.out)
    return DONE
