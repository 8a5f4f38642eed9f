"""Which cases have a supervisor's blind review before them, as SQL over table "case".

A case waits for one where it was imported here (so somebody else keeps it as its author) and submitted, and the rater
of this library has handed in, here, no review of its latest revision. One is under way where an unfinished review of
the latest revision is in this library, whoever's case it is. Neither holds once the judge's marks of the latest note
were shown in this library (``seen_note``): nothing is left to hide then, and no later mark is blind. That
is remembered by the note's hash, which outlives the case: deleting it and importing it anew hides nothing again.
"""

from __future__ import annotations

_LATEST = 'SELECT sha256 FROM revision WHERE of_case = "case".number ORDER BY number DESC LIMIT 1'
_OF_LATEST = f'SELECT 1 FROM review WHERE of_case = "case".number AND note_sha256 = ({_LATEST})'
# A value of records.Pending, or null.
PENDING = f"""CASE
    WHEN EXISTS (SELECT 1 FROM seen_note WHERE sha256 = ({_LATEST})) THEN NULL
    WHEN EXISTS ({_OF_LATEST} AND stage = 'under_way') THEN 'under_way'
    WHEN imported AND status IN ('submitted', 'resubmitted') AND NOT EXISTS
        ({_OF_LATEST} AND stage = 'handed_in' AND own AND rater = (SELECT name FROM rater)) THEN 'waiting'
    END"""
_UNSAVED = 'EXISTS (SELECT 1 FROM draft WHERE of_case = "case".number)'
COLUMNS = f'"case".*, {PENDING} AS pending, {_UNSAVED} AS unsaved'
MARK_SEEN = """INSERT OR IGNORE INTO seen_note SELECT sha256 FROM revision WHERE id IN
    (SELECT revision FROM evaluation WHERE of_case = ?)"""
SEEN = "SELECT sha256 FROM revision WHERE of_case = ? AND sha256 IN (SELECT sha256 FROM seen_note)"
