from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pypdf import PdfReader

from noteeval_desktop.domain.evaluation import JudgeIdentity
from noteeval_desktop.domain.review import SignerKnown
from noteeval_desktop.errors import InputError
from noteeval_desktop.report.draw_pdf import pdf_bytes
from noteeval_desktop.report.fingerprints import Fingerprints, fingerprints_of
from noteeval_desktop.report.page import Page, Paragraph
from noteeval_desktop.report.pdf_seal import read_seal
from noteeval_desktop.report.scorecard_page import EVERYTHING, scorecard_page
from noteeval_desktop.report.verifying import Scorecard, read_scorecard, verdict, verify
from tests.sample_evaluation import sample_evaluation, sample_rubric

pytestmark = pytest.mark.usefixtures("parsed_here")

EVALUATION, PASSWORD = sample_evaluation(), "vier Bücher öffnen нас"
PDF = pdf_bytes(scorecard_page(EVALUATION, rubric=sample_rubric(), label="Zebra case", appendix=EVERYTHING))


def _rewritten(change: Callable[[pikepdf.Pdf], object], pdf: bytes = PDF) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as opened:
        change(opened)
        opened.save(out)
    return out.getvalue()


def test_the_fingerprints_come_back() -> None:
    found = read_seal(PDF, "", "x.pdf")
    assert found["unaltered"] is True
    assert found["encrypted"] is False
    assert found["fingerprints"] == fingerprints_of(EVALUATION).to_json()
    assert found["fingerprints"]["completeness"] == "20/23"
    assert found["fingerprints"]["note"] == EVALUATION.case.note.sha256


def test_they_are_printed_too() -> None:
    text = "".join("".join(page.extract_text().split()) for page in PdfReader(io.BytesIO(PDF)).pages)
    assert EVALUATION.case.note.sha256 in text
    assert fingerprints_of(EVALUATION).judgements in text


def test_a_model_name_of_any_characters_is_kept() -> None:
    judge = JudgeIdentity("remote", 'a"<b>&\x00\n模型😀', "1", "r", "p")
    evaluation = replace(EVALUATION, judge=judge)
    found = read_seal(pdf_bytes(scorecard_page(evaluation, rubric=sample_rubric())), "", "x.pdf")
    assert found["unaltered"] is True
    assert found["fingerprints"] == fingerprints_of(evaluation).to_json()


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"object_stream_mode": pikepdf.ObjectStreamMode.generate, "recompress_flate": True},
        {"linearize": True},
        {"encryption": pikepdf.Encryption(owner="", user="")},
    ],
    ids=["saved", "packed", "for the web", "encrypted without a password"],
)
def test_saving_it_again_is_no_change(how: dict[str, Any]) -> None:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(PDF)) as opened:
        opened.save(out, **how)
    assert read_seal(out.getvalue(), "", "x.pdf")["unaltered"] is True


def _retouch(pdf: pikepdf.Pdf) -> None:
    page = pdf.pages[0]
    page.contents_add(b"BT 100 100 Td ET")


def _annotate(pdf: pikepdf.Pdf) -> None:
    note = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.FreeText, Rect=[0, 0, 99, 99], Contents="approved"
    )
    pdf.pages[1].Annots = pdf.make_indirect(pikepdf.Array([note]))


def _other_scores(pdf: pikepdf.Pdf) -> None:
    stream = pdf.Root.Metadata
    stream.write(stream.read_bytes().replace(b'"20/23"', b'"23/23"'))


@pytest.mark.parametrize(
    "change",
    [
        _retouch,
        _annotate,
        _other_scores,
        lambda pdf: pdf.pages.reverse(),
        lambda pdf: pdf.pages.__delitem__(0),
        lambda pdf: pdf.pages.append(pdf.pages[0]),
        lambda pdf: pdf.docinfo.__setitem__("/Title", "Note scorecard: another"),
        lambda pdf: pdf.pages[0].__setattr__("MediaBox", [0, 0, 300, 300]),
    ],
    ids=["retouched", "annotated", "scores", "order", "page gone", "page twice", "title", "cut"],
)
def test_a_change_is_noticed(change: Callable[[pikepdf.Pdf], object]) -> None:
    assert read_seal(_rewritten(change), "", "x.pdf")["unaltered"] is False


def test_encryption_hides_text_title_and_fingerprints() -> None:
    pdf = pdf_bytes(scorecard_page(EVALUATION, rubric=sample_rubric(), label="Zebra case"), password=PASSWORD)
    plain = (b"Zebra", b"urn:noteeval", EVALUATION.case.note.sha256.encode(), "Zebra".encode("utf-16-be"))
    assert not any(words in pdf for words in plain)
    assert b"urn:noteeval" in PDF
    with pikepdf.open(io.BytesIO(pdf), password=PASSWORD) as opened:
        assert (opened.encryption.R, opened.encryption.V, opened.encryption.bits) == (6, 5, 256)
        assert opened.encryption.stream_method == pikepdf.models.encryption.EncryptionMethod.aesv3  # type: ignore[attr-defined]
    with pytest.raises(pikepdf.PasswordError):
        pikepdf.open(io.BytesIO(pdf), password="wrong")
    found = read_seal(pdf, PASSWORD, "x.pdf")
    assert (found["encrypted"], found["unaltered"]) == (True, True)


@pytest.mark.parametrize(("given", "said"), [("", "protected by a password"), ("wrong one", "does not open it")])
def test_a_closed_scorecard_says_what_it_needs(given: str, said: str) -> None:
    pdf = pdf_bytes(scorecard_page(EVALUATION, rubric=sample_rubric()), password=PASSWORD)
    with pytest.raises(InputError, match=said):
        read_seal(pdf, given, "x.pdf")


def _foreign() -> bytes:
    out = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(out)
    return out.getvalue()


def _newer(pdf: pikepdf.Pdf) -> None:
    stream = pdf.Root.Metadata
    stream.write(stream.read_bytes().replace(b"noteeval.scorecard/1", b"noteeval.scorecard/2"))


def _bomb(pdf: pikepdf.Pdf) -> None:
    pdf.Root.Metadata.write(b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (_foreign(), "not a scorecard"),
        (b"%PDF-1.7\n" + bytes(range(256)) * 40, "damaged"),
        (PDF[: len(PDF) // 3], "damaged|not a scorecard"),
        (b"PK\x03\x04 no pdf", "is not a PDF"),
        (b"", "is not a PDF"),
        (_rewritten(lambda pdf: pdf.Root.__delitem__("/Metadata")), "not a scorecard"),
        (_rewritten(_newer), "newer version"),
        (_rewritten(_bomb), "not a scorecard"),
    ],
    ids=["foreign", "noise", "cut short", "zip", "empty", "stripped", "newer", "entities"],
)
def test_other_files_are_refused_in_one_line(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "Ünter lagen.pdf"
    path.write_bytes(content)
    with pytest.raises(InputError, match=said) as caught:
        read_scorecard(path)
    assert "\n" not in str(caught.value)
    assert path.name in str(caught.value)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.pdf", tmp_path):
        with pytest.raises(InputError, match="cannot be read"):
            read_scorecard(path)


def test_the_verdict_in_words(tmp_path: Path) -> None:
    path = tmp_path / "s.pdf"
    path.write_bytes(PDF)
    card, own = read_scorecard(path), fingerprints_of(EVALUATION)
    assert "not compared with a case" in verdict(verify(card, None))
    assert "matches the case" in verdict(verify(card, own))
    other = verify(card, replace(own, note="0" * 64, completeness="1/23"))
    assert verdict(other).startswith("This scorecard does not match the case: Note, Completeness.")
    assert not other.good
    path.write_bytes(_rewritten(_retouch))
    altered = verify(read_scorecard(path), own)
    assert "was changed after it was exported" in verdict(altered)
    assert not altered.good


def _damaged(rng: random.Random, pdf: bytes) -> bytes:
    data, at = bytearray(pdf), rng.randrange(len(pdf))
    match rng.randrange(4):
        case 0:
            for place in rng.sample(range(len(pdf)), rng.choice((1, 5, 50))):
                data[place] = rng.randrange(256)
        case 1:
            del data[at:]
        case 2:
            del data[at : at + rng.randrange(1, 400)]
        case _:
            data[at:at] = data[: rng.randrange(1, 800)]
    return bytes(data)


@pytest.mark.parametrize("password", ["", PASSWORD], ids=["open", "encrypted"])
def test_damage_is_an_error_or_an_alteration_and_never_a_crash(password: str) -> None:
    rng = random.Random(7)
    pdf = pdf_bytes(scorecard_page(EVALUATION, rubric=sample_rubric()), password=password)
    told = 0
    for _ in range(60):
        try:
            found = read_seal(_damaged(rng, pdf), password, "x.pdf")
        except InputError:
            told += 1
        else:
            told += not found["unaltered"]
            if found["unaltered"]:
                assert found["fingerprints"] == fingerprints_of(EVALUATION).to_json()
    assert told >= 55


def test_a_name_that_is_not_the_signers_is_told() -> None:
    prints = Fingerprints(review="0" * 64, signer_known=SignerKnown.ANOTHER.value)
    assert "The name on its review is not the signer's." in verdict(verify(Scorecard(True, False, prints), None))


def test_what_is_to_have_a_password_is_never_written_in_the_open() -> None:
    assert PdfReader(io.BytesIO(pdf_bytes(Page("Notes", (Paragraph("Calm."),)), password=PASSWORD))).is_encrypted
