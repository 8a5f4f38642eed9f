"""What supervision keeps for the whole library: who the rater is, whose keys are known, and the comment bank."""

from __future__ import annotations

from dataclasses import dataclass

from noteeval_desktop.store import reading
from noteeval_desktop.store.database import Database


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
        with self._database.writing() as db:
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
        """From now on what its key signed is shown as theirs."""
        with self._database.writing() as db:
            db.execute("INSERT OR REPLACE INTO known_signer VALUES (?, ?)", [signer.key, signer.name])

    def forget_signer(self, key: str) -> None:
        with self._database.writing() as db:
            db.execute("DELETE FROM known_signer WHERE key = ?", [key])

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
