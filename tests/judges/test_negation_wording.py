from __future__ import annotations

import pytest

from noteeval_desktop.judges.builtin.negation_wording import NAMES, negation_wording


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Client does not see it as a problem.", {"no_mental"}),
        ("Client did not report some doubt 😀.", {"no_speech", "no_some"}),
        ("Client will not explore triggers.", {"no_modal", "no_will"}),
        ("Client won’t explore triggers.", {"no_modal", "no_will"}),
        ("She isn't working yet.", {"no_be", "no_ing", "no_any"}),
        ("He has not quit.", {"no_perfect"}),
        ("Denies any café visits.", {"no_deny", "no_any", "seldom_denies"}),
        ("Refuses to quit.", {"no_deny", "seldom_refuses"}),
        ("Unable to sleep.", {"no_unable"}),
        ("Client is not sure.", {"no_be", "no_sure"}),
        ("No signs of distress.", {"no_no"}),
        ("He no longer drinks.", {"no_never"}),
        ("He rarely drinks.", {"no_never", "seldom_never"}),
        ("She disputes that she drinks.", {"no_deny", "seldom_denies", "seldom_denied_clause"}),
        ("Motivated not to quit.", {"no_bare", "seldom_to"}),
        ("Lives without his café friends.", {"no_no", "seldom_without"}),
        ("Lives without working.", {"no_no", "seldom_without_any"}),
        ("Their lack of interest is clear.", {"no_no", "seldom_lack"}),
        ("There is no evidence that he drinks.", {"no_no", "seldom_frame"}),
        ("She has no increased need.", {"no_no", "seldom_garbled", "seldom_thing"}),
        ("He has no wish to quit.", {"no_no", "seldom_thing", "seldom_wish"}),
        ("Client does consider this a problem.", {"yes_emphatic"}),
        ("Client does have any issues.", {"yes_any", "yes_emphatic"}),
        ("Client will do the homework.", set()),
        ("They do so at work.", set()),
        ("Asked whether there are any concerns.", set()),
        ("He still drinks.", {"yes_still"}),
        ("", set()),
        ("Klientin schläft gut.", set()),
    ],
)
def test_what_kind_of_no_a_sentence_holds(text: str, names: set[str]) -> None:
    found = negation_wording(text)
    assert tuple(found) == NAMES
    measured = {"no_place", "no_tail", "no_count"}
    assert {name for name, value in found.items() if value and name not in measured} == names
    assert (found["no_count"] > 0) is any(name.startswith("no_") for name in names)


def test_where_and_how_many() -> None:
    found = negation_wording("He is not sure, has no plan, and will not say.")
    assert found["no_count"] == 3
    assert 0 < found["no_place"] < 0.2
    assert found["no_tail"] < 0.1
