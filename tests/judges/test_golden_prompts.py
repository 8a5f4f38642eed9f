"""Every prompt as a model gets it, compared with files, so that a change of wording is seen and meant.

After a change that is meant: ``python -m tests.judges.test_golden_prompts`` writes the files again.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from string import Template

import pytest

from noteeval_desktop.documents import parse_plan
from noteeval_desktop.domain.case import Background
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.rubric import Importance, Rubric, RubricItem
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.engines.chat import Request
from noteeval_desktop.judges.llm.judge import LlmJudge, Manner
from noteeval_desktop.judges.llm.prompts import Prompts, load_prompts
from noteeval_desktop.judges.protocol import exchanges_of
from noteeval_desktop.paths import resources
from tests.factories import make_case, make_note
from tests.llm_answers import sound
from tests.scripted_chat import ScriptedChat

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "prompts"
FENCE = "0123456789ab"
CASE = make_case(
    note=make_note({Section.SUBJECTIVE: ["Client drinks a bit 🙂.", "Sleep is <|poor|>."], Section.PLAN: ["No."]}),
    background=Background(plan=parse_plan("Goal 1: Drink less 🙂\nObjective 1a: <|Two|> evenings\nInterventions: MI")),
)
RUBRIC = Rubric(
    "Small",
    "1",
    (
        RubricItem("symptoms", Section.SUBJECTIVE, Importance.MANDATORY, "Symptoms", "What the client feels."),
        RubricItem("follow-up", Section.PLAN, Importance.MANDATORY, "Follow-up", "When they meet again."),
        RubricItem("safety", None, Importance.MANDATORY, "Safety", "What endangers whom."),
    ),
)


class NoRetriever:
    def closest(self, transcript: Transcript, texts: Sequence[str], count: int) -> list[tuple[int, ...]]:
        raise AssertionError("the session fits whole")


class Watched(dict[str, Template]):
    """Templates that remember which of them were used."""

    def __init__(self, templates: Mapping[str, Template]) -> None:
        super().__init__(templates)
        self.used: set[str] = set()

    def __getitem__(self, name: str) -> Template:
        self.used.add(name)
        return super().__getitem__(name)


def asked(prompts: Prompts, manner: Manner, question: str, *, rubbish: bool = False) -> list[Request]:
    """The requests of one question of a judge whose fence is fixed."""
    chat = ScriptedChat((lambda request: "?") if rubbish else sound)
    judge = LlmJudge(chat, RUBRIC, prompts, NoRetriever(), manner, fence=FENCE)
    never = threading.Event()
    arguments = {"omit": (CASE, (), never), "respond": (exchanges_of(CASE.transcript), never)}
    for _ in getattr(judge, question)(*arguments.get(question, (CASE, never))):
        continue
    return chat.requests


def rendered(prompts: Prompts | None = None) -> Iterator[tuple[str, str]]:
    """(name of the file, what a model gets), one for each way of asking each question."""
    prompts = prompts or load_prompts(resources() / "prompts")
    for question in ("cover", "need", "support", "omit", "respond", "likert", "thread", "private"):
        yield f"{question}.txt", _as_text(asked(prompts, Manner.GROUPED, question))
    for question in ("cover", "need"):
        yield f"{question}_one.txt", _as_text(asked(prompts, Manner.PUBLISHED, question))
    yield "repair.txt", _as_text(asked(prompts, Manner.GROUPED, "need", rubbish=True)[-1:])


def _as_text(requests: Sequence[Request]) -> str:
    parts = [f"[system]\n{requests[0].system}\n"]
    for request in requests:
        prefix = f"[prefix]\n{request.prefix}\n\n" if request.prefix else ""
        parts.append(f"{prefix}[question, at most {request.max_tokens} tokens]\n{request.question}\n")
    return "\n".join(parts)


def names() -> list[str]:
    return [path.name for path in sorted(GOLDEN.glob("*.txt"))]


@pytest.mark.parametrize("name", names())
def test_prompts_are_worded_as_recorded(name: str) -> None:
    assert dict(rendered())[name] == (GOLDEN / name).read_text("utf-8")


def test_every_way_of_asking_is_recorded() -> None:
    assert names() == sorted(name for name, _ in rendered())


def test_every_template_is_in_a_recorded_prompt() -> None:
    prompts = load_prompts(resources() / "prompts")
    watched = Watched(prompts.templates)
    assert list(rendered(Prompts(watched, prompts.fingerprint)))
    assert watched.used == set(prompts.templates)


@pytest.mark.parametrize("template", [path.name for path in sorted((resources() / "prompts").glob("*.txt"))])
def test_another_wording_has_another_fingerprint(template: str, tmp_path: Path) -> None:
    for path in (resources() / "prompts").glob("*.txt"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = load_prompts(tmp_path).fingerprint
    assert before == load_prompts(resources() / "prompts").fingerprint
    (tmp_path / template).write_text((tmp_path / template).read_text("utf-8") + "!", "utf-8")
    assert load_prompts(tmp_path).fingerprint != before


def test_a_question_beside_the_others_leaves_kept_answers_as_they_are(tmp_path: Path) -> None:
    before = load_prompts(resources() / "prompts").fingerprint
    (tmp_path / "beside").mkdir()
    for path in (resources() / "prompts").glob("*.txt"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "beside" / "plan.txt").write_text("Other words", "utf-8")
    assert load_prompts(tmp_path).fingerprint == before


if __name__ == "__main__":
    GOLDEN.mkdir(parents=True, exist_ok=True)
    for file_name, content in rendered():
        (GOLDEN / file_name).write_text(content, "utf-8")
