"""A library used in any order, and killed in between, beside a dictionary that is used alike."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.standing import CaseStatus
from noteeval_desktop.store.errors import CaseNotFound, WrongPassphrase
from noteeval_desktop.store.library import Library, by_passphrase, by_recovery_key
from noteeval_desktop.store.records import CaseQuery, Labels
from tests.factories import make_case, make_note
from tests.store.conftest import CHEAP, PASSPHRASE

WORDS = ("Schlaf", "brother's", "睡眠", "anxious", "🙂")
SEARCHED = ("Schlaf", "brother", "睡眠", "anx")
texts = st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
# Which of the cases, or backups, that there are.
places = st.integers(min_value=0, max_value=5)


def note_of(text: str) -> Note:
    return make_note({Section.PLAN: [text]})


@dataclass(frozen=True)
class Kept:
    """What is to be found of a case again."""

    label: str
    notes: tuple[str, ...]
    draft: str | None = None
    status: CaseStatus = CaseStatus.DRAFT
    archived: bool = False

    def with_note(self, text: str) -> Kept:
        if self.notes[-1] == text:
            return replace(self, draft=None)
        approved = self.status is CaseStatus.APPROVED
        status = CaseStatus.DRAFT if approved else self.status
        return replace(self, draft=None, notes=(*self.notes, text), status=status)


class Uses(RuleBasedStateMachine):
    """``kept``: what the library holds by the model; ``backed_up``: what it held when each backup was made."""

    def __init__(self) -> None:
        super().__init__()
        self._open = ExitStack()
        self._top = Path(self._open.enter_context(TemporaryDirectory()))
        self._folder, self._ticks, self._fuse = self._top / "0", 0, 0
        self._passphrase = PASSPHRASE
        self.library, self._recovery = Library.create(self._folder, PASSPHRASE, cost=CHEAP, clock=self._clock)
        self.kept: dict[str, Kept] = {}
        self.backed_up: dict[datetime, dict[str, Kept]] = {}

    def teardown(self) -> None:
        self.library.lock()
        self._open.close()

    def _clock(self) -> datetime:
        self._ticks += 1
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=self._ticks)

    def _burn(self, _statement: str) -> None:
        """Where the fuse has burnt down, the files stay as they are at this moment: the program is killed."""
        self._fuse -= 1
        if self._fuse == 0:
            shutil.copytree(self._folder, self._top / "killed")

    def _do(self, act: Callable[[], object], after: dict[str, Kept]) -> None:
        """``after``: what is kept when ``act`` was not killed; when it was, that or what was kept before."""
        connection = self.library._database._connection
        connection.set_trace_callback(self._burn if self._fuse > 0 else None)
        act()
        killed = self._top / "killed"
        if killed.exists():
            self.library.lock()
            self._folder = killed.rename(self._top / str(self._ticks))
            self.library = Library.open(self._folder, by_recovery_key(self._recovery), self._clock)
            found = self._found()
            assert found in (self.kept, after)
            self.kept = found
        else:
            self.kept = after
        for backup in Library.backups_in(self._folder):
            self.backed_up.setdefault(backup.made, self.kept)

    def _change(self, place: int, act: Callable[[str], object], change: Callable[[Kept], Kept]) -> None:
        case_id = self._case(place)
        self._do(lambda: act(case_id), self.kept | {case_id: change(self.kept[case_id])})

    def _case(self, place: int) -> str:
        return list(self.kept)[place % len(self.kept)]

    def _found(self) -> dict[str, Kept]:
        cases = self.library.cases
        lines = [line for archived in (False, True) for line in cases.find(CaseQuery(archived=archived))]
        found = {}
        for line in lines:
            opened = cases.read(line.id)
            notes = tuple(revision.note.text for revision in opened.revisions)
            draft = opened.draft.text if opened.draft else None
            found[line.id] = Kept(line.labels.label, notes, draft, line.status, line.archived)
        return found

    @rule(statements=st.integers(min_value=1, max_value=20))
    def light_the_fuse(self, statements: int) -> None:
        self._fuse = statements

    @precondition(lambda self: len(self.kept) < 4)
    @rule(label=texts, text=texts)
    def add(self, label: str, text: str) -> None:
        case = make_case(label=label, note=note_of(text))
        after = dict(self.kept)
        # Its id is known only once it is kept.
        self._do(lambda: after.update({self.library.cases.add(case): Kept(label, (case.note.text,))}), after)

    @precondition(lambda self: 0 < len(self.kept) < 4)
    @rule(place=places)
    def duplicate(self, place: int) -> None:
        case_id, before = self._case(place), dict(self.kept)
        copy = self.library.cases.duplicate(case_id)
        kept = before[case_id]
        self.kept = before | {copy: Kept(f"{kept.label} (copy)", kept.notes)}

    @precondition(lambda self: bool(self.kept))
    @rule(place=places, text=texts)
    def save_note(self, place: int, text: str) -> None:
        note = note_of(text)
        self._change(
            place, lambda case_id: self.library.cases.save_note(case_id, note), lambda kept: kept.with_note(note.text)
        )

    @precondition(lambda self: bool(self.kept))
    @rule(place=places, text=texts)
    def type_on(self, place: int, text: str) -> None:
        self._change(
            place,
            lambda case_id: self.library.cases.save_draft(case_id, text),
            lambda kept: replace(kept, draft=text),
        )

    @precondition(lambda self: bool(self.kept))
    @rule(place=places, label=texts)
    def rename(self, place: int, label: str) -> None:
        self._change(
            place,
            lambda case_id: self.library.cases.set_labels(case_id, Labels(label=label)),
            lambda kept: replace(kept, label=label),
        )

    @precondition(lambda self: bool(self.kept))
    @rule(place=places, archived=st.booleans())
    def archive(self, place: int, archived: bool) -> None:
        self._change(
            place,
            lambda case_id: self.library.cases.set_archived(case_id, archived),
            lambda kept: replace(kept, archived=archived),
        )

    @precondition(lambda self: bool(self.kept))
    @rule(place=places, status=st.sampled_from(CaseStatus))
    def set_status(self, place: int, status: CaseStatus) -> None:
        if status in self.kept[self._case(place)].status.next:
            self._change(
                place,
                lambda case_id: self.library.cases.set_status(case_id, status),
                lambda kept: replace(kept, status=status),
            )
        else:
            with pytest.raises(ValueError, match="follow"):
                self.library.cases.set_status(self._case(place), status)

    @precondition(lambda self: bool(self.kept))
    @rule(place=places)
    def delete(self, place: int) -> None:
        case_id = self._case(place)
        self._do(lambda: self.library.delete(case_id), {one: kept for one, kept in self.kept.items() if one != case_id})
        if case_id not in self.kept:
            for held in self.backed_up.values():
                held.pop(case_id, None)
            for backup in Library.backups_in(self._folder):
                assert self.library.test_backup(backup).cases == len(self.backed_up[backup.made])
            with pytest.raises(CaseNotFound):
                self.library.cases.read(case_id)

    @rule(by_hand=st.booleans(), mistaken=st.booleans())
    def lock_and_unlock(self, by_hand: bool, mistaken: bool) -> None:
        unlock = by_passphrase(self._passphrase) if by_hand else by_recovery_key(self._recovery)

        def act() -> None:
            self.library.lock()
            if mistaken:
                with pytest.raises(WrongPassphrase):
                    Library.open(self._folder, by_passphrase("not this one"), self._clock)
            self.library = Library.open(self._folder, unlock, self._clock)

        self._do(act, self.kept)

    @rule(passphrase=st.sampled_from([PASSPHRASE, "another passphrase"]))
    def change_the_passphrase(self, passphrase: str) -> None:
        self._passphrase = passphrase
        self._do(lambda: self.library.set_passphrase(passphrase, CHEAP), self.kept)

    @precondition(lambda self: len(Library.backups_in(self._folder)) < 3)
    @rule()
    def back_up(self) -> None:
        self._do(self.library.back_up, self.kept)

    @precondition(lambda self: bool(Library.backups_in(self._folder)))
    @rule(place=places)
    def restore(self, place: int) -> None:
        backups = Library.backups_in(self._folder)
        backup = backups[place % len(backups)]

        def act() -> None:
            self.library = self.library.restored_from(backup)

        self._do(act, dict(self.backed_up[backup.made]))

    @invariant()
    def holds_what_was_kept_and_finds_it_by_its_words(self) -> None:
        self.library._database._connection.set_trace_callback(None)
        assert self._found() == self.kept
        for word in SEARCHED:
            found = {line.id for line in self.library.cases.find(CaseQuery(text=word))}
            assert found == {
                case_id
                for case_id, kept in self.kept.items()
                if not kept.archived and word in " ".join([kept.label, *kept.notes])
            }
        assert self.library.audit.first_broken() is None


TestAnyOrder = pytest.mark.timeout(600)(Uses.TestCase)
TestAnyOrder.settings = settings(
    max_examples=15, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
