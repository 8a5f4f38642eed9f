"""What both packaged programs start with: `noteeval` and `noteeval-desktop`, told apart by their names."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main() -> int:
    # The packager's own folder, which only its start needs: what we open with other programs must not look there.
    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    else:
        os.environ.pop("LD_LIBRARY_PATH", None)
    if Path(sys.executable).stem == "noteeval":
        from noteeval_desktop import cli

        return cli.main()
    from noteeval_desktop import __main__ as desktop

    return desktop.main()


if __name__ == "__main__":
    sys.exit(main())
