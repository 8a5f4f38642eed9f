"""Where a drafted sentence, or a missing heading, goes into a note."""

from __future__ import annotations

from noteeval_desktop.documents import split_line
from noteeval_desktop.domain.harm import Harm, harm_of_sentence
from noteeval_desktop.domain.note import Note, Section
from noteeval_desktop.domain.risk import SAFETY_ITEM
from noteeval_desktop.present.headings import heading_for


def place_for_draft(
    text: str, note: Note | None, section: Section | None, sentence: str, item: str = ""
) -> tuple[int, str]:
    """(offset, what to insert): at the end of the section's last block (in a DAP note and its kin, of the one that the
    rubric ``item`` belongs to), or of the note under a new heading. What is drafted on risk leads the first sentence on
    risk: behind it, it might follow its own denial.

    ``note`` is ``text`` as it was last parsed; when it is not of this text, the end of the note is used.
    """
    blocks = note.blocks if note is not None and note.text == text else ()
    if note is not None and blocks and item == SAFETY_ITEM:
        on_risk = next((one for one in note.sentences if harm_of_sentence(one) is Harm.RISK), None)
        if on_risk is not None:
            at = on_risk.span.start
            begins = at == text.rfind("\n", 0, at) + 1
            alone = f"{'' if begins else chr(10)}{sentence}\n"
            return at, f"{sentence} " if _stands(text, at, f"{sentence} ") else alone
    own = [block for block in blocks if section is None or section in block.sections]
    if note is not None and own and note.format != "SOAP" and section is not None:
        own = [block for block in own if block is note.home(section, item)]
    if own:
        body = own[-1].body
        end = body.start + len(body.of(text).rstrip())
        empty = not body.of(text).strip()
        if empty:
            space = "" if end == 0 or text[end - 1] in "\n " else "\n"
        else:
            space = " " if _stands(text, end, f" {sentence}") else "\n"
        return end, f"{space}{sentence}"
    form = note.format if note is not None else ""
    heading = f"{heading_for(form, section)}:\n" if section is not None and blocks else ""
    end = len(text.rstrip())
    return end, f"{chr(10) * 2 if end else ''}{heading}{sentence}"


def _stands(text: str, at: int, draft: str) -> bool:
    """Whether it is read as a sentence of its own within the line, which may be long or its last sentence unfinished.
    Otherwise it starts a line."""
    start, stop = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    line = text[start:at] + draft + text[at : stop if stop >= 0 else len(text)]
    return any(span.of(line) == draft.strip() for span in split_line(line))


def headings_for_unassigned(note: Note, section: Section) -> tuple[int, str] | None:
    """A heading in front of the first text that stands under none; None when there is no such text."""
    for block in note.blocks:
        if Section.UNASSIGNED in block.sections and block.body.of(note.text).strip():
            body = block.body.of(note.text)
            start = block.body.start + len(body) - len(body.lstrip())
            return start, f"{heading_for(note.format, section)}:\n"
    return None
