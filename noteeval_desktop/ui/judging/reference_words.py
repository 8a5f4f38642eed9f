"""What is said about a note beside a reference note."""

from __future__ import annotations

COMPARE_WITH_REFERENCE = "Compare with a reference note"
CHOOSE_REFERENCE = "Choose the reference note…"
CHOOSE_A_REFERENCE = "Choose another note of the same session, such as a colleague's or an earlier version."
COMPARING = "Comparing the two notes…"
SET_UP_BUILT_IN = "The built-in judge is not set up yet. Check the note once, then compare again."
NEEDS_THE_EXTRA = "The first six rows need packages that are not installed here. Install the extra “measure”."
WORDING_NOT_TRUTH = (
    "These numbers compare wording, not truth: a note can agree with the reference and still be wrong about the "
    "session. None of them reliably notices a made-up fact or a missing “not”."
)
NOT_COMPUTED_HERE = "Not computed here: BLEURT and ClinicalBLEURT, whose weights do not come with NoteEval."
METRIC_COLUMNS = ("Measure", "Value", "What it says")
METRICS = {
    "ROUGE-1-F": ("Same words (ROUGE-1)", "How many words the notes share. 1: all; 0: none."),
    "ROUGE-2-F": ("Same word pairs (ROUGE-2)", "The same, for two words in a row."),
    "ROUGE-L-F": ("Same order (ROUGE-L)", "How many words they share in the same order."),
    "BLEU": ("Same phrases (BLEU)", "How much of this note's phrasing, up to four words, is in the reference."),
    "chrF": ("Same letters (chrF)", "How many runs of letters they share. A changed number hardly shows."),
    "Edit-Distance": ("Edits (edit distance)", "How much would have to be retyped. 0: nothing; lower is closer."),
    "BERTScore-F": (
        "Similar words (BERTScore)",
        "How close in meaning the words are. Unrelated notes score too.",
    ),
    "SBERTScore-F": ("Similar sentences (SBERTScore)", "How close in meaning each sentence's best match is."),
    "MIST": (
        "Clinical terms (MIST)",
        "How far this note's clinical terms match the reference's. Above 1: this note has more of them.",
    ),
}


def compared_with(name: str) -> str:
    return f"Compared with {name}."
