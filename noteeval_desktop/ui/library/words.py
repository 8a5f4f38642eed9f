"""What the rooms above still ask for here."""

from __future__ import annotations

from noteeval_desktop.domain.judge_names import model_name as judge
from noteeval_desktop.ui.widgets.jobs import problem

__all__ = ["judge", "problem"]
