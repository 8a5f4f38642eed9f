"""Text of a progress note → Note: blocks under their headings, sentences with exact spans."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from noteeval_desktop.documents import words
from noteeval_desktop.documents.headings import Heading, find_headings
from noteeval_desktop.documents.json_text import load_json
from noteeval_desktop.documents.note_head import before_signature, written
from noteeval_desktop.documents.sentences import split_line, trimmed
from noteeval_desktop.domain.note import Block, Note, Section, Sentence
from noteeval_desktop.domain.phrases import are, counted, tr
from noteeval_desktop.domain.text import Span, hidden_characters, normalise
from noteeval_desktop.errors import InputError

# pySBD gets this much of a note, a third of a second; the rest is split plainly, so typing never stalls. Counted, not
# timed: beside other work a clock gave the same note other sentences. A line costs as much as so many characters.
CHARACTERS_FOR_PYSBD = 100_000
CHARACTERS_A_LINE = 400

_RULE = re.compile(r"[-_*=#~•·|+>.\s]+")
_NEW_ITEM = re.compile(r"\s*(?:[-*•·–—+>#|]|\(?\w{1,3}[.)]\s|$)")
_SHORTEST_WRAPPED_LINE = 60


def parse_note(text: str) -> Note:
    """Read a note as typed or pasted; in-process, quick enough for every pause in typing, safe on hostile text.

    Offsets point into ``Note.text``, which is ``normalise(text)``. Text before the first heading is a
    block of Section.UNASSIGNED without a heading, and a warning says so; nothing is dropped. Title, fields and
    signature ("DAP NOTE", "Client: R. C.", "J. Hale, LMFT") are in no block: nobody said them.
    """
    hidden = hidden_characters(text)
    text = normalise(text.encode("utf-8", "replace").decode("utf-8"))
    form, headings = find_headings(text)
    blocks = _blocks(text, headings)
    sentences = tuple(
        Sentence(f"s{number}", sections, span, span.of(text))
        for number, (sections, span) in enumerate(_sentences(text, blocks), 1)
    )
    return Note(text, blocks, sentences, form, _warnings(text, blocks, bool(headings), hidden))


def _blocks(text: str, headings: tuple[Heading, ...]) -> tuple[Block, ...]:
    first = headings[0].span.start if headings else len(text)
    blocks = []
    last = before_signature(text, headings[-1].span.end if headings else 0, len(text))
    # Where nothing but fields would be left out ("Client: …", "Therapist: …" throughout), they are what was written.
    for start, end in written(text, 0, min(first, last)) or ([] if headings else [(0, len(text))]):
        blocks.append(Block((Section.UNASSIGNED,), None, trimmed(text, start, end)))
    ends = [*(heading.span.start for heading in headings[1:]), last]
    for heading, end in zip(headings, ends, strict=False):
        blocks.append(Block(heading.sections, heading.span, trimmed(text, heading.span.end, end)))
    return tuple(blocks)


def _sentences(text: str, blocks: tuple[Block, ...]) -> Iterator[tuple[tuple[Section, ...], Span]]:
    allowance = CHARACTERS_FOR_PYSBD
    for block in blocks:
        spans: list[Span] = []
        for start, line in _lines(block.body.of(text)):
            allowance -= CHARACTERS_A_LINE + len(line)
            found = [span.shifted(block.body.start + start) for span in split_line(line, plain=allowance < 0)]
            if spans and _RULE.fullmatch(line):
                spans[-1] = Span(spans[-1].start, found[-1].end)
            else:
                spans += found
        yield from ((block.sections, span) for span in spans)


def _lines(body: str) -> Iterator[tuple[int, str]]:
    """Lines with their offsets; a hard-wrapped sentence comes as one line, its breaks replaced by spaces."""
    position, start, held = 0, 0, ""
    for line in body.split("\n"):
        if held and _wraps(held, line):
            held = f"{held} {line}"
        else:
            if held:
                yield start, held
            start, held = position, line if line.strip() else ""
        position += len(line) + 1
    if held:
        yield start, held


def _wraps(held: str, line: str) -> bool:
    return (
        len(held) >= _SHORTEST_WRAPPED_LINE
        and held.rstrip()[-1:] not in (".", "!", "?", ":", ";", "。")
        and line.lstrip()[:1].islower()
        and _NEW_ITEM.match(line) is None
    )


def _warnings(text: str, blocks: tuple[Block, ...], any_heading: bool, hidden: int) -> tuple[str, ...]:
    warnings = []
    if not any_heading and text.strip():
        warnings.append(tr("The note has no section headings. Please say which section the text belongs to."))
    elif before := sum(len(block.body.of(text).split()) for block in blocks if block.heading is None):
        said = tr("{words} {come} before the note's first heading. Please say which section the text belongs to.")
        warnings.append(said.format(words=counted(before, "word"), come=are(before, "comes", "come")))
    if hidden:
        warnings.append(words.removed(hidden, "note"))
    return tuple(warnings)


# As JSON: {"subjective": ..., "objective": ..., "assessment": ..., "plan": ...}, in any case.
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
