"""Twenty phrases, put everywhere that the window takes a text, stand nowhere on the disk in clear."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from noteeval_desktop.domain.review import Comment, Review, ReviewKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.store.supervision import BankComment, Rater
from tests.store.test_disk import PHRASES, clear_in


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch) -> Path:
    """Where everything is kept that the program keeps: its data folder and the system's temporary folder."""
    kept = tmp_path / "home"
    temporary = kept / "temporary"
    temporary.mkdir(parents=True)
    for name in ("TMPDIR", "TEMP", "TMP", "SQLITE_TMPDIR"):
        monkeypatch.setenv(name, str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    return kept


@pytest.fixture
def sources(tmp_path: Path) -> tuple[Path, Path]:
    """The user's own files, named by phrases, in a folder that the program does not write to."""
    folder = tmp_path / "user" / PHRASES[0]
    folder.mkdir(parents=True)
    session, note = folder / f"{PHRASES[1]}.txt", folder / f"{PHRASES[2]} note.md"
    turns = [f"{'Therapist' if n % 2 else 'Client'}: It was {phrase}." for n, phrase in enumerate(PHRASES)]
    session.write_text("\n".join(turns), "utf-8")
    note.write_text("Subjective:\n" + "\n".join(f"{phrase}." for phrase in PHRASES), "utf-8")
    return session, note


def _plant_in_the_store(library, case_id: str, note_sha256: str) -> None:
    """What supervision and language models leave."""
    comment = Comment(Span(0, 1), "S", PHRASES[9])
    review = Review("r", ReviewKind.SUPERVISION, PHRASES[10], note_sha256, datetime.now(UTC), comments=(comment,))
    library.cases.save_review(case_id, review)
    library.supervision.set_rater(Rater(PHRASES[11], PHRASES[12]))
    library.supervision.keep_comment(BankComment(PHRASES[13]))
    library.verdicts.put("key", {"reason": PHRASES[14], "citations": [{"turn": 1, "quote": PHRASES[15]}]})


def test_phrases_put_everywhere_in_the_window_stand_nowhere_in_clear(
    nowhere, sources, window, hands, qtbot, monkeypatch, capfd, caplog, tmp_path
):
    caplog.set_level(logging.DEBUG)
    desk = hands.cheap(window)
    with qtbot.waitSignal(desk.session.evaluation_finished, timeout=20_000):
        desk.opening.open_files(list(sources))
    hands.settle(desk)
    hands.keep(desk, PHRASES[3], f"{PHRASES[4]}, {PHRASES[5]}")
    shown = hands.list(desk)
    shown.acts.labels.trigger()
    shown.acts.asking.clinician.setText(PHRASES[6])
    shown.acts.asking.client.setText(PHRASES[7])
    shown.acts.asking.go.click()
    hands.settle(desk)
    shown.filters.search.setText(PHRASES[19].split()[0])
    with qtbot.waitSignal(shown.listed):
        shown.refresh()
    assert shown.list.topLevelItemCount() == 1
    key = desk.session.findings()[0].key
    desk.workspace.findings.card.dismissed.emit(key, PHRASES[8])
    library, case_id = desk.library.access.library, desk.library.kept.id
    _plant_in_the_store(library, case_id, desk.session.evaluation.case.note.sha256)
    shown.acts.file.export_to(case_id, nowhere / "one.noteeval-case")
    for field in (shown.acts.file.asking.first, shown.acts.file.asking.second):
        field.setText("für unterwegs 1")
    shown.acts.file.asking.go.click()
    hands.settle(desk)
    backups = hands.page(desk, "backups")
    backups.make.click()
    hands.settle(desk)
    assert clear_in(nowhere) == []
    monkeypatch.setattr("noteeval_desktop.ui.library.backups_window.sure", lambda *_, **__: True)
    backups.restore.click()
    hands.settle(desk)
    audit = hands.page(desk, "audit_log")
    audit.export_to(nowhere / "audit.csv")
    audit.export_to(nowhere / "audit.json")
    hands.settle(desk)
    desk.workspace.editor.insertPlainText(f"{PHRASES[16]} {PHRASES[17]}")
    desk.autosave.save_now()
    hands.settle(desk)
    assert (nowhere / "drafts" / "desk.db").stat().st_size
    assert clear_in(nowhere) == []
    desk.commands["lock"].trigger()
    hands.settle(desk)
    assert clear_in(nowhere) == []
    hands.unlock(desk)
    hands.settle(desk)
    desk.library.access.library.delete(case_id)
    desk.workspace.editor.document().setModified(False)
    desk.close()
    assert clear_in(nowhere) == []
    said = "".join(capfd.readouterr()) + caplog.text + desk.windowTitle()
    assert not [phrase for phrase in PHRASES if phrase.split()[0] in said]
