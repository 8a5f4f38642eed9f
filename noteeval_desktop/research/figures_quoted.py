"""What figures the documents quote, and which command prints each: the table that ``figures`` works through."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """``arguments`` of ``noteeval`` with ``{data}``, the folder of the public data, ``{root}``, the program's, and
    ``{results}``; about how many ``minutes`` it takes; ``tolerance``: by how many units of its last place a figure may
    differ."""

    name: str
    arguments: str
    minutes: float
    tolerance: int = 0


@dataclass(frozen=True, slots=True)
class Quoted:
    """``text`` as it stands in ``document``, with ``{path|format}`` in place of each figure that ``command`` gives;
    ``…`` is anything within a line."""

    document: str
    command: str
    text: str


_SUMMARIES = "{data}/mts_dialog_automatic_summaries_validationset.csv"
# The evidence, half an hour's work, is gathered once for both.
_CROSS_VALIDATED = "--data {data}/tn_eval_dev.json --cross-validate --keep {results}/kept"
COMMANDS: Mapping[str, Command] = {
    one.name: one
    for one in (
        Command("annomi", "benchmark annomi --data {data}/annomi_simple.csv", 5),
        Command("composed", "benchmark composed --data {root}/resources/composed/held_out.json", 1),
        Command("twins", "benchmark composed --data {root}/resources/composed/held_out_twins.json", 1),
        Command("recorded", "benchmark recorded --data {root}/tests/recorded", 1),
        Command("true-aci", "benchmark true-notes --data {data}/aci_bench_valid.csv", 2),
        Command("true-mts", "benchmark true-notes --data {data}/mts_dialog_valid.csv", 1),
        Command("mts", f"benchmark mts-dialog --data {_SUMMARIES}", 4),
        Command("tn-metrics", "benchmark tn-eval-metrics --data {data}/tn_eval_dev.json", 4),
        Command("facts", f"benchmark mts-dialog-facts --limit 100 --data {_SUMMARIES}", 2),
        # Trees that are trained anew differ a little with the library that grows them.
        Command("tn-eval", f"benchmark tn-eval {_CROSS_VALIDATED}", 30, 1),
        Command("degrade", f"benchmark degrade {_CROSS_VALIDATED}", 30, 1),
        Command(
            "study-aci", "degrade-study --data {data}/aci_bench_train.csv --seeds 1 --out {results}/study-aci", 100
        ),
        Command(
            "study-tn-eval", "degrade-study --data {data}/tn_eval_dev.json --seeds 1 --out {results}/study-tn-eval", 40
        ),
    )
}

ELSEWHERE = (
    "whatever was measured on sealed sessions, exchanges, plans: they may be opened three times, and are not for this",
    "time, memory and stalls: they differ from run to run; `python -m tests.benchmarks.bench_evaluate` and its kin",
    "facts left out: `python -m models.training.omissions measure`; what was tried and given up is not made again",
    "identifiers: `python -m tests.benchmarks.bench_masking`; what to leave out: `python -m tests.recorded leave-out`",
    "notes beside other sessions: `python -m tests.benchmarks.bench_wrong_session --data FOLDER`",
)

_FIGURES, _CARD = "resources/help/figures.md", "resources/model-card.md"
_FAITHFULNESS, _RESPONSES = "resources/model-card-faithfulness.md", "resources/model-card-responses.md"
_OWN = "judges/built-in, cross-validated, seed 0"
_DIMENSIONS = ("completeness", "conciseness", "faithfulness")


def _correlation(path: str, published: bool) -> str:
    told = f"{{{path}/r|.2f}} ({{{path}/interval/0|.2f}} to {{{path}/interval/1|.2f}})"
    return f"{told} / {{{path}/published|.2f}}" if published else told


def _mts_dialog() -> Iterator[Quoted]:
    """Published where the paper has it."""
    rows = {
        "ROUGE-1 recall, rouge-score": ("ROUGE-1-R", True),
        "ROUGE-1 recall, in the published form": ("ROUGE-1-R, as published", True),
        "ROUGE-2 recall, in the published form": ("ROUGE-2-R, as published", True),
        "ROUGE-L recall, in the published form": ("ROUGE-L-R, as published", True),
        "BLEU": ("BLEU", False),
        "chrF": ("chrF", False),
        "edit distance (lower is better)": ("Edit-Distance", False),
        "BERTScore recall": ("BERTScore-R", True),
        "BERTScore recall, idf": ("BERTScore-idf-R", False),
        "MedBERTScore precision": ("MedBERTScore-P", True),
        "SBERTScore recall": ("SBERTScore-R", False),
        "MIST's form (n = {n})": ("MIST", True),
        "MIST-Comb1 (n = {n})": ("MIST-Comb1", True),
        "claim recall, built-in judge (n = {n})": ("Claim-Recall", False),
        "AutoAIS' form, built-in judge (n = {n})": ("AutoAIS", False),
    }
    manual = ("FactualPrecision", "FactualF1", "HallucinationRate", "OmissionRate")
    for label, (metric, published) in rows.items():
        cells = [_correlation(f"correlations/{metric}/{name}", published) for name in manual]
        known = label.replace("{n}", f"{{correlations/{metric}/FactualF1/n|d}}")
        yield Quoted(_FIGURES, "mts", f"| {known} | {' | '.join(cells)} |")


def _facts() -> Iterator[Quoted]:
    rates = {
        "FactualPrecision": "factual precision",
        "FactualRecall": "factual recall",
        "FactualF1": "factual F1",
        "HallucinationRate": "hallucination rate",
        "OmissionRate": "omission rate",
    }
    told = ", ".join(f"{said} {_correlation(f'correlations/{name}', False)}" for name, said in rates.items())
    text = (
        f"correlate with people's (r): {told}. Of {{pooled/system|d}} facts it calls {{pooled/incorrect|d}} incorrect"
    )
    yield Quoted(_FIGURES, "facts", text)
    for name, said in rates.items():
        ways = " | ".join(
            _correlation(f"facts/{way}/correlations/{name}", False) for way in ("built-in", "model alone")
        )
        yield Quoted("resources/help/research.md", "recorded", f"| {said} | {ways} |")


def _tn_eval_metrics() -> Iterator[Quoted]:
    rows = {
        "ROUGE-1 F": "ROUGE-1-F",
        "ROUGE-L precision": "ROUGE-L-P",
        "BLEU": "BLEU",
        "chrF": "chrF",
        "edit distance (lower is better)": "Edit-Distance",
        "BERTScore precision": "BERTScore-P",
        "BERTScore recall": "BERTScore-R",
        "MedBERTScore precision": "MedBERTScore-P",
        "SBERTScore F": "SBERTScore-F",
        "MIST's form (n = {correlations/MIST/completeness/n|d})": "MIST",
        "claim precision, built-in judge *": "Claim-Precision",
        "claim recall, built-in judge *": "Claim-Recall",
        "AutoAIS' form, built-in judge *": "AutoAIS",
    }
    for label, metric in rows.items():
        paths = [f"correlations/{metric}/{name}" for name in _DIMENSIONS]
        cells = [f"{_correlation(p, False)}; {{{p}/spearman|.2f}}, {{{p}/kendall|.2f}}" for p in paths]
        yield Quoted(_FIGURES, "tn-metrics", f"| {label} | {' | '.join(cells)} |")


def _tn_eval() -> Iterator[Quoted]:
    def row(*cells: str) -> str:
        return f"| {' | '.join(cells)} |"

    def with_interval(path: str, bold: str = "") -> str:
        return f"{bold}{{{path}r|.2f}}{bold} ({{{path}r_interval/0|.2f}}–{{{path}r_interval/1|.2f}})"

    own = [f"{name}/{_OWN}/" for name in _DIMENSIONS]
    within = [" / ".join(f"{{{p}r_within_source/{s}|.2f}}" for s in _SOURCES) for p in own]
    people = [f"{name}/therapists/" for name in _DIMENSIONS]
    for text in (
        row("**built-in judge, cross-validated, expected**", *(with_interval(path, "**") for path in own)),
        row("built-in judge, cross-validated, counted", *(with_interval(f"{path}counted/") for path in own)),
        *(
            row(judge, *(with_interval(f"{name}/judges/{judge}/") for name in _DIMENSIONS[:2]), "–")
            for judge in ("Llama 3.1 70B", "Mistral Large V2")
        ),
        row("AlignScore", "–", "–", with_interval("faithfulness/judges/AlignScore/")),
        row("one therapist, the other", *(f"{{{path}r|.2f}}" for path in people)),
        row(
            "α with a therapist: built-in / the therapists' own",
            *(f"{{{p}alpha/mean|.2f}} / {{{o}alpha|.2f}}" for p, o in zip(own, people, strict=True)),
        ),
        row("within therapists' / Llama's / Mistral's notes", *within),
    ):
        yield Quoted(_FIGURES, "tn-eval", text)
    judges = [f"judges/{judge}/r|.2f" for judge in ("Llama 3.1 70B", "Mistral Large V2")]
    for name, aim in (("completeness", "0.70"), ("conciseness", "0.78")):
        told = " | ".join(f"{{{name}/{judge}}}" for judge in judges)
        ceiling = f"{{{name}/therapists/r|.2f}} (ceiling {{{name}/therapists/ceiling|.2f}})"
        yield Quoted(
            _CARD, "tn-eval", f"| r with the mean of two therapists, expected | {aim} |…| {told} | {ceiling} |"
        )
    yield Quoted(
        _FAITHFULNESS,
        "tn-eval",
        f"| r with the mean of two therapists, note level, `expected` | {with_interval(own[2])} |",
    )
    yield Quoted(_FAITHFULNESS, "tn-eval", f"| within therapists' / Llama's / Mistral's notes | {within[2]} |")
    yield Quoted(_FAITHFULNESS, "tn-eval", f"| r of the counted share | {with_interval(own[2] + 'counted/')} |")


def _study(command: str, before: str) -> Iterator[Quoted]:
    rows = {
        "built-in judge, faithfulness, expected": "builtin: faithfulness",
        "built-in judge, faithfulness, counted (AutoAIS' form)": "builtin: faithfulness, counted",
        "ROUGE-1 F": "ROUGE-1-F",
        "ROUGE-L F": "ROUGE-L-F",
        "BLEU": "BLEU",
        "chrF": "chrF",
        "edit distance": "Edit-Distance",
        "BERTScore F": "BERTScore-F",
        "SBERTScore F": "SBERTScore-F",
        "MIST's form": "MIST",
    }
    for label, name in rows.items():
        one, five = (f"series/facts/{name}/{level}" for level in (1, 5))
        told = f"{{{one}/violations|.0%}} / {{{five}/violations|.0%}} % | {{{five}/drop|.3f}} "
        told += f"({{{five}/interval/0|.3f}} to {{{five}/interval/1|.3f}}) | {{{five}/auc|.2f}} |"
        yield Quoted(_FIGURES, command, f"| {label} |{before} {told}")


_SOURCES = ("human", "llm_llama31_70B", "llm_mistral_large_v2")
_FOUND, _DOUBTED = "{errors/all/found|.0%}", "{true/found|.0%}"
_BOTH, _ALONE, _QUICK = "full check", "model alone", "built-in"


def _ways(name: str) -> str:
    return f"{{{_QUICK}/{name}|.0%}}, {{{_ALONE}/{name}|.0%}} and {{{_BOTH}/{name}|.0%}}"


def _pair(way: str) -> str:
    return f"{{{way}/found|.0%}} / {{{way}/doubted|.0%}} %"


QUOTED: tuple[Quoted, ...] = (
    *_mts_dialog(),
    *_facts(),
    *_tn_eval_metrics(),
    *_tn_eval(),
    *_study("study-aci", ""),
    *_study("study-tn-eval", "…|…|…|"),
    Quoted(
        _FIGURES,
        "annomi",
        "AUC of {measures/css_and_ars/auc|.2f}, interval {measures/css_and_ars/interval/0|.2f}–"
        "{measures/css_and_ars/interval/1|.2f} (CSS alone {measures/css/auc|.2f}, {measures/css/interval/0|.2f}–"
        "{measures/css/interval/1|.2f}; ARS alone {measures/ars/auc|.2f}, {measures/ars/interval/0|.2f}–"
        "{measures/ars/interval/1|.2f})",
    ),
    Quoted(
        _FIGURES,
        "annomi",
        "it is {measures/exchange_css_and_ars/auc|.2f} ({measures/exchange_css_and_ars/interval/0|.2f}–"
        "{measures/exchange_css_and_ars/interval/1|.2f}), and {scored_low/0/mean|.0%} % of the good sessions' "
        "exchanges score 3 or less instead of {scored_low/2/mean|.0%} % of their turns",
    ),
    Quoted(
        _RESPONSES,
        "annomi",
        "CSS {measures/css/auc|.2f} ({measures/css/interval/0|.2f} to {measures/css/interval/1|.2f}), ARS "
        "{measures/ars/auc|.2f} ({measures/ars/interval/0|.2f} to {measures/ars/interval/1|.2f}), the mean of the two "
        "{measures/css_and_ars/auc|.2f} ({measures/css_and_ars/interval/0|.2f} to "
        "{measures/css_and_ars/interval/1|.2f})",
    ),
    Quoted(
        _RESPONSES,
        "annomi",
        "| scored 3 or less (mean of six), good sessions | {scored_low/2/mean|.0%} % of {scored_low/2/number|,d} turns "
        "| {scored_low/0/mean|.0%} % of {scored_low/0/number|,d} exchanges |",
    ),
    Quoted(
        _RESPONSES,
        "annomi",
        "| the same, weak sessions | {scored_low/3/mean|.0%} % of {scored_low/3/number|d} | {scored_low/1/mean|.0%} % "
        "of {scored_low/1/number|d} |",
    ),
    Quoted(
        _RESPONSES,
        "annomi",
        "| ARS 3 or less, good sessions | {scored_low/2/ars|.0%} % | {scored_low/0/ars|.0%} % |",
    ),
    Quoted(_FIGURES, "true-aci", "true by design, {doubted/share|.1%} % (ACI-Bench, {doubted/of|d} sentences)"),
    Quoted(_FIGURES, "true-mts", "sentences) and {doubted/share|.1%} % (MTS-Dialog, {doubted/of|d}) are doubted"),
    Quoted(
        _FIGURES,
        "true-aci",
        "with a number {doubted_by_kind/with a number/share|.1%} and … %, "
        "with a negation {doubted_by_kind/with a negation/share|.0%} and",
    ),
    Quoted(
        _FIGURES,
        "true-mts",
        "with a number … and {doubted_by_kind/with a number/share|.0%} %, with a negation … and "
        "{doubted_by_kind/with a negation/share|.0%} %",
    ),
    Quoted(_FAITHFULNESS, "true-aci", "ACI-Bench validation {doubted/share|.1%} % ({doubted/of|d})"),
    Quoted(_FAITHFULNESS, "true-mts", "MTS-Dialog validation {doubted/share|.1%} % ({doubted/of|d})"),
    Quoted(
        _FIGURES,
        "composed",
        f"Of {{errors/all/claims|d}} errors that somebody wrote by hand into notes of ten composed sessions it finds "
        f"{_FOUND} % and doubts {_DOUBTED} % of {{true/claims|d}} true sentences",
    ),
    Quoted(_FAITHFULNESS, "composed", f"| this version | {_FOUND} / {_DOUBTED} % |"),
    Quoted(
        _FAITHFULNESS,
        "composed",
        "By kind, held out: number {errors/number/found|.0%}, time {errors/time/found|.0%}, invented "
        "{errors/invented/found|.0%}, entity {errors/entity/found|.0%}, person {errors/person/found|.0%}, danger "
        "{errors/risk/found|.0%}, opposite {errors/opposite/found|.0%} %",
    ),
    Quoted(
        _FIGURES,
        "twins",
        f"Of {{errors/all/claims|d}} errors in eight sessions more, each beside a true sentence of the same form, it "
        f"finds {_FOUND} % and doubts {_DOUBTED} %",
    ),
    Quoted(_FAITHFULNESS, "twins", f"| this version |…| {_FOUND} / {_DOUBTED} % |"),
    Quoted(
        _FIGURES,
        "recorded",
        f"five keyed cases ({{{_ALONE}/errors|d}} errors, {{{_ALONE}/true|d}} true statements)",
    ),
    Quoted(
        _FIGURES,
        "recorded",
        f'built-in judge {_pair(_QUICK)}, model alone {_pair(_ALONE)}, full check {_pair(_BOTH)}; "contradicted" right '
        f"in {{{_BOTH}/contradicted_right|.0%}} % of both; clinical sentences called unneeded "
        f"{_ways('clinical_called_unneeded')} %; facts left out among the first five findings "
        f"{_ways('omitted_in_first_five')} %; wrong words named in {{{_BOTH}/wrong_words_named|.0%}} %",
    ),
    Quoted(
        _FIGURES,
        "degrade",
        "made-up facts found {detection/fact/found|.0%} %, numbers {detection/number/found|.0%} %, terms "
        "{detection/term/found|.0%} %, negations {detection/negation/found|.0%} %, persons "
        "{detection/person/found|.0%} %, with {false_alarms/share|.0%} % of true sentences doubted",
    ),
    Quoted(
        _FAITHFULNESS,
        "degrade",
        "made-up facts found {detection/fact/found|.0%} % of {detection/fact/changes|d}, numbers "
        "{detection/number/found|.0%} % of {detection/number/changes|d}, terms {detection/term/found|.0%} % of "
        "{detection/term/changes|d}, negations {detection/negation/found|.0%} % of {detection/negation/changes|d}, "
        "persons {detection/person/found|.0%} % of {detection/person/changes|d}; {false_alarms/share|.1%} % of "
        "{false_alarms/sentences|d} true sentences doubted",
    ),
)
