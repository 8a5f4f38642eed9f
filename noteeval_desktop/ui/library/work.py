"""What the library's jobs do on the disk, the ways into it among them: values in, values out, no widget."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from noteeval_desktop import documents
from noteeval_desktop.compliance.earlier import background
from noteeval_desktop.domain.carrying import as_came_back
from noteeval_desktop.domain.case import Background, Case, EarlierNote
from noteeval_desktop.domain.decisions import Decision, DecisionKind
from noteeval_desktop.domain.evaluation import Evaluation
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.domain.review import Answer, AnswerKind, Review, ReviewKind
from noteeval_desktop.domain.standing import came_back
from noteeval_desktop.domain.transcript import Transcript
from noteeval_desktop.store.backup import Backup
from noteeval_desktop.store.drafts import Draft
from noteeval_desktop.store.errors import StoreError
from noteeval_desktop.store.keys import SecretStore
from noteeval_desktop.store.library import Library, Unlock, by_passphrase, by_recovery_key
from noteeval_desktop.store.records import CaseQuery, CaseSummary, Labels, NoteFile, Revision
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.witness import MemoryFile
from noteeval_desktop.ui.case import notices
from noteeval_desktop.ui.library.revisions import Kept

FindKeychain = Callable[[], SecretStore | None]


@dataclass(frozen=True, slots=True)
class Secret:
    """What was typed: the passphrase or, with a new passphrase, the recovery key."""

    typed: str
    new_passphrase: str = ""

    @property
    def unlock(self) -> Unlock:
        return by_recovery_key(self.typed) if self.new_passphrase else by_passphrase(self.typed)


def look(folder: Path, find_keychain: FindKeychain) -> tuple[bool, SecretStore | None, bool]:
    """Whether there is a library, this system's keychain, and whether that may open the library."""
    exists, keychain, by_keychain = Library.exists(folder), find_keychain(), False
    # Unlocking meets it again, and says it where there is room to.
    with suppress(StoreError):
        by_keychain = exists and keychain is not None and Library.asks_keychain(folder)
    return exists, keychain, by_keychain


def create(folder: Path, passphrase: str, keychain: SecretStore | None, cost: Cost | None) -> tuple[Library, str]:
    library, recovery = Library.create(folder, passphrase, keychain, cost)
    library.remember_in(_memory(folder, lambda: keychain))
    return library, recovery


def unlock(folder: Path, secret: Secret, cost: Cost | None, find_keychain: FindKeychain) -> Library:
    """The keychain, or else a file, remembers in which state the library was left."""
    library = Library.open(folder, secret.unlock, keychain=_memory(folder, find_keychain))
    return _with_new_passphrase(library, secret, cost)


def restore(folder: Path, backup: Backup, secret: Secret, cost: Cost | None, find_keychain: FindKeychain) -> Library:
    """The backup in the library's place; what was there is kept beside the backups."""
    library = Library.restore(folder, backup, secret.unlock, keychain=_memory(folder, find_keychain))
    return _with_new_passphrase(library, secret, cost)


def _memory(folder: Path, find_keychain: FindKeychain) -> SecretStore:
    return find_keychain() or MemoryFile(folder.with_name("library-state.json"))


def _with_new_passphrase(library: Library, secret: Secret, cost: Cost | None) -> Library:
    if secret.new_passphrase:
        try:
            library.set_passphrase(secret.new_passphrase, cost)
        except BaseException:
            library.lock()
            raise
    return library


def confirmed(library: Library, passphrase: str) -> Library:
    """For what must be meant. Raises NotConfirmed."""
    library.confirm(passphrase)
    return library


AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Desk:
    """The case as it stands in the window; ``on_file``: the note's file, and what it says."""

    transcript: Transcript
    note_text: str
    evaluation: Evaluation | None
    decisions: tuple[Decision, ...]
    on_file: tuple[Path, str] | None = None

    @property
    def judged(self) -> Evaluation | None:
        """The evaluation, where it is of this very note and session."""
        evaluation = self.evaluation
        if evaluation is None or evaluation.case.note.text != self.note_text:
            return None
        return evaluation if evaluation.case.transcript == self.transcript else None


@dataclass(frozen=True, slots=True)
class Choices:
    """What the cases of the library differ in."""

    clinicians: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """Some of the cases that fit; ``total`` is how many fit."""

    cases: tuple[CaseSummary, ...]
    total: int
    choices: Choices


def find(library: Library, query: CaseQuery, start: int = 0) -> Found:
    """At most ``AT_ONCE`` cases from number ``start`` on."""
    cases = library.cases
    choices = Choices(*(cases.choices(column) for column in ("clinician", "client", "judge", "tag")))
    return Found(cases.find(query, AT_ONCE, start), cases.count(query), choices)


class KeptCase:
    """The case of the library that is on the desk. Belongs to the disk lane, whose jobs run one at a time."""

    def __init__(self, case_id: str, evaluations: Iterable[Evaluation] = (), reviewed: bool = False) -> None:
        self.id = case_id
        self._evaluations, self._reviewed = list(evaluations), reviewed

    def save(self, library: Library, desk: Desk) -> None:
        """A revision with its scores, the session where roles changed, and what was decided."""
        library.cases.save_note(self.id, documents.parse_note(desk.note_text))
        if desk.judged is not None:
            self.save_evaluation(library, desk.judged)
        self.save_beside_note(library, desk)

    def save_beside_note(self, library: Library, desk: Desk) -> None:
        """Who is who in the session, and what was decided."""
        library.cases.save_transcript(self.id, desk.transcript)
        self.save_decisions(library, desk)

    def save_file(self, library: Library, path: Path, text: str) -> None:
        """From now on it is the note's file, also when the case is opened again."""
        library.cases.save_note_file(self.id, NoteFile(str(path), text))

    def save_evaluation(self, library: Library, evaluation: Evaluation) -> None:
        """Unless this judge has already judged this note and session."""
        if not any(one.judge == evaluation.judge and one.case == evaluation.case for one in self._evaluations):
            library.cases.save_evaluation(self.id, evaluation)
            self._evaluations.append(evaluation)

    def save_decisions(self, library: Library, desk: Desk) -> None:
        """As answers in the case's one self-review."""
        if not desk.decisions and not self._reviewed:
            return
        answers = tuple(_answer(decision) for decision in desk.decisions)
        started = min((answer.when for answer in answers if answer.when), default=datetime.now(UTC))
        note_sha256 = documents.parse_note(desk.note_text).sha256
        review_id = hashlib.sha256(f"self-review of {self.id}".encode()).hexdigest()[:32]
        review = Review(review_id, ReviewKind.SELF, "", note_sha256, started, answers=answers)
        library.cases.save_review(self.id, review)
        self._reviewed = True


@dataclass(frozen=True, slots=True)
class Loaded:
    """A kept case as it goes onto the desk; ``held``: what the library holds of it; ``unsaved``: the text is newer than
    the last revision; ``warning``: what a person should see before they trust the evaluation."""

    kept: KeptCase
    label: str
    desk: Desk
    held: Desk
    unsaved: bool
    warning: str


def keep(library: Library, desk: Desk, labels: Labels) -> KeptCase:
    """A new case."""
    note = documents.parse_note(desk.note_text)
    kept = KeptCase(library.cases.add(Case(desk.transcript, note, labels.label), labels))
    if desk.judged is not None:
        kept.save_evaluation(library, desk.judged)
    kept.save_decisions(library, desk)
    if desk.on_file is not None:
        kept.save_file(library, *desk.on_file)
    return kept


def load(library: Library, case_id: str, spoiling: bool = False) -> Loaded:
    """``spoiling``: although its blind review is pending."""
    # Not above: numpy takes longer to load than the window to show.
    from noteeval_desktop.judges.exchanges import with_reading

    opened = library.cases.open(case_id, spoiling, shown=True)
    own = [review for review in opened.reviews if review.kind is ReviewKind.SELF]
    latest = opened.revisions[-1]
    judged = [one.evaluation for one in opened.evaluations]
    newest = next((with_reading(o.evaluation) for o in reversed(opened.evaluations) if o.revision == latest.id), None)
    unsaved = opened.draft is not None and opened.draft.text != latest.note.text
    text = opened.draft.text if opened.draft and unsaved else latest.note.text
    file = opened.note_file
    on_file = (Path(file.path), file.text) if file is not None else None
    desk = Desk(opened.transcript, text, newest, decisions_of(own), on_file)
    # Here, not where it is shown: reading a long session would hold the window up.
    warning = notices.warning(newest.case) if newest is not None else ""
    return Loaded(KeptCase(case_id, judged, bool(own)), opened.summary.labels.label, desk, desk, unsaved, warning)


def with_draft(loaded: Loaded, draft: Draft) -> Loaded:
    """With what was typed and decided last, in the place of what the library holds."""
    transcript = draft.transcript or loaded.held.transcript
    typed = replace(loaded.held, transcript=transcript, note_text=draft.note_text, decisions=draft.decisions)
    return replace(loaded, desk=typed, unsaved=True)


def background_of(library: Library, note_text: str, case_id: str) -> Background:
    """What the library knows of the client of a note: by the labels of its case, where it is kept, or by its head."""
    note = documents.parse_note(note_text)
    kept = library.cases.summary(case_id).labels if case_id else Labels()
    client = kept.client or documents.client_and_date(note_text, False)[0]
    if not client:
        return Background()
    known = library.cases.choices("client")
    own = [name for name in known if name.casefold() == client.casefold()]
    found = [
        EarlierNote(one, labels.session_date or documents.client_and_date(one.text, False)[1], labels.label)
        for name in own
        for other, labels, one in library.cases.notes_of(name)
        if other != case_id
    ]
    others = tuple(name for name in known if name not in own)
    return background(note, kept.session_date, found, known=Background(others=others))


def history(library: Library, case_id: str) -> tuple[Kept, ...]:
    """With the marks of each revision as they were settled, where a supervisor's came back of it or of one before."""
    opened = library.cases.read(case_id)
    judged = {one.revision: one.evaluation for one in opened.evaluations if one.evaluation.complete}
    back = came_back(opened.counted_reviews, opened.summary.status, opened.revisions[-1].note.sha256)

    notes = {one.note.sha256: one.note for one in opened.revisions}
    seen: set[str] = set()

    def kept(one: Revision) -> Kept:
        """Of a later revision the marks that still hold of it."""
        seen.add(one.note.sha256)
        evaluation = judged.get(one.id)
        so_far = [review for note, review in back.items() if note in seen]
        return Kept(one.number, one.saved, one.note, evaluation and as_came_back(evaluation, so_far, notes))

    return tuple(map(kept, opened.revisions))


def decisions_of(reviews: list[Review]) -> tuple[Decision, ...]:
    return tuple(
        Decision(
            DecisionKind.DISMISS if answer.kind is AnswerKind.DISMISSED else DecisionKind.ATTEST,
            answer.finding,
            answer.reason,
            _local(answer.when or review.started),
        )
        for review in reviews
        for answer in review.answers
        if answer.kind is not AnswerKind.FIXED
    )


def save_and_lock(library: Library, kept_case: KeptCase | None, desk: Desk | None) -> bool:
    """Keep what was being typed and decided, and lock; False where that could not be kept. ``desk``: where something is
    not saved yet."""
    kept = True
    try:
        if kept_case is not None and desk is not None:
            library.cases.save_draft(kept_case.id, desk.note_text)
            kept_case.save_beside_note(library, desk)
    except StoreError:
        kept = False
    finally:
        # The key is gone and the file closed even where the disk took no last line of the audit log.
        with suppress(StoreError):
            library.lock()
    return kept


def _answer(decision: Decision) -> Answer:
    kind = AnswerKind.DISMISSED if decision.kind is DecisionKind.DISMISS else AnswerKind.ACCEPTED
    when = decision.when.astimezone(UTC)
    return Answer(decision.subject, kind, decision.reason or tr("No reason was given."), when)


def _local(when: datetime) -> datetime:
    """As the desk has its times; earlier versions kept them so as well."""
    return when.astimezone().replace(tzinfo=None) if when.tzinfo else when
