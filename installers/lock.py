"""Write the lock files beside this file from pyproject.toml; needs uv on the PATH.

They hold versions and hashes only, so that plain pip can use them on every system: no index, no folder.
llama-cpp-python comes as a source distribution and is locked apart, with what builds it.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
UV = ("uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--python-version", "3.11")
PLAIN = ("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links")
LLAMA = "llama-cpp-python==0.3.36"
# What makes the editable installation of this project; installed first, so that pip fetches nothing unlocked for it.
EDITABLE = "hatchling\n"
# What packs the program, beside what is packed.
INSTALLER = "pyinstaller>=6.22\ncyclonedx-bom>=7\n"
BUILD = "scikit-build-core[pyproject]>=0.9.2\ncmake\nninja\n"


def _lock(name: str, requirements: str, *options: str) -> None:
    """Lock ``requirements`` (lines as in a requirements file) into ``name``."""
    output = str(HERE / name)
    subprocess.run(
        [*UV, *PLAIN, *options, "-", "-o", output], input=requirements, text=True, check=True, cwd=HERE.parent
    )


def main() -> None:
    project = ["--no-emit-package", "llama-cpp-python", "pyproject.toml"]
    _lock("requirements.lock", EDITABLE, *project)
    _lock(
        "requirements-test.lock",
        EDITABLE,
        *["--constraint", str(HERE / "requirements.lock"), "--extra", "train", "--extra", "test", *project],
    )
    _lock("requirements-build.lock", BUILD)
    _lock("requirements-installer.lock", INSTALLER, "--constraint", str(HERE / "requirements.lock"))
    _lock("requirements-llama.lock", LLAMA, "--no-deps")


if __name__ == "__main__":
    main()
