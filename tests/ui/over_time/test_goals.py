"""The goals of a client's plan, note by note, from an encrypted library."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

from noteeval_desktop.documents import parse_plan
from noteeval_desktop.domain.decisions import link_subject
from noteeval_desktop.domain.plan import PlanLink, Thread
from noteeval_desktop.domain.review import Answer, AnswerKind, Review, ReviewKind
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Labels
from noteeval_desktop.ui.over_time import figures
from tests.sample_evaluation import sample_evaluation

PLAN = parse_plan("Goal 1: Drink at weekends only\nGoal 2: Sleep through the night\nInterventions: diary")
EVALUATION = sample_evaluation()
FIRST = EVALUATION.case.note.sentences[0]
OWN = Review("1" * 32, ReviewKind.SELF, "", EVALUATION.case.note.sha256, datetime(2026, 3, 3).astimezone())


def add(library: Library, day: int, *links: PlanLink, read: bool = True, client: str = "R. C.") -> str:
    labels = Labels(f"Note {day}", client=client, session_date=date(2026, 3, day))
    case_id = library.cases.add(EVALUATION.case, labels)
    library.cases.save_evaluation(case_id, replace(EVALUATION, thread=Thread(PLAN, links, read=read)))
    return case_id


def cells(found: figures.Found) -> list[list[str]]:
    lines = found.tables[found.chosen].lines
    return [[cell if isinstance(cell, str) else cell.text for cell in line.cells] for line in lines]


def test_goals_stand_beside_the_days_of_the_notes(library) -> None:
    latest = add(library, 9, PlanLink(FIRST.id, "g2"))
    add(library, 2, PlanLink(FIRST.id, "g1"), PlanLink(FIRST.id, "g2"))
    add(library, 4, PlanLink(FIRST.id, "g2", probability=0.6), read=False)
    add(library, 3, client="Other")
    found = figures.goals(library, "R. C.")
    assert found.said == "3 notes checked with a treatment plan."
    assert found.tables["R. C."].headings[2:] == ("2 Mar 2026", "4 Mar 2026", "9 Mar 2026")
    assert cells(found) == [
        ["Drink at weekends only", "2 notes", "✓", "·", "○"],
        ["Sleep through the night", "–", "✓", "?", "✓"],
    ]
    cell = found.tables["R. C."].lines[0].cells[-1]
    assert isinstance(cell, figures.Cell)
    assert (cell.case, cell.spoken) == (latest, "9 Mar 2026, Note 9: not in the note")


def test_a_long_goal_leaves_room_for_the_notes(library, show) -> None:
    plan = parse_plan("Goal 1: Sleep " + "and sleep " * 40)
    case_id = library.cases.add(EVALUATION.case, Labels("A", client="R. C."))
    library.cases.save_evaluation(case_id, replace(EVALUATION, thread=Thread(plan)))
    page = show("goals")
    assert page.table.columnWidth(0) < page.table.width() / 2 + 40
    assert "and sleep and sleep" in page.table.topLevelItem(0).toolTip(0)


def test_a_link_that_the_clinician_took_away_counts_no_more(library) -> None:
    case_id = add(library, 2, PlanLink(FIRST.id, "g1"))
    subject = link_subject(PLAN.lines[0].text, FIRST.text)
    answer = Answer(subject, AnswerKind.DISMISSED, "It does not.", datetime(2026, 3, 3).astimezone())
    library.cases.save_review(case_id, replace(OWN, answers=(answer,)))
    assert cells(figures.goals(library, ""))[0][2] == "○"


def test_the_page_says_what_is_missing_and_opens_a_case(library, show, qtbot) -> None:
    page = show("goals")
    assert "No case has a client yet" in page.said.text()
    case_id = add(library, 2, PlanLink(FIRST.id, "g1"))
    page.read()
    page.table.setCurrentItem(page.table.topLevelItem(0), 2)
    with qtbot.waitSignal(page.open_asked) as opened:
        page.open_it.click()
    assert opened.args == [case_id]
