"""NoteEval Desktop: reviews a therapy note against the session that it documents."""

__version__ = "0.1.0"
