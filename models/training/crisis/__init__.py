"""What a therapist answers where a client says a danger: pairs of a safe and an unsafe answer."""
