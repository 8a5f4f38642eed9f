"""To and from a record system: text that was copied out of one is cleaned, a note is made ready for one."""

from __future__ import annotations

import re
from html import escape

from noteeval_desktop.documents.headings import find_headings
from noteeval_desktop.domain.text import normalise

# Those of Symbol and Wingdings come as private characters.
_SIGNS = "•‣◦▪▫●○■□◆◇►▸➢➤❖⁃∙\uf0b7\uf0a7\uf0d8\uf0fc\uf076"
# A middle dot, an "o" or a section sign is one where a tab or several spaces follow, as in Word's lists.
_BULLET = re.compile(rf"^[ \t]*(?:[{_SIGNS}]+[ \t]*|[·o§](?:\t[ \t]*|[ ]{{2,}}))(?=\S)", re.MULTILINE)
_PICTURE = "\ufffc"
_BLANK_ENDS = re.compile(r"[ \t]+(?=\n)")
_BLANK_LINES = re.compile(r"\n{3,}")


def clean_pasted(text: str) -> str:
    """Plain text: odd bullets become "- ", hard spaces plain ones, one blank line is left of many; no hidden characters
    and no places of pictures. Quotation marks stay as they are. Idempotent; the first and the last line break stay."""
    text = _BLANK_ENDS.sub("", normalise(text).replace(_PICTURE, ""))
    return _BLANK_LINES.sub("\n\n", _BULLET.sub("- ", text))


def for_the_clipboard(text: str) -> tuple[str, str]:
    """A note as plain text, its headings without markup, and as HTML with bold headings, paragraphs and lists."""
    plain, bold, end = [], {}, 0
    for heading in find_headings(text)[1]:
        plain.append(text[end : heading.span.start])
        name = heading.span.of(text).partition("\n")[0].strip("#*_[]- \t")
        bold["".join(plain).count("\n")] = name
        plain.append(name)
        end = heading.span.end
    lines = ("".join(plain) + text[end:]).split("\n")
    return "\n".join(lines), _html(lines, bold)


def _html(lines: list[str], bold: dict[int, str]) -> str:
    """``bold``: what to print bold at the start of a line, by its number."""
    made, items = [], False
    for number, line in enumerate(lines):
        name, item = bold.get(number, ""), line.startswith("- ") and number not in bold
        if item != items:
            made.append("<ul>" if item else "</ul>")
            items = item
        if item:
            made.append(f"<li>{escape(line[2:])}</li>")
        elif line.strip():
            rest = line[line.find(name) + len(name) :]
            made.append(f"<p>{f'<b>{escape(name)}</b>' if name else ''}{escape(rest)}</p>")
    return "".join([*made, "</ul>"] if items else made)
