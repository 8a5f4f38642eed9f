"""Notes as JSON: ``{"subjective": ..., "objective": ..., "assessment": ..., "plan": ...}`` in any case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.documents.segments import load_json
from noteeval_desktop.domain.phrases import tr
from noteeval_desktop.errors import InputError

_SOAP = ("subjective", "objective", "assessment", "plan")
_LETTERS = dict(zip("soap", _SOAP, strict=True))
_WRAPPERS = ("note", "soap", "soap_note", "progress_note", "sections")
_DEEPEST = 8


def note_text(text: str, what: str) -> str:
    """The note as headed text; other keys come first, under no heading. Raises InputError for other JSON."""
    data = load_json(text, what)
    keys = {str(key).strip().lower(): value for key, value in data.items()} if isinstance(data, Mapping) else {}
    if str(keys.get("schema", "")).startswith("noteeval."):
        raise InputError(what, tr("it is a result of this program, not a note"), tr("Choose the note itself."))
    inner = next((keys[name] for name in _WRAPPERS if isinstance(keys.get(name), Mapping)), None)
    if inner is not None and not any(name in keys for name in _SOAP):
        data = inner
    if not isinstance(data, Mapping):
        raise InputError(
            what, tr("the JSON is not a single note"), tr('It should be {"subjective": ..., "plan": ...}.')
        )
    return _headed(data, what)


def _headed(data: Mapping[str, Any], what: str) -> str:
    extra: list[str] = []
    sections: dict[str, str] = {}
    for key, value in data.items():
        name = str(key).strip().replace("_", " ")
        said = _words(value, what).strip()
        soap = _LETTERS.get(name.lower(), name.lower())
        if soap in _SOAP:
            sections[soap] = "\n".join(filter(None, (sections.get(soap, ""), said)))
        elif find_headings(f"{name}:")[1]:
            sections[name] = said
        elif said:
            extra.append(f"{str(key).strip()}: {said}")
    if not sections:
        raise InputError(
            what, tr("the JSON has no note section"), tr('Name them "subjective", "objective", "assessment", "plan".')
        )
    # Other formats stand as the file has them: "data" comes before "assessment" and "plan".
    order = [name for name in _SOAP if name in sections] if set(sections) <= set(_SOAP) else list(sections)
    headed = [_under(f"{name[:1].upper()}{name[1:]}", sections[name]) for name in order]
    return "\n\n".join([*extra, *headed])


def _under(heading: str, said: str) -> str:
    """The section's text below its heading. What looks like the heading of another section ("Plan: to move in with
    her") goes on the line before it, where it is none: the file has said which section it belongs to."""
    (own,) = find_headings(f"{heading}:")[1]
    text = heading
    for number, line in enumerate(said.split("\n")):
        foreign = any(found.sections != own.sections for found in find_headings(line)[1])
        text += f"{':' if number == 0 else ''} {line.lstrip()}" if foreign else f"\n{line}"
    return text


def _words(value: Any, what: str, depth: int = 0) -> str:
    """A string as it is, a list line by line, an object as ``key: value`` lines."""
    if depth > _DEEPEST:
        raise InputError(
            what, tr("the JSON is nested too deeply"), tr("Export it again in a simpler form, or save it as text.")
        )
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "\n".join(filter(None, (_words(item, what, depth + 1) for item in value)))
    if isinstance(value, Mapping):
        return "\n".join(f"{key}: {_words(item, what, depth + 1)}" for key, item in value.items())
    return str(value)
