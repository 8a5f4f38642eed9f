from __future__ import annotations

import pytest

from noteeval_desktop.domain.placeholders import is_unfinished


@pytest.mark.parametrize(
    "text",
    [
        "Risk (suicide, now): “Sometimes.” (turn 4) [finish this sentence]",
        "[Insert risk assessment here]",
        "Denies SI [please complete].",
        "Safety plan: TBD",
        "SI: ___",
        "Suicide risk is ***.",
        "Safety plan [to be completed]",
        "Risk to be finished (to be completed by therapist)",
        "<insert plan>",
        "{{risk}}",
        "SI [...]",
        "SI […]",
        "Safety: ???",
        "[Your assessment here]",
        "Suicidal thoughts [TODO]",
        "-",
        "…",
        "N/A",
        "None.",
        "See above.",
        "x",
    ],
)
def test_what_its_writer_has_still_to_write_is_unfinished(text: str) -> None:
    assert is_unfinished(text)


@pytest.mark.parametrize(
    "text",
    [
        "Client said “[inaudible] and then I left”.",
        "[PERSON-1] denies SI (complete remission).",
        "Client [name] has a safety plan.",
        "Client wants to finish this sentence of community service.",
        "Denies SI (see above), PHQ-9 <10.",
        "[x] Denies SI",
        "**Plan**: reviewed her to-do list?",
        "Sertraline raised (added 50 mg) [sic].",
        "SI: none.",
        "None reported.",
        "14",
    ],
)
def test_brackets_that_stand_for_good_are_no_placeholder(text: str) -> None:
    assert not is_unfinished(text)
