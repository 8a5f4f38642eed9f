"""De-identification: what is found, what is kept, and that every offset finds its way back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noteeval_desktop.domain.case import Background, Visit
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Importance, RubricItem
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import Citation
from noteeval_desktop.privacy.deidentify import MOSTLY_HIDDEN, deidentify
from noteeval_desktop.privacy.identifiers import Decisions, IdentifierFinder, Unknown
from noteeval_desktop.privacy.lexicon import Lexicon
from noteeval_desktop.privacy.masking import Identifier, IdentifierKind, Tokens, mask
from tests.factories import make_case, make_note, make_transcript
from tests.growth import grows_in_step
from tests.scripted_tagger import ScriptedTagger

IDENTIFYING = [
    ("You can write to mira.k+x@example.org about it.", "mira.k+x@example.org", IdentifierKind.EMAIL),
    ("Call me at (555) 010-2345 tonight.", "(555) 010-2345", IdentifierKind.PHONE),
    ("It's 555-010-2345.", "555-010-2345", IdentifierKind.PHONE),
    ("My number is +44 20 7946 0991.", "+44 20 7946 0991", IdentifierKind.PHONE),
    ("Call 1-800-555-0199 toll free.", "1-800-555-0199", IdentifierKind.PHONE),
    ("She rang from 0171 555 0199 twice.", "0171 555 0199", IdentifierKind.PHONE),
    ("It's 07911 123456 or 0664/1234567.", "07911 123456", IdentifierKind.PHONE),
    ("It's 07911 123456 or 0664/1234567.", "0664/1234567", IdentifierKind.PHONE),
    ("à Paris le 01 23 45 67 89.", "01 23 45 67 89", IdentifierKind.PHONE),
    ("Her number is 555-0199.", "555-0199", IdentifierKind.PHONE),
    ("078 05 1120 is my social", "078 05 1120", IdentifierKind.NUMBER),
    ("my card 4111 1111 1111 1111 was used", "4111 1111 1111 1111", IdentifierKind.NUMBER),
    ("IBAN DE89 3704 0044 0532 0130 00.", "DE89 3704 0044 0532 0130 00", IdentifierKind.NUMBER),
    ("NHS number 943 476 5919", "943 476 5919", IdentifierKind.NUMBER),
    ("NI number QQ 12 34 56 C", "QQ 12 34 56 C", IdentifierKind.NUMBER),
    ("MRN4471993", "MRN4471993", IdentifierKind.NUMBER),
    ("Her collar number, K 4471, is on file.", "K 4471", IdentifierKind.NUMBER),
    ("the parcel AB 123 456 789 CA", "AB 123 456 789 CA", IdentifierKind.NUMBER),
    ("moved to Flat 3/2", "Flat 3/2", IdentifierKind.ADDRESS),
    ("I take bus 417 there", "417", IdentifierKind.ADDRESS),
    ("born on 9 Khordad 1370", "9 Khordad 1370", IdentifierKind.DATE),
    ("admitted in the last week of March", "last week of March", IdentifierKind.DATE),
    ("it is on fb.com/mira.k now", "fb.com/mira.k", IdentifierKind.WEB),
    ("I sell at mira-k.org mostly", "mira-k.org", IdentifierKind.WEB),
    ("write to mira at example dot org", "mira at example dot org", IdentifierKind.EMAIL),
    ("Seen 14-03-2025.", "14-03-2025", IdentifierKind.DATE),
    ("Seen 2025/03/14.", "2025/03/14", IdentifierKind.DATE),
    ("since 3/14 it got worse", "3/14", IdentifierKind.DATE),
    ("it was on 3/10, at noon", "3/10", IdentifierKind.DATE),
    ("on March the 14th", "March the 14th", IdentifierKind.DATE),
    ("on the twenty-first of May", "twenty-first of May", IdentifierKind.DATE),
    ("employed since 12/1984", "12/1984", IdentifierKind.DATE),
    ("a 90 y.o. woman", "90", IdentifierKind.AGE),
    ("at 221B Baker Street", "221B Baker Street", IdentifierKind.ADDRESS),
    ("Flat 3, 22 Acacia Avenue", "Flat 3, 22 Acacia Avenue", IdentifierKind.ADDRESS),
    ("P.O. Box 123", "P.O. Box 123", IdentifierKind.ADDRESS),
    ("my zip code is 90210", "90210", IdentifierKind.ADDRESS),
    ("K1A 0B6", "K1A 0B6", IdentifierKind.ADDRESS),
    ("Her ZIP is 90837.", "90837", IdentifierKind.ADDRESS),
    ("moved to Long Beach, CA 90837", "CA 90837", IdentifierKind.ADDRESS),
    ("She lives in 52240.", "52240", IdentifierKind.ADDRESS),
    ("SSN 078-05-1120 on file", "078-05-1120", IdentifierKind.NUMBER),
    ("MRN: 00482211", "00482211", IdentifierKind.NUMBER),
    ("see http://example.org/me?x=1 for it", "http://example.org/me?x=1", IdentifierKind.WEB),
    ("on Instagram I'm @mira_k now", "@mira_k", IdentifierKind.WEB),
    ("Seen on 03/14/2025.", "03/14/2025", IdentifierKind.DATE),
    ("Seen on 2025-03-14.", "2025-03-14", IdentifierKind.DATE),
    ("since March 3rd, 2019 it got worse", "March 3rd, 2019", IdentifierKind.DATE),
    ("We meet again on the ninth.", "the ninth", IdentifierKind.DATE),
    ("see you Thursday the 9th at four", "the 9th", IdentifierKind.DATE),
    ("booked for the twenty-second, as ever", "the twenty-second", IdentifierKind.DATE),
    ("since the 3rd of March", "3rd of March", IdentifierKind.DATE),
    ("She is a 93-year-old woman", "93", IdentifierKind.AGE),
    ("I live at 12 Elm Grove Street, Apt 4", "12 Elm Grove Street, Apt 4", IdentifierKind.ADDRESS),
]


@pytest.mark.parametrize(("text", "words", "kind"), IDENTIFYING)
def test_identifiers_are_found(text: str, words: str, kind: IdentifierKind, finder: IdentifierFinder) -> None:
    found = finder.find(text)
    assert any(words in i.text and i.kind is kind for i in found), found
    assert all(i.span.of(text) == i.text for i in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I work at Hot Springs Haven now", "Hot Springs Haven"),
        ("an exclusion zone of Moss Ridge", "Moss"),
        ("rents above the Harrow Bakery", "Harrow Bakery"),
        ("Referred to Penhallow adult services", "Penhallow adult services"),
        ("he was at Mercy Hospital for a week", "Mercy Hospital"),
        ("I went to the University of Iowa", "University of Iowa"),
        ("He went to the University of Iowa.", "University of Iowa"),
        ("I moved here from Minneapolis", "Minneapolis"),
        ("She lives in Spokane 99205 with her son.", "Spokane 99205"),
        ("Moved to Spokane, 99205.", "Spokane, 99205"),
        ("Dr. Osei said so", "Osei"),
        ("Doctor Patel put it up", "Patel"),
        ("the call with Ellie's mum", "Ellie"),
        ("coaching Noé’s team", "Noé"),
        ("my sister Renée called", "Renée"),
        ("my name is Jonas Weber", "Jonas Weber"),
        ("Session Note\nClient: T. R. (16)\nDate: today", "T. R."),
        ("Client's initials: T.R., 16", "T.R."),
        ("Patient: TR (16)", "TR"),
        ("Renee C. came with him", "Renee C."),
        ("then J.R. drove her home", "J.R."),
        ("I told Big Tone about it", "Big Tone"),
        ("Grace and Hunter were there", "Grace"),
        ("Grace and Hunter were there", "Hunter"),
        ("With Zo and Zoq.", "Zoq"),
        ("I met Ann van der Berg.", "van der Berg"),
        ("I met Анна.", "Анна"),
        ("I met Ann-Marie.", "Ann-Marie"),
    ],
)
def test_names_are_found_as_a_whole(text: str, words: str, finder: IdentifierFinder) -> None:
    covered = {at for one in finder.find(text) for at in range(one.span.start, one.span.end)}
    start = text.index(words)
    assert [text[at] for at in range(start, start + len(words)) if at not in covered and text[at] != " "] == []


@pytest.mark.parametrize(
    "text",
    [
        "Client is 34 years old and drinks 4x a week.",
        "PHQ-9 score of 14, down from 17.",
        "I take 50 mg of Zoloft at 10:30 p.m.",
        "On Monday I felt calm. Then Dad called.",
        "My sister and I may go in a while.",
        "That's dad on the phone. It's family first. Client's mother knows. Mom's house is loud.",
        "The doctor said so. Doctor, please.",
        "We tried 4-7-8 breathing 3 times.",
        "Mood 3/10, anxiety down from 8/10 to 5/10; MMSE 24/30, PHQ-9 14/27.",
        "Takes 1/2 tablet, awake 24/7, 2/3 of the time alone, BP 120/80.",
        "Took 100 200 300 mg; walks 0.5 km; e.g. at noon and/or p.m./a.m.",
        "The second may help. He may first ask.",
        "He was born in Africa and moved to Europe at six.",
        "On the third try, in the ninth grade, on the first floor; we worked on the second and third item.",
        "It is like a bill she has to keep paying.",
        "We were away at New Year and back from New Year's Eve.",
        "Client: I. am tired. Therapist: OK. So a prom, a macho heist and a cassette.",
        "She called the number 988. Attends outpatient services. Lithium 300 mg, then 600 mg.",
        "Billed 90837-95. Service: 90834 (45 min). CPT 90837; E/M 99213 with add-on 90833; CPT code: 96127 x2.",
        "90791 Diagnostic evaluation, telehealth 90837-GT.",
        "Session 12 The client was late. 20 minutes by car. Fasted in Ramadan.",
    ],
)
def test_clinical_content_is_left_alone(text: str, finder: IdentifierFinder) -> None:
    assert mask(text, finder.find(text), Tokens()).text == text


def test_a_name_that_is_told_once_is_masked_everywhere(finder: IdentifierFinder) -> None:
    told, taken_up = ("client", "My sister Yesenia came."), ("therapist", "And Yesenia stayed?")
    for turns in ((told, taken_up), (taken_up, told)):
        case = make_case(
            transcript=make_transcript(turns), note=make_note({Section.SUBJECTIVE: ["Yesenia visited the client."]})
        )
        masked = deidentify(case, finder).case
        assert "Yesenia" not in masked.note.text + "".join(turn.text for turn in masked.transcript.turns)
        assert masked.transcript.turns[turns.index(taken_up)].text == "And [SISTER-1] stayed?"


def test_what_is_hidden_is_the_greater_share_of_letters_and_digits(finder: IdentifierFinder) -> None:
    """Of the nine of "Yesenia, 7a!" seven go; a note has its four headings, too: of 50 seven."""
    assert MOSTLY_HIDDEN == 0.5
    knowing = finder.with_names(["Yesenia"])

    def hidden(said: str, noted: str) -> float:
        case = make_case(
            transcript=make_transcript((("client", said),) if said else ()),
            note=make_note({Section.SUBJECTIVE: [noted]}),
        )
        return deidentify(case, knowing).hidden_share

    assert hidden("Yesenia, 7a!", "Slept.") == pytest.approx(7 / 9)
    assert hidden("I slept.", "Yesenia slept at 9pm.") == pytest.approx(7 / 50)
    assert hidden("", "Slept.") == 0.0


def test_speaker_labels_are_known_names(finder: IdentifierFinder) -> None:
    case = make_case(transcript=make_transcript((("client", "Bartholomew thinks so too."),)))
    masked = deidentify(case, finder.with_names(["Bartholomew Quill"])).case
    assert masked.transcript.turns[0].text == "[PERSON-1] thinks so too."
    assert masked.transcript.turns[0].speaker == "client"


@pytest.mark.parametrize("said", ["Joaquin", "JOAQUÍN", "JOAQUIN", "O’Neill", "O'NEILL"])
def test_a_name_in_another_spelling_is_the_same_person(said: str, finder: IdentifierFinder) -> None:
    case = make_case(transcript=make_transcript((("client", "Joaquín O'Neill."), ("therapist", f"And {said}?"))))
    masked = deidentify(case, finder.with_names(["Joaquín", "O'Neill"])).case
    assert masked.transcript.turns[1].text == "And [PERSON-1]?"


@pytest.mark.parametrize("piece", ["0 ", "1-", "a.", "(0", "12/", "A1", "0.", "Flat 1 ", "1 A ", "at dot "])
def test_hostile_text_takes_no_longer_than_it_is_long(piece: str) -> None:
    finder = IdentifierFinder(names=["Joaquín"])
    assert grows_in_step(lambda pieces: finder.find(piece * pieces), 20_000)


def test_words_that_may_be_names_are_put_up_for_a_decision() -> None:
    """Not Ruth, whom a list of names has, nor what is hardly one; a word that is kept is masked no more."""
    texts = ["Then Zorblax and I went to Quarryvale with Ruth. It was fine.", "I told Zorblax on Monday."]
    known = Lexicon(names=frozenset({"ruth"}))
    finder = IdentifierFinder(known, ScriptedTagger({"Zorblax": 0.7, "Quarryvale": 0.2, "Ruth": 0.99, "Monday": 0.01}))
    assert finder.unknown(texts) == (Unknown("Zorblax", 2, hidden=True), Unknown("Quarryvale", 1))
    decided = finder.with_decisions(Decisions(mask=frozenset({"Quarryvale"}), keep=frozenset({"Zorblax"})))
    assert decided.unknown(texts) == ()
    assert {one.text for one in decided.learn(texts).find(texts[0])} == {"Quarryvale", "Ruth"}


def test_a_name_takes_along_what_may_belong_to_it() -> None:
    finder = IdentifierFinder(
        tagger=ScriptedTagger({"Ann": 0.9, "van": 0.2, "der": 0.2, "Berg": 0.3, "Green": 0.3, "J": 0.8, "R": 0.2})
    )
    assert [one.text for one in finder.find("Ann van der Berg, by Green or J.R. today.")] == [
        "Ann",
        "van der Berg",
        "J.R.",
    ]


def test_a_citation_into_the_masked_text_quotes_the_original(finder: IdentifierFinder) -> None:
    text = "👋 My sister Renée lives in São Paulo and Dr. Osei knows."
    case = make_case(transcript=make_transcript((("client", text),)))
    masked = deidentify(case, finder)
    seen = masked.case.transcript.turns[0].text
    start = seen.index("sister")
    end = seen.index(" and Dr")
    citation = masked.citation(Citation(0, Span(start, end), seen[start:end]))
    assert citation.quote == "sister Renée lives in São Paulo"
    assert citation.stands_in(case.transcript)
    assert masked.restore("[SISTER-1] knows; [PERSON-9] does not") == "Renée knows; [PERSON-9] does not"


def test_the_note_keeps_its_sentences_and_headings(finder: IdentifierFinder) -> None:
    case = make_case(
        note=make_note({Section.SUBJECTIVE: ["Met Dr. Osei.", "Lives in Oslo 🙂."], Section.PLAN: ["See Dr. Osei."]})
    )
    masked = deidentify(case, finder).case.note
    assert [s.id for s in masked.sentences] == [s.id for s in case.note.sentences]
    assert all(s.span.of(masked.text) == s.text for s in masked.sentences)
    assert masked.sentences[1].text == "Lives in [PLACE-1] 🙂."
    assert masked.section_text(Section.PLAN) == "See Dr. [DOCTOR-1]."
    headings = [block.heading and block.heading.of(masked.text) for block in masked.blocks]
    assert headings == [block.heading and block.heading.of(case.note.text) for block in case.note.blocks]
    assert any(headings)


@settings(deadline=None)
@given(
    st.text(alphabet="ab é🙂 [", max_size=40), st.lists(st.tuples(st.integers(0, 40), st.integers(1, 8)), max_size=6)
)
def test_masking_keeps_what_it_does_not_mask_and_maps_back(text: str, cuts: list[tuple[int, int]]) -> None:
    spans = [Span(start, min(len(text), start + size)) for start, size in cuts if start < len(text)]
    masked = mask(text, [Identifier(IdentifierKind.PERSON, s, s.of(text)) for s in spans], Tokens())
    assert masked.to_original(Span(0, len(masked.text))) == Span(0, len(text))
    for piece in masked.pieces:
        assert masked.to_original(piece.masked) == piece.original
    rebuilt, position = "", 0
    for piece in masked.pieces:
        rebuilt += masked.text[position : piece.masked.start] + piece.original.of(text)
        position = piece.masked.end
    assert rebuilt + masked.text[position:] == text


@pytest.mark.parametrize("visit", list(Visit))
def test_a_judge_who_is_shown_no_name_is_asked_for_the_same_visit(visit: Visit, finder: IdentifierFinder) -> None:
    """Or items of a first session would be asked of the tenth."""
    masked = deidentify(make_case(background=Background(visit=visit)), finder).case
    asked = [RubricItem("plan-a", Section.PLAN, Importance.MANDATORY, "A", "A.", visit=one) for one in Visit]
    assert [one.visit for one in asked if one.applies_to(masked)] == [
        one for one in Visit if visit is Visit.ANY or one in (Visit.ANY, visit)
    ]
