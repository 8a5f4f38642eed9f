"""``noteeval-desktop [FILE…]``: the window."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from noteeval_desktop.child import serve_if_child
from noteeval_desktop.platform.heap import keep_heap_compact
from noteeval_desktop.platform.limits import forbid_core_dumps


def main(argv: Sequence[str] | None = None) -> int:
    serve_if_child()
    forbid_core_dumps()
    keep_heap_compact()
    gc.disable()  # all that is made until the window stands stays with it
    # Here, not above: a child of a frozen program starts here too, and needs no window.
    from noteeval_desktop import app

    return app.main(sys.argv[1:] if argv is None else list(argv))


if __name__ == "__main__":
    sys.exit(main())
