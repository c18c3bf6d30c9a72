"""A real HTTP server in a thread that speaks the protocol of OpenAI's, well or badly."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[["Handler", dict[str, Any], int], None]
"""(handler, what was asked, number of the request from 0): answers, or does something else."""


class Handler(BaseHTTPRequestHandler):
    server: Any

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            number = len(self.server.requests)
            self.server.requests.append((self.path, body))
        self.server.behaviour(self, body, number)

    def say(self, document: Any, status: int = 200) -> None:
        data = document if isinstance(document, bytes) else json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def reply(self, text: str) -> None:
        """A right reply in the form of the chat or of the completions API."""
        choice = {"message": {"content": text}} if "chat" in self.path else {"text": text}
        self.say({"choices": [choice]})

    def drop(self) -> None:
        """The connection ends without a word."""
        self.close_connection = True
        self.connection.close()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


def prompt_of(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"] if "messages" in body else body["prompt"])


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128  # connections that come at the same time wait here, and need not knock again

    def __init__(self, behaviour: Behaviour) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.behaviour, self.requests, self.lock = behaviour, [], threading.Lock()  # type: ignore[var-annotated]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that was dropped on purpose."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[Server]:
    server = Server(behaviour)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
