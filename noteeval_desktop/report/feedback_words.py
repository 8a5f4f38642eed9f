"""What the supervisor's pages of the scorecard say. They speak of the note, never of the person who wrote it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from noteeval_desktop.domain.asked import RiskAnswer
from noteeval_desktop.domain.phrases import are, counted, listed, long_day, sentence
from noteeval_desktop.domain.review import HIGHEST, SignerKnown, Vouched
from noteeval_desktop.domain.reviewed import JUDGED_OTHERWISE
from noteeval_desktop.domain.standing import Stand, Standing
from noteeval_desktop.domain.verdicts import ERRORS, SAYS
from noteeval_desktop.present import standing
from noteeval_desktop.present.risks import named_with_turns

if TYPE_CHECKING:
    from noteeval_desktop.report.feedback import RiskRow

NOT_RECOGNISED = "not recognised"
NOTE = "Note"
BLIND = "The supervisor marked first, without seeing the judge's marks."
LATER_ROUND = (
    "A later round: where the note reads as before, the marks were carried over as they had been settled; the rest was "
    "marked without seeing the judge's marks."
)
NOT_BLIND = "This review was not blind: the judge's marks had been seen before the supervisor's were in."
NOT_BLIND_AND_LATER = (
    f"{NOT_BLIND} Where the note reads as before, the marks were carried over as they had been settled."
)
SETTLED = (
    "The scorecard shows the marks as they were settled. Where the supervisor was not asked, the judge's marks count."
)
TITLE = "Feedback to talk over"
FIRST_MARKS = "The bars show what each marked first. Below, what was settled counts."
STRENGTHS = "What the note does well"
MANDATORY_WRITTEN = "Mandatory items that the note covers."
SUPPORTED_BY_THE_SESSION = "Statements that the session supports."
NO_STRENGTHS = "The marks show nothing here: find something together."
TO_WORK_ON = "To work on"
FOUND_BY_THE_CHECK = "Found by the check; the supervisor was not asked"
NOTHING_TO_WORK_ON = "Nothing in the marks."
NEXT_TIME = "Agreed for next time"
STILL_OPEN_DIFFERENCES = "Still open between supervisor and judge"
NOTHING = "Nothing."
COMMENTS = "Comments"
NONE = "None."
REVIEW = "The supervisor's review"
COMMENTS_ON_NOTE = "Comments on the note"
DIFFERENCES = "Differences, and how they were settled"
ALL_AGREED = "Supervisor and judge agree on everything that both marked."
ITEM_OR_SENTENCE = "Item or sentence"
SUPERVISOR = "Supervisor"
JUDGE = "Judge"
AGREED = "Agreed"
DIMENSION = "Dimension"
STILL_OPEN = "still open"
RATINGS = "Ratings"
WHOLE_NOTE = "Whole note"
ACCEPTANCE_VALUES = ("No", "Not yet", "After some work", "Nearly as it is", "Yes, as it is")
NOT_RATED = "None were given."
ITEMS = "Checklist items, marked by both"
ITEM = "Item"
NO_ITEM = "No item was marked."
SENTENCES = "Sentences, marked by both"
NO_SENTENCE = "No sentence was marked."
SENTENCE = "Sentence"
NEED = "Need: supervisor"
CLAIM = "Statement: supervisor"
CREDENTIALS = "Credentials"
DATE = "Date"
SIGNATURE = "Signature"
CLINICIAN = "Clinician"
SIGNATURES = "Signatures"
COMPLETENESS = "Completeness"
CONCISENESS = "Conciseness"
FAITHFULNESS = "Faithfulness"
NO_MANDATORY_MISSING = "No mandatory item is missing."
RISK = "Risk"
RISK_NOT_FOUND = "Risk came up that is not in the note."
RISK_OPPOSED = "Risk came up, and the note says the opposite."
RISK_NOT_ASKED = "Risk came up that the check did not find in the note."
MANDATORY_MISSING = "Mandatory items that the note does not cover."
NO_CHECKLIST_ITEM = "Sentences that match no checklist item."
OTHERS_MISSING = "Other items that the note does not cover."
THE_REVIEW = "The review"
OWN_REVIEW = ("is the clinician's own", "Choose a supervisor's review.")
NOT_SUBMITTED = (
    "has not been submitted, so the judge's marks have to stay hidden",
    "Finish the marks and submit them first.",
)
ANOTHER_REVISION = ("is about another revision of the note", "Export the revision it was made for.")
NOT_NEEDED = "not needed"
SUPPORTED, SENTENCES_NEEDED, ITEMS_COVERED = (
    "statements are supported by the session",
    "sentences are needed",
    "checklist items are covered",
)
WRONG = {verdict: f"{sentence(SAYS[verdict])}." for verdict in ERRORS}
JUDGED = f"{sentence(JUDGED_OTHERWISE)}."


def how(unblinded: bool, carried: bool) -> str:
    """How far the marks were made without the judge's."""
    if unblinded:
        return NOT_BLIND_AND_LATER if carried else NOT_BLIND
    return LATER_ROUND if carried else BLIND


def comment(numbers: Sequence[int]) -> str:
    return f"comment {listed([str(number) for number in numbers])}"


def answered(stand: Stand, vouched: Vouched | None = None) -> str:
    """What became of the note by its review, in words."""
    said = standing.said(stand, who=whose(stand.by, vouched) if stand.by else "")
    return (
        f"{said} The clinician's own signature belongs in the record." if stand.standing is Standing.APPROVED else said
    )


def signed_words(vouched: Vouched) -> str:
    """Who signed the review, in a sentence, and what that is worth."""
    match vouched.known:
        case SignerKnown.OWN:
            return f"The review was made in the library that exported this file. Its code, to compare: {vouched.signer}"
        case SignerKnown.COMPARED:
            return f"The review is signed by {vouched.name}, whose code was compared: {vouched.signer}."
        case SignerKnown.NOT_COMPARED:
            return f"The review is signed, but nobody has compared the code: {vouched.signer}."
        case SignerKnown.ANOTHER:
            by = f"{vouched.name} signed it" if vouched.name else "another key signed it"
            return f"⚠ The name over this review is not the signer's: {by if vouched.signer else 'nobody signed it'}."
    return "The review is not signed: anyone who had the file could have written it."


def whose(name: str, vouched: Vouched | None) -> str:
    """The name over a review, with whose key signed it wherever that is not sure."""
    match vouched.known if vouched is not None else SignerKnown.OWN:
        case SignerKnown.NOT_COMPARED:
            return f"{name} (signed, code not compared)"
        case SignerKnown.NOT_SIGNED:
            return f"{name} (not signed)"
        case SignerKnown.ANOTHER:
            signer = vouched.name if vouched is not None and vouched.name else "another key"
            return f"⚠ “{name}” (signed by {signer})"
    return name


def from_whom(rater: str, submitted: datetime, vouched: Vouched | None = None) -> str:
    by = whose(rater, vouched) if rater else "a supervisor"
    return f"From {by}, submitted on {long_day(submitted)}. The scorecard follows."


def and_more(count: int) -> str:
    return f" and {count} more"


def more_under(count: int, heading: str) -> str:
    return f"{count} more under “{heading}”."


def both(supervisor: str, judge: str) -> str:
    return f"supervisor: {supervisor} · judge: {judge}"


ON_THE_WHOLE_NOTE = "on the whole note"


def on_quote(quote: str, turns: str = "") -> str:
    """``turns`` ("turn 8") of the session, where the quote is from there."""
    return f"on {turns}: “{quote}”" if turns else f"on “{quote}”"


def with_differences(how: str) -> str:
    return f"{how} ≠ shows where the two differ; the arrow shows what was agreed afterwards."


def acceptance(value: int) -> str:
    """In the words that were chosen from; ``value`` is 1..5."""
    return f"Accept this note into the record? <b>{ACCEPTANCE_VALUES[value - 1]}</b>"


def covered(title: str, done: int, total: int) -> str:
    return f"{title}: {done} of {total}"


def mandatory(name: str) -> str:
    return f"{name} · mandatory"


def risk_line(rows: Sequence[RiskRow]) -> str:
    """What the supervisor found of the passages on risk."""
    told = [row for row in rows if row.answer is not RiskAnswer.NO_DANGER]
    left = [row for row in told if row.answer is RiskAnswer.LEFT_OUT]
    opposed = [row for row in told if row.answer is RiskAnswer.OPPOSITE]
    if not rows:
        return "The supervisor was asked about no passage on risk."
    if not told:
        return "By the supervisor's marks, nothing in the session is about risk."
    if not left and not opposed:
        return f"The note addresses what the supervisor marked as risk ({counted(len(told), 'passage')})."
    open_ = len(left) + len(opposed)
    parts = [f"{open_} of {counted(len(told), 'passage')} on risk {are(open_)} open."] * (len(told) > 1)
    parts += [f"Not in the note: {_dangers(left)}."] * bool(left)
    parts += [f"The note says the opposite: {_dangers(opposed)}."] * bool(opposed)
    return " ".join(parts)


def _dangers(rows: Sequence[RiskRow]) -> str:
    return "; ".join(named_with_turns(((row.name.lower(), row.turn) for row in rows), " ({turns})"))


def all_supported(count: int, partly: bool) -> str:
    what = "every statement that the supervisor was asked about" if partly else "every statement"
    return f"The session supports {what} ({count})."


def all_needed(count: int) -> str:
    return f"Every sentence is needed ({count})."


def covered_sections(titles: Sequence[str]) -> str:
    return f"Every checklist item is covered in {listed(titles)}."


def most(figure: str, what: str, partly: bool) -> str:
    return f"{figure} {what}{', of those that the supervisor was asked about' if partly else ''}."


def rated_well(least: int, rated: Sequence[str]) -> str:
    return f"Rated {least} or {HIGHEST} of {HIGHEST}: {', '.join(rated)}."


def rated_low(most: int) -> str:
    return f"Rated {most} of {HIGHEST} or less."


def of_the_note(dimension: str) -> str:
    return f"{dimension} of the note"


def of_section(dimension: str, section: str) -> str:
    return f"{dimension} of {section}"
