"""Completeness and conciseness hold when the same note is written otherwise, is very short or very long."""

from __future__ import annotations

import re
import threading

import pytest

from noteeval_desktop import documents, paths
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import SOAP, Note, Section
from noteeval_desktop.domain.transcript import Role, Transcript, Turn
from noteeval_desktop.judges.builtin.completeness import heads
from noteeval_desktop.judges.builtin.completeness import reading as note_reading
from noteeval_desktop.judges.builtin.conciseness import UNINFORMATIVE
from tests.factories import make_note, make_transcript
from tests.sample_evaluation import sample_case

SAMPLE = sample_case().note
_ABBREVIATIONS = (
    (r"\b(?:the )?client\b", "Cl"),
    (r"\bpatient\b", "Pt"),
    (r"\btreatment\b", "tx"),
    (r"\bhistory\b", "hx"),
    (r"\bsuicidal ideation\b", "SI"),
    (r"\bhomework\b", "hw"),
    (r"\bfollow-up\b", "f/u"),
    (r"\bwithout\b", "w/o"),
)
_OTHER_WORDS = (
    (r"\breports\b", "says"),
    (r"\breported\b", "said"),
    (r"\bstates\b", "says"),
    (r"\bappeared\b", "seemed"),
    (r"\bdiscussed\b", "talked about"),
    (r"\bfeels\b", "is feeling"),
    (r"\bwants to\b", "would like to"),
    (r"\bclient\b", "patient"),
    (r"\btherapist\b", "clinician"),
)


def expected(judge, note: Note, transcript: Transcript | None = None) -> tuple[float, float]:
    case, cancel = Case(transcript or make_transcript(), note), threading.Event()
    items = [v.probability for v in judge.cover(case, cancel) if v.probability is not None]
    needs = [v.probability for v in judge.need(case, cancel)]
    return sum(items) / len(items), sum(needs) / len(needs)


def rewritten(change) -> Note:
    return make_note({section: [change(one.text) for one in SAMPLE.sentences_in(section)] for section in SOAP})


def replaced(pairs, text: str) -> str:
    for pattern, words in pairs:
        text = re.sub(pattern, words, text, flags=re.IGNORECASE)
    return text


def misspelt(text: str) -> str:
    """Two letters change places about once in a hundred characters."""
    places = [match.start() for match in re.finditer(r"(?<=[a-z])[a-z]{2}(?=[a-z])", text)][::25]
    for at in places:
        text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text


@pytest.mark.parametrize(
    ("change", "within"),
    [
        (str.lower, 0.005),
        (str.upper, 0.005),
        (lambda text: replaced(_ABBREVIATIONS, text), 0.03),
        (lambda text: replaced(_OTHER_WORDS, text), 0.05),
        (misspelt, 0.06),
    ],
    ids=["lower case", "upper case", "abbreviations", "other words", "spelling mistakes"],
)
def test_the_same_note_in_another_spelling_scores_nearly_the_same(judge, change, within):
    before, after = expected(judge, rewritten(str)), expected(judge, rewritten(change))
    assert rewritten(change).text != rewritten(str).text
    assert after == pytest.approx(before, abs=within)


@pytest.mark.parametrize(
    "headings",
    [
        ("S:", "O:", "A:", "P:"),
        ("## Subjective", "## Objective", "## Assessment", "## Plan"),
        ("Subj:", "Obj:", "Asmt:", "Plan:"),
        ("Client report:", "Observations:", "Clinical impression:", "Next steps:"),
    ],
)
def test_other_names_of_the_sections_change_nothing(judge, headings):
    bodies = [" ".join(one.text for one in SAMPLE.sentences_in(section)) for section in SOAP]
    named = documents.parse_note("\n\n".join(f"{h}\n{body}" for h, body in zip(headings, bodies, strict=True)))
    usual = documents.parse_note(
        "\n\n".join(f"{s.value.capitalize()}:\n{body}" for s, body in zip(SOAP, bodies, strict=True))
    )
    assert [one.text for one in named.sentences] == [one.text for one in usual.sentences]
    assert expected(judge, named) == expected(judge, usual)


def test_without_headings_most_sentences_come_to_their_section(encoder):
    trained = heads.load(paths.resources() / "heads")
    sentences = [(one.text, one.section) for section in SOAP for one in SAMPLE.sentences_in(section)]
    bare = documents.parse_note(" ".join(text for text, _ in sentences))
    reading = note_reading.read(bare, trained, encoder)
    found = {
        reading.note.sentences[i].text: SOAP[s]
        for i, s in zip(reading.rows.sentence, reading.rows.section, strict=True)
    }
    alone = {
        one.text: SOAP[s] for one, s in zip(reading.note.sentences, reading.log_sections.argmax(axis=1), strict=True)
    }
    right = sum(found.get(text) is section for text, section in sentences)
    assert right >= sum(alone.get(text) is section for text, section in sentences)
    assert right > 0.7 * len(sentences)


@pytest.mark.parametrize(
    ("text", "says_nothing"),
    [
        ("asdf", True),
        ("Will add this later.", True),
        ("Describe the client's presentation here", True),
        ("Client was here.", True),
        ("Draft saved 14:02, page 2 of 3", True),
        ("Sleep better.", False),
        ("Stable, RTC 2 wks.", False),
        ("Will add this later. Denies SI/HI.", False),
        ("Continue sertraline.", False),
        ("No change.", False),
        ("Resolved.", False),
        ("Refer to PCP.", False),
        ("Refer to previous entry.", True),
    ],
)
def test_a_section_that_says_nothing_covers_nothing(judge, text, says_nothing):
    note = documents.parse_note(f"Subjective:\n{text}\n\nPlan:\nReturn in two weeks; keep the sleep diary.")
    case = Case(make_transcript(), note)
    cancel = threading.Event()
    covered = {item.item for item in judge.cover(case, cancel) if item.present and item.section is Section.SUBJECTIVE}
    needs = {need.sentence: need for need in judge.need(case, cancel)}
    claims = {claim.sentence: claim for claim in judge.support(case, cancel)}
    own = {one.id for one in note.sentences_in(Section.SUBJECTIVE)}
    told = {one for one in own if needs[one].rationale == UNINFORMATIVE}
    assert told == {one for one in own if claims[one].rationale == UNINFORMATIVE} == (own if says_nothing else set())
    assert not (says_nothing and covered)
    assert all(needs[one].needed is False and claims[one].set_aside for one in told)


def test_a_note_of_thirty_words_is_judged_sentence_by_sentence(judge):
    short = make_note(
        {
            Section.SUBJECTIVE: ["Client reports poor sleep and low mood.", "Denies SI/HI."],
            Section.OBJECTIVE: ["Affect flat, oriented."],
            Section.ASSESSMENT: ["Symptoms consistent with depression."],
            Section.PLAN: ["Continue CBT.", "Return in two weeks."],
        }
    )
    completeness, conciseness = expected(judge, short)
    assert completeness < expected(judge, SAMPLE)[0]
    assert conciseness > 0.5


def test_a_note_of_two_thousand_words_covers_at_least_what_its_first_part_does(judge):
    sections = {section: [one.text for one in SAMPLE.sentences_in(section)] for section in SOAP}
    words, times = len(SAMPLE.text.split()), 1
    while words * times < 2000:
        times += 1
    said = {s: [t.replace(".", f" (visit {n}).") for n in range(times) for t in texts] for s, texts in sections.items()}
    long = make_note(said)
    assert len(long.text.split()) >= 2000
    completeness, conciseness = expected(judge, long)
    assert completeness >= expected(judge, SAMPLE)[0] - 0.02
    assert 0 < conciseness < 1


@pytest.mark.parametrize("count", [5, 2000])
def test_the_session_s_length_does_not_move_what_the_note_alone_decides(judge, count):
    roles = (Role.THERAPIST, Role.CLIENT)
    turns = tuple(
        Turn(n, roles[n % 2].value.capitalize(), roles[n % 2], "How was that?" if n % 2 == 0 else "It was all right.")
        for n in range(count)
    )
    assert expected(judge, SAMPLE, Transcript(turns)) == expected(judge, SAMPLE)
