"""A flag that native code reads without asking Python."""

from __future__ import annotations

import ctypes
import sys


class NativeFlag:
    """``function`` is the address of a C function that tells of ``address`` whether the flag is set, from any thread.

    It is the C library's strlen over two bytes, of which the first is written: a Python function needs the
    interpreter's lock, and doubled the time of a prefill beside a busy thread. strlen returns a size_t, here 0 or 1,
    where the caller may expect a bool: by the calling conventions of x86-64 and Arm both lie in the same register, and
    a caller of a bool reads its lowest byte.
    """

    def __init__(self) -> None:
        self._bytes = ctypes.create_string_buffer(2)
        library = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
        self.function = ctypes.cast(library.strlen, ctypes.c_void_p)
        self.address = ctypes.addressof(self._bytes)

    def set(self) -> None:
        self._bytes[0] = b"\x01"

    def clear(self) -> None:
        self._bytes[0] = b"\x00"

    def is_set(self) -> bool:
        return bool(self._bytes.value)
