"""What `--help` says of each command and option."""

from __future__ import annotations

from noteeval_desktop.commands.passwords import CASE_PASSPHRASE, PDF_PASSWORD

PROGRAM = "Reviews therapy notes against the session they document."
EVALUATE = "check one note against its session"
SESSION = "which session to use if the file holds several"
EVALUATE_LABEL = "name of the case on the scorecard"
CHECKLIST = "judge by another checklist: a file (JSON, CSV, XLSX, Markdown), or one of yours or a ready-made by name"
EVALUATE_EARLIER = "the client’s earlier notes, to find what was copied from them"
EVALUATE_RIGHT_SESSION = "the session is the note's, though the program doubts it: check the statements"
EVALUATE_PLAN = "the client's treatment plan (TXT, DOCX or PDF): which of its goals the note speaks to"
EVALUATE_HTML = "the scorecard as a web page for screen readers"
EVALUATE_PAPER = "paper size of the PDF (a4)"
EVALUATE_APPENDIX = "add an appendix with everything else to the two pages of the scorecard"
EVALUATE_RESPONSES = "add the therapist's responses to the PDF and the web page"
EVALUATE_ENCRYPT_PDF = f"encrypt the PDF; the password comes from {PDF_PASSWORD} or is asked for"
EVALUATE_LIKERT = "also ask the language model for ratings from 1 to 5 and whether it would accept the note"
BATCH = "check many notes"
BATCH_JOBS = (
    "how many notes to check at a time, each on a processor core of its own (built-in judge: as many as this "
    "computer has cores, 8 at most; other judges: 1)"
)
BATCH_SHARD = "check only part I of N; a session's notes stay in the same part; to share a list among computers"
BATCH_SCHEDULER = (
    "have the notes checked by the workers of this Dask scheduler, which read and write the same folders; "
    "without ADDRESS, or with `embedded`, by workers on this computer; skips finished notes; needs the extra "
    "`cluster`"
)
BATCH_RESUME = "skip what this judge has already finished"
BATCH_AGGREGATE = "write averages, recurring gaps and distributions"
BATCH_PDF = "write a scorecard beside each JSON file, as a PDF and as a web page for screen readers"
BATCH_PROVIDER_BATCH = (
    "ask the remote judge through its provider's batch API: usually half the price, within a day; "
    "answers that cannot be used are requested again directly"
)
AGGREGATE = "summarise the results of batches"
AGGREGATE_FOLDERS = "where `noteeval batch` wrote its results"
JSON = "where to write the JSON; - for standard output"
AGGREGATE_PARQUET = (
    "write tables for analysts: a row per note in OUT, a row per finding beside it in OUT-findings; needs the "
    "extra `analyst`"
)
AGGREGATE_HTML = "write the overview as a web page"
AGGREGATE_PDF = "write the overview on two pages"
AGGREGATE_XLSX = "write the overview and a row per note as a workbook"
SCORE_RESPONSE = "score a therapist's response to a client"
SCORE_RESPONSE_CONTEXT = "what was said before; - for standard input"
SCORE_RESPONSE_RESPONSE = "the response; - for standard input"
SCORE_RESPONSE_SET = "a CSV or JSON file of many responses, with context and response"
BENCHMARK = "measure a judge against published data"
BENCHMARK_CROSS_VALIDATE = "retrain the built-in judge so that it only judges what it has not seen (degrade, tn-eval)"
BENCHMARK_CHART = "draw the correlations (mts-dialog, tn-eval-metrics)"
DEGRADE = "put known errors into a note to test a judge"
DEGRADE_CHANGES = "how many errors to add (5)"
DEGRADE_SEED = "random seed (0)"
DEGRADE_JSON = "list what was changed; - for standard output"
DEGRADE_STUDY = "make notes worse step by step, and see which judges and metrics notice"
DEGRADE_STUDY_JUDGE = "may be given twice: the built-in judge (the default) and one language model; or none"
DEGRADE_STUDY_DATA = "TN-Eval's or ACI-Bench's notes"
DEGRADE_STUDY_METRICS = "cheap (the default), claims, all, none, or names from `noteeval metrics`, separated by commas"
DEGRADE_STUDY_DEGRADER = "what makes the notes worse: rules (the default) or the language model that you name"
DEGRADE_STUDY_SEEDS = "degraded notes of each kind (3)"
DEGRADE_STUDY_LIMIT = "only the first N notes"
DEGRADE_STUDY_OUT = "save tables and charts here, and continue from what is already there"
METRICS = "compare a note with a reference note: ROUGE, BERTScore and others"
FACTS = "count the facts that a note gets right, gets wrong, adds or leaves out"
FACTS_ANNOTATIONS = (
    "facts counted by people: a CSV file with note,section,correct,incorrect,hallucinated,omitted,reference"
)
REFERENCE = "another note of the same session"
TRANSCRIPT = "the session itself"
PAIRS = "many notes at once: a CSV file with transcript,note,reference"
AGREEMENT = "measure how well raters and judges agree"
VERIFY = "check that a scorecard is unchanged and belongs to this case"
VERIFY_SCORECARD = f"the scorecard; its password comes from {PDF_PASSWORD}"
VERIFY_CASE = f"an evaluation as JSON, or an encrypted case ({CASE_PASSPHRASE})"
MODELS = "manage the models on this computer"
MODELS_LIST = "list what is installed and what can be downloaded"
MODELS_BUILD = "download and convert the sentence encoder"
MODELS_CHECK = "verify the installed models"
MODELS_TEST = "test a chat model and measure its speed on this computer"
MODELS_TEST_MODEL = "a model file, or with --base-url a model's name on that server"
MODELS_TEST_URL = "address of a server; it is sent 90 questions about two invented sessions, and nothing of yours"
MODELS_TEST_GPU = "use the graphics processor"
MODELS_DOWNLOAD = "download a chat model and verify its SHA-256"
MODELS_DOWNLOAD_NAME = "a name from `noteeval models list`"
MODELS_DOWNLOAD_URL = "the file's address, from the publisher's page"
MODELS_DOWNLOAD_SHA256 = "the file's SHA-256, from the same page"
MODELS_DOWNLOAD_FOLDER = "where to save it (the app's model folder)"
SELF_TEST = "check that NoteEval works on this computer"
SELF_TEST_CHECKS = "only these checks, and what they need (all)"
MODEL = "model of the local or remote judge"
GPU = "let the local judge use the graphics processor"
BASE_URL = "address of the remote judge"
QUICK_FIRST = (
    "full check: the built-in judge first, then the model about everything; each verdict weighs both, and the JSON "
    "contains both answers"
)
MINUTES = "with --judge local --quick-first: ask the model for this long at most, what matters most first"
PRICE = "price of the remote judge per million tokens: input, output, cached input"
PREVIEW = "write what would be sent, and send nothing"
CONSENT = "allow the session to be sent to that address"
ALLOW_UNENCRYPTED = "also send to an http address in your own network, where anyone can read it"
NO_CACHE = "ignore earlier answers of a language model"
LIBRARY = (
    "keep answers of a language model in the encrypted library and reuse them; it opens with "
    "NOTEEVAL_PASSPHRASE, the keychain, or a passphrase that is asked for"
)
NO_TEXT = "leave all text and quotes out of the JSON and CSV"


def misused(problem: str, command: str) -> str:
    return f"noteeval: {problem}. Run `{command} --help` to see how it is used.\n"


def did_you_mean(*misspelt: tuple[str, str]) -> str:
    return "".join(f"noteeval: there is no {given}. Did you mean {near}?\n" for given, near in misspelt)


def no_minutes(text: str) -> str:
    return f"{text} is not a number of minutes from 0.1 to 1440"


def no_price(text: str) -> str:
    return f"{text} is not a price: give two or three numbers, as in 2.50,10 (per million)"


def no_number(text: str, most: int) -> str:
    return f"{text} is not a number from 1 to {most}"


def no_part(text: str) -> str:
    return f"{text} is not a part of a list: write 2/8 for the second of eight parts"
