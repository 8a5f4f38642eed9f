"""What the small dialogs of supervision ask."""

from __future__ import annotations

CREDENTIALS_EXAMPLE = "LMFT, licence 12345"
YOUR_NAME = "Your name"
WHY_A_NAME = (
    "Your marks are saved under this name, in the encrypted library only. “Review under another name…” changes it."
)
WHY_SIGN = (
    "By signing you approve the note, and confirm that you checked what you were asked about against its session. Your "
    "name, credentials and the time are saved with the case and shown on its scorecard. The passphrase of your "
    "library shows that it is you."
)
WHO_REVIEWS = "Who reviews?"
START_THE_REVIEW = "Start the review"
NAME_MISSING = "Enter your name, so that your marks can be told apart."
SOMETHING_ELSE = "Something else"
WHAT_WAS_AGREED = "What was agreed, and why? Both are saved with the review."
SETTLE = "Settle"
AGREED = "Agreed"
REASON = "Reason"
AGREED_MISSING = "Enter what was agreed."
REASON_MISSING = "Give the reason, for those who read it later."
APPROVE_AND_SIGN = "Approve and sign"
SIGN_ANYWAY = "Approve and sign anyway"
CREDENTIALS = "Credentials"
SIGNER_MISSING = "Enter the name to sign with."
LIBRARY_PASSPHRASE = "Passphrase of your library"
PASSPHRASE_MISSING = "Enter the passphrase of your library: nobody else can sign with it."
CREDENTIALS_MISSING = "Enter your credentials, such as LCSW, LMFT or PsyD."
