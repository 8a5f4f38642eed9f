"""The audit log as others read it: every entry, a chain that can be checked, and no clinical text."""

from __future__ import annotations

import csv
import hashlib
import io
import json

from noteeval_desktop.platform.account import account
from noteeval_desktop.store.audit import Event, as_csv, as_json
from noteeval_desktop.store.library import Library
from tests.store.test_disk import PHRASES, plant


def test_the_table_has_a_line_for_every_entry_and_no_text_of_a_case(library: Library) -> None:
    case_id = plant(library)
    library.cases.open(case_id)
    library.record(Event.SENT, case_id, "llm.example.org")
    entries = library.audit.entries()
    text = as_csv(entries)
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["event"] for row in rows] == [entry.event.value for entry in entries]
    assert rows[-1]["detail"] == "llm.example.org"
    assert rows[-1]["subject"] == case_id
    assert not any(phrase.split()[0] in text for phrase in PHRASES)


def test_the_chain_can_be_checked_from_the_json_alone(library: Library) -> None:
    plant(library)
    said = json.loads(as_json(library.audit.entries(), library.audit.first_broken()))
    assert said["unbroken"] is True
    chain = "0" * 64
    for number, entry in enumerate(said["entries"], start=1):
        sealed = [chain, number, entry["at"], entry["event"], entry["subject"], entry["detail"], entry["who"]]
        assert entry["who"] == account()
        chain = hashlib.sha256(json.dumps(sealed).encode()).hexdigest()
        assert entry["chain"] == chain
    assert chain == library.audit.last()[1]


def test_a_broken_chain_is_told(library: Library) -> None:
    assert json.loads(as_json(library.audit.entries(), 1))["first_broken"] == 1


def test_who_is_sealed_too_and_entries_from_before_it_was_noted_still_hold(library: Library) -> None:
    plant(library)
    with library._database.writing() as db:
        db.execute("DROP TRIGGER audit_no_update")
        number, at, event, subject, detail = db.execute(
            "SELECT number, at, event, subject, detail FROM audit WHERE number = 1"
        ).fetchone()
        before = hashlib.sha256(json.dumps(["0" * 64, number, at, event, subject, detail]).encode()).hexdigest()
        db.execute("DROP TRIGGER audit_no_delete")
        db.execute("DELETE FROM audit WHERE number > 1")
        db.execute("UPDATE audit SET who = '', chain = ? WHERE number = 1", [before])
    library.record(Event.SENT, "", "llm.example.org")
    assert library.audit.first_broken() is None
    with library._database.writing() as db:
        db.execute("UPDATE audit SET who = 'kim' WHERE number = 1")
    assert library.audit.first_broken() == 1
