"""From what a user typed to a solver: which kind of model it is, how it is made, and what it reads."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from constructions import FOR_TWO_SUM, NAMES, build
from constructions.programs import is_program
from separation.files import InputError, json_text
from separation.programs import CompiledProgram
from separation.proving import Construction
from separation.proving.construction import final_answers
from separation.tasks import TaskSizes, require_integer, task_of
from separation.tasks.checks import shown
from separation.tasks.program import Definitions
from separation.tasks.task import Array
from separation.testing.adapters.torch_modules import (
    CONFIG,
    MOST_NEW_TOKENS,
    TextSolver,
    folder_sizes,
    ids_solver,
    is_folder,
    is_spelled,
    named_function,
    token_counter,
    torch_solver,
)
from separation.testing.calling import INSTANCES, READS, TEXT, TOKENS, Maker
from separation.testing.replies import NoConnection, line
from separation.testing.subjects import Subject

CHAT, COMPLETIONS = "chat", "completions"
PATHS = {CHAT: "/chat/completions", COMPLETIONS: "/completions"}
KEY_VARIABLE = "SEPARATION_API_KEY"
MOST_BYTES = 1 << 22
REPEATED = (408, 429)
MAX_TOKENS = 1024
"""Of a reply: room to think aloud."""


class _Broken(Exception):
    """Worth another try."""


@dataclass(frozen=True)
class ServerSolver:
    """A text in, a reply out, asked of ``workers`` texts at a time; a prompt without a reply is a `NoConnection`.

    ``limit``: seconds of one request, all of it; ``retries``: how often it is repeated; ``pause``: seconds before the
    first repetition. ``system``: a message before the prompt, of the chat API; ``extra``: more fields of the request.
    """

    url: str
    model: str
    api: str = CHAT
    limit: float = 60.0
    retries: int = 3
    pause: float = 0.5
    workers: int = 4
    max_tokens: int = MAX_TOKENS
    temperature: float = 0.0
    system: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    sleep: Callable[[float], None] = time.sleep

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f"--url is {shown(self.url)}; an address like http://localhost:8000/v1 is needed")
        if self.api not in PATHS:
            raise InputError(f"--api is {shown(self.api)}; known are {', '.join(PATHS)}")
        if self.system is not None and self.api != CHAT:
            raise InputError("--system is a message of --api chat")
        try:
            _ = parts.port
        except ValueError:
            raise InputError(f"--url is {shown(self.url)}; its port is no number") from None

    def reply(self, text: str) -> str | Exception:
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
        asked: dict[str, Any] = {"model": self.model, "temperature": self.temperature, "max_tokens": self.max_tokens}
        if self.api == CHAT:
            before = [] if self.system is None else [{"role": "system", "content": self.system}]
            asked["messages"] = [*before, {"role": "user", "content": text}]
        else:
            asked |= {"prompt": text, "stop": ["\n"]}
        status, body = self._post(json_text(asked | dict(self.extra)).encode())
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


def construction_solver(construction: Construction) -> Callable[[list[list[int]]], Array]:
    """Lists of token ids to answers, by the exact run; of a chain of thought the final answer. −1: none is given."""
    return lambda prompts: final_answers(construction, np.array(prompts, dtype=np.int64))


def built_solver(construct: Callable[[Any], Construction]) -> Callable[[list[Any]], Array]:
    """Instances to answers, by the construction at their sizes."""
    solver_at = lru_cache(maxsize=8)(lambda sizes: construction_solver(construct(sizes)))

    def solver(cases: list[Any]) -> Array:
        sizes = cases[0].sizes
        return solver_at(sizes)([task_of(sizes).prompt(case).tolist() for case in cases])

    return solver


def _compiled(program: Definitions) -> Construction:
    return CompiledProgram.of(program).construction


LONGEST_CALL = 1_000_000
"""Seconds; the system waits no longer than 2^31 milliseconds."""
CALL_LIMIT = 30.0
FORMS = "module:function, a folder with config.json, C1 to C7, a program, or with --url the name of a model"


@dataclass(frozen=True)
class Adapted:
    """A model as a solver: ``make`` makes it (in the child process), ``reads`` says what it is given.

    ``sizes``: the only ones that it takes, None if that is not known; ``config``: a file that tells its layers;
    ``limit``: seconds of a call, None where the solver keeps its own; ``tokenizer``: makes what counts the model's own
    tokens of a text.
    """

    name: str
    kind: str
    make: Maker
    reads: str
    limit: float | None
    sizes: TaskSizes | None = None
    config: Path | None = None
    tokenizer: Callable[[], Callable[[str], int]] | None = None


@dataclass(frozen=True)
class Asked:
    """The options that say what kind of model it is."""

    reads: str | None = None
    weights: Path | None = None
    torch: bool = False
    url: str | None = None
    api: str = "chat"
    limit: float | None = None
    retries: int = 3
    workers: int = 4
    pause: float = 0.5
    max_tokens: int | None = None
    temperature: float | None = None
    system: str | None = None
    extra_body: str | Mapping[str, Any] | None = None

    @property
    def extra(self) -> Mapping[str, Any]:
        """More fields of a request, typed as JSON or given as a mapping."""
        try:
            found = json.loads(self.extra_body) if isinstance(self.extra_body, str) else self.extra_body or {}
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, Mapping):
            raise InputError(f"--extra-body is {shown(self.extra_body)}; a JSON object is needed")
        return found

    def require_server(self) -> None:
        for name in ("temperature", "system", "extra_body"):
            if getattr(self, name) is not None:
                raise InputError(f"--{name.replace('_', '-')} goes with --url")


def adapted(model: str | Callable[..., Any], asked: Asked, task: Subject) -> Adapted:
    """The solver that ``model`` stands for."""
    if asked.reads is not None and asked.reads not in READS:
        raise InputError(f"--reads is {shown(asked.reads)}; known are {', '.join(READS)}")
    if asked.limit is not None and not 0 < asked.limit <= LONGEST_CALL:
        raise InputError(f"--limit is {asked.limit}; a number of seconds above 0, at most {LONGEST_CALL:,}, is needed")
    if asked.max_tokens is not None:
        require_integer("--max-tokens", asked.max_tokens, 1)
    limit = asked.limit or CALL_LIMIT
    if asked.url is None:
        asked.require_server()
    if callable(model):
        name = str(getattr(model, "__qualname__", type(model).__name__))
        return Adapted(name, "function", lambda: model, asked.reads or INSTANCES, limit)
    if asked.url is not None:
        return _server(model, asked)
    if asked.weights is not None or asked.torch:
        if asked.weights is not None and asked.weights.suffix != ".safetensors":
            raise InputError(f"{asked.weights} is not a .safetensors file; files that are unpickled are not read")
        if not is_spelled(model):
            raise InputError(f"a torch module is made by module:factory, not {shown(model)}")
        return Adapted(model, "torch module", partial(torch_solver, model, asked.weights), TOKENS, limit)
    if is_folder(model):
        return _folder(Path(model), asked, limit)
    if model.upper() in NAMES:
        return _construction(model.upper(), task.folder, limit)
    if is_program(model):
        if task.folder != "program":
            raise InputError(f"{model} is a program; the task {task.name} is none")
        return Adapted(model, "construction", partial(built_solver, _compiled), INSTANCES, limit)
    if not is_spelled(model):
        raise InputError(f"{shown(model)} is no model: {FORMS} is needed")
    return Adapted(model, "function", partial(named_function, model), asked.reads or INSTANCES, limit)


def _server(model: str, asked: Asked) -> Adapted:
    if asked.reads not in (None, TEXT):
        raise InputError("a server reads text: leave out --reads")
    names = ("api", "limit", "retries", "workers", "pause", "max_tokens", "temperature", "system")
    given = {name: value for name in names if (value := getattr(asked, name)) is not None}
    solver = ServerSolver(str(asked.url), model, **given, extra=asked.extra)
    return Adapted(f"{model} at {asked.url}", "server", lambda: solver, TEXT, None)


def _folder(path: Path, asked: Asked, limit: float) -> Adapted:
    sizes = folder_sizes(path)
    reads = asked.reads or (TEXT if sizes is None else TOKENS)
    if reads == INSTANCES:
        raise InputError("a folder reads tokens or text, not instances")
    text = partial(TextSolver, path, asked.max_tokens or MOST_NEW_TOKENS)
    make: Maker = text if reads == TEXT else partial(ids_solver, path)
    count = partial(token_counter, path) if reads == TEXT else None
    return Adapted(str(path), "Hugging Face folder", make, reads, limit, sizes, path / CONFIG, count)


def _construction(name: str, task: str, limit: float) -> Adapted:
    needed = "two_sum" if name in FOR_TWO_SUM else "funccomp"
    if task != needed:
        raise InputError(f"{name} is for the task {needed}, not {task}")
    return Adapted(name, "construction", partial(built_solver, partial(build, name)), INSTANCES, limit)
