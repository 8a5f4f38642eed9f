"""What the scorecard's windows say; the scorecard itself has its words in ``report``."""

from __future__ import annotations

from noteeval_desktop.ui.widgets.plain import native

TWO_PAGES = "Two pages: what to look at before signing, and the note with its marks. Add:"
MASK_NAMES = "Mask names, places and dates"
WEB_PAGE = "Also save a web page for screen readers"
ADD_THE_THERAPISTS_RESPONSES = "Add the therapist's responses"
HOW_STRONG_THE_PASSWORD = "How strong the password is"
REPEAT_PASSWORD = "Repeat password"
PASSWORD_OPTIONAL = "Password (optional)"
THE_PRINTER_DID_NOT_ACCEPT = "The printer did not accept the pages."
SENT_TO_THE_PRINTER = "Sent to the printer."
SENDING_THE_PAGES_TO_THE_PRINTER = "Sending the pages to the printer…"
SAVE_THE_SCORECARD_AS_A_PDF = f"Save the scorecard as a PDF ({native('Ctrl+S')})"
SAVE_AS = "Save as…"
PRINT_THE_SCORECARD_CTRL_P = f"Print the scorecard ({native('Ctrl+P')})"
LARGER_CTRL = f"Larger ({native('Ctrl++')})"
SMALLER_CTRL = f"Smaller ({native('Ctrl+-')})"
MAKING_THE_PAGES = "Making the pages…"
PAGES_OF_THE_SCORECARD = "Pages of the scorecard"
SCORECARD_PREVIEW = "Scorecard preview"


def the_pages_could_not_be_drawn(name: str) -> str:
    return f"The pages could not be drawn ({name}). Export the PDF instead."
