"""What a packaged program holds of other people's: a bill of materials (CycloneDX) and everybody's licence."""

from __future__ import annotations

import json
import platform
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from importlib.metadata import Distribution, packages_distributions
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ENCODER = json.loads((HERE.parent / "models" / "manifest.json").read_text(encoding="utf-8"))["encoder"]
SBOM, LICENCES = "sbom.cdx.json", "licences.txt"
_LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|copyright|authors)[^/]*$|licenses/", re.IGNORECASE)
# What is in no package's list of files.
_OWN_TEXTS = {
    "PySide6_Essentials": ("LGPL-3.0.txt", "GPL-3.0.txt"),
    "llama_cpp_python": ("llama.cpp.txt",),
}


def write(folder: Path, modules: Iterable[str]) -> None:
    """Both files into ``folder``, on the packages of this Python that bring one of ``modules`` (top-level names)."""
    brings = packages_distributions()
    names = sorted({name for module in set(modules) for name in brings.get(module, ())}, key=str.lower)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LICENCES).write_text("\n\n".join(_licences(names)), encoding="utf-8")
    (folder / SBOM).write_text(json.dumps(_materials(names), indent=1, sort_keys=True), encoding="utf-8")


def _licences(names: Iterable[str]) -> Iterable[str]:
    python = f"Python {platform.python_version()}\nhttps://www.python.org\n"
    yield _page(python, [(Path(sysconfig.get_path("stdlib")) / "LICENSE.txt").read_text("utf-8", "replace")])
    yield _page(f"{ENCODER['name']} (sentence encoder), {ENCODER['licence']}", [])
    for name in names:
        distribution = Distribution.from_name(name)
        meta: Any = distribution.metadata
        licence = meta.get("License-Expression") or (meta.get("License") or "").split("\n")[0] or "see below"
        files = [
            file for file in distribution.files or () if ".dist-info/" in str(file) and _LICENCE_FILE.search(str(file))
        ]
        texts = [Path(str(file.locate())).read_text("utf-8", "replace") for file in files]
        texts += [(HERE / "licences" / own).read_text("utf-8") for own in _OWN_TEXTS.get(name, ())]
        yield _page(f"{meta['Name']} {distribution.version}: {licence}", texts)


def _page(title: str, texts: Iterable[str]) -> str:
    return "\n\n".join([f"{'=' * 78}\n{title}", *(text.strip() for text in texts)])


def _materials(names: Iterable[str]) -> dict[str, Any]:
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", sys.executable]
    made: dict[str, Any] = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    inside = {_plain(name) for name in names}
    parts = [part for part in made["components"] if _plain(part["name"]) in inside]
    kept = {part["bom-ref"] for part in parts}
    parts += [
        {"type": "platform", "name": "Python", "version": platform.python_version(), "bom-ref": "python"},
        {
            "type": "machine-learning-model",
            "name": ENCODER["name"],
            "bom-ref": "encoder",
            "hashes": [{"alg": "SHA-256", "content": ENCODER["sha256"]}],
            "licenses": [{"license": {"id": ENCODER["licence"]}}],
        },
    ]
    links = [
        {**link, "dependsOn": [ref for ref in link.get("dependsOn", ()) if ref in kept]}
        for link in made.get("dependencies", ())
        if link["ref"] in kept
    ]
    return made | {"components": parts, "dependencies": links}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
