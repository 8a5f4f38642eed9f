"""Supervision in the window: a review in separate passes, blind first, and the way between author and supervisor."""
