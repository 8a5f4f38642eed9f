"""A supervisor's review in the scorecard's web page: what the PDF says of it, without the lines to write on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from noteeval_desktop.domain.review import Vouched
from noteeval_desktop.domain.transcript import turn_list
from noteeval_desktop.present.vocabulary import GENERAL
from noteeval_desktop.report import feedback_words as words
from noteeval_desktop.report.feedback import NOT_MARKED, Feedback, Remark, SentenceRow, outcome, rating_word
from noteeval_desktop.report.talking import Point, Talk


def summary(given: Feedback, talk: Talk, vouched: Vouched | None) -> Iterator[str]:
    """What to talk over, and who signed."""
    yield f"<h2>{words.TITLE}</h2>"
    yield f"<p>{escape(words.answered(given.stand, vouched))}</p>"
    if vouched is not None:
        yield f'<p class="quiet">{escape(words.signed_words(vouched))}</p>'
    yield f'<p class="quiet">{escape(words.how(given.unblinded, given.carried))} {words.SETTLED}</p>'
    yield from _points(words.STRENGTHS, talk.strengths, words.NO_STRENGTHS)
    yield from _points(words.TO_WORK_ON, talk.to_work_on, words.NOTHING_TO_WORK_ON)
    if talk.not_asked:
        yield from _points(words.FOUND_BY_THE_CHECK, talk.not_asked, "")


def review(given: Feedback, judge_marks: bool) -> Iterator[str]:
    """After the note; with ``judge_marks`` those of both side by side."""
    yield f"<h2>{words.REVIEW}</h2>"
    yield f"<h3>{words.COMMENTS_ON_NOTE}</h3>"
    yield "<ol>" + "".join(map(_remark, given.remarks)) + "</ol>" if given.remarks else f"<p>{words.NONE}</p>"
    yield f"<h3>{words.RATINGS}</h3>"
    yield from _ratings(given)
    if judge_marks:
        yield from _differences(given)
        yield from _items(given)
        yield from _sentences(given.sentences)


def table(head: Sequence[str], body: Sequence[Sequence[str]], caption: str = "") -> str:
    """The first cell of each row is its heading."""
    said = f"<caption>{escape(caption)}</caption>\n" if caption else ""
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    rows = "\n".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in rest)}</tr>'
        for first, *rest in body
    )
    return f"<table>\n{said}<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _points(title: str, points: Sequence[Point], otherwise: str) -> Iterator[str]:
    yield f"<h3>{title}</h3>"
    if not points:
        yield f"<p>{otherwise}</p>"
        return
    yield "<ul>"
    for point in points:
        more = words.and_more(point.more) if point.more else ""
        details = f' <span class="quiet">{escape("; ".join(point.details) + more)}</span>' if point.details else ""
        yield f"<li>{escape(point.text)}{details}</li>"
    yield "</ul>"


def _remark(remark: Remark) -> str:
    about = " · ".join(part for part in (remark.section, remark.item) if part)
    quote = f"<blockquote><p>{escape(remark.quote)}</p></blockquote>" if remark.quote else ""
    return f'<li>{escape(remark.text)} <span class="quiet">{escape(about)}</span>{quote}</li>'


def _ratings(given: Feedback) -> Iterator[str]:
    titles = [title for title, _ in given.items if title != GENERAL]
    if given.ratings:
        body = [
            (row.dimension.value.capitalize(), *map(rating_word, row.sections), rating_word(row.note))
            for row in given.ratings
        ]
        yield table((words.RATINGS, *titles, words.WHOLE_NOTE), body)
    elif given.acceptance is None:
        yield f"<p>{words.NOT_RATED}</p>"
    if given.acceptance is not None:
        yield f"<p>{words.acceptance(given.acceptance)}</p>"


def _differences(given: Feedback) -> Iterator[str]:
    yield f"<h3>{words.DIFFERENCES}</h3>"
    if not given.differences:
        yield f"<p>{words.ALL_AGREED}</p>"
        return
    body = []
    for row in given.differences:
        agreed = words.STILL_OPEN if row.open else ": ".join(filter(None, (row.agreed, row.reason)))
        body.append((row.place, row.dimension.value, row.supervisor, row.judge, agreed))
    yield table((words.ITEM_OR_SENTENCE, words.DIMENSION, words.SUPERVISOR, words.JUDGE, words.AGREED), body)


def _items(given: Feedback) -> Iterator[str]:
    yield f"<h3>{words.ITEMS}</h3>"
    for title, rows in given.items:
        body = [
            (
                words.mandatory(row.name) if row.mandatory else row.name,
                row.marks.supervisor,
                row.marks.judge,
                outcome(row.marks),
            )
            for row in rows
            if row.marks.supervisor != NOT_MARKED
        ]
        if body:
            yield table((words.ITEM, words.SUPERVISOR, words.JUDGE, words.AGREED), body, title)


def _sentences(rows: Sequence[SentenceRow]) -> Iterator[str]:
    yield f"<h3>{words.SENTENCES}</h3>"
    body = []
    for row in rows:
        why = (", ".join(row.items), turn_list(row.turns) if row.turns else "")
        marks = zip((row.needed, row.claim), why, strict=True)
        cells = [(f"{m.supervisor} ({said})" if said else m.supervisor, m.judge, outcome(m)) for m, said in marks]
        body.append((row.text, *cells[0], *cells[1]))
    head = (words.NEED, words.JUDGE, words.AGREED, words.CLAIM, words.JUDGE, words.AGREED)
    yield table((words.SENTENCE, *head), body) if body else f"<p>{words.NO_SENTENCE}</p>"
