"""The case on the desk, as the rooms around it reach it."""

from __future__ import annotations

from dataclasses import dataclass

from noteeval_desktop.ui.case.autosave import Autosave
from noteeval_desktop.ui.case.case_session import CaseSession
from noteeval_desktop.ui.case.files import Files
from noteeval_desktop.ui.case.opening import Opening
from noteeval_desktop.ui.case.unsaved import Unsaved
from noteeval_desktop.ui.case.workspace import Workspace


@dataclass(frozen=True)
class CaseDesk:
    session: CaseSession
    workspace: Workspace
    files: Files
    autosave: Autosave
    unsaved: Unsaved
    opening: Opening
