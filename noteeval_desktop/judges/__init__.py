"""Questions about a case in, verdicts out: one protocol, several judges."""
