"""Prompts: templates from resources, filled with case material that stays data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.transcript import Role, Turn, turn_number

# Chat formats' own markers: written out by a client or a note they would end the message they stand in.
CONTROL_MARKER = re.compile(
    r"<\|[^|>\n]{0,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>|<(?:bos|eos|pad|unk)>", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Prompts:
    """The templates by name. ``fence`` marks off case material; it is made anew for each evaluation."""

    templates: Mapping[str, Template]
    fingerprint: str

    def fill(self, template: str, **values: object) -> str:
        """Raises KeyError for an unknown template or a value that is missing."""
        return self.templates[template].substitute({name: str(value) for name, value in values.items()})


def load_prompts(folder: Path) -> Prompts:
    """Read every ``*.txt`` in ``folder`` and in ``beside`` under it; the fingerprint covers names and texts of the
    first alone: a question that was added beside them leaves what was answered before as it is."""
    beside = {path.stem: path.read_text("utf-8").rstrip("\n") for path in sorted(folder.glob("beside/*.txt"))}
    texts = {path.stem: path.read_text("utf-8").rstrip("\n") for path in sorted(folder.glob("*.txt"))}
    return Prompts(
        {name: Template(text) for name, text in (texts | beside).items()},
        fingerprint(*(f"{name}\x1e{text}" for name, text in texts.items())),
    )


def as_data(text: str) -> str:
    """Case text for a prompt: one line, with chat control markers broken up so that they are words."""
    flat = " ".join(text.split())
    return CONTROL_MARKER.sub(lambda marker: marker.group()[0] + " " + marker.group()[1:], flat)


def numbered_turns(turns: Iterable[Turn], called: Mapping[tuple[str, Role], str]) -> str:
    """``12 client: text`` a line, who speaks as the transcript has ``called`` them; the number is the one that people
    see, since reasons name turns too."""
    who = ((turn, called[turn.speaker, turn.role]) for turn in turns)
    return "\n".join(f"{turn_number(turn.index)} {calling}: {as_data(turn.text)}" for turn, calling in who)
