"""What an auditor asks of a note that no session decides: rules, and text copied from earlier notes."""
