"""Passphrase, recovery key and keychain: each can be changed in the window, and each says what it means."""

from __future__ import annotations

import io
import shutil

import pypdf
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from noteeval_desktop.store.errors import LibraryDamaged, LibraryFull, WrongPassphrase, WrongRecoveryKey
from noteeval_desktop.store.library import Library, by_keychain, by_passphrase, by_recovery_key
from noteeval_desktop.ui.library.key_dialogs import (
    NO_KEYCHAIN,
    WHAT_A_KEYCHAIN_MEANS,
    WHY_A_PASSPHRASE,
    NewLibrary,
    RecoveryKey,
    Unlock,
)
from noteeval_desktop.ui.widgets.plain import PlainLabel
from tests.ui.library.conftest import CHEAP

NEW = "ein neuer Satz mit Wörtern 緑"


def _texts(dialog):
    return " ".join(label.text() for label in dialog.findChildren(PlainLabel))


def _opens(hands, unlock):
    Library.open(hands.folder, unlock).lock()


def _made_with_keychain(desk, hands):
    desk.commands["keep_case"].trigger()
    asks = hands.dialog(desk, NewLibrary)
    asks.keychain.setChecked(True)
    asks.first.setText(hands.passphrase)
    asks.second.setText(hands.passphrase)
    asks.go.click()
    return asks


def test_first_start_explains_itself_in_three_sentences(desk, hands):
    assert WHY_A_PASSPHRASE.count(".") == 3
    hands.keychain = hands.new_keychain()
    desk.commands["keep_case"].trigger()
    asks = hands.dialog(desk, NewLibrary)
    assert WHY_A_PASSPHRASE in _texts(asks)
    assert WHAT_A_KEYCHAIN_MEANS in _texts(asks)
    assert not asks.keychain.isChecked()


def test_a_computer_without_a_keychain_says_so(desk, hands):
    desk.commands["keep_case"].trigger()
    asks = hands.dialog(desk, NewLibrary)
    assert NO_KEYCHAIN in _texts(asks)
    assert not asks.keychain.isVisible()
    asks.reject()
    hands.keep(desk)
    page = hands.page(desk, "library_keys")
    assert page.state.text() == NO_KEYCHAIN
    assert not page.keychain.isEnabled()


def test_the_keychain_opens_the_library_at_the_next_start_but_not_after_locking(desk, hands, make_window):
    hands.keychain = hands.new_keychain()
    _made_with_keychain(desk, hands)
    hands.write_down(hands.dialog(desk, RecoveryKey))
    hands.label(desk, "Fall 青")
    assert len([name for name in hands.keychain.kept if not name.endswith("-seen")]) == 1
    desk.close()
    later = hands.cheap(make_window())
    shown = hands.list(later)
    assert not later.library.access.dialog
    assert shown.list.topLevelItemCount() == 1
    later.commands["lock"].trigger()
    hands.settle(later)
    later.library.access.dialog.reject()
    later.commands["library"].trigger()
    hands.dialog(later, Unlock)


def test_a_keychain_that_refuses_makes_no_library(desk, hands):
    hands.keychain = hands.new_keychain()
    hands.keychain.broken = True
    asks = _made_with_keychain(desk, hands)
    hands.settle(desk)
    assert "keychain could not be read" in asks.said.text()
    assert not Library.exists(hands.folder)
    asks.keychain.setChecked(False)
    asks.go.click()
    hands.write_down(hands.dialog(desk, RecoveryKey))
    assert Library.exists(hands.folder)


@pytest.mark.parametrize("lost", ["emptied", "broken"])
def test_a_keychain_that_lost_the_key_leaves_the_passphrase(desk, hands, make_window, lost):
    hands.keychain = hands.new_keychain()
    _made_with_keychain(desk, hands)
    hands.write_down(hands.dialog(desk, RecoveryKey))
    hands.label(desk, "Fall")
    desk.close()
    if lost == "emptied":
        hands.keychain.kept.clear()
    else:
        hands.keychain.broken = True
    later = hands.cheap(make_window())
    later.commands["library"].trigger()
    asks = hands.dialog(later, Unlock)
    assert "keychain" in asks.said.text().lower()
    hands.unlock(later)
    assert later.library.access.library is not None


def test_the_keychain_is_taken_up_with_the_passphrase_and_left_without(desk, hands):
    hands.keychain = hands.new_keychain()
    hands.keep(desk)
    page = hands.page(desk, "library_keys")
    assert page.state.text().startswith("Off.")
    page.keychain.click()
    page.asking.passphrase.setText("nicht dieses hier")
    page.asking.go.click()
    hands.settle(desk)
    assert "passphrase is wrong" in page.asking.said.text()
    assert not hands.keychain.kept
    page.asking.passphrase.setText(hands.passphrase)
    page.asking.go.click()
    hands.settle(desk)
    assert page.state.text() == (
        "On: NoteEval does not ask for the passphrase when it starts. Anyone who uses this computer "
        "under your account can open the library."
    )
    assert desk.library.access.library.in_keychain
    page.keychain.click()
    hands.settle(desk)
    assert page.state.text().startswith("Off.")
    assert not hands.keychain.kept


def test_the_passphrase_is_changed_by_who_knows_it(desk, hands):
    hands.keep(desk)
    page = hands.page(desk, "library_keys")
    page.change.click()
    asks = page.asking
    asks.current.setText("nicht dieses hier")
    asks.first.setText(NEW)
    asks.second.setText(NEW)
    asks.anew.setChecked(False)
    asks.go.click()
    hands.settle(desk)
    # The recovery key cannot be typed here.
    assert asks.said.text().endswith("If you forgot it, lock the library and choose “Forgot the passphrase…”.")
    asks.current.setText(hands.passphrase)
    asks.go.click()
    hands.settle(desk)
    assert page.said.text() == (
        "The passphrase was changed. The old one now works only with earlier copies of the key file, if there are any."
    )
    desk.library.access.take_out().lock()
    with pytest.raises(WrongPassphrase):
        _opens(hands, by_passphrase(hands.passphrase))
    _opens(hands, by_passphrase(NEW))


def test_a_new_recovery_key_is_shown_once_and_voids_the_old(desk, hands):
    old = hands.keep(desk)
    page = hands.page(desk, "library_keys")
    page.recovery.click()
    page.asking.passphrase.setText(hands.passphrase)
    page.asking.go.click()
    hands.settle(desk)
    assert isinstance(page.asking, RecoveryKey)
    new = _shown_key(page.asking)
    hands.write_down(page.asking)
    hands.settle(desk)
    assert page.said.text() == "The recovery key you printed before no longer opens the library here."
    assert new != old
    desk.library.access.take_out().lock()
    with pytest.raises(WrongRecoveryKey):
        _opens(hands, by_recovery_key(old))
    _opens(hands, by_recovery_key(new))


def test_the_recovery_key_goes_onto_paper_as_pdf_and_is_readable_by_its_owner_alone(desk, hands, tmp_path):
    shows = _showing(desk, hands)
    path = tmp_path / "key.pdf"
    shows.save_to(path)
    hands.settle(desk)
    assert "Saved key.pdf" in shows.said.text()
    pages = pypdf.PdfReader(io.BytesIO(path.read_bytes())).pages
    assert _shown_key(shows) in pages[0].extract_text()
    assert path.stat().st_mode & 0o077 == 0
    shows.go.click()
    assert not shows.isVisible()


def test_a_pdf_that_cannot_be_written_says_so_and_the_key_stays(desk, hands, tmp_path):
    shows = _showing(desk, hands)
    shows.save_to(tmp_path / "no" / "key.pdf")
    hands.settle(desk)
    assert "could not be written" in shows.said.text()
    assert shows.isVisible()
    hands.write_down(shows)


def test_a_copied_recovery_key_leaves_the_clipboard_with_the_dialog(desk, hands):
    shows = _showing(desk, hands)
    next(one for one in shows.findChildren(QPushButton) if one.text() == "Copy").click()
    assert QGuiApplication.clipboard().text() == _shown_key(shows)
    shows.go.click()
    assert QGuiApplication.clipboard().text() == ""


def _showing(desk, hands) -> RecoveryKey:
    desk.commands["keep_case"].trigger()
    asks = hands.dialog(desk, NewLibrary)
    asks.first.setText(hands.passphrase)
    asks.second.setText(hands.passphrase)
    asks.go.click()
    return hands.dialog(desk, RecoveryKey)


def _shown_key(shows: RecoveryKey) -> str:
    return shows.key.text()


def test_the_library_is_encrypted_anew_unless_the_reader_says_otherwise(desk, hands, tmp_path):
    hands.keychain = hands.new_keychain()
    _made_with_keychain(desk, hands)
    hands.write_down(hands.dialog(desk, RecoveryKey))
    hands.label(desk, "Fall 青")
    copied = shutil.copy(hands.folder / "library.keys", tmp_path)
    page = hands.page(desk, "library_keys")
    page.change.click()
    asks = page.asking
    asks.current.setText(hands.passphrase)
    asks.first.setText(NEW)
    asks.second.setText(NEW)
    assert asks.anew.isChecked()
    asks.go.click()
    hands.settle(desk)
    shows = page.asking
    assert isinstance(shows, RecoveryKey)
    printed = shows.key.text()
    hands.write_down(shows)
    hands.settle(desk)
    assert (
        page.said.text()
        == "The library and its backups were re-encrypted. The old passphrase and recovery key no longer work."
    )
    assert page.state.text() == (
        "On: NoteEval does not ask for the passphrase when it starts. Anyone who uses this computer "
        "under your account can open the library."
    )
    desk.library.access.take_out().lock()
    for unlock in (by_passphrase(NEW), by_recovery_key(printed), by_keychain(hands.keychain)):
        _opens(hands, unlock)
    shutil.copy(copied, hands.folder / "library.keys")
    with pytest.raises(LibraryDamaged):
        _opens(hands, by_passphrase(hands.passphrase))


def test_an_earlier_key_file_is_told_of_after_unlocking(desk, hands, make_window, tmp_path):
    hands.keychain = hands.new_keychain()
    _made_with_keychain(desk, hands)
    hands.write_down(hands.dialog(desk, RecoveryKey))
    hands.label(desk, "Fall")
    copied = shutil.copy(hands.folder / "library.keys", tmp_path)
    library = desk.library.access.library
    library.set_passphrase(NEW, CHEAP)
    desk.close()
    shutil.copy(copied, hands.folder / "library.keys")
    later = hands.cheap(make_window())
    hands.list(later)
    assert "key file is an earlier one" in later.banner.text
    page = hands.page(later, "audit_log")
    assert "⚠ Earlier copy found" in [page.list.topLevelItem(n).text(1) for n in range(page.list.topLevelItemCount())]


def test_what_a_changed_passphrase_does_is_said_where_it_is_changed(desk, hands):
    hands.keep(desk)
    page = hands.page(desk, "library_keys")
    page.change.click()
    assert "can still open the library" in _texts(page.asking)
    assert (
        "Takes a few seconds, and gives you a new recovery key to print. Earlier copies of the key file "
        "then open neither the library nor its backups. Earlier copies of the whole library stay "
        "readable to anyone who has them."
    ) in _texts(page.asking)


@pytest.mark.parametrize("anew", [False, True])
def test_a_new_recovery_key_is_on_paper_before_anything_changes(desk, hands, monkeypatch, anew):
    """What stops the change, a full disk or Cancel, leaves what opened the library before."""
    old = hands.keep(desk)
    page = hands.page(desk, "library_keys")
    (page.change if anew else page.recovery).click()
    for field in (page.asking.current, page.asking.first, page.asking.second) if anew else ():
        field.setText(hands.passphrase if field is page.asking.current else NEW)
    if not anew:
        page.asking.passphrase.setText(hands.passphrase)
    page.asking.go.click()
    hands.settle(desk)
    shows = page.asking
    assert isinstance(shows, RecoveryKey)
    assert shows.skip.isVisible()

    def full(*_: object) -> None:
        raise LibraryFull("library.db")

    monkeypatch.setattr(Library, "rekey" if anew else "take_recovery_key", full)
    hands.write_down(shows)
    hands.settle(desk)
    assert shows.isVisible()
    assert shows.said.text().endswith(
        "Nothing has changed: the passphrase and recovery key from before still work, and the new ones do not."
    )
    shows.skip.click()
    desk.library.access.take_out().lock()
    _opens(hands, by_recovery_key(old))
    _opens(hands, by_passphrase(hands.passphrase))
