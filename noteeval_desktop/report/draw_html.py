"""A page as one file for screen readers and for small or large screens: no script, nothing from elsewhere.

A PDF made with reportlab has no tags, and this has what tags would give: headings in their order, tables with headers,
marks that are named in words. Tags could be added to the PDF with pikepdf: but each paragraph, cell and rule is drawn
deep inside reportlab, may be split over pages, shrunk to fit and reordered for right-to-left text, so that every
flowable would have to be wrapped to number what it draws.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import singledispatch
from html import escape
from pathlib import Path as FilePath

from noteeval_desktop.domain.phrases import listed, long_day, tr
from noteeval_desktop.present.vocabulary import KINDS
from noteeval_desktop.report import charts, page
from noteeval_desktop.report.charts import Box, Dot, Label, Path
from noteeval_desktop.report.files import write_text
from noteeval_desktop.report.page import Marked, Run, Text, runs

_DARK = (
    "--text:#e6edf3;--grey:#9aa4af;--line:#30363d;--base:#15191e;--accent:#4fb8bf;--pale:#262d35;--green:#56d364;--red:#ff7b72;"
    "--amber:#d29922;--blue:#6cb6ff"
)
_STYLE = (
    ":root{--text:#1f2328;--grey:#59636e;--line:#d1d9e0;--base:#fff;--accent:#0b6e75;--pale:#e9eef2;--green:#1a7f37;--red:#c0362c;"
    "--amber:#9a6700;--blue:#2f6fb0}@media screen and (prefers-color-scheme:dark){:root{" + _DARK + "}}"
    "body{font:1rem/1.6 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:var(--text);"
    "background:var(--base)}h1,h2,h3{line-height:1.25}h2{color:var(--accent);margin-top:2.5rem}"
    "table{border-collapse:collapse;margin:.5rem 0 1.5rem;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;padding:.3rem .6rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}"
    ".wide{overflow-x:auto}.grey{color:var(--grey)}.red{color:var(--red)}.amber{color:var(--amber)}.green{color:var(--green)}"
    ".blue{color:var(--blue)}.loud{border:2px solid var(--red);border-left-width:8px;padding:.6rem 1rem}"
    ".figure{font-size:1.6rem;font-weight:bold;margin:0}.cards{display:flex;flex-wrap:wrap;gap:1rem}"
    ".cards>div{flex:1 1 12rem;border:1px solid var(--line);padding:.5rem 1rem}"
    "mark{background:none;color:inherit;text-decoration:underline;text-decoration-thickness:2px}"
    "blockquote{margin:.4rem 0 .4rem 1rem;padding-left:.8rem;border-left:3px solid var(--line)}"
    "summary{cursor:pointer;color:var(--accent);padding:.3rem 0}svg{display:block;max-width:100%}"
    f"svg text{{font:{charts.SIZE}px system-ui,sans-serif;fill:var(--grey)}}"
    "@media print{details>*{display:block}.sheet{break-after:page}.together{break-inside:avoid}}"
    "@media screen{.blank{display:none}}"
)
# Charts are measured in points of a sheet: enlarged, their letters can be read beside those of the page.
_WIDE, _NARROW, _ENLARGED = 420.0, 130.0, 1.7


def write_html(shown: page.Page, path: FilePath) -> None:
    """Write the page to ``path``, whole or not at all. Raises InputError where ``path`` cannot be written."""
    write_text(path, html(shown))


def html(shown: page.Page) -> str:
    body = "\n".join(_flow(shown.parts))
    # One title a file: what is a title on a later sheet is a heading here.
    first, end, others = body.partition("</h1>")
    body = first + end + others.replace("<h1>", "<h2>").replace("</h1>", "</h2>")
    made = f"{long_day(shown.when)}, {shown.when:%H:%M} · {page.PROGRAM} · {page.GUIDE}"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(shown.title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n"
        f'<p class="grey">{made}</p>\n</main>\n</body>\n</html>\n'
    )


def _flow(parts: Iterable[page.Part]) -> Iterator[str]:
    for part in parts:
        yield from _drawn(part)


@singledispatch
def _drawn(part: page.Part) -> Iterator[str]:
    raise TypeError(type(part).__name__)


@_drawn.register
def _(part: page.Title) -> Iterator[str]:
    subtitle = f": {escape(part.subtitle)}" if part.subtitle else ""
    yield f"<h1>{escape(part.text)}{subtitle}</h1>"
    facts = (escape(f"{name}: {value}" if name else value) for name, value in part.facts)
    yield f'<p class="grey">{"<br>".join(facts)}</p>'


@_drawn.register
def _(part: page.Heading) -> Iterator[str]:
    yield f"<h{part.level + 1}>{_text(part.text)}</h{part.level + 1}>"


@_drawn.register
def _(part: page.Paragraph) -> Iterator[str]:
    look = {"body": "", "small": ' class="grey"', "figure": ' class="figure"'}[part.look]
    yield f"<p{look}>{_text(part.text)}</p>"


@_drawn.register
def _(part: page.NoteLine) -> Iterator[str]:
    if heading := part.heading.strip(" :\t"):
        yield f"<h3>{escape(heading)}</h3>"
    if part.text:
        yield f"<p>{_text(part.text)}</p>"


@_drawn.register
def _(part: page.Banner) -> Iterator[str]:
    yield f"<h2>{escape(part.title)}</h2>"
    yield f'<p class="loud">⚠ {escape(part.text)}</p>' if part.loud else f"<p>{escape(part.text)}</p>"


@_drawn.register
def _(part: page.Items) -> Iterator[str]:
    if part.items:
        name = "ol" if part.items[0].marker.isdigit() else "ul"
        yield f"<{name}>"
        yield from map(_item, part.items)
        yield f"</{name}>"


def _item(item: page.Item) -> str:
    value = f' value="{item.marker}"' if item.marker.isdigit() else ""
    return f"<li{value}>{_text(item.text)}{''.join(_flow(item.under))}</li>"


@_drawn.register
def _(part: page.Quote) -> Iterator[str]:
    yield f'<blockquote><p><span class="grey">{escape(part.where)}:</span> “{escape(part.text)}”</p></blockquote>'


@_drawn.register
def _(part: page.Table) -> Iterator[str]:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in part.head)
    yield f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>'
    for first, *rest in part.rows:
        over = f'"rowgroup" colspan="{len(part.head)}"' if len(part.head) > 1 and not rest else '"row"'
        yield f"<tr><th scope={over}>{_text(first)}</th>{''.join(f'<td>{_text(cell)}</td>' for cell in rest)}</tr>"
    yield "</tbody></table></div>"


@_drawn.register
def _(part: page.Chart) -> Iterator[str]:
    yield _svg(part, _WIDE)
    if part.table is not None:
        yield f"<details><summary>{tr('As a table')}</summary>"
        yield from _drawn(part.table)
        yield "</details>"


@_drawn.register
def _(part: page.Cards) -> Iterator[str]:
    yield f'<h2>{escape(part.title)}</h2>\n<div class="cards">'
    for card in part.cards:
        drawn = (_svg(one, _NARROW) if isinstance(one, page.Chart) else "".join(_drawn(one)) for one in card)
        yield f"<div>{''.join(drawn)}</div>"
    yield "</div>"


@_drawn.register
def _(part: page.Grid) -> Iterator[str]:
    for block in part.blocks:
        yield from _flow(block)


@_drawn.register
def _(part: page.Group) -> Iterator[str]:
    if part.kind != "paper":
        yield f'<div class="{part.kind}">'
        yield from _flow(part.parts)
        yield "</div>"


@_drawn.register
def _(part: page.Blanks) -> Iterator[str]:
    """Nothing can be written on a screen: what is blank is for paper."""
    for column in part.columns:
        for name, value in column:
            said = escape(f"{name}: {value}" if name else value)
            yield f"<p>{said}</p>" if value else f'<p class="blank">{said}{"_" * 40}</p>'


def _text(text: Text) -> str:
    return "".join(_marked(one) if isinstance(one, Marked) else _run(one) for one in runs(text))


def _run(run: Run) -> str:
    said = escape(run.text)
    said = f"<strong>{said}</strong>" if run.strong else said
    return f'<span class="{run.tone}">{said}</span>' if run.tone and said else said


def _marked(part: Marked) -> str:
    told = [f"{KINDS[kind].sign}{f' {number}' if number else ''}, {said}" for kind, said, number in part.found]
    if part.comments:
        told.append(tr("✎ comment {numbers}").format(numbers=listed(map(str, part.comments))))
    said = f' <span class="grey">({escape("; ".join(told))})</span>' if part.ends else ""
    return f"<mark>{escape(part.text)}</mark>{said}"


def _svg(part: page.Chart, width: float) -> str:
    drawing = part.draw(width)
    shown = "".join(map(_shape, drawing.shapes))
    size = f'viewBox="0 0 {drawing.width:g} {drawing.height:g}" width="{drawing.width * _ENLARGED:g}"'
    return f'<svg {size} role="img" aria-label="{escape(part.said)}">{shown}</svg>'


def _shape(shape: Box | Path | Dot | Label) -> str:
    match shape:
        case Box():
            line = f' stroke="var(--{shape.outline})" stroke-width="0.7"' if shape.outline else ""
            place = f'x="{shape.x:.1f}" y="{shape.y:.1f}" width="{shape.width:.1f}" height="{shape.height:.1f}"'
            return f'<rect {place} fill="var(--{shape.fill})"{line}/>'
        case Path():
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in shape.points)
            dashes = ' stroke-dasharray="4 2"' if shape.dashed else ""
            look = f'fill="none" stroke="var(--{shape.ink})" stroke-width="{shape.width}"{dashes}'
            return f'<polyline points="{points}" {look}/>'
        case Dot():
            turned = f' transform="rotate(45 {shape.x:.1f} {shape.y:.1f})"' if shape.diamond else ""
            corner = 0 if shape.diamond else shape.radius
            place = f'x="{shape.x - shape.radius:.1f}" y="{shape.y - shape.radius:.1f}" rx="{corner}"'
            size = f'width="{2 * shape.radius}" height="{2 * shape.radius}"'
            return f'<rect {place} {size} fill="var(--{shape.ink})"{turned}/>'
        case Label():
            return f'<text x="{shape.x:.1f}" y="{shape.y:.1f}" text-anchor="{shape.anchor}">{escape(shape.text)}</text>'
