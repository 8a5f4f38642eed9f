"""What differs from system to system, each part named for what it does."""
