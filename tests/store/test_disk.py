"""What stands on the disk: nothing in clear, and no damage that goes unnoticed."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.review import Comment, Review, ReviewKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.store.errors import LibraryDamaged, StoreError
from noteeval_desktop.store.library import Library, by_passphrase
from noteeval_desktop.store.records import CaseQuery, Labels
from noteeval_desktop.store.sealing import Cost
from tests.factories import make_case, make_note, make_transcript

PHRASES = (*(f"quorndal{number} vexbright{number}" for number in range(19)), "Grüße vom Flußufer 🌊")


def planted_case() -> Case:
    turns = tuple(("client", f"Es war {phrase} gewesen.") for phrase in PHRASES[:12])
    note = make_note({Section.SUBJECTIVE: [f"{phrase}." for phrase in PHRASES[8:]]})
    return Case(make_transcript(turns), note)


def plant(library: Library) -> str:
    case = planted_case()
    labels = Labels(PHRASES[0], PHRASES[1], PHRASES[2], tags=(PHRASES[3],))
    case_id = library.cases.add(case, labels)
    comment = Comment(Span(0, 1), "S", PHRASES[4])
    review = Review("r", ReviewKind.SELF, PHRASES[5], case.note.sha256, datetime.now(UTC), comments=(comment,))
    library.cases.save_review(case_id, review)
    library.cases.save_draft(case_id, PHRASES[6])
    return case_id


def forms(phrase: str) -> tuple[bytes, ...]:
    words = [phrase, phrase.split()[0], phrase.encode("unicode_escape").decode("ascii")]
    return tuple(word.encode(coding) for word in words for coding in ("utf-8", "utf-16-le"))


def clear_in(folder: Path) -> list[tuple[str, bytes]]:
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    return [
        (file.name, form)
        for file in files
        for content in [file.read_bytes() + str(file).encode()]
        for phrase in PHRASES
        for form in forms(phrase)
        if form in content
    ]


def test_the_search_for_planted_phrases_would_find_them(tmp_path: Path) -> None:
    (tmp_path / "note").write_text(f"x {PHRASES[-1]} y", "utf-8")
    assert clear_in(tmp_path)


def test_planted_phrases_stand_nowhere_in_clear(
    tmp_path: Path, passphrase: str, cheap: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for name in ("TMPDIR", "TEMP", "TMP", "SQLITE_TMPDIR"):
        monkeypatch.setenv(name, str(temporary))
    monkeypatch.setattr("tempfile.tempdir", None)
    library, _ = Library.create(tmp_path / "library", passphrase, cost=cheap)
    case_id = plant(library)
    assert library.cases.count(CaseQuery(text=PHRASES[11])) == 1
    library.back_up()
    library.export_case(case_id, tmp_path / "one.noteeval-case", passphrase, cheap)
    assert clear_in(tmp_path) == []
    library.cases.duplicate(case_id)
    library.delete(case_id)
    assert clear_in(tmp_path) == []
    library.lock()
    assert clear_in(tmp_path) == []


def test_a_deleted_case_leaves_no_word_in_the_index(library: Library, tmp_path: Path) -> None:
    """The word index only marks what is deleted until its segments are merged."""
    case_id = plant(library)
    assert _decrypted(library, tmp_path / "before").count(b"quorndal") > 5
    library.delete(case_id)
    after = _decrypted(library, tmp_path / "after")
    assert b"quorndal" not in after
    assert b"vexbright" not in after


def test_a_deleted_case_leaves_nothing_in_the_pages_of_the_file(library: Library, folder: Path) -> None:
    """Of a library that is too full to be rewritten: what was deleted is overwritten where it stood."""
    for number in range(30):
        library.cases.add(make_case(label=f"stays {number}"))
    case_id = plant(library)
    with library._database.reading() as db:
        kept = [row[0] for row in db.execute("SELECT content FROM transcript ORDER BY number DESC LIMIT 1")]
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    packed = kept[0][40:104]
    before = _pages(folder / "library.db", library._key)
    assert packed in before
    assert b"quorndal" in before
    library.delete(case_id)
    for file in (folder / "library.db", *(folder / "backups").glob("*.db")):
        after = _pages(file, library._key)
        assert b"stays 29" in after
        assert packed not in after
        assert b"quorndal" not in after
        assert b"vexbright" not in after
    with library._database.reading() as db:
        assert db.execute("PRAGMA freelist_count").fetchone()[0] > 0, "it was rewritten, and this has shown nothing"


def _pages(file: Path, key: bytes) -> bytes:
    """Every page deciphered, free ones too. SQLCipher 4: AES-256-CBC, and 16 bytes of IV and 64 of HMAC at the end."""
    content, pages = file.read_bytes(), []
    for start in range(0, len(content), 4096):
        page = content[start + (16 if start == 0 else 0) : start + 4096]
        cipher = Cipher(algorithms.AES(key), modes.CBC(page[-80:-64])).decryptor()
        pages.append(cipher.update(page[:-80]) + cipher.finalize())
    return b"".join(pages)


def _decrypted(library: Library, target: Path) -> bytes:
    """The library's content without the encryption, the word index's own tables included."""
    with library._database.reading() as db:
        db.execute("ATTACH ? AS plain KEY ''", [str(target)])
        db.execute("SELECT sqlcipher_export('plain')").fetchall()
        db.execute("DETACH plain")
    return target.read_bytes()


def test_every_damaged_file_is_noticed(library: Library, folder: Path, passphrase: str) -> None:
    """150 of the database and 50 of its backup: bytes changed, blocks wiped, ends cut off or added."""
    for _ in range(3):
        library.cases.add(planted_case())
    made = library.back_up()
    library.lock()
    chance = random.Random(7)
    good = (folder / "library.db").read_bytes()
    for number in range(150):
        (folder / "library.db").write_bytes(harmed(good, chance, number))
        with pytest.raises(StoreError):
            Library.open(folder, by_passphrase(passphrase))
    copy = made.path.read_bytes()
    for number in range(50):
        made.path.write_bytes(harmed(copy, chance, number))
        with pytest.raises(StoreError):
            Library.restore(folder, made, by_passphrase(passphrase))
    (folder / "library.db").write_bytes(good)
    made.path.write_bytes(copy)
    Library.restore(folder, made, by_passphrase(passphrase)).lock()


def harmed(good: bytes, chance: random.Random, number: int) -> bytes:
    at = chance.randrange(len(good))
    if number % 5 == 0:
        return good[:at]
    if number % 5 == 1:
        length = min(chance.randrange(1, 5000), len(good) - at)
        wiped = good[:at] + bytes(length) + good[at + length :]
        return wiped if wiped != good else good[:at]
    if number % 5 == 2:
        other = chance.randrange(len(good) // 4096) * 4096
        page = at // 4096 * 4096
        moved = good[:page] + good[other : other + 4096] + good[page + 4096 :]
        return moved if moved != good else good[:at]
    changed = bytearray(good)
    changed[at] ^= 1 << chance.randrange(8)
    return bytes(changed)


def test_a_page_that_goes_bad_while_open_raises_instead_of_giving_wrong_text(library: Library, folder: Path) -> None:
    library.cases.add(planted_case())
    library.check()
    with library._database.reading() as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    content = bytearray((folder / "library.db").read_bytes())
    content[4096 * 3 + 100] ^= 1
    with (folder / "library.db").open("r+b") as file:
        file.write(content)
    with pytest.raises(LibraryDamaged):
        library.check()
