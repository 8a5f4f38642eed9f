"""What is said of passphrase, recovery key, keychain and signatures."""

from __future__ import annotations

from collections.abc import Sequence

from noteeval_desktop.domain.phrases import counted

WRITE_DOWN_THE_KEY_FIRST_THEN = "Print, save, copy or write down the key first, then choose “I have it”."
KEY_IS_KEPT = "I have written it down or saved it"
RECOVERY_KEY = "Recovery key"
CURRENT_PASSPHRASE = "Current passphrase"
NEW_PASSPHRASE = "New passphrase"
COPIED = "Copied. The code is not secret."
SIGNATURES_OF_OTHERS = "Signatures of others"
COPY_FINGERPRINT = "Copy the code"
USE_THE_KEYCHAIN = "Use the keychain…"
NEW_KEY = "New key…"
PASSPHRASE_AND_KEYS = "Passphrase and keys"
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
WHY_A_PASSPHRASE = (
    "Cases are saved in an encrypted library on this computer. Your passphrase opens it. If you skip"
    " this, nothing is saved."
)
WHY_FOR_A_FILE = (
    "A case file is imported into your library, and there is none on this computer yet: it is made now. Choose a new "
    "passphrase for it. It is not the passphrase of the file, which is asked for next. If you skip this, nothing is "
    "imported."
)
NEW_LIBRARY_PASSPHRASE = "New passphrase for the library"
WHY_A_RECOVERY_KEY = (
    "If you forget the passphrase, only this recovery key opens the library. Print it or write it down "
    "now, and keep it away from this computer. It is not shown again."
)
A_KEY_TO_COME = (
    "If you forget the passphrase, only this new recovery key opens the library. Print it or write it down now, and "
    "keep it away from this computer. It is not shown again. Nothing has changed yet: “I have it” puts it into force."
)
NOTHING_CHANGED = (
    "Nothing has changed: the passphrase and recovery key from before still work, and the new ones do not."
)
NOT_IN_THE_KEYCHAIN = "The keychain does not hold the new key, so you need the passphrase at each start."
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
        "The library’s key file is an earlier one, or was changed by another program: an earlier passphrase may "
        "open it again."
    ),
    "library": "The library, or a part of it, is an earlier copy: changes made on this computer are missing.",
}
FORGOTTEN = "Type the recovery key that you printed last, and choose a new passphrase."
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
    "open your first file, read them this code by phone or in person:"
)
NO_SIGNERS = "You have not compared the code of anybody yet. You will be asked when you import a signed case file."
KEYCHAIN_FAILED = "The keychain did not open the library."
WHAT_IS_IN_IT = "The library contains the cases kept on this computer."
NOTHING_YET = "Nothing has been kept yet. Open a case and choose “Keep this case…” in the Library menu."
WAS_LOCKED = "The library was locked. Your work comes back when you unlock it."
NOTHING_KEPT = "Not saved. Closing the window discards this case."
NO_LIBRARY_MADE = "No library was created. You need one to keep or import cases."
SKIP = "Skip (nothing is saved)"
UNLOCK_THE_LIBRARY = "Unlock the library"
UNLOCK = "Unlock"
BACKUP = "Backup"
FORGOT = "Forgot the passphrase…"
RESTORE_THIS_BACKUP = "Restore this backup"
CHANGE_THE_PASSPHRASE = "Change the passphrase"
I_HAVE_IT = "I have it"
COPY = "Copy"
CHANGE = "Change…"
KEYCHAIN = "Keychain"
SIGNATURE = "Signature"
FORGET = "Forget…"
STOP_USING_IT = "Stop using it"
A_NEW_KEY = "New recovery key"
MAKE_A_KEY = "New key"
KEYCHAIN_LET_GO = "The keychain no longer opens the library."
USE_IT = "Use the keychain"
KEYCHAIN_OPENS = "From the next start on, the keychain opens the library."
UNLOCK_ASKS = "Unlock…"
STAY = "Stay"


def put_back(what: Sequence[str]) -> str:
    """Said after unlocking; ``what`` are values of ``witness.PutBack``."""
    found = " ".join(_PUT_BACK[one] for one in what)
    return f"⚠ {found} If you did not put back a copy yourself, somebody else may have. The audit log has noted it."


def lost_in_log(changes: int) -> str:
    """Said after unlocking, of a program that was stopped while it saved."""
    return (
        f"⚠ {counted(changes, 'change')} saved just before NoteEval was stopped could not be read back: the disk has "
        "damaged what was written. Look at the case you worked on last."
    )


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


def no_backup_beside(text: str) -> str:
    return f"{text} There is no backup beside it."


def signer_forgotten(name: str) -> str:
    return f"What {name} signs is shown as not compared from now on."


def keychain_off(explained: str) -> str:
    return f"Off. {explained}"
