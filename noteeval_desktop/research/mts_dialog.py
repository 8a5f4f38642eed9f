"""The data of the benchmark mts-dialog: 400 automatic summaries, and the facts that people counted in them.

Data: Ben Abacha et al., MTS-Dialog (CC BY 4.0); published correlations: Ben Abacha et al., An
Investigation of Evaluation Metrics for Automated Medical Note Generation (ACL Findings 2023), table 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.domain.phrases import listed, tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.research.published import shown, tables

MANUAL = ("FactualPrecision", "FactualRecall", "FactualF1", "HallucinationRate", "OmissionRate")
SUMMARIES = ("Reference Summary", "Automatic Summary")
_REMEDY = tr(
    "Give MTS-Dialog's automatic summaries of the validation set (columns {summaries}); the manual scores of the "
    "correlation study (columns {scores}) are looked for beside them."
).format(summaries=listed(SUMMARIES), scores=listed(MANUAL))
# Table 2, in the order of MANUAL; the metrics by the names that ours have.
PUBLISHED = {
    "ROUGE-1-P": (0.14, -0.09, -0.04, -0.16, 0.06),
    "ROUGE-1-R": (0.10, 0.57, 0.53, 0.02, -0.60),
    "ROUGE-1-F": (0.13, 0.39, 0.40, -0.08, -0.44),
    "ROUGE-2-P": (0.12, 0.05, 0.07, -0.12, -0.12),
    "ROUGE-2-R": (0.12, 0.34, 0.34, -0.09, -0.39),
    "ROUGE-2-F": (0.12, 0.28, 0.29, -0.10, -0.33),
    "ROUGE-L-P": (0.13, -0.08, -0.05, -0.15, 0.07),
    "ROUGE-L-R": (0.10, 0.56, 0.51, 0.02, -0.58),
    "ROUGE-L-F": (0.13, 0.38, 0.38, -0.08, -0.41),
    "BERTScore-P": (0.10, 0.11, 0.15, -0.18, -0.23),
    "BERTScore-R": (0.07, 0.62, 0.59, 0.02, -0.71),
    "BERTScore-F": (0.09, 0.44, 0.45, -0.08, -0.56),
    "BLEURT": (0.11, 0.48, 0.47, -0.08, -0.59),
    "BARTScore-like-P": (0.37, 0.09, 0.19, -0.34, -0.26),
    # And MedBERTScore-SP, with sliding windows, the same: these summaries are short, and ours has windows throughout.
    "MedBERTScore-P": (0.28, -0.16, -0.02, -0.27, -0.32),
    "MedBARTScore-like-P": (0.46, 0.13, 0.24, -0.46, -0.27),
    "ClinicalBLEURT": (0.19, 0.22, 0.19, -0.06, -0.20),
    "MIST": (0.02, 0.46, 0.45, 0.08, -0.51),
    "MIST-Comb1": (0.08, 0.64, 0.61, 0.05, -0.71),
    "MIST-Comb2": (0.09, 0.60, 0.58, 0.01, -0.68),
}
AS_PUBLISHED = ", as published"


@dataclass(frozen=True, slots=True)
class Summaries:
    """``pairs``: reference and automatic summary; ``dialogues``: what they summarise, "" where the file lacks it;
    ``manual``: the scores of ``MANUAL``, one a pair.
    """

    pairs: tuple[tuple[str, str], ...]
    dialogues: tuple[str, ...]
    manual: dict[str, tuple[float, ...]]


def load(*paths: Path) -> Summaries:
    """The automatic summaries among ``paths``, and the manual scores, row by row, which may stand beside them.

    Raises InputError.
    """
    pairs = tables(paths, SUMMARIES, _REMEDY, known=("Dialogue",))
    manual = tables(paths, MANUAL, _REMEDY, beside=True)
    if len(pairs) != len(manual):
        problem = tr("has {rows} rows, the manual scores {scores}").format(rows=len(pairs), scores=len(manual))
        raise InputError(shown(paths), problem, _REMEDY)
    try:
        # abs: rows 345 and 346 have an omission rate of -1, which no rate can be. Read as 1, as for table 2 it was,
        # the published correlations come out to within 0.008; as it stands they are off by up to 0.03.
        counted = {name: tuple(abs(float(row[name])) for row in manual) for name in MANUAL}
    except ValueError as error:
        raise InputError(shown(paths), tr("a manual score beside it is not a number"), _REMEDY) from error
    texts = tuple((row["Reference Summary"], row["Automatic Summary"]) for row in pairs)
    return Summaries(texts, tuple(row.get("Dialogue") or "" for row in pairs), counted)


def rouge_as_published(reference: str, text: str) -> dict[str, float]:
    """ROUGE in the form that gives table 2's figures: that of the package ``rouge`` 1.0 over texts with a space behind.

    Words are what stands between spaces, in their case, with commas and the like; a text ends in an empty word, so
    that any two share one; n-grams are sets; ROUGE-L joins the words of the longest common subsequences of all pairs
    of sentences (cut at every full stop). rouge-score, the reference implementation, lower-cases, drops punctuation
    and counts repeated n-grams, and so differs from the table by up to 0.19.
    """
    ours, theirs = _sentences(text), _sentences(reference)
    found: dict[str, float] = {}
    for size in (1, 2):
        a, b = (_grams([word for sentence in own for word in sentence], size) for own in (ours, theirs))
        found |= _shares(f"ROUGE-{size}", len(a & b), len(a), len(b))
    common = {word for first in theirs for second in ours for word in _common_words(first, second)}
    words = [{word for sentence in own for word in sentence} for own in (ours, theirs)]
    return found | _shares("ROUGE-L", len(common), len(words[0]), len(words[1]))


def _shares(name: str, common: int, own: int, theirs: int) -> dict[str, float]:
    p, r = common / own if own else 0.0, common / theirs if theirs else 0.0
    values = zip("PRF", (p, r, 2 * p * r / (p + r) if p + r else 0.0), strict=True)
    return {f"{name}-{part}": value for part, value in values}


def _sentences(text: str) -> list[list[str]]:
    return [" ".join(part.split()).split(" ") for part in f"{text.strip()} ".split(".") if part]


def _grams(words: Sequence[str], size: int) -> set[tuple[str, ...]]:
    return {tuple(words[n : n + size]) for n in range(len(words) - size + 1)}


def _common_words(a: Sequence[str], b: Sequence[str]) -> set[str]:
    """Of one longest common subsequence."""
    table = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, first in enumerate(a):
        for j, second in enumerate(b):
            table[i + 1][j + 1] = table[i][j] + 1 if first == second else max(table[i][j + 1], table[i + 1][j])
    i, j, found = len(a), len(b), set()
    while i and j:
        if a[i - 1] == b[j - 1]:
            i, j = i - 1, j - 1
            found.add(a[i])
        elif table[i - 1][j] > table[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found
