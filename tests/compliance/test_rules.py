"""Each rule by a table of cases: what it marks, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

import pytest

from noteeval_desktop.compliance.earlier import background
from noteeval_desktop.compliance.rules import remarks_on
from noteeval_desktop.documents import parse_note, parse_plan
from noteeval_desktop.domain.case import Background, EarlierNote
from tests.factories import make_case, make_transcript

HEAD = "Client: Renee Cole\nDate of service: 11/18/2026\n"
BODY = "\nData:\nClient slept.\nPlan:\nMeet on Tuesday.\n"
SIGNED = "\nJ. Hale, LMFT   11/18/2026"


def marked(text: str, *, background: Background | None = None, session: str = "") -> Iterator[tuple[str, str]]:
    note = parse_note(text)
    turns = (("therapist", session),) if session else (("therapist", "How are you?"),)
    for one in remarks_on(make_case(note=note, background=background, transcript=make_transcript(turns))):
        yield one.rule, one.span.of(note.text) if one.span else ""


def earlier(text: str) -> Background:
    return Background(earlier=(EarlierNote(parse_note(text)),))


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ("Start 4:00 pm  End 4:52 pm\nDuration: 52 min", []),
        ("Start 4:00 pm  End 4:52 pm\nDuration: 60 min", [("duration", "60 min")]),
        ("Start: 4:00 pm  End: 3:50 pm", [("end-before-start", "4:00 pm  End: 3:50 pm")]),
        ("Start: 11:45 pm  End: 12:40 am", []),
        ("CPT: 90839, 90840   80 min", []),
        ("CPT: 90839, 90840   60 min", [("code-minutes", "90840")]),
        ("CPT: 90840   80 min", [("code-alone", "90840")]),
        ("CPT: 99213, 90833   40 min", []),
        ("CPT: 90833   20 min", [("code-alone", "90833")]),
        ("CPT: 90834\nLocation: Long Beach, CA 90840", []),
    ],
)
def test_times_and_codes(fields: str, found: list[tuple[str, str]]) -> None:
    assert list(marked(HEAD + fields + BODY + SIGNED)) == found


@pytest.mark.parametrize(
    ("times", "overlaps"),
    [
        ("Time: 4:30-5:20 pm", True),
        ("Time: 3:30-4:10 pm", True),
        ("Time: 5:00-5:50 pm", False),
        ("Time: 4:00-4:50 pm", False),  # this note in another version
        ("", False),
    ],
)
def test_two_sessions_of_a_client_are_not_at_the_same_time(times: str, overlaps: bool) -> None:
    here = HEAD + "Time: 4:00-4:50 pm" + BODY + SIGNED
    other = EarlierNote(parse_note(HEAD + times + BODY), date(2026, 11, 18))
    known = background(parse_note(here), None, [other])
    assert ("overlap" in [rule for rule, _ in marked(here, background=known)]) is overlaps
    another_day = background(parse_note(here), None, [replace(other, day=date(2026, 11, 11))])
    assert "overlap" not in [rule for rule, _ in marked(here, background=another_day)]


@pytest.mark.parametrize(
    ("day", "found"),
    [
        ("11/18/2026", []),
        ("11/29/2026", [("date-ahead", "11/29/2026")]),
        ("02/30/2026", [("date-impossible", "02/30/2026")]),
        ("12/11/2026", []),  # the 12th of November, perhaps
        ("18 November 2027", [("date-ahead", "18 November 2027")]),
    ],
)
def test_a_date_is_a_day_and_not_ahead(day: str, found: list[tuple[str, str]]) -> None:
    text = f"Client: R. C.\nDate of service: {day}\n{BODY}\nJ. Hale, LMFT"
    assert list(marked(text, background=Background(today=date(2026, 11, 28)))) == found


def test_without_a_today_no_date_lies_ahead() -> None:
    assert list(marked("Client: R. C.\nDate: 1 May 2099\n" + BODY + "\nJ. Hale, LMFT")) == []


def test_a_signature_is_not_older_than_the_session() -> None:
    found = list(marked(HEAD + BODY + "\nJ. Hale, LMFT   11/17/2026"))
    assert found == [("signed-before", "11/17/2026")]
    assert list(marked(HEAD + BODY + "\nJ. Hale, LMFT   11/20/2026")) == []


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("Okay, today is November 18, 2026, session nine.", []),
        ("Okay, today is November 11, 2026, session nine.", [("date-session", "11/18/2026")]),
        ("My brother was born on May 3, 1990.", []),
    ],
)
def test_the_date_is_that_of_the_session_where_it_is_said(said: str, found: list[tuple[str, str]]) -> None:
    assert list(marked(HEAD + BODY + SIGNED, session=said)) == found


def test_a_date_that_an_earlier_note_has_is_asked_about_unless_both_tell_their_times() -> None:
    assert ("date-copied", "11/18/2026") in list(marked(HEAD + BODY + SIGNED, background=earlier(HEAD + BODY)))
    both = [HEAD + times + BODY for times in ("Time: 4:00-4:50 pm", "Time: 9:00-9:50 am")]
    assert list(marked(both[0] + SIGNED, background=earlier(both[1]))) == []


@pytest.mark.parametrize(
    ("foot", "found"),
    [
        ("J. Hale, LMFT", []),
        ("Electronically signed by Jane Hale, Licensed Psychologist", []),
        ("J. Hale, LMFT\n12 Main Street\nPhone: 555 0100\nFax: 555 0101\nNPI 1234567890\nPage 1 of 1", []),
        ("Signed: Jane Hale", [("credential", "Signed: Jane Hale")]),
        ("Signature: ______________", [("signature-empty", "Signature: ______________")]),
        ("______________\nClinician signature / date", [("signature-empty", "______________")]),
        ("Clinician signature / date", [("signature-empty", "Clinician signature / date")]),
        ("", [("signature", "")]),
    ],
)
def test_a_note_with_a_head_is_signed_with_a_credential(foot: str, found: list[tuple[str, str]]) -> None:
    assert list(marked(f"{HEAD}{BODY}\n{foot}")) == found


def test_a_note_without_a_head_is_not_asked_for_a_signature() -> None:
    assert list(marked("S: Client slept.\nP: Meet.")) == []


@pytest.mark.parametrize(
    ("others", "says", "found"),
    [
        (("Maria Lopez",), "Client saw Maria Lopez.", ["Maria Lopez"]),
        (("Maria Lopez",), "Client saw Lopez, Maria.", ["Lopez, Maria"]),
        (("Maria Lopez",), "Client saw Maria and Lopez.", []),
        (("Grace",), "Client said grace; Grace called.", []),
        (("M. L.",), "M. L. called.", []),
    ],
)
def test_another_clients_full_name_is_asked_about(others: tuple[str, ...], says: str, found: list[str]) -> None:
    text = f"S: {says}\nP: Meet."
    assert [words for _, words in marked(text, background=Background(others=others))] == found


@pytest.mark.parametrize(
    ("named", "found"),
    [("Client: Maya Ortiz", True), ("Client: Renee Cole", False), ("Client: R. C.", False), ("", False)],
)
def test_a_plan_of_another_client_is_said(named: str, found: bool) -> None:
    plan = parse_plan(f"{named}\nGoal 1: Sleep\n")
    rules = [rule for rule, _ in marked(HEAD + BODY, background=Background(plan=plan))]
    assert ("other-plan" in rules) is found


@pytest.mark.parametrize(
    ("pronouns", "says", "found"),
    [
        ("she/her", "Client reports he slept.", ["he"]),
        ("she/her", "Client reports she slept. Her son says he is well.", []),
        ("she/they", "Client reported that they slept.", []),
        ("they/them", "Client stated she slept.", ["she"]),
        ("he/him", "Client was hard on herself.", ["herself"]),
        ("", "Client reports he slept. Client says she slept.", []),
    ],
)
def test_pronouns_are_those_of_the_notes_head(pronouns: str, says: str, found: list[str]) -> None:
    head = HEAD + (f"Pronouns: {pronouns}\n" if pronouns else "")
    text = f"{head}\nData: {says}\nPlan: Meet.{SIGNED}"
    assert [words for rule, words in marked(text) if rule == "pronouns"] == found


@pytest.mark.parametrize(
    ("says", "found"),
    [
        ("[Client name] slept.", ["[Client name]"]),
        ("Goal: [describe goal]. <date of session>", ["[describe goal]", "<date of session>"]),
        ("He/she slept; mood mild/moderate/severe.", ["He/she", "mild/moderate/severe"]),
        ("Here is a SOAP note for the session.", ["Here is a SOAP note"]),
        ("Sure! Here it is. Of course, I can shorten it.", ["Sure! Here", "Of course, I can"]),
        ("Grief is, of course, in the room; sure, it helps her.", []),
        ('"My [sister] told [name redacted] so." [PERSON-1] [sic] [inaudible] [laughs]', []),
        ("Score [12/27], see [1] and <5 drinks, pronouns she/her.", []),
    ],
)
def test_a_templates_words_are_left_over(says: str, found: list[str]) -> None:
    assert [words for _, words in marked(f"Data: {says}\nPlan: Meet.")] == found


@pytest.mark.parametrize(
    ("says", "found", "instead"),
    [
        ("Insulin 10 U at night.", "U", "units"),
        ("Vitamin D 2000 IU a day.", "IU", "international units"),
        ("Sertraline 50 mg QD.", "QD", "daily"),
        ("Sertraline q.o.d. for now.", "q.o.d.", "every other day"),
        ("Lorazepam 5.0 mg.", "5.0", "5"),
        ("Lorazepam .5 mg.", ".5", "0.5"),
        ("Given MS 10 mg and MgSO4.", "MS|MgSO4", "morphine sulfate|magnesium sulfate"),
        ("MS: alert. Diagnosed with MS. Jane Hale, MS. Rated 5.0 of 10. Moved to U Street.", "", ""),
        ("Lorazepam 0.5 mg q.d.s.; sodium 4.0 mg/dL; lab 12 IU/L.", "", ""),
    ],
)
def test_do_not_use_where_it_is_meant(says: str, found: str, instead: str) -> None:
    note = parse_note(f"S: {says}\nP: Meet.")
    told = sorted(remarks_on(make_case(note=note)), key=lambda one: one.span)
    assert "|".join(one.span.of(note.text) for one in told) == found
    assert "|".join(one.instead for one in told) == instead


@pytest.mark.parametrize(
    ("says", "found"),
    [
        ("F41.0 Panic disorder", []),
        ("Generalized Anxiety Disorder (F41.1)", []),
        ("GAD (F41.0)", ["code-name"]),
        ("F41.1 - Panic disorder", ["code-name"]),
        ("Major depressive disorder, recurrent, moderate (F33.1)", []),
        ("Major depressive disorder, recurrent, severe F33.1", ["code-name"]),
        ("MDD, single episode, mild: F32.0", []),
        ("MDD, recurrent (F32.1)", ["code-name"]),
        ("Major depression, recurrent, moderate (F33.1)", []),
        ("Major depression, recurrent, mild (F33.1)", ["code-name"]),
        ("Adjustment disorder with anxiety F43.22", []),
        ("Adjustment disorder with anxiety F43.21", ["code-name"]),
        ("PTSD, F43.10; Alcohol use disorder, moderate, F10.20", []),
        ("F33.1 with comorbid PTSD", []),
        ("ADHD, combined presentation F90.2", []),
        ("Bipolar II disorder (F31.81)", []),
        ("Borderline personality disorder F60.5", ["code-name"]),
        ("Social anxiety disorder F40.10", []),
        ("Other specified depressive disorder (F32.89)", []),
        ("Mixed anxiety and depressive disorder (F41.2)", ["code-unknown"]),
        ("F41.7", ["code-unknown"]),
        ("F43.1 PTSD", ["code-short"]),
        ("Form F12-B in suite F210", []),
    ],
)
def test_a_diagnosis_code_is_whole_and_says_what_the_note_says(says: str, found: list[str]) -> None:
    assert [rule for rule, _ in marked(f"A: {says}\nP: Meet.")] == found


@pytest.mark.parametrize(
    ("says", "found", "instead"),
    [
        ("Her uncle committed suicide.", "committed suicide", "died by suicide"),
        ("Client claims that he slept.", "claims", "reports"),
        ("Client refused the homework.", "refused", "declined"),
        ("UDS: dirty urine twice.", "dirty", "positive"),
        ("Presents as manipulative and noncompliant with medication.", "manipulative|noncompliant with", "|"),
        ("Client was bipolar, and he is an addict.", "was bipolar|an addict", "|"),
        ("Client says she is 'crazy' and “lazy”.", "", ""),
        ("He said he was an alcoholic and a junkie.", "", ""),
        ("She wonders whether she is lazy.", "", ""),
        ("Bipolar disorder; substance abuse counselor; insurance claims; got clean sheets.", "", ""),
        ("I felt irritated with him.", "I felt irritated", ""),
        ("This writer was somewhat bored.", "This writer was somewhat bored", ""),
        (
            "Will discuss this in supervision; countertransference noted.",
            "discuss this in supervision|countertransference",
            "|",
        ),
        ("Client said “I felt irritated.” The client felt sad. Therapist was attentive.", "", ""),
        ("Her boss Peter Miller shouted.", "boss Peter Miller", ""),
        ("Her boss Peter shouted. Sister, Breathing Space, A&E.", "", ""),
    ],
)
def test_what_judges_and_what_is_for_notes_of_ones_own(says: str, found: str, instead: str) -> None:
    note = parse_note(f"S: {says}\nP: Meet.")
    told = sorted(remarks_on(make_case(note=note)), key=lambda one: one.span)
    assert "|".join(one.span.of(note.text) for one in told) == found
    assert "|".join(one.instead for one in told) == instead


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ("**Client Name:** M. T.\n**Session Start:** 10:00 AM\n**Session End:** 10:50 AM\n**CPT Code:** {}", "90837"),
        ("Patient: R. S. | DOB: 01/02/1990 | DOS: 2026-11-18 | Time: 13:00-13:45 | CPT: {} | POS: 02", "90832"),
        ("Client: J. D.\nDate: Nov 18, 2026 4:00 PM - 4:53 PM\nCPT Code: {}", "90834"),
        ("Client: A. M.   Date: 11/18/26   Start: 2:00   End: 2:45   CPT: {}", "90832"),
        ("Client ID: 4471\nDate of session: 11/18/2026\nService: Psychotherapy, 45 minutes ({})", "90837"),
        ("Client: Q.\nDOS: 11/18/2026\nE/M: 99214 with {}, psychotherapy time 18 min; total time 40 min", "90838"),
    ],
)
def test_heads_as_record_systems_write_them(head: str, code: str) -> None:
    text = head.format(code) + BODY + SIGNED.replace("18", "19")
    assert list(marked(text)) == [("code-minutes", code)]
