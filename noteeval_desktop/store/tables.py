"""Tables of an encrypted database, as sqlite-utils has them."""

from __future__ import annotations

import sys

import sqlcipher3
import sqlcipher3.dbapi2

# sqlite-utils takes SQLCipher's errors for SQLite's only when it finds it under this name on its first import.
sys.modules.setdefault("pysqlite3", sqlcipher3)
sys.modules.setdefault("pysqlite3.dbapi2", sqlcipher3.dbapi2)

from sqlite_utils import Database as Tables  # noqa: E402

__all__ = ["Tables"]
