from __future__ import annotations

import csv
from pathlib import Path

import pytest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.embedder import Embedder, LlamaEmbedder
from noteeval_desktop.errors import Cancelled
from noteeval_desktop.judges.builtin.risk.ledger import find_risks
from noteeval_desktop.judges.builtin.risk.lexicon import risk_lexicon
from tests.factories import make_note, make_transcript
from tests.fake_embedder import FakeEmbedder

GOLDEN = Path(__file__).parents[1] / "golden"
EMPTY = make_note({})


def rows(name: str) -> list[dict[str, str]]:
    with (GOLDEN / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def spoken(row: dict[str, str]) -> Transcript:
    role = "therapist" if row.get("stance") == "asked" else "client"
    turns = (("therapist", row["question"]),) if row.get("question") else ()
    return make_transcript((*turns, (role, row["text"])))


def test_no_phrasing_of_the_golden_set_is_missed() -> None:
    phrases = rows("risk_phrases.csv")
    missed = [row["text"] for row in phrases if not find_risks(spoken(row), EMPTY, FakeEmbedder())]
    assert len(phrases) >= 200
    assert missed == []


def test_kind_and_stance_of_the_golden_set() -> None:
    phrases = rows("risk_phrases.csv")
    wrong = 0
    for row in phrases:
        found = find_risks(spoken(row), EMPTY, FakeEmbedder())
        right = any(f.kind == row["kind"] for f in found) and any(f.stance == row["stance"] for f in found)
        wrong += not right
    assert wrong <= 0.05 * len(phrases)


def test_phrases_that_only_sound_dangerous_raise_no_alarm() -> None:
    harmless = rows("risk_hard_negatives.csv")
    alarmed = [row["text"] for row in harmless if find_risks(spoken(row), EMPTY, FakeEmbedder())]
    assert len(harmless) >= 150
    assert alarmed == []


def test_question_and_short_answer_are_one_finding_citing_the_answer() -> None:
    transcript = make_transcript((("therapist", "Do you think about ending your life?"), ("client", "Sometimes.")))
    (finding,) = find_risks(transcript, EMPTY, FakeEmbedder())
    assert finding.turns == (0, 1)
    assert finding.citation.quote == "Sometimes."
    assert finding.citation.stands_in(transcript)
    assert finding.stance is Stance.CURRENT


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I've been saving up my Ambien.", RiskKind.SUICIDE),
        ("I don't plan on being here for my birthday.", RiskKind.SUICIDE),
        ("I've been putting the pills to one side, just in case.", RiskKind.SUICIDE),
        ("I looked up how many of them it would take.", RiskKind.SUICIDE),
        ("I have a gun in my nightstand and I think about using it on myself.", RiskKind.SUICIDE),
        ("I woke up on the floor with blue lips, my roommate had to bring me back.", RiskKind.OVERDOSE),
        ("My brother has her bank card and the heating has been off since October.", RiskKind.ELDER_AT_RISK),
        ("My ex keeps turning up outside my flat at night.", RiskKind.ABUSE),
    ],
)
def test_means_and_plans_told_as_practical_matters_are_heard(said: str, kind: RiskKind) -> None:
    found = find_risks(make_transcript((("client", said),)), EMPTY, FakeEmbedder())
    assert (kind, Stance.CURRENT, True) in [(one.kind, one.stance, one.pressing) for one in found]


@pytest.mark.parametrize(
    "said",
    [
        "I keep the Ambien by the bed.",
        "I don't plan to be here next Tuesday.",
        "The kids came out of the pool with blue lips from the cold.",
        "She keeps turning up late.",
        "I put the pills away in the cupboard after breakfast.",
        "I looked up how many eggs it would take for six people.",
        "Do you know how many it takes to run the stall?",
    ],
)
def test_ordinary_talk_of_medicine_and_dates_is_no_danger(said: str) -> None:
    assert find_risks(make_transcript((("client", said),)), EMPTY, FakeEmbedder()) == ()


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("He hit her again.", {RiskKind.ABUSE}),
        ("He hits me, and one day I will kill him.", {RiskKind.ABUSE, RiskKind.HARM_TO_OTHERS}),
        ("I hit him again.", {RiskKind.HARM_TO_OTHERS}),
    ],
)
def test_one_blow_is_one_danger(said: str, kinds: set[RiskKind]) -> None:
    found = find_risks(make_transcript((("client", said),)), EMPTY, FakeEmbedder())
    assert {finding.kind for finding in found} == kinds


@pytest.mark.parametrize(
    ("answer", "stance"),
    [
        ("No. Never. I couldn't do that to my girl.", Stance.DENIED),
        ("No. I mean, there's a box of pills in the bathroom, that's all.", Stance.CURRENT),
        ("No, but I wish that I would not wake up.", Stance.CURRENT),
        ("Nothing. I want to be around 🙂.", Stance.DENIED),
        ("Nothing like that.", Stance.DENIED),
        ("Nothing matters any more.", Stance.CURRENT),
        ("No. God, no. I'm fed up sometimes, but no.", Stance.DENIED),
        ("No. Sometimes I think about it, but no.", Stance.CURRENT),
        ("No. I have the pills still, but no.", Stance.CURRENT),
        ("Nothing I would act on.", Stance.CURRENT),
        ("Not now. In my twenties I took an overdose.", Stance.PAST),
        ("Not now, but I think about it.", Stance.CURRENT),
    ],
)
def test_a_denial_that_goes_on_is_not_relied_on(answer: str, stance: Stance) -> None:
    transcript = make_transcript((("therapist", "Are you thinking of killing yourself?"), ("client", answer)))
    assert find_risks(transcript, EMPTY, FakeEmbedder())[0].stance is stance


@pytest.mark.parametrize(
    ("said", "stance"),
    [
        ("I want to kill myself.", Stance.CURRENT),
        ("I used to think about killing myself.", Stance.PAST),
        ("My brother killed himself.", Stance.OTHER_PERSON),
        ("I have no thoughts of suicide.", Stance.DENIED),
        ("“I want to kill myself” 😔 — that’s what I think.", Stance.CURRENT),
    ],
)
def test_stance_is_told_apart_and_never_filters(said: str, stance: Stance) -> None:
    (finding,) = find_risks(make_transcript((("client", said),)), EMPTY, FakeEmbedder())
    assert (finding.kind, finding.stance) == (RiskKind.SUICIDE, stance)


def test_a_passage_in_a_very_long_turn_is_found_and_quoted_exactly() -> None:
    filler = "We talked about the garden and the weather. " * 2_000
    transcript = make_transcript((("client", filler + "I took the whole bottle of pills. " + filler),))
    (finding,) = find_risks(transcript, EMPTY, FakeEmbedder())
    assert finding.citation.quote == "I took the whole bottle of pills."
    assert finding.citation.stands_in(transcript)


@pytest.mark.parametrize(
    ("sentence", "addressed"),
    [
        ("Client reports passive SI without plan.", True),
        ("Client denies SI.", False),
        ("Client enjoys gardening.", False),
    ],
)
def test_a_denial_in_the_note_does_not_answer_what_the_client_affirmed(sentence: str, addressed: bool) -> None:
    note = make_note({Section.SUBJECTIVE: [sentence]})
    (finding,) = find_risks(make_transcript((("client", "I want to die."),)), note, FakeEmbedder())
    assert finding.addressed is addressed


@pytest.mark.parametrize(
    ("said", "sentence", "addressed"),
    [
        ("I want to die.", "Client was abused by her partner.", False),
        ("I want to die.", "Denies self-harm.", False),
        ("I want to die.", "Lethal means counselling completed with the client's father.", False),
        ("I want to die.", "SI/HI: denied.", False),
        ("I want to die.", "SI/HI denied.", False),
        ("I want to die.", "SI (-), HI (-).", False),
        ("I want to die.", "Suicidal ideation: none reported.", False),
        ("I want to die.", "Suicidal ideation is denied at this time.", False),
        ("I want to die.", "SI present; intent denied.", True),
        ("I want to die.", "Endorses SI and denies HI.", True),
        ("I want to die.", "SI: no plan or intent.", True),
        ("I want to die.", "Passive SI, plan denied.", True),
        ("I want to die.", "Endorses SI; denies HI.", True),
        ("I want to die.", "No HI. Passive SI discussed, safety plan made.", True),
        ("My husband beats me.", "Client denies domestic violence.", False),
        ("My husband beats me.", "Client discloses IPV by her husband.", True),
        ("I hear voices at night.", "Client denies AVH.", False),
        ("Years ago, at college, I took an overdose.", "Denies current SI; past overdose in college noted.", True),
    ],
)
def test_a_sentence_answers_only_the_danger_it_speaks_of(
    said: str, sentence: str, addressed: bool, encoder: LlamaEmbedder
) -> None:
    note = make_note({Section.SUBJECTIVE: [sentence]})
    findings = find_risks(make_transcript((("client", said),)), note, encoder)
    assert findings
    assert all(finding.addressed is addressed for finding in findings)


def test_cancelling_stops_the_search() -> None:
    import threading

    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        find_risks(make_transcript((("client", "I want to die."),)), EMPTY, FakeEmbedder(), cancel)


def test_empty_session_and_strange_scripts_have_no_findings() -> None:
    assert find_risks(Transcript(()), EMPTY, FakeEmbedder()) == ()
    assert find_risks(make_transcript((("client", "𝓗𝓮𝓵𝓵𝓸 你好 🙂\n\n"),)), EMPTY, FakeEmbedder()) == ()


def share_found(phrases: list[dict[str, str]], embedder: Embedder) -> float:
    return sum(bool(find_risks(spoken(row), EMPTY, embedder)) for row in phrases) / len(phrases)


OBLIQUE = {"indirect", "slang", "metaphor", "euphemism", "misspelt"}


def test_recall_on_the_batch_kept_aside_does_not_fall(encoder: LlamaEmbedder) -> None:
    # Batch B was written with A, by the same hand, before the lexicon was read. One sentence alone, without the talk
    # around it, is what the head knows least: 0.59 of all are listed, where the head before it, which listed three
    # times as many idioms and found 19 % of the corpus' turns for today's 82 %, listed 0.83.
    batch = rows("risk_batch_b.csv")
    oblique = [row for row in batch if row["style"] in OBLIQUE]
    assert len(batch) >= 120
    assert share_found(batch, encoder) >= 0.58
    assert share_found(oblique, encoder) >= 0.42


def test_idioms_kept_aside_raise_no_more_alarms_than_when_measured(encoder: LlamaEmbedder) -> None:
    # Sentences by themselves, without the talk around them: measured with batch B, 18 of 90 are listed, four in red.
    harmless = rows("risk_hard_negatives_b.csv")
    findings = [found for row in harmless for found in find_risks(spoken(row), EMPTY, encoder)]
    assert len(findings) <= 18
    assert sum(found.certain for found in findings) <= 4


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("sucidal", "suicidal"),
        ("overdoesd", "overdosed"),
        ("strangel", "strangle"),
        ("breathing", "breathing"),
        ("hunting", "hunting"),
        ("treatments", "treatments"),
    ],
)
def test_slips_are_put_right_and_real_words_are_left_alone(word: str, right: str) -> None:
    assert risk_lexicon().folded(word, {}) == right


def test_what_only_sounds_dangerous_raises_few_alarms_by_meaning(encoder: LlamaEmbedder) -> None:
    harmless = rows("risk_hard_negatives.csv")
    findings = [found for row in harmless for found in find_risks(spoken(row), EMPTY, encoder)]
    assert len(findings) <= 0.11 * len(harmless)
    assert sum(found.certain for found in findings) <= 0.025 * len(harmless)


def test_talk_of_family_drink_and_tears_raises_few_alarms(encoder: LlamaEmbedder) -> None:
    # Eighty sentences by themselves, written before the patterns were read.
    findings = [found for row in rows("risk_everyday.csv") for found in find_risks(spoken(row), EMPTY, encoder)]
    assert len(findings) <= 30
    assert sum(found.pressing for found in findings) <= 8


@pytest.mark.parametrize(
    ("said", "is_danger"),
    [
        ("I went early, before anyone was there.", False),
        ("You were alone, and then she was there.", False),
        ("He hears people who aren't there.", True),
        ("I see a man in the corner, he wasn't really there.", True),
        ("It feels like someone is in the room.", True),
    ],
)
def test_being_there_is_no_danger_and_seeming_to_be_is(said: str, is_danger: bool) -> None:
    findings = find_risks(make_transcript((("client", said),)), EMPTY, FakeEmbedder())
    assert bool(findings) is is_danger
    assert all(found.kind is RiskKind.PSYCHOSIS for found in findings)


SAFETY_TALK = (
    ("therapist", "Are there days when you wish it was over?"),
    ("client", "Most of them. I look at the tablets on the shelf and I count them."),
    ("therapist", "How many are there?"),
    ("client", "Forty-one. I'd do it on a Sunday, when nobody's home."),
    ("therapist", "Have you told anyone about that plan?"),
    ("client", "Only you."),
)


def test_talk_of_danger_without_its_words_is_one_stretch_and_warned_of(encoder: LlamaEmbedder) -> None:
    transcript = make_transcript(SAFETY_TALK)
    assert find_risks(transcript, EMPTY, None) == ()
    (stretch,) = find_risks(transcript, EMPTY, encoder)
    assert stretch.by_meaning
    assert stretch.pressing
    assert stretch.turns == (0, 1, 2, 3, 4, 5)


def test_a_stretch_is_meant_as_the_gravest_thing_said_in_it(encoder: LlamaEmbedder) -> None:
    more = (("therapist", "Have you ever tried to kill yourself?"), ("client", "No."), ("client", "I want to die."))
    found = find_risks(make_transcript((*SAFETY_TALK, *more)), EMPTY, encoder)
    longest = max(found, key=lambda one: len(one.turns))
    assert (longest.kind, longest.stance, longest.certain) == (RiskKind.SUICIDE, Stance.CURRENT, True)
    assert "No" not in longest.citation.quote
    assert len(longest.turns) > 3


CUTTING = (
    ("therapist", "What did you do with all that feeling?"),
    ("client", "Honestly? I cut. Just once, on Monday night. It wasn't deep."),
    ("therapist", "Thank you for telling me. Where, and with what?"),
    ("client", "My left forearm, with the blade from a pencil sharpener. I cleaned it."),
    ("therapist", "Were you trying to die, or was it about something else?"),
    ("client", "No, no. I don't want to die. It was more like letting the pressure out."),
    ("therapist", "So no thoughts of killing yourself this week?"),
    ("client", "No. Not now."),
)


def test_a_denied_danger_does_not_swallow_the_one_beside_it(encoder: LlamaEmbedder) -> None:
    found = find_risks(make_transcript(CUTTING), EMPTY, encoder)
    harm = [one for one in found if one.kind is RiskKind.SELF_HARM and one.pressing]
    assert harm
    assert harm[0].stance is Stance.CURRENT
    assert {one.stance for one in found if one.kind is RiskKind.SUICIDE} <= {Stance.DENIED, Stance.ASKED}


def test_known_words_in_harmless_talk_are_listed_without_a_warning(encoder: LlamaEmbedder) -> None:
    talk = (
        ("therapist", "How was the drive down to the coast?"),
        ("client", "Long. No services for two hours, and then Mum had cooked. She'll kill you with ladoos."),
        ("therapist", "And the garden, did you get to it?"),
        ("client", "The beans are up. She had the kettle on and a whole tray of baking, so that was that."),
    )
    listed = find_risks(make_transcript(talk), EMPTY, encoder)
    assert find_risks(make_transcript(talk), EMPTY, None)
    assert not [one for one in listed if one.pressing]


def test_the_quote_is_the_turn_that_says_it_by_itself_whatever_is_denied_later(encoder: LlamaEmbedder) -> None:
    session = make_transcript(
        (
            ("therapist", "When you're looking at her side of the bed, what goes through your mind?"),
            ("client", "Some nights I think it would be all right by me if the morning just didn't come."),
            ("therapist", "Thank you for telling me that. How often is it there?"),
            ("client", "Oh, once or twice a week. When I'm up like that."),
            ("therapist", "Does it ever go further than that? Thinking about doing something to yourself?"),
            ("client", "No. I just want to be with her, and I'm tired."),
        )
    )
    (finding,) = find_risks(session, EMPTY, encoder)

    assert (finding.citation.turn, finding.stance) == (1, Stance.CURRENT)
