"""The judges in the window: choosing one, setting it up, agreeing to send, running it, comparing two."""
