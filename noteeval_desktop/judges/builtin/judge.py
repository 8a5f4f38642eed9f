"""The built-in judge: an encoder and small trained heads behind the judge protocol."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from noteeval_desktop import __version__, paths
from noteeval_desktop.domain.behaviours import MiCounts
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import JudgeIdentity, Usage
from noteeval_desktop.domain.note import Note, Sentence
from noteeval_desktop.domain.plan import Thread
from noteeval_desktop.domain.risk import RiskFinding
from noteeval_desktop.domain.rubric import Rubric
from noteeval_desktop.domain.thresholds import SHIPPED, Thresholds
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    ResponseVerdict,
    Severity,
)
from noteeval_desktop.engines.embedder import Embedder
from noteeval_desktop.errors import Cancelled, JudgeError
from noteeval_desktop.judges.builtin import conciseness
from noteeval_desktop.judges.builtin.completeness import checklist
from noteeval_desktop.judges.builtin.completeness import reading as note_reading
from noteeval_desktop.judges.builtin.completeness.heads import NoteHeads
from noteeval_desktop.judges.builtin.completeness.reading import NoteReading
from noteeval_desktop.judges.builtin.omissions.omissions import find_omissions
from noteeval_desktop.judges.builtin.plan_links import find_thread
from noteeval_desktop.judges.builtin.prompt_injection import detection
from noteeval_desktop.judges.builtin.responses.answers import score_responses
from noteeval_desktop.judges.builtin.session_index import SessionIndex, index_session
from noteeval_desktop.judges.builtin.support.supporter import Supporter
from noteeval_desktop.judges.builtin.text.language import session_in_english
from noteeval_desktop.judges.builtin.text.words import ClaimLexicon
from noteeval_desktop.judges.protocol import CountsBehaviours, Exchange, Ledger

_FOLDERS = ("heads", "lexicons", "composed")


@cache
def shipped() -> str:
    """A digest of the program's version, its trained files and its word lists. Reads 20 MB: not on the GUI thread."""
    digest = hashlib.sha256(__version__.encode())
    for folder in _FOLDERS:
        for file in sorted(path for path in (paths.resources() / folder).rglob("*") if path.is_file()):
            digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


VERSION = "1"
T = TypeVar("T")
_UNREAD_PART = ", unless what it says in another language does."
_FOREIGN_SESSION = "The session does not read as English"


class BuiltinJudge:
    """Answers every question from vectors. Keeps the last session's and the last note's reading, so that an edited
    sentence is embedded alone and the transcript not again."""

    def __init__(
        self,
        embedder: Embedder,
        rubric: Rubric,
        heads: NoteHeads,
        lexicon: ClaimLexicon,
        supporter: Supporter,
        ledger: Ledger,
    ) -> None:
        self.embedder, self._rubric, self._heads, self._lexicon = embedder, rubric, heads, lexicon
        self._supporter, self._ledger = supporter, ledger
        self._note: tuple[Note, NoteReading] | None = None
        self._session: tuple[Transcript, SessionIndex] | None = None
        self._quiet: tuple[Transcript, Transcript] | None = None
        self._english: tuple[Transcript, bool] | None = None
        self._thresholds = SHIPPED

    @property
    def identity(self) -> JudgeIdentity:
        version = f"{VERSION}{self._thresholds.version}"
        return JudgeIdentity("builtin", self.embedder.fingerprint, version, self._rubric.fingerprint, shipped())

    def tune(self, thresholds: Thresholds) -> None:
        """From now on; what was read of notes and sessions stands."""
        self._thresholds = thresholds

    def risks(self, case: Case, cancel: threading.Event) -> Iterator[RiskFinding]:
        if self._speaks_english(case.transcript):
            yield from _until(cancel, self._ledger(case, cancel))
            return
        # Known words are known words, even in a session that only seems to be in another language.
        yield from _until(cancel, (risk for risk in self._ledger(case, cancel) if not risk.by_meaning))
        raise JudgeError(f"{_FOREIGN_SESSION}; it was not checked for risk.")

    def behaviours(self, transcript: Transcript, cancel: threading.Event) -> MiCounts | None:
        if not isinstance(self._ledger, CountsBehaviours) or not self._speaks_english(transcript):
            return None
        return self._ledger.behaviours(self._heard(transcript, cancel), cancel)

    @property
    def rubric(self) -> Rubric:
        return self._rubric

    def use(self, rubric: Rubric) -> None:
        self._rubric = rubric

    def cover(self, case: Case, cancel: threading.Event) -> Iterator[ItemVerdict]:
        reading, session = self._read(case.note, cancel), self._index(case.transcript, cancel)
        rubric = self._rubric.for_judge(case)
        yield from _until(
            cancel,
            map(self._thresholds.item, checklist.verdicts(case.note, reading, self._heads, rubric, session)),
        )

    def need(self, case: Case, cancel: threading.Event) -> Iterator[NeedVerdict]:
        reading = self._read(case.note, cancel)
        yield from _until(
            cancel, map(self._thresholds.need, conciseness.verdicts(case.note, reading, self._heads, self._rubric))
        )

    def support(self, case: Case, cancel: threading.Event) -> Iterator[ClaimVerdict]:
        reading = self._read(case.note, cancel)
        judged, session = self._judged(case, cancel), self._index(case.transcript, cancel)
        verdicts = map(self._thresholds.claim, self._supporter(judged, session, cancel))
        yield from _until(
            cancel,
            (_unread(sentence, reading) or next(verdicts) for sentence in case.note.sentences),
        )

    def omit(self, case: Case, claims: Sequence[ClaimVerdict], cancel: threading.Event) -> Iterator[Omission]:
        if not self._speaks_english(case.transcript):
            raise JudgeError(f"{_FOREIGN_SESSION}; it was not checked for what the note leaves out.")
        if not self._read(case.note, cancel).english:
            raise JudgeError("The note does not read as English; it was not checked for what it leaves out.")
        judged, session = self._judged(case, cancel), self._index(case.transcript, cancel)
        omissions = find_omissions(judged, self.embedder, session, self._lexicon, cancel, ledger=self._ledger)
        if self._read(case.note, cancel).foreign:
            omissions = (replace(one, rationale=one.rationale.rstrip(".") + _UNREAD_PART) for one in omissions)
        yield from _until(cancel, omissions)

    def thread(self, case: Case, cancel: threading.Event) -> Iterator[Thread]:
        if case.plan is not None:
            yield find_thread(case, case.plan, self.embedder, self._lexicon, cancel)

    def respond(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> Iterator[ResponseVerdict]:
        yield from _until(cancel, score_responses(self._heard_in(exchanges, cancel), self.embedder, cancel))

    def left_out(self, transcript: Transcript) -> tuple[int, ...]:
        if self._quiet is None or self._quiet[0] != transcript:
            return ()
        pairs = zip(transcript.turns, self._quiet[1].turns, strict=True)
        return tuple(turn.index for turn, heard in pairs if turn != heard)

    def usage(self) -> Usage:
        """Nothing is called, sent or paid for."""
        return Usage()

    def close(self) -> None:
        """Free the encoder; nothing can be asked afterwards."""
        self.embedder.close()

    def _speaks_english(self, transcript: Transcript) -> bool:
        if self._english is None or self._english[0] != transcript:
            self._english = (transcript, session_in_english(transcript))
        return self._english[1]

    def _judged(self, case: Case, cancel: threading.Event) -> Case:
        """The case without what speaks to whoever grades the note, says nothing or is in another language."""
        return replace(case, note=self._read(case.note, cancel).note, transcript=self._heard(case.transcript, cancel))

    def _heard(self, transcript: Transcript, cancel: threading.Event) -> Transcript:
        if self._quiet is None or self._quiet[0] != transcript:
            quiet = detection.quiet_transcript(transcript, self._heads.reader_head, self.embedder, cancel)
            self._quiet = (transcript, quiet)
        return self._quiet[1]

    def _heard_in(self, exchanges: Sequence[Exchange], cancel: threading.Event) -> list[Exchange]:
        """Without what speaks to the reader, unless that is all of a response that stands by itself."""
        said = [text for one in exchanges for text in (*(turn.text for turn in one.context), one.response)]
        head = self._heads.reader_head
        heard = {text: detection.quiet(text, head, self.embedder, cancel) for text in dict.fromkeys(said)}
        return [
            replace(
                exchange,
                context=tuple(replace(turn, text=heard[turn.text]) for turn in exchange.context),
                response=heard[exchange.response] or (exchange.response if exchange.turn is None else ""),
            )
            for exchange in exchanges
        ]

    def _read(self, note: Note, cancel: threading.Event) -> NoteReading:
        if self._note is None or self._note[0] != note:
            self._note = (note, note_reading.read(note, self._heads, self.embedder, cancel))
        return self._note[1]

    def _index(self, transcript: Transcript, cancel: threading.Event) -> SessionIndex:
        if self._session is None or self._session[0] != transcript:
            heard = self._heard(transcript, cancel)
            self._session = (transcript, index_session(heard, self.embedder, self._lexicon, cancel))
        return self._session[1]


def _unread(sentence: Sentence, reading: NoteReading) -> ClaimVerdict | None:
    """The verdict on a sentence that was left out before judging."""
    if sentence.id in reading.set_aside:
        return ClaimVerdict(
            sentence.id, None, severity=Severity.LOW, rationale=conciseness.TO_THE_READER, set_aside=True
        )
    if sentence.id in reading.foreign:
        return ClaimVerdict(sentence.id, None, severity=Severity.LOW, rationale=conciseness.SENTENCE_NOT_ENGLISH)
    if sentence.id in reading.uninformative:
        return ClaimVerdict(sentence.id, None, rationale=conciseness.UNINFORMATIVE, set_aside=True)
    return None


def _until(cancel: threading.Event, verdicts: Iterable[T]) -> Iterator[T]:
    for verdict in verdicts:
        if cancel.is_set():
            raise Cancelled
        yield verdict
