"""What the installed llama.cpp was built for, and whether this processor has it.

Asked of a child process: code built for another processor may end the process that loads it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from noteeval_desktop.domain.phrases import sentence, tr
from noteeval_desktop.engines.local_llm.child import Child, Gone, Message
from noteeval_desktop.errors import ModelError

REMEDY = tr("Run NoteEval's set-up again on this computer: it builds one that fits.")
_SETUP_AGAIN = tr("Run NoteEval's set-up again.")
DOES_NOT_FIT = tr("the installed llama.cpp does not fit this processor. {remedy}").format(remedy=REMEDY)


def exit_code(code: int | None) -> str:
    return "" if code is None else tr(" (exit code {code})").format(code=code)


BUILD_JOB = 0
_SECONDS = 60.0
# llama.cpp's names for what it was compiled with, and the kernel's names for what a processor has.
_FLAGS = {
    "SSE3": ("pni", "sse3"),
    "SSSE3": ("ssse3",),
    "AVX": ("avx",),
    "AVX_VNNI": ("avx_vnni",),
    "AVX2": ("avx2",),
    "F16C": ("f16c",),
    "FMA": ("fma",),
    "BMI2": ("bmi2",),
    "AVX512": ("avx512f",),
    "AVX512_VBMI": ("avx512vbmi",),
    "AVX512_VNNI": ("avx512_vnni",),
    "AVX512_BF16": ("avx512_bf16",),
    "AMX_INT8": ("amx_int8",),
    "NEON": ("asimd", "neon"),
    "FP16_VA": ("asimdhp",),
    "DOTPROD": ("asimddp",),
    "MATMUL_INT8": ("i8mm",),
    "SVE": ("sve",),
    "SME": ("sme",),
}
# What an unknown instruction ends a process with: SIGILL, or Windows' STATUS_ILLEGAL_INSTRUCTION.
ILLEGAL_INSTRUCTION = frozenset({-int(signal.SIGILL), 0xC000001D, 0xC000001D - (1 << 32)})


@dataclass(frozen=True, slots=True)
class Build:
    """``features``: instruction sets that it was compiled with, by llama.cpp's names; ``gpu``: it can use one."""

    features: frozenset[str]
    gpu: bool

    def missing(self, flags: frozenset[str] | None) -> tuple[str, ...]:
        """The features that a processor with ``flags`` lacks; none where these are not known."""
        if flags is None:
            return ()
        return tuple(sorted(name for name in self.features if not flags.intersection(_FLAGS.get(name, flags))))

    def check(self, flags: frozenset[str] | None) -> None:
        """Raises ModelError where this processor cannot run it."""
        missing = self.missing(flags)
        if missing:
            raise ModelError(
                tr("The installed llama.cpp needs a processor with {missing}, which this one lacks. {remedy}").format(
                    missing=", ".join(missing), remedy=REMEDY
                )
            )


def processor_flags(cpuinfo: Path = Path("/proc/cpuinfo")) -> frozenset[str] | None:
    """This processor's features by the Linux kernel's names; None on other systems."""
    try:
        lines = cpuinfo.read_text("ascii", "replace").splitlines()
    except OSError:
        return None
    found = [line.partition(":")[2].split() for line in lines if line.lower().startswith(("flags", "features"))]
    return frozenset(found[0]) if found else None


def read_build(message: Message) -> Build:
    """From the child's answer; ``info`` is like ``CPU : AVX = 1 | AVX2 = 1 | ``. Raises KeyError and ValueError."""
    pairs = (part.rpartition(":")[2].partition("=") for part in str(message["info"]).split("|"))
    on = frozenset(name.strip() for name, _, value in pairs if value.strip() == "1")
    return Build(on, message["gpu"] is True)


def ask_build(child: Child, cancel: threading.Event) -> Build:
    """Raises ModelError, Cancelled, and Gone where the child ended."""
    child.send({"kind": "build", "job": BUILD_JOB})
    build = None
    for message in child.messages(_SECONDS, cancel):
        if message["kind"] == "build":
            build = read_build(message)
        elif message["kind"] == "end" and build is not None:
            return build
    raise ModelError(tr("llama.cpp did not start. Try again, or run NoteEval's set-up again."))


def installed_build(cancel: threading.Event | None = None, start: Callable[[], Child] = Child) -> Build:
    """Takes about a second; the check that this processor can run it is the caller's. Raises ModelError, Cancelled."""
    child = start()
    try:
        return ask_build(child, cancel or threading.Event())
    except Gone as gone:
        if gone.code in ILLEGAL_INSTRUCTION:
            raise ModelError(sentence(DOES_NOT_FIT)) from None
        said = tr("llama.cpp did not start{code}. {again}")
        raise ModelError(said.format(code=exit_code(gone.code), again=_SETUP_AGAIN)) from None
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(tr("llama.cpp gave an unusable answer. {again}").format(again=_SETUP_AGAIN)) from error
    finally:
        child.kill()
