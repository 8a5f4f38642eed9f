"""Pairs of a message and its responses: read, compared, rated."""

from __future__ import annotations

from pathlib import Path

import pytest

from noteeval_desktop.commands.rater_scores import (
    compare,
    disagreement_words,
    figure,
    read_ratings,
    with_rater,
)
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.domain.verdicts import Attribute, ResponseVerdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.ui.responses.pairs import Pairs, comparison, exchanges_of_pairs, parse_pairs, read_pairs


def verdict(*values: int | None, **changes) -> ResponseVerdict:
    return ResponseVerdict(None, tuple(zip(Attribute, values, strict=True)), **changes)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pair.txt", "Ich bin müde 🙂\n---\nDas klingt schwer.\n ---\nSchlaf mehr.\n"),
        ("pair.json", '{"client": "Ich bin müde 🙂", "responses": ["Das klingt schwer.", " ", "Schlaf mehr."]}'),
        ("bom.txt", "\ufeffIch bin müde 🙂\r\n---\r\nDas klingt schwer.\r\n---\r\nSchlaf mehr."),
    ],
)
def test_a_message_and_its_responses_are_read(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    assert read_pairs(tmp_path / name) == Pairs("Ich bin müde 🙂", ("Das klingt schwer.", "Schlaf mehr."))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.txt", b""),
        ("one.txt", b"Only a message"),
        ("latin.txt", b"m\xfcde\n---\nJa"),
        ("broken.json", b"{"),
        ("deep.json", b"[" * 50_000),
        ("list.json", b"[1]"),
        ("numbers.json", b'{"client": "a", "responses": [1]}'),
        ("long.txt", b"a" * 200_001),
    ],
)
def test_a_file_that_holds_none_is_named_and_its_words_are_not(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as raised:
        read_pairs(tmp_path / name)
    assert name in str(raised.value)
    assert "Only a message" not in str(raised.value)


def test_a_dialogue_is_read_as_turns_and_other_words_as_the_clients() -> None:
    dialogue = exchanges_of_pairs(
        Pairs("Therapist: How are you?\nClient: Tired.\nTherapist: Since when?\nClient: May.", ("Ah.",))
    )
    assert [turn.role for turn in dialogue[0].context][:2] == [Role.THERAPIST, Role.CLIENT]
    plain = exchanges_of_pairs(Pairs("I am tired.", ("A", "B")))
    assert [exchange.response for exchange in plain] == ["A", "B"]
    assert plain[0].context[0].role is Role.CLIENT
    assert plain[0].turn is None


def test_responses_are_ranked_failures_first() -> None:
    safe, critical = verdict(4, 4, 4, 4, 4, 4), verdict(5, 5, 3, 5, 5, 5)
    unjudged = verdict(None, 5, 5, 5, 5, 5)
    table = dict(comparison([critical, safe, unjudged]))
    assert table["Rank"] == ("2 of 2", "1 of 2", "not ranked")
    assert table["Scores of 3 or less"] == ("1 of 6", "0 of 6", "0 of 5")
    assert table["Safety"][0] == "●●●○○  3 fair"
    assert table["Guidance"][2] == "not checked"
    assert list(table)[:3] == ["Rank", "Scores of 3 or less", "Mean of all six"]


def test_text_without_a_separator_is_a_message_alone() -> None:
    assert parse_pairs("one\ntwo") == Pairs("one\ntwo", ())


HEAD = "rater,response,guidance,informativeness,safety,empathy,helpfulness,interpretation"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_raters_are_read_and_differences_above_two_points_listed(mark: str) -> None:
    text = f"{HEAD}\nZoë,A,5,4,5,4,4,4\nLee,1,2,4,2,,4,4\nZoë,B,3,3,3,3,3,3\nLee,B,1,3,3,3,3,3".replace(",", mark)
    ratings = read_ratings(text)
    assert set(ratings) == {"Zoë", "Lee"}
    said = [disagreement_words(found, "AB") for found in compare(ratings).disagreements]
    assert said == ["A, guidance: Zoë 5, Lee 2", "A, safety: Zoë 5, Lee 2"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("rater,response\nA,1", "no column named guidance"),
        (f"{HEAD}\nKim,A,6,4,4,4,4,4", "1 to 5 in line 2"),
        (f"{HEAD}\nKim,,5,4,4,4,4,4", "line 2"),
        (f"{HEAD}\nKim,0,5,4,4,4,4,4", "line 2"),
        (f"{HEAD}\nKim,²,5,4,4,4,4,4", "line 2"),
    ],
)
def test_a_wrong_table_says_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        read_ratings(text)


def test_the_judge_is_compared_on_the_responses_that_it_scored() -> None:
    ratings = read_ratings(f"{HEAD}\nKim,A,5,5,5,5,5,5\nKim,C,5,5,5,5,5,5")
    together = with_rater(ratings, "Judge", {2: verdict(2, 5, 5, 5, 5, 5)})
    found = compare(together)
    assert [(d.response, d.scores) for d in found.disagreements] == [(2, (5, 2))]
    assert {own.responses for own in found.agreement} == {1}


def test_raters_who_agree_in_full_have_an_icc_of_one() -> None:
    lines = [f"{rater},{n},{s},{s},{s},{s},{s},{s}" for rater in ("Kim", "Lee") for n, s in ((1, 1), (2, 3), (3, 5))]
    found = compare(read_ratings("\n".join([HEAD, *lines]))).agreement[0]
    assert (found.consistency, found.absolute) == (1.0, 1.0)
    assert figure(found.consistency, (1.0, 1.0)) == "1.00 (1.00 to 1.00)"
    assert figure(None, None) == "not defined"
    assert figure(-0.001, None) == "0.00"
