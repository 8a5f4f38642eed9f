"""Text copied from a client's earlier notes: what is found, what is not called copied, and what is said of it."""

from __future__ import annotations

from datetime import date

import pytest

from noteeval_desktop.compliance.copied import EarlierSentences, Likeness, copied_text, copies, counts
from noteeval_desktop.documents import parse_note
from noteeval_desktop.domain.case import Background, Case, EarlierNote
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.silencing import template
from noteeval_desktop.domain.verdicts import Severity
from tests.factories import make_transcript

BEFORE = """Subjective
Client reports arguing with her sister about the rent most evenings. PHQ-9: 12.
Objective
Alert, tearful when speaking of the move, well groomed.
Plan
Client will practise box breathing twice a day before the commute.
"""


def earlier(*texts, first=date(2026, 11, 3)):
    return tuple(
        EarlierNote(parse_note(text), date(first.year, first.month - n, first.day)) for n, text in enumerate(texts)
    )


def found(text, *before, **options):
    return copies(parse_note(text), EarlierSentences(earlier(*(before or (BEFORE,)))), **options)


@pytest.mark.parametrize(
    ("now", "likeness", "changed"),
    [
        ("Client reports arguing with her sister about the rent most evenings.", Likeness.EQUAL, None),
        ("client reports arguing with her sister, about the rent — most evenings", Likeness.EQUAL, None),
        ("Client reported arguing with her sister about the rent most evenings.", Likeness.NEAR, None),
        ("Client reports she argued with her sister about the rent most evenings.", Likeness.NEAR, None),
        (
            "Client will practise box breathing three times a day before the commute.",
            Likeness.ONE_FACT,
            ("three times", "twice"),
        ),
        ("Client reports arguing with Dana about the rent most evenings.", Likeness.NEAR, None),
        ("Client reports that work has been calmer since the new manager came.", None, None),
    ],
)
def test_each_sentence_is_like_an_earlier_one_or_not(now, likeness, changed):
    one = next(iter(found(f"Subjective\n{now}\n")), None)
    assert (one and one.likeness, one and one.changed) == (likeness, changed)


@pytest.mark.parametrize(
    ("now", "before", "changed"),
    [
        ("Sertraline was raised to 75 mg on Friday.", "Sertraline was raised to 50 mg on Friday.", ("75", "50")),
        ("She last used on 11/20/2026 after a fight.", "She last used on 10/02/2026 after a fight.", None),
        ("She last drank with Marcus at the lake house.", "She last drank with Priya at the lake house.", None),
        ("She sees her mother every Sunday for lunch.", "She sees her mother every Monday for lunch.", None),
    ],
)
def test_the_fact_that_alone_differs_is_named(now, before, changed):
    (one,) = found(f"Plan\n{now}\n", f"Plan\n{before}\n")
    assert one.likeness is Likeness.ONE_FACT
    differs = [(a, b) for a, b in zip(now.split(), before.split(), strict=True) if a != b]
    assert one.changed == (changed or differs[0])


def test_a_word_that_turns_the_meaning_is_no_fact_but_near():
    (one,) = found(
        "Plan\nShe accepts the referral to the sleep clinic in town.\n",
        "Plan\nShe declines the referral to the sleep clinic in town.\n",
    )
    assert (one.likeness, one.changed) == (Likeness.NEAR, None)


@pytest.mark.parametrize(
    "text",
    [
        "Denies SI/HI.",
        "Client denied any suicidal or homicidal ideation, plan or intent today.",
        "Client gave informed consent to telehealth and was at home alone.",
        "The next session is on Tuesday at three o'clock.",
        "Alert and oriented x3.",
        "Limits of confidentiality were reviewed with the client at the start.",
    ],
)
def test_what_is_the_same_by_nature_is_not_copied(text):
    assert not counts(text)
    assert found(f"Plan\n{text}\n", f"Plan\n{text}\n") == ()


def test_the_practices_template_is_not_copied_once_it_is_called_one():
    line = "Treatment is medically necessary to keep the client from a higher level of care."
    assert len(found(f"Plan\n{line}\n", f"Plan\n{line}\n")) == 1
    assert found(f"Plan\n{line}\n", f"Plan\n{line}\n", templates=(template(line.upper()),)) == ()


def case(text, *before, turns=(("client", "I am well."),), **background):
    notes = earlier(*before) if before else ()
    return Case(make_transcript(turns), parse_note(text), background=Background(notes, **background))


def said(*args, **options):
    return [remark.says for remark in copied_text(case(*args, **options))[0]]


def test_a_pasted_section_is_one_remark_with_its_date_and_share():
    text = """Subjective
Client slept badly after the call from the landlord.
Client reports arguing with her sister about the rent most evenings.
Plan
Client will practise box breathing twice a day before the commute.
Client will call the housing office by Friday noon.
"""
    checked = case(text, BEFORE)
    remarks, share = copied_text(checked)
    assert [remark.says for remark in remarks] == ["The same, word for word, as on 3 November 2026."] * 2
    assert remarks[0].span.of(checked.note.text) == (
        "Client reports arguing with her sister about the rent most evenings."
    )
    assert remarks[0].quote == (
        "Earlier note (3 November 2026): “Client reports arguing with her sister about the rent most evenings.”"
    )
    assert (share.note, dict(share.sections), share.notes) == (0.5, {Section.SUBJECTIVE: 0.5, Section.PLAN: 0.5}, 1)


def test_without_dates_nothing_is_dated():
    note = parse_note(BEFORE)
    checked = Case(make_transcript(), note, background=Background((EarlierNote(note, None, "old.txt"),)))
    assert "The same, word for word, as in an earlier note." in [one.says for one in copied_text(checked)[0]]


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        ("Your PHQ-9 today came out at nine.", "9"),
        ("So that is a 9 on the PHQ nine.", "9"),
        ("PHQ-9 was twelve last time, and it is nine now.", "9"),
        ("The PHQ-9 is 9 out of 27. How were the last two weeks?", "9"),
        ("Your PHQ-9 is twelve again.", None),
        ("We did the PHQ-9.", None),
        ("On question nine of the PHQ-9 you marked zero.", None),
        ("Your PHQ-9 came down by three.", None),
        ("The PHQ-9, and you sleep four hours.", None),
        ("On the PHQ-9 I have nine here, or is it seven?", None),
        ("The GAD-7 came out at nine.", None),
    ],
)
@pytest.mark.parametrize("written", ["PHQ-9: 12.", "PHQ-9 was 12."])
def test_a_score_that_was_left_as_it_was_is_held_against_the_session(written, turn, told):
    note = f"Objective\n{written}\n"
    says = said(note, *[note] * 4, turns=(("therapist", turn),))
    assert says == ([f"PHQ-9 12, as in the last 4 notes; the session says {told}."] if told else [])


def test_a_dose_too_and_that_is_grave():
    text = "Plan\nContinues sertraline 50 mg.\n"
    turns = (("client", "They put the sertraline up to 100 mg on Monday."),)
    (remark,) = copied_text(case(text, text, turns=turns))[0]
    assert (remark.says, remark.severity) == (
        "sertraline 50, as on 3 November 2026; the session says 100.",
        Severity.HIGH,
    )
    assert remark.quote == "Session: “They put the sertraline up to 100 mg on Monday.”"


def test_a_word_before_a_dose_that_names_no_drug_is_none():
    text = "Plan\nSertraline was increased to 50 mg.\n"
    says = said(text, text, turns=(("client", "It was increased to 100 mg."),))
    assert says == ["The same, word for word, as on 3 November 2026."]


def test_a_long_sentence_that_also_denies_risk_is_copied():
    long = (
        "Client described the argument with her landlord over the broken heating, the two nights at her sister's and "
        "the call from school, and denied suicidal thoughts throughout this week."
    )
    assert counts(long)


def test_nothing_is_said_where_nobody_gave_earlier_notes():
    assert copied_text(Case(make_transcript(), parse_note(BEFORE))) == ((), None)
    assert copied_text(case(BEFORE)) == ((), None)


def test_a_note_that_has_headings_alone_copies_nothing():
    remarks, share = copied_text(case("Subjective\n\nPlan\n", BEFORE))
    assert (remarks, share.note) == ((), 0.0)
