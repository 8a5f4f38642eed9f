"""Many cases through the pipeline: a list of pairs in, a file a case, and what became of each in one line.

Nothing here grows with the number of notes: the list lies in a database of SQLite's, results go to files as they come.
"""

from noteeval_desktop.batch.judging import (
    Outcome,
    Plan,
    finished_before,
    given_note,
    given_transcript,
    read_case,
    readable,
)
from noteeval_desktop.batch.pairs import Pair, Worklist, read_pairs
from noteeval_desktop.batch.results import Ledger
from noteeval_desktop.batch.running import run, run_in_processes
