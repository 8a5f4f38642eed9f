"""Does the session say otherwise? Rules over a claim and the passages closest to it.

Each rule yields findings, for the verdict and its rationale, and numbers, for the heads: a rule alone
is too coarse to condemn a sentence, and the heads learn how far to trust each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isclose

import numpy as np

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.alignment import Alignment, Claim
from noteeval_desktop.judges.builtin.amount_phrases import ORDINAL
from noteeval_desktop.judges.builtin.claimed_amounts import claimed_amounts
from noteeval_desktop.judges.builtin.claimed_parts import claimed_parts
from noteeval_desktop.judges.builtin.claimed_persons import claimed_persons, unnamed
from noteeval_desktop.judges.builtin.claimed_polarity import claimed_polarity
from noteeval_desktop.judges.builtin.findings import Checks, Clash, Finding
from noteeval_desktop.judges.builtin.polarity import Answer, is_negation
from noteeval_desktop.judges.builtin.quantities import PERIODS, SCALE, Quantity, alike, is_no_range, rates_in
from noteeval_desktop.judges.builtin.session_index import Passage, SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon, Word

_CLOSE = 3
_BESIDE = 0.2
_BEHIND = 2
_ASKS_A_NUMBER = re.compile(
    r"\b(?:how (?:many|much|often|long|old)|what (?:number|about|age)|your age)\b", re.IGNORECASE
)
_ASKS_AN_AGE = re.compile(r"\b(?:how old|what age|your age)\b", re.IGNORECASE)
_ELSEWHERE = 0.5
_ONE = frozenset({"a", "an", "one", "single", "only", "another"})
_DATES = frozenset({ORDINAL, "st", "nd", "rd"})
_OPPOSITES = (
    ("increas", "reduce"), ("begin", "quit"), ("better", "worse"), ("improv", "worsen"), ("gain", "los"),
    ("everi", "never"), ("alway", "never"), ("always", "never"), ("often", "rarely"), ("safe", "unsafe"),
    ("abl", "unable"),    ("high", "low"), ("succes", "fail"), ("lik", "hat"), ("willin", "unwill"),
)  # fmt: skip


# The field's own abbreviations and words that notes capitalise: no one has to have said them.
_CLINICAL = frozenset(
    (
        "CBT", "DBT", "ACT", "MI", "MSE", "SI", "HI", "SOAP", "PHQ", "GAD", "AUDIT", "DSM", "ICD", "WNL", "NAD",
        "AOX", "PRN", "IV", "RTC", "RTO", "BID", "TID", "QHS", "TX", "HX", "DX", "SX", "PT", "CL", "SMART",
        "EMDR", "N/A", "NA", "OK", "AVH", "QID", "QD", "QAM", "QPM", "PO", "HA", "HW", "ADL", "ADLS", "NSSI",
        "DC", "BF", "GF", "MD", "PCP", "ROI", "FHX",
    )
)  # fmt: skip
_TITLES = frozenset(
    (
        "Client", "Patient", "Pt", "Cl", "Therapist", "Clinician", "Counselor", "Short", "Long",
        "Motivational", "Interviewing", "Plan", "I",
    )
)  # fmt: skip
_KIN = frozenset(
    (
        "mother", "father", "wife", "husband", "partner", "girlfriend", "boyfriend", "sister", "brother",
        "sibling", "son", "daughter", "child", "parent", "cousin", "aunt", "uncle", "grandmother",
        "grandfather",
    )
)  # fmt: skip


def check(claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon) -> Checks:
    findings: list[Finding] = []
    numbers: dict[str, float] = {}
    for rule in (_check_quantities, _check_negations, _check_persons, _check_terms, _check_names, _check_opposites):
        found, values = rule(claim, alignment, session, lexicon)
        findings += found
        numbers |= values
    for measure in (claimed_persons, claimed_polarity, claimed_amounts, claimed_parts):
        numbers |= {f"claimed_{name}": value for name, value in measure(claim, alignment, session, lexicon).items()}
    return Checks(tuple(findings), numbers)


Checked = tuple[list[Finding], dict[str, float]]


def _near(alignment: Alignment, session: SessionIndex) -> list[tuple[int, Passage]]:
    """The nearest passages in order, then their neighbours."""
    others = sorted(alignment.nearby - set(alignment.nearest))
    return [(index, session.passages[index]) for index in (*alignment.nearest, *others)]


def _check_quantities(claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon) -> Checked:
    near = _near(alignment, session)
    findings: list[Finding] = []
    levels: list[float] = []
    for quantity in claim.quantities:
        level = _quantity_level(quantity, claim.quantities, near, session)
        levels.append(level)
        if level < 1.0:
            other = _other_quantity(quantity, claim.quantities, near)
            other = replace(other, surely=other.passage is not None and isclose(level, 1.0 - _BESIDE))
            findings += [other] if level <= _ELSEWHERE or other.passage is not None else []
    conflicts = sum(finding.passage is not None for finding in findings)
    return findings, {
        "number_conflicts": float(conflicts + is_no_range(claim.text, claim.quantities)),
        "numbers": float(len(levels)),
        "number_worst": min(levels, default=1.0),
        "number_mean": sum(levels) / len(levels) if levels else 1.0,
        "number_absent": float(sum(level == 0.0 for level in levels)),
        "number_doubtful": float(sum(0.0 < level < 1.0 for level in levels)),
    }


def _quantity_level(
    quantity: Quantity, claimed: Sequence[Quantity], near: list[tuple[int, Passage]], session: SessionIndex
) -> float:
    """1: said close by of the same thing; less by ``_unlikeness``; 0.5 less if only said elsewhere; 0: nowhere."""
    if quantity.value is None:
        if any(quantity.unit in rates_in(passage.words) for _, passage in near):
            return 1.0
        return 0.5 if any(quantity.unit in rates_in(passage.words) for passage in session.passages) else 0.0
    for level, passages in ((1.0, near), (_ELSEWHERE, enumerate(session.passages))):
        same = [
            level - unlikeness
            for index, passage in passages
            for unlikeness in _unlikenesses(quantity, claimed, index, passage, session)
        ]
        if same:
            return max(same)
    return 0.0


def _unlikenesses(
    quantity: Quantity, claimed: Sequence[Quantity], index: int, passage: Passage, session: SessionIndex
) -> list[float]:
    """Of every place in the passage that gives this amount."""
    if quantity.value == 1.0 and _says_one(quantity, passage):
        return [0.0]
    return [
        _unlikeness(quantity, other, claimed, index, session) for other in passage.quantities if alike(quantity, other)
    ]


def _says_one(quantity: Quantity, passage: Passage) -> bool:
    """ "A glass of wine on a Sunday" is one glass; "the first" is the 1st."""
    folded = [word.folded for word in passage.words]
    if quantity.unit == "st":
        return "first" in folded
    return bool(quantity.unit) and any(
        before in _ONE and word.stem == quantity.unit for before, word in zip(folded, passage.words[1:], strict=False)
    )


def _unlikeness(
    quantity: Quantity, other: Quantity, claimed: Sequence[Quantity], index: int, session: SessionIndex
) -> float:
    """0: ``other``, of the passage at ``index``, counts what ``quantity`` does; 0.25: something else.

    An answer counts what the question asked for ("How many drinks a week?" "Seven."). Another bare number may count
    the same, less probably if one beside it does: "Eleven today, sixteen four weeks ago" hardly bears out "16 today".
    Where the claim tells of that one too, each has its own: "from four to six hours" and "Six hours. It was four."
    """
    if quantity.unit == other.unit and quantity.unit:
        return 0.0
    if quantity.unit and other.unit and SCALE not in (quantity.unit, other.unit):
        return 0.0 if quantity.value != other.value or _are_dates(quantity, other) else 0.25
    if quantity.unit in _asked_for(index, session):
        return 0.0
    beside = any(
        one.unit == quantity.unit and not any(alike(one, own) for own in claimed)
        for one in session.passages[index].quantities
        if one is not other
    )
    return _BESIDE if quantity.unit not in ("", SCALE) and beside else 0.1


def _are_dates(one: Quantity, other: Quantity) -> bool:
    return ORDINAL in (one.unit, other.unit) and {one.unit, other.unit} <= _DATES


def _asked_for(index: int, session: SessionIndex) -> frozenset[str]:
    """What the question before a passage asked the number of, as units."""
    asked = session.passages[index - 1] if index else None
    if asked is None or asked.role is session.passages[index].role or not _ASKS_A_NUMBER.search(asked.text):
        return frozenset()
    rates = rates_in(asked.words)
    age = {PERIODS["year"]} if _ASKS_AN_AGE.search(asked.text) else set()
    return asked.stems | rates | age | {f"per {rate}" for rate in rates}


def _other_quantity(quantity: Quantity, claimed: Sequence[Quantity], near: list[tuple[int, Passage]]) -> Finding:
    """The closest different amount of the same thing, if one was said that the claim does not tell as well."""
    for index, passage in near:
        for other in passage.quantities:
            told = any(alike(one, other) for one in claimed)
            if other.value is not None and not told and other.unit and other.unit == quantity.unit:
                return Finding(Clash.NUMBER, quantity.span, index, other.span)
    return Finding(Clash.NUMBER, quantity.span)


def _check_negations(claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon) -> Checked:
    denied = _denied_stems(alignment, session)
    affirmed = _affirmed_stems(alignment, session)
    findings: list[Finding] = []
    unbacked = 0.0
    for place in claim.negations:
        scope = [
            claim.words[i] for i in range(place + 1, len(claim.words)) if i in claim.negated and claim.words[i].content
        ]
        if scope and not any(word.stem in denied for word in scope):
            unbacked += 1.0
            findings.append(_affirmation(claim.words[place], scope, affirmed, session))
    plain = [word for i, word in enumerate(claim.words) if word.content and i not in claim.negated]
    lost = [word for word in plain if word.stem in denied and word.stem not in affirmed]
    findings += [
        Finding(Clash.AFFIRMATION, word.span, denied[word.stem], _said(session.passages[denied[word.stem]], word.stem))
        for word in lost
        if not _negated_behind(word, claim)
    ]
    negation_nearby = [any(is_negation(w) for w in session.passages[i].words) for i in alignment.nearest[:2]]
    saying_no = np.array([bool(p.negated) or p.answer is Answer.NO for p in session.passages], dtype=bool)
    best = float(alignment.similarity.max()) if len(saying_no) else 0.0
    best_no = float(alignment.similarity[saying_no].max()) if saying_no.any() else 0.0
    best_yes = float(alignment.similarity[~saying_no].max()) if (~saying_no).any() else 0.0
    no_answer = any(session.passages[i].answer is Answer.NO for i in alignment.nearby)
    negates = bool(claim.negations)
    denies = any(claim.words[i].folded.startswith("den") for i in claim.negations)
    return findings, {
        "negations": float(len(claim.negations)),
        "negation_gap": best - best_no if claim.negations else 0.0,
        "affirmation_gap": 0.0 if claim.negations else best - best_yes,
        "negation_unbacked": unbacked,
        "negation_alone": float(negates and not any(negation_nearby)),
        "negation_with": float(negates and any(negation_nearby)),
        "negation_early": float(negates and claim.negations[0] <= 3),
        "negation_lost": float(len(lost)) / max(len(plain), 1),
        "negation_lost_any": float(bool(lost)),
        "negation_near": float(not negates and any(negation_nearby)),
        "no_answer_near": float(no_answer),
        "denies": float(denies),
        "denies_unbacked": float(denies and unbacked > 0),
    }


def _negated_behind(word: Word, claim: Claim) -> bool:
    """ "The phone isn't the cause" negates what stands before the "isn't"; the cue itself states nothing."""
    place = claim.words.index(word)
    return is_negation(word) or any(place < cue <= place + _BEHIND for cue in claim.negations)


def _denied_stems(alignment: Alignment, session: SessionIndex) -> dict[str, int]:
    """Stems that a nearby passage negates, or that a question holds which was answered no, with the passage."""
    found: dict[str, int] = {}
    for index, passage in _near(alignment, session):
        for place in sorted(passage.negated):
            if passage.words[place].content:
                found.setdefault(passage.words[place].stem, index)
        if passage.answer is Answer.NO and index:
            question = session.passages[index - 1]
            if question.role is not passage.role:
                for stem in sorted(question.stems):
                    found.setdefault(stem, index)
    return found


def _affirmed_stems(alignment: Alignment, session: SessionIndex) -> dict[str, int]:
    found: dict[str, int] = {}
    for index, passage in _near(alignment, session):
        follows = session.passages[index + 1] if index + 1 < len(session.passages) else None
        if follows is not None and follows.answer is Answer.NO and follows.role is not passage.role:
            continue
        for place, word in enumerate(passage.words):
            if word.content and place not in passage.negated:
                found.setdefault(word.stem, index)
    return found


def _affirmation(cue: Word, scope: list[Word], affirmed: Mapping[str, int], session: SessionIndex) -> Finding:
    clash = Clash.DENIAL if cue.folded.startswith("den") else Clash.NEGATION
    span = Span(cue.span.start, max(cue.span.end, scope[0].span.end))
    for word in scope[:_CLOSE]:
        if word.stem in affirmed:
            passage = affirmed[word.stem]
            return Finding(clash, span, passage, _said(session.passages[passage], word.stem))
    return Finding(clash, span)


def _said(passage: Passage, stem: str) -> Span | None:
    return next((word.span for word in passage.words if word.stem == stem), None)


def _check_persons(claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon) -> Checked:
    near = _near(alignment, session)
    said_near = {
        lexicon.relations[w.folded]: index
        for index, p in reversed(near)
        for w in p.words
        if w.folded in lexicon.relations
    }
    said = {lexicon.relations[word] for word in session.folded if word in lexicon.relations} | session.children
    findings: list[Finding] = []
    count = missing = far = 0
    subject = False
    for place, word in enumerate(claim.words):
        name = lexicon.relations.get(word.folded)
        if name is None:
            continue
        count += 1
        subject = subject or place <= 2
        ways = {name} | lexicon.implied.get(name, frozenset())
        if not ways & said and not unnamed(name, session):
            missing += 1
            findings.append(_other_person(word, name, claim, said_near, session, lexicon))
        elif not ways & (set(said_near) | session.children) and not alignment.nearby & set(unnamed(name, session)):
            far += 1
            findings.append(Finding(Clash.PERSON, word.span))
    return findings, {
        "persons": float(count),
        "person_missing": float(missing),
        "person_far": float(far),
        "person_subject": float(subject),
    }


def _other_person(
    word: Word, name: str, claim: Claim, said_near: Mapping[str, int], session: SessionIndex, lexicon: ClaimLexicon
) -> Finding:
    """Somebody else of the family, where the passage that names them also speaks of what the claim tells."""
    told = set(claim.stems) - {word.stem}
    for other, index in said_near.items():
        if other != name and other in _KIN and name in _KIN and told & session.passages[index].stems:
            span = next(w.span for w in session.passages[index].words if lexicon.relations.get(w.folded) == other)
            return Finding(Clash.PERSON, word.span, index, span)
    return Finding(Clash.PERSON, word.span)


def _check_names(claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon) -> Checked:
    """Names and abbreviations that nobody said: people, places, groups such as AA."""
    missing = [
        word
        for place, word in enumerate(claim.words)
        # In capitals throughout, nothing looks like a name.
        if not claim.text.isupper()
        and _is_name(word.span.of(claim.text), place)
        and word.folded not in lexicon.relations
        and word.stem not in session.by_stem
        and not _is_term(word, lexicon)
    ]
    # "W" for the wife is nobody's name, though it counts for the heads as it did when they were trained.
    named = [word for word in missing if len(word.folded) > 1]
    return [Finding(Clash.TERM, word.span) for word in named], {"names_missing": float(len(missing))}


def _is_name(shown: str, place: int) -> bool:
    if shown.isupper() and len(shown) > 1:
        return shown not in _CLINICAL
    return place > 0 and shown[:1].isupper() and shown.removesuffix("'s") not in _TITLES


def _check_terms(claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon) -> Checked:
    near = frozenset(w.stem for i in alignment.nearby for w in session.passages[i].words)
    terms = [word for word in claim.words if _is_term(word, lexicon)]
    missing = [word for word in terms if word.stem not in session.by_stem]
    far = [word for word in terms if word.stem in session.by_stem and word.stem not in near]
    medical = [word for word in missing if word.folded in lexicon.medications | lexicon.diagnoses]
    return [Finding(Clash.TERM, word.span) for word in missing], {
        "terms": float(len(terms)),
        "term_missing": float(len(missing)),
        "term_far": float(len(far)),
        "medical_missing": float(len(medical)),
    }


def _is_term(word: Word, lexicon: ClaimLexicon) -> bool:
    return word.folded in lexicon.terms


def _check_opposites(claim: Claim, alignment: Alignment, session: SessionIndex, lexicon: ClaimLexicon) -> Checked:
    stems = {word.stem: word for word in claim.words}
    findings = []
    for pair in _OPPOSITES:
        for noted, opposite in (pair, pair[::-1]):
            if noted in stems and opposite not in stems:
                findings += _opposite_said(stems[noted], noted, opposite, alignment.nearest[:2], session)
    return findings, {"opposites": float(len(findings))}


def _opposite_said(
    word: Word, noted: str, opposite: str, nearest: Iterable[int], session: SessionIndex
) -> list[Finding]:
    for index in nearest:
        passage = session.passages[index]
        stems = {other.stem: other for other in passage.words}
        if opposite in stems and noted not in stems:
            return [Finding(Clash.OPPOSITE, word.span, index, stems[opposite].span)]
    return []
