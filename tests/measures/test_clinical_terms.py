from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.measures.clinical_terms import ClinicalTerms, clinical_terms


@pytest.fixture(scope="module")
def terms() -> ClinicalTerms:
    return clinical_terms()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Denies suicidal ideation, sleeps well.", ["suicidal ideation"]),
        ("Panic attacks and insomnia since May", ["Panic attacks", "insomnia"]),
        ("PHQ-9 of 14; sertraline 50 mg", ["PHQ-9", "sertraline", "mg"]),
        ("Laparoscopic cholecystectomy, then hepatitis.", ["Laparoscopic", "cholecystectomy", "hepatitis"]),
        ("The exercise program 😴 in Rome", []),
        ("", []),
    ],
)
def test_terms_are_found_as_long_as_they_are(terms: ClinicalTerms, text: str, found: list[str]) -> None:
    assert [span.of(text) for span in terms.find(text)] == found


def test_the_lexicon_states_its_source_and_licence() -> None:
    data = paths.lexicon("clinical_terms.json")
    assert data["source"]
    assert data["licence"].startswith("Apache-2.0")


def test_every_term_of_the_lexicon_is_found_whole(terms: ClinicalTerms) -> None:
    """One with a slash or a sixth word never would be."""
    lost = [term for term in terms.terms if [span.of(term) for span in terms.find(term)] != [term]]
    assert lost == []
