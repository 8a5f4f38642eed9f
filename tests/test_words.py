"""What a user reads goes through ``tr`` where it is read, or stands in a table of words that several views share."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import noteeval_desktop

ROOT = Path(noteeval_desktop.__file__).parent
FOR_A_REASON = {
    "ui/widgets/theme.py": "a style sheet",
    "ui/editor/speakers_strip.py": "the shortest name measures a chip",
    "ui/library/screen_lock_dbus.py": "names on the bus",
    "ui/findings/omission_draft.py": "how speech is told again, which another language would do in another way",
    "report/pdf_fonts.py": "names of characters",
    "present/vocabulary.py": "the table that several views share",
    "documents/headings.py": "what notes call their sections",
    "documents/sentences.py": "abbreviations and titles that end no sentence",
}
PACKAGES = (
    *("ui", "report", "present", "commands", "documents", "engines", "settings", "secrets", "isolation"),
    # Where the library speaks to a user; the rest of it holds SQL.
    *("store/errors", "store/case_file", "store/sealing"),
    # Where researchers read; the rest of it computes.
    *("research/benchmarks", "research/benchmark_notes", "research/benchmark_omissions"),
    *("research/benchmark_reference", "research/against_reference", "research/degradation", "research/degrading"),
    "research/dot_chart",
)
VIEWS = sorted(
    path
    for package in PACKAGES
    for path in [*(ROOT / package).rglob("*.py"), ROOT / f"{package}.py"]
    if path.is_file() and not path.name.endswith("words.py") and path.relative_to(ROOT).as_posix() not in FOR_A_REASON
)
# "Save", "Save as…", " of them", but neither "risk_banner" nor "F8".
READS_AS_WORDS = re.compile(r"^[A-Z][a-z]+(?!\w|[+])|[a-z’']{2,}[,.:;]? +\S|\s[A-Za-z]{2,}")
MARKUP = re.compile(r"^[^<>]*>|<[^<>]*>?|&[a-z]+;")
NEVER_SHOWN = re.compile(
    r"""^(Ctrl|Shift|Alt)\+\S*$                              # keys
    |^\s*(SELECT|INSERT|DELETE|CREATE|UPDATE|PRAGMA)\s     # SQL
    |^self-review\ of\ $                                   # what an id is made of
    |\\[bdws(]|\(\?                                        # patterns
    |::=|\{%                                              # grammars and templates of prompts
    |^import\ sys;|^NoteEval\ Desktop$|\ is\ no\ plain\ value$  # a program, a name, a refusal for programmers
    |="|^/>|^\s*noteeval:|\{[a-z-]+:                                # what is left of markup, style sheets
    |^(not\ compared|false\ alarms|English)$         # what data say
    |^(speaker\ name|start\ time|social\ worker|family\ member|unknown\ speaker|end\ of\ data)$  # what files say
    |^\ She\ says\ that\ she\ slept|^Answer\ Yes\.$      # what a model reads
    |^Therapist:\ How\ did\ you|^Subjective\nClient\ sleeps|^Self-test$  # what the built-in judge reads
    |^(Accept|Content|User|If)-|^(Accept|Range|Authorization|Bearer\ |of\ the\ wire)$  # what a server reads
    |^bytes\ [*=]
    |^(no\ module\ named\ pip|no\ space\ left|timed\ out|name\ resolution)$     # what pip says
    |^(Ollama|LM\ Studio|Jan|Edit-Distance)$|^\ [GM]B$  # names of programs and measures, units
    |^(could\ not\ be\ judged|\ \(second\ look\)|Not\ checked:\ )$  # what the pipeline says
    |^(takes\ the\ feeling\ seriously|leaves\ the\ choice\ with\ the\ client)$  # what the built-in judge says
    |^unable\ to\ open$                                                         # what the database says
    |^(failed\ to\ load\ model|error\ loading\ model:\ )$                       # what llama.cpp says
    """,
    re.VERBOSE,
)
# Calls whose text a programmer reads, not a user.
FOR_PROGRAMMERS = {
    *("setObjectName", "setStyleSheet", "execute", "executemany", "compile", "setFamilies"),
    *("startswith", "word_set"),  # what is looked for
    *("TypeError", "ValueError", "RuntimeError", "TypeVar", "AssertionError"),
    *("submit", "call"),  # the name of a job
    "Request",  # what a model reads
}
TRANSLATED = "tr"  # gettext's, under a name that ``pybabel extract -k tr`` collects
LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Tuple)


def _said_in_place(path: Path) -> Iterator[str]:
    """Literals that read as words, without docstrings, annotations and what only programmers read."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    passed: set[int] = set()
    for node in ast.walk(tree):
        inner: list[ast.AST] = [node.value] if isinstance(node, ast.Expr) else []
        inner = [part for part in inner if isinstance(part, ast.Constant)]
        inner += [part for name in ("annotation", "returns") if isinstance(part := getattr(node, name, None), ast.AST)]
        called = getattr(node.func, "attr", getattr(node.func, "id", "")) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and called in FOR_PROGRAMMERS:
            inner += [part for part in node.args if isinstance(part, LITERALS)]
        if isinstance(node, ast.Call) and called == TRANSLATED:  # a text with values in it is put together afterwards
            inner += [part for part in node.args if isinstance(part, ast.Constant)]
        passed.update(id(part) for whole in inner for part in ast.walk(whole))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in passed:
            text = MARKUP.sub("", node.value)
            if READS_AS_WORDS.search(text) and not NEVER_SHOWN.search(text):
                yield f"{path.name}:{node.lineno}: {text}"


def test_a_view_that_says_something_itself_is_found(tmp_path: Path) -> None:
    view = tmp_path / "view.py"
    view.write_text(
        '"""Not this."""\nlabel.setText("Two words" if once else f"{count} more")\nQLabel("One")\n'
        'label.setObjectName("Not shown")\nQAction("next_finding", keys="Ctrl+S")\n'
        'tr("Three small words").format(count=3)'
    )
    assert len(list(_said_in_place(view))) == 3


@pytest.mark.parametrize("path", VIEWS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_view_translates_what_it_says(path: Path) -> None:
    assert not list(_said_in_place(path))
