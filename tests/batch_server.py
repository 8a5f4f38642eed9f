"""A provider with a batch API on loopback: files, batches that take a few polls, and direct questions."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.openai_server import Behaviour, Body, completion


@dataclass
class Provider:
    """``answer`` gives the text of an answer, or None for a question that the provider could not answer.
    ``polls``: how often a batch is still in progress. ``lose``: the connection breaks after a batch was begun.
    ``a_page``: how many batches it lists at once.
    """

    answer: Callable[[Body], str | None]
    polls: int = 1
    lose: bool = False
    ends_as: str = "completed"
    has_batches: bool = True
    a_page: int = 100
    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)
    asked: list[Body] = field(default_factory=list)
    direct: list[Body] = field(default_factory=list)
    polled: int = 0

    def begin(self, body: Body) -> dict[str, Any]:
        name = f"batch-{len(self.batches)}"
        lines = self.files[body["input_file_id"]].decode().splitlines()
        questions = [json.loads(line) for line in lines]
        self.asked += [question["body"] for question in questions]
        self.batches[name] = {
            "id": name,
            "object": "batch",
            "endpoint": body["endpoint"],
            "completion_window": body["completion_window"],
            "created_at": 1,
            "input_file_id": body["input_file_id"],
            "metadata": body.get("metadata"),
            "status": "in_progress",
            "left": self.polls,
            "request_counts": {"total": len(questions), "completed": 0, "failed": 0},
        }
        return self.batches[name]

    def page(self, query: dict[str, list[str]]) -> dict[str, Any]:
        """The newest first, as the vendors have it."""
        names = list(reversed(self.batches))
        start = names.index(query["after"][0]) + 1 if "after" in query else 0
        end = start + min(self.a_page, int(query["limit"][0]))
        data = [self.batches[name] for name in names[start:end]]
        return {"object": "list", "data": data, "has_more": end < len(names)}

    def look(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        self.polled += 1
        if batch["status"] == "in_progress" and batch["left"] <= 0:
            batch["status"], batch["output_file_id"] = self.ends_as, f"out-{name}"
            self.files[f"out-{name}"] = self._output(batch)
        batch["left"] -= 1
        return batch

    def _output(self, batch: dict[str, Any]) -> bytes:
        lines = []
        for line in self.files[batch["input_file_id"]].decode().splitlines():
            question = json.loads(line)
            text = self.answer(question["body"])
            if text is not None:
                body = json.loads(completion(Behaviour(content=text)))
                response = {"status_code": 200, "request_id": "r", "body": body}
                lines.append(json.dumps({"custom_id": question["custom_id"], "response": response, "error": None}))
        return "\n".join([*lines, "not a line of JSON"]).encode()


@contextmanager
def serving(provider: Provider) -> Iterator[Provider]:
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        # Head and body are sent one after the other: the body would wait for 40 ms until the head is acknowledged.
        disable_nagle_algorithm = True

        def log_message(self, *_: object) -> None:
            return

        def do_GET(self) -> None:
            with lock:
                found = re.fullmatch(r"/v1/files/([\w-]+)/content", self.path)
                if found:
                    self._send(provider.files[found[1]])
                elif re.fullmatch(r"/v1/batches(\?.*)?", self.path):
                    self._send_json(provider.page(parse_qs(urlsplit(self.path).query)))
                else:
                    self._send_json(provider.look(self.path.rpartition("/")[2]))

        def do_POST(self) -> None:
            data = self.rfile.read(int(self.headers["Content-Length"]))
            with lock:
                if self.path == "/v1/chat/completions":
                    body = json.loads(data)
                    provider.direct.append(body)
                    self._send(completion(Behaviour(content=provider.answer(body) or "")))
                elif not provider.has_batches:
                    self._send_json({"error": {"message": "no such path"}}, 404)
                elif self.path == "/v1/files":
                    self._keep(data)
                else:
                    batch = provider.begin(json.loads(data))
                    if provider.lose:
                        self.close_connection = True
                    else:
                        self._send_json(batch)

        def _keep(self, data: bytes) -> None:
            name = f"file-{len(provider.files)}"
            boundary = data.split(b"\r\n", 1)[0]
            part = next(part for part in data.split(boundary) if b"filename=" in part)
            provider.files[name] = part.split(b"\r\n\r\n", 1)[1].removesuffix(b"\r\n")
            self._send_json(
                {"id": name, "object": "file", "bytes": 1, "created_at": 1, "filename": "q", "purpose": "batch"}
                | {"status": "processed"}
            )

        def _send_json(self, data: object, status: int = 200) -> None:
            self._send(json.dumps(data).encode(), status)

        def _send(self, payload: bytes, status: int = 200) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
