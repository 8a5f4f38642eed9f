"""Exchanged letters are put right; what no dictionary knows is left alone, or tells another language."""

import threading

import pytest
from spellchecker import SpellChecker

from noteeval_desktop import paths
from noteeval_desktop.domain.note import SOAP, Section
from noteeval_desktop.judges.builtin.completeness import heads
from noteeval_desktop.judges.builtin.completeness import reading as note_reading
from noteeval_desktop.judges.builtin.text import spelling
from noteeval_desktop.judges.builtin.text.language import foreign_sentences, is_english
from noteeval_desktop.judges.builtin.text.spelling import put_right, unknown_words
from tests.factories import make_note

MEDICINES = (
    "sertraline fluoxetine escitalopram venlafaxine duloxetine bupropion mirtazapine trazodone lamotrigine quetiapine "
    "olanzapine risperidone aripiprazole clonazepam alprazolam buspirone naltrexone acamprosate buprenorphine naloxone "
    "paxil abilify ambien zoloft lexapro celexa wellbutrin seroquel ativan klonopin xanax vyvanse chantix"
)
TERMS = (
    "anhedonia euthymic dysthymia alexithymia akathisia hypomania hypervigilance avolition alogia anosognosia "
    "psychoeducation dysregulation precontemplation countertransference enuresis defusion disheveled perseveration"
)
SHORT_FORMS = "prev eval hosp appt sched pres trans marit init resp ther behav cogn wkly EMDR CRAFFT PTSD HIPAA"


@pytest.mark.parametrize(
    ("slip", "meant"),
    [
        ("Cilent dirnks wiht freinds.", "Client drinks with friends."),
        ("taht is waht he recieves", "that is what he receives"),
        ("🙂 Mood wsa sad, drniking", "🙂 Mood wsa sad, drinking"),
        ("Sister Barin came.", "Sister Barin came."),
        ("CLEINT", "CLEINT"),
        ("well-bieng and don't konw", "well-bieng and don't know"),
        ("", ""),
    ],
)
def test_two_exchanged_letters_are_put_right_in_their_place(slip, meant):
    assert put_right(slip) == meant
    assert len(slip) == len(meant)


@pytest.mark.parametrize("words", [MEDICINES, TERMS, SHORT_FORMS])
def test_no_medicine_term_or_short_form_is_changed(words):
    for word in words.split():
        assert put_right(word) == word
        assert put_right(f"Client's {word} was discussed.") == f"Client's {word} was discussed."


def test_unknown_words_are_counted_without_abbreviations_and_slips():
    assert unknown_words("Kelitn wohnt alone. PTSD. Client's freind, prn.") == (2, 5)


@pytest.mark.parametrize(
    "text",
    [
        "Klienten sover dåligt. Stämningsläget är sänkt. Nästa möte om två veckor.",
        "Asiakas nukkuu huonosti. Mieliala on matala. Seuraava tapaaminen kahden viikon päästä.",
        "Klien kurang tidur. Suasana hati sedih. Sesi berikutnya dua minggu lagi.",
        "Clientul doarme prost. Dispoziție tristă. Următoarea ședință peste două săptămâni.",
        "MÜVEKKIL HER GÜN IÇIYOR. DUYGUDURUM ÇÖKKÜN. GELECEK SEANS IKI HAFTA SONRA.",
    ],
)
def test_a_short_note_in_another_language_is_told(text):
    assert not is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "Trazodone, lamotrigine, quetiapine, clonazepam.",
        "Rx: lamotrigine 100mg bid, clonazepam prn, prazosin qhs.",
        "drnks 5-6 brs/nite, blk outs, dui x2",
        "He cooks bigos, pierogi and żurek with babcia.",
        "Met w/ Siobhan Kowalczyk, LCSW. Lives with abuelita Rosa in Guadalajara.",
        "PT DENIES SI/HI. AUDIT 22. RTC 2 WKS. F/U W/ PCP RE LABS.",
        "Psychomotor retardation, anhedonia, hypersomnia, avolition noted. Affect flat. Mood euthymic.",
        "Teh cleint dirnks evrey day adn feles bda abuot hsi dirnking.",
    ],
)
def test_terse_and_misspelt_english_is_english(text):
    assert is_english(text)
    assert not any(foreign_sentences([text.split(". ")]))


def test_a_section_in_another_language_is_left_out_and_the_rest_is_judged_as_without_it(encoder):
    trained = heads.load(paths.resources() / "heads")
    own = make_note()
    english = {section: [one.text for one in own.sentences_in(section)] for section in SOAP}
    plan = ["Jatketaan viikoittain.", "Asiakas kirjaa juomansa vihkoon.", "Seuraava tapaaminen kahden viikon päästä."]
    mixed = note_reading.read(make_note({**english, Section.PLAN: plan}), trained, encoder, threading.Event())
    without = note_reading.read(make_note({**english, Section.PLAN: []}), trained, encoder)
    assert len(mixed.foreign) == len(plan)
    assert mixed.needed.tolist() == without.needed.tolist()
    assert mixed.present.tolist() == without.present.tolist()


def test_slips_are_mended_before_a_note_is_judged(encoder):
    trained = heads.load(paths.resources() / "heads")
    right = make_note({Section.SUBJECTIVE: ["Client drinks every evening with friends at work."]})
    slipped = make_note({Section.SUBJECTIVE: ["Cilent dirnks eveyr evening wiht freinds at wrok."]})
    meant, read = (note_reading.read(note, trained, encoder) for note in (right, slipped))
    assert read.note.sentences[0].text == "Client drinks every evening with friends at work."
    assert read.needed == pytest.approx(meant.needed, abs=0.1)


def test_the_words_are_those_of_the_package_that_they_come_from() -> None:
    assert dict(spelling.spoken_words()) == dict(SpellChecker().word_frequency.items())
