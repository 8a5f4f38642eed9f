"""Where dialogs for files begin."""

from __future__ import annotations

import threading
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from noteeval_desktop.ui.widgets import choosing
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


def test_a_network_folder_that_does_not_answer_holds_no_dialog_up(qtbot, monkeypatch, tmp_path) -> None:
    """Looking at it ends only after the dialog was open, which then begins in the user's own folder."""
    opened, began, looked_by = threading.Event(), list[str](), list[threading.Thread]()

    def hang(folder: str) -> bool:
        looked_by.append(threading.current_thread())
        return opened.wait(60)

    def ask(_p, _t, where, _k):
        began.append(where)
        opened.set()
        return [], ""

    monkeypatch.setattr(choosing, "isdir", hang)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", ask)
    parent = QWidget()
    qtbot.addWidget(parent)
    assert open_files(parent, "Open", "Text (*.txt)") == []
    assert began == [str(Path.home())]
    assert threading.main_thread() not in looked_by
    looked_by[0].join()
