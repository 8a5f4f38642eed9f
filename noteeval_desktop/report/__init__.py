"""What leaves the program: the scorecard's content and its layouts as PDF, JSON, CSV and plain text."""
