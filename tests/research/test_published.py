"""Published data as they lie in their repositories."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from noteeval_desktop.domain.transcript import Role
from noteeval_desktop.errors import InputError
from noteeval_desktop.research import mts_dialog
from noteeval_desktop.research.benchmark_annomi import read_sessions
from noteeval_desktop.research.published import files, load_notes, primock57, tn_eval_cases
from noteeval_desktop.research.study_notes import load_study
from tests.measures.test_tn_eval import conversation

UTTERANCES = ["transcript_id", "mi_quality", "utterance_id", "interlocutor", "timestamp", "utterance_text"]


def _csv(path: Path, *rows: Sequence[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


@pytest.fixture
def tn_eval(tmp_path: Path) -> Path:
    """Ten files of one case each without its transcript, AnnoMI's full table, and a file that is neither."""
    folder = tmp_path / "TN-Eval-Data"
    utterances = []
    for number in range(1, 11):
        case = conversation(number)
        del case["transcript"]
        (folder / "data").mkdir(parents=True, exist_ok=True)
        (folder / "data" / f"notes_part{number}.json").write_text(json.dumps([case]), "utf-8")
        for annotator in (1, 2):
            utterances.append([number, "high", 0, "therapist", "00:00:13", f"Wie geht es, {number}?", annotator])
            utterances.append([number, "high", 1, "client", "00:00:20", "Müde 😴.", annotator])
    _csv(folder / "AnnoMI-full.csv", [*UTTERANCES, "annotator_id"], *utterances)
    (folder / "package.json").write_text("{}", "utf-8")
    return folder


def test_tn_eval_s_parts_get_their_transcripts_from_annomi_in_the_order_of_their_numbers(tn_eval: Path) -> None:
    notes = load_notes(tn_eval)
    assert [note.conversation for note in notes[::3]] == [str(number) for number in range(1, 11)]
    assert [turn.text for turn in notes[-1].case.transcript.turns] == ["Wie geht es, 10?", "Müde 😴."]
    parts = [tn_eval / "data" / "notes_part2.json", tn_eval / "AnnoMI-full.csv"]
    assert [note.conversation for note in load_notes(*parts)] == ["2"] * 3
    assert len(load_study(tn_eval)) == 10


def test_a_part_finds_the_transcripts_beside_it(tn_eval: Path) -> None:
    beside = tn_eval / "data" / "annomi-SIMPLE.CSV"
    (tn_eval / "AnnoMI-full.csv").rename(beside)
    assert load_notes(tn_eval / "data" / "notes_part3.json")[0].case.transcript.turns[0].start == 13


def test_what_was_looked_for_is_said_where_it_is_not_there(tn_eval: Path, tmp_path: Path) -> None:
    (tn_eval / "AnnoMI-full.csv").unlink()
    with pytest.raises(InputError, match=r"TN-Eval-Data: .*transcript_id, interlocutor, timestamp and utterance_text"):
        tn_eval_cases(tn_eval)
    with pytest.raises(InputError, match=r"gone\.csv: there is no such file or folder"):
        mts_dialog.load(tmp_path / "gone.csv")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: .*columns Reference Summary and Automatic Summary\. Give MTS-Dialog"):
        mts_dialog.load(tmp_path / "empty")
    with pytest.raises(InputError, match=r"empty: holds no cases of TN-Eval"):
        load_notes(tmp_path / "empty")
    summaries = _csv(tmp_path / "s.csv", ["Reference Summary", "Automatic Summary"], ["a", "b"])
    with pytest.raises(InputError, match=r"FactualPrecision, .*HallucinationRate and OmissionRate\. Give MTS-Dialog"):
        mts_dialog.load(summaries)
    with pytest.raises(InputError, match=r"s\.csv: has no column transcript_id, mi_quality"):
        read_sessions(summaries)


def test_mts_dialog_is_found_by_its_columns_in_any_case(tmp_path: Path) -> None:
    _csv(tmp_path / "Main" / "MTS-Dialog-TrainingSet.csv", ["ID", "section_header", "section_text", "dialogue"])
    _csv(
        tmp_path / "A.CSV",
        ["ID", "dialogue", "reference SUMMARY", "automatic summary"],
        [1, "Doctor: Hi.", "Ill.", "Well."],
    )
    _csv(tmp_path / "B.csv", [name.lower() for name in mts_dialog.MANUAL], [1, 0.5, 0.6, 0, 0.25])
    found = mts_dialog.load(tmp_path)
    assert (found.pairs, found.dialogues, found.manual["FactualRecall"]) == (
        (("Ill.", "Well."),),
        ("Doctor: Hi.",),
        (0.5,),
    )


def test_annomi_s_full_table_counts_an_utterance_once(tn_eval: Path) -> None:
    sessions = read_sessions(tn_eval)
    assert [(one.name, one.high, len(one.transcript.turns)) for one in sessions[:2]] == [("1", True, 2), ("2", True, 2)]


def test_aci_bench_s_folder_counts_a_visit_once(tmp_path: Path) -> None:
    head, visit = (
        ["dataset", "encounter_id", "dialogue", "note"],
        ["x", "D1", "[doctor] hi .\n[patient] hello .", "PLAN\nRest."],
    )
    _csv(tmp_path / "challenge_data" / "train.csv", head, visit)
    _csv(
        tmp_path / "challenge_data" / "train_metadata.csv",
        ["dataset", "encounter_id", "doctor_name"],
        ["x", "D1", "Weiß"],
    )
    _csv(tmp_path / "src_experiment_data" / "train_asr.csv", head, visit, ["x", "D2", *visit[2:]])
    (tmp_path / "challenge_data_json").mkdir()
    (tmp_path / "challenge_data_json" / "train.json").write_text('{"data": [{"src": "hi", "tgt": "PLAN"}]}', "utf-8")
    (tmp_path / "latin.csv").write_bytes("dialogue,note\nä,ö\n".encode("cp1252"))
    assert [note.name for note in load_study(tmp_path)] == ["D1", "D2"]


GRID = """File type = "ooTextFile"
Object class = "TextGrid"
item [1]:
        class = "IntervalTier"
        xmin = 0
        xmax = 9
        intervals: size = 2
        intervals [1]:
            xmin = {at}
            xmax = 3
            text = "{said}"
        intervals [2]:
            xmin = 7
            xmax = 9
            text = ""
"""


def test_primock57_s_two_speakers_become_one_talk(tmp_path: Path) -> None:
    name = "day1_consultation01"
    (tmp_path / "notes").mkdir()
    (tmp_path / "transcripts").mkdir()
    (tmp_path / "notes" / f"{name}.json").write_text(json.dumps({"note": "3/7 cough. Rest."}), "utf-8")
    for who, at, said in (("patient", 2.5, 'My <UNSURE>son</UNSURE> said ""rest"".'), ("doctor", 0, "Hello 🙂")):
        (tmp_path / "transcripts" / f"{name}_{who}.TextGrid").write_text(GRID.format(at=at, said=said), "utf-8")
    (visit,) = primock57([tmp_path])
    assert [(turn.role, turn.text, turn.start) for turn in visit.transcript.turns] == [
        (Role.THERAPIST, "Hello 🙂", 0.0),
        (Role.CLIENT, 'My son said "rest".', 2.5),
    ]
    assert [note.name for note in load_study(tmp_path)] == [name]
    (tmp_path / "notes" / "day2_consultation09.json").write_text('{"note": "x"}', "utf-8")
    with pytest.raises(InputError, match=r"day2_consultation09\.json: .*day2_consultation09_patient\.TextGrid"):
        list(primock57([tmp_path]))


def test_files_are_ordered_by_their_numbers(tmp_path: Path) -> None:
    for name in ("part10.json", "part2.json", "Part1.JSON", "part3.txt"):
        (tmp_path / name).touch()
    assert [path.name for path in files([tmp_path], (".json",))] == ["Part1.JSON", "part2.json", "part10.json"]
