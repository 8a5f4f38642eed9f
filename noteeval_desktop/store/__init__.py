"""The encrypted library: cases that last. ``library.Library`` is what the rest of the program uses."""

from __future__ import annotations

import sys

import sqlcipher3
import sqlcipher3.dbapi2

# sqlite-utils takes SQLCipher's errors for SQLite's only when it finds it under this name on its first import.
sys.modules.setdefault("pysqlite3", sqlcipher3)
sys.modules.setdefault("pysqlite3.dbapi2", sqlcipher3.dbapi2)
