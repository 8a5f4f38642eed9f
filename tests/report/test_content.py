from __future__ import annotations

from noteeval_desktop.report.content import FindingKind, scorecard, turn_list
from tests.sample_evaluation import sample_evaluation, sample_rubric


def test_findings_stand_in_the_order_of_mending() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    kinds = [finding.kind for finding in card.findings]
    assert kinds == sorted(kinds, key=list(FindingKind).index)
    assert set(kinds) == set(FindingKind)
    assert [finding.number for finding in card.findings] == list(range(1, len(kinds) + 1))


def test_high_severity_stands_first_within_a_kind() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    assert [finding.severity.value for finding in card.of(FindingKind.CONTRADICTED)] == [
        "high",
        "high",
        "high",
        "medium",
    ]


def test_a_contradicted_claim_cites_the_turn() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    finding = next(f for f in card.of(FindingKind.CONTRADICTED) if "drinking" in f.text)
    assert [(passage.speaker, passage.quote) for passage in finding.passages] == [("Daniel Moreno", "twice last week")]


def test_only_mandatory_items_are_findings_and_the_checklist_has_all() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    assert [finding.text for finding in card.of(FindingKind.MISSING)] == ["History", "Follow-up"]
    assert sum(len(rows) for _, rows in card.checklist) == len(sample_rubric().items)
    for _, rows in card.checklist:
        assert [row.mandatory for row in rows] == sorted((row.mandatory for row in rows), reverse=True)


def test_an_unsure_item_is_shown_as_such() -> None:
    card = scorecard(sample_evaluation(), sample_rubric())
    rows = {row.name: row for _, rows in card.checklist for row in rows}
    assert (rows["Chief complaint"].sign, rows["History"].sign, rows["Quotes"].sign) == ("✓", "✗", "?")


def test_turns_are_listed_in_words() -> None:
    assert [turn_list(t) for t in [(8,), (8, 21), (8, 21, 40)]] == ["turn 8", "turns 8 and 21", "turns 8, 21 and 40"]
