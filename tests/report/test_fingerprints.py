from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop.domain.evaluation import Usage
from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.errors import InputError
from noteeval_desktop.report import fingerprints
from noteeval_desktop.report.fingerprints import (
    Fingerprints,
    State,
    compare,
    fingerprints_from_json,
    fingerprints_in,
    fingerprints_of,
    of_case,
)
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from noteeval_desktop.report.pdf_password import Strength, checked, strength
from tests.sample_evaluation import sample_evaluation
from tests.sample_review import sample_review

EVALUATION = sample_evaluation()


def test_an_evaluation_that_was_written_and_read_has_the_same_fingerprints() -> None:
    again = evaluation_from_json(evaluation_to_json(EVALUATION))
    assert fingerprints_of(again) == fingerprints_of(EVALUATION)


def test_json_without_texts_tells_all_but_the_marks() -> None:
    found = fingerprints_in(evaluation_to_json(EVALUATION, text=False))
    assert found == replace(fingerprints_of(EVALUATION), judgements="")


def test_usage_and_label_do_not_count_but_every_mark_does() -> None:
    own = fingerprints_of(EVALUATION)
    assert fingerprints_of(replace(EVALUATION, usage=Usage(calls=9, seconds=3.0))) == own
    assert fingerprints_of(replace(EVALUATION, case=replace(EVALUATION.case, label="other"))) == own
    for nothing in ({"omissions": ()}, {"responses": ()}, {"risks": ()}, {"sentences": ()}):
        assert fingerprints_of(replace(EVALUATION, **nothing)).judgements != own.judgements  # type: ignore[arg-type]
    first = replace(EVALUATION.checklist[0], probability=0.123)
    assert (
        fingerprints_of(replace(EVALUATION, checklist=(first, *EVALUATION.checklist[1:]))).judgements != own.judgements
    )


def test_a_review_keeps_its_fingerprint_when_reviews_come_to_hold_more(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = sample_evaluation()
    review = sample_review(evaluation)
    now = fingerprints_of(evaluation, review).review
    with monkeypatch.context() as before:
        older = {name: value for name, value in to_plain(review).items() if name not in ("carried", "unblinded")}
        for comment in older["comments"]:
            del comment["turns"]
        before.setattr(fingerprints, "to_plain", lambda _: older)
        assert fingerprints._of_review(review) == now
    about_a_turn = replace(review, comments=(replace(review.comments[0], turns=(0,)), *review.comments[1:]))
    for changed in (replace(review, carried=True), replace(review, unblinded=True), about_a_turn):
        assert fingerprints_of(evaluation, changed).review != now


def test_what_one_side_lacks_is_not_compared() -> None:
    states = {check.what: check.state for check in compare(Fingerprints(note="a", rubric="r"), Fingerprints(note="b"))}
    assert (states["note"], states["rubric"], states["model"]) == (
        State.DIFFERENT,
        State.NOT_COMPARED,
        State.NOT_COMPARED,
    )


def test_of_several_evaluations_the_scorecards_own_is_found() -> None:
    other = replace(EVALUATION, judge=replace(EVALUATION.judge, model="another"))
    review = sample_review(EVALUATION)
    card = fingerprints_of(EVALUATION, review)
    assert of_case(card, (EVALUATION, other), (sample_review(EVALUATION, signed=True), review)) == card
    found = of_case(card, (other,), (sample_review(EVALUATION, signed=True),))
    assert found is not None
    different = {check.what for check in compare(card, found) if check.state is State.DIFFERENT}
    assert different == {"model", "review"}
    assert of_case(card, ()) is None


@pytest.mark.parametrize("data", [None, [], {"note": 3}, {"note": None}])
def test_damaged_fingerprints_are_refused(data: object) -> None:
    with pytest.raises(ValueError, match="not fingerprints"):
        fingerprints_from_json(data)


@pytest.mark.parametrize("data", [{}, {"case": {}, "judge": {}, "scores": {}}, {"case": 1, "judge": 2, "scores": 3}])
def test_damaged_json_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(InputError, match="is damaged"):
        fingerprints_in(data)


@pytest.mark.parametrize(
    ("password", "expected"),
    [
        ("", Strength.WEAK),
        ("short", Strength.WEAK),
        ("aaaaaaaaaaaaaaaaaaaa", Strength.WEAK),
        ("Tr0ub4dor&3xx", Strength.FAIR),
        ("correct horse battery staple", Strength.STRONG),
        ("правильная лошадь", Strength.STRONG),
    ],
)
def test_strength(password: str, expected: Strength) -> None:
    assert strength(password) is expected


@pytest.mark.parametrize(
    ("password", "said"),
    [
        ("seven77", "shorter"),
        ("é" * 64, "longer than 127 bytes"),
        ("smile 😀 please", "disagree"),
        ("tab\tinside it", "disagree"),
        ("half \ud800 of one", "disagree"),
        ("שלום and hello", "mixes directions"),
    ],
)
def test_a_password_that_another_reader_might_not_open_is_refused(password: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        checked(password)
    assert password not in str(caught.value)


@pytest.mark.parametrize("password", ["vier Bücher öffnen", "пароль из слов", "שלוםעולם", "密码密码密码密码"])
def test_passwords_of_any_script_are_taken(password: str) -> None:
    assert checked(password) == password
