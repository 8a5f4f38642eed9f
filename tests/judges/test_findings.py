"""What of several findings is told, and which kinds of change they settle."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.findings import CLASHES, Checks, Clash, Finding
from noteeval_desktop.measures.changes import ChangeKind

HERE = Span(0, 4)


def found(clash: Clash, passage: int | None = None, surely: bool = False) -> Finding:
    return Finding(clash, HERE, passage, None if passage is None else HERE, surely)


@pytest.mark.parametrize(
    ("findings", "told"),
    [
        ((found(Clash.NEGATION, 3), found(Clash.NUMBER)), Clash.NUMBER),
        ((found(Clash.TERM), found(Clash.PERSON, 1)), Clash.PERSON),
        ((found(Clash.NUMBER, 2), found(Clash.AFFIRMATION, 5, surely=True)), Clash.AFFIRMATION),
        ((found(Clash.OPPOSITE, 1), found(Clash.DENIAL, 1)), Clash.DENIAL),
    ],
)
def test_what_is_sure_is_told_first_then_facts_then_what_has_a_passage(
    findings: tuple[Finding, ...], told: Clash
) -> None:
    worst = Checks(findings, {}).worst
    assert worst is not None
    assert worst.clash is told


@pytest.mark.parametrize(
    ("findings", "kinds"),
    [
        ((), set()),
        ((found(Clash.NUMBER, 1),), set()),
        ((found(Clash.TIME, 1, surely=True),), {ChangeKind.NUMBER}),
        ((found(Clash.TERM, 1, surely=True),), {ChangeKind.TERM}),
        ((found(Clash.OPPOSITE, 1, surely=True), found(Clash.PERSON, 2, surely=True)),
         {ChangeKind.NEGATION, ChangeKind.PERSON}),
    ],
)  # fmt: skip
def test_a_sure_finding_settles_its_own_kind_and_never_that_something_was_made_up(
    findings: tuple[Finding, ...], kinds: set[ChangeKind]
) -> None:
    assert Checks(findings, {}).sure_of == kinds


def test_what_is_found_later_stands_beside_what_was_found() -> None:
    first = Checks((found(Clash.NUMBER),), {"numbers": 1.0})
    both = first.beside([found(Clash.DENIAL, 2, surely=True)])
    assert [finding.clash for finding in both.findings] == [Clash.NUMBER, Clash.DENIAL]
    assert both.features() == {"numbers": 1.0}
    assert first.findings == (found(Clash.NUMBER),)


def test_every_clash_is_a_reason_for_some_kind_of_change() -> None:
    assert {clash for clashes in CLASHES.values() for clash in clashes} == set(Clash)
