"""Answers of language models, kept in the library so that a question already answered is not asked again."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from typing import Any

from noteeval_desktop.store.database import Database

MOST_ANSWERS = 20_000
LONGEST_ANSWER = 64_000


class VerdictCache:
    """By a fingerprint of everything that an answer depends on. Safe to share between threads.

    At most ``most`` answers: the ones not used for longest go first. Answers may quote the session, so they
    leave the file, its journal and its free pages with ``clear``, and never enter a backup.
    """

    def __init__(self, database: Database, most: int = MOST_ANSWERS) -> None:
        self._database, self._most = database, most
        self._lock = threading.Lock()
        self._used: set[str] = set()

    def get(self, key: str) -> Mapping[str, Any] | None:
        """Raises StoreError."""
        with self._database.reading() as db:
            row = db.execute("SELECT content FROM verdict WHERE key = ?", [key]).fetchone()
        if row is None:
            return None
        # Marked with the next writing: a commit for each answer read would cost more than reading it.
        with self._lock:
            self._used.add(key)
        answer: Mapping[str, Any] = json.loads(row[0])
        return answer

    def put(self, key: str, answer: Mapping[str, Any]) -> None:
        """An answer beyond all measure is not kept. Raises StoreError."""
        content = json.dumps(answer, separators=(",", ":")).encode()
        if len(content) > LONGEST_ANSWER:
            return
        with self._lock:
            used, self._used = self._used, set()
        with self._database.writing() as db:
            now = int(db.execute("SELECT coalesce(max(used), 0) + 1 FROM verdict").fetchone()[0])
            for known in used:
                db.execute("UPDATE verdict SET used = ? WHERE key = ?", [now, known])
            db.execute("INSERT OR REPLACE INTO verdict (key, used, content) VALUES (?, ?, ?)", [key, now + 1, content])
            surplus = self._count(db) - self._most
            if surplus > 0:
                db.execute(
                    "DELETE FROM verdict WHERE key IN (SELECT key FROM verdict ORDER BY used LIMIT ?)", [surplus]
                )

    def count(self) -> int:
        with self._database.reading() as db:
            return self._count(db)

    def clear(self) -> None:
        """Forget every answer; the file is written anew, so that nothing of them is left in it. Raises StoreError."""
        if self.count() == 0:
            return
        with self._database.writing() as db:
            db.execute("DELETE FROM verdict")
        self._database.shred()

    @staticmethod
    def _count(db: Any) -> int:
        return int(db.execute("SELECT count(*) FROM verdict").fetchone()[0])
