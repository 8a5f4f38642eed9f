"""Review many: a set of notes with their sessions, checked one after the other, and seen at a glance."""
