"""What is said about a scorecard's fingerprints and its password."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.review import SignerKnown

NAMES = {
    "note": "Note",
    "transcript": "Session",
    "rubric": "Rubric",
    "prompts": "Prompts",
    "judge": "Kind of judge",
    "model": "Model",
    "version": "Version of the judge",
    "completeness": "Completeness",
    "conciseness": "Conciseness",
    "faithfulness": "Faithfulness",
    "judgements": "Every mark of the judge",
    "review": "Supervisor's review",
    "signer": "Key of the review",
    "signer_known": "Whose key it is",
}
TITLE = "Fingerprints"
EXPLAINED = (
    "The long ones are SHA-256. “Check a scorecard…” in the File menu compares them with a case and shows whether "
    "this file was changed after export. They are not a signature."
)
GIVE_PASSWORD = "Give the password it was exported with."
CANNOT_BE_RECOVERED = "The password is not stored and cannot be recovered: without it, nobody can open the file."
# By the strength that pdf_password finds.
HINTS = {
    "weak": "Weak: it could be guessed. Four unrelated words are strong and easy to remember.",
    "fair": "Fair. Four unrelated words or sixteen characters would be strong.",
    "strong": "Strong, if it is used nowhere else.",
}
THE_PASSWORD = "The password"
LIMITS = "This is not a signature: it shows a change made in passing, not one that somebody set out to hide."
STATES = {"same": "the same", "different": "different", "not compared": "not compared"}
CHANGED = "This scorecard was changed after it was exported. Ask for it again."
UNCHANGED = "Nothing in this scorecard was changed since it was exported, as far as can be known."
# A problem and its remedy, for an InputError.
_ASK_AGAIN = "Ask for the file again."
DAMAGED_PDF = ("the PDF is damaged", _ASK_AGAIN)
DAMAGED_PRINTS = ("its fingerprints are damaged", _ASK_AGAIN)
DAMAGED_EVALUATION = ("is damaged", "Write it again with this version.")
NO_PASSWORD, WRONG_PASSWORD = "it is protected by a password", "the password does not open it"
NO_SCORECARD = ("it is not a scorecard with fingerprints", "Choose a PDF that this program exported.")
NEWER = ("it was made by a newer version", "Update the program.")
ODD_CHARACTERS = ("has characters that PDF readers disagree about", "Use letters, digits, signs and plain spaces.")
DIRECTIONS = ("mixes directions of writing", "Use letters of one direction only.")
TOO_LARGE = ("is too large for a scorecard", "Choose another file.")
NOT_A_PDF = ("is not a PDF", "Choose a scorecard that was exported as PDF.")
NO_NAME = "its name cannot be used"


def too_long(pages: int) -> tuple[str, str]:
    return f"it has more than {pages} pages", "Choose a scorecard."


def too_short(characters: int) -> tuple[str, str]:
    return f"is shorter than {characters} characters", "Choose a longer one."


def too_many_bytes(most: int) -> tuple[str, str]:
    return f"is longer than {most} bytes, which is as much as a PDF can hold", "Shorten it."


def cannot_be_read(reason: str) -> tuple[str, str]:
    return f"cannot be read ({reason})", "Check the name and the folder."


def compared_with_none(signed: str) -> str:
    return f"{UNCHANGED} It was not compared with a case.{signed}"


def matches(signed: str) -> str:
    return f"{UNCHANGED} It matches the case in everything that was compared.{signed}"


def differs(different: Sequence[str], signed: str) -> str:
    return f"This scorecard does not match the case: {', '.join(different)}. {UNCHANGED}{signed}"


def both(scorecard: str, case: str) -> str:
    return f": {scorecard} in the scorecard, {case} in the case"


def signed(known: str, signer: str) -> str:
    """Whether a scorecard's review is signed, with which key, and whether that key was known."""
    match known:
        case SignerKnown.OWN:
            return f" Its review was made in the library that exported it. Its code, to compare: {signer}"
        case SignerKnown.COMPARED:
            return f" Its review is signed with a key that had been compared with its owner: {signer}."
        case SignerKnown.NOT_COMPARED:
            return f" Its review is signed with a key that nobody had compared: {signer}."
        case SignerKnown.NOT_SIGNED:
            return " Its review is not signed."
    return " It does not say who signed its review."
