"""The design that DESIGN.md's readers expect, kept by tests."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "noteeval_desktop"
TOP_LEVEL = {
    *("CHANGELOG.md", "CITATION.cff", "CONTRIBUTING.md", "LICENSE", "README.md", "pyproject.toml"),
    *("installers", "models", "noteeval_desktop", "resources", "tests"),
}
BROAD = ("", "Exception", "BaseException")
LARGEST_FILE = 1_100_000
LARGER_FOR_A_REASON = {
    "resources/heads/reader.npz": "what the reader's six layers add to the encoder's, in bytes",
    "resources/heads/listener.npz": "what the listener's three upper layers add to the encoder's, in bytes",
    "resources/heads/omissions.npz": "a forest; a third of its trees would fit and name 3 % fewer facts",
    "resources/heads/support.npz": "two forests",
}


def tracked_files() -> list[Path]:
    """What git tracks; where there is no git, every file outside the folders that .gitignore names."""
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        ignored = set((ROOT / ".gitignore").read_text(encoding="utf-8").replace("/", "").split()) | {".git"}
        walked = (path for path in ROOT.rglob("*") if not ignored & set(path.relative_to(ROOT).parts))
        return [path for path in walked if path.is_file() and path.suffix not in {".pyc", ".gguf"}]
    # Root may check a clone of somebody else's, which git refuses by default.
    command = [git, "-c", "safe.directory=*", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    return [path for name in listed.decode().split("\0") if name and (path := ROOT / name).is_file()]


@cache
def statements(path: Path) -> tuple[ast.Import | ast.ImportFrom | ast.ExceptHandler, ...]:
    """What several tests look for in a file, which is slow to parse."""
    tree = ast.parse(path.read_text("utf-8"))
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom | ast.ExceptHandler))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_imports_keep_the_layers() -> None:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert result.returncode == 0, result.stdout[-4000:]


def test_what_researchers_ask_is_loaded_by_their_commands_only(tmp_path: Path) -> None:
    session, note = tmp_path / "session.txt", tmp_path / "note.txt"
    session.write_text("Therapist: How did you sleep?\nClient: Badly.\n", "utf-8")
    note.write_text("Subjective: Client slept badly.\nPlan: Meet.\n", "utf-8")
    evaluate = ["evaluate", "--transcript", str(session), "--note", str(note), "--json", str(tmp_path / "out.json")]
    for module, asked in (("cli", ["--help"]), ("cli", evaluate), ("app", None)):
        run = "" if asked is None else f"; assert found.main({asked!r}) == 0"
        loaded = "print(*(name for name in sys.modules if name.startswith('noteeval_desktop.research')))"
        script = f"import sys; from noteeval_desktop import {module} as found{run}; {loaded}"
        done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.splitlines()[-1]) == (0, ""), done.stderr[-500:]


def test_qt_is_imported_in_the_window_only() -> None:
    importing = {name_of(path) for path in PACKAGE.rglob("*.py") if "PySide6" in imported_packages(path)}
    allowed = {
        name for name in importing if name.startswith("noteeval_desktop/ui/") or name == "noteeval_desktop/app.py"
    }
    assert importing - allowed == set()


def test_qt_may_be_imported_between_what_uses_pydantic() -> None:
    for first in ("noteeval_desktop.store.library", "noteeval_desktop.engines.remote.chat"):
        order = f"import {first}, PySide6.QtCore, noteeval_desktop.judges.llm.judge"
        done = subprocess.run([sys.executable, "-c", order], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-500:]


def test_no_module_needs_itself_by_way_of_others() -> None:
    """Imports for types included: whoever must know both ways passes a value or a signal instead."""
    modules = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in PACKAGE.rglob("*.py")
    }
    needs = {}
    for name, path in modules.items():
        found = [node for node in statements(path) if isinstance(node, ast.ImportFrom)]
        named = {f"{node.module}.{alias.name}" for node in found for alias in node.names}
        needs[name] = {one if one in modules else one.rpartition(".")[0] for one in named} & modules.keys() - {name}
    TopologicalSorter(needs).prepare()


# Which part of the room fits: the window's listeners need Qt, and a self-test says what it was tried on.
ASKING = {"noteeval_desktop/ui/library/screen_lock.py", "noteeval_desktop/commands/self_test.py"}


def test_what_differs_by_system_stands_in_one_room() -> None:
    asks = re.compile(r"\bsys\.platform\b|\bos\.name\b|\bimport (?:msvcrt|fcntl|resource|winreg)\b|\bwindll\b")
    asking = {name_of(path) for path in PACKAGE.rglob("*.py") if asks.search(path.read_text(encoding="utf-8"))}
    assert {name for name in asking if not name.startswith("noteeval_desktop/platform/")} == ASKING


def test_the_room_is_type_checked_as_every_system_reads_it() -> None:
    for system in ("win32", "darwin", "linux"):
        command = [sys.executable, "-m", "mypy", "--platform", system, "--follow-imports", "silent"]
        checked = subprocess.run(
            [*command, "-p", "noteeval_desktop.platform"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert checked.returncode == 0, checked.stdout


def test_the_page_for_it_names_whatever_the_program_keeps_and_connects_with() -> None:
    page = (ROOT / "resources" / "help" / "it.md").read_text(encoding="utf-8")
    texts = {name_of(path): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}
    kept = {name for text in texts.values() for name in re.findall(r'data_folder\(\) / "([^"]+)"', text)}
    assert {name for name in kept if f"`{name}`" not in page and f"`{name}/`" not in page} == set()
    # The judge that asks a service, the model's download, the encoder's (by pip) and the cluster: the page's table.
    network = {"httpx2", "httpcore2", "openai", "distributed", "socket", "urllib.request", "http.client"}
    import_ = re.compile(rf"^\s*(?:import|from) ({'|'.join(map(re.escape, network))})\b", re.MULTILINE)
    rooms = {name.rpartition("/")[0] for name, text in texts.items() if import_.search(text) or '"pip"' in text}
    assert rooms == {"noteeval_desktop/engines", "noteeval_desktop/engines/remote", "noteeval_desktop/batch"}


def imported_packages(path: Path) -> set[str]:
    plain = {alias.name for node in statements(path) if isinstance(node, ast.Import) for alias in node.names}
    named = {node.module or "" for node in statements(path) if isinstance(node, ast.ImportFrom)}
    return {name.split(".")[0] for name in plain | named}


def test_what_is_imported_is_declared() -> None:
    """Not only brought by another package, which may drop it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = {name: needs for name, needs in project["optional-dependencies"].items() if name != "test"}
    declared = {distribution(need) for needs in (project["dependencies"], *extras.values()) for need in needs}
    # Released with PySide6, in the same version.
    declared.add("shiboken6")
    imported = set().union(*(imported_packages(path) for path in PACKAGE.rglob("*.py")))
    foreign = imported - set(sys.stdlib_module_names) - {"noteeval_desktop"}
    brings = packages_distributions()
    assert {name for name in foreign if not declared & {distribution(one) for one in brings.get(name, [])}} == set()


def distribution(requirement: str) -> str:
    return canonicalize_name(Requirement(requirement).name)


def test_whatever_catches_everything_says_why_or_raises_it_again() -> None:
    silent = []
    for path in PACKAGE.rglob("*.py"):
        lines = path.read_text("utf-8").splitlines()
        for node in statements(path):
            if isinstance(node, ast.ExceptHandler) and ast.unparse(node.type or ast.Name("")) in BROAD:
                reason = any("# " in line for line in lines[node.lineno - 2 : node.body[0].lineno - 1])
                if not reason and not isinstance(node.body[-1], ast.Raise):
                    silent.append(f"{name_of(path)}:{node.lineno}")
    assert silent == []


def test_nothing_else_stands_at_the_top_level() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in tracked_files()}
    assert {name for name in names if not name.startswith(".")} <= TOP_LEVEL


def test_models_and_bulk_data_are_not_committed() -> None:
    large = {name_of(path): path.stat().st_size for path in tracked_files() if path.stat().st_size > LARGEST_FILE}
    assert set(large) <= set(LARGER_FOR_A_REASON), large
    assert [name_of(path) for path in tracked_files() if path.suffix in {".gguf", ".safetensors", ".whl"}] == []


def test_no_file_names_a_folder_of_one_machine() -> None:
    here = re.escape(str(ROOT.parent)) if len(ROOT.parts) > 2 else r"(?!)"
    machine = re.compile(rf"{here}/|(?<![\w.~}}])/(?:root|home|Users)/[\w.]")
    found = [
        f"{name_of(path)}: {match.group()}"
        for path in tracked_files()
        if (text := text_of(path)) is not None
        for match in machine.finditer(text)
    ]
    assert found == []


def text_of(path: Path) -> str | None:
    """The file's text; None for one that is not UTF-8, such as an image or an encoding test."""
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return None


def test_lock_files_name_no_index() -> None:
    locks = list((ROOT / "installers").glob("*.lock"))
    assert locks
    assert [
        lock.name for lock in locks if re.search(r"https?:|file:|--(extra-)?index|find-links", lock.read_text())
    ] == []
