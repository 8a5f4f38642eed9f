from __future__ import annotations

import os
import subprocess
import sys

import pytest

SHOWN = "import noteeval_desktop, os; print(os.environ['OPENBLAS_NUM_THREADS'])"


@pytest.mark.parametrize(("given", "used"), [(None, "1"), ("3", "3")])
def test_small_matrices_get_one_thread_unless_someone_asked_for_more(given: str | None, used: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {"OPENBLAS_NUM_THREADS": given} if given else {}
    ran = subprocess.run([sys.executable, "-c", SHOWN], env=environment, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == used


def test_the_package_alone_loads_no_numpy() -> None:
    code = "import sys, noteeval_desktop; print('numpy' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "False"
