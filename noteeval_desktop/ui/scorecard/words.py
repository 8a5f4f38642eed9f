"""What the scorecard's windows say; the scorecard itself has its words in ``report``."""

from __future__ import annotations

from noteeval_desktop.domain.phrases import counted, percent
from noteeval_desktop.report.sealing_words import CANNOT_BE_RECOVERED
from noteeval_desktop.ui.widgets.plain import native

TWO_PAGES = "Two pages: what to look at before signing, and the note with its marks. Add:"
PAGES_TO_TALK_OVER = "A page to talk over, and the note with its marks and comments. Add:"
MASK_NAMES = "Mask names, places and dates"
WEB_PAGE = "Also save a web page for screen readers"
ADD_THE_THERAPISTS_RESPONSES = "Add the therapist's responses"
REPEAT_PASSWORD = "Repeat password"
PASSWORD_OPTIONAL = "Password (optional)"
THE_PRINTER_DID_NOT_ACCEPT = "The printer did not accept the pages."
SENDING_THE_PAGES_TO_THE_PRINTER = "Sending the pages to the printer…"
SAVE_HINT = f"Save the scorecard as a PDF ({native('Ctrl+S')})"
SAVE_AS = "Save as…"
PRINT_HINT = f"Print the scorecard ({native('Ctrl+P')})"
LARGER = f"Larger ({native('Ctrl++')})"
SMALLER = f"Smaller ({native('Ctrl+-')})"
MAKING_THE_PAGES = "Making the pages…"
PAGES_OF_THE_SCORECARD = "Pages of the scorecard"
SCORECARD_PREVIEW = "Scorecard preview"
EXPORT_THE_SCORECARD = "Export the scorecard"
PAPER = "Paper"
LETTER = "Letter"
SCORECARD = "Scorecard"
PASSWORD_EXPLAINED = (
    "With a password the file is encrypted (AES-256), all of it. Leave it empty to export the file open. "
    f"{CANNOT_BE_RECOVERED}"
)
NO_PASSWORD = "Anyone who gets the file can read it."
PASSWORDS_DIFFER = "The two passwords differ. Type the second one again."


def the_pages_could_not_be_drawn(name: str) -> str:
    return f"The pages could not be drawn ({name}). Export the PDF instead."


def pages(count: int, zoom: float) -> str:
    """ "3 pages · 125 %"."""
    return f"{counted(count, 'page')} · {percent(zoom)}"


def page(number: int) -> str:
    return f"Page {number}"
