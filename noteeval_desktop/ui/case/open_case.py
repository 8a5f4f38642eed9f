"""The case on the desk, without its window: what is open and where it came from, what was judged and decided."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path

from noteeval_desktop import documents
from noteeval_desktop.domain.asked import RISK_PLACE
from noteeval_desktop.domain.carrying import settled_of, still_held
from noteeval_desktop.domain.case import Background, Case
from noteeval_desktop.domain.decisions import SESSION_SUBJECT, Decision, DecisionKind, decision_stands, sentence_subject
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.findings import answered_keys
from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.plan import TreatmentPlan
from noteeval_desktop.domain.review import Comment, Review
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.silencing import kind_subject, silenced_keys
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import ERRORS, ClaimVerdict, ItemVerdict, NeedVerdict
from noteeval_desktop.present.finding import Finding, findings_of, in_one_entry


@dataclass(frozen=True, slots=True)
class Settled:
    """A ``review`` of ``note`` that came back; without one the judge's own marks are shown."""

    review: Review | None = None
    note: Note | None = None

    def of(self, judged: Evaluation) -> Evaluation:
        """What the review makes of a judge's evaluation, also of a note that was edited since."""
        return judged if self.review is None else settled_of(judged, self.review, self.note)

    @property
    def rater(self) -> str:
        return self.review.rater if self.review is not None else ""

    def as_marked(self, findings: tuple[Finding, ...], judged: Evaluation) -> tuple[Finding, ...]:
        """What the supervisor marked as the supervisor's, with what was commented on it."""
        if self.review is None:
            return findings
        held = still_held(judged, self.review, self.note)
        return tuple(self._by_supervisor(one) if _is_marked(one, held) else one for one in findings)

    def _by_supervisor(self, finding: Finding) -> Finding:
        sentence = finding.sentence
        on_it = [] if self.review is None or sentence is None else _on(sentence.text, self.review.comments)
        return replace(finding, why="\n".join(f"“{text}”" for text in on_it), by=tr("Marked by the supervisor"))

    def on_paper(self, judged: Evaluation) -> Evaluation:
        """As ``of``, and it says whose marks they are, unless the paper tells of the review itself."""
        if self.review is None or self.about(judged) is not None:
            return judged
        shown = self.of(judged)
        said = tr(
            "The note was changed since {rater} reviewed it: {rater}'s marks are shown where it reads as before, the "
            "judge's elsewhere."
        )
        note = replace(shown.case.note, warnings=(*shown.case.note.warnings, said.format(rater=self.rater)))
        return replace(shown, case=replace(shown.case, note=note))

    def about(self, judged: Evaluation | None) -> Review | None:
        """The review where it is of the very note that was judged."""
        same = self.review is not None and judged is not None and judged.case.note.sha256 == self.review.note_sha256
        return self.review if same else None


def _is_marked(finding: Finding, held: Review) -> bool:
    items = {mark.item for mark in held.items}
    match finding.ranked.source:
        case ClaimVerdict() as claim:
            return any(mark.sentence == claim.sentence for mark in held.claims)
        case NeedVerdict() as need:
            return any(mark.sentence == need.sentence for mark in held.needs)
        case ItemVerdict() as item:
            return item.item in items
        case RiskFinding() as risk:
            return f"{RISK_PLACE}{risk.citation.turn}" in items
    return False


def _on(sentence: str, comments: Iterable[Comment]) -> list[str]:
    return [one.text for one in comments if one.quote and (one.quote in sentence or sentence in one.quote)]


SAMPLE_LABEL = tr("Sample case (fictional)")
NOT_FLAGGED = tr("Not flagged any more.")
Source = Path | str


class OpenCase:
    """The half that is missing is None.

    ``*_source`` is where the session and the note come from, a file or text that was pasted, and ``tried_note`` what
    was last to be opened as the note, though it may not have been read. ``note_path`` is the file that Save writes to,
    and ``note_on_file`` a file with what it says; ``kept_*`` is what a file or the library holds. ``judged`` is what
    the judge said, ``evaluation`` what is shown of it: the same until a supervisor's marks come back. ``everywhere``:
    kinds of finding that are flagged in no case, and since when. ``background``: what is known of the note's client.
    """

    def __init__(self, rubric: Rubric) -> None:
        self._rubric = rubric
        self.everywhere: dict[str, str] = {}
        self.clear()

    def clear(self) -> None:
        self.label = ""
        self.plan: TreatmentPlan | None = None
        self.background = Background()
        self.transcript: Transcript | None = None
        self.transcript_source: Source | None = None
        self.note_text: str | None = None
        self.note_source: Source | None = None
        self.tried_note: Source | None = None
        self.note_path: Path | None = None
        self.note_on_file: tuple[Path, str] | None = None
        self.kept_transcript: Transcript | None = None
        self.kept_decisions: dict[str, Decision] = {}
        self.forget_judged()

    def forget_judged(self) -> None:
        """Another session or note is opened: what was said of the one before is about neither."""
        self.reads_responses = False
        self.judged: Evaluation | None = None
        self.evaluation: Evaluation | None = None
        self.first_look: Evaluation | None = None
        self.settled = Settled()
        self.decisions: dict[str, Decision] = {}
        self.all_findings: tuple[Finding, ...] = ()
        # Links whose sentence is gone from the note: they hold again once it is back.
        self._fallen: dict[str, Decision] = {}
        self._offered: list[str] = []  # sentences that the program wrote and the writer took

    def put_transcript(self, transcript: Transcript, source: Source | None) -> None:
        self.forget_judged()
        if self.transcript is not None:  # another session may be another client's
            self.plan = None
        self.transcript, self.transcript_source = transcript, source
        self.kept_transcript = transcript if isinstance(source, Path) else None
        self.kept_decisions = {}

    def put_note(
        self, note: Note, source: Source, on_file: tuple[Path, str] | None = None, decisions: Iterable[Decision] = ()
    ) -> None:
        """Of a draft also ``on_file``, its file with what that said, which it is saved back to, and its decisions."""
        self.forget_judged()
        self.decisions = {decision.subject: decision for decision in decisions}
        self.note_text, self.note_source = note.text, source
        self.background = Background()
        self.note_on_file = (source, note.text) if isinstance(source, Path) else on_file
        self.note_path = self.note_on_file[0] if self.note_on_file else None
        self.kept_decisions = {}

    # What is unsaved

    @property
    def session_changed(self) -> bool:
        """Whether no file, and not the library, holds the session as it is."""
        return self.transcript is not None and self.transcript != self.kept_transcript

    @property
    def session_file(self) -> Path | None:
        """What holds the session as it is on the desk."""
        source = self.transcript_source
        return source if isinstance(source, Path) and self.transcript == self.kept_transcript else None

    # What was judged

    @property
    def ready(self) -> bool:
        return self.transcript is not None and self.note_text is not None

    def case_maker(self) -> Callable[[], Case]:
        """Makes what a check would judge now, off the GUI thread; only where ``ready``."""
        transcript, text, label = self.transcript, self.note_text, self.label
        known = replace(self.background, plan=self.plan, today=date.today(), templates=tuple(self.everywhere))
        assert transcript is not None
        assert text is not None
        right = SESSION_SUBJECT in self.decisions
        return lambda: Case(transcript, documents.parse_note(text), label, right, known)

    def put_judged(self, judged: Evaluation | None) -> None:
        """None: all of the note was taken away, and what was found in it with it; what was decided may come back."""
        self.judged, self.evaluation = judged, judged and self.settled.of(judged)
        if judged is not None:
            given, note = self._answers_to_own_words(judged) | self._fallen | self.decisions, judged.case.note
            self.decisions = {
                key: decision for key, decision in given.items() if decision_stands(decision.reason, note)
            }
            self._fallen = {key: decision for key, decision in given.items() if key not in self.decisions}
        self._find()

    def _find(self) -> None:
        found = findings_of(self.evaluation, self._rubric, self.set_aside) if self.evaluation is not None else ()
        self.all_findings = self.settled.as_marked(found, self.evaluation) if self.evaluation is not None else ()

    def _answers_to_own_words(self, judged: Evaluation) -> dict[str, Decision]:
        """Not of what speaks of risk: there the program vouches for no words, its own neither."""
        now, own = datetime.now().replace(microsecond=0), dict[str, Decision]()
        for one in judged.sentences:
            taken = any(one.sentence.text.strip() in offered for offered in self._offered)
            if taken and one.claim and one.claim.verdict in ERRORS and harm_of_sentence(one.sentence) is not Harm.RISK:
                key = sentence_subject(one.claim.verdict, one.sentence.text)
                own[key] = Decision(DecisionKind.DISMISS, key, tr("Put in from the session"), now)
        return own

    def took(self, sentence: str) -> None:
        """The writer put in what the program offered: while it stands like that no doubt is raised about it."""
        self._offered.append(sentence)

    # What was decided

    def put_decisions(self, decisions: dict[str, Decision], gone: Collection[str] = ()) -> None:
        """``gone``: keys whose answer is taken back for good, also where their sentence is missing for now."""
        self.decisions = decisions
        self._fallen = {
            key: decision for key, decision in self._fallen.items() if key not in decisions and key not in gone
        }
        self._find()

    @property
    def set_aside(self) -> dict[str, str]:
        """The reasons, by the finding's key."""
        return {key: decision.reason for key, decision in self.decisions.items()}

    @property
    def decisions_for_export(self) -> tuple[Decision, ...]:
        """With what is silenced everywhere."""
        now = datetime.now().replace(microsecond=0)
        kinds = (Decision(DecisionKind.DISMISS, kind_subject(kind), NOT_FLAGGED, now) for kind in self.everywhere)
        return (*self.decisions.values(), *kinds)

    def findings(self) -> tuple[Finding, ...]:
        """Those that are open, in the order in which to mend them."""
        if self.evaluation is None:
            return ()
        ranked = [finding.ranked for finding in self.all_findings]
        silenced = silenced_keys(ranked, self.set_aside, self.everywhere)
        closed = self.decisions.keys() | answered_keys(self.evaluation, self.decisions) | silenced
        left = [finding for finding in self.all_findings if finding.key not in closed]
        return in_one_entry(left, self.evaluation, self._rubric)
