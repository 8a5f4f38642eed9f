"""A danger that a note states or denies, against what the client said of that very danger, now and before."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.text import Span
from noteeval_desktop.judges.builtin.danger_claims import endangered, vouched_for
from noteeval_desktop.judges.builtin.findings import Clash, Finding
from noteeval_desktop.judges.builtin.session_index import Passage, SessionIndex
from noteeval_desktop.judges.builtin.words import ClaimLexicon, load_lexicon
from tests.factories import make_transcript

Turns = tuple[tuple[str, str], ...]


@pytest.fixture(scope="module")
def lexicon() -> ClaimLexicon:
    return load_lexicon(paths.resources() / "lexicons" / "claims.json")


def index_of(session: Turns) -> SessionIndex:
    """The rule reads words alone: no vector is asked for."""
    turns = make_transcript(session).turns
    passages = tuple(
        Passage(turn.index, turn.role, Span(0, len(turn.text)), turn.text, (), (), frozenset(), None) for turn in turns
    )
    none = np.zeros((len(passages), 1), dtype=np.float32)
    return SessionIndex(passages, none, none, none, np.zeros(0, dtype=np.int64), {})


def found_in(claim: str, session: Turns, lexicon: ClaimLexicon) -> tuple[list[Finding], SessionIndex]:
    index = index_of(session)
    reading = cast(Any, SimpleNamespace(claim=SimpleNamespace(text=claim)))
    return endangered(reading, cast(Any, None), index, lexicon), index


ELSEWHERE = (("therapist", "Any guns at home?"), ("client", "No. The rifle’s at my brother’s, locked in his safe."))
IN_THE_GARAGE = (("therapist", "Is there a gun in the house?"), ("client", "My rifle’s in the garage. No lock on it."))
IN_HER_SAFE = (("therapist", "Any guns?"), ("client", "My wife’s got a pistol, in a safe. I don’t have the code."))
OVERDOSED = (("therapist", "Have you ever overdosed?"), ("client", "Three times. The last one was in May."))
URGES = (("therapist", "Any urges to cut?"), ("client", "Urges, sure. But I haven’t done it."))
TRIED = (
    ("therapist", "Have you ever tried to end your life?"),
    ("client", "Once. When I was nineteen I took all my mum’s pills."),
)
NEVER_TRIED = (("therapist", "Have you ever tried to end your life?"), ("client", "No, never. I thought about it 😔."))
NOT_NOW = (
    ("therapist", "Any thoughts of suicide?"),
    ("client", "Not now. In the spring I did. I haven’t had them since."),
)
AT_NIGHT = (("therapist", "Any thoughts of suicide?"), ("client", "Yeah. Most nights I think about the bridge."))
USED_TO_CUT = (
    ("therapist", "Are you cutting?"),
    ("client", "I used to, at school. I haven’t done it since I was fifteen."),
)
CUT = (("client", "I cut my arm on Saturday. With the razor."),)
SHOVED = (("therapist", "How was the weekend with Dan?"), ("client", "My husband pushed me into the door on Friday."))
GENTLE = (("therapist", "Has your husband ever hit you?"), ("client", "No. He’s never laid a hand on me."))
STRUCK_SON = (("client", "My husband hit our son with a belt last week."),)
KEYS = (("therapist", "Any driving after you’ve had a drink?"), ("client", "Never. My wife drives."))
SAFE = (("therapist", "Do you feel safe at home?"), ("client", "Yes. Completely."))
JAR = (("client", "I’ve been putting tablets aside. There’s a jar of them."),)
FLUSHED = (("therapist", "And the pills you counted out?"), ("client", "My sister flushed them."))
FOLLOWED_UP = (
    ("therapist", "Last year you had thoughts of killing yourself."),
    ("client", "Yes. In the first months."),
    ("therapist", "And now?"),
    ("client", "No. Not for over a year."),
)


@pytest.mark.parametrize(
    ("claim", "session", "clash"),
    [
        ("Client keeps a rifle in the home.", ELSEWHERE, Clash.AFFIRMATION),
        ("Client’s rifle is stored at his brother’s house.", ELSEWHERE, None),
        ("Client has no access to firearms.", IN_THE_GARAGE, Clash.NEGATION),
        ("Client keeps a rifle in the garage.", IN_THE_GARAGE, None),
        ("Rifle is kept locked.", IN_THE_GARAGE, Clash.AFFIRMATION),
        ("Client has never attempted suicide.", TRIED, Clash.NEGATION),
        ("One suicide attempt at age 19.", TRIED, None),
        ("History of a suicide attempt.", NEVER_TRIED, Clash.AFFIRMATION),
        ("No history of suicide attempts.", NEVER_TRIED, None),
        ("Pt endorses current SI.", NOT_NOW, Clash.AFFIRMATION),
        ("Denies current SI.", NOT_NOW, None),
        ("Suicidal thoughts in the spring.", NOT_NOW, None),
        ("Client denies suicidal thoughts.", AT_NIGHT, Clash.NEGATION),
        ("Client endorses suicidal thoughts.", AT_NIGHT, None),
        ("Father died by suicide.", NEVER_TRIED, None),
        ("Client reports current self-harm.", USED_TO_CUT, Clash.AFFIRMATION),
        ("Client denied any history of self-harm.", USED_TO_CUT, Clash.NEGATION),
        ("Client denies current self-harm.", USED_TO_CUT, None),
        ("Client denies self-harm.", CUT, Clash.NEGATION),
        ("Client cut down to six cigarettes.", CUT, None),
        ("Denies that her husband ever hit or pushed her.", SHOVED, Clash.NEGATION),
        ("Her husband pushed her.", SHOVED, None),
        ("Client reports that her husband has hit her.", GENTLE, Clash.AFFIRMATION),
        ("Client reports that her father has hit her.", GENTLE, None),
        ("Her husband has never hit her.", GENTLE, None),
        ("No child safety concerns were identified.", STRUCK_SON, Clash.NEGATION),
        ("Her husband struck their son.", STRUCK_SON, None),
        ("Client admits to driving after drinking.", KEYS, Clash.AFFIRMATION),
        ("Client does not drive after drinking.", KEYS, None),
        ("Client does not feel safe at home.", SAFE, Clash.AFFIRMATION),
        ("Client feels safe at home.", SAFE, None),
        ("Denies stockpiling pills.", JAR, Clash.NEGATION),
        ("Client has been stockpiling pills.", JAR, None),
        ("Client still has access to the pills at home.", FLUSHED, Clash.AFFIRMATION),
        ("The pills were flushed by her sister.", FLUSHED, None),
        ("Suicidal thoughts are ongoing.", FOLLOWED_UP, Clash.AFFIRMATION),
        ("Therapist will assess for suicidal thoughts.", FOLLOWED_UP, None),
        ("No firearm in the home.", IN_HER_SAFE, Clash.NEGATION),
        ("Client denies access to firearms.", IN_HER_SAFE, None),
        ("Client has the code to the safe.", IN_HER_SAFE, Clash.AFFIRMATION),
        ("Client has not parted with the rifle.", ELSEWHERE, Clash.AFFIRMATION),
        ("Client has never overdosed.", OVERDOSED, Clash.NEGATION),
        ("Client reports no physical aggression by her husband.", SHOVED, Clash.NEGATION),
        ("Urges to cut persist.", URGES, None),
        ("Client has cut again.", URGES, Clash.AFFIRMATION),
        ("The gun is locked up and her mother holds the key.", IN_HER_SAFE, None),
        ("", NOT_NOW, None),
    ],
)
def test_a_danger_that_the_session_tells_otherwise_is_found(
    claim: str, session: Turns, clash: Clash | None, lexicon: ClaimLexicon
) -> None:
    found, index = found_in(claim, session, lexicon)
    assert [one.clash for one in found] == ([] if clash is None else [clash])
    for one in found:
        assert one.surely
        assert one.noted.of(claim)
        assert one.said is not None
        assert one.said.of(index.passages[cast(int, one.passage)].text)


@pytest.mark.parametrize("session", [(), (("client", ""),), (("therapist", "Any thoughts of suicide?"),)])
def test_a_session_that_gives_no_answer_condemns_nothing(session: Turns, lexicon: ClaimLexicon) -> None:
    assert found_in("Client endorses SI and keeps a gun at home.", session, lexicon)[0] == []


def test_the_passage_that_says_otherwise_is_the_clients_answer(lexicon: ClaimLexicon) -> None:
    found, index = found_in("Suicidal thoughts are ongoing.", FOLLOWED_UP, lexicon)
    assert index.passages[cast(int, found[0].passage)].turn == len(FOLLOWED_UP) - 1


@pytest.mark.parametrize("answer", ["No. Well, sometimes.", "No, but on Sunday I did.", "Not really. Maybe a little."])
def test_a_no_that_is_taken_back_condemns_nothing(answer: str, lexicon: ClaimLexicon) -> None:
    session = (("therapist", "Any thoughts of suicide?"), ("client", answer))
    assert found_in("Client endorses suicidal thoughts.", session, lexicon)[0] == []


@pytest.mark.parametrize(
    ("claim", "session", "vouched"),
    [
        ("Denies current SI.", NOT_NOW, ["Denies current SI", "."]),
        ("Endorses current SI.", NOT_NOW, []),
        ("One suicide attempt at age 19; sleeps well.", TRIED, ["One suicide attempt at age 19"]),
        ("No history of suicide attempts.", TRIED, []),
        ("Sleeps well.", NOT_NOW, []),
    ],
)
def test_clauses_that_the_client_bears_out_are_vouched_for(claim: str, session: Turns, vouched: list[str]) -> None:
    spans = vouched_for(claim, index_of(session))
    assert "".join(span.of(claim) for span in spans) in ("".join(vouched), "".join(vouched[:1]))


@pytest.mark.parametrize("words", ["he hit him ", "i hit my son ", "kicked the ", "violence ", "he ", "rope ", "a"])
def test_a_text_without_an_end_takes_no_time_without_an_end(words: str, lexicon: ClaimLexicon) -> None:
    text, begin = words * (20_000 // len(words)), time.process_time()
    session = (("therapist", f"{text} suicide?"), ("client", text), ("client", f"I tried to kill myself {text}"))
    found_in(f"Denies SI {text}", session, lexicon)
    assert time.process_time() - begin < 8
