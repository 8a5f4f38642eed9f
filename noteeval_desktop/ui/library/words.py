"""What the library says in the window."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from noteeval_desktop.domain import phrases
from noteeval_desktop.domain.phrases import counted, listed, percent, sentence
from noteeval_desktop.domain.review import CaseStatus, Dimension
from noteeval_desktop.domain.standing import Standing
from noteeval_desktop.errors import NoteEvalError
from noteeval_desktop.present.vocabulary import STANDING_NAMES
from noteeval_desktop.ui.widgets.words import wrong_inside

if TYPE_CHECKING:
    from noteeval_desktop.store.backup import BackupTest

OFF = "off"
NOT_THIS_WEEK = "Not this week"
SHOW_THEM = "Show them…"
EXPORT_THE_AUDIT_LOG = "Export the audit log"
EXPORT_AS_JSON = "Export as JSON…"
EXPORT_AS_CSV = "Export as CSV…"
THE_LIBRARY_WAS_RESTORED = "The library was restored. The previous version is kept beside the backups."
GO_BACK = "Go back to it"
GO_BACK_TO_A_BACKUP = "Go back to a backup"
READING_THE_BACKUP = "Reading the backup…"
RESTORING_IT_TO_TEST = "Restoring it to test it…"
THE_LIBRARY_WAS_BACKED_UP = "The library was backed up."
BACKING_UP = "Backing up…"
GO_BACK_TO_THIS_ONE = "Go back to this one…"
TEST_BY_RESTORING = "Test by restoring"
BACK_UP_NOW = "Back up now"
OPEN_WITH_THE_JUDGES_MARKS = "Open with the judge’s marks"
REVIEW_IT_BLIND_FIRST = "Review it blind first"
OPEN_THE_CASE = "Open the case"
IMPORT_A_CASE = "Import a case"
KEEP_IT = "Keep it"
THE_SESSION_EVERY_REVISION = "The session, every revision and the scores are deleted, from the backups too."
DELETE_THE_CASE = "Delete the case"
THIS_CASE_HAS_NO_REVISIONS = "This case has no revisions yet. Choose “Keep this case…” in the Library menu."
ONLY_REVISION = (
    "This is the only revision so far. Change the note and keep the case again: then you see here what changed."
)
THIS_IS_THE_TEXT_AS_LAST = "This is the text as last typed. It is not saved as a revision yet."
OPEN_A_SESSION_AND_ITS_NOTE = "Open a session and its note first. Then you can keep the case."
SESSION_DATE = "Session date"
INTAKE_TO_DISCUSS = "intake, to discuss"
REPEAT_PASSPHRASE = "Repeat passphrase"
SESSION_FROM = "Session from"
SCORE_FROM = "Score from"
SHOW_ALL = "Show all"
SEARCH_THE_LIBRARY = "Search the library"
SEARCH_LABELS_SESSIONS_NOTES = "Search labels, sessions, notes and suggestions"
WHAT_CHANGED = "What changed"
LOCK_NOW = "Lock now"
LOCK_THE_LIBRARY_WHEN_YOU = "Lock the library when you are away"
THE_LIBRARY = "The library ▾"
THEY_LEAVE_THE_LIST = "They leave the list; you can restore them."
OLD_CASES = "Old cases"
ONE_MOMENT = "One moment…"
UNTICK_A_CASE_TO_LEAVE = "Untick a case to leave it alone."
WITHOUT_A_RULE_EVERY_CASE = "Without a rule, every case is kept."
NO_CASE_MATCHES_THE_RULES_NOW = "No case matches the rules now."
DELETE_CASES_THAT_WERE = "Delete cases that were not changed for"
ARCHIVE_CASES_THAT_WERE = "Archive cases that were not changed for"
EXPORT_THE_CASE = "Export the case"
COMPLETENESS_CONCISENESS = "Completeness, conciseness and faithfulness over time"
EXPORT_AS_PDF = "Export as PDF…"
KEEP_THIS_CASE, MAKE_A_LIBRARY = "Keep this case", "Create the library"
ABOUT_BACKUPS = (
    "The library is backed up on each day of use. Backups are encrypted like the library and tested by "
    "restoring them. NoteEval keeps 7 daily, 5 weekly and 12 monthly ones."
)
WHAT_RESTORING_DOES = (
    "Cases and changes since then leave the library. The present library is not lost: an encrypted copy "
    "is kept beside the backups."
)
ABOUT_THE_AUDIT_LOG = (
    "What was done with the library and with which case. It names cases by their label and contains "
    "nothing that was said or written."
)
ABOUT_OLD_CASES = (
    "Your own rules for cases that nobody has changed for long. Nothing is archived or deleted before you"
    " have seen the list and agreed."
)
WHAT_DELETING_DOES = (
    "Sessions, revisions, scores and reviews of these cases are deleted, from the backups too. This cannot be undone."
)
UNSAVED = ", unsaved changes"
WHY_UNSAVED = "The latest text is not saved as a revision yet. Open the case to continue."
WHY_HIDDEN = "Shown after you submit your marks: this review is blind."
STATUS_NAMES = {status: STANDING_NAMES[Standing(status.value)] for status in CaseStatus}
SHORT_NAMES = {
    Dimension.COMPLETENESS: "covered",
    Dimension.CONCISENESS: "needed",
    Dimension.FAITHFULNESS: "supported",
}
WHAT_THE_FILE_ADDED = "What the file added"
SAME_CODE = "The code is the same"
CODE_OF_THE_SENDER = "Code of the sender"
NAME = "Name"
NAME_MISSING = "Type the name of the sender."
ANOTHER_FOLDER = "Choose another folder."
WHEN = "When"
WHAT = "What"
CASE = "Case"
MORE = "More"
WHO = "Who (login)"
AUDIT_LOG = "Audit log"
ENTRIES = "Entries"
MADE = "Made"
SIZE = "Size"
TESTED_BY_RESTORING = "Tested by restoring"
BACKUPS = "Backups"
OPEN = "Open"
REVIEW = "Review…"
LABELS = "Labels…"
DUPLICATE = "Duplicate"
ARCHIVE = "Archive"
EXPORT = "Export…"
IMPORT_A_FILE = "Import…"
DELETING = "Deleting…"
CHANGE_IT = "Change"
FILE_PASSPHRASE_ASKED = "Enter the passphrase that the file was exported with."
CASE_IMPORTED = "The case was imported."
CASES = "Cases"
NO_NOTE = "no note"
KEEP_THE_CASE = "Keep the case"
PASSPHRASES_DIFFER = "The two passphrases differ. Type the second one again."
LABELS_EXPLAINED = "The list of cases shows these labels. You need not use real names."
LABELS_OF_THE_CASE = "Labels of the case"
LABEL = "Label"
TAGS = "Tags"
DATE_OF_THE_SESSION = "Date of the session"
LABEL_MISSING = "Give the case a label, so that you can find it."
WAITS_FOR_BLIND_REVIEW = "This note is waiting for your blind review."
BLIND_REVIEW_UNDER_WAY = "A blind review of this note is under way."
OPENING_ENDS_BLINDNESS = (
    "If you open the case, you see the judge’s marks and whose note it is. Its review is then not blind: the "
    "scorecard says so, and the review is not used to compare raters."
)
MONTH_BEFORE = "Month before"
NEXT_MONTH = "Next month"
ARCHIVED = "Archived"
STATUS = "Status"
TAG = "Tag"
SCORE = "Score"
ANY_STATUS = "Any status"
ANY_SCORE = "Any score"
AT_LEAST = "At least"
AT_MOST = "At most"
FROM = "From"
UNTIL = "Until"
ANY_CLINICIAN = "Any clinician"
ANY_CLIENT = "Any client"
ANY_TAG = "Any tag"
ANY_JUDGE = "Any judge"
REVISIONS = "Revisions"
TO = "To"
NOT_CHECKED = " · not checked"
SAVE_AS_PDF = "Save as PDF…"
LIBRARY = "Library"
NO_CASE_MATCHES = "No case matches. Choose “Show all” to see every case."
NOTHING_ARCHIVED = "Nothing is archived."
NO_CASES_YET = "No cases yet. Open one and choose “Keep this case…” in the Library menu, or import a case file."
ARCHIVE_AFTER = "Archive after"
CASES_THAT_MATCH = "Cases that match the rules now"
APPLY = "Apply"
CONTINUE = "Continue"
ITEM = "Missing checklist item"
A_CLINICIAN_OVER_TIME = "A clinician over time"
OFTEN_MISSING = "Checklist items that are often missing"
NO_REASON = "No reason was given."
DELETE_ASKS = "Delete…"
DELETE = "Delete"
CASE_WAS_HERE = "This case was already here; what is new was added."
COVERED = "Covered"
NEEDED = "Needed"
SUPPORTED = "Supported"
OPEN_RISKS = "Open risks"
CHANGED = "Changed"
WHAT_TO_LOOK_AT = "What to look at"
CLINICIANS_BY_WEEK = "Clinicians by week"
NO_LABEL = "no label"
DAY_FORMAT = "d MMM yyyy"
ANY_DATE = "Any date"
LAST_30_DAYS = "Last 30 days"
LAST_12_MONTHS = "Last 12 months"
BETWEEN = "Between…"
LAST_CHANGED = "Last changed"
WHAT_HAPPENS = "What happens"
DELETE_FOR_GOOD = "Delete for good"
DELETE_AFTER = "Delete after"
SECTION = "Section"
SUPERVISOR = "Supervisor"
LAST_SEEN = "Last seen"
READY_EXPLAINED = (
    "A suggestion stays open until you change the note, confirm it, or dismiss it with a reason."
    " You can submit with open suggestions."
)
COHORT = "Team over time"
ABOUT_COHORT = (
    "The notes of everybody in your library, one column a week. The supervisor's settled marks are shown; where the "
    "judge's count, alone or with them, ≈ says so. It describes notes, not people."
)
NO_COHORT = "No note with a clinician has been checked or reviewed yet. Add clinicians under “Labels…” in the library."
FILE_PASSPHRASE_EXPLAINED = (
    "The file gets its own passphrase. Tell it to the reader in some other way, for instance by phone."
)


def problem(error: Exception) -> str:
    """Our own errors as they are; any other only by its type, since its text may quote the case."""
    if isinstance(error, NoteEvalError):
        return str(error)
    return f"{wrong_inside(type(error).__name__)} Nothing was lost; try again."


def share(known: float | None) -> str:
    """ "74 %"; empty where nothing was judged."""
    return "" if known is None else percent(known)


def day(known: date | None) -> str:
    """ "3 Mar 2026"; empty where there is none."""
    return phrases.day(known) if known else ""


def judge(known: str) -> str:
    """``known`` is "kind model"."""
    kind, _, model = known.partition(" ")
    return "Built-in" if kind == "builtin" else model or kind


def cases(total: int) -> str:
    return counted(total, "case")


def still_in_backups(names: Sequence[str]) -> str:
    return f"Deleted. Damaged backups could not be changed and may still contain it, encrypted: {', '.join(names)}."


def signer(name: str, fingerprint: str) -> str:
    """ "Dr. Ünal · ABCD EFGH …"."""
    return f"{name} · {fingerprint}"


def backup(made: datetime, size: int) -> str:
    """ "21 Nov 2026, 09:05 · 1.3 MB", local time."""
    return f"{moment(made)} · {megabytes(size)}"


def moment(when: datetime) -> str:
    """ "21 Nov 2026, 09:05", local time."""
    local = when.astimezone()
    return f"{day(local)}, {local:%H:%M}"


def megabytes(size: int) -> str:
    return f"{max(size / 1e6, 0.1):,.1f} MB"


def tested(test: BackupTest | None) -> str:
    """ "21 Nov 2026, 09:05 · 12 cases"."""
    return f"{moment(test.at)} · {cases(test.cases)}" if test else "not yet"


def _archived_and_deleted(archive: int, delete: int, ending: str = "") -> str:
    parts = [f"archive {cases(archive)}"] * bool(archive) + [f"delete {cases(delete)}{ending}"] * bool(delete)
    return listed(parts)


def old_cases(archive: int, delete: int) -> str:
    """What the user's rules would touch."""
    return f"Your rules for old cases would {_archived_and_deleted(archive, delete)}. You see the list before they do."


def apply_rules(archive: int, delete: int) -> str:
    return f"{sentence(_archived_and_deleted(archive, delete))}…" if archive or delete else APPLY


def ask_to_apply(archive: int, delete: int) -> str:
    return f"{sentence(_archived_and_deleted(archive, delete, ' for good'))}?"


def the_latest_are_shown(count: int) -> str:
    return f"The latest {count:,} are shown; an export has them all."


def ask_to_go_back(moment: str) -> str:
    return f"Restore the library from {moment}?"


def backup_is_whole(moment: str, cases: str) -> str:
    return f"The backup of {moment} is whole: {cases}."


def delete_for_good(label: str) -> str:
    return f"Delete “{label}” for good?"


def this_revision(name: str) -> str:
    return f"{name} this revision"


def lock_after_min(minutes: int) -> str:
    return f"Lock after {minutes} min"


def saved(name: str) -> str:
    return f"Saved {name}. Move it away from this computer."


def not_writable(reason: str | None) -> str:
    return f"could not be written ({reason})"


def signer_known(name: str) -> str:
    return f"What this key signs is shown as signed by {name} from now on."


def week_of(monday: date) -> str:
    """ "3 Mar"."""
    return f"{monday.day} {monday:%b}"


def cohort_cell(clinician: str, week: date, row: str, said: str) -> str:
    return f"{clinician}, week of {week_of(week)}, {row}: {said}"


def kept_at(when: datetime) -> str:
    return f"kept in the library {when:%H:%M}"


def too_short(shortest: int) -> str:
    return f"The passphrase needs at least {shortest} characters. Several words are easiest to remember."


def encrypted_cases(suffix: str) -> str:
    return f"Encrypted cases (*{suffix})"


def edited_since(label: str) -> str:
    """Of a note whose marks are those of its review."""
    return f"{label or NO_LABEL} (edited since its review)"


def share_of(sign: str, present: int, of: int) -> str:
    return f"{sign}{present} of {of}"


def case_of(when: datetime) -> str:
    return f"Case of {day(when)}, {when:%H:%M}"


def suggestions_left(count: int) -> str:
    """ "43 suggestions left"."""
    return f"{counted(count, 'suggestion')} left" if count else "Ready to submit: no suggestions left"
