"""Small files that claim to be large: a refused file takes at most ten times its size and 200 MB of memory."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from separation.files import InputError, parse_json

resource = pytest.importorskip("resource", reason="memory is measured by the system")
MEGABYTE = 1 << 20

MEASURED = """
import resource, sys
from separation.verbs.command_line import run
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
status = run(sys.argv[1:])
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(status, after - before)
"""


def memory_of(*arguments: str) -> tuple[int, int, str]:
    """(exit status, bytes on top of what the program takes by itself, its line)."""
    done = subprocess.run([sys.executable, "-c", MEASURED, *arguments], capture_output=True, text=True, check=True)
    status, kilobytes = done.stdout.split()[-2:]
    return int(status), int(kilobytes) * (1 if sys.platform == "darwin" else 1024), done.stderr


def tensors_named(times: int, side: int = 2048) -> bytes:
    """A safetensors file with one tensor of bytes that a model names again and again."""
    matrix = {"tensor": "t", "denominator": 1}
    head = {"type": "full", "W_Q": matrix, "W_K": matrix, "W_V": matrix, "W_O": matrix, "shift": 0}
    model = {"layers": [{"heads": [head] * (times // 4), "mlps": []}]}
    size = side * side
    tensor = {"dtype": "I8", "shape": [side, side], "data_offsets": [0, size]}
    header = json.dumps({"__metadata__": {"separation": json.dumps(model)}, "t": tensor}).encode()
    return struct.pack("<Q", len(header)) + header + bytes(size)


def test_one_tensor_named_often(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(tensors_named(2000))
    status, taken, err = memory_of("prove", "--model", str(path))
    assert status == 2
    assert "the matrices have more than 16777216 entries in all" in err
    assert taken <= 10 * path.stat().st_size + 200 * MEGABYTE


def test_a_tensor_that_is_named_twice_is_there_once(tmp_path: Path) -> None:
    from separation.models.model_file import read_model_file

    path = tmp_path / "model.safetensors"
    path.write_bytes(tensors_named(8, side=4))
    head = read_model_file(path)["layers"][0]["heads"][1]
    assert head["W_Q"] is head["W_O"]


SMALL_PARTS = {
    "objects": b'{"a":1}',
    "empty objects": b"{}",
    "empty lists": b"[]",
    "short texts": b'"ab"',
    "lists of lists": b"[[[]]]",
}


@pytest.mark.parametrize(("name", "verb"), [("objects", ("check",)), ("empty lists", ("solve", "C1", "--instance"))])
def test_many_tiny_parts(name: str, verb: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "parts.json"
    part = SMALL_PARTS[name]
    path.write_bytes(b"[" + (part + b",") * (30 * MEGABYTE // (len(part) + 1)) + part + b"]")
    status, taken, err = memory_of(*verb, str(path))
    assert status == 2
    assert "MB of memory as JSON" in err
    assert taken <= 10 * path.stat().st_size + 200 * MEGABYTE


@pytest.mark.parametrize("name", SMALL_PARTS)
def test_what_is_refused_is_counted_and_not_parsed(name: str) -> None:
    part = SMALL_PARTS[name]
    data = b"[" + (part + b",") * (24 * MEGABYTE // len(part)) + part + b"]"
    with pytest.raises(InputError, match="MB of memory as JSON"):
        parse_json(data, "x")
