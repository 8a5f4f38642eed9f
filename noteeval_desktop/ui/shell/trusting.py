"""How far judges agree with people: read once, told to the findings, and shown as a page when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.trust import Part, Trust
from noteeval_desktop.ui.widgets.jobs import Lane

if TYPE_CHECKING:
    from noteeval_desktop.store.library import Library
    from noteeval_desktop.ui.findings.trust_window import TrustWindow
    from noteeval_desktop.ui.shell.main_window import MainWindow

_ROUNDS = 500


class Trusting(QObject):
    """Its page counts the practice's own reviews anew each time that it is opened while the library is."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._shipped = window, tuple[Trust, ...]()
        self.page: TrustWindow | None = None
        window.workspace.findings.card.trust_asked.connect(self.show)
        window.library.access.locked.connect(lambda: self._tell(()))

        def take(shipped: tuple[Trust, ...]) -> None:
            self._shipped = shipped
            self._tell(())

        window.jobs.call(Lane.ASIDE, "trust", window.outside.trust, take, lambda error: window.banner.say(str(error)))

    def _tell(self, own: tuple[Trust, ...]) -> None:
        self._window.workspace.findings.show_trust(self._shipped, own)

    def show(self, part: Part) -> None:
        access = self._window.library.access

        def counted(own: tuple[Trust, ...]) -> None:
            self._tell(own)
            self._open(part)

        if access.library is None:
            self._open(part)
        else:
            access.run(_own_reviews, counted)

    def _open(self, part: Part) -> None:
        from noteeval_desktop.ui.findings.trust_window import TrustWindow

        self.page = TrustWindow(self._window.workspace.findings.known, part, self._window.outside.rubric, self._window)
        self.page.show()


def _own_reviews(library: Library) -> tuple[Trust, ...]:
    """Of the independent reviews, each with what the judges said of the same note."""
    # Here, not above: it loads numpy.
    from noteeval_desktop.measures.rater_tables import review_agreement
    from noteeval_desktop.report.trust import own_trust
    from noteeval_desktop.ui.supervision.work import rated

    # Each reviewer beside the judge, never beside another.
    alone = [(one, review) for one in rated(library, "", lambda: False) for review in one.reviews]
    judged = [{f"{e.judge.kind} {e.judge.model}": e for e in one.judged} for one, _ in alone]
    found = review_agreement([(one.note, [review]) for one, review in alone], judged, _ROUNDS)
    return own_trust(found, tr("Independent reviews in your library, each mark of a reviewer beside the judge's."))
