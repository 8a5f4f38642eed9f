"""The line under the window."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QToolButton

from noteeval_desktop.ui.widgets.shell import StatusLine


def test_a_button_stays_under_the_mouse_when_a_check_begins_and_ends(qtbot) -> None:
    line, submit = StatusLine(), QToolButton()
    submit.setText("Submit for review…")
    qtbot.addWidget(line)
    line.add(submit)
    line.resize(1280, 40)
    line.show()
    qtbot.waitExposed(line)
    places = set()
    for working, place in ((False, "10 shown"), (True, "3 of 10"), (False, "11 of 121"), (True, "")):
        line.show_working("Checking for risk") if working else line.show_idle()
        line.show_place(place, True)
        line.layout().activate()
        places.add(submit.x())
    assert len(places) == 1


def test_what_is_saved_comes_first_and_nothing_is_cut_at_1280_pixels(qtbot) -> None:
    line, left, submit = StatusLine(), QLabel("19 suggestions left"), QToolButton()
    submit.setText("Submit for review…")
    qtbot.addWidget(line)
    line.add(left)
    line.add(submit)
    line.show_checked("Checked in 17.1 s on this computer · nothing sent")
    line.show_whose("M. Osei, PhD's marks")
    line.show_draft("draft saved 14:33")
    line.show_place("11 of 121", True)
    line.resize(1280, 40)
    line.show()
    qtbot.waitExposed(line)
    assert line.text.startswith("draft saved 14:33 · M. Osei")
    assert line._said.fontMetrics().horizontalAdvance(line.text) <= line._said.width()


def test_where_there_is_no_room_whole_parts_go_first(qtbot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_draft("draft saved 19:27 without a passphrase")
    line.show_checked("Checked in 1.9 s on this computer · nothing sent")
    line.show()
    qtbot.waitExposed(line)
    seen = set()
    for width in range(900, 200, -20):
        line.resize(width, 40)
        line.layout().activate()
        seen.add(line._said.shown)
        assert line._said.fontMetrics().horizontalAdvance(line._said.shown) <= line._said.width()
    assert {line.text, "draft saved 19:27 without a passphrase …"} <= seen
    assert not [said for said in seen if "nothing" in said and said != line.text]
