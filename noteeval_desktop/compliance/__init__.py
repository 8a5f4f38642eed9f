"""What an auditor, a payer or a records department would ask of a note: rules over the note and what else is known of
its client. No judge, no session, nothing guessed: a rule remarks on what the note says, and stays quiet otherwise."""
