"""Text that speaks to whoever reviews the note: it is set aside before anything else is looked at."""
