"""What the operating system must bring: Qt's libraries, a font, a compiler, a display."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from installers.steps import SetupError, Steps, clean_env

# Shared libraries that the Qt and llama.cpp wheels expect from the system, and the Debian packages that bring them.
# Read from the wheels' own lists of needed libraries (PySide6 6.12, llama-cpp-python 0.3.36).
OFFSCREEN_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11.so.6": "libx11-6",
    "libbrotlidec.so.1": "libbrotli1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgomp.so.1": "libgomp1",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libxkbcommon.so.0": "libxkbcommon0",
}
WINDOW_LIBRARIES = {
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
FONT_PACKAGE = "fonts-dejavu-core"
COMPILER_PACKAGE = "build-essential"
_FEDORA = {FONT_PACKAGE: "dejavu-sans-fonts", COMPILER_PACKAGE: "gcc gcc-c++ make"}
# How to get a compiler where no package manager of ours does it: its name and the exact command.
_COMPILERS = {
    "win32": (
        "Microsoft C++ (Build Tools for Visual Studio)",
        "winget install Microsoft.VisualStudio.2022.BuildTools --override "
        '"--wait --passive --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"',
    ),
    "darwin": ("clang (Apple's Command Line Tools)", "xcode-select --install"),
}

# The oldest systems that the locked PySide6 has wheels for, by sysconfig's names of processors.
_LEAST_MACOS = (13, 0)
_LEAST_GLIBC = {"linux-x86_64": (2, 34), "linux-aarch64": (2, 39)}

Find = Callable[[str], "str | None"]
"""``shutil.which``: the path of a program, or None."""


def unsupported(system: str, macos: str, libc: tuple[str, str]) -> str:
    """Why the locked packages cannot run on this computer, and what to do; empty where they can.

    ``system`` as ``sysconfig.get_platform()`` names it, ``macos`` as ``platform.mac_ver()[0]`` and ``libc`` as
    ``platform.libc_ver()`` give them; what these do not know is taken as good.
    """
    name, version = libc
    if system.startswith("win") and system != "win-amd64":
        return "NoteEval needs the 64-bit Python for x64 Windows (on Arm too). Install it from python.org and use that."
    if system.startswith("macosx") and macos and _number(macos) < _LEAST_MACOS:
        return f"NoteEval needs macOS {_LEAST_MACOS[0]} or newer; this is macOS {macos}. Update it, then start again."
    if system.startswith("linux") and system not in _LEAST_GLIBC:
        return f"NoteEval needs a 64-bit Intel, AMD or Arm processor and its Python; this is {system}."
    if system.startswith("linux") and (name == "musl" or (name == "glibc" and _number(version) < _LEAST_GLIBC[system])):
        least = ".".join(map(str, _LEAST_GLIBC[system]))
        return f"NoteEval needs a Linux with glibc {least} or newer; this one has {name} {version}. Use a newer system."
    return ""


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdecimal())


@dataclass(frozen=True)
class Missing:
    """What this Linux system lacks: shared libraries with the Debian packages that bring them, and other packages."""

    libraries: Mapping[str, str]
    others: tuple[str, ...]

    def debian(self) -> list[str]:
        return sorted({*self.libraries.values(), *self.others})

    def command(self, find: Find) -> str:
        """The exact command by which an administrator installs them, for the package manager that ``find`` finds."""
        if find("apt-get"):
            return f"sudo apt-get update && sudo apt-get install -y {' '.join(self.debian())}"
        if find("dnf"):
            libraries = [f"'{name}()(64bit)'" for name in sorted(self.libraries)]
            return f"sudo dnf install -y {' '.join([*libraries, *(_FEDORA.get(name, name) for name in self.others)])}"
        names = ", ".join([*sorted(self.libraries), *self.others])
        return f"(no package manager is known here; install what brings {names})"


def find_missing(wanted: Mapping[str, str], *, builds: bool) -> Missing:
    """What the set-up needs and this system lacks; ``builds``: llama.cpp is to be compiled.

    Raises SetupError on Windows and macOS when the compiler is missing, which only its user can install.
    """
    needs_compiler = builds and not has_compiler()
    if sys.platform in _COMPILERS:
        if needs_compiler:
            raise SetupError(compiler_message(sys.platform))
        return Missing({}, ())
    others = {
        f"python{sys.version_info[0]}.{sys.version_info[1]}-venv": importlib.util.find_spec("ensurepip") is None,
        FONT_PACKAGE: not has_fonts(_font_folders()),
        COMPILER_PACKAGE: needs_compiler,
    }
    return Missing(missing_libraries(wanted, _loads), tuple(name for name, absent in others.items() if absent))


def missing_libraries(wanted: Mapping[str, str], loads: Callable[[str], bool]) -> dict[str, str]:
    """Those of ``wanted`` (library: Debian package) that do not load."""
    return {library: package for library, package in wanted.items() if not loads(library)}


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def has_fonts(folders: Sequence[Path]) -> bool:
    """Whether there is any scalable font in ``folders``; without one Qt paints no letters."""
    return any(next(folder.rglob(pattern), None) for folder in folders for pattern in ("*.ttf", "*.otf", "*.ttc"))


def _font_folders() -> list[Path]:
    return [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path("~/.local/share/fonts").expanduser()]


def has_compiler() -> bool:
    if sys.platform == "win32":
        base = Path(os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)"))
        return (base / "Microsoft Visual Studio/Installer/vswhere.exe").exists() or shutil.which("cl") is not None
    if sys.platform == "darwin":  # clang++ is always on the PATH there; without the tools it only opens a dialogue
        return subprocess.run(["xcode-select", "-p"], capture_output=True, check=False).returncode == 0
    return any(shutil.which(name) for name in (os.environ.get("CXX") or "c++", "g++", "clang++"))


def compiler_message(platform: str) -> str:
    """Which compiler is missing on Windows or macOS (``sys.platform``'s names), and the command that brings it."""
    name, command = _COMPILERS[platform]
    return f"llama.cpp is built once on this computer, and {name} is missing. Run this, then start again:\n  {command}"


def may_install() -> bool:
    """Whether packages can be installed without asking anybody: Debian's tools, and root."""
    return sys.platform == "linux" and os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(missing: Missing, steps: Steps, log: Path) -> None:
    """Install the packages through apt; raise SetupError when that fails or a library is still missing."""
    env = clean_env(DEBIAN_FRONTEND="noninteractive")
    failed = (
        f"The system packages could not be installed. Run this, then start again:\n  {missing.command(shutil.which)}"
    )
    steps.run(["apt-get", "update", "-qq"], log, env, failed)
    steps.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing.debian()], log, env, failed)
    importlib.invalidate_caches()
    left = missing_libraries(missing.libraries, _loads)
    if left:
        raise SetupError(f"Still missing after the installation: {', '.join(left)}. Install them, then start again.")


def has_display(platform: str, variables: Mapping[str, str]) -> bool:
    """Whether a window can be shown: always on Windows and macOS, elsewhere when X11 or Wayland is announced."""
    if platform in ("win32", "darwin"):
        return True
    return bool(variables.get("DISPLAY") or variables.get("WAYLAND_DISPLAY"))
