"""Chat models on this machine: llama.cpp in a child process."""

from noteeval_desktop.engines.local_llm.chat import LocalChat, LocalProgress
from noteeval_desktop.engines.local_llm.header import ModelHeader, read_header

__all__ = ["LocalChat", "LocalProgress", "ModelHeader", "read_header"]
