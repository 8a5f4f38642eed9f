"""What the findings pane says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from noteeval_desktop.domain import finding_words, transcript
from noteeval_desktop.domain.decisions import linked_to
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.finding_words import KINDS, VERDICTS
from noteeval_desktop.domain.findings import FindingKind, ItemState
from noteeval_desktop.domain.harm import Harm
from noteeval_desktop.domain.phrases import are, counted, inside, listed, percent, sentence
from noteeval_desktop.domain.risk import RiskKind, RiskState
from noteeval_desktop.domain.rubric import Importance, RubricItem
from noteeval_desktop.domain.verdicts import ClaimVerdict, Confidence, ItemVerdict, NeedVerdict, OmissionKind
from noteeval_desktop.report.problems import not_english, unjudged
from noteeval_desktop.report.words import CONFIDENCE_NAMES, OMISSION_NAMES
from noteeval_desktop.ui.widgets.plain import native, shortened
from noteeval_desktop.ui.widgets.words import turn_list

LINK_TITLE, LINK_IT = "Link to a sentence", "Link"
LINK_TO_THE_SENTENCE = "Link to the sentence of the note that addresses this"
CHOOSE_THE_SENTENCE_OF_THE_NOTE = "Choose the sentence of the note that addresses this"
GO_TO = "Go to"
CONFIRM_THAT_YOU_OBSERVED = "Confirm that you observed it in the session"
I_OBSERVED = "I observed this"
ADD_A_SENTENCE_WITH_THE_FIRST = "Add a sentence with the first quote to the note, for you to finish"
INSERT_DRAFT = "Insert draft"
FILTER_AND_LEGEND = "Filter and legend"
FILTER_THE_FINDINGS_AND_SEE_WHAT = "Filter the suggestions, and see what the signs mean"
KINDS_OF_FINDINGS = "Kinds of suggestions"
SHOW_IT = "Show it"
SHOW_THE_FIRST_RISK = "Show the first risk that is not addressed"
NOT_NEEDED = "not needed"
NOT_CHECKED = "not checked"
GROUPS = {
    Harm.RISK: "Risk",
    Harm.TREATMENT: "Medication and diagnosis",
    Harm.PLAN: "Plan and follow-up",
    Harm.REST: "The rest of the note",
}
MORE = "Also worth a read"
ADVICE = "Could be shorter"
ANSWERED = "Confirmed or dismissed by you"
NO_ITEM = "Matches no checklist item"
ON_RISK = "Risk statements to verify"
NO_ITEM_BUT_KEEP = f"{NO_ITEM}. Keep it: it is about risk, treatment or the plan."
MAY_BE_SUPPORTED = "The session may say so: please check"
WHOLE = "No single passage of the session says this."
SHOW_LESS = "Show only what matters before you sign"
ADD_QUOTE = "Add the quote"
NO_RISK_LEFT = "No risk is flagged now."
NO_RED_RISK = "Nothing on risk is marked red now. The note does not name every risk that is listed."
ADD_QUOTE_HINT = f"Add the nearest passage after the sentence. {native('Ctrl+Z')} undoes it."
REMOVE = "Remove ▾"
REMOVE_HINT = f"Remove the sentence from the note. {native('Ctrl+Z')} undoes it."
USE_HINT = f"Put what the session says into the note. {native('Ctrl+Z')} undoes it."
STOP_PHRASE = "Stop flagging a phrase in this case…"
PHRASE_ASKED = "Sentences with these words are not flagged in this case. Statements about risk always are."
SILENCED_HINT = "Choose one to flag it again"
_IN_CASE, _EVERYWHERE = "in this case", "in every case"
IMPORTANCE_NAMES = {
    Importance.MANDATORY: "mandatory",
    Importance.CONDITIONAL: "if applicable",
    Importance.RECOMMENDED: "recommended",
}
VERDICT_NAMES = {verdict: sentence(called.says) for verdict, called in VERDICTS.items()}
DISMISSALS = ("Correct as written", "Not relevant here", "Documented elsewhere", "The check is wrong")
_MISSING = {
    "subjective-goals": "No client goals yet.",
    "subjective-homework": "No review of homework yet.",
    "subjective-quotes": "No quote from the client yet.",
    "objective-behavior": "No observed behaviour yet.",
    "plan-follow-up": "No next session or referral yet.",
    "plan-adjustment": "No change to the treatment yet.",
    "general-safety": "Safety is not addressed yet.",
    "general-culture": "Culture and identity are not addressed yet.",
    "general-professionalism": "Some wording may not read as professional.",
}
RISK_NAMES = {
    RiskKind.SUICIDE: "Suicide",
    RiskKind.SELF_HARM: "Self-harm",
    RiskKind.HARM_TO_OTHERS: "Harm to others",
    RiskKind.ABUSE: "Abuse",
    RiskKind.PSYCHOSIS: "Psychosis",
    RiskKind.OVERDOSE: "Overdose",
    RiskKind.CHILD_AT_RISK: "A child at risk",
    RiskKind.ELDER_AT_RISK: "An elder at risk",
    RiskKind.COERCIVE_CONTROL: "Coercive control",
    RiskKind.ACCESS_TO_MEANS: "Access to means",
    RiskKind.IMPAIRED_DRIVING: "Driving while impaired",
    RiskKind.MEDICATION_MISUSE: "Medication misuse",
    RiskKind.NEGLECT: "Neglect",
}
JUDGED_OTHERWISE = sentence(finding_words.JUDGED_OTHERWISE)
KIND_NAMES = {kind: sentence(look.name) for kind, look in KINDS.items()}
NOT_RECOGNISED = "Not recognised in the note"
OPINIONS = {
    **{verdict.value: name for verdict, name in VERDICT_NAMES.items()},
    "needed": "Needed",
    "not needed": "Not needed",
    "left out": "Left out",
    "not left out": "In the note, or too small to add",
    "present": "Present",
    "missing": "Missing",
    "heard": "Heard",
    "not heard": "Not heard",
}
DIFFER = "The two checks differ. Please decide."
ONLY_THE_MODEL_HEARD = "Only the language model heard this. Please check."
QUICK_CHECK, MODEL = "Quick check", "Model"
NOT_JUDGED = "Not judged."
MAY_NOT_BE_NEEDED = "This sentence may not be needed."
MAY_SAY_OTHERWISE = "The session may say otherwise."
SAYS_OTHERWISE = "The session says otherwise."
MAY_NOT_SAY = "The session may not say this."
DOES_NOT_SAY = "The session does not say this."
DIFFERENT = "The note and the session differ here."
NO_PASSAGE = "No supporting passage was found in the session."
CONFIRM_IF_SEEN = "A transcript cannot show it. Confirm it if you observed it yourself."
NOT_MENTIONED = "It came up in the session; the note does not mention it."
NOT_ADDED = "The model would not add these"
BY_SIMILARITY = "Flagged by similarity only; read the quote."
RISK_NOT_CHECKED = "Risk was not checked."
NOT_ADDRESSED, PLEASE_CHECK, ALL_ANSWERED = "not addressed", "please check", "all addressed or dismissed"
DISMISSED, LINKED_BY_YOU, IN_THE_NOTE = "Dismissed by you", "Linked by you", "in the note"
NONE_LEFT = (
    "No suggestion is left here. NoteEval misses mistakes: read the note once more against the session. Then copy it, "
    "save it or export the scorecard."
)
NONE_LEFT_INCOMPLETE = "No suggestions; some items could not be checked. Check again before you sign."
NOTHING_FLAGGED = "Nothing is flagged in this sentence. NoteEval misses mistakes."
FIND_A_SENTENCE = "Find a sentence of the note"
WARNING = "Warning"
# A tab each, before there is anything to show.
EMPTY = (
    "What to look at before you sign appears here once the note has been checked.",
    "What the note should cover appears here once it has been checked.",
    "The note's sentences appear here once they have been checked.",
    "What the session supports and what not appears here once the note has been checked.",
    "What the note leaves out appears here once it has been checked.",
    "The therapist's responses appear here once they have been checked.",
    "The scores appear here once the note has been checked.",
)
NOTHING_LEFT_OUT = "Nothing was found that the note leaves out."
LEAST = ("All", "All but minor", "Important only")
CONFIRM_NEAR, CONFIRM_NEAR_HINT = "Yes, it does", "This sentence of the note addresses the risk"
FINDING, UNDO, DISMISS, LINK = "Suggestion", "Undo", "Dismiss ▾", "Link…"
# With its full stop, or it would take the next sentence in.
_FINISH = "[finish this sentence]."
_MOST_NAMED = 2


def not_clear_enough(items: Sequence[str]) -> str:
    """Of items that the checklist does not recognise."""
    return f"Not clear enough for the checklist: {', '.join(items)}" if items else ""


def remove(sentence: str) -> str:
    return f"Remove “{sentence}”"


def use(*said: str) -> str:
    return f"Use {listed([f'“{one}”' for one in said])}"


def only_seen(words: str) -> str:
    """Of a sentence that the session bears out otherwise."""
    return f"The session says the rest. Only someone in the room can know “{words}”: confirm it if you observed it."


def nearest(turn: str, quote: str) -> str:
    return f"Nearest passage, turn {turn}: “{quote}”"


def show_more(count: int) -> str:
    if not count:
        return "Show what you confirmed or dismissed"
    return "Show 1 more suggestion" if count == 1 else f"Show {count} more suggestions"


def stop(kind: str, everywhere: bool) -> str:
    return f"Stop flagging {kind} {_EVERYWHERE if everywhere else _IN_CASE}"


def silenced(count: int) -> str:
    return f"{count} not flagged ▾"


def name_of_kind(kind: str, items: Mapping[str, str]) -> str:
    """``kind`` as silencing.kind_of has it; ``items``: the checklist's names by id."""
    what, _, which = kind.partition(":")
    if what == FindingKind.MISSING:
        return f"“{items.get(which, which)}”"
    if what == FindingKind.OMISSION:
        return f"“{OMISSION_NAMES[OmissionKind(which)]}” left out"
    return "sentences that may not be needed" if what == FindingKind.UNNEEDED else "what only you can know"


def flag_again(named: str, everywhere: bool) -> str:
    return f"Flag {named} again" + (f" {_EVERYWHERE}" if everywhere else "")


def show_turn_in_the_session(turn: str) -> str:
    return f"Show turn {turn} in the session"


def missing(item: RubricItem, turns: Sequence[int], unsure: bool = False) -> str:
    """ "No history yet. Turns 8, 21 and 40 may help." """
    plain = _MISSING.get(item.id, f"No {inside(item.name)} yet.")
    said = f"{item.name}: not recognised in the note." if unsure else plain
    return f"{said} {turn_list(turns)} may help." if turns else said


def item_note(verdict: ItemVerdict, state: ItemState, sentences: int) -> str:
    """The short remark at the right of a checklist row."""
    if state is ItemState.COVERED:
        return counted(sentences, "sentence") if sentences else ""
    if state is ItemState.MISSING:
        turns = f"{counted(len(verdict.suggested_turns), 'turn')} → add" if verdict.suggested_turns else ""
        mandatory = "mandatory" if verdict.importance is Importance.MANDATORY else ""
        return " · ".join(part for part in (mandatory, turns) if part)
    return state.value


BY_YOUR_SUPERVISOR = "Marked by the supervisor"


def how_sure(confidence: Confidence | None) -> str:
    return f"Confidence: {CONFIDENCE_NAMES[confidence]}" if confidence else ""


def how_sure_of_claim(claim: ClaimVerdict) -> str:
    """Of a claim that was judged without a probability, too."""
    return how_sure(claim.confidence) or ("Confidence: not known" if claim.verdict else "")


def model_is_so_sure(confidence: Confidence | None) -> str:
    """Many servers do not tell how likely an answer is, and nothing else says how sure a model is."""
    return f"confidence: {CONFIDENCE_NAMES[confidence] if confidence else 'not known'}"


def probability_of_item(verdict: ItemVerdict) -> str:
    return _probability(verdict.probability, "a therapist would mark this item as present")


def probability_of_need(verdict: NeedVerdict) -> str:
    return _probability(verdict.probability, "a therapist would match this sentence to a checklist item")


def probability_of_claim(verdict: ClaimVerdict) -> str:
    if verdict.verdict and verdict.probability is None and verdict.confidence is None:
        return "The model gave no probability for this."
    return _probability(verdict.probability, "a therapist who reads the transcript would call this faithful")


def _probability(value: float | None, what: str) -> str:
    return f"Estimated probability that {what}: {percent(value)}" if value is not None else ""


def turns_not_in_the_note(turns: list[int]) -> str:
    """ "turn 12 is not in the note." """
    own = sorted(set(turns))
    return f"{transcript.turn_list(own)} {are(len(own))} not in the note."


def decided(reason: str) -> str:
    """Of a finding that was answered with ``reason``; "Attested" is what earlier versions wrote."""
    if linked_to(reason):
        return LINKED_BY_YOU
    return "Confirmed by you" if reason.startswith(("Confirmed", "Attested")) else DISMISSED


def incomplete(evaluation: Evaluation) -> str:
    said = unjudged(evaluation)
    return said if not_english(evaluation) else f"The check did not finish. {said}"


def also(turns: Sequence[int]) -> str:
    """ "also turns 4 and 9"; empty for none."""
    return f"also {transcript.turn_list(turns)}" if turns else ""


def would_belong(why: str, where: str) -> str:
    return f"{why}\nWould belong under {where}."


def times(said: str) -> str:
    return f"{said} times"


def quoted(quote: str, turn: str) -> str:
    """Added behind a sentence of the note."""
    return f" (“{quote}”, turn {turn})"


def and_more(count: int) -> str:
    return f"and {count} more"


def risks_not_addressed(count: int) -> str:
    return f"{counted(count, 'risk')} not addressed"


def mentions_open(alarming: int, unclear: int) -> str:
    """ "4 mentions not addressed · 1 possible": an entry below may join several."""
    parts = [f"{counted(alarming, 'mention')} {NOT_ADDRESSED}"] * bool(alarming)
    parts += [f"{unclear} possible" if alarming else f"{counted(unclear, 'possible mention')}"] * bool(unclear)
    return " · ".join(parts) or ALL_ANSWERED


def risks_left_out(count: int) -> str:
    """ "2 mentions of risk in the session are not found in the note. Address each one, …"."""
    found = f"{counted(count, 'mention')} of risk in the session {are(count)} not found in the note."
    return f"{found} Address each one, link it to a sentence, or dismiss it with a reason."


def told_wrongly(statements: Sequence[str]) -> str:
    """ "Check what the note says on risk: “No suicidal thoughts.”" It may be unsupported, or contradicted."""
    named = ", ".join(f"“{shortened(one, 90)}”" for one in statements[:_MOST_NAMED])
    more = len(statements) - _MOST_NAMED
    return f"Check what the note says on risk: {named}{f' {and_more(more)}' if more > 0 else ''}"


def not_addressed(what: str) -> str:
    return f"Not addressed: {what}"


def not_borne_out(statement: str) -> str:
    return f"The session does not support: “{statement}”"


def dismissed_by_author(reason: str) -> str:
    return f" (dismissed by the author: “{reason}”)"


def share_of(part: int, whole: int) -> str:
    return f"{part} of {whole}"


def turn_said(turn: str, quote: str) -> str:
    return f"Turn {turn}: {quote}"


def matches_no_item(heading: str) -> str:
    return f"It matches no checklist item under {heading}."


def mention_of(kind: str, likely: bool) -> str:
    """ "Possible mention of suicide"."""
    return f"{'Likely' if likely else 'Possible'} mention of {inside(kind)}"


_FOUND = {
    RiskState.NAMED: "in the note",
    RiskState.NEAR: "not clearly in the note",
    RiskState.OPEN: "not found in the note",
    None: "about risk; the note could not be checked",
}


def risk_in_turns(kind: str, stance: str, turns: Sequence[int], state: RiskState | None) -> str:
    """ "Suicide (now): turn 54 is not found in the note."; ``state`` is None where that could not be checked."""
    return f"{kind} ({stance}): {transcript.turn_list(turns)} {are(len(turns))} {_FOUND[state]}."


def doubted(statement: str) -> str:
    return f"“{statement}” mentions it, but is itself in doubt."


ADDRESSED_BY_SUPERVISOR = "The supervisor found the note to address it."


def addressed_by(statement: str) -> str:
    return f"Addressed by: “{statement}”"


def maybe_addressed_by(statement: str) -> str:
    return f"May be addressed by: “{statement}” Please check."


def risk_draft(kind: str, stance: str, quotes: Sequence[tuple[str, str]]) -> str:
    """For the note; ``quotes`` with their turns."""
    said = "; ".join(f"“{quote}” {in_turn(turn)}" for quote, turn in quotes)
    return f"Risk ({kind.lower()}, {stance}): {said} {_FINISH}"


# Sentences for the note on what it leaves out.


def in_turn(turn: str) -> str:
    return f"(turn {turn})"


def draft_sentence(about: str, quote: str, turn: str) -> str:
    """A sentence to finish, with the words that it would rest on."""
    return f"{f'{about}: ' if about else ''}“{quote}” {in_turn(turn)} {_FINISH}"


def asked_and_answered(question: str, who: str, answer: str, where: str) -> str:
    return f"Asked “{question}”, {who or 'the client'} answered “{answer}” {where}."


def therapist_said(quote: str, where: str) -> str:
    return f"Therapist {'asked' if quote.endswith('?') else 'said'}: “{quote}” {where}."


def other_said(who: str, quote: str, where: str) -> str:
    return f"{who or 'It was'} said: “{quote}” {where}."


def client_reports(who: str, told: str, quote: str, where: str) -> str:
    """``told`` is what they said in the third person; empty where only the quote is safe."""
    return f"{who or 'Client'} reports{f' that {told}' if told else f': “{quote}”'} {where}."


def with_quote(turn: str, quote: str) -> str:
    return f", turn {turn}: “{quote}”"
