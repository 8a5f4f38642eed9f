"""The ledger on what clinicians say to everybody, what clients say in passing, and how notes answer it."""

from __future__ import annotations

import pytest

from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, RiskState, Stance
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import ClaimVerdict, Verdict
from noteeval_desktop.engines.embedder import LlamaEmbedder
from noteeval_desktop.judges.builtin.risk.ledger import find_risks
from noteeval_desktop.judges.builtin.risk.note import dangers_in, with_told
from tests.factories import make_note, make_transcript

EMPTY = make_note({})


@pytest.mark.parametrize(
    "said",
    [
        "What you say here stays between us, except if you're in danger, or someone's hurting you.",
        "This is confidential unless you tell me you want to kill yourself or hurt somebody.",
        "I keep it private, except when a child is being abused, then I have to report it.",
    ],
)
def test_the_limits_of_confidentiality_are_no_danger(said: str) -> None:
    session = make_transcript((("therapist", said), ("client", "Yeah. I know.")))

    assert find_risks(session, EMPTY, None) == ()


def test_a_question_beside_the_limits_of_confidentiality_is_heard() -> None:
    asked = "This stays between us unless you're in danger. Have you thought of killing yourself?"
    session = make_transcript((("therapist", asked), ("client", "Yes. Last night.")))

    assert {finding.kind for finding in find_risks(session, EMPTY, None)} == {RiskKind.SUICIDE}


def test_a_danger_of_the_clients_own_is_heard_whatever_word_they_keep() -> None:
    session = make_transcript((("client", "Keep it between us, but if I'm alone I want to kill myself."),))

    assert [finding.kind for finding in find_risks(session, EMPTY, None)] == [RiskKind.SUICIDE]


@pytest.mark.parametrize(
    ("said", "stance"),
    [
        ("Nah. I thought it the way you think it, I would not do that to my girl, not for anything at all.", "denied"),
        ("Um, no. It's more that I get so fed up with all of it and with everybody in that house.", "denied"),
        ("I went to work, I came home, I watched a lot of television and I made dinner for everybody.", "asked"),
    ],
)
def test_a_long_answer_that_opens_with_a_no_is_one(said: str, stance: str) -> None:
    session = make_transcript((("therapist", "Did you think about killing yourself?"), ("client", said)))
    (finding,) = find_risks(session, EMPTY, None)

    assert finding.stance is Stance(stance)


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("I was down. I thought, you know, they'd all be better off.", {RiskKind.SUICIDE}),
        ("They'd be better off with another coach.", set()),
        ("If the good Lord took me in my sleep that'd be all right by me.", {RiskKind.SUICIDE}),
        ("I wouldn't mind not waking up.", {RiskKind.SUICIDE}),
        ("God took me back to that church, and I keep not waking up on time for it.", set()),
        ("Don't come in at two in the morning and take my phone, Mom.", set()),
        ("He takes my phone and reads everything.", {RiskKind.ABUSE}),
        ("I'm so mad at my mother. I want to shake her.", set()),
        ("The baby was crying and crying and I shook her.", {RiskKind.HARM_TO_OTHERS}),
    ],
)
def test_what_is_said_in_passing_is_told_from_what_only_sounds_like_it(said: str, kinds: set[RiskKind]) -> None:
    assert {finding.kind for finding in find_risks(make_transcript((("client", said),)), EMPTY, None)} == kinds


@pytest.mark.parametrize(("sentence", "near"), [("Denies SI.", True), ("Assessed SI.", True), ("No HI.", False)])
def test_self_harm_denied_in_one_breath_may_be_answered_by_what_the_note_tells_of_suicide(
    sentence: str, near: bool
) -> None:
    asked = "Any thoughts of not wanting to be alive, of hurting yourself?"
    session = make_transcript((("therapist", asked), ("client", "No, nothing like that.")))
    findings = find_risks(session, make_note({Section.SUBJECTIVE: [sentence]}), None)
    harm = next(finding for finding in findings if finding.kind is RiskKind.SELF_HARM)

    assert not harm.addressed
    assert bool(harm.near) is near


@pytest.mark.parametrize(
    ("sentence", "addressed"), [("Denies desire to harm baby.", True), ("Assessed SI/infanticidal ideation.", False)]
)
def test_harm_to_a_baby_that_was_denied_is_answered_by_a_denial(sentence: str, addressed: bool) -> None:
    session = make_transcript((("therapist", "Do you ever want to hurt someone, or kill him?"), ("client", "No!")))
    (finding,) = find_risks(session, make_note({Section.SUBJECTIVE: [sentence]}), None)

    assert finding.kind is RiskKind.HARM_TO_OTHERS
    assert finding.addressed is addressed
    assert finding.addressed or finding.near


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("He looks at me like I'm gonna die.", set()),
        ("In the store I thought I was going to die, my heart was racing.", set()),
        ("I want to die.", {RiskKind.SUICIDE}),
        ("I'm going to die tonight, I've decided.", {RiskKind.SUICIDE}),
    ],
)
def test_the_fear_of_dying_is_no_wish_to(said: str, kinds: set[RiskKind]) -> None:
    assert {finding.kind for finding in find_risks(make_transcript((("client", said),)), EMPTY, None)} == kinds


@pytest.mark.parametrize(
    ("answer", "stance"),
    [
        ("No. I was sad for a while after Mom but I never wanted to die.", Stance.DENIED),
        ("No, but I think about it, I don't want to die though.", Stance.CURRENT),
    ],
)
def test_a_no_that_is_said_twice_is_one(answer: str, stance: Stance) -> None:
    session = make_transcript((("therapist", "Any thoughts of hurting yourself?"), ("client", answer)))
    harm = next(found for found in find_risks(session, EMPTY, None) if found.kind is RiskKind.SELF_HARM)

    assert harm.stance is stance


def test_a_blow_told_in_a_clinicians_words_is_answered() -> None:
    note = make_note({Section.SUBJECTIVE: ["Mother struck client when redirected; client not injured."]})
    (finding,) = find_risks(make_transcript((("client", "I walked her back to bed. She hit me."),)), note, None)

    assert finding.addressed


@pytest.mark.parametrize(
    ("sentence", "verdict", "cited", "near"),
    [
        ("A wish to die was spoken of.", Verdict.SUPPORTED, 1, True),
        ("A wish to die was spoken of.", Verdict.UNSUPPORTED, 1, False),
        ("Denies SI.", Verdict.SUPPORTED, 1, False),
        ("Sleeps badly since the move.", Verdict.SUPPORTED, 1, False),
        ("A wish to die was spoken of.", Verdict.SUPPORTED, 2, True),
        ("A wish to die was spoken of.", Verdict.SUPPORTED, 3, False),
    ],
)
def test_a_statement_on_risk_that_rests_on_the_talk_is_asked_about_and_ticks_nothing(
    sentence: str, verdict: Verdict, cited: int, near: bool
) -> None:
    session = make_transcript(
        (
            ("therapist", "How were the nights?"),
            ("client", "I put the tablets on the table, all of them."),
            ("client", "I was so tired of it all since we moved."),
            ("therapist", "And your sister?"),
        )
    )
    note = make_note({Section.SUBJECTIVE: [sentence]})
    passage = cite(session.turns[1])
    risk = RiskFinding((1, 2), passage, RiskKind.SUICIDE, Stance.CURRENT, by_meaning=True, likely=True)
    claim = ClaimVerdict(note.sentences[0].id, verdict, citations=(cite(session.turns[cited]),))

    (told,) = with_told([risk], note, {claim.sentence: claim})

    assert not told.addressed
    assert bool(told.near) is near


@pytest.mark.parametrize("sentence", ["No safety concerns.", "No risk was identified today.", "Not a danger to self."])
def test_a_denial_at_large_denies_the_wish_to_die(sentence: str) -> None:
    assert dangers_in(sentence)[RiskKind.SUICIDE]


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("I was thinking of killing myself for about ten minutes.", "No safety concerns at this time."),
        ("Everybody would have it easier if I just didn't wake up.", "Worry about losing his job and his income."),
        ("There are morphine patches and sleeping tablets at home.", "Introduced the dual process model of grief."),
        ("There are morphine patches and sleeping tablets at home.", "This means a change of routine."),
        ("He grabbed my wrist and it is still blue.", "Her sister took the baby. Her mother is in Poland."),
        ("I want to kill myself.", "Client denies suicidal ideation."),
    ],
)
def test_no_danger_is_ticked_by_a_sentence_that_does_not_name_it(
    said: str, sentence: str, encoder: LlamaEmbedder
) -> None:
    note = make_note({Section.SUBJECTIVE: [sentence]})
    for finding in find_risks(make_transcript((("client", said),)), note, encoder):
        assert not finding.addressed


def test_what_comes_near_is_a_question_and_stays_open(encoder: LlamaEmbedder) -> None:
    note = make_note({Section.SUBJECTIVE: ["Access to lethal means was talked through."]})
    (finding,) = find_risks(make_transcript((("client", "I want to die."),)), note, encoder)

    assert (finding.near, finding.state, finding.pressing) == (("s1",), RiskState.NEAR, True)


@pytest.mark.parametrize(
    ("sentence", "near"),
    [
        ("Told of a night with the tablets laid out.", ("s1",)),
        ("Was asked about the nights and how they go.", ()),
        ("Worry about the bills keeps the client awake.", ()),
    ],
)
def test_what_comes_near_says_what_was_said(sentence: str, near: tuple[str, ...], encoder: LlamaEmbedder) -> None:
    said = (
        ("client", "I put the tablets on the table, all of them, to end it."),
        ("therapist", "How do the nights go, what keeps you awake? Is it the bills?"),
    )
    findings = find_risks(make_transcript(said), make_note({Section.SUBJECTIVE: [sentence]}), encoder)

    assert findings
    assert {finding.near for finding in findings} == {near}


@pytest.mark.parametrize(
    "sentence",
    [
        "FHx: maternal aunt d. by suicide when Pt was 9.",
        "Brother attempted suicide in May.",
        "Hx of suicide attempt when pt was 15.",
    ],
)
def test_a_danger_of_now_is_not_ticked_by_anothers_or_an_old_one(sentence: str) -> None:
    session = make_transcript((("client", "I want to kill myself."),))
    (finding,) = find_risks(session, make_note({Section.SUBJECTIVE: [sentence]}), None)

    assert finding.stance is Stance.CURRENT
    assert not finding.addressed


@pytest.mark.parametrize(
    ("said", "sentence", "addressed"),
    [
        ("I took an overdose in 2009, years ago.", "Overdose in 2009.", True),
        ("I took an overdose in 2009, years ago.", "Client overdosed once.", True),
        ("I took an overdose in 2009, years ago.", "Client overdosed this month.", False),
        ("When I was fifteen I used to cut myself.", "History of cutting; none currently.", True),
        ("When I was fifteen I used to cut myself.", "Client has been cutting since the wedding.", False),
        ("When I was fifteen I used to cut myself.", "Client is hurting herself.", False),
    ],
)
def test_a_danger_long_over_is_not_ticked_as_one_of_now(said: str, sentence: str, addressed: bool) -> None:
    session, note = make_transcript((("client", said),)), make_note({Section.SUBJECTIVE: [sentence]})
    (finding,) = find_risks(session, note, None)

    assert finding.stance is Stance.PAST
    assert finding.addressed is addressed


@pytest.mark.parametrize(
    ("sentence", "addressed"),
    [
        ("Asked about suicidal thoughts; no answer given.", True),
        ("Suicidality assessed, response unclear.", True),
        ("Client denied suicidal thoughts.", False),
        ("Client has suicidal thoughts.", False),
    ],
)
def test_a_question_that_nobody_answered_is_ticked_by_that_it_was_asked(sentence: str, addressed: bool) -> None:
    session = make_transcript((("therapist", "Are you having thoughts of suicide?"),))
    (finding,) = find_risks(session, make_note({Section.SUBJECTIVE: [sentence]}), None)

    assert finding.stance is Stance.ASKED
    assert finding.addressed is addressed
