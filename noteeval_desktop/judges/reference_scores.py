"""All reference metrics over a set of pairs of a note and a reference.

Names end in P (precision: how much of the note is in the reference), R (recall: how much of the reference is in the
note) or F. Headings do not count. What cannot be computed has its reason in ``Scored.missing``.
"""

from __future__ import annotations

import importlib.util
import re
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Note
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation, Role, Transcript, Turn
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.engines.bert import Vectors
from noteeval_desktop.engines.chat import Request, TextLikelihood
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import JudgeError, ModelError
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.measures import vector_metrics as vm
from noteeval_desktop.measures.agreement import known_means
from noteeval_desktop.measures.clinical_terms import ClinicalTerms
from noteeval_desktop.measures.reference_metrics import METRICS as ROUGE_METRICS
from noteeval_desktop.measures.reference_metrics import lexical
from noteeval_desktop.measures.vector_metrics import ALPHA

# How likely a language model finds one note given another, in the form of BARTScore and MedBARTScore.
# BARTScore (Yuan et al. 2021): (1/m) Σ log p(y_t | y_<t, x); MedBARTScore (Ben Abacha et al. 2023, 4.3.1) weighs tokens
# of clinical terms with 1 + α, here before dividing by m. P: y is the note and x the reference; R: the other way round;
# F: their mean. In nats, at most 0. The published scores are those of a BART trained on ParaBank2: with another model
# the values are others, so compare only values of one model. It rewards what is usual: a fluent mistake costs little.
LIKELIHOOD_METRICS = tuple(f"{name}-{part}" for name in ("BARTScore-like", "MedBARTScore-like") for part in "PRF")


@runtime_checkable
class ScoresText(Protocol):
    """A judge whose model can tell how likely it finds a text."""

    @property
    def scores_text(self) -> bool:
        """Whether this model can."""
        ...

    def log_likelihoods(self, requests: Sequence[Request], cancel: threading.Event) -> Iterator[TextLikelihood]:
        """Of each request's ``answer``, in order. Raises ModelError, Cancelled."""
        ...


def likelihood_metrics(
    judge: ScoresText, terms: ClinicalTerms, note: str, reference: str, cancel: threading.Event
) -> dict[str, float | None]:
    """The members of ``LIKELIHOOD_METRICS``. Raises ModelError, also where a note is too long for the model."""
    requests = [_request(given=reference, text=note), _request(given=note, text=reference)]
    plain, weighted = [], []
    for text, found in zip((note, reference), judge.log_likelihoods(requests, cancel), strict=True):
        if found.problem or not found.tokens:
            raise ModelError(f"How likely the notes are cannot be told: {found.problem or 'there are no tokens'}.")
        logs = [log for _, log in found.tokens]
        weights = _weights(text, [size for size, _ in found.tokens], terms.find(text))
        plain.append(sum(logs) / len(logs))
        weighted.append(sum(w * log for w, log in zip(weights, logs, strict=True)) / len(logs))
    values = [*plain, sum(plain) / 2, *weighted, sum(weighted) / 2]
    return dict(zip(LIKELIHOOD_METRICS, values, strict=True))


def _request(given: str, text: str) -> Request:
    return Request(
        "You write clinical notes.", f"A note:\n{given}\n\n", "Write the same note in other words.", answer=text
    )


def _weights(text: str, sizes: Sequence[int], spans: Sequence[Span]) -> list[float]:
    """1 + α for tokens of so many bytes that share a byte with a term; some vocabularies put a space before all."""
    at = len(text.encode("utf-8", "replace")) - sum(sizes)
    if at not in (0, -1):
        raise ModelError("How likely the notes are cannot be told: the model's tokens do not spell them.")
    clinical = bytearray(sum(sizes) + 1)
    for span in spans:
        start, end = (len(text[:place].encode("utf-8", "replace")) for place in (span.start, span.end))
        clinical[start:end] = b"\x01" * (end - start)
    weights = []
    for size in sizes:
        weights.append(1 + ALPHA * any(clinical[max(at, 0) : at + size]))
        at += size
    return weights


# What a judge says of one note's sentences given another note, in place of a session.
# The other note's sentences stand as turns of somebody who is neither therapist nor client. A sentence that stands in
# the other note word for word is entailed by it, whatever the judge would say: a judge of sessions may call "casually
# dressed" something that nobody can hear.
def claims_given(
    judge: Judge, note: Note, given: Note | Transcript, cancel: threading.Event
) -> dict[str, ClaimVerdict]:
    """Sentence id → verdict, for the sentences of ``note`` that make a claim; of another note, citations count its
    sentences as turns.

    Raises JudgeError where a claim could not be judged: a share over the others would flatter. Raises Cancelled.
    """
    there: dict[str, int] = {}
    session = given
    if isinstance(given, Note):
        there = {_plain(sentence.text): n for n, sentence in enumerate(given.sentences)}
        session = Transcript(
            tuple(Turn(n, "Note", Role.OTHER, sentence.text) for n, sentence in enumerate(given.sentences))
        )
    assert isinstance(session, Transcript)
    known: dict[str, ClaimVerdict] = {}
    for sentence in note.sentences:
        if (n := there.get(_plain(sentence.text))) is not None:
            quote = session.turns[n].text
            cited = (Citation(n, Span(0, len(quote)), quote),)
            known[sentence.id] = ClaimVerdict(sentence.id, Verdict.SUPPORTED, citations=cited)
    if len(known) == len(note.sentences):
        return known
    for claim in judge.support(Case(session, note), cancel):
        if claim.sentence in known or claim.set_aside:
            continue
        if claim.verdict is None:
            raise JudgeError(claim.rationale or "A statement could not be judged. Try again.")
        known[claim.sentence] = claim
    return known


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .;")


WINDOW, OVERLAP = 512, 100
LEXICAL = (*ROUGE_METRICS, "BLEU", "chrF", "Edit-Distance")
TOKENS = tuple(f"{name}-{part}" for name in ("BERTScore", "BERTScore-idf", "MedBERTScore") for part in "PRF")
SENTENCES = tuple(f"SBERTScore-{part}" for part in "PRF")
CLAIMS = ("Claim-Precision", "Claim-Recall")
ENSEMBLES = {
    # Which of BERTScore's three the paper takes it does not say; its figures fit recall.
    "MIST-Comb1": ("MIST", "ROUGE-1-R", "BERTScore-R"),
    "MIST-Comb2": ("MIST", "ROUGE-1-R", "SBERTScore-R"),
}
METRICS = (*LEXICAL, *TOKENS, *SENTENCES, "MIST", *CLAIMS, "AutoAIS", *LIKELIHOOD_METRICS, *ENSEMBLES)
# What the published figures have and nobody can compute without weights or terminologies that may not be passed on.
NOT_HERE = {
    "BLEURT": "needs the published checkpoint BLEURT-20, which does not ship (--bleurt FOLDER takes yours); MIST-Comb2 "
    "has SBERTScore-R in its place",
    "ClinicalBLEURT": "needs the authors' fine-tuned checkpoint, which does not ship",
}
_NOTHING: Callable[[int, int], None] = lambda done, total: None  # noqa: E731
_WORD = re.compile(r"[^\W_]{1,60}|[^\s]")
PACKAGES = {"rouge_score": "rouge-score", "sacrebleu": "sacrebleu", "rapidfuzz": "rapidfuzz"}


@dataclass(frozen=True, slots=True)
class NotePair:
    """``session``: what the note documents, for AutoAIS."""

    note: Note
    reference: Note
    session: Transcript | None = None


@dataclass(frozen=True, slots=True)
class Scored:
    """``values[n]``: metric → score of the n-th pair, None where undefined; ``missing``: metric → why no pair has it;
    ``problems``: of the pairs, by number, about which the judge failed, so that what it was asked for is None.
    """

    values: tuple[dict[str, float | None], ...]
    missing: dict[str, str]
    problems: dict[int, str]

    def mean(self) -> dict[str, float | None]:
        """Of each metric over the pairs that have it; an ensemble's is 0 by definition."""
        return known_means(self.values)


@dataclass(frozen=True)
class _Encoded:
    pieces: list[str]
    vectors: Vectors
    weights: vm.Floats  # 1 + α on pieces of clinical terms


class ReferenceScorer:
    """``embedder`` reads ``window`` tokens at once; without a ``judge`` nothing is asked that takes one. Nothing is
    computed that none of ``wanted`` takes. ``stemmed``: ROUGE compares stems."""

    def __init__(
        self,
        embedder: Embedder,
        terms: ClinicalTerms,
        judge: Judge | None = None,
        *,
        window: int = WINDOW,
        overlap: int = OVERLAP,
        wanted: Collection[str] = METRICS,
        stemmed: bool = False,
    ) -> None:
        self._stemmed = stemmed
        self._embedder, self._terms, self.judge = embedder, terms, judge
        self.encoder = embedder.fingerprint
        self._room, self._overlap = window - 2, overlap  # [CLS] and [SEP] take two
        self._wanted = {*wanted, *(part for name in wanted for part in ENSEMBLES.get(name, ()))}

    def _wants(self, names: Collection[str]) -> bool:
        return not self._wanted.isdisjoint(names)

    def score(
        self, pairs: Sequence[NotePair], cancel: threading.Event, progress: Callable[[int, int], None] = _NOTHING
    ) -> Scored:
        """Every metric wanted that can be computed here. Raises ModelError from the encoder, Cancelled."""
        missing, problems = self.missing(len(pairs), any(pair.session for pair in pairs)), dict[int, str]()
        frequencies = self.frequencies([pair.reference for pair in pairs], cancel)
        values: list[dict[str, float | None]] = []
        for n, pair in enumerate(pairs):
            progress(n, len(pairs))
            found, problem = self.of_pair(pair, frequencies, cancel)
            values.append(found)
            if problem:
                problems[n] = problem
        progress(len(pairs), len(pairs))
        return Scored(self.in_set(values, missing), missing, problems)

    def of_pair(
        self, pair: NotePair, frequencies: Mapping[str, float], cancel: threading.Event
    ) -> tuple[dict[str, float | None], str]:
        """What does not compare within a set, and why the judge failed, where it did; ``frequencies`` of the set.

        Raises ModelError from the encoder, Cancelled.
        """
        missing, problem = self.missing(1, pair.session is not None), ""
        found = self._token_scores(pair, frequencies, cancel) if self._wants(TOKENS) else {}
        if "ROUGE-1-P" not in missing and self._wants(LEXICAL):
            found |= lexical(_lines(pair.reference), _lines(pair.note), self._wanted, stemmed=self._stemmed)
        if self._wants(SENTENCES):
            found |= self._sentence_scores(pair, cancel)
        if self._wants(("MIST",)):
            found["MIST"] = self._mist(pair, cancel)
        for ask, own in ((self._claims, (*CLAIMS, "AutoAIS")), (self._likelihoods, LIKELIHOOD_METRICS)):
            try:
                found |= ask(pair, missing, cancel) if self._wants(own) else {}
            except JudgeError as error:
                problem = str(error)
        return found, problem

    def in_set(
        self, rows: Sequence[Mapping[str, float | None]], missing: Collection[str]
    ) -> tuple[dict[str, float | None], ...]:
        """``of_pair``'s values of a set of pairs, with what compares within it, and in the order of ``METRICS``."""
        columns = {
            name: vm.ensemble([[row.get(part) for row in rows] for part in parts])
            for name, parts in ENSEMBLES.items()
            if name in self._wanted and name not in missing
        }
        names = [name for name in METRICS if name in self._wanted and name not in missing]
        return tuple(
            {name: columns[name][n] if name in columns else row.get(name) for name in names}
            for n, row in enumerate(rows)
        )

    def missing(self, pairs: int, sessions: bool) -> dict[str, str]:
        """Metric → why no pair of so many has it; ``sessions``: some have one."""
        missing: dict[str, str] = {}
        lacking = [name for module, name in PACKAGES.items() if importlib.util.find_spec(module) is None]
        if lacking:
            missing |= dict.fromkeys(LEXICAL, f"needs the package {' and '.join(lacking)}, in the extra measure")
        if self.judge is None:
            missing |= dict.fromkeys((*CLAIMS, "AutoAIS"), "needs a judge")
        elif not sessions:
            missing["AutoAIS"] = "needs the session that the note documents"
        if not isinstance(self.judge, ScoresText) or not self.judge.scores_text:
            missing |= dict.fromkeys(LIKELIHOOD_METRICS, "needs a local model: --judge local --model FILE.gguf")
        if pairs < 2:
            missing |= dict.fromkeys(ENSEMBLES, "compares within a set: needs two pairs or more")
        elif lacking:
            missing |= dict.fromkeys(ENSEMBLES, missing["ROUGE-1-R"])
        return {name: reason for name, reason in missing.items() if name in self._wanted}

    def frequencies(self, references: Iterable[Note], cancel: threading.Event) -> dict[str, float]:
        """Of word pieces, for BERTScore-idf: over the set's references; for a single pair over its reference's
        sentences, as there is no set. Nothing where it is not wanted."""
        if not self._wants([name for name in TOKENS if "-idf-" in name]):
            return {}
        spelled, sentences = list[list[str]](), list[str]()
        for reference in references:
            sentences = [sentence.text for sentence in reference.sentences]
            words = self._embedder.pieces([word.group() for word in _WORD.finditer(_lines(reference))], cancel)
            spelled.append([piece for own in words for piece in own])
        return vm.inverse_document_frequency(self._embedder.pieces(sentences, cancel) if len(spelled) == 1 else spelled)

    def _token_scores(
        self, pair: NotePair, frequencies: Mapping[str, float], cancel: threading.Event
    ) -> dict[str, float | None]:
        note, reference = (self._encode(_lines(own), cancel) for own in (pair.note, pair.reference))
        tokens = note.vectors @ reference.vectors.T
        found = _parts("BERTScore", vm.greedy_match(tokens)) | _parts(
            "MedBERTScore", vm.medical_match(tokens, note.weights, reference.weights)
        )
        if frequencies:
            by_frequency = [vm.weights_of(own.pieces, frequencies) for own in (note, reference)]
            found |= _parts("BERTScore-idf", vm.greedy_match(tokens, *by_frequency))
        return found

    def _sentence_scores(self, pair: NotePair, cancel: threading.Event) -> dict[str, float | None]:
        own, theirs = (
            self._embedder.embed([s.text for s in note.sentences], cancel) for note in (pair.note, pair.reference)
        )
        return _parts("SBERTScore", vm.greedy_match(own @ theirs.T))

    def _mist(self, pair: NotePair, cancel: threading.Event) -> float | None:
        own, theirs = (self._terms_of(_lines(note)) for note in (pair.note, pair.reference))
        return vm.mist(self._embedder.embed(own, cancel) @ self._embedder.embed(theirs, cancel).T)

    def _terms_of(self, text: str) -> list[str]:
        return sorted({" ".join(span.of(text).lower().split()) for span in self._terms.find(text)})

    def _claims(self, pair: NotePair, missing: dict[str, str], cancel: threading.Event) -> dict[str, float | None]:
        """DocLens' form: Claim-Precision is the share of the note's claims that the reference entails, Claim-Recall
        that of the reference's claims that the note entails (Xie et al. 2024; claims are sentences here, not a model's
        list of atomic ones). AutoAIS' form: the share of the note's claims that the session entails (Yue et al. 2023).
        0..1, None without claims. They see what the judge sees, and its errors are theirs.
        """
        if self.judge is None:
            return {}
        found = {
            "Claim-Precision": _entailed(self.judge, pair.note, pair.reference, cancel),
            "Claim-Recall": _entailed(self.judge, pair.reference, pair.note, cancel),
        }
        if self._wants(("AutoAIS",)) and "AutoAIS" not in missing and pair.session is not None:
            found["AutoAIS"] = _entailed(self.judge, pair.note, pair.session, cancel)
        return found

    def _likelihoods(self, pair: NotePair, missing: dict[str, str], cancel: threading.Event) -> dict[str, float | None]:
        if LIKELIHOOD_METRICS[0] in missing or not isinstance(self.judge, ScoresText):
            return {}
        return likelihood_metrics(self.judge, self._terms, _lines(pair.note), _lines(pair.reference), cancel)

    def _encode(self, text: str, cancel: threading.Event) -> _Encoded:
        """Texts of any length, in overlapping windows; every piece once."""
        words = list(_WORD.finditer(text))
        spans = self._terms.find(text)
        clinical = np.zeros(len(text) + 1, dtype=bool)
        for span in spans:
            clinical[span.start : span.end] = True
        spelled = self._embedder.pieces([word.group() for word in words], cancel)
        cuts = vm.windows([len(pieces) for pieces in spelled], self._room, self._overlap)
        encoded = self._embedder.token_embeddings(
            [" ".join(word.group() for word in words[cut.start : cut.end]) for cut in cuts], cancel
        )
        rows = []
        for cut, (_, vectors) in zip(cuts, encoded, strict=True):
            before = sum(map(len, spelled[cut.start : cut.first]))
            rows.append(vectors[before : before + sum(map(len, spelled[cut.first : cut.last]))])
        pieces = [piece for own in spelled for piece in own]
        weights = [1 + vm.ALPHA * clinical[w.start()] for w, own in zip(words, spelled, strict=True) for _ in own]
        return _Encoded(pieces, np.concatenate(rows), np.array(weights, dtype=float))


def _parts(name: str, match: vm.Match | None) -> dict[str, float | None]:
    values = (None,) * 3 if match is None else (match.precision, match.recall, match.f1)
    return {f"{name}-{part}": value for part, value in zip("PRF", values, strict=True)}


def _entailed(judge: Judge, note: Note, given: Note | Transcript, cancel: threading.Event) -> float | None:
    claims = claims_given(judge, note, given, cancel).values()
    return sum(claim.verdict is Verdict.SUPPORTED for claim in claims) / len(claims) if claims else None


def _lines(note: Note) -> str:
    return "\n".join(sentence.text for sentence in note.sentences)
