"""Danger in a session: which turns speak of it, of what kind and how, and whether the note answers it."""
