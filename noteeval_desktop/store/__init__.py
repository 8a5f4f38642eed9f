"""The encrypted library: cases that last. ``library.Library`` is what the rest of the program uses; ``beside`` keeps
what is not in it yet."""
