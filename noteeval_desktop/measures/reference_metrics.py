"""How much of a reference a text repeats, by its words and letters.

None of these sees meaning: a paraphrase scores low, and "denies pain" scores high beside "pain". They need the
packages of the extra ``measure``.
"""

from __future__ import annotations

from collections.abc import Collection

_KINDS = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L", "rougeLsum": "ROUGE-Lsum"}
METRICS = tuple(f"{name}-{part}" for name in _KINDS.values() for part in "PRF")


def rouge(reference: str, text: str, wanted: Collection[str] = METRICS, *, stemmed: bool = False) -> dict[str, float]:
    """The members of ``METRICS`` of each kind that ``wanted`` names, each 0..1, over lower-cased words by rouge-score:
    as they stand, or ``stemmed`` (Porter's).

    ROUGE-N: n-grams of the text that the reference has too, counted once each, as a share of the text's (P) and of the
    reference's (R); F is their harmonic mean. ROUGE-L: the same of the longest common subsequence of words; ROUGE-Lsum
    takes it sentence by sentence (one a line) and joins them. Source: Lin (2004). Order, negation and who did what
    count for little or nothing.
    """
    from rouge_score.rouge_scorer import RougeScorer

    # ROUGE-Lsum takes as long as all the others together.
    kinds = {kind: name for kind, name in _KINDS.items() if any(own.startswith(f"{name}-") for own in wanted)}
    scores = RougeScorer(list(kinds), use_stemmer=stemmed).score(reference, text)
    found: dict[str, float] = {}
    for kind, name in kinds.items():
        score = scores[kind]
        found |= {f"{name}-P": score.precision, f"{name}-R": score.recall, f"{name}-F": score.fmeasure}
    return found


def bleu(reference: str, text: str) -> float:
    """Sentence BLEU, 0..1, by sacrebleu: the geometric mean of the precisions of 1- to 4-grams (as many as the text is
    long enough for, exponential smoothing, 13a tokens), times exp(1 - reference/text length) where the text is shorter.

    Source: Papineni et al. (2002), Post (2018). It asks how much of the text is in the reference: what was left out
    shows only as length.
    """
    from sacrebleu.metrics.bleu import BLEU

    return float(BLEU(effective_order=True).sentence_score(text, [reference]).score) / 100


def chrf(reference: str, text: str) -> float:
    """chrF2, 0..1, by sacrebleu: F with recall counted double over character 1- to 6-grams.

    Source: Popović (2015). Forgives inflection; a changed digit or a "not" hardly moves it.
    """
    from sacrebleu.metrics.chrf import CHRF

    return float(CHRF().sentence_score(text, [reference]).score) / 100


def edit_distance(reference: str, text: str) -> float:
    """Levenshtein's distance over characters as a share of the longer text: 0 for the same text, 1 for nothing alike.

    Source: Levenshtein (1966); among the best for consultation notes in Moramarco et al. (2022). Two sentences that
    changed places count as much as two that are wrong.
    """
    from rapidfuzz.distance import Levenshtein

    return float(Levenshtein.normalized_distance(reference, text))


def lexical(reference: str, text: str, wanted: Collection[str] = METRICS, *, stemmed: bool = False) -> dict[str, float]:
    """All of this module, of ROUGE the ``wanted``; sentences one a line."""
    return rouge(reference, text, wanted, stemmed=stemmed) | {
        "BLEU": bleu(reference, text),
        "chrF": chrf(reference, text),
        "Edit-Distance": edit_distance(reference, text),
    }
