"""What is freed goes back to the system: in child processes, as the allocator belongs to the whole process."""

import subprocess
import sys

import pytest

from noteeval_desktop.platform.heap import _runs_on_glibc

needs_glibc = pytest.mark.skipif(not _runs_on_glibc(), reason="only glibc keeps what is freed")

# The first array raises glibc's own limit when it is freed; where do most of the others lie?
_SECOND_ARRAY = """
import ctypes, pathlib
from noteeval_desktop.platform.heap import keep_heap_compact
{call}
first = bytearray(2_000_000)
del first
others = [bytearray(100_000) for _ in range(50)]
addresses = [ctypes.addressof(ctypes.c_char.from_buffer(one)) for one in others]
(heap,) = [line for line in pathlib.Path("/proc/self/maps").read_text().splitlines() if line.endswith("[heap]")]
begin, end = (int(edge, 16) for edge in heap.split()[0].split("-"))
inside = sum(begin <= address < end for address in addresses)
print("in the heap" if inside > len(others) / 2 else "pages of their own")
"""


@needs_glibc
@pytest.mark.parametrize(("call", "place"), [("", "in the heap"), ("keep_heap_compact()", "pages of their own")])
def test_arrays_get_pages_of_their_own_only_when_the_heap_is_kept_compact(call: str, place: str) -> None:
    child = subprocess.run(
        [sys.executable, "-c", _SECOND_ARRAY.format(call=call)], capture_output=True, text=True, check=True
    )

    assert child.stdout.strip() == place


def test_it_says_whether_the_system_took_it() -> None:
    child = subprocess.run(
        [sys.executable, "-c", "from noteeval_desktop.platform.heap import *; print(keep_heap_compact())"],
        capture_output=True,
        text=True,
        check=True,
    )

    assert child.stdout.strip() == str(_runs_on_glibc())
