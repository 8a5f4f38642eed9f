"""Build what people install, for the system that this runs on, into dist/.

    python3 installers/build.py            a folder that holds all it needs, and the system's package made of it

Needs Python 3.11 or newer, a C++ compiler and the network; what it makes needs none of them. The packager is
PyInstaller. Briefcase (0.4.7) could not be tried: it installs with pip, but then fetches each system's template from
GitHub, which could not be reached where this was decided. By its documentation a .deb of it runs on the system's own
Python, and its AppImage is made in Docker; we want a Python of our own, and nothing but pip to build with.

Times and hash seeds come from the commit, archives are sorted and have nobody's user and umask, so that two builds of a
commit can be compared: compare_builds.py. Of two in different folders all 485 files of the program were the same but
for four lists of a package's files (EXCEPTIONS there). llama.cpp is compiled once a computer, and both took that.
"""

from __future__ import annotations

import argparse
import lzma
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from installers import environment, llama_wheel, system
from installers.environment import Environment
from installers.steps import SetupError, Step, Steps, clean_env, standard_output

HERE, MADE, DIST = ROOT / "installers", ROOT / "build" / "installer", ROOT / "dist"
PROGRAM = DIST / "NoteEval"
VERSION = re.findall(r'__version__ = "(.+)"', (ROOT / "noteeval_desktop" / "__init__.py").read_text("utf-8"))[0]
TOOLS_LOCK = "requirements-installer.lock"
# llama.cpp with a library for each kind of processor, chosen when it starts. Its libraries go beside the others.
PORTABLE = (
    f"{llama_wheel.DEFAULT_CMAKE_ARGS} -DGGML_NATIVE=OFF -DGGML_BACKEND_DL=ON -DGGML_CPU_ALL_VARIANTS=ON "
    "-DCMAKE_INSTALL_BINDIR=llama_cpp/lib -DCMAKE_INSTALL_LIBDIR=llama_cpp/lib"
)
_MODELS = (
    "import sys, pathlib; from noteeval_desktop import paths; from noteeval_desktop.engines import models, reader; "
    "encoder = models.build_encoder(folder=pathlib.Path(sys.argv[1])); "
    "[reader.reader_file(encoder, reader.layers_path(own)) for own in (reader.READER, reader.LISTENER)]"
)


class Build:
    def __init__(self, steps: Steps) -> None:
        self.steps, self.home = steps, Environment(ROOT, name=".venv-build")
        self.env = clean_env(SOURCE_DATE_EPOCH=_moment(), PYTHONHASHSEED="0", PYTHONPATH=str(ROOT))

    def plan(self) -> list[Step]:
        making = [
            Step("Making a Python environment in .venv-build", "about 10 s", self.make),
            Step("Installing the packages as the lock files have them", "about 1 min", self.packages),
            Step("Installing llama.cpp, for processors old and new", "about 20 min the first time", self.llama),
        ]
        package = {"linux": self.linux, "darwin": self.macos, "win32": self.windows}[sys.platform]
        return [
            *([] if self.home.is_ready("run") else making),
            Step("Making the models and the icons", "about 1 min the first time", self.parts),
            Step("Putting the program together", "about 2 min", self.program),
            Step("Having it check itself", "under 1 min", self.check),
            Step("Packing it", "about 2 min", package),
        ]

    def make(self) -> None:
        environment.make(self.home, self.steps)

    def packages(self) -> None:
        environment.install_packages(self.home, "run", self.steps)
        self.run(*self.home.module("pip", "install", "--quiet", "--require-hashes", "-r", HERE / TOOLS_LOCK))

    def llama(self) -> None:
        os.environ["CMAKE_ARGS"] = PORTABLE
        llama_wheel.install(self.home, llama_wheel.user_cache_folder(), self.steps)
        self.home.mark("ready", "run")

    def parts(self) -> None:
        (MADE / "models").mkdir(parents=True, exist_ok=True)
        for old in (*(MADE / "models").glob("reader-*.gguf"), *(MADE / "models").glob("listener-*.gguf")):
            old.unlink()
        self.run(self.home.python, "-c", _MODELS, MADE / "models")
        self.run(self.home.python, HERE / "icons.py", ROOT / "resources" / "icons" / "noteeval.svg", MADE / "icons")

    def program(self) -> None:
        options = ("--noconfirm", "--clean", "--distpath", DIST, "--workpath", ROOT / "build" / "pyinstaller")
        self.run(*self.home.module("PyInstaller", *options, HERE / "noteeval.spec"))

        if sys.platform == "linux":
            for file in (PROGRAM / "_internal").glob("libpython*"):
                self.run("strip", "--strip-unneeded", file)

    def check(self) -> None:
        self.run(PROGRAM / "noteeval", "self-test")

    def linux(self) -> None:
        name = f"noteeval-{VERSION}-linux-{platform.machine()}"
        _tar(PROGRAM, DIST / f"{name}.tar.xz", name, int(self.env["SOURCE_DATE_EPOCH"]))
        if shutil.which("dpkg-deb"):
            self.debian()

    def debian(self) -> None:
        """Into /usr/lib/noteeval, with what menus and file managers read."""
        root, linux = ROOT / "build" / "deb", HERE / "linux"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(PROGRAM, root / "usr/lib/noteeval", symlinks=True)
        share = root / "usr/share"
        files = {
            linux / "noteeval.desktop": share / "applications/noteeval.desktop",
            linux / "noteeval.xml": share / "mime/packages/noteeval.xml",
            ROOT / "resources/icons/noteeval.svg": share / "icons/hicolor/scalable/apps/noteeval.svg",
            linux / "copyright": share / "doc/noteeval/copyright",
            linux / "postrm": root / "DEBIAN/postrm",
        }
        for icon in (MADE / "icons").glob("noteeval-*.png"):
            size = icon.stem.rpartition("-")[2]
            if size != "1024":
                files[icon] = share / f"icons/hicolor/{size}x{size}/apps/noteeval.png"
        for source, target in files.items():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        (root / "usr/bin").mkdir()
        for program in ("noteeval", "noteeval-desktop"):
            (root / "usr/bin" / program).symlink_to(f"../lib/noteeval/{program}")
        architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True)
        kilobytes = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file()) // 1024
        control = (linux / "control").read_text("utf-8").format(
            version=VERSION,
            architecture=architecture.stdout.strip(),
            size=kilobytes,
            depends=", ".join(sorted({*system.OFFSCREEN_LIBRARIES.values(), *system.WINDOW_LIBRARIES.values()})),
        )  # fmt: skip
        (root / "DEBIAN/control").write_text(control, "utf-8")
        for path in root.rglob("*"):
            if not path.is_symlink():
                runs = path.is_dir() or path.name == "postrm" or (path.is_file() and os.access(path, os.X_OK))
                path.chmod(0o755 if runs else 0o644)
        package = DIST / f"noteeval_{VERSION}_{architecture.stdout.strip()}.deb"
        self.run("dpkg-deb", "--root-owner-group", "-Zxz", "-z4", "--build", root, package)
        shutil.rmtree(root)

    def macos(self) -> None:
        self.run("sh", HERE / "macos" / "package.sh", DIST / "NoteEval.app", VERSION, DIST)

    def windows(self) -> None:
        sign = os.environ.get("NOTEEVAL_SIGN")
        signing = [f"/Ssign={sign}", "/DSign"] if sign else []
        usual = Path(os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)")) / "Inno Setup 6" / "ISCC.exe"
        compiler = shutil.which("iscc") or usual
        if not Path(compiler).is_file():
            raise SetupError(
                "Inno Setup is missing. Run this, then start again:\n  winget install JRSoftware.InnoSetup"
            )
        self.run(compiler, *signing, f"/DVersion={VERSION}", f"/O{DIST}", HERE / "windows" / "noteeval.iss")

    def run(self, *command: str | Path) -> None:
        log = ROOT / "build" / "setup-logs" / "installer.log"
        self.steps.run([str(part) for part in command], log, self.env, "The build stopped; the lines above say why.")


def _moment() -> str:
    """When this commit was made, in seconds since 1970: the time of everything that is packed."""
    command = ["git", "-c", "safe.directory=*", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _tar(folder: Path, target: Path, name: str, moment: int) -> None:
    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo:
        entry.uid = entry.gid = 0
        entry.uname = entry.gname = ""
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644  # whatever the builder's umask is
        entry.mtime = moment
        return entry

    # A quick search, in a window that is large enough to find what the two models share.
    quick: list[dict[str, int]] = [{"id": lzma.FILTER_LZMA2, "preset": 3, "dict_size": 1 << 26}]
    with lzma.open(target, "wb", filters=quick) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        archive.add(folder, name, filter=plain)


def main() -> int:
    argparse.ArgumentParser(description="Build what people install, for this system, into dist/.").parse_args()
    steps = Steps(standard_output())
    try:
        steps.follow(Build(steps).plan())
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    for path in sorted(DIST.glob(f"*{VERSION}*")):
        steps.say(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1e6:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
