from __future__ import annotations

import subprocess
import sys

import pytest

GET_DUMPABLE = 3  # PR_GET_DUMPABLE


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can be told so of a whole process")
def test_no_program_of_the_system_is_handed_what_the_process_holds() -> None:
    said = "import ctypes, resource; print(ctypes.CDLL(None).prctl(%d, 0, 0, 0, 0), resource.getrlimit(4))"
    forbid = "from noteeval_desktop.platform.limits import forbid_core_dumps; forbid_core_dumps();"
    done = subprocess.run([sys.executable, "-c", forbid + said % GET_DUMPABLE], capture_output=True, check=True)
    assert done.stdout.decode().split() == ["0", "(0,", "0)"]
