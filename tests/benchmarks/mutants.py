"""Changes one operator, number or condition of a module at a time and says which changes its tests let live.

    .venv/bin/python -m pip install "cosmic-ray>=8.7"
    .venv/bin/python tests/benchmarks/mutants.py scores        # or `all`; --list: the modules

Runs by hand, on a copy, on Linux (each mutant is a fork of this process). What lives on, and why it may, stands in
``mutants.md`` beside this file.
"""

from __future__ import annotations

import argparse
import ast
import compileall
import contextlib
import difflib
import importlib
import itertools
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from py_compile import PycInvalidationMode

import pytest

ROOT = Path(__file__).resolve().parents[2]
# A module under noteeval_desktop/, and the tests under tests/ that are about it.
MODULES = {
    "scores": ("domain/scores.py", "domain/test_scores.py"),
    "verdicts": ("domain/verdicts.py", "domain/test_verdicts.py domain/test_scores.py"),
    "findings": ("domain/findings.py", "domain/test_findings.py"),
    "thresholds": ("domain/thresholds.py", "domain/test_thresholds.py"),
    "second-look": ("domain/second_look.py", "judges/test_full_check.py"),
    "decision": ("judges/builtin/support/decision.py", "judges/test_decision.py"),
    "keys": ("store/keys.py", "store/test_keys.py store/test_rekeying.py"),
    "failed-unlocks": ("store/audit.py", "store/test_library.py"),
    "sealing": ("store/sealing.py", "store/test_sealing.py store/test_case_file.py"),
    "signing": ("store/signing.py", "store/test_signing.py store/test_taking_in.py"),
    "retention": ("store/retention.py", "store/test_retention.py"),
    "deidentify": ("privacy/deidentify.py", "privacy"),
    "masking": ("privacy/masking.py", "privacy/test_masking.py"),
    "identifiers": ("privacy/identifiers.py", "privacy"),
    "names": ("privacy/names.py", "privacy/test_names.py privacy/test_deidentify.py"),
    "patterns": ("privacy/patterns.py", "privacy"),
    "consent": ("privacy/consent.py", "privacy/test_consent.py"),
    "agreement": ("measures/agreement.py", "measures/test_agreement.py measures/test_agreement_elsewhere.py"),
}
# cosmic-ray's others are either killed by anything or change nothing (`is` for `==` of two enum members).
OPERATORS = re.compile(
    r"core/(ReplaceBinaryOperator_(Add_Sub|Sub_Add|Mul_Div|Div_Mul|FloorDiv_Mul|Mod_Mul|BitOr_BitAnd|BitAnd_BitOr)"
    r"|ReplaceComparisonOperator_(Eq_NotEq|NotEq_Eq|Lt_LtE|LtE_Lt|Gt_GtE|GtE_Gt|Is_IsNot|IsNot_Is)"
    r"|ReplaceUnaryOperator_(USub_UAdd|Delete_Not)|AddNot|ExceptionReplacer|NumberReplacer|ReplaceAndWithOr"
    r"|ReplaceOrWithAnd|ReplaceBreakWithContinue|ReplaceContinueWithBreak|ReplaceFalseWithTrue|ReplaceTrueWithFalse"
    r"|ZeroIterationForLoop)"
)
LIMIT_S = 90
PRELOADED = (
    "numpy",
    "llama_cpp",
    "cryptography.hazmat.primitives.ciphers.aead",
    "sqlcipher3",
    "pydantic",
    "hypothesis",
)


def unheard(source: str) -> set[int]:
    """The lines' places (line * 1000 + column) of annotations and decorators, where a change says nothing."""
    places: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        for part in [*parts, *getattr(node, "decorator_list", [])]:
            if part is not None:
                first, last = part.lineno * 1000 + part.col_offset, part.end_lineno * 1000 + part.end_col_offset
                places.update(range(first, last))
    return places


def mutants(path: Path) -> Iterator[tuple[str, str]]:
    """(operator, mutated source), one change each."""
    from cosmic_ray.ast import ast_nodes, get_ast_from_path
    from cosmic_ray.mutating import mutate_code
    from cosmic_ray.plugins import get_operator, operator_names

    source, tree = path.read_text("utf-8"), get_ast_from_path(path)
    left_out = unheard(source)
    for name in filter(OPERATORS.match, operator_names()):
        operator = get_operator(name)()
        positions = [start for node in ast_nodes(tree) for start, _ in operator.mutation_positions(node)]
        for occurrence, (line, column) in enumerate(positions):
            if line * 1000 + column not in left_out:
                yield name.removeprefix("core/"), mutate_code(source, operator, occurrence) or source


def passes(tests: list[str]) -> bool:
    """Whether the tests pass, in a process of their own."""
    child = os.fork()
    if child == 0:
        os.setpgrp()
        with Path(os.devnull).open("w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        os._exit(int(pytest.main(["-c", "mutants.ini", "-x", "-q", "-p", "no:cacheprovider", *tests])))
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def try_one(name: str, every: int) -> None:
    module, tests = MODULES[name]
    path, wanted = Path("noteeval_desktop", module), [f"tests/{test}" for test in tests.split()]
    source = path.read_text("utf-8")
    if not passes(wanted):
        print(f"{name}: the tests fail without a change", flush=True)
        return
    lived, count = [], 0
    for count, (operator, mutated) in enumerate(itertools.islice(mutants(path), 0, None, every), 1):  # noqa: B007
        path.write_text(mutated, "utf-8")
        if passes(wanted):
            changed = difflib.unified_diff(source.splitlines(), mutated.splitlines(), n=0, lineterm="")
            lived.append("\n".join([f"  {operator}", *(f"    {line}" for line in list(changed)[2:])]))
    path.write_text(source, "utf-8")
    print(f"{name}: {count} mutants, {len(lived)} lived", *lived, sep="\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*MODULES, "all"], default="all")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="take a sample: one change in so many")
    asked = parser.parse_args()
    if asked.list:
        print(*MODULES, sep="\n")
        return
    with tempfile.TemporaryDirectory() as copy:
        for part in ("noteeval_desktop", "tests"):
            shutil.copytree(ROOT / part, Path(copy, part), ignore=shutil.ignore_patterns("__pycache__"))
        for part in ("resources", "models", "installers", "pyproject.toml"):
            Path(copy, part).symlink_to(ROOT / part)
        os.chdir(copy)
        # By its content: a mutant can be as long as the module and be written within the same second.
        compileall.compile_dir("noteeval_desktop", quiet=1, invalidation_mode=PycInvalidationMode.CHECKED_HASH)
        # Before the folder that this file lies in, and the project that is installed: the copy.
        sys.path[0] = copy
        os.environ |= {"PYTHONPATH": copy, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        Path("mutants.ini").write_text("[pytest]\naddopts = --import-mode=importlib\nfilterwarnings = error\n", "utf-8")
        for module in PRELOADED:
            with contextlib.suppress(ImportError):
                importlib.import_module(module)
        for name in MODULES if "all" in asked.names else asked.names:
            try_one(name, asked.every)


if __name__ == "__main__":
    main()
