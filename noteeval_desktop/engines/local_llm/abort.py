"""Stops llama.cpp in the middle of an evaluation."""

from __future__ import annotations

import ctypes

import llama_cpp

from noteeval_desktop.errors import Cancelled
from noteeval_desktop.platform.native_flag import NativeFlag


class Abort(NativeFlag):
    """Stops llama.cpp at the next node of its graph, from any thread."""

    def callback(self) -> object:
        return ctypes.cast(self.function, llama_cpp.ggml_abort_callback)

    def raise_if_set(self) -> None:
        if self.is_set():
            raise Cancelled
