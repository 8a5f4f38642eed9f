from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pytest

from noteeval_desktop.cli import main
from noteeval_desktop.domain.review import SignerKnown, Vouched
from noteeval_desktop.report.draw_pdf import write_pdf
from noteeval_desktop.report.files import write_json
from noteeval_desktop.report.json_layout import evaluation_to_json
from noteeval_desktop.report.scorecard_page import scorecard_page
from noteeval_desktop.store.library import Library
from noteeval_desktop.store.records import Labels
from noteeval_desktop.store.sealing import Cost
from noteeval_desktop.store.signing import fingerprint
from tests.sample_evaluation import SAMPLE, sample_evaluation, sample_judge, sample_rubric
from tests.sample_review import sample_review

T, N, PASSWORD = str(SAMPLE / "transcript.vtt"), str(SAMPLE / "note.md"), "four plain words here"
pytestmark = pytest.mark.usefixtures("parsed_here")
EVALUATION = sample_evaluation()
CHEAP = Cost(memory_kib=64, passes=1, lanes=1)


@pytest.fixture
def card(tmp_path: Path) -> str:
    write_pdf(scorecard_page(EVALUATION, rubric=sample_rubric()), tmp_path / "card.pdf")
    return str(tmp_path / "card.pdf")


def _judge(*_: object) -> object:
    return sample_judge(EVALUATION.case)


def test_a_scorecard_matches_its_own_files_and_json(
    card: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_json(tmp_path / "e.json", evaluation_to_json(EVALUATION))
    assert main(["verify", card, "--note", N, "--case", str(tmp_path / "e.json")]) == 0
    out = capsys.readouterr().out
    assert "matches the case" in out
    assert "not a signature" in out
    assert "Every mark of the judge  the same" in out


@pytest.mark.parametrize(
    ("change", "different"),
    [
        ({"judge": {"model": "other"}}, ["model"]),
        ({"judge": {"rubric": "changed", "prompts": "changed"}}, []),
        ({"case": {"note_sha256": "0" * 64}}, ["note"]),
        ({"scores": {"faithfulness": {"done": 24}}}, ["faithfulness"]),
    ],
)
def test_what_differs_is_named_and_the_exit_code_is_1(
    card: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, dict[str, object]],
    different: list[str],
) -> None:
    data = evaluation_to_json(EVALUATION, text=False)
    for part, members in change.items():
        for name, value in members.items():
            data[part][name] = data[part][name] | value if isinstance(value, dict) else value
    write_json(tmp_path / "e.json", data)
    assert main(["verify", card, "--case", str(tmp_path / "e.json"), "--json", "-"]) == (1 if different else 0)
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "noteeval.verification/1"
    assert found["unaltered"] is True
    assert [check["what"] for check in found["checks"] if check["state"] == "different"] == different


def test_an_altered_scorecard_is_exit_1(card: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pikepdf.open(card, allow_overwriting_input=True) as pdf:
        pdf.pages[0].contents_add(b"BT ET")
        pdf.save(card)
    assert main(["verify", card, "--transcript", T, "--note", N]) == 1
    assert "was changed after it was exported" in capsys.readouterr().out


def test_another_transcript_is_named(card: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "t.txt"
    other.write_text("Therapist: Wie geht es?\nClient: Besser.\nTherapist: Gut.\nClient: Ja.\n", "utf-8")
    assert main(["verify", card, "--transcript", str(other)]) == 1
    assert "does not match the case: Session." in capsys.readouterr().out


def test_a_case_file_from_the_library_knows_its_scorecard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    library, _ = Library.create(tmp_path / "library", "a passphrase of mine", cost=CHEAP)
    review = sample_review(EVALUATION)
    case_id = library.cases.add(EVALUATION.case, Labels("Case"))
    library.cases.save_evaluation(case_id, EVALUATION)
    library.cases.save_review(case_id, review)
    path = tmp_path / "c.noteeval-case"
    library.export_case(case_id, path, "another passphrase", CHEAP)
    library.lock()
    write_pdf(scorecard_page(EVALUATION, rubric=sample_rubric(), review=review), tmp_path / "card.pdf")
    monkeypatch.setenv("NOTEEVAL_CASE_PASSPHRASE", "another passphrase")
    assert main(["verify", str(tmp_path / "card.pdf"), "--case", str(path)]) == 0
    assert "Supervisor's review      the same" in capsys.readouterr().out
    monkeypatch.setenv("NOTEEVAL_CASE_PASSPHRASE", "wrong passphrase")
    assert main(["verify", str(tmp_path / "card.pdf"), "--case", str(path)]) == 2
    monkeypatch.delenv("NOTEEVAL_CASE_PASSPHRASE")
    assert main(["verify", str(tmp_path / "card.pdf"), "--case", str(path)]) == 2
    assert "NOTEEVAL_CASE_PASSPHRASE" in capsys.readouterr().err


@pytest.mark.parametrize(("honest", "code"), [(True, 0), (False, 1)])
def test_who_signed_the_review_is_said_and_compared_with_the_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], honest: bool, code: int
) -> None:
    library, _ = Library.create(tmp_path / "library", "a passphrase of mine", cost=CHEAP)
    review = sample_review(EVALUATION)
    case_id = library.cases.add(EVALUATION.case, Labels("Case"))
    library.cases.save_evaluation(case_id, EVALUATION)
    library.cases.save_review(case_id, review)
    path, card = tmp_path / "c.noteeval-case", tmp_path / "card.pdf"
    library.export_case(case_id, path, "another passphrase", CHEAP)
    key = fingerprint(library.supervision.public_key() if honest else "ab" * 32)
    library.lock()
    vouched = Vouched(SignerKnown.NOT_COMPARED, key)
    write_pdf(scorecard_page(EVALUATION, rubric=sample_rubric(), review=review, vouched=vouched), card)
    monkeypatch.setenv("NOTEEVAL_CASE_PASSPHRASE", "another passphrase")
    assert main(["verify", str(card), "--case", str(path)]) == code
    out = capsys.readouterr().out
    assert f"Its review is signed with a key that nobody had compared: {key}." in out
    assert ("does not match the case: Key of the review." in out) is not honest


@pytest.mark.parametrize(("given", "code"), [(PASSWORD, 0), ("wrong password", 2), (None, 2)])
def test_an_encrypted_scorecard_takes_its_password_from_the_environment(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: str | None,
    code: int,
) -> None:
    pdf = tmp_path / "out.pdf"
    monkeypatch.setenv("NOTEEVAL_PDF_PASSWORD", PASSWORD)
    arguments = ["evaluate", "--transcript", T, "--note", N, "--pdf", str(pdf), "--encrypt-pdf", "--paper", "letter"]
    assert main(arguments, _judge) == 0  # type: ignore[arg-type]
    with pikepdf.open(pdf, password=PASSWORD) as opened:
        assert list(opened.pages[0].mediabox)[2:] == [612, 792]
    monkeypatch.delenv("NOTEEVAL_PDF_PASSWORD")
    if given is not None:
        monkeypatch.setenv("NOTEEVAL_PDF_PASSWORD", given)
    capsys.readouterr()
    assert main(["verify", str(pdf)]) == code
    printed = capsys.readouterr()
    assert len(printed.err.splitlines()) == (1 if code else 0)
    assert PASSWORD not in printed.out + printed.err


@pytest.mark.parametrize(
    ("password", "arguments", "said"),
    [
        ("short", ["--pdf", "o.pdf", "--encrypt-pdf"], "shorter than 8"),
        (None, ["--pdf", "o.pdf", "--encrypt-pdf"], "NOTEEVAL_PDF_PASSWORD"),
        (PASSWORD, ["--encrypt-pdf"], "has no PDF to encrypt"),
    ],
)
def test_a_password_that_will_not_do_is_refused_before_anything_is_judged(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    password: str | None,
    arguments: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    monkeypatch.delenv("NOTEEVAL_PDF_PASSWORD", raising=False)
    if password is not None:
        monkeypatch.setenv("NOTEEVAL_PDF_PASSWORD", password)

    def never(*_: object) -> object:
        raise AssertionError("judged")

    assert main(["evaluate", "--transcript", T, "--note", N, *arguments], never) == 2  # type: ignore[arg-type]
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["verify", "none.pdf"], "none.pdf: cannot be read"),
        (["verify", N], "is not a PDF"),
        (["verify", "CARD", "--case", N], "is not JSON"),
        (["verify", "CARD", "--case", "none.json"], "cannot be read"),
        (["verify", "CARD", "--note", "none.md"], "none.md"),
        (["verify", "CARD", "--json", "CARD"], "is already an input"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    card: str, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    assert main([card if part == "CARD" else part for part in arguments]) == 2
    printed = capsys.readouterr()
    assert said in printed.err
    assert len(printed.err.splitlines()) == 1
    assert printed.out == ""
