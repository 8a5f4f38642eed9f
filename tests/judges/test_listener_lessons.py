"""What the listener is taught with: which turns teach what, and that what stands around them varies."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

pytest.importorskip("sklearn")

from models.training.exchanges.reading import read
from models.training.listener_lessons import of_exchange, pair, real_talk, unheard_conversations
from noteeval_desktop.domain.risk import RiskKind, Stance
from noteeval_desktop.domain.transcript import Role, Turn
from noteeval_desktop.judges.builtin.risk.hearing import KINDS, STANCES

DANGER = """# suicide now plain says=2
T: How have the nights been?
C: Long.
C: I want to be dead.
N: Client wishes to be dead.
~: Client sleeps badly.
"""
ALIKE = """# none suicide says=1
T: How was the talk?
C: I died up there, honestly.
T: So it ended well.
"""
QUIET = [Turn(0, "C", Role.CLIENT, f"The garden, part {number}.") for number in range(9)]


def exchange(text: str, folder: Path):
    path = folder / "h99.txt"
    path.write_text(text, encoding="utf-8")
    return read(path)[0]


def test_only_the_turn_that_says_it_teaches_a_danger(tmp_path: Path) -> None:
    (lesson,) = of_exchange(exchange(DANGER, tmp_path))
    assert lesson.turns[-1].text == "I want to be dead."
    assert lesson.risks == ((KINDS.index(RiskKind.SUICIDE), STANCES.index(Stance.CURRENT)),)


def test_every_turn_of_a_look_alike_teaches_that_there_is_none(tmp_path: Path) -> None:
    lessons = list(of_exchange(exchange(ALIKE, tmp_path)))
    assert [one.turns[-1].index for one in lessons] == [0, 1, 2]
    assert not any(one.risks for one in lessons)
    assert lessons[1].weight > lessons[0].weight


def test_what_stands_before_a_turn_that_is_understood_by_itself_varies(tmp_path: Path) -> None:
    (lesson,) = of_exchange(exchange(DANGER, tmp_path))
    rng = random.Random(0)
    before = {pair(lesson, QUIET, rng)[0] for _ in range(60)}
    assert "" in before
    assert any("garden" in one for one in before)
    assert "Therapist: How have the nights been? Client: Long." in before
    assert {pair(lesson, QUIET, rng)[1] for _ in range(9)} == {"Client: I want to be dead."}


def test_real_talk_leaves_out_what_may_be_danger_and_what_is_kept_for_measuring(tmp_path: Path) -> None:
    said = [
        "Good morning.",
        "I garden a lot.",
        "Yes.",
        "I see.",
        "And then?",
        "I want to kill myself.",
        "Oh.",
        "It ends.",
    ]
    rows = ["transcript_id,utterance_id,interlocutor,utterance_text"]
    for name in ("1", "2"):
        rows += [f"{name},{place},{'client' if place % 2 else 'therapist'},{text}" for place, text in enumerate(said)]
    (tmp_path / "annomi_full.csv").write_text("\n".join(rows), encoding="utf-8")
    visit = '"[doctor] how are you ?\n[patient] the knee hurts ."'
    (tmp_path / "aci_bench_train.csv").write_text(
        f"dataset,encounter_id,dialogue,note\na,b,{visit},n\n", encoding="utf-8"
    )
    assert unheard_conversations(["2", "1"]) == {"1"}
    taught = [one.turns[-1].text for one in real_talk(tmp_path)]
    assert taught == ["Good morning.", "I garden a lot.", "Yes.", "how are you ?", "the knee hurts ."]
