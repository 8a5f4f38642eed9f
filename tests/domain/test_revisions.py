from __future__ import annotations

from collections.abc import Mapping

from noteeval_desktop.domain.case import Case
from noteeval_desktop.domain.evaluation import Evaluation, JudgedSentence, JudgeIdentity
from noteeval_desktop.domain.findings import FindingKind
from noteeval_desktop.domain.note import Section
from noteeval_desktop.domain.revisions import Change, Finding, compare
from noteeval_desktop.domain.rubric import Importance
from noteeval_desktop.domain.scores import score
from noteeval_desktop.domain.transcript import cite
from noteeval_desktop.domain.verdicts import (
    ClaimVerdict,
    ItemVerdict,
    NeedVerdict,
    Omission,
    OmissionKind,
    Severity,
    Verdict,
)
from tests.factories import make_note, make_transcript

GOALS, RISK = "subjective-goals", "plan-risk"


def judged(
    texts: list[str],
    verdicts: Mapping[str, Verdict] | None = None,
    unneeded: tuple[str, ...] = (),
    carries: Mapping[str, str] | None = None,
    omitted: tuple[int, ...] = (),
) -> Evaluation:
    """``carries``: rubric item to the text that carries it; GOALS and RISK are missing unless carried."""
    note, transcript = make_note({Section.SUBJECTIVE: texts}), make_transcript()
    ids = {sentence.text: sentence.id for sentence in note.sentences}
    sentences = tuple(
        JudgedSentence(
            s,
            NeedVerdict(s.id, s.text not in unneeded),
            ClaimVerdict(s.id, (verdicts or {}).get(s.text, Verdict.SUPPORTED)),
        )
        for s in note.sentences
    )
    items = tuple(
        ItemVerdict(
            item,
            Section.SUBJECTIVE,
            Importance.MANDATORY,
            item in (carries or {}),
            sentences=(ids[(carries or {})[item]],) if item in (carries or {}) else (),
        )
        for item in (GOALS, RISK)
    )
    omissions = tuple(Omission(cite(transcript.turns[i]), OmissionKind.RISK, Severity.HIGH) for i in omitted)
    return Evaluation(
        Case(transcript, note),
        JudgeIdentity("t", "t", "1"),
        items,
        sentences,
        score(items, sentences),
        omissions=omissions,
    )


def shown(change: Change) -> tuple[list[str], list[str], list[str], list[str]]:
    return (
        [s.text for s in change.before],
        [s.text for s in change.after],
        [f"{f.kind}: {f.place}" for f in change.solved],
        [f"{f.kind}: {f.place}" for f in change.caused],
    )


def test_a_corrected_sentence_solves_its_finding() -> None:
    before = judged(["Eins.", "Trinkt viermal."], {"Trinkt viermal.": Verdict.CONTRADICTED})
    found = compare(before, judged(["Eins.", "Trinkt zweimal 🍷."]))
    (change,) = found.changes
    assert shown(change) == (["Trinkt viermal."], ["Trinkt zweimal 🍷."], ["contradicted: s2"], [])
    assert not found.elsewhere.solved


def test_a_sentence_that_is_still_wrong_solves_nothing() -> None:
    before = judged(["Trinkt viermal."], {"Trinkt viermal.": Verdict.CONTRADICTED})
    found = compare(before, judged(["Trinkt fünfmal."], {"Trinkt fünfmal.": Verdict.CONTRADICTED}))
    assert shown(found.changes[0])[2:] == ([], [])


def test_a_new_sentence_may_solve_one_finding_and_cause_another() -> None:
    after = judged(["A.", "Ziel: Schlaf."], {"Ziel: Schlaf.": Verdict.UNSUPPORTED}, carries={GOALS: "Ziel: Schlaf."})
    (change,) = compare(judged(["A."]), after).changes
    assert shown(change) == ([], ["Ziel: Schlaf."], [f"missing: {GOALS}"], ["unsupported: s2"])


def test_taking_a_sentence_out_may_lose_an_item() -> None:
    before = judged(
        ["A.", "Plan bei Gefahr.", "Parkplatz."], unneeded=("Parkplatz.",), carries={RISK: "Plan bei Gefahr."}
    )
    (change,) = compare(before, judged(["A."])).changes
    assert shown(change)[2:] == (["unneeded: s3"], [f"missing: {RISK}"])


def test_an_item_is_lost_by_the_change_that_took_its_sentence_and_by_no_other() -> None:
    before = judged(["A.", "B.", "Plan bei Gefahr."], carries={RISK: "Plan bei Gefahr."})
    first, second = compare(before, judged(["A, neu.", "B."])).changes
    assert shown(first) == (["A."], ["A, neu."], [], [])
    assert shown(second) == (["Plan bei Gefahr."], [], [], [f"missing: {RISK}"])


def test_what_changed_without_a_change_of_its_sentence_is_told_apart() -> None:
    before = judged(["A.", "B."], {"A.": Verdict.UNSUPPORTED}, omitted=(3,))
    found = compare(before, judged(["A.", "B."], unneeded=("B.",), omitted=(1,)))
    assert found.changes == ()
    length = len(make_transcript().turns[1].text)
    assert found.elsewhere.caused == (
        Finding(FindingKind.UNNEEDED, "s2"),
        Finding(FindingKind.OMISSION, f"1:0-{length}"),
    )
    assert [finding.kind for finding in found.elsewhere.solved] == [FindingKind.UNSUPPORTED, FindingKind.OMISSION]


def test_the_same_evaluation_compares_to_nothing() -> None:
    one = judged(["A.", "B.", "A."], {"B.": Verdict.CONTRADICTED}, carries={GOALS: "A."})
    found = compare(one, one)
    assert (found.changes, found.elsewhere) == ((), Change((), ()))
