"""What supervision keeps for the whole library: who the rater is, whose keys are known, and the comment bank."""

from __future__ import annotations

from dataclasses import dataclass

from noteeval_desktop.domain.names import same_name
from noteeval_desktop.store import reading, writing
from noteeval_desktop.store.database import Database
from noteeval_desktop.store.errors import NameTaken, OwnNameTaken
from noteeval_desktop.store.tables import Tables


@dataclass(frozen=True, slots=True)
class Rater:
    """Who marks in this library; ``credentials`` go beside the name when a note is co-signed."""

    name: str = ""
    credentials: str = ""


@dataclass(frozen=True, slots=True)
class BankComment:
    """A comment to use again; ``item``: the rubric item that it is about, None for any. ``id`` 0: not kept yet."""

    text: str
    item: str | None = None
    id: int = 0


@dataclass(frozen=True, slots=True)
class KnownSigner:
    """Somebody whose fingerprint the user has compared with them."""

    key: str
    name: str


class Supervision:
    """Every change is one transaction, kept when the method returns. Raises StoreError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def rater(self) -> Rater:
        """The rater without a name where none has been kept."""
        with self._database.reading() as db:
            row = db.execute("SELECT name, credentials FROM rater").fetchone()
        return Rater(*row) if row else Rater()

    def set_rater(self, rater: Rater) -> None:
        """Raises NameTaken."""
        with self._database.writing() as db:
            _check_own(db, rater.name)
            db.execute("DELETE FROM rater")
            db.execute("INSERT INTO rater VALUES (?, ?)", [rater.name, rater.credentials])

    def public_key(self) -> str:
        """With which others check what this library signed."""
        with self._database.reading() as db:
            return reading.signer(db).public

    def known_signers(self) -> tuple[KnownSigner, ...]:
        with self._database.reading() as db:
            rows = db.execute("SELECT key, name FROM known_signer ORDER BY name").fetchall()
        return tuple(KnownSigner(*row) for row in rows)

    def remember_signer(self, signer: KnownSigner) -> None:
        """From now on what its key signed is shown as theirs. Raises NameTaken where another key has the name."""
        with self._database.writing() as db:
            if any(same_name(signer.name, name) for (name,) in db.execute("SELECT name FROM rater").fetchall()):
                raise OwnNameTaken(signer.name)
            others = db.execute("SELECT name FROM known_signer WHERE key != ?", [signer.key]).fetchall()
            if any(same_name(signer.name, name) for (name,) in others):
                raise NameTaken(signer.name)
            db.execute("INSERT OR REPLACE INTO known_signer VALUES (?, ?)", [signer.key, signer.name])
            _count_anew(db)

    def forget_signer(self, key: str) -> None:
        with self._database.writing() as db:
            db.execute("DELETE FROM known_signer WHERE key = ?", [key])
            _count_anew(db)

    def check_name(self, name: str) -> None:
        """Whether this library's key may sign under it. Raises NameTaken."""
        with self._database.reading() as db:
            _check_own(db, name)

    def comments(self) -> tuple[BankComment, ...]:
        """The user's own, the newest first."""
        with self._database.reading() as db:
            rows = db.execute("SELECT text, item, number FROM bank_comment ORDER BY number DESC").fetchall()
        return tuple(BankComment(*row) for row in rows)

    def keep_comment(self, comment: BankComment) -> BankComment:
        """A new one, or the one with its id changed; returns it with its id."""
        with self._database.writing() as db:
            if not comment.id:
                db.execute("INSERT INTO bank_comment(text, item) VALUES (?, ?)", [comment.text, comment.item])
                number = int(db.execute("SELECT last_insert_rowid()").fetchone()[0])
                return BankComment(comment.text, comment.item, number)
            db.execute(
                "UPDATE bank_comment SET text = ?, item = ? WHERE number = ?",
                [comment.text, comment.item, comment.id],
            )
        return comment

    def remove_comment(self, comment: BankComment) -> None:
        with self._database.writing() as db:
            db.execute("DELETE FROM bank_comment WHERE number = ?", [comment.id])


def _check_own(db: Tables, name: str) -> None:
    known = db.execute("SELECT name FROM known_signer").fetchall()
    if any(same_name(name, other) for (other,) in known):
        raise NameTaken(name)
    if any(same_name(name, own) for (own,) in db.execute("SELECT name FROM rater").fetchall()):
        return
    raters = db.execute("SELECT DISTINCT rater FROM review WHERE NOT own AND signer != ''").fetchall()
    if any(same_name(name, other) for (other,) in raters):
        raise NameTaken(name)


def _count_anew(db: Tables) -> None:
    """What reviews of others count for follows from whose keys are known."""
    for (number,) in db.execute("SELECT DISTINCT of_case FROM review WHERE NOT own AND rater != ''").fetchall():
        writing.refresh(db, number)
