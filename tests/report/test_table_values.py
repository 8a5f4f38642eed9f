"""The value of every column of every table that the program writes, against what it was made of."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import openpyxl

from noteeval_desktop.domain.findings import ItemState, item_state
from noteeval_desktop.domain.note_rows import NoteRow, NoteState, urgency
from noteeval_desktop.domain.verdicts import Confidence
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.json_layout import evaluation_to_json
from noteeval_desktop.report.many.figures import overview
from noteeval_desktop.report.many.notes_table import COLUMNS, HEADINGS, write_notes_csv, write_xlsx
from noteeval_desktop.report.many.reading import row_of
from noteeval_desktop.report.parquet import ABOUT, FINDING_COLUMNS, finding_rows, note_row
from tests.sample_evaluation import sample_evaluation, sample_rubric

CHECKED = NoteRow(
    "07 Weber",
    clinician="Ruth",
    source="Scribe",
    month="2026-03",
    shares=(0.5, None, 0.8),
    missing=("a", "b", "c"),
    mandatory=("a", "b"),
    judged=("a", "b", "c", "d"),
    wrong=("unsupported plan plan", "contradicted rest plan", "unsupported rest plan"),
    open_risks=("self-harm", "suicide"),
    risks=3,
    tokens=120,
    cost=0.25,
    seconds=1.25,
    complete=False,
    state=NoteState.IN_PART,
    problem="claims: 1 of 5 could not be judged.",
    number=11,
    goals=(3, 1, 1),
)
SPANISH = NoteRow(
    "08", "Ruth", "Scribe", "2026-03", complete=False, state=NoteState.NOT_CHECKED, problem="No.", number=9
)
WAITING = NoteRow("09", complete=False, state=NoteState.WAITING, number=2)
VALUES = {
    "note": "07 Weber", "clinician": "Ruth", "source": "Scribe", "month": "2026-03", "completeness": "0.5000",
    "conciseness": "", "faithfulness": "0.8000", "mandatory_missing": "2", "items_missing": "3",
    "claims_contradicted": "1", "claims_not_found": "2", "risks_open": "2", "open_risk_kinds": "self-harm; suicide",
    "complete": "no", "tokens": "120", "cost": "0.2500", "seconds": "1.2", "number": "11", "state": "checked in part",
    "problem": "claims: 1 of 5 could not be judged.", "copied": "",
    "plan_goals": "3", "goals_touched": "1", "goals_perhaps": "1",
}  # fmt: skip
UNKNOWN = dict.fromkeys(COLUMNS, "")


def lines(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))


def test_every_column_of_the_table_of_notes_in_csv_and_excel(tmp_path: Path) -> None:
    made = overview([CHECKED, WAITING, SPANISH], sample_rubric(), names=True)
    write_notes_csv(made.notes, tmp_path / "n.csv")
    first, second, last = lines(tmp_path / "n.csv")
    assert first == UNKNOWN | {
        "note": "08", "clinician": "Ruth", "source": "Scribe", "month": "2026-03", "number": "9",
        "state": "not checked", "problem": "No.",
    }  # fmt: skip
    assert second == VALUES
    assert last == UNKNOWN | {"note": "09", "number": "2", "state": "waiting"}
    write_xlsx(made, tmp_path / "n.xlsx")
    heading, *rows = openpyxl.load_workbook(tmp_path / "n.xlsx")["Notes"].iter_rows(values_only=True)
    assert heading == HEADINGS
    shown = [dict(zip(COLUMNS, row, strict=True)) for row in rows]
    assert [row["number"] for row in shown] == [9, 11, 2]
    for name, value in VALUES.items():
        cell = shown[1][name]
        assert (cell is None and not value) or str(cell) == value or float(str(cell)) == float(value), name


def test_what_was_not_checked_counts_in_no_mean_and_is_told() -> None:
    alone = overview([CHECKED], sample_rubric(), names=True)
    among = overview([CHECKED, SPANISH], sample_rubric(), names=True)
    assert among.figures == alone.figures
    assert among.said[0] == "1 note was not checked and is not counted: it is first in the table."
    assert among.said[1:] == alone.said


def test_numbers_are_those_of_the_set_and_no_name_comes_with_them() -> None:
    hidden = overview([CHECKED, SPANISH], sample_rubric()).notes
    assert [(row.id, row.problem) for row in hidden] == [("Note 11", ""), ("Note 9", "")]
    (heard,) = overview([replace(SPANISH, session="5e55")], sample_rubric()).notes
    assert heard.problem == "No."


def test_one_order_everywhere() -> None:
    assert urgency(SPANISH) > urgency(CHECKED) > urgency(replace(CHECKED, open_risks=())) > urgency(WAITING)


def unread() -> dict:
    """As a session in another language is left: checklist and need from the note alone."""
    data = evaluation_to_json(sample_evaluation())
    data |= {"risks": None, "omissions": None, "complete": False, "problems": ["risks: not English."]}
    data["scores"]["faithfulness"]["note"] = None
    return data


def test_a_session_in_another_language_is_a_state_of_its_own_in_every_export() -> None:
    row = row_of(unread(), {"id": "es"})
    assert (row.state, row.shares, row.missing, row.risks) == (NoteState.NOT_CHECKED, (None,) * 3, (), 0)
    assert row.problem == "risks: not English."
    told = note_row(dict.fromkeys(ABOUT, "x"), unread())
    assert {name for name, value in told.items() if value is not None} <= {
        *ABOUT, "judge_kind", "judge_model", "judge_version", "transcript_sha256", "note_sha256",
    }  # fmt: skip


def test_every_column_of_the_table_for_analysts() -> None:
    data = evaluation_to_json(sample_evaluation())
    about = {name: f"the {name}" for name in ABOUT}
    row, scores = note_row(about, data), data["scores"]
    judged = [item for item in data["checklist"] if item["present"] is not None]
    expected = about | {f"judge_{name}": data["judge"][name] for name in ("kind", "model", "version")}
    expected |= {name: data["case"][name] for name in ("transcript_sha256", "note_sha256")}
    for name in ("completeness", "conciseness", "faithfulness"):
        expected[name] = scores[name]["note"]
        expected |= {f"{name}_{section}": share for section, share in scores[name]["sections"].items()}
    expected |= {name: scores["faithfulness"][name] for name in ("contradicted", "unsupported", "observed")}
    expected |= {
        "faithfulness_published_definition": scores["faithfulness"]["published_definition"],
        "sentences": len(data["sentences"]),
        "items_judged": len(judged),
        "items_missing": len([item for item in judged if item["present"] is False]),
        "omissions": len(data["omissions"]),
        "risks": len(data["risks"]),
        "findings": len(data["findings"]),
        "copied": None,
        "plan_goals": None,
        "goals_touched": None,
        "goals_perhaps": None,
        "open_findings": len([finding for finding in data["findings"] if finding["open"]]),
    }
    expected |= {name: data["usage"][name] for name in ("calls", "input_tokens", "output_tokens", "cached_tokens")}
    assert row == expected | {name: data["usage"][name] for name in ("cost", "seconds")}
    by_id = {sentence["id"]: sentence for sentence in data["sentences"]}
    for made, finding in zip(finding_rows(about, data), data["findings"], strict=True):
        of = by_id.get(finding["sentence"], {"section": None, "verdict": None})
        names = {name: finding[name] for name in set(FINDING_COLUMNS) & set(finding)}
        assert made == names | {
            "note": "the id", "clinician": "the clinician", "source": "the source", "date": "the date",
            "section": of["section"], "verdict": of["verdict"],
        }  # fmt: skip


def test_every_column_of_the_table_of_verdicts() -> None:
    evaluation = sample_evaluation()
    unsure = replace(evaluation.checklist[-1], present=False, confidence=Confidence.UNSURE, sentences=())
    unknown = replace(evaluation.checklist[-2], present=None, probability=None)
    foreign = replace(evaluation.checklist[-3], present=None, probability=None, set_aside=True)
    evaluation = replace(evaluation, checklist=(*evaluation.checklist[:-3], foreign, unknown, unsure))
    rows = list(csv.DictReader(io.StringIO(evaluation_to_csv(evaluation))))

    def of(kind: str) -> list[dict[str, str]]:
        return [row for row in rows if row["kind"] == kind]

    said = {ItemState.COVERED: "present", ItemState.NOT_CHECKED: "not checked"}
    states = [item_state(item, evaluation) for item in evaluation.checklist]
    assert {*states} == {*ItemState}
    for row, item, state in zip(of("item"), evaluation.checklist, states, strict=True):
        assert row["result"] == said.get(state, state.value)
        assert (row["id"], row["section"]) == (item.item, item.section.value if item.section else "general")
        assert row["probability"] == ("" if item.probability is None else str(item.probability))
        assert (row["severity"], row["reason"], row["text"], row["quotes"]) == (
            item.importance.value,
            item.rationale,
            "",
            "",
        )
        assert row["turns"] == " ".join(str(turn + 1) for turn in item.suggested_turns)
    for need, claim, judged in zip(of("need"), of("claim"), evaluation.sentences, strict=True):
        assert judged.need is not None
        assert judged.claim is not None
        for row in (need, claim):
            assert (row["id"], row["section"]) == (judged.sentence.id, judged.sentence.section.value)
            assert row["text"].lstrip("'") == judged.sentence.text
        assert need["result"] == {True: "needed", False: "not needed", None: "not checked"}[judged.need.needed]
        assert need["reason"] == judged.need.rationale
        assert claim["result"] == (judged.claim.verdict.value if judged.claim.verdict else "not checked")
        assert claim["severity"] == judged.claim.severity.value
        assert claim["quotes"].lstrip("'") == " | ".join(citation.quote for citation in judged.claim.citations)
        assert claim["turns"] == " ".join(str(citation.turn + 1) for citation in judged.claim.citations)
        assert (need["probability"], claim["probability"]) == tuple(
            "" if value is None else str(value) for value in (judged.need.probability, judged.claim.probability)
        )
    for row, omission in zip(of("omission"), evaluation.omissions or (), strict=True):
        assert (row["id"], row["result"]) == (omission.item or "", omission.kind.value)
        assert (row["severity"], row["reason"]) == (omission.severity.value, omission.rationale)
        assert row["quotes"].lstrip("'") == " | ".join(citation.quote for citation in omission.citations)
    for row, risk in zip(of("risk"), evaluation.risks or (), strict=True):
        assert (row["id"], row["result"], row["severity"]) == (risk.wording, risk.stance.value, risk.severity.value)
        assert row["turns"] == " ".join(str(turn + 1) for turn in risk.turns)
        assert row["quotes"].lstrip("'") == risk.citation.quote
    for row, response in zip(of("response"), evaluation.responses or (), strict=True):
        scores = ", ".join(f"{attribute.value} {value or 'not checked'}" for attribute, value in response.scores)
        assert (row["result"], row["reason"]) == (scores, ", ".join(response.flags))
        assert row["turns"] == ("" if response.turn is None else str(response.turn + 1))


def test_the_columns_of_a_list_follow_those_of_the_table(tmp_path: Path) -> None:
    made = overview([replace(CHECKED, columns={"Site": "=Süd"}), WAITING], sample_rubric(), names=True)
    write_notes_csv(made.notes, tmp_path / "n.csv")
    assert [line["Site"] for line in lines(tmp_path / "n.csv")] == ["'=Süd", ""]
    write_xlsx(made, tmp_path / "n.xlsx")
    rows = openpyxl.load_workbook(tmp_path / "n.xlsx")["Notes"].iter_rows(values_only=True)
    assert [row[-1] for row in rows] == ["Site", "'=Süd", None]
