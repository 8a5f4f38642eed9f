"""What may leave the machine, and in what form."""
