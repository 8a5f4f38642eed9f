"""Reading words: quantities, negation, shorthand, spelling, and what notes say."""
