"""One round of supervision, from blind marks to the answer: its stages, its places and its keys. No widget in it."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from noteeval_desktop.domain.asked import RISK_AS, RISK_PLACE
from noteeval_desktop.domain.carrying import Rewritten, decided, rewritten
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.review import CaseStatus, Comment, Dimension, Review, Settlement
from noteeval_desktop.domain.reviewed import settled_marks
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Role, Transcript, cite
from noteeval_desktop.domain.verdicts import ERRORS
from noteeval_desktop.ui.editor.highlights import Highlight
from noteeval_desktop.ui.editor.speakers_strip import ROLE_NAMES
from noteeval_desktop.ui.library.revisions import Kept, difference
from noteeval_desktop.ui.library.words import judge as judge_name
from noteeval_desktop.ui.supervision import words
from noteeval_desktop.ui.supervision.marking import Differing, Marking, differing, settlement_of
from noteeval_desktop.ui.supervision.pages import (
    Page,
    answer_page,
    changes_page,
    comments_page,
    difference_page,
    item_names,
    pass_page,
)
from noteeval_desktop.ui.supervision.passes import Choice, FaithfulnessPass, claim_mark
from noteeval_desktop.ui.supervision.work import OpenReview

if TYPE_CHECKING:
    from noteeval_desktop.store.records import CaseSummary

_KINDS = {verdict: FindingKind(verdict.value) for verdict in ERRORS}


class Stage(StrEnum):
    CHANGES = words.CHANGES
    RISK = words.RISK
    COMPLETENESS = words.COMPLETENESS
    CONCISENESS = words.CONCISENESS
    FAITHFULNESS = words.FAITHFULNESS
    RATINGS = words.RATINGS
    COMMENTS = words.COMMENTS
    DIFFERENCES = words.DIFFERENCES
    ANSWER = words.ANSWER


MARKED = (Stage.RISK, Stage.COMPLETENESS, Stage.CONCISENESS, Stage.FAITHFULNESS, Stage.RATINGS)


class Round:
    """``picked`` are the turns chosen for the sentence at hand."""

    def __init__(self, shown: OpenReview, rubric: Rubric) -> None:
        self.shown = shown
        self.marking = Marking(
            shown.note, rubric, shown.review, shown.dangers, shown.transcript, asked_only=True, also=shown.also
        )
        self.changes: tuple[Rewritten, ...] = ()
        self._carried = self._changes_judged = ""
        self._decided: dict[tuple[Dimension, str], Settlement] = {}
        if shown.earlier is not None:
            before = shown.earlier
            self.changes = rewritten(before.review, before.note, shown.note)
            self._decided = decided(before.review, before.note, shown.note, rubric)
            self._carried = words.EARLIER_MARKS if shown.review.carried else ""
        self.found: tuple[Differing, ...] = ()
        self.judge = 0
        self.picked: tuple[int, ...] = ()
        self._at = {Stage.CHANGES: 0, Stage.COMMENTS: 0, Stage.DIFFERENCES: 0, Stage.ANSWER: 0}
        self._item_name = item_names(rubric)
        self.stage = Stage.CHANGES
        if not shown.earlier:
            self.stage = self._marked_stage
        if not shown.review.blind:
            self.uncover(shown)
        self._pick_again()

    @property
    def stages(self) -> tuple[Stage, ...]:
        first = (Stage.CHANGES,) if self.shown.earlier else ()
        blind = self.marking.review.blind
        written = (Stage.COMMENTS,) if self.marking.review.comments or self.stage is Stage.COMMENTS else ()
        last = written if blind else (Stage.DIFFERENCES, Stage.ANSWER)
        return (*first, *(Stage(one.name) for one in self.marking.passes if one.places), *last)

    @property
    def _marked_stage(self) -> Stage:
        return Stage(self.marking.current.name)

    def ask_only(self, asked_only: bool) -> None:
        """What a person must judge, or everything."""
        self.marking.ask(asked_only)
        if self.stage in MARKED:
            self._follow()

    def uncover(self, shown: OpenReview) -> None:
        """The marks are in: what the judges said is known from now on."""
        self.shown = shown
        self.judge = max(len(shown.judged) - 1, 0)
        self._compare()
        self._settle_as_before()
        settled = self.evaluation is not None and self.progress_of_differences == len(self.found)
        self.stage = Stage.ANSWER if settled else Stage.DIFFERENCES

    def _settle_as_before(self) -> None:
        """What was settled in the round before, and is marked as it was, is settled."""
        marking = self.marking
        for one in (each.difference for each in self.found):
            before = self._decided.get((one.dimension, one.place))
            as_before = before and (before.agreed == one.person or before.agreed not in words.values(one.dimension))
            if before and as_before and settlement_of(one, marking.review) is None and not marking.review.signature:
                marking.take(marking.review.settled_with(before))

    def use_judge(self, number: int) -> None:
        self.judge = number
        self._at[Stage.DIFFERENCES] = 0
        self._compare()

    @property
    def evaluation(self) -> Evaluation | None:
        return self.shown.judged[self.judge] if self.shown.judged else None

    @property
    def judge_names(self) -> tuple[str, ...]:
        return tuple(judge_name(f"{one.judge.kind} {one.judge.model}") for one in self.shown.judged)

    def _compare(self) -> None:
        marking, evaluation = self.marking, self.evaluation
        if evaluation is not None:
            self.found = differing(marking.note, marking.rubric, marking.review, evaluation)
            left = [n for n, one in enumerate(self.found) if settlement_of(one.difference, marking.review) is None]
            self._at[Stage.DIFFERENCES] = left[0] if left else 0
            self._changes_judged = self._compare_revisions(evaluation)

    def _compare_revisions(self, after: Evaluation) -> str:
        """What each change solved or caused, where the same judge checked both; empty otherwise."""
        earlier = self.shown.earlier
        before = next((one for one in self.shown.judged_before if one.judge == after.judge), None)
        if earlier is None or before is None:
            return ""
        first = Kept(1, earlier.review.started, earlier.note, before)
        return difference(first, Kept(2, self.shown.review.started, self.shown.note, after), self._item_name)

    # What is shown

    @property
    def transcript(self) -> Transcript:
        """While the review is blind without the therapist's name: it is the author's."""
        shown = self.shown.transcript
        if self.marking.review.blind:
            for speaker in shown.speakers:
                if shown.role_of(speaker) is Role.THERAPIST:
                    shown = shown.with_speaker_renamed(speaker, ROLE_NAMES[Role.THERAPIST])
        return shown

    @property
    def page(self) -> Page:
        marking, review = self.marking, self.marking.review
        if self.stage in MARKED:
            return pass_page(marking, self.picked)
        if self.stage is Stage.CHANGES:
            return changes_page(self.changes, self.at, self._carried, self._changes_judged, self._decided_before())
        if self.stage is Stage.COMMENTS:
            return comments_page(review, self.at, self._item_name)
        if self.stage is Stage.DIFFERENCES:
            if self.evaluation is None:
                return Page(words.ASK_DIFFERENCE, "", words.NOTHING_JUDGED, "", (), "", (), 0, "")
            name = self.judge_names[self.judge]
            shown = difference_page(self.found, self.at, review, name)
            here = self.found[self.at].difference if self.found else None
            before = self._decided.get((here.dimension, here.place)) if here else None
            return replace(shown, remark=words.with_last_time(shown.remark, self._said(before))) if before else shown
        return answer_page(review, self.at, self.shown.stand, self._answers(), self._answer_said(), self._item_name)

    def _decided_before(self) -> tuple[tuple[str, str], ...]:
        """What the decisions of the round before are about, and what they were."""
        about = {sentence.id: sentence.text for sentence in self.marking.note.sentences}
        for turn in self.shown.transcript.turns:
            about |= dict.fromkeys((f"{RISK_PLACE}{turn.index}", f"{RISK_AS}{turn.index}"), f"“{turn.text}”")
        return tuple((about.get(p, self._item_name(p)), self._said(one)) for (_, p), one in self._decided.items())

    def _said(self, one: Settlement) -> str:
        """Of the round before, whose mark was carried over."""
        return words.decided(one, any(mark.judged for mark in self.shown.review.claims if mark.sentence == one.place))

    def _answers(self) -> tuple[Choice, ...]:
        """What the supervisor may do next with a case of this status; the author's steps are offered to the author."""
        keys = {CaseStatus.RETURNED: "R", CaseStatus.APPROVED: "A"}
        moves = [Choice(keys[one], words.STATUS_DOES[one], one.value, marks=False) for one in self._offered]
        return (
            *moves,
            Choice("P", words.SAVE_SCORECARD, "pdf", marks=False),
            Choice("X", words.EXPORT_CASE_FILE, "file", marks=False),
        )

    @property
    def _offered(self) -> list[CaseStatus]:
        own = {CaseStatus.APPROVED} if self.shown.own_note else set()
        return [one for one in words.STATUS_DOES if self.shown.status.may_become(one) and one not in own]

    def _answer_said(self) -> str:
        done, count = self.progress_of_differences, len(self.found)
        parts = [words.settled_of(done, count) if count else ""]
        parts.append(words.STATUS_MEANS.get(self.shown.status, ""))
        if self.shown.own_note:
            parts += [words.RETURN_SENDS if self._offered else "", words.OWN_NOTE]
        elif self._offered:
            parts.append(words.RETURN_OR_APPROVE)
        return " ".join(part for part in parts if part)

    @property
    def progress_of_differences(self) -> int:
        return sum(settlement_of(one.difference, self.marking.review) is not None for one in self.found)

    def progress(self) -> dict[Stage, tuple[int, int]]:
        """Done and total, of the stages in which there is something to count."""
        counts = zip(self.marking.passes, self.marking.progress(), strict=True)
        differences = (self.progress_of_differences, len(self.found))
        return {**{Stage(one.name): count for one, count in counts}, Stage.DIFFERENCES: differences}

    @property
    def span(self) -> Span | None:
        """The passage of the note at hand."""
        if self.stage in MARKED:
            return self.marking.place.span if self.marking.place else None
        if self.stage is Stage.DIFFERENCES and self.found:
            return self.found[self.at].place.span
        comment = self.comment_here
        if comment is not None:
            return comment.span
        if self.stage is Stage.CHANGES and self.at < len(self.changes) and self.changes[self.at].after:
            after = self.changes[self.at].after
            return Span(after[0].span.start, after[-1].span.end)
        return None

    @property
    def citations(self) -> tuple[Citation, ...]:
        """Turns at hand: one's own, and after the marks are in the judge's."""
        turns, place = self.shown.transcript.turns, self.marking.place
        if self.stage is Stage.RISK and place is not None:
            risks = tuple(risk.citation for risk in self.shown.dangers if str(risk.citation.turn) == place.id)
            return risks or (cite(turns[int(place.id)]),)
        if self.stage is Stage.FAITHFULNESS:
            return tuple(cite(turns[n]) for n in self.picked)
        if self.stage is Stage.DIFFERENCES and self.found:
            one = self.found[self.at]
            cited = {citation.turn for citation in one.citations}
            return (*one.citations, *(cite(turns[n]) for n in one.own_turns if n not in cited))
        return ()

    @property
    def highlights(self) -> tuple[Highlight, ...]:
        """One's own marks on sentences, as they were settled; in each pass only its own."""
        review, spans = settled_marks(self.marking.review), {s.id: s.span for s in self.marking.note.sentences}
        marks: list[Highlight] = []
        if self.stage not in (Stage.COMPLETENESS, Stage.FAITHFULNESS):
            marks += [
                Highlight(spans[m.sentence], FindingKind.UNNEEDED, f"need:{m.sentence}", words.NOT_NEEDED)
                for m in review.needs
                if not m.needed and m.sentence in spans
            ]
        if self.stage not in (Stage.COMPLETENESS, Stage.CONCISENESS):
            marks += [
                Highlight(spans[m.sentence], _KINDS[m.verdict], f"claim:{m.sentence}", words.claim(m))
                for m in review.claims
                if m.verdict in _KINDS and m.sentence in spans
            ]
        return tuple(marks)

    # Moving

    @property
    def at(self) -> int:
        if self.stage in MARKED:
            return self.marking.at
        count = {Stage.CHANGES: len(self.changes) + bool(self._changes_judged), Stage.DIFFERENCES: len(self.found)}
        most = count.get(self.stage, len(self.marking.review.comments))
        return max(0, min(self._at[self.stage], most - 1))

    def go(self, at: int) -> None:
        if self.stage in MARKED:
            self.marking.go(at)
            self._pick_again()
        else:
            self._at[self.stage] = max(0, at)

    def go_to_sentence(self, offset: int) -> bool:
        """To the sentence that stands at an offset of the note, in the passes that go by sentences."""
        if self.stage not in (Stage.CONCISENESS, Stage.FAITHFULNESS):
            return False
        places = self.marking.current.places
        at = next((n for n, place in enumerate(places) if place.span and place.span.contains(offset)), None)
        if at is not None:
            self.go(at)
        return at is not None

    def show(self, stage: Stage) -> None:
        if stage in self.stages:
            self.stage = stage
            if stage in MARKED:
                self.marking.enter([one.name for one in self.marking.passes].index(stage.value))
            self._pick_again()

    def next_open(self) -> bool:
        """False: nothing is open."""
        if self.stage is Stage.DIFFERENCES:
            return self._next_difference()
        found = self.marking.to_next_open() if self.stage in MARKED else self.marking.to_first_open()
        if found:
            self._follow()
        return found

    def _next_difference(self) -> bool:
        review, count, at = self.marking.review, len(self.found), self.at
        for other in [*range(at + 1, count), *range(at)]:
            if settlement_of(self.found[other].difference, review) is None:
                self._at[Stage.DIFFERENCES] = other
                return True
        return False

    def _follow(self) -> None:
        self.stage = self._marked_stage
        self._pick_again()

    def _pick_again(self) -> None:
        """The turns that were picked for the place at hand before."""
        place = self.marking.place
        in_claims = self.stage is Stage.FAITHFULNESS and place is not None
        mark = claim_mark(place, self.marking.review) if in_claims and place else None
        self.picked = mark.turns if mark else ()

    # Marking

    def press(self, key: str) -> bool:
        """A key that marks or settles; False where it means nothing here."""
        if self.stage is Stage.DIFFERENCES:
            return self._settle_by(key)
        if self.stage not in MARKED:
            return False
        if isinstance(self.marking.current, FaithfulnessPass):
            done = self.marking.judge_claim(key, self.picked)
        else:
            done = self.marking.choose(key)
        if done:
            self._follow()
        return done

    def toggle_turn(self, turn: int) -> None:
        """Pick a turn as a source of the sentence at hand, or let it go."""
        if self.stage is not Stage.FAITHFULNESS or not self.marking.review.blind:
            return
        others = tuple(one for one in self.picked if one != turn)
        self.picked = others if turn in self.picked else tuple(sorted((*self.picked, turn)))
        self.marking.pick_turns(self.picked)

    def go_on(self) -> None:
        """Enter: what is chosen here is enough."""
        if self.stage in MARKED:
            self.marking.go_on()
            self._follow()
        else:
            self.go(self.at + 1)

    def undo(self) -> bool:
        return self._after(self.marking.review, self.marking.undo())

    def redo(self) -> bool:
        return self._after(self.marking.review, self.marking.redo())

    def _after(self, before: Review, changed: bool) -> bool:
        """To where something is as it was before."""
        review = self.marking.review
        if changed and review.blind:
            self._follow()
        elif changed:
            self.stage = Stage.DIFFERENCES
            moved = {(one.dimension, one.place) for one in set(before.settled) ^ set(review.settled)}
            places = [(one.difference.dimension, one.difference.place) for one in self.found]
            self._at[Stage.DIFFERENCES] = next((n for n, one in enumerate(places) if one in moved), self.at)
        return changed

    def _settle_by(self, key: str) -> bool:
        if not self.found or key not in ("K", "T") or self.marking.review.signature:
            return False
        difference = self.found[self.at].difference
        self.settle(difference.person if key == "K" else difference.judge, "")
        return True

    def settle(self, agreed: str, reason: str) -> None:
        """The difference at hand; then the next open one."""
        difference = self.found[self.at].difference
        was_open = self.settlement_here is None
        self.marking.settle(Settlement(difference.dimension, difference.place, agreed, reason))
        if not self._next_difference() and was_open:
            self.stage = Stage.ANSWER

    @property
    def settlement_here(self) -> Settlement | None:
        return settlement_of(self.found[self.at].difference, self.marking.review) if self.found else None

    @property
    def comment_here(self) -> Comment | None:
        """The comment that is chosen in their list."""
        comments = self.marking.review.comments
        return comments[self.at] if self.stage in (Stage.COMMENTS, Stage.ANSWER) and comments else None

    def now_is(self, case: CaseSummary) -> None:
        self.shown = replace(self.shown, status=case.status, stand=case.stand)
