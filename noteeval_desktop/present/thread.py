"""The golden thread as a reader is shown it: for each goal and intervention of the plan what session and note say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile

from noteeval_desktop.domain.decisions import Decision, with_decided_links
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.note import Sentence
from noteeval_desktop.domain.phrases import counted, tr
from noteeval_desktop.domain.plan import GoalProgress, PlanLine, PlanLink, Thread
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.present.vocabulary import StateLook


class ThreadState(Enum):
    IN_NOTE = StateLook(tr("in the note"), "✓", "green")
    PERHAPS = StateLook(tr("perhaps in the note"), "?", "amber")
    SESSION_ONLY = StateLook(tr("in the session, not in the note"), "✗", "red")
    NOT_IN_NOTE = StateLook(tr("not in the note"), "○", "amber")
    NOT_FOUND = StateLook(tr("nothing found by the quick check"), "·", "muted")
    NOT_LOOKED_FOR = StateLook(tr("only the full check looks for this"), "·", "muted")


PROGRESS_NAMES = {
    GoalProgress.BETTER: tr("better"),
    GoalProgress.SAME: tr("unchanged"),
    GoalProgress.WORSE: tr("worse"),
    GoalProgress.MET: tr("reached"),
}


# Of what "?" stands for: measured, see judges/builtin/plan_links.py.
_GUESSED = tr("The quick check finds only some of them, and two in five of its guesses are wrong.")


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence of the note that speaks, or may, to a line of the plan."""

    sentence: Sentence
    link: PlanLink
    line: PlanLine

    @property
    def progress(self) -> str:
        """Empty where the sentence does not say."""
        return PROGRESS_NAMES.get(self.link.progress, "")


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A goal, with what speaks to any of its objectives, or an intervention. ``turns`` of the session."""

    line: PlanLine
    told: tuple[Told, ...]
    turns: tuple[int, ...]
    state: ThreadState

    @property
    def name(self) -> str:
        """ "Goal 2", "Intervention 1"."""
        called = tr("Goal {number}") if self.line.goal else tr("Intervention {number}")
        return called.format(number=self.line.id[1:])

    @property
    def session(self) -> str:
        return turn_list(self.turns) if self.turns else ""

    @property
    def note(self) -> str:
        """The state, and how it goes with the goal where the note says so."""
        goes = dict.fromkeys(one.progress for one in self.told if one.progress)
        return f"{self.state.value.name}: {', '.join(goes)}" if goes else self.state.value.name


def thread_rows(evaluation: Evaluation, decisions: Sequence[Decision] = ()) -> tuple[ThreadRow, ...]:
    """Goals, then interventions, with what a person decided about links; none without a plan."""
    thread = evaluation.thread and with_decided_links(evaluation.thread, evaluation.case.note, decisions)
    if thread is None:
        return ()
    return tuple(_row(line, thread, evaluation) for line in (*thread.plan.goals, *thread.plan.interventions))


def _row(line: PlanLine, thread: Thread, evaluation: Evaluation) -> ThreadRow:
    lines = {each.id: each for each in thread.plan.lines if each.id == line.id or (line.goal and each.goal == line.id)}
    sentences = {sentence.id: sentence for sentence in evaluation.case.note.sentences}
    told = tuple(
        Told(sentences[link.place], link, lines[link.line])
        for link in thread.note
        if link.line in lines and link.place in sentences
    )
    turns = tuple(sorted({int(link.place) for link in thread.session if link.line in lines}))
    return ThreadRow(line, told, turns, _state(line, thread, told, turns))


def _state(line: PlanLine, thread: Thread, told: Sequence[Told], turns: Sequence[int]) -> ThreadState:
    if any(one.link.certain for one in told):
        return ThreadState.IN_NOTE
    if told:
        return ThreadState.PERHAPS
    if not thread.read:
        return ThreadState.NOT_FOUND if line.goal else ThreadState.NOT_LOOKED_FOR
    return ThreadState.SESSION_ONLY if turns else ThreadState.NOT_IN_NOTE


@dataclass(frozen=True, slots=True)
class GoalCourse:
    """A goal of the latest plan, note by note from the oldest: its row, None of a note whose plan did not have it."""

    line: PlanLine
    rows: tuple[ThreadRow | None, ...]

    @property
    def untouched(self) -> int:
        """In how many of the last notes nothing was found that speaks to it."""
        found = (row.state in (ThreadState.IN_NOTE, ThreadState.PERHAPS) for row in reversed(self.rows) if row)
        return sum(1 for _ in takewhile(lambda told: not told, found))


def goals_over_time(notes: Sequence[Sequence[ThreadRow]]) -> tuple[GoalCourse, ...]:
    """Of a client's notes, each with its ``thread_rows``, from the oldest. A goal is the same where it is worded so."""
    by_words = [{row.line.text.casefold(): row for row in rows if row.line.goal} for rows in notes]
    latest = by_words[-1] if by_words else {}
    return tuple(GoalCourse(row.line, tuple(own.get(goal) for own in by_words)) for goal, row in latest.items())


def thread_trust(rows: Sequence[ThreadRow]) -> str:
    """How far to rely on what no model read and no person answered; empty where nothing of that kind is left."""
    guessed = any(row.state in (ThreadState.NOT_FOUND, ThreadState.PERHAPS) for row in rows)
    return _GUESSED if guessed else ""


def thread_summary(rows: Sequence[ThreadRow]) -> str:
    """To how many goals the note speaks; where nobody has read it for them, for how many a person has said so."""
    goals = [row for row in rows if row.line.goal]
    sure, asked = (sum(row.state is state for row in goals) for state in (ThreadState.IN_NOTE, ThreadState.PERHAPS))
    if asked or any(row.state is ThreadState.NOT_FOUND for row in goals):
        said = tr("Confirmed in the note: {done} of {goals} in the plan. Perhaps {asked} more.")
    else:
        said = tr("The note addresses {done} of {goals} in the plan.")
    return said.format(done=sure, goals=counted(len(goals), "goal"), asked=asked)
