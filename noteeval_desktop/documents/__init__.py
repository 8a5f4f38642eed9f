"""Bytes or pasted text → Transcript and Note; one reader a format."""

from noteeval_desktop.documents.files import (
    edited_note,
    forget,
    known_note,
    list_sessions,
    note_from,
    read_checklist,
    read_note,
    read_plan,
    read_transcript,
    transcript_from,
)
from noteeval_desktop.documents.note_head import client_and_date
from noteeval_desktop.documents.notes import parse_note
from noteeval_desktop.documents.pasting import clean_pasted, for_the_clipboard
from noteeval_desktop.documents.plans import parse_plan
from noteeval_desktop.documents.roles import guess_roles, role_by_label
from noteeval_desktop.documents.sentences import split_line
from noteeval_desktop.documents.table import SessionInfo
from noteeval_desktop.documents.transcripts import looks_like_note, looks_like_transcript, parse_transcript
from noteeval_desktop.documents.words import CP1252_WARNING, MIXED_UP_WARNING, NOT_A_NOTE
