"""The case on the desk: opening, saving, drafts that survive a crash, and what would be lost."""
