"""What the window says stands in the ``words`` of its package, so that it can be read through at once."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import noteeval_desktop

ROOT = Path(noteeval_desktop.__file__).parent
REPOSITORY = ROOT.parent
VIEWS = sorted(path for path in (ROOT / "ui").rglob("*.py") if not path.name.endswith("words.py"))
# Calls that put their text on the screen. The menu's table in shell/actions.py is a list of words itself.
_CALLS = """
setText setToolTip setAccessibleName setAccessibleDescription setPlaceholderText setWindowTitle setTitle setStatusTip
setInformativeText setTabText setTabToolTip setHeaderLabels setHorizontalHeaderLabels addAction addItem addItems addTab
addRow addButton addMenu addSection say explain announce getText getItem getOpenFileName getOpenFileNames
getSaveFileName getExistingDirectory QMenu QAction QGroupBox QLabel PlainLabel ElidedLabel QPushButton QToolButton
QCheckBox QRadioButton QMessageBox _button Asking
"""
SHOWING = frozenset(_CALLS.split())
# What nobody says any more, and what stands in its place (issue "The window that a therapist keeps using").
KNOWN_BAD = (
    "May touch",
    "orth a look",
    "No known phrase was used",
    "The session touches",
    "no sentence of the note answers",
    "How sure:",
    "Bring back",
    "Bring it back",
    "Serves no item",
    "open before submitting",
    "0 bytes sent",
    "What to mend",
    "Going through the rubric",
    "Nothing was kept",
    "Once more",
    "Out of nowhere",
    "your marks stand",
    "What holds?",
    "Failures stand first",
    "3 not enough",
    "GGUF model file of yours",
    "Remote endpoint",
    "A session that does not seem to be the note's is told",
)


def _sentences(node: ast.expr) -> Iterator[str]:
    """Literals of more than one word that ``node`` may come to."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    elif isinstance(node, ast.JoinedStr):
        text = "".join(part.value if isinstance(part, ast.Constant) else "x" for part in node.values)
    else:
        inner = {
            ast.IfExp: lambda n: [n.body, n.orelse],
            ast.BinOp: lambda n: [n.left, n.right],
            ast.Tuple: lambda n: n.elts,
            ast.List: lambda n: n.elts,
        }.get(type(node), lambda n: [])(node)
        for part in inner:
            yield from _sentences(part)
        return
    text = re.sub(r"\(\*[^)]*\)", "", text)  # the patterns of a file dialog
    if re.search(r"[A-Za-z]{2,}\W* \W*[A-Za-z]{2,}", text):
        yield text


def _said_in_place(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in SHOWING:
                for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                    yield from (f"{path.name}:{node.lineno}: {said}" for said in _sentences(argument))


def test_a_view_that_says_something_itself_is_found(tmp_path: Path) -> None:
    view = tmp_path / "view.py"
    view.write_text(
        'label.setText("Two words" if once else f"{count} more words")\nQLabel("One")\nlog("not shown here")'
    )
    assert len(list(_said_in_place(view))) == 2


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: path.relative_to(ROOT / "ui").as_posix())
def test_a_view_takes_its_sentences_from_words(path: Path) -> None:
    assert not list(_said_in_place(path))


def _texts() -> Iterator[Path]:
    yield REPOSITORY / "README.md"
    yield from (REPOSITORY / "resources").glob("*.md")
    yield from (REPOSITORY / "resources" / "help").glob("*.md")
    yield from (REPOSITORY / "resources" / "sample").glob("README.md")
    yield from ROOT.rglob("*.py")


@pytest.mark.parametrize("bad", KNOWN_BAD)
def test_what_no_therapist_would_say_is_said_nowhere(bad: str) -> None:
    assert not [str(path.relative_to(REPOSITORY)) for path in _texts() if bad in path.read_text(encoding="utf-8")]
