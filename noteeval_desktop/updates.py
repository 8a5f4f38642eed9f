"""What is installed, and a signed file that says what is new. Nobody fetches such a file but the user."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from noteeval_desktop import __version__
from noteeval_desktop.errors import InputError
from noteeval_desktop.store.signing import Signer, canonical, is_by

PRODUCT = "NoteEval"
_PURPOSE = "noteeval.update/1"
_MOST_BYTES = 1_000_000
_ASK = "Ask whoever gave it to you for the file as it was published."


class Update(BaseModel):
    """One version; ``changes``: what its users notice, a sentence or two each, the most important first."""

    model_config = ConfigDict(frozen=True)
    product: Annotated[str, StringConstraints(max_length=80)]
    version: Annotated[str, StringConstraints(pattern=r"^\d{1,4}\.\d{1,4}\.\d{1,4}$")]
    date: date
    changes: tuple[Annotated[str, StringConstraints(min_length=1, max_length=400)], ...] = Field(max_length=100)


class _File(BaseModel):
    update: Any
    signature: str


@dataclass(frozen=True, slots=True)
class Installed:
    """``judge``: its version and a digest of all that it judges with; ``encoder``: name and SHA-256, empty where it is
    missing or damaged; ``models``: language models that the user added, by name."""

    version: str
    judge: str
    encoder: str
    models: tuple[str, ...]


def installed() -> Installed:
    """Reads 20 MB: call it from a job. Raises ModelError, OSError."""
    # Here, not above: a signed file is read without them.
    from noteeval_desktop.engines.manifest import read_manifest
    from noteeval_desktop.engines.models import State, list_models
    from noteeval_desktop.judges.builtin.judge import VERSION
    from noteeval_desktop.judges.builtin.shipped import shipped

    manifest = read_manifest()
    encoder, *others = list_models(manifest=manifest)
    there = encoder.state is State.READY
    own = tuple(model.name for model in others if model.state is not State.SUGGESTED)
    known = f"{encoder.name} ({manifest.encoder.sha256[:16]})" if there else ""
    return Installed(__version__, f"{VERSION} ({shipped()})", known, own)


def signed(update: Update, signer: Signer) -> str:
    """The file's text: JSON with the update and its signature (Ed25519 over the update's canonical form)."""
    plain = update.model_dump(mode="json")
    return _File(update=plain, signature=signer.sign(canonical(_PURPOSE, plain))).model_dump_json(indent=1) + "\n"


def read_update(path: Path, public: str, having: str = __version__) -> Update:
    """What the file at ``path`` tells, signed by the owner of ``public`` (hex) and no older than ``having``.

    Raises InputError, in one sentence, for any other file.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise InputError(path.name, f"it cannot be read ({error.strerror})", "Choose another file.") from error
    try:
        found = _File.model_validate_json(content)
    except ValidationError as error:
        problem = "it is not a signed update file of NoteEval"
        raise InputError(path.name, problem, _ASK) from error
    if not _is_genuine(found, public):
        problem = "it was not signed by the makers of your NoteEval, or was changed afterwards"
        raise InputError(path.name, problem, "Do not use it. " + _ASK)
    try:
        update = Update.model_validate(found.update)
    except ValidationError as error:
        remedy = "Look on the page where you got NoteEval."
        raise InputError(path.name, "it is of a form that your NoteEval does not know", remedy) from error
    if update.product != PRODUCT:
        raise InputError(path.name, f"it is about another program, {update.product}", _ASK)
    if _order(update.version) < _order(having):
        remedy = "There is nothing to do."
        raise InputError(path.name, f"it is about {update.version}, which is older than your {having}", remedy)
    return update


def is_newer(update: Update, having: str = __version__) -> bool:
    return _order(update.version) > _order(having)


def _is_genuine(found: _File, public: str) -> bool:
    try:
        return is_by(public, found.signature, canonical(_PURPOSE, found.update))
    except ValueError:  # of half a character no form can be signed
        return False


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
