from __future__ import annotations

import math
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.engines.chat import Request, TextLikelihood
from noteeval_desktop.errors import JudgeError
from noteeval_desktop.judges.reference_scores import LIKELIHOOD_METRICS, METRICS, NotePair, ReferenceScorer, Scored
from noteeval_desktop.measures.clinical_terms import ClinicalTerms, clinical_terms
from tests.factories import make_transcript
from tests.fake_embedder import FakeEmbedder
from tests.scripted_judge import ScriptedJudge

NEVER = threading.Event()
REFERENCE = "Client sleeps badly. He drinks four beers. He takes sertraline for depression."
NOTE = "Client sleeps badly. He takes sertraline."


class Strict(ScriptedJudge):
    """Entails what stands in the other text word for word, and nothing else."""

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        said = [turn.text for turn in case.transcript.turns]
        for sentence in case.note.sentences:
            yield ClaimVerdict(sentence.id, Verdict.SUPPORTED if sentence.text in said else Verdict.UNSUPPORTED)


class Reading(Strict):
    """Finds every letter of a text as likely as one of four."""

    scores_text = True

    def log_likelihoods(self, requests: list[Request], cancel: threading.Event) -> Iterator[TextLikelihood]:
        for request in requests:
            yield TextLikelihood(tuple((1, math.log(1 / 4)) for _ in request.answer.encode()))


class Broken(ScriptedJudge):
    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        raise JudgeError("The model stopped. Try again.")


@pytest.fixture(scope="module")
def terms() -> ClinicalTerms:
    return clinical_terms()


def pair(note: str = NOTE, reference: str = REFERENCE) -> NotePair:
    return NotePair(parse_note(note), parse_note(reference))


def score(terms: ClinicalTerms, *pairs: NotePair, judge: ScriptedJudge | None = None, window: int = 200) -> Scored:
    return ReferenceScorer(FakeEmbedder(), terms, judge, window=window, overlap=20).score(pairs, NEVER)


def test_a_note_is_all_of_itself(terms: ClinicalTerms) -> None:
    (values,) = score(terms, pair(REFERENCE), judge=Strict()).values
    whole = [name for name in values if name[:4] in ("ROUG", "BLEU", "chrF", "SBER", "Clai", "MIST", "BERT")]
    assert len(whole) == 26
    assert [values[name] for name in whole] == pytest.approx([1.0] * len(whole))
    assert values["Edit-Distance"] == 0.0


def test_word_vectors_are_matched_word_by_word(terms: ClinicalTerms) -> None:
    """The stand-in's vectors are the same for the same word and all but at right angles otherwise.

    All eight pieces of the note are in the reference; of the reference's fifteen, "drinks four beers for depression"
    are not in the note: ten are.
    """
    (values,) = score(terms, pair()).values
    assert values["BERTScore-P"] == pytest.approx(1.0)
    assert values["BERTScore-R"] == pytest.approx(10 / 15, abs=0.06)


def test_clinical_pieces_weigh_double(terms: ClinicalTerms) -> None:
    """Of the note's eight pieces "sertraline" is a term: (7 + 2) / 8."""
    (values,) = score(terms, pair()).values
    assert values["MedBERTScore-P"] == pytest.approx(9 / 8)


def test_sentence_vectors_are_matched_sentence_by_sentence(terms: ClinicalTerms) -> None:
    """By hand over the stand-in's vectors: of the note's two sentences the first stands in the reference, the second is
    nearest to its third; of the reference's three the first is the note's own, the others have one near each."""
    embed = FakeEmbedder().embed
    own, theirs = (embed([f"{part}." for part in text.rstrip(".").split(". ")]) for text in (NOTE, REFERENCE))
    cosines = [[float(np.dot(a, b)) for b in theirs] for a in own]
    (values,) = score(terms, pair()).values
    precision = (1 + max(cosines[1])) / 2
    recall = (1 + max(row[1] for row in cosines) + max(row[2] for row in cosines)) / 3
    assert values["SBERTScore-P"] == pytest.approx(precision, abs=1e-6)
    assert values["SBERTScore-R"] == pytest.approx(recall, abs=1e-6)
    assert values["SBERTScore-F"] == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-6)


def test_rare_pieces_weigh_more_with_idf(terms: ClinicalTerms) -> None:
    """Of two references "beer" stands in both (weight log(3/3) = 0) and "rash" in one (log(3/2)): of a note that shares
    "beer" alone nothing counts for recall but the rash's nearest piece."""
    notes = [pair("beer", "beer rash"), pair("beer", "beer")]
    first, second = score(terms, *notes).values
    tokens = FakeEmbedder().token_embeddings(["beer", "beer rash"])
    nearest = float(np.dot(tokens[0][1][0], tokens[1][1][1]))
    assert first["BERTScore-idf-R"] == pytest.approx(nearest, abs=1e-6)
    assert second["BERTScore-idf-R"] == 0.0


def test_only_what_is_wanted_is_computed(terms: ClinicalTerms) -> None:
    scorer = ReferenceScorer(FakeEmbedder(), terms, Broken(), window=200, overlap=20, wanted=("BLEU", "MIST"))
    scored = scorer.score([pair()], NEVER)
    assert set(scored.values[0]) == {"BLEU", "MIST"}
    assert scored.missing == scored.problems == {}


def test_mist_asks_for_the_reference_s_terms(terms: ClinicalTerms) -> None:
    """Sertraline of sertraline, drinking words apart: the lexicon has neither "drinks" nor "beers"."""
    (values,) = score(terms, pair()).values
    assert values["MIST"] == pytest.approx(1 / 2)


def test_a_long_note_scores_the_same_in_windows_as_at_once(terms: ClinicalTerms) -> None:
    long = " ".join(f"He drank {n} beers on day {n}." for n in range(18))
    at_once, windowed = (score(terms, pair(long, NOTE), window=size).values[0] for size in (250, 64))
    for name in ("BERTScore-F", "MedBERTScore-F", "BERTScore-idf-F"):
        assert windowed[name] == pytest.approx(at_once[name])


def test_no_piece_of_a_long_note_is_lost(terms: ClinicalTerms) -> None:
    """What stands only at its end, far beyond one window, is found."""
    filler = " ".join(f"Word{n} word{n}." for n in range(400))
    (values,) = score(terms, pair(f"{filler} sertraline", "sertraline")).values
    assert values["BERTScore-R"] == pytest.approx(1.0)


def test_claims_are_counted_both_ways(terms: ClinicalTerms) -> None:
    scored = score(terms, pair(), judge=Strict())
    assert scored.values[0]["Claim-Precision"] == 1 / 2
    assert scored.values[0]["Claim-Recall"] == 1 / 3
    assert "AutoAIS" in scored.missing


def test_autoais_is_the_share_that_the_session_entails(terms: ClinicalTerms) -> None:
    session = make_transcript((("client", "He takes sertraline."),))
    heard = NotePair(parse_note(NOTE), parse_note(REFERENCE), session)
    assert score(terms, heard, judge=Strict()).values[0]["AutoAIS"] == 1 / 2


def test_a_failed_judge_is_no_score_and_stops_nothing_else(terms: ClinicalTerms) -> None:
    scored = score(terms, pair(), pair(REFERENCE), judge=Broken())
    assert scored.problems == {0: "The model stopped. Try again."}
    assert scored.values[0]["Claim-Recall"] is None
    assert scored.values[1]["Claim-Recall"] == 1.0  # word for word: nothing to ask
    assert scored.values[0]["BERTScore-P"] == pytest.approx(1.0)


def test_likelihoods_are_means_and_weigh_clinical_tokens_double(terms: ClinicalTerms) -> None:
    note = "He takes sertraline."
    (values,) = score(terms, pair(note, note), judge=Reading()).values
    assert values["BARTScore-like-P"] == pytest.approx(math.log(1 / 4))
    assert values["MedBARTScore-like-R"] == pytest.approx(math.log(1 / 4) * (len(note) + len("sertraline")) / len(note))


def test_claims_that_could_not_be_judged_cost_no_likelihood(terms: ClinicalTerms) -> None:
    class Half(Reading, Broken):
        support = Broken.support

    scored = score(terms, pair(), judge=Half())
    assert scored.values[0]["Claim-Recall"] is None
    assert scored.values[0]["BARTScore-like-F"] == pytest.approx(math.log(1 / 4))


def test_ensembles_are_taken_over_the_set(terms: ClinicalTerms) -> None:
    scored = score(terms, pair(), pair(REFERENCE), pair("He drinks."))
    column = [row["MIST-Comb1"] for row in scored.values]
    assert None not in column
    assert np.mean([value for value in column if value is not None]) == pytest.approx(0.0)
    assert max(column, key=lambda value: value or 0.0) == column[1]


def test_what_cannot_be_computed_says_why(terms: ClinicalTerms) -> None:
    scored = score(terms, pair())
    assert set(scored.values[0]) | set(scored.missing) == set(METRICS)
    assert scored.missing[LIKELIHOOD_METRICS[0]] == "needs a local model: --judge local --model FILE.gguf"
    assert scored.missing["Claim-Recall"] == "needs a judge"
    assert "set" in scored.missing["MIST-Comb1"]


def test_what_a_missing_package_would_compute_says_which(terms: ClinicalTerms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "sacrebleu" else object())
    scored = score(terms, pair(), pair(REFERENCE))
    assert scored.missing["BLEU"] == "needs the package sacrebleu, in the extra measure"
    assert "BERTScore-P" in scored.values[0]
    assert "MIST-Comb1" in scored.missing


@pytest.mark.parametrize("text", ["None.", "😴", "x" * 3000, "a/b" * 300])
def test_texts_of_any_kind_are_scored(terms: ClinicalTerms, text: str) -> None:
    (values,) = score(terms, pair(text), judge=Strict()).values
    assert values["BERTScore-P"] is not None
