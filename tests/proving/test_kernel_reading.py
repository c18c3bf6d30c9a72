"""What is no certificate at all: the kernel refuses to read it, and reads with nothing but itself."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from certificate_cases import certificate
from kernel_cases import Document, construction, put, real, said

import separation.proving
from separation.proving import kernel, kernel_bounds, kernel_runs, kernel_tasks
from separation.proving.kernel import Malformed, check_certificate, check_text


def test_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "MAX_BYTES", 100)
    with pytest.raises(Malformed, match="at most 100 bytes"):
        check_text(" " * 101)
    monkeypatch.setattr(kernel, "MAX_WORK", 1000)
    with pytest.raises(Malformed, match=r"^declined: the check takes more work than 1000 units$"):
        check_certificate(construction(3, []))


# What else is no model, or too large, are files of the corpus: malformed-*.json, declined-*.json.
MODELS: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("", ("slots", 0, "width"), -1, "malformed: an integer out of range"),
    ("", ("layers", 0, "heads"), [None] * 257, "declined: too many heads or MLPs"),
    ("", ("layers", 0, "mlps"), [None] * 257, "declined: too many heads or MLPs"),
    ("", ("invariants", 0, "w", "forms"), [[99, "1", 1]], "malformed: an integer out of range"),
    ("", ("positions", "declared", 0, "radices"), [1] * 257, "declined: too many radices"),
    ("", ("layers", 0, "heads", 0, "W_Q", "shape", 0), 16385, "declined: a matrix of more than 16384 rows"),
    ("C5 F", ("task", "thoughts"), ["records"], "malformed: not a short string"),
    ("C7", ("layers", 0, "heads", 0, "block"), 3, "malformed: a matrix of another shape"),
    ("C7", ("layers", 0, "heads", 0, "opened"), -1, "malformed: an integer out of range"),
]


RANGE, LENGTH = "malformed: an integer out of range", "malformed: not a list of the right length"
FREE, SPARSE, DECIDED, MAP = ("bound", "a-free"), ("bound", "d"), ("decision", "c3"), ("pair", "map-table")
CLAIMS: list[tuple[tuple[str, str], tuple[Any, ...], Any, str]] = [
    (FREE, ("choice", "reached"), [1], LENGTH),
    (FREE, ("choice", "reached"), [1, 1, 1], LENGTH),
    (FREE, ("choice", "x"), [1], LENGTH),
    (SPARSE, ("claim", "open"), 4, "no more blocks than are opened"),
    (DECIDED, ("claim", "task", "m"), 1, RANGE),
    (DECIDED, ("claim", "task", "n", 0), 0, RANGE),
    (DECIDED, ("claim", "task", "task"), "two_sum", "malformed: unknown task"),
    (DECIDED, ("claim", "task", "n"), [1] * 256, "declined: too many tables"),
    (DECIDED, ("claim", "task", "n"), [1] * 255, "C3 needs L tables and more than L layers R alone"),
    (MAP, ("claim", "swaps", 0, "with", 0), 5, RANGE),  # M itself
    (MAP, ("claim", "swaps", 0, "with", 0), 0, RANGE),
    (MAP, ("claim", "swaps", 0, "with"), [1] * 9, LENGTH),
    (MAP, ("claim", "swaps", 0, "block"), 3, RANGE),  # g blocks, from 0 on
    (MAP, ("claim", "opened", 0), 3, RANGE),
    (MAP, ("claim", "a", 0), 5, RANGE),
    (MAP, ("claim", "x"), 0, RANGE),
    (MAP, ("claim", "x"), 5, "input a: its last token is not −x, or x is in it"),
    (MAP, ("claim", "block"), 0, RANGE),
    (MAP, ("claim", "blocks"), 0, RANGE),
    (MAP, ("claim", "open"), -1, RANGE),
    (MAP, ("claim", "modulus"), 1, RANGE),
    (MAP, ("claim", "modulus"), 4, "malformed: the modulus is even"),
    (MAP, ("claim", "blocks"), 1 << 30, "declined: too many tokens"),
]


def test_models_that_are_refused() -> None:
    for name, path, value, text in MODELS:
        document = real(name) if name else construction(2, [])
        put(document["model"], path, value)
        assert said(document).startswith(text), (path, said(document))


def test_claims_that_are_refused() -> None:
    """Of bounds, decisions and pairs."""
    for (kind, name), path, value, text in CLAIMS:
        document = certificate(kind, name)
        put(document, path, value)
        assert said(document) == text, path
    document = certificate(*SPARSE)
    document["claim"] |= {"modulus": 10**6 + 1, "block": 65537}
    assert said(document) == "declined: too many terms"


def test_an_output_that_is_no_answer() -> None:
    document = certificate("pair", "r")
    rows = document["model"]["unembedding"]["stored"]["shape"][0]
    document["claim"] |= {"output_a": [rows], "output_b": [rows]}
    assert said(document) == "the outputs differ, or are no answers"
    document["claim"] |= {"output_a": [rows - 1], "output_b": [rows - 1]}
    assert said(document) != "the outputs differ, or are no answers"


MAPS: list[tuple[Document, str]] = [
    ({"type": "table", "tables": [[0] * 16] * 3}, "not a list of the right length"),
    ({"type": "table", "tables": [[0] * 15] * 2}, "not a list of the right length"),
    ({"type": "linear", "modulus": 3, "rows": [[[1, 1]]] * 3}, "not a list of the right length"),
    ({"type": "linear", "modulus": 3, "rows": [[[1, 1, 1]], [[1, 1]]]}, "not a list of the right length"),
    ({"type": "linear", "modulus": 0, "rows": [[[1, 1]]] * 2}, "an integer out of range"),
    ({"type": "linear", "modulus": 3, "rows": [[[-(2**53) - 1, 1]]] * 2}, "not an integer"),
    ({"type": "other", "modulus": 3, "rows": []}, "unknown type of map"),
]


def test_maps() -> None:
    for value, text in MAPS:
        with pytest.raises(kernel.Malformed) as failure:
            kernel_runs.read_map(value, 4, 2, 2)
        assert str(failure.value) == text
    for u, B, g in ((2, 20, 5), (2**20, 2, 1), (2, 21, 1), (10**6, 1, 5), (2**41, 1, 1)):
        with pytest.raises(kernel.Malformed, match=r"^declined: the table is too large$"):
            kernel_runs.read_map({"type": "table", "tables": []}, u, B, g)
    table = kernel_runs.read_map({"type": "table", "tables": [list(range(16)), list(range(16, 32))]}, 4, 2, 2)
    assert [table(0, [1, 1]), table(0, [1, 2]), table(0, [4, 4]), table(1, [2, 1])] == [0, 1, 15, 20]
    rows = [[[1, 2]], [[-(2**53), 0], [3, 4]]]
    linear = kernel_runs.read_map({"type": "linear", "modulus": 7, "rows": rows}, 4, 2, 2)
    assert linear(0, [3, 4]) == [4]
    assert linear(1, [1, 2]) == [-(2**53) % 7, 4]
    one = kernel_runs.read_map({"type": "linear", "modulus": 1, "rows": [[[1, 1]]] * 2}, 4, 2, 2)
    assert one(0, [1, 2]) == [0]


def test_inputs() -> None:
    task = kernel_tasks.Task({"task": "funccomp", "m": 2, "n": [3, 2]})
    tables = [[1, 0], [5, 4, 3, 2, 1, 0], [11, *range(11)]]
    value = {"task": "funccomp", "m": 2, "n": [3, 2], "z0": 1, "tables": tables, "w": [2, 1]}
    tokens, right = task.read_input(value)
    # i1 = z1(1) = 0, i2 = z2(2·2 + 0) = 1, i3 = z3(1·6 + 1) = 6; w is id 12 + 2·2 + 1
    assert (tokens, right) == ([*tables[2], *tables[1], *tables[0], 1, 17], 6)
    for changed in ({"z0": 2}, {"w": [3, 1]}, {"w": [2, 2]}, {"z0": -1}):
        with pytest.raises(kernel.Malformed, match=r"^an integer out of range$"):
            task.read_input(value | changed)
    with pytest.raises(kernel.Malformed, match=r"^an input of another task$"):
        task.read_input(value | {"m": 3})
    sums = kernel_tasks.Task({"task": "two_sum", "length": 3, "modulus": 5})
    assert sums.read_input({"task": "two_sum", "modulus": 5, "x": [1, 2, 4]}) == ([1, 2, 4], 1)
    assert sums.read_input({"task": "two_sum", "modulus": 5, "x": [2, 2, 4]}) == ([2, 2, 4], 0)
    for x in ([0, 1, 1], [5, 1, 1]):
        with pytest.raises(kernel.Malformed, match=r"^an integer out of range$"):
            sums.read_input({"task": "two_sum", "modulus": 5, "x": x})


LARGE = str(2**4096)


TASKS: list[tuple[Document, bool, str]] = [
    ({"task": "two_sum", "length": 0, "modulus": 5}, False, "an integer out of range"),
    ({"task": "two_sum", "length": 1, "modulus": 1}, False, "an integer out of range"),
    ({"task": "two_sum", "length": 1, "modulus": 4}, False, "2-Sum: the modulus is even, or attention is not causal"),
    ({"task": "two_sum", "length": 1, "modulus": 5}, True, "2-Sum: the modulus is even, or attention is not causal"),
    ({"task": "two_sum", "length": LARGE, "modulus": 5}, False, "declined: the task is too large"),
    ({"task": "funccomp", "m": LARGE, "n": []}, False, "declined: the task is too large"),
    ({"task": "funccomp", "m": 0, "n": []}, False, "an integer out of range"),
    ({"task": "funccomp", "m": 2, "n": [0]}, False, "an integer out of range"),
    ({"task": "funccomp", "m": 2, "n": [1] * 256}, False, "declined: too many tables"),
    ({"task": "other", "m": 2, "n": []}, False, "unknown task"),
    ({"task": "funccomp", "m": str(2**4000), "n": [1] * 40}, True, "declined: the task is too large"),
    (
        {"task": "funccomp", "m": 2, "n": [2], "thoughts": "x"},
        False,
        "unknown thoughts, or attention is not causal",
    ),
    (
        {"task": "funccomp", "m": 2, "n": [2], "thoughts": "hops"},
        True,
        "unknown thoughts, or attention is not causal",
    ),
]


def test_tasks_that_are_refused() -> None:
    for value, both, text in TASKS:
        with pytest.raises(kernel.Malformed) as failure:
            kernel_tasks.Task(value, both)
        assert str(failure.value) == text
    kernel_tasks.Task({"task": "two_sum", "length": str(2**4096 - 1), "modulus": 5})
    kernel_tasks.Task({"task": "funccomp", "m": str(2**4096 - 1), "n": []})
    kernel_tasks.Task({"task": "funccomp", "m": 2, "n": [1] * 255})
    assert kernel_bounds.depth_of(["R"] * kernel_bounds.MAX_LAYERS) == (0, 0)
    with pytest.raises(kernel.Declined, match=r"^declined: too many layers$"):
        kernel_bounds.depth_of(["R"] * (kernel_bounds.MAX_LAYERS + 1))


def test_the_kernel_is_imported_alone() -> None:
    """And every name that the room exports is there."""
    program = "import separation.proving.kernel, sys; print(*(n for n in sys.modules if n.startswith('separation.')))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert set(found) == {"separation.lazily", "separation.proving", "separation.proving.kernel"}
    names = separation.proving.__all__
    assert len(set(names)) == len(names)
    assert {"Construction", "prove", "certified_proof", "refute"} <= set(names)
    for name in names:
        assert hasattr(separation.proving, name), name
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        separation.proving.nothing  # noqa: B018
