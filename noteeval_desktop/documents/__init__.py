"""Bytes or pasted text → Transcript and Note; one reader a format."""

from noteeval_desktop.documents.notes import parse_note
from noteeval_desktop.documents.roles import guess_roles
from noteeval_desktop.documents.table import SessionInfo
from noteeval_desktop.documents.transcripts import parse_transcript

__all__ = ["SessionInfo", "guess_roles", "parse_note", "parse_transcript"]
