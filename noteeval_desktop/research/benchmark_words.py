"""What the benchmarks and the degradation study say, to people who know figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from noteeval_desktop.domain.phrases import are, counted

AUC_BY_QUALITY = "AUC, high against low quality"
INTERVAL = "95 % interval"
MEAN_OF_HIGH = "Mean of high"
MEAN_OF_LOW = "Mean of low"
LOW = "Scored 3 or less"
MEAN_OF_SIX = "Mean of six"
ANY = "Any attribute"
FACTS_LEFT_OUT = "Facts that a note leaves out"
AMONG_FIRST = "Among the first five findings"
AT_RANDOM = "  as many turns at random"
PER_NOTE = "Findings per note"
CITING = "  that cite such a fact"
CHANGE = "Change"
MADE = "Made"
FOUND = "Found"
OF_DECIDABLE = "Of those that a transcript can decide"
CLAIMS = "Claims"
WRITTEN = "Written"
CALLED_ERROR = "Called an error"
CALLED_CONTRADICTED = "Called contradicted"
SENTENCES = "Sentences"
SHARE = "Share"
FILLERS = "fillers found"
UNNEEDED = "clinical ones called unneeded"
CHECKLIST_ROWS = {
    "present_called_missing": "present, called missing",
    "absent_called_present": "absent, called present",
    "present_shown_missing": "  shown as missing",
    "present_shown_not_recognised": "  not recognised",
    "absent_shown_missing": "absent, shown as missing",
    "safety_called_missing": "safety: called missing",
    "safety_called_present": "safety: called present",
}
ITEMS = "Items"
IN_NOTES = "In notes"
LINKS = "Links to the treatment plan"
NO_PLANS = ("does not look at treatment plans", "Name another judge.")
LEDGER = "Risk ledger"
OF = "Of"
SHARE_OR_MEAN = "Share or mean"
JUDGED = "Judged"
NAMES = {
    "FactualPrecision": "Factual P",
    "FactualRecall": "Factual R",
    "FactualF1": "Factual F1",
    "HallucinationRate": "Hallucination",
    "OmissionRate": "Omission",
}
MTS_DIALOG = "Correlation with the facts that people counted, 400 summaries of MTS-Dialog"
TN_EVAL = "Correlation with therapists' scores of language models' notes, TN-Eval"
AGGREGATE = "Aggregate"
PEARSON = "Pearson's r"
RANKS = "Spearman's ρ / Kendall's τ"
RECORDED = (
    ("found", "Errors found"),
    ("doubted", "True sentences doubted"),
    ("auc", "AUC"),
    ("contradicted_right", "“Contradicted” right"),
    ("clinical_called_unneeded", "Clinical sentences called unneeded"),
    ("omitted_in_first_five", "Omitted facts in the first five"),
    ("wrong_words_named", "Wrong words named"),
)
WEAKENED = ("Made worse by chance: finds / doubts", "Both: find / doubt", "AUC of the model", "Built-in", "Both")
NO_NOTE = "No note could be used. Check the data."
A_LOCAL_MODEL = "a local model"
A_JUDGE = "a judge"
HEADINGS = ("r", "95 % interval", "by therapists", "by Llama", "by Mistral", "α", "95 % interval", "κ", "AUC", "ECE")
COUNTED = "  counting yes answers"
LEGEND = (
    "r        how closely the note's score follows the mean of two therapists (1: perfectly, 0: not at all), over all\n"
    "         notes and within the notes of each source. Where a judge gives probabilities, the score is their mean\n"
    "         (faithfulness: with what is sure counted in full and errors for less);\n"
    "         the row below it counts the answers that are yes, as the program shows them.\n"
    "α, κ     agreement with one therapist beyond chance, item by item or sentence by sentence, mean over the two.\n"
    "AUC      how often a thing that a therapist marked is ranked above one that was not (0.5: by chance).\n"
    "ECE      how far stated probabilities are from what therapists said, on average (0: exactly right).\n"
    "Ceiling  the highest r that any judge can expect, as two therapists differ from each other.\n"
    "Intervals are from resampling conversations.\n"
    "The heads that ship were trained on the development notes: over those, only cross-validated rows say how\n"
    "the judge does on notes that it never saw."
)
ONE_THERAPIST = "one therapist, the other"
CONTRADICTED = "called contradicted"
NOTES, SESSIONS, EXCHANGES = "Notes", "Sessions", "Exchanges"
# A problem and its remedy, for an InputError.
NO_FILE = ("there is no such file", "Give the benchmark's data with --data FILE.")
_LABELLED = "Give a folder of labelled sessions with --data FOLDER."
NO_LABELLED = ("holds no labelled sessions", _LABELLED)
_EXCHANGES = "Give a folder of exchanges as models/training/exchanges/GUIDE.md has them."
NO_EXCHANGES = ("holds no exchanges", _EXCHANGES)
NO_SESSIONS_IN = ("holds no labelled sessions", "Give the folder that holds them.")
NO_VISITS = (
    "is not a table of visits and their notes",
    "Give mts_dialog_valid.csv or aci_bench_valid.csv with --data FILE.",
)
NOTHING_TO_MEASURE = ("has nothing to measure", "Name a judge or metrics.")
ONE_MODEL = ("takes one language model at a time", "Run it once for each.")


def goes_with(name: str, others: Iterable[str]) -> tuple[str, str]:
    return f"does not go with {name}", f"It goes with {' or '.join(sorted(others))}."


def needs_package(name: str) -> tuple[str, str]:
    how = "`python3 installers/bootstrap.py test` sets it up; elsewhere install the extras train and measure."
    return f"needs the package {name}", how


def needs_measure(name: str) -> tuple[str, str]:
    return f"needs the package {name}", "Install the extra measure."


def not_labelled(error: Exception) -> tuple[str, str]:
    return f"is not in the form of labelled sessions: {error}", _LABELLED


def not_exchanges(error: Exception) -> tuple[str, str]:
    return f"is not in the form of exchanges: {error}", _EXCHANGES


def unknown_metric(name: str, sets: Iterable[str], metrics: Iterable[str]) -> tuple[str, str]:
    return f"does not know {name}", f"Name {', '.join(sets)}, or: {', '.join(metrics)}."


def metric_needs(metric: str, what: str) -> tuple[str, str]:
    return f"{metric} needs {what}", "Add --judge, or leave that metric out."


def benchmark(name: str) -> str:
    return f"benchmark {name}"


def what_is_in(name: str) -> str:
    return f"what {name} holds, identifiers replaced,"


def crisis(sessions: int, responses: int) -> str:
    return f"{counted(sessions, 'session')}; {counted(responses, 'response')} to a crisis."


def quality(number: str, unit: str, quality: str) -> str:
    return f"{number} {unit}, {quality} quality"


def score_rises(name: str) -> str:
    return f"score rises, {name}"


def called_observed(claims: int, share: str) -> str:
    return f"Called observed, of {claims} that no transcript shows: {share}"


def changes_made(count: int) -> str:
    return f"{counted(count, 'change')} made."


def how_to_read(published: bool) -> str:
    said = "In square brackets: the 95 % interval."
    return f"{said} In round ones: the published correlation." if published else said


def not_computed(names: Sequence[str], reason: str) -> str:
    return f"Not computed: {', '.join(names)}: {reason}."


def failed_on(count: int) -> str:
    return f"The judge failed on {count}; {are(count, 'it is', 'they are')} in no row that asks it."


def notes_of(notes: int, conversations: int) -> str:
    return f"{counted(notes, 'note')} of {counted(conversations, 'conversation')}"


def found_and_doubted(found: float, doubted: float) -> str:
    return f"{100 * found:.0f} % / {100 * doubted:.0f} %"


def without_answer(count: int) -> str:
    if not count:
        return "Every request had a recorded answer."
    return f"{counted(count, 'request')} without a recorded answer: prompts have changed since they were recorded."
