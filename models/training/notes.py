"""Fit the note heads (needs the training extra). Deterministic: the same data, encoder and seed give the same bytes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from models.training import clinicians
from models.training.clinicians import ClinicianNote
from models.training.fits import logistic, scaler
from models.training.forests import as_forest
from models.training.injection import reader_head
from models.training.uninformative import uninformative_head
from noteeval_desktop import __version__
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.judges.builtin.completeness import features as features_note
from noteeval_desktop.judges.builtin.completeness import general_items
from noteeval_desktop.judges.builtin.completeness import heads as trained
from noteeval_desktop.judges.builtin.completeness.features import Floats, NoteRows, SectionSummaries
from noteeval_desktop.judges.builtin.completeness.heads import Bands, NoteHeads, Prototypes
from noteeval_desktop.judges.builtin.learned import Forest, Linear, Scaler, sigmoid
from noteeval_desktop.judges.builtin.text import note_lexicon
from noteeval_desktop.measures.agreement import krippendorff_alpha
from noteeval_desktop.measures.tn_eval import Answer, JudgedNote, LabelledNote
from noteeval_desktop.report.files import write_json
from noteeval_desktop.research.labelled import LabelledSession

EXAMPLES: Mapping[str, Sequence[str]] = json.loads(
    (Path(__file__).parent / "examples" / "note_items.json").read_text(encoding="utf-8")
)
"""Our own sentences: per rubric item what a note would say, and under "aside-…" what no item asks for."""
NEED_C, ITEM_C, SUMMARY_C, SECTION_C = 0.1, 0.06, 0.1, 3.0
TREES, LEAF, SHARE = 150, 3, 0.4
FOLDS, INNER_FOLDS = 7, 5
_NEARLY = 0.02
# 0, 0.5, 1 and 2 were tried on two fold seeds: all helped against 0 and differ by less than the seeds do.
TAUGHT_WEIGHT = 1.0

_UNTAUGHT: Any = dict.fromkeys(
    ("clinician_plain", "clinician_need", "clinician_items", "clinician_present", "wording", "wording_head")
)


@dataclass(frozen=True)
class Example:
    """A note ready to learn from. ``serves`` (rows, items), ``needed`` (rows,) and ``present`` (items,) are shares of
    the therapists (0, 0.5 or 1)."""

    note: LabelledNote
    rows: NoteRows
    summaries: SectionSummaries
    serves: Floats
    needed: Floats
    present: Floats


@dataclass(frozen=True)
class Examples:
    """``make`` reads the data once; ``items`` is the order of every item axis."""

    items: tuple[str, ...]
    item_section: NDArray[np.intp]
    note_prototypes: Prototypes
    turn_head: Linear
    taught: NoteRows
    taught_serves: Floats
    taught_needed: Floats
    reader_head: Linear
    uninformative_head: Linear
    examples: tuple[Example, ...]
    clinicians: tuple[ClinicianNote, ...]


def make(notes: Sequence[LabelledNote], sessions: Sequence[LabelledSession], embedder: Embedder) -> Examples:
    """Embed and lay out every note."""
    items = tuple(notes[0].present)
    sections = np.array([SOAP.index(Section(item.split("-")[0])) for item in items], dtype=np.intp)
    examples = tuple(_example(note, items, embedder) for note in notes)
    rows = joined(examples)
    section_head = _section_head(rows.vectors, rows.section)
    return Examples(
        items,
        sections,
        _prototypes(items, sections, embedder),
        clinicians.turn_head(sessions, items, embedder),
        *_taught(items, sections, embedder),
        reader_head(embedder, sessions),
        uninformative_head(embedder, _sentences(notes, sessions)),
        examples,
        tuple(
            clinicians.laid_out(session.author, written, items, sections, section_head, embedder)
            for session in sessions
            for written in session.notes
        ),
    )


def _sentences(notes: Sequence[LabelledNote], sessions: Sequence[LabelledSession]) -> list[list[str]]:
    """Of the therapists' notes, and of each author's."""
    own: dict[str, list[str]] = {"": [labelled.sentence.text for note in notes for labelled in note.sentences]}
    for session in sessions:
        own.setdefault(session.author, []).extend(one.text for note in session.notes for one in note.sentences)
    return list(own.values())


def _prototypes(items: tuple[str, ...], sections: NDArray[np.intp], embedder: Embedder) -> Prototypes:
    asides = [kind for kind in EXAMPLES if kind not in items]
    kinds = [kind for kind, sentences in EXAMPLES.items() for _ in sentences]
    vectors = embedder.embed([sentence for sentences in EXAMPLES.values() for sentence in sentences])
    return Prototypes(
        vectors.astype(np.float16).astype(np.float32),
        np.array([trained.ASIDE if k in asides else sections[items.index(k)] for k in kinds], dtype=np.int16),
        np.array([asides.index(k) if k in asides else -1 for k in kinds], dtype=np.int16),
    )


def _taught(items: tuple[str, ...], sections: NDArray[np.intp], embedder: Embedder) -> tuple[NoteRows, Floats, Floats]:
    """The example sentences as rows of their own: each serves its item; an aside serves none, in any section."""
    pairs = [
        (sentence, section, kind)
        for kind, sentences in EXAMPLES.items()
        for sentence in sentences
        for section in ([int(sections[items.index(kind)])] if kind in items else range(len(SOAP)))
    ]
    texts = [note_lexicon.expand(sentence) for sentence, _, _ in pairs]
    vectors = embedder.embed(texts)
    section = np.array([section for _, section, _ in pairs], dtype=np.intp)
    alone = [
        features_note.note_rows([text], vectors[[row]], np.zeros(1, dtype=np.intp), section[[row]]).plain
        for row, text in enumerate(texts)
    ]
    words = np.array([len(text.split()) for text in texts], dtype=float)
    rows = NoteRows(np.arange(len(pairs), dtype=np.intp), section, words, np.concatenate(alone), vectors)
    serves = np.array([[float(kind == item) for item in items] for _, _, kind in pairs])
    return rows, serves, serves.max(axis=1)


def _example(note: LabelledNote, items: tuple[str, ...], embedder: Embedder) -> Example:
    texts = [note_lexicon.expand(labelled.sentence.text) for labelled in note.sentences]
    sentence = np.arange(len(texts), dtype=np.intp)
    section = np.array([SOAP.index(labelled.sentence.section) for labelled in note.sentences], dtype=np.intp)
    rows = features_note.note_rows(texts, embedder.embed(texts), sentence, section)
    serves = np.array([[np.mean([i in one for one in labelled.items]) for i in items] for labelled in note.sentences])
    return Example(
        note,
        rows,
        features_note.summarise(rows),
        serves.reshape(-1, len(items)),
        np.array([np.mean(labelled.needed) for labelled in note.sentences]),
        np.array([np.mean(note.present[item]) for item in items]),
    )


def joined(examples: Sequence[Example]) -> NoteRows:
    """All rows, one note after the other."""
    return NoteRows(
        np.concatenate([e.rows.sentence for e in examples]),
        np.concatenate([e.rows.section for e in examples]),
        np.concatenate([e.rows.words for e in examples]),
        np.concatenate([e.rows.plain for e in examples]),
        np.concatenate([e.rows.vectors for e in examples]),
    )


def folds(examples: Sequence[Example], count: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """(training, held-out) indices; the notes of a conversation stay together."""
    conversations = list(dict.fromkeys(example.note.conversation for example in examples))
    order = np.random.default_rng(seed).permutation(len(conversations))
    for number in range(count):
        out = {conversations[index] for index in order[number::count]}
        yield (
            [index for index, example in enumerate(examples) if example.note.conversation not in out],
            [index for index, example in enumerate(examples) if example.note.conversation in out],
        )


def fit(data: Examples, chosen: Sequence[int], seed: int = 0) -> NoteHeads:
    """Heads from the chosen examples and the clinicians' notes, calibrated on predictions for conversations and authors
    that the heads did not see."""
    # One thread: several were far slower on a busy machine, and sums could depend on their number.
    with threadpool_limits(1):
        therapists = _fit_therapists(data, chosen, seed)
        return clinicians.fit(therapists, data.clinicians, [data.examples[index].rows for index in chosen])


def _fit_therapists(data: Examples, chosen: Sequence[int], seed: int) -> NoteHeads:
    examples = [data.examples[index] for index in chosen]
    base = _fit_uncalibrated(data, chosen, seed)
    need_out, present_out, serving_out = _held_out(data, examples, chosen, seed)
    needed = np.concatenate([example.needed for example in examples])
    present = np.stack([example.present for example in examples])
    serves = np.concatenate([example.serves for example in examples])
    need_slope, need_bias = logistic(need_out[:, None], needed, np.ones(len(needed)), 10.0)
    design = np.hstack([present_out.reshape(-1, 1), np.tile(np.eye(len(data.items)), (len(examples), 1))])
    item_weights, item_bias = logistic(design, present.ravel(), np.ones(present.size), 0.3)
    need_chance = sigmoid(need_slope[0] * need_out + need_bias)
    item_chance = sigmoid(design @ item_weights + item_bias).reshape(present.shape)
    return replace(
        base,
        need_calibration=np.array([need_slope[0], need_bias], dtype=np.float32),
        item_slope=item_weights[:1].astype(np.float32),
        item_bias=(item_weights[1:] + item_bias).astype(np.float32),
        need_bands=_bands(_as_often(needed, need_chance)),
        item_bands=_bands(_agreeing(present.ravel(), item_chance.ravel())),
        serves=_best_f1(serves, serving_out),
    )


def _held_out(
    data: Examples, examples: Sequence[Example], chosen: Sequence[int], seed: int
) -> tuple[Floats, Floats, Floats]:
    need: list[Floats] = [np.zeros(0)] * len(examples)
    present: list[Floats] = [np.zeros(0)] * len(examples)
    serving: list[Floats] = [np.zeros(0)] * len(examples)
    for inside, outside in folds(examples, INNER_FOLDS, seed + 1):
        heads = _fit_uncalibrated(data, [chosen[index] for index in inside], seed)
        for index in outside:
            rows, summaries = examples[index].rows, examples[index].summaries
            serving[index] = heads.serving(rows)
            need[index] = heads.needed_logit(rows, serving[index])
            present[index] = heads.present_logit(rows, summaries, serving[index])
    return np.concatenate(need), np.stack(present), np.concatenate(serving)


def _fit_uncalibrated(data: Examples, chosen: Sequence[int], seed: int) -> NoteHeads:
    """Every head, with calibrations and bands that change nothing yet."""
    examples = [data.examples[index] for index in chosen]
    rows = joined(examples)
    raw = trained.raw_inputs(data.note_prototypes, rows)
    plain = scaler(raw)
    needed = np.concatenate([example.needed for example in examples])
    need_head, item_head = _sentence_heads(data, examples, rows, plain, raw)
    present = np.stack([example.present for example in examples])
    sums, sums_head = _summary_head(data, present, np.stack([e.summaries.sums for e in examples]), examples)
    flags, flags_head = _summary_head(data, present, np.stack([e.summaries.flags for e in examples]), examples)
    return NoteHeads(
        items=data.items,
        item_section=data.item_section,
        note_prototypes=data.note_prototypes,
        turn_head=data.turn_head,
        plain=plain,
        section_head=_section_head(rows.vectors, rows.section),
        need_head=need_head,
        item_head=item_head,
        sums=sums,
        flags=flags,
        sums_head=sums_head,
        flags_head=flags_head,
        forest=_forest(raw, rows, needed, examples, seed),
        need_calibration=np.array([1.0, 0.0], dtype=np.float32),
        item_slope=np.ones(1, dtype=np.float32),
        item_bias=np.zeros(len(data.items), dtype=np.float32),
        need_bands=Bands(0.5, (0.4, 0.6), (0.2, 0.8)),
        item_bands=Bands(0.5, (0.4, 0.6), (0.2, 0.8)),
        serves=0.5,
        reader_head=data.reader_head,
        uninformative_head=data.uninformative_head,
        **_UNTAUGHT,
    )


def _sentence_heads(
    data: Examples, examples: Sequence[Example], rows: NoteRows, plain: Scaler, raw: Floats
) -> tuple[Linear, Linear]:
    """Is a sentence needed, a head a section; does it serve an item, a head an item of its section."""
    inputs, taught = plain(raw), plain(_taught_inputs(data, rows, raw))
    wide, taught_wide = trained.item_inputs(inputs, rows), trained.item_inputs(taught, data.taught)
    needed = np.concatenate([example.needed for example in examples])
    serves = np.concatenate([example.serves for example in examples])

    def need(section: int) -> tuple[Floats, Floats, Floats, float]:
        own, example_rows = rows.of(section), data.taught.of(section)
        return *_with(inputs[own], needed[own], taught, data.taught_needed, example_rows), NEED_C

    def item(number: int) -> tuple[Floats, Floats, Floats, float]:
        section = int(data.item_section[number])
        own, example_rows = rows.of(section), data.taught.of(section)
        return *_with(wide[own], serves[own, number], taught_wide, data.taught_serves[:, number], example_rows), ITEM_C

    return _linear(range(len(SOAP)), need), _linear(range(len(data.items)), item)


def _taught_inputs(data: Examples, rows: NoteRows, raw: Floats) -> Floats:
    """Our own example sentences' inputs, with the notes' mean in the place of what they cannot have."""
    inputs = trained.raw_inputs(data.note_prototypes, data.taught)
    alone = [features_note.FEATURES.index(name) for name in features_note.CONTEXT]
    inputs[:, alone] = raw[:, alone].mean(axis=0)
    # An example sentence is its own nearest prototype: that column would give the answer away.
    inputs[:, rows.plain.shape[1] :] = raw[:, rows.plain.shape[1] :].mean(axis=0)
    return inputs


def _summary_head(
    data: Examples, present: Floats, values: Floats, examples: Sequence[Example]
) -> tuple[Scaler, Linear]:
    scale = scaler(values)
    vectors = np.stack([example.summaries.vectors for example in examples]) * trained.VECTOR_WEIGHT_SECTION
    inputs = np.concatenate([scale(values), vectors], axis=2)
    head = _linear(
        range(len(data.items)),
        lambda item: (inputs[:, data.item_section[item]], present[:, item], np.ones(len(present)), SUMMARY_C),
    )
    return scale, head


def _with(
    inputs: Floats, shares: Floats, taught: Floats, taught_shares: Floats, chosen: NDArray[np.intp]
) -> tuple[Floats, Floats, Floats]:
    """The data with our own example sentences added, the latter at ``TAUGHT_WEIGHT``."""
    weights = np.concatenate([np.ones(len(shares)), np.full(len(chosen), TAUGHT_WEIGHT)])
    return np.vstack([inputs, taught[chosen]]), np.concatenate([shares, taught_shares[chosen]]), weights


def _linear(heads: range, of: Callable[[int], tuple[Floats, Floats, Floats, float]]) -> Linear:
    fitted = [logistic(*of(head)) for head in heads]
    return Linear(
        np.stack([weights for weights, _ in fitted]).astype(np.float32),
        np.array([bias for _, bias in fitted], dtype=np.float32),
    )


def _section_head(vectors: NDArray[np.float32], section: NDArray[np.intp]) -> Linear:
    model = LogisticRegression(C=SECTION_C, max_iter=500).fit(vectors.astype(float), section)
    return Linear(model.coef_.astype(np.float32), model.intercept_.astype(np.float32))


def _forest(raw: Floats, rows: NoteRows, needed: Floats, examples: Sequence[Example], seed: int) -> Forest:
    """Trees also see which section a sentence reads like, as told by a head that did not see its conversation."""
    lengths = [len(example.rows.sentence) for example in examples]
    owner = np.repeat(np.arange(len(examples)), lengths)
    log_sections = np.zeros((len(needed), len(SOAP)))
    for inside, outside in folds(examples, INNER_FOLDS, seed + 2):
        train, out = np.isin(owner, inside), np.isin(owner, outside)
        head = _section_head(rows.vectors[train], rows.section[train])
        values = rows.vectors[out].astype(float) @ head.weights.astype(float).T + head.bias
        log_sections[out] = values - np.logaddexp.reduce(values, axis=1, keepdims=True)
    model = ExtraTreesRegressor(TREES, min_samples_leaf=LEAF, max_features=SHARE, random_state=seed, n_jobs=1)
    model.fit(trained.forest_inputs(raw, rows, log_sections), needed)
    return as_forest(model)


def _as_often(shares: Floats, chances: Floats) -> float:
    """The threshold at which as many are called yes as the therapists called so."""
    return round(float(np.quantile(chances, 1 - shares.mean())), 2)


def _agreeing(shares: Floats, chances: Floats) -> float:
    """The highest threshold that agrees with single therapists nearly as well as the best does.

    With it the counted items correlated best with the therapists' (0.70 against 0.64 at the same share of yes).
    """
    candidates = np.arange(0.35, 0.81, 0.01)
    agreement = np.array([_alpha(shares, chances > limit) for limit in candidates])
    return round(float(candidates[agreement >= agreement.max() - _NEARLY][-1]), 2)


def _bands(threshold: float) -> Bands:
    """A calibrated judge would be contradicted more than one time in three where unsure, one in seven where likely."""
    return Bands(threshold, (round(min(0.35, threshold), 2), round(max(0.65, threshold), 2)), (0.15, 0.85))


def _alpha(shares: Floats, answers: NDArray[np.bool_]) -> float:
    """Agreement with the therapists one at a time: a split counts as one yes and one no."""
    said = np.concatenate([shares > 0, shares >= 1]).astype(int)
    return krippendorff_alpha([said.tolist(), np.tile(answers, 2).astype(int).tolist()])


def _best_f1(shares: Floats, chances: Floats) -> float:
    def f1(limit: float) -> float:
        marked = chances > limit
        hit = float((shares * marked).sum())
        return 2 * hit / (float(marked.sum()) + float(shares.sum()))

    return round(float(max(np.arange(0.15, 0.6, 0.01), key=f1)), 2)


def cross_validated(
    data: Examples,
    seed: int = 0,
    count: int = FOLDS,
    progress: Callable[[int, int], None] = lambda done, total: None,
    keep: Path | None = None,
) -> tuple[JudgedNote, ...]:
    """One judged note an example, in order. Everything, calibration and thresholds included, is learned per fold. In
    the folder ``keep`` a fold's answers stay for a later call of the same version over the same notes."""
    judged: dict[int, JudgedNote] = {}
    rows = joined(data.examples)
    of = fingerprint(__version__, *(own.tobytes().hex() for own in (rows.vectors, rows.plain)), f"{seed} of {count}")
    for number, (inside, outside) in enumerate(folds(data.examples, count, seed)):
        file = None if keep is None else keep / f"{of}-{number}.json"
        if file is not None and file.is_file():
            found = [_from_json(one) for one in json.loads(file.read_bytes())]
        else:
            heads = fit(data, inside)
            found = [_judged(heads, data.examples[index]) for index in outside]
            if file is not None:
                write_json(file, [asdict(one) for one in found])
        judged |= dict(zip(outside, found, strict=True))
        progress(number + 1, count)
    return tuple(judged[index] for index in range(len(data.examples)))


def _from_json(data: Mapping[str, Any]) -> JudgedNote:
    items = {item: Answer(**own) for item, own in data["items"].items()}
    return JudgedNote(items=items, needed=tuple(Answer(**own) for own in data["needed"]))


def _judged(heads: NoteHeads, example: Example) -> JudgedNote:
    """As the built-in judge would: what speaks of danger counts as needed."""
    answers = heads.answers(example.rows, example.summaries)
    danger = [general_items.speaks_of_safety(labelled.sentence.text) for labelled in example.note.sentences]
    limit, items_limit = heads.need_bands.threshold, heads.item_bands.threshold
    needed = (
        Answer(float(chance), bool(chance >= limit or speaks))
        for chance, speaks in zip(answers.needed, danger, strict=True)
    )
    present = [Answer(float(chance), bool(chance >= items_limit)) for chance in answers.present]
    return JudgedNote(items=dict(zip(heads.items, present, strict=True)), needed=tuple(needed))
