"""Chat models behind an OpenAI-compatible address: a vendor, or the clinic's own server."""
