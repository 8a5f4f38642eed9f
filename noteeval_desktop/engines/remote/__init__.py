"""Chat models behind an OpenAI-compatible address: a vendor, or the clinic's own server."""

import os

# Where this is set, the client sets up logging for the whole program as it is imported, and tells each request.
os.environ.pop("OPENAI_LOG", None)
