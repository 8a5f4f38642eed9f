"""What is said and asked before a case is sent."""

from __future__ import annotations

from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.present.vocabulary import HARM_NAMES
from noteeval_desktop.ui.widgets.words import CHECKLIST, CLAIMS, LEFT_OUT, RESPONSES, SENTENCES, wrong_inside

FIRST_ANSWER_THE_QUESTION_ABOUT = "First answer the question about an agreement"
DO_YOU_HAVE_AN_AGREEMENT = "Do you have an agreement with this service (such as a BAA)?"
WHAT_IS_SENT = "What is sent"
NOTEEVAL_DOES_NOT_KNOW_THESE = (
    "NoteEval does not know these words. Ticked words are hidden; untick those that identify nobody. “May "
    "be a name” marks likely names."
)
NO_UNKNOWN_WORDS = "None: NoteEval knows every capitalised word of this case."
WORDS_TO_DECIDE_ABOUT = "Words to decide about"
CAPITALISED_WORDS_THAT_NO_RULE = "Capitalised words that no rule knows; ticked words are hidden"
SENT_ONLY_ONCE_AND_ONLY_IF = (
    "Sent only once, and only if an answer cannot be used. The last lines say what was wrong with the "
    "answer and what is asked again."
)
SHOW_THE_EXACT_REQUEST = "Show the exact request that is sent, not only its text"
EXACT_REQUEST = "Exact request"
WHICH_REQUEST_IS_SHOWN = "Which request is shown"
BEFORE_ANYTHING_IS_SENT = "Before anything is sent"
NOT_ENCRYPTED = " The connection is not encrypted: everyone on your network could read it."
NOTHING_NEW_TO_SEND = "All answers are known already: this check sends nothing."
QUESTIONS = {
    "risks": HARM_NAMES[Harm.RISK],
    "checklist": CHECKLIST,
    "sentences": SENTENCES,
    "claims": CLAIMS,
    "omissions": LEFT_OUT,
    "responses": RESPONSES,
    "marks": "Marks",
}
CHOOSE_AN_ANSWER = "Choose an answer"
YES = "Yes"
NO = "No"
I_DO_NOT_KNOW = "I do not know"
SEND = "Send"
READ_WHAT_IS_SENT = (
    "Dates are moved by a secret number of weeks, and moved back in the answers. The rules find many identifiers, "
    "never all of them. Read what is sent."
)
ASKED_AGAIN = ", asked again"
MAY_BE_A_NAME = "  · may be a name"
NOTHING_SENT = "Nothing was sent."
NOTHING_SENT_SWITCHED_OFF = "Nothing was sent: the online AI service is switched off in the settings."
THE_CASE = "The case"
IS_ANOTHER = "is not the one that you agreed to send"
CHECK_AGAIN_TO_SEND = "Choose “Check again”."
MOSTLY_HIDDEN = (
    "Most words of this case are hidden before sending, as happens when a session is not in English. "
    "Little is left to judge."
)


def goes_to(host: str) -> str:
    return f"This case goes to {host}"


def consent_not_recorded(reason: str) -> str:
    return f"Nothing was sent: your consent could not be recorded ({reason}). Free some space."


def nothing_sent_failed(name: str) -> str:
    return f"Nothing was sent. {wrong_inside(name)}"


def nothing_sent_because(error: object) -> str:
    return f"Nothing was sent. {error}"


def service_and_model(address: str, model: str) -> str:
    return f"{address} · model {model}"
