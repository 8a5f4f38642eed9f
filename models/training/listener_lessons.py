"""What the listener is taught with: turns with what was said before them, and the dangers they tell of.

Of the corpus' sessions, of short exchanges and of phrasings written for this. What stands around an exchange says
nothing of danger, and varies: where a turn is understood by itself, everyday turns of sessions stand before it.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from models.training.datasets import CORPUS
from models.training.exchanges.reading import read_all
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.judges.builtin.risk.hearing import KINDS, STANCES, said_before, spoken
from noteeval_desktop.judges.builtin.risk.ledger import by_words
from noteeval_desktop.research.benchmark_risk import Exchange
from noteeval_desktop.research.labelled import LabelledSession, read_sessions, transcript_of

HERE = Path(__file__).parent
_STANCE_OF = {"other": Stance.OTHER_PERSON, "now": Stance.CURRENT}
_ROLES = {"T": Role.THERAPIST, "C": Role.CLIENT, "C2": Role.OTHER}
# How often a quiet turn is read: of a session, of a look-alike the turns around it, of real talk.
_QUIET_SHARE, _AROUND_SHARE, _REAL_SHARE = 0.4, 0.6, 0.5
# How often what stands before a turn is replaced where it stands by itself, or has little before it.
_ELSEWHERE, _FURTHER = 0.6, 0.5
_PHRASE, _FALSE_FRIEND = 0.5, 2.0
_SHORT, _NEAR, _LONGEST = 40, 3, 80
_DRIVES = re.compile(r"\b(?:driv\w+|drove|cars?|dui|license|behind the wheel)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Lesson:
    """The last of ``turns`` with those before it. ``risks``: (kind, stance) of each danger it tells of, stance -1 where
    nobody said. ``anywhere``: it is understood by itself; ``share``: how often it is read."""

    author: str
    turns: tuple[Turn, ...]
    risks: tuple[tuple[int, int], ...]
    weight: float
    share: float = 1.0
    anywhere: bool = False


def lessons(without: Collection[str] = ()) -> tuple[list[Lesson], list[Turn]]:
    """All but what the authors ``without`` wrote; and everyday turns of sessions."""
    found = list(phrasings())
    quiet: list[Turn] = []
    for session in read_sessions(CORPUS):
        if session.author not in without:
            own = list(of_session(session))
            found += own
            quiet += _everyday(own)
    found += [one for exchange in read_all() if exchange.author not in without for one in of_exchange(exchange)]
    return found, quiet


def real_talk(data: Path) -> Iterator[Lesson]:
    """Turns of counselling and of visits (the folder of public data) as people really speak, with its broken sentences:
    nothing of danger but where known words or a car say so. One session of AnnoMI in five is kept for measuring."""
    for turns in _conversations(data):
        told = {turn for one in by_words(turns) for turn in one.turns}
        told |= {turn.index for turn in turns if _DRIVES.search(turn.text)}
        for place in range(len(turns)):
            short = len(turns[place].text.split()) <= _LONGEST
            if short and told.isdisjoint(range(place - 2, place + 3)):
                yield Lesson("", turns[max(0, place - 2) : place + 1], (), 1.0, _REAL_SHARE)


def _conversations(data: Path) -> Iterator[tuple[Turn, ...]]:
    said: dict[str, dict[int, tuple[Role, str]]] = {}
    with (data / "annomi_full.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            role = Role.THERAPIST if row["interlocutor"] == "therapist" else Role.CLIENT
            said.setdefault(row["transcript_id"], {})[int(row["utterance_id"])] = (role, row["utterance_text"])
    for name in sorted(said):
        if name not in unheard_conversations(said):
            yield _turns([text for _, text in sorted(said[name].items())])
    with (data / "aci_bench_train.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            lines = re.findall(r"^\[(doctor|patient)\] (.+)$", row["dialogue"], re.MULTILINE)
            yield _turns([(Role.THERAPIST if who == "doctor" else Role.CLIENT, text) for who, text in lines])


def unheard_conversations(names: Iterable[str]) -> frozenset[str]:
    """Of AnnoMI's, those that the listener is not taught with."""
    return frozenset(sorted(names)[::5])


def _turns(said: Sequence[tuple[Role, str]]) -> tuple[Turn, ...]:
    return tuple(Turn(place, role.value, role, text) for place, (role, text) in enumerate(said))


def of_session(session: LabelledSession) -> Iterator[Lesson]:
    turns = transcript_of(session).turns
    risks: dict[int, list[tuple[int, int]]] = {}
    alike = {risk.turn - 1 for risk in session.risk if risk.stance == "figurative"}
    for risk in session.risk:
        if risk.stance != "figurative":
            risks.setdefault(risk.turn - 1, []).append(_labels(risk.kind, risk.stance))
    for place in range(len(turns)):
        own = tuple(risks.get(place, ()))
        weight = _FALSE_FRIEND if place in alike and not own else 1.0
        share = 1.0 if own or place in alike else _QUIET_SHARE
        yield Lesson(session.author, turns[max(0, place - 2) : place + 1], own, weight, share)


def _everyday(own: Sequence[Lesson]) -> Iterator[Turn]:
    for place, one in enumerate(own):
        near = own[max(0, place - _NEAR) : place + _NEAR + 1]
        quiet = one.weight == 1 and not any(other.risks for other in near)
        if quiet and len(one.turns[-1].text.split()) < _SHORT:
            yield one.turns[-1]


def of_exchange(one: Exchange) -> Iterator[Lesson]:
    """A danger's other turns may belong to it, and nobody said: they teach nothing. All of a look-alike's do."""
    turns = tuple(Turn(place, who, _ROLES[who], text) for place, (who, text) in enumerate(one.turns))
    for place in range(len(turns)) if one.look_alike else (one.says,):
        alike = one.look_alike and place == one.says
        yield Lesson(
            one.author,
            turns[max(0, place - 2) : place + 1],
            () if one.look_alike else (_labels(one.kind, one.meaning),),
            0.7 if one.look_alike and not alike else 1.5,
            _AROUND_SHARE if one.look_alike and not alike else 1.0,
            one.look_alike or (one.needs is None and one.form == "plain"),
        )


def phrasings() -> Iterator[Lesson]:
    """Sentences by themselves, or behind a question."""
    data = json.loads((HERE / "risk_sentences.json").read_text(encoding="utf-8"))
    said = [("", text, kind, "") for kind, texts in data["danger"].items() for text in texts]
    calm = json.loads((HERE / "crisis" / "phrases.json").read_text(encoding="utf-8"))["no_danger"]
    said += [("", text, "", "") for text in (*data["contrast"], *data["everyday"], *calm)]
    for path in sorted((HERE / "risk_phrases").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                kind = row.get("kind") or ""
                if not kind or kind in set(RiskKind):
                    said.append((row.get("question") or "", row["text"], kind, row.get("stance") or ""))
    for question, text, kind, stance in said:
        asked = (Turn(0, "T", Role.THERAPIST, question),) if question else ()
        risks = (_labels(kind, stance),) if kind else ()
        yield Lesson("", (*asked, Turn(len(asked), "C", Role.CLIENT, text)), risks, _PHRASE, anywhere=not asked)


def _labels(kind: str, stance: str) -> tuple[int, int]:
    known = _STANCE_OF.get(stance, stance)
    return KINDS.index(RiskKind(kind)), STANCES.index(Stance(known)) if known in set(Stance) else -1


def pair(lesson: Lesson, quiet: Sequence[Turn], rng: random.Random) -> tuple[str, str]:
    *before, own = lesson.turns
    if lesson.anywhere and rng.random() < _ELSEWHERE:
        before = rng.sample(quiet, rng.randrange(3))
    elif len(before) == 1 and rng.random() < _FURTHER:
        before = [rng.choice(quiet), *before]
    return said_before((*before, own), len(before)), spoken(own.role, own.text)
