"""The encrypted library in the window: keeping, finding, locking."""
