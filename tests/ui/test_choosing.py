"""Where dialogs for files begin."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from noteeval_desktop.ui.widgets.choosing import open_files, save_file


def test_a_dialog_begins_where_the_last_one_ended_and_never_in_the_programs_own_folder(
    qtbot, monkeypatch, tmp_path
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    began: list[str] = []
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda _p, _t, where, _k: began.append(where) or (str(tmp_path / "a.pdf"), "")
    )
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda _p, _t, where, _k: began.append(where) or ([], ""))
    qtbot.addWidget(parent)
    save_file(parent, "Save", "scorecard.pdf", "PDF (*.pdf)")
    assert open_files(parent, "Open", "Text (*.txt)") == []
    assert Path(began[0]).parent.is_absolute()
    assert Path(began[0]).parent != Path.cwd()
    assert Path(began[0]).name == "scorecard.pdf"
    assert began[1] == str(tmp_path)
