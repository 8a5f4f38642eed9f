"""Servers of language models on this computer: who answers at the ports where the usual ones listen.

One question for the list of models each, to the loopback address alone; nothing of a case is sent, and none is asked
before somebody wants to choose.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from noteeval_desktop.engines import loopback
from noteeval_desktop.engines.remote.chat import models_at
from noteeval_desktop.errors import Cancelled, NoteEvalError

SERVERS = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama.cpp", 8080),
    ("Jan", 1337),
    ("vLLM", 8000),
    ("GPT4All", 4891),
    ("KoboldCpp", 5001),
)
_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Server:
    """``name``: the program that usually listens there; ``models`` in its own order of names."""

    name: str
    base_url: str
    models: tuple[str, ...]


def servers_here(cancel: threading.Event, ports: Sequence[tuple[str, int]] | None = None) -> tuple[Server, ...]:
    """Those that answer within two seconds and offer a model that runs here. Raises Cancelled."""
    ports = SERVERS if ports is None else ports
    if not ports:
        return ()
    with ThreadPoolExecutor(len(ports)) as pool:
        found = list(pool.map(lambda port: _server(*port), ports))
    if cancel.is_set():
        raise Cancelled
    return tuple(server for server in found if server.models)


def _server(name: str, port: int) -> Server:
    url = f"http://127.0.0.1:{port}/v1"
    try:
        offered = models_at(url, "", seconds=_SECONDS)
        return Server(name, url, tuple(model for model in offered if loopback.on_this_computer(url, model)))
    except NoteEvalError:  # nothing listens there, or another program: no server to offer
        return Server(name, url, ())
