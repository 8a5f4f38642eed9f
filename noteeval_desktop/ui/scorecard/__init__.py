"""The scorecard: how it looks, on the screen, as a file and on paper."""
