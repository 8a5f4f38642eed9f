"""What supervision says in the window. It talks about the note, never about the person who wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from noteeval_desktop.domain.asked import RiskAnswer
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.finding_words import VERDICTS
from noteeval_desktop.domain.phrases import are, counted, listed
from noteeval_desktop.domain.review import HIGHEST, CaseStatus, ClaimMark, Dimension, Review, Settlement, Vouched
from noteeval_desktop.domain.reviewed import settled_evaluation
from noteeval_desktop.domain.risk import RiskKind
from noteeval_desktop.domain.standing import Stand, Standing, stand_of
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Verdict
from noteeval_desktop.report import standing_words
from noteeval_desktop.report.feedback import ACCEPTANCE_VALUES as ACCEPTANCE_VALUES
from noteeval_desktop.report.standing_words import whose
from noteeval_desktop.ui.findings.score_words import completeness, conciseness, faithfulness
from noteeval_desktop.ui.findings.words import RISK_NAMES
from noteeval_desktop.ui.widgets.plain import native
from noteeval_desktop.ui.widgets.words import turn_list

SHOW_THE_MARKS = "Show the marks"
SHOW_THE_JUDGES = "Judge's marks in the note"
SHOW_THE_JUDGES_HINT = (
    "While this window is open, the note, its scores and its risks are shown as the judge marked them. Otherwise the "
    "supervisor's marks are shown."
)
SUBMIT_THE_NOTE = "Submit the note"
SUBMIT_AGAIN = "Submit again"
KEEP_THIS_CASE = "Keep this case…"
SUBMIT_FOR_REVIEW = "Submit for review…"
SUBMIT_HINT = "Submit the note to your supervisor"
RETURN_IT = "Return it"
RETURN_IT_FOR_REVISION = "Return it for revision"
NOT_YET = "Not yet"
SUBMIT_YOUR_MARKS = "Submit your marks"
SUBMIT = "Submit marks"
SUBMIT_AGAIN_ASKS = "Submit again…"
SAVE_AS_PDF = "Save as PDF…"
NOTE_UNDER_REVIEW = "Note under review"
COMMENTS_ON_UNCHANGED_TEXT = "Comments on unchanged text"
THERE_IS_NOTHING_TO_MARK_HERE = "There is nothing to mark here."
SAVE_THE_SCORECARD = "Save the scorecard"
NOT_SAVED = "Not saved"
COMPARED_WITH_THIS_JUDGE = "Compared with this judge"
RISK = "Risk"
COMMENTS, TO_FIX, TO_ADD, TO_CUT = "Comments", "To fix", "To add", "To cut"
REASONS = "How differences were settled"
COMPLETENESS, CONCISENESS, FAITHFULNESS, RATINGS = "Completeness", "Conciseness", "Faithfulness", "Ratings"
CHANGES, DIFFERENCES, ANSWER = "What changed", "Differences", "Answer"
DIMENSION_NAMES = {
    Dimension.RISK: RISK,
    Dimension.COMPLETENESS: COMPLETENESS,
    Dimension.CONCISENESS: CONCISENESS,
    Dimension.FAITHFULNESS: FAITHFULNESS,
}
ASK_RISK = "This may be about risk. Does the note address it?"
ASK_ITEM = "Is this in the note?"
ASK_NEED = "What is this sentence for? Choose every item that it covers."
ASK_CLAIM = "Does the session say so? Pick the turns first, then choose."
JUDGED, JUDGED_MEANS = "Judged otherwise", "I disagree with this assessment"
ASK_RATING = "How good is the note as a whole?"
ASK_DIFFERENCE = "You and the judge differ here. Which is right?"
ASK_ANSWER = "Your marks are submitted. What should happen to the note?"
ASK_COMMENTS = "Your comments so far. They go to the author with your marks."
NO_COMMENT_YET = "There is no comment. C writes one at any question."
EDIT_COMMENT, REMOVE_COMMENT = "Edit this comment…", "Remove this comment"
ANSWERED = "Your review is done."
ASK_CHANGES = "What was rewritten since the last review."
PRESENT, MISSING, NOT_NEEDED, NEEDED = "In the note", "Missing", "Not needed", "Needed"
RISK_ANSWERS = {
    RiskAnswer.ADDRESSED: "The note addresses it",
    RiskAnswer.LEFT_OUT: "Not in the note",
    RiskAnswer.OPPOSITE: "The note says the opposite",
    RiskAnswer.NO_DANGER: "Not about risk",
}
ANOTHER_KIND = "It is another kind of danger…"
RATED = {
    Dimension.COMPLETENESS: "Completeness of the note",
    Dimension.CONCISENESS: "Conciseness of the note",
    Dimension.FAITHFULNESS: "Faithfulness of the note",
}
RATED_EXPLAINED = {
    Dimension.COMPLETENESS: "Does it contain what a reader of the record needs to know?",
    Dimension.CONCISENESS: "Does every sentence earn its place?",
    Dimension.FAITHFULNESS: "Can a reader rely on what it says about the session?",
}
RATING_VALUES = ("Very weak", "Weak", "Fair", "Good", "Very good")
ACCEPTANCE = "Would you accept this note into the record?"
ACCEPTED_AS_IT_IS = "Would I accept this note into the record?"
ACCEPTANCE_EXPLAINED = "As it is, taken as a whole."
EARLIER_MARKS = "Where the note reads as before, your earlier marks are kept."
BLIND = "Blind: the judge’s marks and whose note it is stay hidden until you submit yours."
NOT_BLIND = (
    "Not blind: the judge’s marks on this note were seen in this library before. They stay hidden here until you "
    "submit yours. The scorecard says so, and the review is not used to compare raters."
)
HANDED_IN = "Your marks are submitted and final."
NOTHING_JUDGED = (
    "No judge has checked this note yet, so there is nothing to compare. Open the case from the library, "
    "wait until it is checked, and open the review again."
)
BY_THE_JUDGE = "What the changes fixed and caused, according to the judge"
NOTHING_CHANGED = "The sentences have not changed."
NO_DIFFERENCE = "You and the judge agree on everything."
_UNDO, _ALL_KEYS = f"{native('Ctrl+Z')} undo", f"{native('F1')} all keys"
KEYS_MARKING = f"↓ next · ↑ back · J next open · C comment · {_UNDO} · {native('Ctrl+Enter')} submit · {_ALL_KEYS}"
KEYS_CLAIMS = (
    f"F find its words · Space pick the turn · {native('Ctrl+F')} search · J next open · C comment · {_ALL_KEYS}"
)
KEYS_NEEDS = f"0 not needed · Enter next · ↑ back · J next open · C comment · {_UNDO} · {_ALL_KEYS}"
KEYS_SETTLING = f"K keep mine · T take the judge’s · O something else · J next open · {_UNDO} · {_ALL_KEYS}"
KEYS_ANSWER = f"C comment on the selected words · E edit · Delete remove · {_UNDO} · {_ALL_KEYS}"
KEYS_COMMENTS = f"↓ next · ↑ back · E edit · D remove · J next open question · {_UNDO} · {_ALL_KEYS}"
KEYS_CHANGES = f"↓ next · ↑ back · J first open question · {_ALL_KEYS}"
SIGNED = f"The review is signed and final. · {_ALL_KEYS}"
NOTHING_OPEN = f"Everything is marked. {native('Ctrl+Enter')} submits your marks."
NOTHING_ALIKE = f"No turn shares a word with this sentence. Search the session with {native('Ctrl+F')}."
EXPORT_NOW = "Export the encrypted file…"
WHY_HAND_IN = (
    "You cannot change your marks afterwards. You then see the judge’s marks and whose note it is, and settle "
    "the differences one by one."
)
WITH_JUDGE = "Add the judge's marks beside the supervisor's"
DECIDED_BEFORE = "Settled last time, and still there"
FOUND_BY_THE_CHECK = "Found by the check; the supervisor was not asked"
ASK_ALL = "Ask all"
LETTER_KEYS = "Letter keys"
LETTER_KEYS_EXPLAINED = (
    "Single letters and digits answer the question at hand. Switch them off if you dictate or often hit a key by "
    "chance; the buttons do the same."
)
ASK_ALL_EXPLAINED = (
    "You are asked what only a person should judge: mentions of risk, the mandatory items, what the note says on risk, "
    "medication, diagnosis and plan, and whether you would accept it. The rest keeps the check’s "
    "marks, shown as the check’s. Switch this on to mark all of it yourself."
)
STATUS_DOES = {
    CaseStatus.RETURNED: "Return it for revision…",
    CaseStatus.APPROVED: "Approve and sign…",
}
OWN_NOTE = (
    "This note was written in this library, so it is not approved here: an approval is worth something because a "
    "second person gives it. Export the case for your supervisor, who approves and signs it in a library of their own."
)
STATUS_MEANS = {
    CaseStatus.DRAFT: "Returning or approving it counts it as submitted.",
    CaseStatus.RETURNED: "It can be approved once its author has submitted it again.",
}
RETURN_SENDS = "Return sends it back with your marks and comments."
RETURN_OR_APPROVE = f"{RETURN_SENDS[:-1]}; Approve signs it as it is, in your name."
RETURN_EXPLAINED = (
    "The note goes back with your marks and {comments}. Export the case as one encrypted file, or leave it in "
    "this library if you both work with it."
)
CHOOSE_A_CASE = "Choose the case to review in the library, then “Review as supervisor…”."
KEEP_FIRST = "Keep the case in the library before you submit it."
DRAFT_AGAIN = "The case is a draft again."
FEEDBACK_OF_KEPT = "Feedback comes with a case in the library. Import the file that you were sent there, and open it."
NO_FEEDBACK = "There is no feedback on this note yet."
_SUBMITTED = {CaseStatus.SUBMITTED: "submitted", CaseStatus.RESUBMITTED: "submitted again"}
REOPEN = "Reopen it as a draft"
WITHDRAW = "Withdraw it"
SUBMIT_ANYWAY = "Submit anyway"
SUBMIT_IT = "Submit"
NAME = "Name"
REWRITTEN = "✓ rewritten since"
FEEDBACK = "Feedback"
WHAT_WAS_MARKED = "What was marked"
SOMETHING_ELSE_ASKS = "Something else…"
UNCHANGED = "Unchanged"
ITEMS_TO_MARK = "Items to mark"
SAVE_SCORECARD = "Save the scorecard as PDF…"
EXPORT_CASE_FILE = "Export the encrypted case file…"
REVIEW = "Review"
WORD_NOT_BLIND = "not blind"
KEYS_OF_THE_REVIEW = "Keys of the review"


def submitting(status: CaseStatus, ready: str, risks: str) -> str:
    """``ready`` is what the window says about open findings; empty where nothing was checked. ``risks`` lists those
    that are open."""
    start = f"{risks}\n\n" if risks else ""
    start += f"{ready}. " if ready else ""
    return (
        f"{start}The note is saved as a revision and counts as {_SUBMITTED[status]}. Export the case as one encrypted "
        "file for your supervisor afterwards, who reviews it in a library of their own."
    )


def submitted(status: CaseStatus) -> str:
    return f"The note was {_SUBMITTED[status]}."


def came_back(stand: Stand, review: Review, changed: bool, mine: bool, vouched: Vouched | None) -> str:
    """What became of the note on the desk. ``changed``: it reads otherwise than what was reviewed; ``mine``: whoever
    reads this reviewed it. Empty while the note waits for an answer."""
    own = stand_of(review)
    shown = Stand(Standing.CHANGED, own.by) if changed and review.signature is not None else own
    if shown.standing is Standing.MARKED and stand.review == review.id:
        shown = stand
    if shown.standing is Standing.MARKED:
        return standing_words.said(shown, True) if mine else ""
    said = standing_words.said(shown, mine, whose(shown.by, vouched))
    count = len(review.comments)
    return said if shown.standing is Standing.CHANGED or not count else f"{said} It has {comments(count)}."


def of_five(value: int) -> str:
    return f"{value} of {HIGHEST}"


def claim(mark: ClaimMark) -> str:
    """ "Misinterpreted · turns 3 and 8", "Judged otherwise"."""
    name = JUDGED if mark.judged else VERDICTS[mark.verdict].mark
    return f"{name} · {turn_list(mark.turns).lower()}" if mark.turns else name


def value(dimension: Dimension, said: str) -> str:
    """A difference's value in the window's words."""
    if dimension is Dimension.FAITHFULNESS:
        known = {verdict.value: called.mark for verdict, called in VERDICTS.items()}
    elif dimension is Dimension.RISK:
        known = {a.value: name for a, name in RISK_ANSWERS.items()} | {k.value: RISK_NAMES[k] for k in RiskKind}
    else:
        known = {"present": PRESENT, "missing": MISSING, "needed": NEEDED, "not needed": NOT_NEEDED}
    return known.get(said, said)


def values(dimension: Dimension) -> tuple[str, ...]:
    """The values that a difference may be settled at, as the marks name them."""
    if dimension is Dimension.RISK:
        return tuple(answer.value for answer in RiskAnswer)
    if dimension is Dimension.COMPLETENESS:
        return ("present", "missing")
    if dimension is Dimension.CONCISENESS:
        return ("needed", "not needed")
    return tuple(verdict.value for verdict in Verdict)


def sources(turns: Sequence[int]) -> str:
    return f"Rests on: {turn_list(turns).lower()}" if turns else "No turn selected yet."


def comments(count: int) -> str:
    return counted(count, "comment") if count else "no comment"


def stage(name: str, done: int, total: int) -> str:
    """ "Completeness 12 of 23"."""
    return f"{name} {done} of {total}" if total else name


def stage_chip(name: str, done: int, total: int) -> str:
    """The same in little room: what is done needs no numbers."""
    return f"✓ {name}" if total and done == total else stage(name, done, total)


def still_open(left: Sequence[tuple[str, int]]) -> str:
    """``left``: passes with how many questions are open in each."""
    parts = [f"{count} in {name.lower()}" for name, count in left if count]
    total = sum(count for _, count in left)
    return f"{counted(total, 'question')} {are(total)} still open: {', '.join(parts)}. J goes to the next one."


def unsettled(count: int) -> str:
    return f"{counted(count, 'difference')} {are(count)} not settled." if count else ""


def still_wrong(count: int) -> str:
    """Said before signing, of statements that the supervisor marked as wrong, or let stand as wrong."""
    if not count:
        return ""
    kinds = "misinterpreted, judged otherwise or not in the session"
    return f"{counted(count, 'statement')} of this note {are(count)} marked as {kinds}."


def saved(when: datetime) -> str:
    return f"Saved {when:%H:%M:%S}"


def accepted(items: int, sentences: int) -> str:
    """Said before the marks are handed in: what was not asked; empty where everything was."""
    parts = [counted(items, "checklist item")] * bool(items) + [counted(sentences, "sentence")] * bool(sentences)
    return (
        f"You were not asked about {listed(parts)}. There the judge’s marks stand, shown as the judge’s."
        if parts
        else ""
    )


def all_settled(key: str) -> str:
    return f"Every difference is settled. {native(f'Ctrl+{key}')} goes on to the answer."


def settled_scores(review: Review, judged: Evaluation | None) -> str:
    """The note's scores by the settled marks; empty where no judge has checked it."""
    if judged is None:
        return ""
    scores = settled_evaluation(judged, review).scores
    parts = (completeness(scores.completeness), conciseness(scores.conciseness), faithfulness(scores.faithfulness))
    return f"With the supervisor's marks, and the check's where the supervisor was not asked: {' · '.join(parts)}."


def in_the_margin(review: Review, rater: str, text: str) -> tuple[tuple[Span, str], ...]:
    """The review's comments where their words still stand in the note; at their old place where they stand twice."""
    found = []
    for comment in review.comments:
        start = comment.span.start if comment.span.of(text) == comment.quote else text.find(comment.quote)
        if start >= 0 and comment.quote:
            found.append((Span(start, start + len(comment.quote)), f"{rater}: {comment.text}"))
    return tuple(found)


def decided(one: Settlement, judged: bool = False) -> str:
    """ "Supported: heard in the second half."; ``judged`` as ClaimMark has it."""
    said = JUDGED if judged and one.agreed == Verdict.CONTRADICTED else value(one.dimension, one.agreed)
    return f"{said}: {one.reason}" if one.reason else said


def with_last_time(remark: str, last: str) -> str:
    return "\n".join(filter(None, (remark, f"Last time you settled on: {last}")))


def approved_and_signed(name: str) -> str:
    return f"Approved and signed by {name}."


def for_the_note(comments: str) -> str:
    return f"{comments} for the note"


def returned_with(comments: str) -> str:
    return f"Returned with {comments}."


def into_the_record(said: str) -> str:
    return f"{ACCEPTED_AS_IT_IS} {said}."


def something_else(said: str) -> str:
    return f"Something else: {said}"


def keep_mine(mine: str) -> str:
    return f"Keep mine: {mine}"


def take_theirs(theirs: str) -> str:
    return f"Take the judge’s: {theirs}"


def change_number(number: int, count: int) -> str:
    return f"Change {number} of {count}"


def you(said: str) -> str:
    return f"You: {said}"


def judged(said: str) -> str:
    return f"Judge: {said}"


def settled(said: str) -> str:
    return f"Settled: {said}"


def judge_points(judge: str, turns: str) -> str:
    return f"{judge} points to {turns}."


def you_picked(turns: str) -> str:
    return f"You picked {turns}."


def why(reason: str) -> str:
    return f"Why: {reason}"


def with_key(said: str, key: str) -> str:
    return f"{said}, key {key}"


def settled_of(done: int, count: int) -> str:
    return f"{done} of {count} differences settled."


def compared_with(name: str) -> str:
    return f"Compared with: {name}"


def reviewed_by(whose: str, status: str, rater: str) -> str:
    return f"{whose} · {status} · reviewed by {rater}"


def where_settling(dimension: Dimension, number: int, count: int, done: int) -> str:
    return f"{DIMENSION_NAMES[dimension]} · {number} of {count} · {done} settled"
