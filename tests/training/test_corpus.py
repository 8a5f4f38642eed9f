"""The labelled sessions are in their form, and the checker says so when one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.training.corpus import sealed
from models.training.corpus.check import problems
from models.training.corpus.second_reader import compare, shown
from noteeval_desktop.research.labelled import CorpusError, parse_session, read_sessions

CORPUS = Path(__file__).parents[2] / "models" / "training" / "corpus"
SESSIONS = list(read_sessions(CORPUS / "sessions"))


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.id)
def test_every_session_is_in_its_form(session) -> None:
    assert list(problems(session)) == []


def test_no_sealed_author_can_be_read() -> None:
    assert not {session.author for session in SESSIONS} & {packed.stem for packed in (CORPUS / "sealed").iterdir()}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("\n2 C:", "\n3 C:", "turns are not numbered"),
        ("covers F", "covers F99 F", "covers F99, which is no fact"),
        ("\nt 1", "\nt 999,1", "turn 999 is cited"),
    ],
)
def test_what_is_wrong_with_a_session_is_said(old: str, new: str, said: str) -> None:
    texts = (path.read_text(encoding="utf-8") for path in sorted((CORPUS / "sessions").rglob("*.txt")))
    text = next(text for text in texts if old in text)
    assert any(said in problem for problem in problems(parse_session(text.replace(old, new, 1))))


def test_a_line_that_cannot_be_read_is_named() -> None:
    with pytest.raises(CorpusError, match=r"line 2: .*dancer"):
        parse_session("@session a-01\n@speakers T dancer Kim\n")


def test_the_second_reader_sees_no_label_and_is_compared_with_the_author() -> None:
    session = SESSIONS[0]
    assert "~~" not in shown(session)
    lines = [
        f"{session.id} {note.id} {number} {sentence.label[0]} {int(bool(sentence.items))}"
        for note in session.notes
        for number, sentence in enumerate(note.sentences, 1)
    ]
    count = sum(len(note.sentences) for note in session.notes)
    assert compare([session], "\n".join(lines)) == {"label": (count, 1.0, 1.0), "need": (count, 1.0, 1.0)}


def test_sealed_sessions_come_back_as_they_were_and_the_opening_is_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed, "HERE", tmp_path)
    monkeypatch.setattr(sealed, "SEALED", tmp_path / "sealed")
    monkeypatch.setattr(sealed, "RECORD", tmp_path / "OPENED.md")
    folder = tmp_path / "sessions" / "a99"
    folder.mkdir(parents=True)
    (folder / "01.txt").write_text("@session a99-01\nNaïve\n", encoding="utf-8")
    # mypy takes the folder beside it for the module.
    sealed.seal("a99")  # type: ignore[attr-defined]
    assert not folder.exists()
    assert sealed.unseal(tmp_path / "opened", "a test") == 1  # type: ignore[attr-defined]
    assert (tmp_path / "opened" / "a99" / "01.txt").read_text(encoding="utf-8") == "@session a99-01\nNaïve\n"
    assert "a test" in (tmp_path / "OPENED.md").read_text(encoding="utf-8")
