"""Many notes seen at once: rows from their JSON, figures over the rows, and the figures as files."""
