"""Which sentences a note needs."""
