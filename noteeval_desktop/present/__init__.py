"""What a reader is shown, once: the window, the scorecard, the tables and the commands read it here, and draw it."""
