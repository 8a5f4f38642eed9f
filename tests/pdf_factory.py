"""PDF files with lines of text, as a word processor draws them."""

from __future__ import annotations

import io
from collections.abc import Sequence

from reportlab.pdfgen.canvas import Canvas


def pdf_of(*pages: Sequence[str]) -> bytes:
    """A file of these pages, each of these lines, from the top down."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for lines in pages:
        for number, line in enumerate(lines):
            canvas.drawString(50, 800 - 15 * number, line)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
