"""What a session holds and its note leaves out."""
