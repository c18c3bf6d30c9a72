"""An OpenAI-compatible server as a solver: text prompts, one request each.

A request that finds no server, a broken connection, an answer that is too slow, that is no JSON of the expected form,
or a status 408, 429 or 5xx is repeated, after a pause that doubles; then the prompt has no answer, and says why. Other
statuses are final. The environment variable SEPARATION_API_KEY, if it is set, is sent as the bearer's token.
"""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from separation.files import InputError, json_text
from separation.tasks.checks import shown
from separation.testing.replies import NoConnection, line

CHAT, COMPLETIONS = "chat", "completions"
PATHS = {CHAT: "/chat/completions", COMPLETIONS: "/completions"}
KEY_VARIABLE = "SEPARATION_API_KEY"
MOST_BYTES = 1 << 22
REPEATED = (408, 429)


class _Broken(Exception):
    """Worth another try."""


@dataclass(frozen=True)
class ServerSolver:
    """Texts in, replies out, ``workers`` requests at a time; a prompt without a reply is a `NoConnection`.

    ``limit``: seconds of one request, all of it; ``retries``: how often it is repeated; ``pause``: seconds before the
    first repetition.
    """

    url: str
    model: str
    api: str = CHAT
    limit: float = 60.0
    retries: int = 3
    pause: float = 0.5
    workers: int = 4
    new_tokens: int = 1024
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"--url is {shown(self.url)}; an address like http://localhost:8000/v1 is needed")
        if self.api not in PATHS:
            raise InputError(f"--api is {shown(self.api)}; known are {', '.join(PATHS)}")
        try:
            _ = parts.port
        except ValueError:
            raise InputError(f"--url is {shown(self.url)}; its port is no number") from None

    def __call__(self, texts: list[str]) -> list[str | Exception]:
        if len(texts) == 1:
            return [self._reply(texts[0])]
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(self._reply, texts))

    def _reply(self, text: str) -> str | Exception:
        why = ""
        for attempt in range(self.retries + 1):
            if attempt:
                self.sleep(self.pause * 2 ** (attempt - 1))
            try:
                return self._once(text)
            except _Broken as error:
                why = str(error)
            except NoConnection as error:
                return error
        return NoConnection(f"{self.url}: {why} ({self.retries + 1} tries)")

    def _once(self, text: str) -> str:
        asked: dict[str, Any] = {"model": self.model, "temperature": 0, "max_tokens": self.new_tokens}
        if self.api == CHAT:
            asked["messages"] = [{"role": "user", "content": text}]
        else:
            asked |= {"prompt": text, "stop": ["\n"]}
        status, body = self._post(json_text(asked).encode())
        if status in REPEATED or status >= 500:
            raise _Broken(f"status {status}")
        if status != 200:
            raise NoConnection(f"{self.url}: status {status}: {line(body[:200].decode('utf-8', 'replace'))}")
        try:
            (choice, *_) = json.loads(body)["choices"]
            reply = choice["message"]["content"] if self.api == CHAT else choice["text"]
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise _Broken(f"no reply in {line(shown(body[:100].decode('utf-8', 'replace')))}") from None
        if not isinstance(reply, str):
            raise _Broken(f"the reply is {line(shown(reply))}, not a text")
        return reply

    def _post(self, body: bytes) -> tuple[int, bytes]:
        """One request; the whole of it within the limit."""
        parts, ends = urlsplit(self.url), time.monotonic() + self.limit
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(str(parts.hostname), parts.port, timeout=self.limit)
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if key := os.environ.get(KEY_VARIABLE):
            headers["Authorization"] = f"Bearer {key}"
        try:
            connection.request("POST", parts.path.rstrip("/") + PATHS[self.api], body, headers)
            response = connection.getresponse()
            chunks, size = [], 0
            while chunk := response.read1(1 << 16):
                chunks.append(chunk)
                size += len(chunk)
                if size > MOST_BYTES:
                    raise _Broken(f"a reply of more than {MOST_BYTES} bytes")
                if time.monotonic() > ends:  # a server that sends a byte now and then
                    raise _Broken(f"no whole reply within {self.limit:g} s")
            if response.length:
                raise _Broken("the connection broke in the middle of a reply")
            return response.status, b"".join(chunks)
        except (OSError, http.client.HTTPException) as error:
            raise _Broken(line(f"{type(error).__name__}: {error}")) from None
        finally:
            connection.close()
