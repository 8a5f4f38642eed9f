"""The cases of the open library that were changed last, for the first screen and the File menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from noteeval_desktop.ui.library.access import Access

if TYPE_CHECKING:
    from noteeval_desktop.store.records import CaseSummary

_MOST = 4


def tell_recent(access: Access, show: Callable[[Sequence[tuple[str, str]]], object]) -> None:
    """``show`` gets the id and the label of each; nothing once the library is locked."""

    def found(cases: Sequence[CaseSummary]) -> None:
        if access.library is not None:
            show([(case.id, case.labels.label) for case in cases])

    access.run(lambda library: library.cases.find(limit=_MOST), found)
