"""The right-hand pane: what was found, tab by tab, and the card of the finding that is looked at."""
