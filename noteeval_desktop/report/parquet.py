"""Results as two Parquet tables for analysts: a row a note, and a row a finding. No text of note or session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from noteeval_desktop.domain.note_rows import DIMENSIONS
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError
from noteeval_desktop.report.files import replacing
from noteeval_desktop.report.many.reading import goals_of, was_checked

MISSING = InputError(
    "--parquet",
    tr("needs the package pyarrow"),
    tr("Install it with the extra: noteeval-desktop[analyst]."),
)
ABOUT = ("id", "clinician", "source", "date", "status", "problem")
Row = dict[str, Any]
_ROWS = 1_000  # held at a time
_SECTIONS = ("subjective", "objective", "assessment", "plan")
NOTE_COLUMNS = {
    **dict.fromkeys(ABOUT, "string"),
    **dict.fromkeys(("transcript_sha256", "note_sha256", "judge_kind", "judge_model", "judge_version"), "string"),
    **dict.fromkeys(DIMENSIONS, "double"),
    **{f"{dimension}_{section}": "double" for dimension in DIMENSIONS for section in _SECTIONS},
    "faithfulness_published_definition": "double",
    **dict.fromkeys(("contradicted", "unsupported", "observed", "sentences"), "int32"),
    **dict.fromkeys(("items_judged", "items_missing", "omissions", "risks", "findings", "open_findings"), "int32"),
    **dict.fromkeys(("plan_goals", "goals_touched", "goals_perhaps"), "int32"),
    **dict.fromkeys(("calls", "input_tokens", "output_tokens", "cached_tokens"), "int64"),
    **dict.fromkeys(("cost", "seconds", "copied"), "double"),
}
FINDING_COLUMNS = {
    **dict.fromkeys(("note", "clinician", "source", "date"), "string"),
    "rank": "int32",
    **dict.fromkeys(("kind", "harm", "severity"), "string"),
    "certainty": "double",
    **dict.fromkeys(("pressing", "before_you_sign", "open"), "bool"),
    **dict.fromkeys(("decision", "item", "sentence", "section", "verdict"), "string"),
}


class AnalystTables:
    """Add the cases one by one. ``evaluation``: in the layout of noteeval.evaluation/1; None where there is none."""

    def __init__(self, writers: Mapping[str, Any], schemas: Mapping[str, Any]) -> None:
        self._writers, self._schemas = writers, schemas
        self._rows: dict[str, list[Row]] = {name: [] for name in writers}

    def add(self, about: Mapping[str, str], evaluation: Mapping[str, Any] | None) -> None:
        """``about``: of each of ``ABOUT``."""
        self._rows["notes"].append(note_row(about, evaluation))
        self._rows["findings"] += finding_rows(about, evaluation) if evaluation else ()
        for name, rows in self._rows.items():
            if len(rows) >= _ROWS:
                self.flush(name)

    def flush(self, name: str) -> None:
        import pyarrow as pa

        self._writers[name].write_table(pa.Table.from_pylist(self._rows[name], schema=self._schemas[name]))
        self._rows[name].clear()


@contextmanager
def writing_tables(path: Path) -> Iterator[AnalystTables]:
    """The notes go to ``path``, the findings beside it: results.parquet and results-findings.parquet. Both or none.

    Raises InputError, also where pyarrow is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MISSING from None
    columns = {"notes": NOTE_COLUMNS, "findings": FINDING_COLUMNS}
    schemas = {
        name: pa.schema([(column, pa.type_for_alias(kind)) for column, kind in of.items()])
        for name, of in columns.items()
    }
    paths = {"notes": path, "findings": findings_path(path)}
    with ExitStack() as files:
        parts = {name: files.enter_context(replacing(target)) for name, target in paths.items()}
        with ExitStack() as open_writers:
            writers = {
                name: open_writers.enter_context(pq.ParquetWriter(part, schemas[name], compression="zstd"))
                for name, part in parts.items()
            }
            tables = AnalystTables(writers, schemas)
            yield tables
            for name in columns:
                tables.flush(name)


def findings_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}-findings{path.suffix}")


def note_row(about: Mapping[str, str], evaluation: Mapping[str, Any] | None) -> Row:
    """By ``NOTE_COLUMNS``; what is not known is missing."""
    if evaluation is None:
        return dict(about)
    case, judge, scores = evaluation["case"], evaluation["judge"], evaluation["scores"]
    judged = [item for item in evaluation["checklist"] if item["present"] is not None]
    faithfulness, findings = scores["faithfulness"], evaluation.get("findings") or []
    row: Row = dict(about) | {f"judge_{name}": judge[name] for name in ("kind", "model", "version")}
    row |= {name: case[name] for name in ("transcript_sha256", "note_sha256")}
    if not was_checked(evaluation):
        return row
    for name in DIMENSIONS:
        row[name] = scores[name]["note"]
        row |= {f"{name}_{section}": share for section, share in scores[name]["sections"].items()}
    return row | {
        "faithfulness_published_definition": faithfulness["published_definition"],
        **{name: faithfulness[name] for name in ("contradicted", "unsupported", "observed")},
        "sentences": len(evaluation["sentences"]),
        "items_judged": len(judged),
        "items_missing": sum(not item["present"] for item in judged),
        "omissions": _counted(evaluation["omissions"]),
        "risks": _counted(evaluation.get("risks")),
        "findings": len(findings),
        "copied": (evaluation.get("copied") or {}).get("note"),
        **dict(zip(("plan_goals", "goals_touched", "goals_perhaps"), goals_of(evaluation) or (None,) * 3, strict=True)),
        "open_findings": sum(finding["open"] for finding in findings),
        **{name: value for name, value in evaluation["usage"].items() if name in NOTE_COLUMNS},
    }


def finding_rows(about: Mapping[str, str], evaluation: Mapping[str, Any]) -> Iterator[Row]:
    """By ``FINDING_COLUMNS``."""
    sentences = {sentence["id"]: sentence for sentence in evaluation["sentences"]}
    for finding in evaluation.get("findings") or ():
        about_sentence = sentences.get(finding["sentence"], {})
        row = {name: finding[name] for name in FINDING_COLUMNS if name in finding}
        row |= {name: about_sentence.get(name) for name in ("section", "verdict")}
        yield row | {"note": about["id"]} | {name: about[name] for name in ("clinician", "source", "date")}


def _counted(values: list[Any] | None) -> int | None:
    return None if values is None else len(values)
