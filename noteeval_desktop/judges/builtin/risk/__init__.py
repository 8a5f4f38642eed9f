"""Danger in a session: which turns speak of it, of whose, how, and what a note says of it."""
