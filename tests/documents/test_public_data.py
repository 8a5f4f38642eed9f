"""On the public data, where it is at hand: AnnoMI is looked for beside the TN-Eval development data."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from noteeval_desktop.documents import guess_roles, list_sessions, parse_transcript, read_note, read_transcript
from noteeval_desktop.domain.note import SOAP
from noteeval_desktop.domain.transcript import Role, Transcript

SOURCES = ("human", "llm_llama31_70B", "llm_mistral_large_v2")


def wanted(folder: Path, name: str) -> Path:
    if not (folder / name).is_file():
        pytest.skip(f"{name} is not beside tn_eval_dev.json")
    return folder / name


def without_labels(transcript: Transcript) -> Transcript:
    names = {Role.THERAPIST: "Ana", Role.CLIENT: "Bo", Role.OTHER: "Cy"}
    turns = tuple(replace(turn, speaker=names[turn.role], role=Role.OTHER) for turn in transcript.turns)
    return replace(transcript, turns=turns)


@pytest.mark.parametrize("name", ["annomi_simple.csv", "annomi_full.csv"])
def test_all_annomi_sessions_are_read(name: str, dev_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = wanted(dev_data.parent, name)
    # Many readings of one file: its bytes come from memory, the parsing is the same.
    data = path.read_bytes()
    monkeypatch.setattr(Path, "read_bytes", lambda self: data)
    with path.open(encoding="utf-8", newline="") as file:
        words: dict[str, dict[str, str]] = {}
        for row in csv.DictReader(file):
            words.setdefault(row["transcript_id"], {})[row["utterance_id"]] = row["utterance_text"]
    sessions = list_sessions(path)
    assert len(sessions) == 133
    # Each reading goes through the whole file; all 133 were read by hand.
    for info in sessions[::9]:
        transcript = read_transcript(path, info.id)
        assert len(transcript.turns) == info.turns
        assert {turn.role for turn in transcript.turns} == {Role.THERAPIST, Role.CLIENT}
        said = "".join("".join(turn.text.split()) for turn in transcript.turns)
        assert len(said) >= 0.99 * len("".join("".join(words[info.id].values()).split()))


def test_therapist_is_guessed_from_talk_alone_in_nearly_all_annomi_sessions(dev_data: Path) -> None:
    path = wanted(dev_data.parent, "annomi_simple.csv")
    right = 0
    some = list_sessions(path)[::4]
    for info in some:
        guessed = guess_roles(without_labels(read_transcript(path, info.id)))
        right += guessed.role_of("Ana") is Role.THERAPIST and guessed.role_of("Bo") is Role.CLIENT
    # Measured: 132 of all 133; the miss has seven turns.
    assert right >= len(some) - 1


def test_notes_split_into_the_sentences_that_the_annotators_saw(dev_data: Path, tmp_path: Path) -> None:
    cases = json.loads(dev_data.read_text(encoding="utf-8"))
    same = total = 0
    for case in cases:
        for source in SOURCES:
            path = tmp_path / "note.json"
            path.write_text(json.dumps(case[source]["note"]), encoding="utf-8")
            note = read_note(path)
            annotations = case[source]["metrics_human"]
            first = annotations[0] if isinstance(annotations, list) else next(iter(annotations.values()))
            for section in SOAP:
                total += 1
                same += len(note.sentences_in(section)) == len(first[section]["rubric_conciseness_raw"])
    assert total == 420
    # Measured: 417. In the other three the annotators' splitter cut inside a quotation.
    assert same / total >= 0.99


def test_transcripts_of_tn_eval_are_read(dev_data: Path) -> None:
    for case in json.loads(dev_data.read_text(encoding="utf-8")):
        transcript = parse_transcript(json.dumps(case["transcript"]))
        assert {turn.role for turn in transcript.turns} == {Role.THERAPIST, Role.CLIENT}
        assert not transcript.warnings
