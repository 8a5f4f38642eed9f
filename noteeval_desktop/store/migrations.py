"""The tables, as numbered steps. A step that has been released is never changed: add another."""

from __future__ import annotations

import json
import os
import zlib

from noteeval_desktop.store.errors import LibraryNewer
from noteeval_desktop.store.tables import Tables


def _1_cases(db: Tables) -> None:
    """Cases with their transcripts, revisions, evaluations, reviews and tags. ``content``: zlib of domain.plain."""
    for statement in (
        """CREATE TABLE "case" (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            label TEXT NOT NULL, clinician TEXT NOT NULL, client TEXT NOT NULL, session_date TEXT,
            status TEXT NOT NULL, archived INTEGER NOT NULL DEFAULT 0, created TEXT NOT NULL, changed TEXT NOT NULL,
            transcript TEXT REFERENCES transcript(id) DEFERRABLE INITIALLY DEFERRED,
            judge TEXT, completeness REAL, conciseness REAL, faithfulness REAL)""",
        """CREATE TABLE transcript (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            of_case INTEGER NOT NULL REFERENCES "case"(number) ON DELETE CASCADE,
            sha256 TEXT NOT NULL, content BLOB NOT NULL)""",
        """CREATE TABLE revision (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            of_case INTEGER NOT NULL REFERENCES "case"(number) ON DELETE CASCADE,
            saved TEXT NOT NULL, sha256 TEXT NOT NULL, content BLOB NOT NULL)""",
        """CREATE TABLE evaluation (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            of_case INTEGER NOT NULL REFERENCES "case"(number) ON DELETE CASCADE,
            transcript TEXT NOT NULL REFERENCES transcript(id) DEFERRABLE INITIALLY DEFERRED,
            revision TEXT NOT NULL REFERENCES revision(id) DEFERRABLE INITIALLY DEFERRED,
            made TEXT NOT NULL, judge TEXT NOT NULL, complete INTEGER NOT NULL,
            completeness REAL, conciseness REAL, faithfulness REAL, content BLOB NOT NULL)""",
        """CREATE TABLE review (
            number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
            of_case INTEGER NOT NULL REFERENCES "case"(number) ON DELETE CASCADE,
            changed TEXT NOT NULL, content BLOB NOT NULL)""",
        """CREATE TABLE tag (
            of_case INTEGER NOT NULL REFERENCES "case"(number) ON DELETE CASCADE,
            name TEXT NOT NULL, PRIMARY KEY (of_case, name)) WITHOUT ROWID""",
        """CREATE TABLE draft (
            of_case INTEGER PRIMARY KEY REFERENCES "case"(number) ON DELETE CASCADE,
            saved TEXT NOT NULL, content BLOB NOT NULL)""",
        *(
            f'CREATE INDEX case_{column} ON "case"(archived, {column})'
            for column in (
                *("label", "clinician", "client", "session_date", "status", "changed", "created"),
                *("judge", "completeness", "conciseness", "faithfulness"),
            )
        ),
        *(f"CREATE INDEX {t}_of_case ON {t}(of_case)" for t in ("transcript", "revision", "evaluation", "review")),
        "CREATE INDEX tag_name ON tag(name)",
    ):
        db.execute(statement)


def _2_search(db: Tables) -> None:
    """Words of everything, by case number; no second copy of the texts is kept."""
    db.execute(
        """CREATE VIRTUAL TABLE case_words USING fts5(
            labels, transcript, notes, findings, content='', contentless_delete=1,
            tokenize="unicode61 remove_diacritics 2")"""
    )


def _3_audit(db: Tables) -> None:
    """The audit log; the file itself refuses to change or remove an entry."""
    db.execute(
        """CREATE TABLE audit (
            number INTEGER PRIMARY KEY, at TEXT NOT NULL, event TEXT NOT NULL, subject TEXT NOT NULL,
            detail TEXT NOT NULL, chain TEXT NOT NULL)"""
    )
    for change in ("UPDATE", "DELETE"):
        db.execute(
            f"CREATE TRIGGER audit_no_{change.lower()} BEFORE {change} ON audit "
            "BEGIN SELECT RAISE(ABORT, 'the audit log only grows'); END"
        )


def _4_verdicts(db: Tables) -> None:
    """Answers of language models, by fingerprint; ``used`` grows with every use, ``content`` is JSON in UTF-8."""
    db.execute("CREATE TABLE verdict (key TEXT PRIMARY KEY, used INTEGER NOT NULL, content BLOB NOT NULL)")
    db.execute("CREATE INDEX verdict_used ON verdict(used)")


def _5_supervision(db: Tables) -> None:
    """Who marks in this library (one row at most), and the user's own comments to use again."""
    db.execute("CREATE TABLE rater (name TEXT NOT NULL, credentials TEXT NOT NULL)")
    db.execute("CREATE TABLE bank_comment (number INTEGER PRIMARY KEY, text TEXT NOT NULL, item TEXT)")


def _6_references(db: Tables) -> None:
    """Without these, deleting a case looks through all evaluations for others of its session and its revisions."""
    db.execute('CREATE INDEX case_transcript ON "case"(transcript)')
    for column in ("transcript", "revision"):
        db.execute(f"CREATE INDEX evaluation_{column} ON evaluation({column})")


def _7_blind(db: Tables) -> None:
    """Where a case came from, which note's marks were opened before a review (its hash), and how far reviews are.

    ``stage`` is "under_way" or "handed_in" for a supervisor's review, and empty for a clinician's own.
    """
    db.execute('ALTER TABLE "case" ADD COLUMN imported INTEGER NOT NULL DEFAULT 0')
    db.execute("ALTER TABLE \"case\" ADD COLUMN seen TEXT NOT NULL DEFAULT ''")
    for column in ("rater", "note_sha256", "stage"):
        db.execute(f"ALTER TABLE review ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
    # An author's case was submitted, and so is in the log, before anything of it came back.
    db.execute(
        """UPDATE "case" SET imported = 1 WHERE id IN (SELECT subject FROM audit WHERE event = 'imported' AND number IN
        (SELECT min(number) FROM audit WHERE subject != '' GROUP BY subject))"""
    )
    for number, content in db.execute("SELECT number, content FROM review").fetchall():
        plain = json.loads(zlib.decompress(content).decode("utf-8", "surrogatepass"))
        stage = "" if plain["kind"] != "supervision" else "handed_in" if plain["submitted"] else "under_way"
        rater = plain["rater"].encode("utf-8", "replace").decode("utf-8")
        values = [rater, plain["note_sha256"], stage, number]
        db.execute("UPDATE review SET rater = ?, note_sha256 = ?, stage = ? WHERE number = ?", values)


def _8_signatures(db: Tables) -> None:
    """The library's signing key, keys of others that the user has compared, and which reviews were made here."""
    db.execute("CREATE TABLE signing_key (secret BLOB NOT NULL)")
    db.execute("INSERT INTO signing_key VALUES (?)", [os.urandom(32)])
    db.execute("CREATE TABLE known_signer (key TEXT PRIMARY KEY, name TEXT NOT NULL)")
    db.execute("ALTER TABLE review ADD COLUMN own INTEGER NOT NULL DEFAULT 0")
    for column in ("signer", "seal"):
        db.execute(f"ALTER TABLE review ADD COLUMN {column} TEXT NOT NULL DEFAULT ''")
    # Unfinished ones never travel; of the others only the rater's name and whose case it is say where they were made.
    db.execute(
        """UPDATE review SET own = 1 WHERE stage = 'under_way' OR rater != '' AND rater = (SELECT name FROM rater)
        OR stage = '' AND of_case IN (SELECT number FROM "case" WHERE NOT imported)"""
    )


def _9_note_files(db: Tables) -> None:
    """Where on this computer the note's file lies, and what it said last. ``content``: as in ``_1_cases``."""
    db.execute(
        """CREATE TABLE note_file (
            of_case INTEGER PRIMARY KEY REFERENCES "case"(number) ON DELETE CASCADE, content BLOB NOT NULL)"""
    )


def _10_open_risks(db: Tables) -> None:
    """As the list shows it; not known until something of the case is saved again."""
    db.execute('ALTER TABLE "case" ADD COLUMN open_risks INTEGER')


def _11_seen_notes(db: Tables) -> None:
    """Notes, by their hash, whose judge's marks were shown in this library: what was judged here or opened with its
    marks, and what a supervisor's review was handed in for."""
    db.execute("CREATE TABLE seen_note (sha256 TEXT PRIMARY KEY) WITHOUT ROWID")
    db.execute("""INSERT OR IGNORE INTO seen_note SELECT seen FROM "case" WHERE seen != ''""")
    db.execute(
        """INSERT OR IGNORE INTO seen_note SELECT sha256 FROM revision WHERE id IN (SELECT revision FROM evaluation
        WHERE of_case IN (SELECT number FROM "case" WHERE NOT imported))"""
    )
    db.execute("INSERT OR IGNORE INTO seen_note SELECT note_sha256 FROM review WHERE own AND stage = 'handed_in'")


def _12_state(db: Tables) -> None:
    """How many changes led here, and the key file's ``epoch`` that is known to be valid (-1: of an earlier program)."""
    db.execute("CREATE TABLE state (generation INTEGER NOT NULL, epoch INTEGER NOT NULL)")
    db.execute("INSERT INTO state VALUES (0, -1)")


def _13_who(db: Tables) -> None:
    """Under which account of the computer; empty in entries from before."""
    db.execute("ALTER TABLE audit ADD COLUMN who TEXT NOT NULL DEFAULT ''")


MIGRATIONS = (
    *(_1_cases, _2_search, _3_audit, _4_verdicts, _5_supervision, _6_references, _7_blind, _8_signatures),
    _9_note_files,
    _10_open_risks,
    _11_seen_notes,
    _12_state,
    _13_who,
)


def migrate(db: Tables, name: str) -> None:
    """Apply what is missing, each step whole or not at all. Raises LibraryNewer for tables of a newer program."""
    done = int(db.execute("PRAGMA user_version").fetchone()[0])
    if done > len(MIGRATIONS):
        raise LibraryNewer(name)
    for number, step in enumerate(MIGRATIONS[done:], start=done + 1):
        with db.atomic():
            step(db)
            db.execute(f"PRAGMA user_version = {number}")
