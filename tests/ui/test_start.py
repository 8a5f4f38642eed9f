"""The first screen comes before the engines: what takes long to load is loaded when it is needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

_LOADED = """
import sys
from noteeval_desktop import app
print("\\n".join(sys.modules))
"""


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    done = subprocess.run([sys.executable, "-c", _LOADED], check=True, capture_output=True, text=True, timeout=60)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "heavy",
    [
        "numpy",
        "llama_cpp",
        "openai",
        "httpcore2",
        "httpx2",
        "keyring",
        "cryptography",
        "sqlcipher3",
        "reportlab",
        "pypdfium2",
        "pysbd",
        "docx",
        "pypdf",
        "PySide6.QtPrintSupport",
        "noteeval_desktop.judges.builtin",
    ],
)
def test_the_first_screen_loads_no_engine(loaded: set[str], heavy: str) -> None:
    assert heavy not in loaded
