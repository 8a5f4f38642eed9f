"""Stops llama.cpp in the middle of an evaluation."""

from __future__ import annotations

import ctypes
import sys

import llama_cpp

from noteeval_desktop.errors import Cancelled


class Abort:
    """Stops llama.cpp at the next node of its graph, from any thread.

    The callback is libc's strlen over two bytes (of which one is written to abort): a Python callback needs
    the interpreter's lock and doubled the time of a prefill beside a busy thread.
    """

    def __init__(self) -> None:
        self.flag = ctypes.create_string_buffer(2)
        library = ctypes.CDLL("msvcrt" if sys.platform == "win32" else None)
        self.function = ctypes.cast(library.strlen, llama_cpp.ggml_abort_callback)

    def set(self) -> None:
        self.flag[0] = b"\x01"

    def clear(self) -> None:
        self.flag[0] = b"\x00"

    def raise_if_set(self) -> None:
        if self.flag.value:
            raise Cancelled
