"""What was sent to a provider's batch API and may have been paid for: lines of JSON, only ever added to."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.guarded_json import from_json

STATE_FILE = "provider-batch.jsonl"
SCHEMA = "noteeval.provider-batch/2"


@dataclass
class Sent:
    """One batch: ``mark`` names it before the provider does; ``questions`` are keys of what it asks."""

    mark: str
    questions: set[str]
    id: str = ""


class State:
    """``asker``: endpoint, model, rubric and prompts as one hash; ``fence``: what the questions are marked off with,
    so that a later run asks the very same. Each change is on disk before the call returns: a run may be killed at any
    point. No line is written twice, so the file grows with the questions and not with the batches times the questions.
    """

    def __init__(self, folder: Path, asker: str, fence: str) -> None:
        self.asker, self.fence, self.batches = asker, fence, list[Sent]()
        self._path, self._begun = folder / STATE_FILE, False

    @staticmethod
    def read(folder: Path) -> State | None:
        """Raises InputError for a file that cannot be read: it says what has been paid for."""
        path = folder / STATE_FILE
        try:
            whole, _, torn = path.read_bytes().rpartition(b"\n")
            if torn:  # the run was killed while it wrote it, so nothing that it tells of was sent
                os.truncate(path, len(whole) + 1 if whole else 0)
            if not whole:
                return None
            first, *lines = (from_json(line) for line in whole.split(b"\n"))
            if first["schema"] != SCHEMA:
                raise ValueError
            state = State(folder, str(first["asker"]), str(first["fence"]))
            state._begun = True
            for line in lines:
                state._take_in(line)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, StopIteration) as error:
            raise InputError(
                STATE_FILE,
                tr("records what was sent to the provider, and cannot be read"),
                tr("Restore it, or delete it: then all questions are sent, and paid for, again."),
            ) from error
        return state

    @property
    def known(self) -> set[str]:
        """The keys of all questions that are with the provider."""
        return set[str]().union(*(sent.questions for sent in self.batches))

    def begin(self, questions: Collection[str]) -> Sent:
        """To be called before they are sent."""
        mark = secrets.token_hex(8)
        self._add({"begun": mark, "questions": list(questions)})
        return self.batches[-1]

    def started(self, sent: Sent, name: str) -> None:
        """``name`` is the provider's."""
        self._add({"started": sent.mark, "id": name})

    def lost(self, sent: Sent) -> None:
        """The provider has no such batch."""
        self._add({"lost": sent.mark})

    def unanswered(self, sent: Sent, questions: Collection[str]) -> None:
        """The batch has ended without them: another run may send them again."""
        if questions:
            self._add({"unanswered": sent.mark, "questions": list(questions)})

    def _take_in(self, line: Any) -> None:
        match line:
            case {"begun": str(mark), "questions": [*keys]}:
                self.batches.append(Sent(mark, {str(key) for key in keys}))
            case {"started": mark, "id": str(name)}:
                self._of(mark).id = name
            case {"lost": mark}:
                self.batches.remove(self._of(mark))
            case {"unanswered": mark, "questions": [*keys]}:
                self._of(mark).questions.difference_update(keys)
            case _:
                raise ValueError

    def _of(self, mark: str) -> Sent:
        return next(sent for sent in self.batches if sent.mark == mark)

    def _add(self, line: dict[str, Any]) -> None:
        header = {"schema": SCHEMA, "asker": self.asker, "fence": self.fence}
        with self._path.open("ab") as file:
            for one in (line,) if self._begun else (header, line):
                file.write(json.dumps(one).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._begun = True
        self._take_in(line)
