"""The two texts: the note to write in, the session to read."""
