"""Broken transcripts and notes of every format: python -m tests.benchmarks.fuzz_files [--minutes 10] [--seed N].

Run by hand. Each round takes a sound file of a format, breaks it by chance (bytes, lines, values, parts of the
package), and reads it as a transcript, as a note and as a list of sessions; what was read is paired and written as
JSON and CSV. A finding is an error that is none of ours, a message that tells clinical text or a path or is no
single line, a sentence that does not stand in its note, or more than LIMIT seconds of the processor. The file of a
finding is kept in the folder that is named at the end, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import resource
import sys
import tempfile
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from noteeval_desktop.documents import list_sessions, read_note, read_transcript
from noteeval_desktop.documents.response_sets import as_context, read_response_set
from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.domain.case import Case
from noteeval_desktop.errors import InputError, NoteEvalError
from noteeval_desktop.evaluate import evaluate, final
from noteeval_desktop.report.csv_layout import evaluation_to_csv
from noteeval_desktop.report.files import dump_json
from noteeval_desktop.report.json_layout import evaluation_to_json
from tests.documents.test_bad_inputs import good_docx, good_pdf
from tests.scripted_judge import ScriptedJudge

LIMIT = 10.0
SECRET = "Daniel"
TALK = [
    ("Therapist", "How was the week?"),
    ("Client", f"Bad. {SECRET} hit me at 10 p.m., e.g. on Monday."),
    ("Therapist", "Dr. Lee said (quietly): “Call me!”"),
]
NOTE = (
    f"# Subjective\nClient reports that {SECRET} hit her. Pt. slept 4.5 hrs.\n# Plan\n1. Call Dr. Lee.\n2. Meet 3/4.\n"
)
SOAP = {"subjective": f"{SECRET} hit her.", "objective": ["Flat.", None], "plan": {"next": "Meet.", "n": 3}}
SEGMENTS = [{"speaker": who, "text": said, "start": 3.5 * n, "end": 9} for n, (who, said) in enumerate(TALK)]
NASTY = (
    *(
        "",
        "\0",
        "\ufeff",
        "\u202e",
        "\u2028",
        "e\u0301\u0302",
        "\ud7ff",
        "😀",
        "İ",
        "ﬁ",
        '"',
        "'",
        "{",
        "[",
        "<v ",
        "-->",
    ),
    *(
        "Dr. ",
        "1. ",
        ":",
        "\t",
        "\r",
        "\n\n",
        ";=1+1",
        "00:00:01.000 --> 00:00:02.000",
        "WEBVTT",
        "NaN",
        "1e999",
        "null",
    ),
    *("9" * 401, "9" * 5_000, "-1", "²", "٣", "Ⅷ", "A" * 3_000, "a: " * 400, "(" * 500, "# Plan", "S: O: A: P:"),
)
VALUES: tuple[object, ...] = (
    *(None, True, 0, -1, 10**400, 1e300, 1e-300, "", "x", [], {}, [[]], [None], {"a": {}}, "9" * 6_000, "²", "\ud800"),
    *([{"from": 10**400}], {"from": None}, {"from": "1"}, ["1", 2], "0:0:0:0", "1:99:99", "::", [10**400], False),
)


def _timed(comma: str) -> str:
    cues = (
        f"{n}\n00:00:0{n}{comma}000 --> 00:00:0{n + 1}{comma}500\n{who}: {said}"
        for n, (who, said) in enumerate(TALK, 1)
    )
    return "\n\n".join(cues)


def _table(separator: str) -> str:
    rows = (separator.join(("1", who, f'"{said}"', str(n))) for n, (who, said) in enumerate(TALK))
    return "\n".join((separator.join(("transcript_id", "interlocutor", "utterance_text", "timestamp")), *rows))


LINES = "\n".join(f"{who}: {said}" for who, said in TALK)
TEXTS = {
    "lines.txt": LINES,
    "note.md": NOTE,
    "cues.vtt": "WEBVTT\n\nNOTE x\n\n" + _timed("."),
    "voices.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n" + "".join(f"<v {who}>{said}</v>\n" for who, said in TALK),
    "cues.srt": _timed(","),
    "table.csv": _table(","),
    "table2.csv": _table(";"),
    "set.csv": "id,context,response\n1,I am sad.,Tell me more.\n",
    "zoom.txt": "\n".join(f"[{who}] 10:02:15\n{said}" for who, said in TALK),
    "meeting.txt": "Attendees\nA, B\n📖 Transcript\n00:00:01\nAnn: hi\nBob: ho\nTranscription ended after 00:10:00",
}
TREES: dict[str, object] = {
    "segments.json": {"segments": SEGMENTS},
    "turns.json": SEGMENTS,
    "rev.json": {
        "speakers": [{"id": 0, "name": "T"}],
        "monologues": [{"speaker": 0, "elements": [{"ts": 0.5, "value": said}]} for _, said in TALK],
    },
    "whisper.json": {"transcription": [{"offsets": {"from": 10, "to": 20}, "text": said} for _, said in TALK]},
    "soap.json": SOAP,
    "wrapped.json": {"note": SOAP, "id": 3},
    "responses.json": [{"id": 1, "context": "Client: I am sad.", "response": "Tell me more."}],
}


def _change_text(text: str, dice: random.Random) -> str:
    for _ in range(dice.randint(1, 6)):
        at, to = sorted((dice.randint(0, len(text)), dice.randint(0, len(text))))
        match dice.randrange(5):
            case 0:
                text = text[:at] + dice.choice(NASTY) + text[at:]
            case 1:
                text = text[:at] + text[to:]
            case 2:
                text = text[:at] + text[at:to] * dice.choice((2, 3, 50)) + text[to:]
            case 3:
                lines = text.split("\n")
                dice.shuffle(lines)
                text = "\n".join(lines)
            case 4:
                text = text[:at] + dice.choice(NASTY) * dice.choice((1, 40, 2_000)) + text[at:]
        text = text[:2_000_000]
    return text


def _change_bytes(data: bytes, dice: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(dice.choice((1, 2, 8, 40))):
        if made:
            made[dice.randrange(len(made))] = dice.randrange(256)
    if dice.random() < 0.3:
        made = made[: dice.randint(0, len(made))]
    return bytes(made)


def _change_tree(tree: object, dice: random.Random) -> object:
    """One value somewhere within, or its key, becomes another."""
    if isinstance(tree, dict) and tree and dice.random() < 0.85:
        key = dice.choice(list(tree))
        if dice.random() < 0.1:
            return {dice.choice(("text", "start", "speaker", "plan", "", "S", "monologues", "note")): tree[key], **tree}
        return {**tree, key: _change_tree(tree[key], dice)}
    if isinstance(tree, list) and tree and dice.random() < 0.85:
        at = dice.randrange(len(tree))
        return [*tree[:at], _change_tree(tree[at], dice), *tree[at + 1 :]] * dice.choice((1, 1, 1, 30))
    return dice.choice(VALUES)


def _change_package(data: bytes, dice: random.Random) -> bytes:
    """A part of a DOCX broken, lost, or made longer; the package around it is sound."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as sound, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        hit = dice.choice(("word/document.xml", "word/styles.xml", *sound.namelist()))
        for name in sound.namelist():
            part = sound.read(name)
            if name == hit:
                change = dice.randrange(4)
                if change == 0:
                    continue
                if change == 1:
                    part = _change_bytes(part, dice)
                if change == 2:
                    part = _change_text(part.decode("utf-8", "replace"), dice).encode("utf-8", "replace")
                if change == 3:
                    old, new = dice.sample((b"w:t>", b"w:r>", b"w:p>", b"w:tbl>", b"w:tc>", b"w:val", b"w:rPr>"), 2)
                    part = part.replace(old, new, dice.randint(1, 9))
            made.writestr(name, part)
    return out.getvalue()


def _change_pdf(data: bytes, dice: random.Random) -> bytes:
    """Words of the file's own language exchanged, or bytes."""
    words = (b"/Length", b"/Filter", b"/Kids", b"/Count", b"/Type", b"obj", b"stream", b"/Font", b"Tj", b"/MediaBox")
    if dice.random() < 0.5:
        return _change_bytes(data, dice)
    old, new = dice.sample(words, 2)
    return data.replace(old, new, dice.randint(1, 3))


def _sound_docx() -> bytes:
    return good_docx(*NOTE.split("\n"), *LINES.split("\n"))


def make(dice: random.Random) -> tuple[str, bytes]:
    """A broken file: its name and its bytes."""
    kind = dice.random()
    if kind < 0.4:
        name = dice.choice(list(TEXTS))
        data = _change_text(TEXTS[name], dice).encode(dice.choice(("utf-8", "utf-8", "utf-16", "cp1252")), "replace")
        return name, _change_bytes(data, dice) if dice.random() < 0.2 else data
    if kind < 0.8:
        name = dice.choice(list(TREES))
        tree = TREES[name]
        for _ in range(dice.randint(1, 4)):
            tree = _change_tree(tree, dice)
        text = json.dumps(tree, ensure_ascii=dice.random() < 0.7)
        return name, (_change_text(text, dice) if dice.random() < 0.2 else text).encode("utf-8", "surrogatepass")
    if kind < 0.9:
        sound = _sound_docx()
        return "file.docx", _change_package(sound, dice) if dice.random() < 0.8 else _change_bytes(sound, dice)
    return "file.pdf", _change_pdf(good_pdf(NOTE.split("\n"), pages=dice.randint(1, 3)), dice)


def use(path: Path) -> None:
    """Everything that the program does with a file before it is judged. Raises what it raises."""
    read: dict[str, object] = {}
    tasks: dict[str, Callable[[Path], object]] = {
        "transcript": read_transcript,
        "note": read_note,
        "sessions": list_sessions,
        "responses": read_response_set,
    }
    if path.suffix in (".docx", ".pdf"):  # a child each, which costs the most
        tasks = {"note": read_note}
    for name, task in tasks.items():
        try:
            read[name] = task(path)
        except InputError as refused:
            _check_message(refused, path)
    note, transcript = read.get("note"), read.get("transcript")
    if note is not None:
        for sentence in note.sentences:  # type: ignore[attr-defined]
            if sentence.span.of(note.text) != sentence.text:  # type: ignore[attr-defined]
                raise AssertionError("a sentence does not stand in its note")
        as_context(note.text)  # type: ignore[attr-defined]
    if note is not None and transcript is not None:
        evaluation = final(evaluate(Case(transcript, note), ScriptedJudge())).evaluation  # type: ignore[arg-type]
        if not evaluation.complete:
            raise AssertionError(evaluation.problems[0])
        dump_json(evaluation_to_json(evaluation))
        evaluation_to_csv(evaluation)


def _check_message(error: NoteEvalError, path: Path) -> None:
    said = str(error)
    if "\n" in said or SECRET in said or str(path.parent) in said or "internal" in said or len(said) > 400:
        raise AssertionError(f"a message that no user should read: {said[:200]!r}")


def _spent() -> float:
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--seed", type=int, default=0)
    given = options.parse_args()
    kept, found, rounds = Path(tempfile.mkdtemp(prefix="fuzz-files-")), Counter[str](), Counter[str]()
    until, number, slowest = time.monotonic() + 60 * given.minutes, 0, (0.0, "")
    while time.monotonic() < until:
        name, data = make(random.Random(f"{given.seed}/{number}"))
        path = kept / f"{number}-{name}"
        path.write_bytes(data)
        rounds[name] += 1
        split_line.cache_clear()
        began, finding = _spent(), ""
        try:
            use(path)
        except Exception as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            finding = f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno} {str(error)[:160]!r}"
        took = _spent() - began
        slowest = max(slowest, (took, path.name))
        if took > LIMIT:
            finding = finding or f"{took:.1f} s of the processor"
        if finding:
            found[finding] += 1
            print(f"{path.name}: {finding}", flush=True)
        else:
            path.unlink()
        number += 1
    counted = ", ".join(f"{name} {times}" for name, times in sorted(rounds.items()))
    print(f"{number} files in {given.minutes:g} minutes, seed {given.seed}: {counted}")
    print(f"slowest {slowest[0]:.1f} s ({slowest[1]}); {sum(found.values())} findings of {len(found)} kinds; {kept}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
