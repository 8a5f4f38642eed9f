"""What the library says in the window."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING

from noteeval_desktop.domain.review import CaseStatus, Dimension
from noteeval_desktop.errors import NoteEvalError

if TYPE_CHECKING:
    from noteeval_desktop.store.backup import BackupTest

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
THIS_IS_THE_TEXT_AS_LAST = "This is the text as last typed. It is not saved as a revision yet."
OPEN_A_SESSION_AND_ITS_NOTE = "Open a session and its note first. Then you can keep the case."
SESSION_DATE = "Session date"
INTAKE_TO_DISCUSS = "intake, to discuss"
REPEAT_PASSPHRASE = "Repeat passphrase"
SESSION_FROM = "Session from"
SCORE_FROM = "Score from"
SHOW_ALL = "Show all"
SEARCH_THE_LIBRARY = "Search the library"
SEARCH_LABELS_SESSIONS_NOTES = "Search labels, sessions, notes and findings"
WHAT_CHANGED = "What changed"
WRITE_DOWN_THE_KEY_FIRST_THEN = "Write down the key first, then choose “I have it”."
RECOVERY_KEY = "Recovery key"
CURRENT_PASSPHRASE = "Current passphrase"
NEW_PASSPHRASE = "New passphrase"
COPIED = "Copied. A fingerprint is not secret."
SIGNATURES_OF_OTHERS = "Signatures of others"
COPY_FINGERPRINT = "Copy fingerprint"
USE_THE_KEYCHAIN = "Use the keychain…"
NEW_KEY = "New key…"
PASSPHRASE_AND_KEYS = "Passphrase and keys"
LOCK_NOW = "Lock now"
LOCK_THE_LIBRARY_WHEN_YOU = "Lock the library when you are away"
THE_LIBRARY = "The library ▾"
THE_CASE_WAS_OPENED_OR_DELETED = "The case was opened or deleted in another window."
RESTORE_THE_PREVIOUS_CASE = "Restore the previous case"
ANOTHER_CASE_IS_OPEN = "Another case is open."
CLOSE_WITHOUT = "Close without it"
UNLOCK_THE_LIBRARY_TO_RESTORE = "Unlock the library to restore and save it, or close NoteEval without it."
THE_OPEN_CASE_COULD = "The open case could not be saved to disk."
THE_LIBRARY_IS_LOCKED = "The library is locked."
NOTEEVAL = "NoteEval: recovery key"
COPIED_2 = "Copied. Paste it into a safe place now; “I have it” clears the clipboard."
SAVE_THE_RECOVERY_KEY = "Save the recovery key"
SENT_TO_THE_PRINTER = "Sent to the printer."
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


WHY_A_PASSPHRASE = (
    "Cases are saved in an encrypted library on this computer. Your passphrase opens it. If you skip"
    " this, nothing is saved."
)
WHY_A_RECOVERY_KEY = (
    "If you forget the passphrase, only this recovery key opens the library. Print it or write it down "
    "now, and keep it away from this computer. It is not shown again."
)
THE_PASSPHRASE = "The passphrase opens the library. When you change it, you can also re-encrypt the library."
A_NEW_PASSPHRASE = (
    "After a change the old passphrase no longer works here. But anyone who has an earlier copy of the "
    "library’s key file and knows the old passphrase can still open the library, unless you re-encrypt "
    "it."
)
ENCRYPT_ANEW = "Re-encrypt the library and its backups"
WHAT_ENCRYPTING_ANEW_DOES = (
    "Takes a few seconds, and gives you a new recovery key to print. Earlier copies of the key file then "
    "open neither the library nor its backups. Earlier copies of the whole library stay readable to "
    "anyone who has them."
)
PASSPHRASE_CHANGED = (
    "The passphrase was changed. The old one now works only with earlier copies of the key file, if there are any."
)
ENCRYPTED_ANEW = "The library and its backups were re-encrypted. The old passphrase and recovery key no longer work."
A_NEW_RECOVERY_KEY = (
    "The recovery key opens the library if you forget the passphrase. A new one replaces the one you "
    "printed before, which then works only with an earlier copy of the key file."
)
NEW_RECOVERY_KEY = "The recovery key you printed before no longer opens the library here."
_PUT_BACK = {
    "keys": (
        "The library’s key file is older than the one last used on this computer: an earlier passphrase may "
        "open it again."
    ),
    "library": "The library is an earlier copy: the latest changes made on this computer are missing.",
}
FORGOTTEN = "Type the recovery key that you printed last, and choose a new passphrase."
KEEP_THIS_CASE, MAKE_A_LIBRARY = "Keep this case", "Create the library"
LET_THE_KEYCHAIN = "Let this computer's keychain open the library too"
WHAT_A_KEYCHAIN_MEANS = (
    "With the keychain, NoteEval does not ask for the passphrase when it starts. Anyone who uses this "
    "computer under your account can then open the library. After it has locked itself, you still need "
    "the passphrase."
)
KEYCHAIN_ON = (
    "On: NoteEval does not ask for the passphrase when it starts. Anyone who uses this computer under "
    "your account can open the library."
)
NO_KEYCHAIN = "This computer has no keychain that can be trusted, so you need the passphrase at each start."
A_SIGNATURE = (
    "Case files and reviews made here are signed, so that others can tell that they are yours. When they "
    "open your first file, read them this fingerprint by phone or in person:"
)
NO_SIGNERS = "You have not compared a fingerprint yet. You will be asked when you import a signed case file."
KEYCHAIN_FAILED = "The keychain did not open the library."
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
WHAT_IS_IN_IT = "The library contains the cases kept on this computer."
NOTHING_YET = "Nothing has been kept yet. Open a case and choose “Keep this case…” in the Library menu."
WAS_LOCKED = "The library was locked. Your work comes back when you unlock it."
NOTHING_KEPT = "Not saved. Closing the window discards this case."
NO_LIBRARY_MADE = "No library was created. You need one to keep or import cases."
UNSAVED = ", unsaved changes"
WHY_UNSAVED = "The latest text is not saved as a revision yet. Open the case to continue."
WHY_HIDDEN = "Shown after you submit your marks: this review is blind."
STATUS_NAMES = {
    CaseStatus.DRAFT: "Draft",
    CaseStatus.SUBMITTED: "Submitted",
    CaseStatus.RETURNED: "Returned",
    CaseStatus.RESUBMITTED: "Resubmitted",
    CaseStatus.APPROVED: "Approved",
}
SHORT_NAMES = {
    Dimension.COMPLETENESS: "covered",
    Dimension.CONCISENESS: "needed",
    Dimension.FAITHFULNESS: "supported",
}


def problem(error: Exception) -> str:
    """Our own errors as they are; any other only by its type, since its text may quote the case."""
    if isinstance(error, NoteEvalError):
        return str(error)
    return f"Something went wrong inside the program ({type(error).__name__}). Nothing was lost; try again."


def share(known: float | None) -> str:
    """ "74 %"; empty where nothing was judged."""
    return "" if known is None else f"{known:.0%}".replace("%", "\N{NARROW NO-BREAK SPACE}%")


def day(known: date | None) -> str:
    """ "3 Mar 2026"; empty where there is none."""
    return f"{known.day} {known:%b %Y}" if known else ""


def judge(known: str) -> str:
    """``known`` is "kind model"."""
    kind, _, model = known.partition(" ")
    return "Built-in" if kind == "builtin" else model or kind


def cases(total: int) -> str:
    return "1 case" if total == 1 else f"{total:,} cases".replace(",", "\N{NARROW NO-BREAK SPACE}")


def still_in_backups(names: Sequence[str]) -> str:
    return f"Deleted. Damaged backups could not be changed and may still contain it, encrypted: {', '.join(names)}."


def signer(name: str, fingerprint: str) -> str:
    """ "Dr. Ünal · ABCD EFGH …"."""
    return f"{name} · {fingerprint}"


def put_back(what: Sequence[str]) -> str:
    """Said after unlocking; ``what`` are values of ``witness.PutBack``."""
    found = " ".join(_PUT_BACK[one] for one in what)
    return f"⚠ {found} If you did not put back a copy yourself, somebody else may have. The audit log has noted it."


def not_encrypted_anew(names: Sequence[str]) -> str:
    return f"{ENCRYPTED_ANEW} These backups could not be, and stay as they were: {', '.join(names)}."


def printed_key(key: str) -> str:
    """What stands on the paper with the recovery key."""
    return (
        "NoteEval: recovery key of the library\n\n"
        f"{key}\n\n"
        "It opens the library if the passphrase is forgotten: choose “Forgot the passphrase…” where the passphrase "
        "is asked. Keep it away from the computer, as safe as the notes themselves.\n"
    )


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


def old_cases(archive: int, delete: int) -> str:
    """What the user's rules would touch."""
    parts = [f"archive {cases(archive)}"] * bool(archive) + [f"delete {cases(delete)}"] * bool(delete)
    return f"Your rules for old cases would {' and '.join(parts)}. Nothing is done before you have seen them."


def the_latest_are_shown(count: int) -> str:
    return f"The latest {count:,} are shown; an export has them all."


def ask_to_go_back(moment: str) -> str:
    return f"Put the library back to {moment}?"


def backup_is_whole(moment: str, cases: str) -> str:
    return f"The backup of {moment} is whole: {cases}."


def delete_for_good(label: str) -> str:
    return f"Delete “{label}” for good?"


def this_revision(name: str) -> str:
    return f"{name} this revision"


def no_backup_beside(text: str) -> str:
    return f"{text} There is no backup beside it."


def signer_forgotten(name: str) -> str:
    return f"What {name} signs is shown as not compared from now on."


def lock_after_min(minutes: int) -> str:
    return f"Lock after {minutes} min"


def saved(name: str) -> str:
    return f"Saved {name}. Move it away from this computer."
