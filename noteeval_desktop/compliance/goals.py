"""The golden thread: a goal of the treatment plan that the session speaks to and the note does not."""

from __future__ import annotations

from collections.abc import Iterator

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.verdicts import Severity


def rule_of(goal: str) -> str:
    """By the goal's id."""
    return f"goal-not-in-note-{goal}"


def on_goals(thread: Thread) -> Iterator[Remark]:
    """One a goal; none where no model has read session and note for them."""
    for goal in thread.in_session_only:
        said = tr(
            "Goal {number} of the treatment plan, “{goal}”, comes up in the session. The note does not mention it."
        )
        yield Remark(
            RemarkKind.GOAL,
            rule_of(goal.id),
            said.format(number=goal.id[1:], goal=goal.text.rstrip(".")),
            tr("The client's treatment plan"),
            severity=Severity.LOW,
        )
