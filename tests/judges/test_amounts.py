import pytest

from noteeval_desktop.judges.builtin.support.evidence import claimed_quantities
from noteeval_desktop.judges.builtin.text.quantities import alike, quantities
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon, claim_lexicon
from tests.growth import grows_in_step


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return claim_lexicon()


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("I cried for an hour and a half.", [(1.5, "hour")]),
        ("Two and a half years.", [(2.5, "year")]),
        ("A quarter of an hour, maybe three quarters of an hour", [(0.25, "hour"), (0.75, "hour")]),
        ("Half an hour", [(0.5, "hour")]),
        ("quarter to twelve", [(11.75, "clock")]),
        ("at 11:45 p.m.", [(11.75, "clock")]),
        ("half past six", [(6.5, "clock")]),
        ("on the sixteenth", [(16.0, "th")]),
        ("on the 16th", [(16.0, "th")]),
        ("the twenty-first", [(21.0, "th")]),
        ("half a dozen bottles", [(6.0, "bottl")]),
        ("two dozen eggs", [(24.0, "egg")]),
        ("1/2 pack a day", [(0.5, "pack")]),
        ("2 1/2 packs", [(2.5, "pack")]),
        ("½ pack", [(0.5, "pack")]),
        ("every fortnight", [(2.0, "week")]),
        ("two hundred and fifty pounds", [(250.0, "pound")]),
        ("nought point four", [(0.4, "")]),
        ("one and a half", [(1.5, "")]),
        ("a couple of beers", [(2.0, "beer")]),
        ("the couple argued", []),
        ("a thousand dollars", [(1000.0, "dollar")]),
        ("asleep by ten thirty.", [(10.5, "clock")]),
        ("seven-thirty on Tuesdays", [(7.5, "clock")]),
        ("at 7:30am", [(7.5, "clock")]),
        ("it was twenty to one", [(0.6667, "clock")]),
        ("at 12:40 a.m.", [(0.6667, "clock")]),
        ("ten past nine", [(9.1667, "clock")]),
        ("at 23:15", [(11.25, "clock")]),
        ("99:59", [(99.0, ""), (59.0, "")]),
        ("ten to twelve drinks", [(10.0, "alcoho"), (12.0, "alcoho")]),
        ("from ten to two", [(10.0, ""), (2.0, "")]),
        ("seven thirty-minute walks", [(7.0, "thirty")]),
        ("I blew a point one four", [(0.14, "")]),
        ("two point five five", [(2.55, "")]),
        ("at this point one of us left", []),
        ("Brother / 988 if thoughts recur", []),
        ("Abstinent since 2/6", []),
        ("Admitted on 12/3/24.", []),
        ("RTC Tue 12/7, 6 pm", [(6.0, "pm")]),
        ("Mother at 3/14/26 9:00 AM", [(9.0, "clock")]),
        ("rated 2/6", [(2.0, ""), (6.0, "scale")]),
        ("PHQ-9 9/27", [(9.0, ""), (27.0, "scale")]),
        ("Confidence for Friday 9/10", [(9.0, ""), (10.0, "scale")]),
        ("w/ 24-hr support", [(24.0, "hour")]),
        ("phoned ~1 am last night", [(1.0, "am")]),
        ("used the 5-4-3-2-1 exercise", []),
    ],
)
def test_amounts_of_several_words_are_one(text: str, amounts: list[tuple[float, str]], lexicon: ClaimLexicon) -> None:
    assert [(found.value, found.unit) for found in quantities(text, lexicon.words(text))] == amounts


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("90 minutes", "an hour and a half", True),
        ("down from 90", "an hour and a half", True),
        ("two weeks", "a fortnight", True),
        ("8 weeks", "two months", True),
        ("18 months", "a year and a half", True),
        ("seven weeks", "seven months", True),
        ("six weeks", "two months", False),
        ("90 drinks", "an hour and a half", False),
        ("three days", "three and a half days", False),
        ("died in 1979", "In seventy-nine.", True),
        ("died in 1978", "In seventy-nine.", False),
    ],
)
def test_amounts_that_come_to_the_same(one: str, other: str, same: bool, lexicon: ClaimLexicon) -> None:
    first, second = (quantities(text, lexicon.words(text))[0] for text in (one, other))
    assert alike(first, second) is same
    assert alike(second, first) is same


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("2. Mother to lock up pills tonight.", []),
        ("3) Sessions 2x/wk.", [2.0]),
        ("- 4. Two sessions.", [2.0]),
        ("5.5 hours of sleep.", [5.5]),
        ("12 sessions left.", [12.0]),
    ],
)
def test_the_number_of_a_line_in_a_list_counts_nothing(text: str, values: list[float], lexicon: ClaimLexicon) -> None:
    assert [quantity.value for quantity in claimed_quantities(text, lexicon.words(text))] == values


def test_ten_thousand_numbers_take_no_longer_than_they_are_many(lexicon: ClaimLexicon) -> None:
    def read(numbers: int) -> None:
        words = lexicon.words("7 " * numbers)
        assert len(quantities("7 " * numbers, words)) == len(words)

    assert grows_in_step(read, 10_000)
