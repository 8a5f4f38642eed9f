"""The pipeline with the judge and the encoder that ship."""

from __future__ import annotations

from dataclasses import replace

import pytest

from noteeval_desktop import documents
from noteeval_desktop.domain.risk import SAFETY_ITEM, RiskKind, Stance
from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.evaluate import Question, evaluate, final
from noteeval_desktop.judges.protocol import Judge
from noteeval_desktop.present.card import scorecard
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.json_layout import evaluation_from_json, evaluation_to_json
from tests.factories import make_case, make_transcript
from tests.sample_evaluation import sample_case, sample_rubric

SPANISH = (
    "# Subjetivo\nEl cliente dice que duerme muy mal y que bebe todas las noches para poder descansar un poco.\n"
    "# Plan\nSe acuerda con el cliente que la próxima sesión será en dos semanas y que hará los ejercicios.\n"
)
FRENCH_SESSION = (
    ("therapist", "Bonjour, comment s'est passée la semaine depuis notre dernière séance ?"),
    ("client", "Pas très bien. J'ai pensé à me tuer mercredi soir, j'étais toute seule dans la cuisine 🙁."),
    ("therapist", "Merci de me le dire. Est-ce que vous avez un plan pour le faire ?"),
    ("client", "Non, mais je bois beaucoup trop depuis que mon mari est parti avec les enfants."),
)
DANGER = (("therapist", "How was the week?"), ("client", "I want to kill myself, I have the pills at home."))


def test_the_sample_and_a_plain_note_are_judged_completely(judge: Judge) -> None:
    for case in (sample_case(), make_case()):
        evaluation = final(evaluate(case, judge)).evaluation
        assert evaluation.problems == ()
        assert evaluation.complete
        assert evaluation.risks is not None


def test_a_danger_weighs_the_same_whoever_but_the_therapist_said_it(judge: Judge) -> None:
    case = sample_case()
    client = next(turn.speaker for turn in case.transcript.turns if turn.role is Role.CLIENT)
    heard = []
    for role in (Role.CLIENT, Role.OTHER):
        said = replace(case, transcript=case.transcript.with_role(client, role))
        risks = final(evaluate(said, judge, (Question.RISK,))).evaluation.risks or ()
        heard.append([(risk.kind, risk.stance, risk.turns, risk.addressed) for risk in risks])
    assert heard[0] == heard[1] != []


def _under(form: str, text: str) -> str:
    """The sample's words under the headings of another format."""
    said = [part.split("\n", 1)[1].strip() for part in text.split("## ")[1:]]
    subjective, objective, assessment, plan = said
    did = next(part for part in objective.split(". ") if part.startswith("Practised")) + "."
    seen = objective.replace(did, "")
    sections = {
        "DAP": (("Data", subjective, objective), ("Assessment", assessment), ("Plan", plan)),
        "BIRP": (("Behavior", seen), ("Intervention", did), ("Response", subjective, assessment), ("Plan", plan)),
        "GIRP": (("Goals", "Rest."), ("Intervention", did), ("Response", subjective, seen, assessment), ("Plan", plan)),
        "PIE": (("Problem", subjective, seen, assessment), ("Intervention", did), ("Evaluation", plan)),
    }[form]
    return "\n\n".join(f"{name}:\n" + "\n".join(texts) for name, *texts in sections)


@pytest.mark.parametrize("form", ["DAP", "BIRP", "GIRP", "PIE"])
def test_the_same_words_under_other_headings_cover_the_same_items(judge: Judge, form: str) -> None:
    sample = sample_case()
    note = documents.parse_note(_under(form, sample.note.text))
    assert note.format == form
    soap, other = (
        {
            item.item
            for item in final(evaluate(replace(sample, note=one), judge, (Question.COVER,))).evaluation.checklist
            if item.present and item.section
        }
        for one in (sample.note, note)
    )
    # What stands together is read together: an item more or less may come of that, not sixteen.
    assert len(soap) > 12
    assert len(soap ^ other) <= 2


def test_a_danger_of_the_sample_is_in_the_ledger_and_denied_by_the_note(judge: Judge) -> None:
    evaluation = final(evaluate(sample_case(), judge, (Question.RISK, Question.COVER))).evaluation
    assert evaluation.risks is not None
    current = [risk for risk in evaluation.risks if risk.stance is Stance.CURRENT and not risk.by_meaning]
    assert RiskKind.SUICIDE in {risk.kind for risk in current}
    assert all(risk.citation.stands_in(evaluation.case.transcript) for risk in evaluation.risks)
    (safety,) = (item for item in evaluation.checklist if item.item == SAFETY_ITEM)
    assert safety.present is not any(risk.pressing for risk in current)


def test_a_note_in_another_language_ends_incomplete_and_says_so(judge: Judge) -> None:
    case = replace(make_case(), note=documents.parse_note(SPANISH))
    evaluation = final(evaluate(case, judge)).evaluation
    assert not evaluation.complete
    assert any(p.startswith("claims: 3 of 3 could not be judged") and "English" in p for p in evaluation.problems)
    assert evaluation.scores.faithfulness.note is None


def test_what_a_note_in_another_language_leaves_out_is_not_invented(judge: Judge) -> None:
    case = make_case(transcript=make_transcript(DANGER), note=documents.parse_note(SPANISH))
    evaluation = final(evaluate(case, judge)).evaluation
    assert evaluation.omissions is None
    assert any(p.startswith("omissions: ") and "English" in p for p in evaluation.problems)
    assert {item.present for item in evaluation.checklist} == {None}
    assert evaluation.risks
    assert {risk.addressed_by for risk in evaluation.risks} == {None}
    card = scorecard(evaluation, sample_rubric())
    assert card.risk == "1 mention of risk in the session: suicide, turn 2. The note could not be checked for it."
    assert "the note could not be checked" in evaluation_to_csv(evaluation)
    assert evaluation_from_json(evaluation_to_json(evaluation)).risks == evaluation.risks


def test_a_session_in_another_language_is_not_called_free_of_danger(judge: Judge) -> None:
    evaluation = final(evaluate(make_case(transcript=make_transcript(FRENCH_SESSION)), judge)).evaluation
    assert (evaluation.risks, evaluation.omissions, evaluation.behaviours) == (None, None, None)
    assert {question for problem in evaluation.problems for question in [problem.split(":")[0]]} == {
        "risks",
        "omissions",
        "claims",
        "responses",
    }
    assert all(score is None for response in evaluation.responses or () for _, score in response.scores)
    assert evaluation.scores.conciseness.note is not None  # the note is in English


def test_known_words_of_danger_are_told_in_a_session_of_another_language(judge: Judge) -> None:
    case = make_case(transcript=make_transcript((*FRENCH_SESSION, ("client", "I want to kill myself."))))
    evaluation = final(evaluate(case, judge, (Question.RISK,))).evaluation
    assert [risk.kind for risk in evaluation.risks or ()] == [RiskKind.SUICIDE]
    assert not evaluation.complete


def test_what_a_sentence_in_another_language_may_say_is_not_surely_left_out(judge: Judge) -> None:
    mixed = (
        "# Subjective\nClient reports that she slept badly.\n"
        "El cliente dice que bebe todas las noches para poder descansar un poco.\n"
    )
    case = make_case(note=documents.parse_note(mixed))
    omissions = final(evaluate(case, judge, (Question.OMIT,))).evaluation.omissions
    assert omissions
    assert all(omission.rationale.endswith("unless what it says in another language does.") for omission in omissions)
