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


def one_by_one(path: Path, folder: Path) -> dict[str, tuple[Path, str]]:
    """Each session of the table in a file of its own, as reading one goes through its whole file; and what is said."""
    with path.open(encoding="utf-8", newline="") as file:
        sessions: dict[str, list[dict[str, str]]] = {}
        for row in csv.DictReader(file):
            sessions.setdefault(row["transcript_id"], []).append(row)
    made = {}
    for name, rows in sessions.items():
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        words = {row["utterance_id"]: row["utterance_text"] for row in rows}
        made[name] = folder / f"{name}.csv", "".join("".join(words.values()).split())
    return made


@pytest.mark.parametrize("name", ["annomi_simple.csv", "annomi_full.csv"])
def test_all_annomi_sessions_are_read(name: str, dev_data: Path, tmp_path: Path) -> None:
    path = wanted(dev_data.parent, name)
    sessions, alone = list_sessions(path), one_by_one(path, tmp_path)
    assert len(sessions) == 133
    for info in sessions:
        own, words = alone[info.id]
        transcript = read_transcript(own, info.id)
        assert len(transcript.turns) == info.turns
        assert {turn.role for turn in transcript.turns} == {Role.THERAPIST, Role.CLIENT}
        assert len("".join("".join(turn.text.split()) for turn in transcript.turns)) >= 0.99 * len(words)
    last = sessions[-1].id
    assert read_transcript(path, last).turns == read_transcript(alone[last][0], last).turns


def test_therapist_is_guessed_from_talk_alone_in_nearly_all_annomi_sessions(dev_data: Path, tmp_path: Path) -> None:
    right = 0
    for name, (own, _) in one_by_one(wanted(dev_data.parent, "annomi_simple.csv"), tmp_path).items():
        guessed = guess_roles(without_labels(read_transcript(own, name)))
        right += guessed.role_of("Ana") is Role.THERAPIST and guessed.role_of("Bo") is Role.CLIENT
    assert right >= 132  # the miss has seven turns


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
