"""A real HTTP server on loopback that speaks the OpenAI protocol, as well or as badly as a test wants."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

Body = dict[str, Any]
MODELS = b'{"object": "list", "data": [{"id": "m", "object": "model", "created": 1, "owned_by": "us"}]}'


@dataclass
class Behaviour:
    """What one response looks like. ``likeliest``: each token with log-probabilities in its place. ``raw`` replaces the
    body; ``drop`` closes the connection after that many bytes."""

    content: str = '{"ok": true}'
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    delay: float = 0.0
    drop: int | None = None
    finish: str = "stop"
    usage: tuple[int, int, int] | None = (100, 10, 0)
    refusal: str | None = None
    likeliest: tuple[tuple[str, dict[str, float]], ...] = ()


@dataclass
class Endpoint:
    url: str
    requests: list[Body] = field(default_factory=list)
    raw: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)


def completion(behaviour: Behaviour) -> bytes:
    body: Body = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [
            {
                "index": 0,
                "finish_reason": behaviour.finish,
                "message": {"role": "assistant", "content": behaviour.content, "refusal": behaviour.refusal},
            }
        ],
    }
    if behaviour.likeliest:
        body["choices"][0]["logprobs"] = {
            "content": [
                {
                    "token": token,
                    "logprob": -0.1,
                    "top_logprobs": [{"token": t, "logprob": p} for t, p in others.items()],
                }
                for token, others in behaviour.likeliest
            ]
        }
    if behaviour.usage:
        into, out, cached = behaviour.usage
        body["usage"] = {
            "prompt_tokens": into,
            "completion_tokens": out,
            "total_tokens": into + out,
            "prompt_tokens_details": {"cached_tokens": cached},
        }
    return json.dumps(body).encode()


def then_well(*first: Behaviour) -> Callable[[Body, int], Behaviour]:
    """Behaves as told once each, then soundly."""
    return lambda body, number: first[number] if number < len(first) else Behaviour("fine")


@contextmanager
def serve(
    behave: Callable[[Body, int], Behaviour],
    certificate: Path | None = None,
    models: bytes | Behaviour = MODELS,
    content: bytes = b"",
) -> Iterator[Endpoint]:
    """Serve until the block ends. ``behave(body, number of the request from 0)`` decides each response.

    With ``certificate`` (a PEM file with its key) over TLS. ``models`` answers what is got, ``content`` a file.
    """
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body are sent one after the other: the body would wait for 40 ms until the head is acknowledged.
        disable_nagle_algorithm = True

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            with lock:
                endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
            got = content if self.path.endswith("/content") else models
            self._send(got if isinstance(got, Behaviour) else Behaviour(raw=got))

        def do_POST(self) -> None:
            raw = self.rfile.read(length := int(self.headers["Content-Length"]))
            if len(raw) < length:  # the client went away meanwhile
                self.close_connection = True
                return
            body = {} if "multipart" in self.headers["Content-Type"] else json.loads(raw)
            with lock:
                number = len(endpoint.requests)
                endpoint.requests.append(body)
                endpoint.raw.append(raw)
                endpoint.paths.append(self.path)
                endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
            self._send(behave(body, number))

        def _send(self, behaviour: Behaviour) -> None:
            time.sleep(behaviour.delay)
            payload = completion(behaviour) if behaviour.raw is None else behaviour.raw
            try:
                self.send_response(behaviour.status)
                for name, value in {"Content-Type": "application/json", **behaviour.headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload if behaviour.drop is None else payload[: behaviour.drop])
                if behaviour.drop is not None:
                    self.close_connection = True
            except ConnectionError:
                self.close_connection = True

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if certificate is not None:
        server.handle_error = lambda *_: None  # type: ignore[method-assign]  # a handshake that the client breaks off
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    endpoint = Endpoint(f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_address[1]}/v1")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
