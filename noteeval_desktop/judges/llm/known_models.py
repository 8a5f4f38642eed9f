"""What was found out about chat models: remembered by a file's SHA-256, or by server and name, in one small file."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

from noteeval_desktop import paths
from noteeval_desktop.domain.plain import from_plain, to_plain
from noteeval_desktop.domain.text import fingerprint
from noteeval_desktop.domain.two_witnesses import TrackRecord
from noteeval_desktop.engines.local_llm.speed import Speed
from noteeval_desktop.engines.manifest import sha256_of
from noteeval_desktop.guarded_json import from_json
from noteeval_desktop.judges.llm.entrance import KINDS, Result
from noteeval_desktop.platform.files import private_folder, write_private

_WRITING = (
    threading.Lock()
)  # between the threads of a process; of two processes the later wins, and the other asks anew


@dataclass(frozen=True, slots=True)
class Served:
    """A model behind an address. What serves it may be replaced under its name: nobody can tell."""

    base_url: str
    model: str

    @property
    def key(self) -> str:
        return fingerprint(self.base_url.rstrip("/"), self.model)


@dataclass(frozen=True, slots=True)
class KnownModels:
    """``file``: beside the models by default. What cannot be read counts as not known."""

    file: Path

    @classmethod
    def of_this_user(cls) -> KnownModels:
        return cls(paths.model_folder() / "known.json")

    def sha256(self, model: Path, cancel: threading.Event | None = None) -> str:
        """Read whole once; again where the file's size or time has changed. Raises ModelError and Cancelled."""
        known = self._known_sha256(model)
        if known is None:
            known = sha256_of(model, cancel=cancel)
            self._put("files", str(model.absolute()), _mark(model) | {"sha256": known})
        return known

    def result(self, model: Path | Served, version: str) -> Result | None:
        """Of the entrance test of that version; None where it was not taken. Reads no model."""
        found = self._about(model).get("entrance")
        if not isinstance(found, dict) or found.get("version") != version:
            return None
        try:
            kinds = {kind: (int(found["kinds"][kind][0]), int(found["kinds"][kind][1])) for kind in KINDS}
            return Result(kinds, {name: TrackRecord(*given) for name, given in found["records"].items()})
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            return None

    def keep_result(self, model: Path | Served, version: str, result: Result) -> None:
        kinds = {kind: list(counts) for kind, counts in result.kinds.items()}
        records = {name: astuple(record) for name, record in result.records.items()}
        self._keep(model, "entrance", {"version": version, "kinds": kinds, "records": records})

    def speed(self, model: Path) -> Speed | None:
        """As measured here, None where it was not. Reads no model."""
        try:
            return from_plain(Speed, self._about(model).get("speed"))
        except ValueError:
            return None

    def keep_speed(self, model: Path, speed: Speed) -> None:
        self._keep(model, "speed", to_plain(speed))

    def _known_sha256(self, model: Path) -> str | None:
        entry = self._read().get("files", {}).get(str(model.absolute()))
        try:
            if isinstance(entry, dict) and _mark(model).items() <= entry.items():
                return str(entry["sha256"])
        except (OSError, KeyError):
            return None
        return None

    def _about(self, model: Path | Served) -> Mapping[str, Any]:
        digest = self._known_sha256(model) if isinstance(model, Path) else model.key
        found = self._read().get("models", {}).get(digest) if digest else None
        return found if isinstance(found, dict) else {}

    def _keep(self, model: Path | Served, name: str, value: Mapping[str, Any]) -> None:
        key = self.sha256(model) if isinstance(model, Path) else model.key
        self._put("models", key, {**self._about(model), name: value})

    def _put(self, group: str, key: str, value: Mapping[str, Any]) -> None:
        with _WRITING:
            data = self._read()
            data.setdefault(group, {})[key] = value
            private_folder(self.file.parent)
            write_private(self.file, json.dumps(data, indent=1).encode())

    def _read(self) -> dict[str, Any]:
        try:
            data = from_json(self.file.read_bytes())
        except (OSError, ValueError):
            return {}
        groups = data if isinstance(data, dict) else {}
        return {name: group for name, group in groups.items() if isinstance(group, dict)}


def _mark(model: Path) -> dict[str, int]:
    found = model.stat()
    return {"bytes": found.st_size, "mtime_ns": found.st_mtime_ns}
