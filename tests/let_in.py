"""For tests about something else: a model that counts as having passed the entrance test."""

from __future__ import annotations

from pathlib import Path

from noteeval_desktop.judges import making
from noteeval_desktop.judges.llm.entrance import KINDS, Result
from noteeval_desktop.judges.llm.known_models import KnownModels


def let_in(model: Path, right: int = 12) -> Path:
    """``right`` of the 12 questions of each kind were answered as expected."""
    result = Result(dict.fromkeys(KINDS, (right, 12)))
    KnownModels.of_this_user().keep_result(model, making.entrance_version(), result)
    return model
