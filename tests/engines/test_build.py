"""What llama.cpp was built for against what this processor has; a child that dies of it is a message."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

import llama_cpp
import pytest

from noteeval_desktop.engines.chat import Request
from noteeval_desktop.engines.local_llm import LocalChat
from noteeval_desktop.engines.local_llm.build import Build, installed_build, processor_flags, read_build
from noteeval_desktop.engines.local_llm.child import Child
from noteeval_desktop.errors import ModelError
from tests.gguf_factory import make_biased_model

NEVER = threading.Event()
INFO = "CPU : SSE3 = 1 | AVX = 1 | AVX2 = 1 | AVX512 = 1 | F16C = 0 | LLAMAFILE = 1 | OPENMP = 1 | "


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return make_biased_model(tmp_path / "tiny.gguf", {"Yes": 3.0, "No": 1.0})


class OtherBuild(Child):
    """A child whose llama.cpp says of itself what a test wants."""

    def __init__(self, info: str, gpu: bool) -> None:
        super().__init__()
        self._said: dict[str, Any] = {"info": info, "gpu": gpu}
        self.sent: list[dict[str, Any]] = []

    def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)
        super().send(message)

    def receive(self, seconds: float) -> dict[str, Any] | None:
        message = super().receive(seconds)
        return message | self._said if message is not None and message["kind"] == "build" else message


class Illegal(Child):
    """A child that meets an instruction which its processor lacks."""

    def send(self, message: dict[str, Any]) -> None:
        os.kill(self.pid, signal.SIGILL)


def test_features_are_read_from_llama_cpps_own_line() -> None:
    build = read_build({"info": INFO, "gpu": False})
    assert build == Build(frozenset({"SSE3", "AVX", "AVX2", "AVX512", "LLAMAFILE", "OPENMP"}), gpu=False)


@pytest.mark.parametrize(
    ("flags", "missing"),
    [
        ("pni avx avx2 avx512f", ()),
        ("pni avx avx2", ("AVX512",)),
        ("pni", ("AVX", "AVX2", "AVX512")),
        (None, ()),
    ],
)
def test_what_the_processor_lacks_is_named(flags: str | None, missing: tuple[str, ...]) -> None:
    build = read_build({"info": INFO, "gpu": False})
    assert build.missing(None if flags is None else frozenset(flags.split())) == missing


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("processor\t: 0\nflags\t\t: fpu avx avx2\n\nflags\t\t: fpu\n", {"fpu", "avx", "avx2"}),
        ("processor\t: 0\nFeatures\t: fp asimd asimddp\n", {"fp", "asimd", "asimddp"}),
        ("something else\n", None),
    ],
)
def test_the_kernel_is_asked_for_the_processors_flags(tmp_path: Path, text: str, flags: set[str] | None) -> None:
    (tmp_path / "cpuinfo").write_text(text)
    assert processor_flags(tmp_path / "cpuinfo") == (None if flags is None else frozenset(flags))
    assert processor_flags(tmp_path / "none") is None


def test_the_installed_build_says_what_it_is_and_runs_here() -> None:
    build = installed_build()
    assert build.gpu is bool(llama_cpp.llama_supports_gpu_offload())
    assert "OPENMP" in build.features or build.features
    build.check(processor_flags())


def test_a_processor_that_lacks_something_is_said_before_the_model_is_loaded(model: Path) -> None:
    started: list[OtherBuild] = []

    def start() -> OtherBuild:
        started.append(OtherBuild(INFO, gpu=False))
        return started[-1]

    chat = LocalChat(model, flags=lambda: frozenset({"pni", "avx"}), start=start)
    with pytest.raises(ModelError, match=r"needs a processor with AVX2, AVX512, which this one lacks\. Run NoteEval's"):
        list(chat.yes_no([Request("", "", "Is it?")], NEVER))
    assert [message["kind"] for message in started[0].sent] == ["build"]
    chat.close()


def test_an_illegal_instruction_is_a_message(model: Path) -> None:
    with pytest.raises(ModelError, match=r"The installed llama\.cpp does not fit this processor"):
        installed_build(start=Illegal)
    chat = LocalChat(model, start=Illegal)
    with pytest.raises(ModelError, match=r"tiny\.gguf: the installed llama.cpp does not fit this processor"):
        list(chat.yes_no([Request("", "", "Is it?")], NEVER))
    chat.close()


@pytest.mark.parametrize("gpu", [True, False])
def test_the_graphics_processor_is_used_only_where_the_build_can(model: Path, gpu: bool) -> None:
    chat = LocalChat(model, gpu_layers=99, start=lambda: OtherBuild("CPU : ", gpu))
    if gpu:
        assert [answer.yes for _, answer in chat.yes_no([Request("", "", "Is it?")], NEVER)] == [True]
    else:
        with pytest.raises(ModelError, match="uses the processor only"):
            list(chat.yes_no([Request("", "", "Is it?")], NEVER))
    chat.close()
