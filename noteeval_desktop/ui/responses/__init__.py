"""Responses to a client in the window: scored turn by turn, over a session, and compared side by side."""
