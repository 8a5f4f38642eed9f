from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader

from noteeval_desktop import documents
from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.decisions import SESSION_SUBJECT, Decision, DecisionKind
from noteeval_desktop.domain.evaluation import Evaluation, JudgeIdentity
from noteeval_desktop.domain.risk import RiskFinding, RiskKind, Stance
from noteeval_desktop.domain.text import Span
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import ClaimVerdict, NeedVerdict, Omission, OmissionKind, Severity, Verdict
from noteeval_desktop.errors import InputError
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.present.vocabulary import STANCE_NAMES
from noteeval_desktop.report.draw_pdf import write_pdf
from noteeval_desktop.report.scorecard_page import EVERYTHING, scorecard_page
from tests.growth import grows_in_step
from tests.sample_evaluation import sample_evaluation, sample_rubric
from tests.scripted_judge import ScriptedJudge


def _text(path: Path) -> str:
    return " ".join(" ".join(page.extract_text() for page in PdfReader(path).pages).split())


def _with_note(text: str, verdict: Verdict = Verdict.UNSUPPORTED) -> Evaluation:
    transcript = documents.parse_transcript(f"Therapist: How was it?\nClient: {' '.join(text.split())[:3000]}")
    note = documents.parse_note(f"Subjective: {text}\nPlan: Next week.")
    judge = ScriptedJudge(
        needs=[NeedVerdict(s.id, False) for s in note.sentences],
        claims=[ClaimVerdict(s.id, verdict, citations=(cite(transcript.turns[1]),)) for s in note.sentences],
        omissions=[Omission(cite(transcript.turns[1], Span(0, 3)), OmissionKind.RISK, Severity.HIGH, rationale=text)],
    )
    return final(evaluate(Case(transcript, note), judge)).evaluation


def test_the_scorecard_says_everything_in_order(tmp_path: Path) -> None:
    write_pdf(scorecard_page(sample_evaluation(), rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    text = _text(tmp_path / "out.pdf")
    parts = [
        "Before you sign", "20 of 23", "Supervisor, date", "The note with its marks", "Every suggestion",
        "The session says twice; the note says four times.", "Risk in the session", "Checklist", "The evidence",
        "Turn 22 · Daniel Moreno", "“twice last week”", "How to read",
    ]  # fmt: skip
    places = [text.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


def test_usually_there_are_two_pages_what_to_read_in_a_minute_and_the_note(tmp_path: Path) -> None:
    write_pdf(scorecard_page(sample_evaluation(), rubric=sample_rubric()), tmp_path / "out.pdf")
    first, second = (" ".join(page.extract_text().split()) for page in PdfReader(tmp_path / "out.pdf").pages)
    parts = ["Risk.", "Before you sign", "Completeness", "Confidence:", "Clinician, date"]
    places = [first.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    numbers = [finding.number for finding in scorecard(sample_evaluation(), sample_rubric()).before_signing]
    assert len(numbers) == 10
    assert "The note with its marks" in second
    assert "Checklist" not in first + second


def test_what_puts_the_whole_card_in_doubt_stands_on_the_first_page_above_the_risks(tmp_path: Path) -> None:
    evaluation = sample_evaluation()
    said = "This note may belong to another session <b>&</b> 🙂."
    transcript = replace(evaluation.case.transcript, warnings=(said,))
    doubted = replace(evaluation, case=replace(evaluation.case, transcript=transcript))
    write_pdf(scorecard_page(doubted, rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    first = " ".join(PdfReader(tmp_path / "out.pdf").pages[0].extract_text().split())
    assert 0 < first.find("⚠ This note may belong to another session <b>&</b>") < first.find("Risk.")
    kept = Decision(DecisionKind.DISMISS, SESSION_SUBJECT, "It is the right session.", datetime(2026, 11, 2))
    write_pdf(
        scorecard_page(doubted, rubric=sample_rubric(), appendix=EVERYTHING, decisions=(kept,)), tmp_path / "out.pdf"
    )
    first = " ".join(PdfReader(tmp_path / "out.pdf").pages[0].extract_text().split())
    assert "The clinician was asked about the session on 2 Nov 2026: It is the right session." in first


def test_a_short_answer_on_risk_stands_below_its_question(tmp_path: Path) -> None:
    transcript = documents.parse_transcript("Therapist: Do you think about ending your life?\nClient: Sometimes.")
    case = Case(transcript, documents.parse_note("Subjective: Client gardens."))
    danger = RiskFinding((0, 1), cite(transcript.turns[1]), RiskKind.SUICIDE, Stance.CURRENT)
    evaluation = final(evaluate(case, ScriptedJudge(dangers=[danger]))).evaluation
    write_pdf(scorecard_page(evaluation, rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    text = _text(tmp_path / "out.pdf")
    ledger = text[text.index("Risk in the session") : text.index("How to read")]
    assert 0 < ledger.find("“Do you think about ending your life?”") < ledger.find("“Sometimes.”")


def test_the_scores_stand_on_the_first_page_below_the_warning_however_many_risks_there_are(tmp_path: Path) -> None:
    transcript = documents.parse_transcript("Therapist: Go on.\nClient: I want to die.\n" * 20)
    case = Case(transcript, documents.parse_note("Subjective: Client gardens."))
    dangers = [RiskFinding((t.index,), cite(t), RiskKind.SUICIDE, Stance.CURRENT) for t in transcript.turns[1::2]]
    evaluation = final(evaluate(case, ScriptedJudge(dangers=dangers))).evaluation
    write_pdf(scorecard_page(evaluation, rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    pages = [" ".join(page.extract_text().split()) for page in PdfReader(tmp_path / "out.pdf").pages]
    parts = [f"{len(dangers)} mentions of risk", "Before you sign", "Completeness", "Faithfulness"]
    places = [pages[0].find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    # One thing to look at, and where.
    assert pages[0].count("I want to die.") == 1
    assert "turns 2, 4, 6 and 8 and 16 more" in pages[0]
    ledger = " ".join(pages).partition("Risk in the session")[2]
    assert ledger.count("I want to die.") >= len(dangers), "each with its passage"


def test_a_danger_has_its_sign_on_every_page_and_is_nowhere_called_minor(tmp_path: Path) -> None:
    transcript = documents.parse_transcript("Therapist: Do you think about ending your life?\nClient: No.")
    case = Case(transcript, documents.parse_note("Subjective: Client gardens."))
    danger = RiskFinding((0, 1), cite(transcript.turns[1]), RiskKind.SUICIDE, Stance.DENIED)
    evaluation = final(evaluate(case, ScriptedJudge(dangers=[danger]))).evaluation
    write_pdf(scorecard_page(evaluation, rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    text = " ".join(_text(tmp_path / "out.pdf").split())
    assert text.count("⚠ “No.” Suicide, denied") == 2, "before you sign, and every suggestion"
    assert "1 ⚠ No." in text, "the evidence"
    assert "Suicide, denied · minor" not in text


def test_a_danger_is_worded_as_in_the_window_and_quotes_what_answers_it(tmp_path: Path) -> None:
    transcript = documents.parse_transcript("Therapist: Do you think about ending your life?\nClient: No.")
    case = Case(transcript, documents.parse_note("Subjective: Client denies thoughts of suicide."))
    answered = (case.note.sentences[0].id,)
    danger = RiskFinding((0, 1), cite(transcript.turns[1]), RiskKind.SUICIDE, Stance.DENIED, addressed_by=answered)
    evaluation = final(evaluate(case, ScriptedJudge(dangers=[danger]))).evaluation
    evaluation = replace(evaluation, risks=(danger,))
    write_pdf(scorecard_page(evaluation, rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    said = f"{STANCE_NAMES[danger.stance]} · in the note: “Client denies thoughts of suicide.”"
    assert said in _text(tmp_path / "out.pdf")


def test_headings_are_bookmarks_that_go_to_their_pages(tmp_path: Path) -> None:
    write_pdf(scorecard_page(sample_evaluation(), rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    reader = PdfReader(tmp_path / "out.pdf")
    marks: list[Any] = [one for part in reader.outline for one in (part if isinstance(part, list) else [part])]
    assert {"Before you sign", "Checklist", "Fingerprints"} <= {mark.title for mark in marks}
    for mark in marks:
        number = reader.get_destination_page_number(mark)
        shown = " ".join(reader.pages[number].extract_text().split())
        assert mark.title.split("\xa0")[0].split()[0] in shown, mark.title
    assert len({reader.get_destination_page_number(mark) for mark in marks}) > 1
    assert reader.root_object["/Lang"] == "en"


def test_title_author_and_page_numbers_are_there(tmp_path: Path) -> None:
    write_pdf(
        scorecard_page(sample_evaluation(), rubric=sample_rubric(), appendix=EVERYTHING, label="Supervision 12"),
        tmp_path / "out.pdf",
    )
    reader = PdfReader(tmp_path / "out.pdf")
    assert reader.metadata is not None
    assert reader.metadata.title == "Note scorecard: Supervision 12"
    assert (reader.metadata.author or "").startswith("NoteEval Desktop")
    for number, page in enumerate(reader.pages, start=1):
        assert f"Page {number} of {len(reader.pages)}" in page.extract_text()


def test_every_word_of_the_note_is_in_the_marked_note(tmp_path: Path) -> None:
    evaluation = sample_evaluation()
    write_pdf(
        scorecard_page(replace(evaluation, omissions=(), responses=()), rubric=sample_rubric(), appendix=EVERYTHING),
        tmp_path / "out.pdf",
    )
    text = _text(tmp_path / "out.pdf")
    marked = text[text.index("The note with its marks") :]
    words = [word for sentence in evaluation.case.note.sentences for word in sentence.text.split()]
    assert [word for word in words if word not in marked] == []


@pytest.mark.parametrize(
    ("note", "seen"),
    [
        ("Client <b>said</b> & <img src='file:///etc/passwd'/> left.", "<b>said</b> & <img src='file:///etc/passwd'/>"),
        ("</para><a href='http://x.test'>Click</a> here.", "</para><a href='http://x.test'>Click</a>"),
        ("Πίνει δύο φορές. Пьёт дважды.", "Пьёт дважды."),
        ("Feels 😀 today, 🧠 tired.", "[brain]"),
        ("患者报告睡眠不好。", "患者"),
        ("השינה טובה יותר.", "טובה"),
        ("a" * 5000 + ".", "aaaaaaaa"),
        ("A private \ue000 sign.", "[U+E000]"),
    ],
)  # fmt: skip
def test_any_characters_are_shown(tmp_path: Path, note: str, seen: str) -> None:
    write_pdf(
        scorecard_page(_with_note(note), rubric=sample_rubric(), appendix=EVERYTHING, label=note[:60]),
        tmp_path / "out.pdf",
    )
    text = _text(tmp_path / "out.pdf")
    assert seen in text or seen[::-1] in text


def test_a_very_long_note_is_laid_out_in_step_with_its_length(tmp_path: Path) -> None:
    def write(sentences: int) -> None:
        note = "Client reports that the nights were hard and long again. " * sentences
        page = scorecard_page(_with_note(note, Verdict.SUPPORTED), rubric=sample_rubric(), appendix=EVERYTHING)
        write_pdf(page, tmp_path / "out.pdf")

    assert grows_in_step(write, 1500)
    assert _text(tmp_path / "out.pdf").count("nights were hard") >= 1500


def test_an_incomplete_evaluation_says_so(tmp_path: Path) -> None:
    evaluation = replace(sample_evaluation(), complete=False, problems=("claims: the model stopped.",))
    write_pdf(scorecard_page(evaluation, rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    assert "Incomplete. Not checked: statements. the model stopped." in _text(tmp_path / "out.pdf")


def test_where_nothing_was_judged_nothing_is_counted_and_nothing_said_to_be_well(tmp_path: Path) -> None:
    case = sample_evaluation().case
    evaluation = final(evaluate(case, ScriptedJudge())).evaluation
    problems = ("claims: the model stopped.",)
    nothing = replace(evaluation, checklist=(), sentences=(), risks=None, complete=False, problems=problems)
    write_pdf(scorecard_page(nothing, rubric=sample_rubric(), appendix=EVERYTHING), tmp_path / "out.pdf")
    text = _text(tmp_path / "out.pdf")
    assert "Subjective not checked" in text
    assert "0 of 6" not in text
    assert "No suggestions; some items could not be checked." in text


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_pdf(scorecard_page(sample_evaluation(), rubric=sample_rubric()), tmp_path / "none" / "out.pdf")


def test_what_makes_a_heading_is_not_printed(tmp_path: Path) -> None:
    note = _with_note("Sleeps 🙂.\n\n## Objective\nCalm.\n\n**Assessment:** Low.")
    write_pdf(scorecard_page(note, rubric=sample_rubric()), tmp_path / "out.pdf")
    text = _text(tmp_path / "out.pdf")
    marked = text[text.index("The note with its marks") :]
    assert "Objective Calm." in marked
    assert "Assessment: Low." in marked
    assert "##" not in marked[: marked.index("Next week.")]
    assert "**" not in marked[: marked.index("Next week.")]


def test_the_head_tells_a_supervisor_no_version_or_fingerprint(tmp_path: Path) -> None:
    evaluation = replace(sample_evaluation(), judge=JudgeIdentity("builtin", "encoder-f16:00aa", "1", "r", "p"))
    write_pdf(scorecard_page(evaluation, rubric=sample_rubric()), tmp_path / "out.pdf")
    head = _text(tmp_path / "out.pdf").partition("Before you sign")[0]
    assert "Built-in" in head
    assert not any(said in head for said in ("encoder-f16", "version", "fingerprint"))
