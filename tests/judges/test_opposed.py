"""Opposites of what was said are condemned, in both directions, and what merely sounds like one is not."""

from __future__ import annotations

import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.note import Section, Sentence
from noteeval_desktop.domain.text import Span
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.judges.builtin.alignment import read_claim
from noteeval_desktop.judges.builtin.features_claim import ClaimVectors, read_against
from noteeval_desktop.judges.builtin.findings import Clash
from noteeval_desktop.judges.builtin.opposed import denied_too, opposed
from noteeval_desktop.judges.builtin.session_index import index_session
from noteeval_desktop.judges.builtin.words import load_lexicon
from tests.factories import make_transcript


@pytest.fixture(scope="module")
def read(encoder_path):
    """What a rule is given, for a claim and a session of alternating turns."""
    lexicon = load_lexicon(paths.resources() / "lexicons" / "claims.json")
    embedder = LlamaEmbedder(encoder_path, threads=1)

    def read(text: str, *turns: str):
        session = index_session(
            make_transcript([(("therapist", "client")[at % 2], turn) for at, turn in enumerate(turns)]),
            embedder,
            lexicon,
        )
        claim = read_claim(Sentence("s1", (Section.SUBJECTIVE,), Span(0, len(text)), text), lexicon)
        vector = embedder.embed([text])
        names, pieces = embedder.token_embeddings([text])[0]
        vectors = ClaimVectors(vector[0], vector[0], vector, names, pieces, session.nearest(pieces))
        return read_against([claim], vector, session, lexicon)[0], vectors, session, lexicon

    yield read
    embedder.close()


@pytest.fixture
def find(read):
    """The finding, and the text of the passage that it names."""

    def found(text: str, *turns: str):
        reading, vectors, session, lexicon = read(text, *turns)
        findings = opposed(reading, vectors, session, lexicon)
        assert len(findings) <= 1
        return (findings[0], session.passages[findings[0].passage].text) if findings else (None, "")

    return found


LOG = ("Did you get to try the exercise?", "I tried it on the bus. I didn't do the breathing log though, I forgot.")
NAUSEA = ("Any side effects?", "A bit of nausea at first but that's gone now.")
TEACHER = ("Did the teacher know?", "No, I didn't tell her.")
QUIT = ("Do you smoke as well?", "I quit smoking two years ago.")
RIFLE = ("Thank you for telling me. Is there a gun at home?", "My dad's hunting rifle is in the garage. It's locked.")
HOUSE = ("What about the quarrel over the house?", "She wants me to sell it. I'm not selling it.")
CALL = ("Would you be willing to call the clinic?", "Sure, I'll call them tomorrow.")


@pytest.mark.parametrize(
    ("text", "turns", "clash"),
    [
        ("Client completed the breathing log.", LOG, Clash.AFFIRMATION),
        ("She reports that nausea persists as a side effect.", NAUSEA, Clash.AFFIRMATION),
        ("Client told her teacher.", TEACHER, Clash.AFFIRMATION),
        ("Pt currently smokes a pack a day.", QUIT, Clash.AFFIRMATION),
        ("There is no firearm in the home.", RIFLE, Clash.NEGATION),
        ("He has agreed to sell the house.", HOUSE, Clash.AFFIRMATION),
        ("Client declined to call the clinic.", CALL, Clash.NEGATION),
    ],
)  # fmt: skip
def test_the_opposite_of_what_was_said_is_found_with_where_it_was_said(find, text, turns, clash) -> None:
    finding, passage = find(text, *turns)
    assert finding is not None
    assert finding.surely
    assert (finding.clash, passage) == (clash, turns[1])
    assert finding.noted.of(text)
    assert finding.said.of(passage)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Client did not complete the breathing log.", LOG),
        ("Nausea has resolved.", NAUSEA),
        ("Client did not tell her teacher.", TEACHER),
        ("Pt quit smoking two years ago.", QUIT),
        ("Pt has a history of smoking.", QUIT),
        ("There is a firearm in the home.", RIFLE),
        ("He does not want to sell the house.", HOUSE),
        ("Client agreed to call the clinic.", CALL),
    ],
)
def test_what_was_said_is_left_alone(find, text, turns) -> None:
    assert find(text, *turns) == (None, "")


@pytest.mark.parametrize(
    ("turns", "false", "true"),
    [
        (
            ("How did the homework go?", "I filled in the thought record. I didn't get to the behavioural experiment."),
            "Client completed the behavioral experiment.",
            "Client did not complete the behavioral experiment.",
        ),
        (
            ("Are you still taking the sertraline?", "I stopped it in June. It made me sweat."),
            "Client continues to take sertraline.",
            "Client discontinued sertraline in June.",
        ),
        (
            ("Have you been back to the gym?", "Yeah, I've been going twice a week since March."),
            "Client has not returned to the gym.",
            "Client has returned to the gym.",
        ),
        (
            ("And your wife, does she know about the debt?", "No. I haven’t told her. I can’t."),
            "Client has told his wife about the debt.",
            "Client has not told his wife about the debt.",
        ),
        (
            ("Would you be open to a referral to the dietitian?", "I'd rather not, to be honest."),
            "Client agreed to a referral to the dietitian.",
            "Client declined a referral to the dietitian.",
        ),
        (
            ("I'd like to suggest a sleep diary. Could you keep one until we meet?", "Sure, I can do that."),
            "Client declined to keep a sleep diary.",
            "Client agreed to keep a sleep diary.",
        ),
        (
            ("How's the pain?", "It's worse than last month, if I'm honest."),
            "Pain has improved since last month.",
            "Pain has worsened since last month.",
        ),
        (
            ("Any self-harm since we met?", "I cut myself on Sunday, on the arm. Not deep."),
            "Client denies self-harm.",
            "Client reports self-harm on Sunday.",
        ),
        (
            ("Were you able to use the breathing when it started?", "I was, actually, and it worked."),
            "Client was unable to use the breathing technique.",
            "Client used the breathing technique.",
        ),
        (
            ("Are you still having the nightmares?", "Every night. Sometimes two."),
            "Nightmares have resolved.",
            "Client continues to have nightmares.",
        ),
        (
            ("Has the binge eating stopped?", "I haven't binged in six weeks."),
            "Client continues to binge.",
            "Client has not binged in six weeks.",
        ),
        (
            ("Have you decided about the surgery?", "I'm not having it. I made up my mind."),
            "Client has decided to have surgery.",
            "Client decided against surgery.",
        ),
        (("And cocaine?", "Never tried it."), "Client uses cocaine.", "Client denies cocaine use."),
        (("Is your father still alive?", "He died in April."), "Client's father is alive.", "Father died in April."),
        (
            ("Do you enjoy the job?", "I hate it. I dread Mondays."),
            "Client enjoys his job.",
            "Client dislikes his job.",
        ),
        (
            ("Anything like thoughts of ending your life?", "No."),
            "Client endorses suicidal ideation.",
            "Client denies suicidal ideation.",
        ),
        (
            ("Does anyone else in your family have it?", "My sister has bipolar. I don't."),
            "Client has bipolar disorder.",
            "Client's sister has bipolar disorder.",
        ),
        (
            ("Shall we book you in for the group on Wednesdays?", "Wednesdays are fine. Put me down."),
            "Client declined to be booked in for the group.",
            "Client agreed to attend group on Wednesdays.",
        ),
        (
            ("How do you feel about the diagnosis?", "Relieved. It finally makes sense."),
            "Client is not relieved by the diagnosis.",
            "Client is relieved about the diagnosis.",
        ),
        (
            ("Have you been gambling online again?", "Not since I handed my wife the bank card."),
            "Client reports ongoing online gambling.",
            "Client has not gambled online since giving his wife the bank card.",
        ),
        (("So no drinking this week?", "No, nothing."), "Client drank this week.", "Client did not drink this week."),
    ],
)
def test_of_two_claims_that_exclude_each_other_one_is_condemned(find, turns, false, true) -> None:
    assert find(false, *turns)[1] == turns[1]
    assert find(true, *turns) == (None, "")


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("Client feels safe at home.", ("Do you feel safe at home?", "Sometimes, it depends on him.")),
        ("Client wants to return to work.", ("Do you want to go back to work?", "I want to, but not yet.")),
        ("Client wants to quit smoking.", ("How is the smoking?", "I haven't quit smoking.")),
        ("Client will call the school.", ("Did you call the school?", "I forgot. I'll do it tomorrow.")),
        ("Client smokes on the balcony.", ("Do you smoke?", "I don't smoke in the flat.")),
        ("Client has a history of hearing voices.", ("Do you hear voices?", "I used to, years ago. Not any more.")),
        ("Client previously took sertraline.", ("Are you taking the sertraline?", "I stopped it in June.")),
        ("Client was not only sad but angry.", ("How did you feel?", "I was sad. And I was angry.")),
        ("Client may have relapsed.", ("Have you had a drink?", "No. I haven't had a drink.")),
        ("Client does not drink as much as before.", ("Do you drink?", "I drink, yes.")),
        ("Client told his sister.", ("Who did you tell?", "I told my sister. I didn't tell my brother.")),
        ("Client's mother does not drink.", ("Does your mother drink?", "She doesn't. I drink.")),
        (
            "Endorses passive thoughts of not waking up.",
            ("And at night?", "I wake up at four. I think of not waking up."),
        ),
        ("Client felt sick.", ("How was the meeting?", "Fine. No problem at all.")),
        ("Client appeared calm.", ("How are you?", "I'm not calm, I'm all over the place, I mean, kind of.")),
        ("Klient rauchte nicht.", ("Rauchen Sie?", "Ja, ich rauche.")),
        ("", ("Do you smoke?", "No.")),
        ("Client smokes.", ()),
    ],
)
def test_hedges_plans_other_persons_and_other_times_refute_nothing(find, text, turns) -> None:
    assert find(text, *turns) == (None, "")


@pytest.mark.parametrize(
    ("turns", "false", "true"),
    [
        (
            ("What about the day program?", "No. I’d lose the job."),
            "Pt agreed to day program.",
            "Pt declined day program.",
        ),
        (
            ("What would help?", "Going for walks. I don't want to do AA."),
            "Pt willing to attend AA.",
            "Pt not willing to attend AA.",
        ),
        (
            ("How is the lithium?", "I missed two lithium doses at the cabin."),
            "Has not missed any lithium doses.",
            "Has missed a few lithium doses.",
        ),
        (
            ("Any dizziness?", "I was dizzy the first week. That went away."),
            "Client reports that dizziness has not gone away.",
            "Client reports that dizziness has gone away.",
        ),
        (
            ("Who smokes at home?", "My boyfriend smokes inside. He never goes out on the balcony."),
            "Client states that her boyfriend goes out on the balcony.",
            "Client states that her boyfriend does not go out on the balcony.",
        ),
    ],
)
def test_offers_doses_and_ends_told_in_few_words(find, turns, false, true) -> None:
    assert find(false, *turns)[0] is not None
    assert find(true, *turns) == (None, "")


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("She neither smokes nor drinks alcohol.", ("Do you smoke or drink?", "No. Not one, not the other.")),
        ("No longer drinks pop.", ("And your dad?", "He would sit on the porch and he'd drink his pop.")),
        ("Client has lost weight without intending to.", ("How is your weight?", "I've lost eleven pounds.")),
        ("Does not see himself as an alcoholic.", ("How much do you drink?", "Five, six beers a night.")),
        (
            "He talks in his sleep but does not snore.",
            ("Do you snore?", "She says I talk in my sleep, but no snoring."),
        ),
        (
            "Client calls her daughter once a day.",
            ("And the calls?", "I'm not calling my daughter three times a day anymore."),
        ),
    ],
)
def test_what_is_told_of_others_by_the_way_or_in_part_refutes_nothing(find, text, turns) -> None:
    assert find(text, *turns) == (None, "")


def test_the_last_word_counts_and_what_was_said_twice_stands(find) -> None:
    corrected = ("Have you quit smoking?", "I quit smoking in May.", "Really?", "I quit smoking, yes. I swear.")
    assert find("Client has quit smoking.", *corrected) == (None, "")
    torn = ("Did you take the pills?", "I took the pills.", "All of them?", "I didn't take the pills.")
    assert find("Client took the pills.", *torn) == (None, "")


def test_a_question_is_no_statement(find) -> None:
    assert find("Client denies gambling.", "Do you gamble at the casino?", "Why do you ask?") == (None, "")


@pytest.mark.parametrize(
    ("text", "turns", "where"),
    [
        ("Client denies use of cocaine.", ("And cocaine?", "Never tried it."), 1),
        ("Client did not complete the breathing log.", LOG, 1),
        ("Client did not tell her teacher.", TEACHER, 1),
        ("Client told her teacher.", TEACHER, None),
        ("Client did not smoke.", RIFLE, None),
        ("Client denies access to firearms.", RIFLE, None),
    ],
)
def test_what_the_client_denies_too_is_told_with_its_passage(read, text, turns, where) -> None:
    reading, vectors, session, _ = read(text, *turns)
    assert denied_too(reading, vectors, session) == where


@pytest.mark.parametrize(
    ("claim", "turns"),
    [
        ('Mood "a two or a three" most days.', ("He's in a mood.", "I'm not in a mood. It's low, a two or a three.")),
        ("Mood: 3/10 most days.", ("He's in a mood.", "I'm not in a mood.")),
    ],
)
def test_a_heading_states_nothing_that_could_be_denied(find, claim: str, turns: tuple[str, ...]) -> None:
    assert find(claim, *turns) == (None, "")


@pytest.mark.parametrize(
    ("claim", "turns"),
    [
        (
            "Did not do the exposure d/t wife home sick.",
            ("What got in the way?", "My wife was home sick, so she was in there a lot."),
        ),
        ("Letter to the dean deferred.", ("Do you want help with that letter to the dean?", "Not yet.")),
        (
            "Guilt about absence at time of death.",
            ("What is it like?", "I let her die alone. I was away at the time of death."),
        ),
    ],
)
def test_what_is_put_off_or_an_absence_is_no_denial(find, claim: str, turns: tuple[str, ...]) -> None:
    assert find(claim, *turns) == (None, "")
