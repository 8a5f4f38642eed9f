"""What is still written while the program closes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable

from noteeval_desktop.errors import NoteEvalError

_LAST_SECONDS = 10


def at_the_end(act: Callable[[], object]) -> None:
    """Still off the GUI thread; what goes wrong is told where it can still be read."""

    def run() -> None:
        try:
            act()
        except NoteEvalError as error:
            print(error, file=sys.stderr)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(_LAST_SECONDS)
