"""Case files that somebody made to do harm: refused before they cost anything, with nothing changed."""

from __future__ import annotations

import json
import time
import zlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.plain import to_plain
from noteeval_desktop.domain.review import Comment, Review, ReviewKind
from noteeval_desktop.domain.text import Span
from noteeval_desktop.errors import InputError
from noteeval_desktop.store import case_file, case_file_reading
from noteeval_desktop.store.errors import CaseFileDamaged
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.sealing import Cost, checksum, seal_with_passphrase, sealed_from_plain
from tests.factories import make_case
from tests.sample_evaluation import sample_evaluation

WORDS = "three quiet rivers"
NOW = datetime.now(UTC)


@pytest.fixture
def written(library: Library, tmp_path: Path, cheap: Cost) -> Path:
    """With everything that a case can hold."""
    evaluation = sample_evaluation()
    case_id = library.cases.add(evaluation.case)
    library.cases.save_evaluation(case_id, evaluation)
    comment = Comment(Span(0, 4), evaluation.case.note.text[:4], "🙂")
    note = evaluation.case.note.sha256
    review = Review("r" * 32, ReviewKind.SUPERVISION, "Kim", note, NOW, comments=(comment,), submitted=NOW)
    library.cases.save_review(case_id, review)
    library.export_case(case_id, tmp_path / "sent", WORDS, cheap)
    return tmp_path / "sent"


def reseal(path: Path, packed: bytes, cost: Cost) -> None:
    path.write_bytes(case_file._written(seal_with_passphrase(packed, WORDS, "noteeval.case/1", cost)))


def head_of(path: Path, **changes: object) -> None:
    """The same file with another head, and a checksum that fits it."""
    magic, line, box = path.read_bytes().split(b"\n", 2)
    head = json.loads(line) | changes
    del head["checksum"]
    head["checksum"] = checksum(json.dumps(head, sort_keys=True).encode() + box)
    path.write_bytes(magic + b"\n" + json.dumps(head).encode() + b"\n" + box)


@pytest.mark.parametrize(
    "head",
    [
        {"cost": {"memory_kib": 1 << 20, "passes": 32, "lanes": 4}},
        {"cost": {"memory_kib": 1 << 18, "passes": 5, "lanes": 4}},
        {"cost": {"memory_kib": 64, "passes": 10**9, "lanes": 1}},
        {"cost": {"memory_kib": 64.0, "passes": 1, "lanes": 1}},
        {"cost": {"memory_kib": True, "passes": 1, "lanes": 1}},
        {"cost": {"memory_kib": "64", "passes": 1, "lanes": 1}},
        {"cost": None},
        {"salt": ""},
        {"salt": "QUJD"},
        {"nonce": "QUJD"},
        {"nonce": 7},
        {"padding": "x" * 5000},
    ],
)
def test_a_head_that_asks_for_what_no_case_file_needs_is_refused_before_any_work(
    library: Library, written: Path, monkeypatch: pytest.MonkeyPatch, head: dict[str, object]
) -> None:
    monkeypatch.setattr(case_file, "run_isolated", lambda *_, **__: pytest.fail("it was opened"))
    head_of(written, **head)
    with pytest.raises(CaseFileDamaged):
        library.import_case(written, WORDS)


def test_the_usual_cost_is_paid() -> None:
    plain = seal_with_passphrase(b"", WORDS, "p", Cost(64, 1, 1)).to_plain()
    assert sealed_from_plain(plain | {"cost": {"memory_kib": 65_536, "passes": 3, "lanes": 4}}).cost == Cost()


@pytest.mark.parametrize("part", [b" ", b"[],", b'{"a":0},'])
def test_a_small_file_that_becomes_a_large_one_is_refused_at_once(
    library: Library, written: Path, cheap: Cost, part: bytes
) -> None:
    bomb = b'{"x":[' + part * (256_000_000 // len(part)) + b"0]}"
    reseal(written, zlib.compress(bomb, 1), cheap)
    assert written.stat().st_size < 2_000_000
    begin = time.monotonic()
    with pytest.raises(CaseFileDamaged):
        library.import_case(written, WORDS)
    assert time.monotonic() - begin < 30


def test_many_values_are_counted_before_they_are_read() -> None:
    text = b"[" + b"[]," * 2_100_000 + b"0]"
    assert len(text) < case_file_reading.MOST_BYTES
    with pytest.raises(ValueError, match="too large"):
        case_file_reading.parsed(text)


def first(plain: dict[str, Any], *names: str | int) -> Any:
    for name in names:
        plain = plain[name]  # type: ignore[index]
    return plain


EVALUATION = ("evaluations", 0, "kept", "evaluation")
WRONG = {"words": "Client", "span": {"start": 3, "end": 9}, "said": None, "instead": ""}


@pytest.mark.usefixtures("parsed_here")
@pytest.mark.parametrize(
    ("place", "name", "value"),
    [
        (("labels",), "label", "half \ud83d"),
        (("transcripts", 0, "transcript", "turns", 0), "speaker", "\udc00"),
        (("revisions", 0, "note", "sentences", 0, "span"), "end", 10**6),
        (("revisions", 0, "note", "sentences", 0, "span"), "start", -1),
        (("revisions", 0, "note", "sentences", 0), "text", "another text"),
        (("revisions", 0, "note", "sentences", 0), "sections", []),
        (("revisions", 0, "note", "blocks", 0, "body"), "end", 10**6),
        (("reviews", 0, "review", "comments", 0, "span"), "end", 10**6),
        (("reviews", 0, "review", "comments", 0), "quote", "another"),
        (("reviews", 0, "review", "comments", 0), "turns", [10**6]),
        (("reviews", 0, "review"), "claims", [{"sentence": "s1", "verdict": "supported", "turns": [-1]}]),
        (("reviews", 0, "review"), "claims", [{"sentence": "s1", "verdict": "supported", "turns": [10**6]}]),
        (("reviews", 0, "review"), "acceptance", 6),
        (("reviews", 0, "review"), "acceptance", True),
        (("reviews", 0, "review"), "rater", 7),
        (("transcripts", 0, "transcript", "turns", 0), "start", 1e300),
        (("transcripts", 0, "transcript", "turns", 0), "start", float("nan")),
        (("transcripts", 0, "transcript", "turns", 0), "start", float("inf")),
        (("transcripts", 0, "transcript", "turns", 0), "index", 1),
        (("transcripts", 0, "transcript", "turns", 0), "index", 10**20),
        ((*EVALUATION, "sentences", 0, "sentence", "span"), "end", 10**6),
        ((*EVALUATION, "sentences", 0, "claim"), "wrong", [WRONG]),
        ((*EVALUATION, "sentences", 0, "claim"), "seen", {"start": 0, "end": 10**6}),
        ((*EVALUATION, "checklist", 0), "suggested_turns", [10**6]),
        ((*EVALUATION, "checklist", 0), "probability", "0.5"),
        ((*EVALUATION, "usage"), "calls", "many"),
        ((), "id", 7),
        ((), "status", "unheard of"),
    ],
)
def test_what_does_not_hold_together_is_refused(
    library: Library, written: Path, cheap: Cost, place: tuple[str | int, ...], name: str, value: object
) -> None:
    plain = to_plain(case_file.read_case(written, WORDS, datetime.now(UTC)))
    first(plain, *place)[name] = value
    reseal(written, zlib.compress(json.dumps(plain).encode()), cheap)
    before = library.cases.read(library.cases.find()[0].id)
    with pytest.raises(CaseFileDamaged):
        library.import_case(written, WORDS)
    assert library.cases.read(before.summary.id) == before


@pytest.mark.usefixtures("parsed_here")
@pytest.mark.parametrize(
    "packed",
    [
        b"",
        b"not packed",
        zlib.compress(b"null"),
        zlib.compress(b"[" * 200_000),
        zlib.compress(b'{"id": 1' + b"0" * 5000 + b"}"),
        zlib.compress(b"\xff\xfe"),
        zlib.compress(b"{}") + b"more",
        zlib.compress(b'{"signed": "me"}'),
        zlib.compress(b'{"signed": {"key": "", "signature": 1}}'),
    ],
)
def test_what_is_no_case_is_refused(library: Library, written: Path, cheap: Cost, packed: bytes) -> None:
    reseal(written, packed, cheap)
    with pytest.raises(CaseFileDamaged):
        library.import_case(written, WORDS)


def test_what_a_later_version_adds_is_left_out(library: Library, written: Path, cheap: Cost) -> None:
    case = case_file.read_case(written, WORDS, datetime.now(UTC))
    reseal(written, zlib.compress(json.dumps(to_plain(case) | {"unheard of": [1]}).encode()), cheap)
    assert case_file.read_case(written, WORDS, datetime.now(UTC)) == case


def test_half_a_surrogate_pair_that_an_earlier_version_took_in_travels_as_a_sign(
    library: Library, tmp_path: Path, cheap: Cost
) -> None:
    case = make_case()
    turns = (replace(case.transcript.turns[0], text="half \ud83d of it"), *case.transcript.turns[1:])
    case_id = library.cases.add(Case(replace(case.transcript, turns=turns), case.note))
    library.export_case(case_id, tmp_path / "sent", WORDS, cheap)
    read = case_file.read_case(tmp_path / "sent", WORDS, datetime.now(UTC))
    assert read.transcripts[0].transcript.turns[0].text == "half \ufffd of it"


def test_a_case_too_large_to_be_taken_in_is_not_written(
    library: Library, written: Path, tmp_path: Path, cheap: Cost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(case_file_reading, "MOST_BYTES", 1000)
    with pytest.raises(InputError, match="too large"):
        library.export_case(library.cases.find()[0].id, tmp_path / "large", WORDS, cheap)
    assert not (tmp_path / "large").exists()


def test_the_child_is_limited(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}

    def run(function: object, *args: object, **limits: object) -> tuple[str, str, str]:
        asked.update(limits, function=function)
        return case_file_reading.DAMAGED, "", ""

    monkeypatch.setattr(case_file, "run_isolated", run)
    with pytest.raises(CaseFileDamaged):
        case_file.read_case(written, WORDS, NOW)
    assert asked == {"function": case_file_reading.open_sealed, "seconds": 60.0, "memory_mb": 1536, "what": "sent"}
