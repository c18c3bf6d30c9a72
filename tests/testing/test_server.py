"""A model behind a server: right and wrong replies, broken connections, retries, what cannot be parsed."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from local_server import Behaviour, Handler, prompt_of, serving

import separation
from constructions.programs import gallery
from separation.files import InputError
from separation.tasks import task_of
from separation.tasks.funccomp import Sizes, answer
from separation.tasks.two_sum import TwoSumSizes
from separation.testing import read_prompt, write_answer
from separation.testing.adapters.choosing import KEY_VARIABLE, ServerSolver
from separation.testing.replies import NoConnection
from separation.verbs.command_line import run

ONE: dict[str, Any] = {"L": (1,), "lengths": (6,), "count": 4, "seconds": 60.0, "pause": 0.0}


def sizes_in(prompt: str) -> Sizes:
    """From the title of the last block: FuncComp, L = 2, m = 4, n = (4)."""
    title = [line for line in prompt.split("\n") if line.startswith("FuncComp, ")][-1]
    m, n = title.split("m = ")[1].split(", n = ")
    return Sizes(int(m), tuple(int(size) for size in n.strip("()").split(", ") if size))


def right(prompt: str) -> int:
    case: Any = read_prompt(prompt, sizes_in(prompt))
    return answer(case)


def saying(text: str) -> Behaviour:
    """Every request gets the right answer in these words."""
    return lambda handler, body, _number: handler.reply(text.format(right(prompt_of(body))))


well = saying("I look it up.\nAnswer: {}")


def well_but(failing: Callable[[int], bool], otherwise: Callable[[Handler], None]) -> Behaviour:
    """Requests of some numbers are met otherwise."""
    return lambda handler, body, number: otherwise(handler) if failing(number) else well(handler, body, number)


def stressed(behaviour: Behaviour, **options: Any) -> tuple[Any, list[tuple[str, dict[str, Any]]]]:
    """The report, and (path, body) of all requests."""
    with serving(behaviour) as server:
        return separation.stress("mine", url=server.url, **{"workers": 1, **ONE, **options}), server.requests


@pytest.mark.parametrize("api", ["chat", "completions"])
def test_a_right_model_passes(api: str) -> None:
    report, requests = stressed(saying(" {}"), api=api, shots=1, L=(1, 2), lengths=(8,))
    asked = [body for _, body in requests]
    assert report.ok
    assert {path for path, _ in requests} == {"/v1/chat/completions" if api == "chat" else "/v1/completions"}
    assert {body["model"] for body in asked} == {"mine"}
    assert all(body["temperature"] == 0 and prompt_of(body).count("Answer:") == 2 for body in asked)
    assert report.document()["kind"] == "server"


def test_what_cannot_be_parsed_is_counted_apart() -> None:
    report, _ = stressed(
        well_but(lambda number: number % 2 > 0, lambda handler: handler.reply("<b>I'd rather not</b>"))
    )
    document = report.document()
    assert not report.ok
    assert document["unparsed"] > 0
    assert document["right"] + document["unparsed"] == document["asked"]
    assert re.match(r"\d+ of \d+ could not be read; the first: .{0,3}<b>I'd rather not</b>", document["verdict"])
    assert document["reason"].startswith('unparsed: "<b>I\'d rather not</b>"')


def test_broken_connections_are_retried() -> None:
    """Every other request fails, each time in another way; the prompt is asked again and answered."""
    ways = (
        lambda handler: handler.drop(),
        lambda handler: handler.say({"error": "busy"}, 503),
        lambda handler: handler.say({"error": "slow down"}, 429),
        lambda handler: handler.say(b"{ not json"),
        lambda handler: handler.say({"choices": []}),
        lambda handler: handler.say({"choices": [{"message": {"content": None}}]}),
        lambda handler: handler.say(b"[" * 100_000),
    )

    turns = itertools.cycle(ways)
    report, asked = stressed(well_but(lambda number: number % 2 == 0, lambda handler: next(turns)(handler)), retries=1)
    requests = len(asked)
    assert report.ok
    assert requests == 2 * report.solver.asked
    assert requests >= 2 * len(ways)


def test_a_server_that_is_gone_is_reported_and_nothing_is_lost(tmp_path: Path) -> None:
    results = tmp_path / "run.jsonl"
    report, _ = stressed(well_but(lambda number: number >= 10, Handler.drop), retries=1, results=results)
    document = report.document()
    assert not report.ok
    assert document["right"] == document["asked"] == 10
    assert document["no_connection"] >= 1
    assert "2 tries" in document["stopped"]
    assert document["failure"] is None
    lines = [json.loads(line) for line in results.read_text().splitlines()]
    assert len(lines) == 1 + 10 + document["no_connection"]
    # Resumed at a server that works (the name of the model is the same, and the address part of it).
    with serving(well) as server:
        settings = json.loads(results.read_text().splitlines()[0])
        settings["settings"]["model"] = f"mine at {server.url}"
        results.write_text("\n".join([json.dumps(settings), *results.read_text().splitlines()[1:]]) + "\n")
        again = separation.stress("mine", url=server.url, results=results, resume=True, **ONE)
        asked = len(server.requests)
    assert again.ok
    assert again.resumed == 10
    assert asked == again.solver.asked - 10


def test_a_final_status_is_not_repeated() -> None:
    report, requests = stressed(lambda handler, *_: handler.say({"error": "no such model"}, 404), retries=5)
    assert len(requests) == 1
    assert "status 404" in str(report.solver.stopped)


def test_pauses_double_and_a_slow_reply_is_given_up() -> None:
    pauses: list[float] = []

    def drip(handler: Handler, _body: dict[str, Any], _number: int) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "1000000")
        handler.end_headers()
        try:
            while True:
                handler.wfile.write(b" " * 100)
                handler.wfile.flush()
        except OSError:
            return

    with serving(drip) as server:
        reply = ServerSolver(server.url, "mine", limit=0.02, retries=3, pause=0.5, sleep=pauses.append).reply("?")
    assert isinstance(reply, NoConnection)
    assert pauses == [0.5, 1.0, 2.0]


def test_a_dead_server_gave_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(well) as server:
        url = server.url
    assert run(["stress", "mine", "--url", url, "--L", "1", "--lengths", "6", "--retries", "0"]) == 1
    printed = capsys.readouterr().out
    assert f'no answer from "mine at {url}"' in printed
    assert "0 of 0" not in printed
    assert "accuracy" not in printed
    assert "time was over" not in printed


def test_requests_lost_for_good_are_said() -> None:
    """All that was answered is right, and yet not everything was."""

    report, _ = stressed(well_but(lambda number: number % 5 == 4, lambda handler: handler.say({"error": "no"}, 400)))
    lost, asked = report.document()["no_connection"], report.document()["asked"]
    assert lost > 0
    assert not report.ok
    assert report.document()["verdict"] == f"{asked} of {asked} right (100 %); {lost} more got no answer at all"


def test_workers_are_kept_busy() -> None:
    """Blocks of a plan are short; requests of several are in flight at the same time."""
    workers, flying, most = 32, 0, 0
    lock, together = threading.Lock(), threading.Barrier(workers, timeout=60)

    def together_or_never(handler: Handler, body: dict[str, Any], number: int) -> None:
        nonlocal flying, most
        with lock:
            flying += 1
            most = max(most, flying)
        if 1 <= number <= workers:  # the very first is asked alone
            together.wait()
        with lock:
            flying -= 1
        well(handler, body, number)

    report, _ = stressed(together_or_never, workers=workers, L=(1, 2), seconds=180.0)
    assert report.ok
    assert most >= workers


def test_what_goes_into_a_request() -> None:
    talk = {"max_tokens": 7, "temperature": 0.5, "system": "Be brief.", "extra_body": '{"top_p": 0.9}'}
    report, requests = stressed(saying("{}"), **talk)
    assert report.ok
    for _, body in requests:
        assert (body["max_tokens"], body["temperature"], body["top_p"]) == (7, 0.5, 0.9)
        assert body["messages"][0] == {"role": "system", "content": "Be brief."}
    with pytest.raises(InputError, match="a JSON object is needed"):
        separation.stress("mine", url="http://localhost:1/v1", extra_body="[1]")
    with pytest.raises(InputError, match="--system goes with --url"):
        separation.stress("C1", system="Be brief.")


def test_replies_are_read_as_models_write_them_unless_strictly() -> None:
    politely = saying("Sure!\n\n**The answer is {}.**")
    assert stressed(politely)[0].ok
    strict, _ = stressed(politely, strict=True)
    assert strict.solver.count("unparsed") == strict.solver.asked > 0


@pytest.mark.parametrize("task", ["two_sum", "MQAR"])
def test_other_tasks_behind_a_server(task: str) -> None:
    def oracle(handler: Handler, body: dict[str, Any], _: int) -> None:
        prompt = prompt_of(body)
        sizes: Any
        if task == "two_sum":
            sizes = TwoSumSizes(*(int(number) for number in re.findall(r"= (\d+)", prompt)))
        else:
            pairs, queries = (int(number) for number in re.findall(r"(\d+) (?:pair|query), each", prompt))
            keys, values = (int(number) + 1 for number in re.findall(r"(?:key|value) from 0 to (\d+)", prompt))
            sizes = gallery("mqar", pairs=pairs, keys=keys, values=values, queries=queries).definitions
        handler.reply(write_answer(task_of(sizes).expected(read_prompt(prompt, sizes))))

    report, _ = stressed(oracle, L=None, task=task, lengths=8, count=2)
    assert report.solver.accuracy == 1


def test_the_key_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "k3y")
    seen = []

    def look(handler: Handler, _body: dict[str, Any], _number: int) -> None:
        seen.append(handler.headers["Authorization"])
        handler.reply("3")

    with serving(look) as server:
        assert ServerSolver(server.url, "mine").reply("?") == "3"
    assert seen == ["Bearer k3y"]


@pytest.mark.parametrize("url", ["ftp://x/v1", "localhost:8000", "http://", "http://x:port/v1", "file:///etc/passwd"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="--url is"):
        ServerSolver(url, "mine")
