"""A remark from the note to whatever shows it: behind what the session decides, decided on like the rest."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from datetime import datetime

import jsonschema
import pytest

from noteeval_desktop import paths
from noteeval_desktop.domain.decisions import Decision, DecisionKind
from noteeval_desktop.domain.findings import FindingKind, before_signing, ranked_findings
from noteeval_desktop.domain.remarks import Remark, RemarkKind
from noteeval_desktop.domain.silencing import kind_of, kind_subject, listed
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.verdicts import Severity
from noteeval_desktop.errors import InputError
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.finding import findings_of
from noteeval_desktop.privacy.identifiers import IdentifierFinder
from noteeval_desktop.privacy.masked_evaluation import masked_scorecard
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.draw_html import html
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from noteeval_desktop.report.scorecard_page import Appendix, scorecard_page
from tests.sample_evaluation import sample_case, sample_evaluation, sample_judge, sample_rubric


def remarked(evaluation, **changes):
    """The sample with one remark, on its first “daughter”."""
    start = evaluation.case.note.text.index("daughter")
    one = Remark(RemarkKind.WORDING, "wording", "“daughter” stands here.", "Some list, 2026", Span(start, start + 8))
    return replace(evaluation, remarks=(replace(one, **changes),))


def test_every_check_has_them() -> None:
    case = sample_case()
    text = case.note.text
    case = replace(case, note=replace(case.note, text=text + "\n\nCPT: 90837\nDuration: 45 min"))
    found = final(evaluate(case, sample_judge(case))).evaluation.remarks
    assert [(one.rule, one.span and one.span.of(case.note.text)) for one in found] == [
        ("code-minutes", "90837"),
        ("signature", None),
    ]


def test_they_come_behind_what_the_session_decides_however_grave() -> None:
    kinds = [one.kind for one in ranked_findings(remarked(sample_evaluation(), severity=Severity.HIGH))]
    assert kinds.index(FindingKind.REMARK) > max(
        at for at, kind in enumerate(kinds) if kind not in (FindingKind.REMARK, FindingKind.UNNEEDED)
    )
    assert kinds.index(FindingKind.REMARK) < kinds.index(FindingKind.UNNEEDED)


def test_they_never_warn_of_risk_and_take_the_place_of_nothing_before_signing() -> None:
    plain = sample_evaluation()
    first = before_signing(ranked_findings(replace(plain, remarks=())))
    with_it = before_signing(ranked_findings(remarked(plain, severity=Severity.HIGH)))
    assert with_it[: len(first)] == first
    assert not any(one.pressing for one in ranked_findings(plain) if one.kind is FindingKind.REMARK)


def test_one_is_decided_on_or_silenced_with_its_kind() -> None:
    evaluation = remarked(sample_evaluation())
    (found,) = [one for one in ranked_findings(evaluation) if one.kind is FindingKind.REMARK]
    assert kind_of(found) == "remark:wording"
    assert found.key in listed(evaluation, {kind_subject("remark:wording"): "x"}).silenced
    dismissed = Decision(DecisionKind.DISMISS, found.key, "Correct as written", datetime(2026, 11, 28, 12, 0))
    assert [one.key for one in scorecard(evaluation, sample_rubric(), [dismissed]).decided] == [found.key]


def test_a_finding_says_where_what_why_and_what_instead() -> None:
    evaluation = remarked(sample_evaluation(), instead="child")
    (found,) = [one for one in findings_of(evaluation, sample_rubric()) if one.kind is FindingKind.REMARK]
    assert (found.text, found.what, found.said) == ("daughter", "“daughter” stands here.", "wording")
    assert found.why == "Instead: “child”. Source: Some list, 2026."
    assert found.section == "Subjective"


def test_json_keeps_all_of_it_by_the_schema_and_old_files_have_none() -> None:
    evaluation = sample_evaluation()
    data = evaluation_to_json(evaluation)
    schema = json.loads((paths.resources() / "schema" / "noteeval.evaluation-1.json").read_text("utf-8"))
    jsonschema.validate(data, schema)
    assert evaluation_from_json(data).remarks == evaluation.remarks
    assert [one["kind"] for one in data["findings"]].count("remark") == 2
    del data["remarks"]
    assert evaluation_from_json(data).remarks == ()


def test_json_without_texts_repeats_no_words() -> None:
    (told,) = evaluation_to_json(remarked(sample_evaluation()), text=False)["remarks"]
    assert {"says", "instead"}.isdisjoint(told)
    assert told["rule"] == "wording"


def test_words_outside_the_note_are_a_damaged_file() -> None:
    data = evaluation_to_json(remarked(sample_evaluation()))
    data["remarks"][0]["end"] = 100_000
    with pytest.raises(InputError):
        evaluation_from_json(data)


def test_a_row_of_the_table() -> None:
    rows = csv.DictReader(io.StringIO(evaluation_to_csv(remarked(sample_evaluation()))))
    (row,) = [row for row in rows if row["kind"] == "remark"]
    assert (row["id"], row["section"], row["text"]) == ("wording", "subjective", "daughter")
    assert (row["result"], row["severity"], row["reason"]) == ("wording", "medium", "“daughter” stands here.")


def test_the_scorecard_quotes_the_notes_words_and_names_what_it_lacks() -> None:
    page = html(scorecard_page(sample_evaluation(), rubric=sample_rubric(), appendix=(Appendix.FINDINGS,)))
    said = re.sub(r"<[^>]+>|\s+", " ", page)
    said = " ".join(said.split())
    assert "“weekend drinks” Plan · minor · “drinks” may judge. Instead: “weekend drinking”." in said
    assert "§ Signature Outside the sections · minor · No signature. Source: Example rule, 2026." in said


def test_names_are_masked_in_it_and_its_place_moves_along(finder: IdentifierFinder) -> None:
    evaluation = sample_evaluation()
    note = evaluation.case.note
    old = note.text
    words = "Mr. Abernathy "
    case = replace(evaluation.case, note=replace(note, text=old + "\n" + words, sentences=note.sentences))
    start = len(old) + 1
    one = Remark(RemarkKind.IDENTITY, "name", "Mr. Abernathy is another client.", "", Span(start, start + 13))
    masked, _, _ = masked_scorecard(replace(evaluation, case=case, remarks=(one,)), (), None, finder)
    (told,) = masked.remarks
    assert "Abernathy" not in told.says
    assert "Abernathy" not in masked.case.note.text
    assert "[PERSON" in told.span.of(masked.case.note.text)
