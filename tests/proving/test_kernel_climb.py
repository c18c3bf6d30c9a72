"""Theorems A, B and D in the kernel against the formulas, level by level; and what its readers refuse."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
from certificate_cases import certificate
from kernel_cases import construction, real
from naive_bounds import inequalities

from separation.proving import kernel, kernel_bounds

Document = dict[str, Any]


def said(document: Document) -> str:
    try:
        return kernel.check_certificate(document).message
    except kernel.Declined as error:
        return str(error)
    except kernel.Malformed as error:
        return f"malformed: {error}"


def golden(L: int, y: int, start: int, theorem: str) -> tuple[int, list[int], list[int]]:
    """m, n, x of section 5.4, from the last table to the first."""
    x, n = [0] * L, [0] * (L - 1)
    for k in range(1, L):
        after = n[L - k :] if k > 1 else []
        x[L - k] = y * _prod(after)
        n[L - k - 1] = y * _prod(x[L - k :])
    x[0] = start if theorem == "A" else y * _prod(n)
    return 6 * _prod(x), n, x


def _prod(values: list[int]) -> int:
    result = 1
    for value in values:
        result *= value
    return result


@pytest.mark.parametrize("theorem", ["A", "B"])
@pytest.mark.parametrize("L", [2, 3, 4, 5])
@pytest.mark.parametrize("odd", [0, 1])
def test_what_is_left_at_the_end(theorem: str, L: int, odd: int) -> None:
    """n·Θ·log2 N − D_L, with Λ_t all different so that each counts once."""
    mpmath.mp.dps = 400
    b = theorem == "B"
    m, n, x = golden(L, 1024 + odd, 64, theorem)
    linear = [0 if b else 11, *(1000 + 37 * t for t in range(1, L + b))]
    found = inequalities(theorem, 3, linear, m, n, x)
    assert all(held for _, held in found.values())
    intervals = [kernel_bounds.Interval(value) for value in linear]
    sizes = [kernel_bounds.Interval(value) for value in (m, *n)]
    choice = {"x": [value if value <= 2**53 else str(value) for value in x], "reached": None, "free_start": False}
    room = kernel_bounds.climb(b, kernel_bounds.Interval(3), intervals, sizes, choice)
    size, theta = m * _prod(n), x[0]
    for ell in range(1, L):
        theta = theta * x[ell] * (n[ell - 2] if ell > 1 else 1) // 2
    exact = n[-1] * theta * mpmath.log(size, 2) - found["F"][0]
    low, high = (mpmath.ldexp(end, room.shift) for end in (room.low, room.high))
    assert low <= exact * (1 + mpmath.mpf(10) ** -300)
    assert exact <= high * (1 + mpmath.mpf(10) ** -300)
    assert high - low <= exact * mpmath.mpf(10) ** -70


def climbed(**changes: Any) -> str:
    """A bound of theorem A that holds, with another choice."""
    document = certificate("bound", "A free")
    document["choice"] |= changes
    return said(document)


def test_the_free_start_reaches_no_more_than_there_is() -> None:
    """Θ_1 is the smaller of x_0·x_1 and m; it is not guessed where intervals overlap."""
    long = {"powers": [[3, 2000]]}  # longer than an interval's ends
    sizes = [kernel_bounds.large(long, 1), kernel_bounds.Interval(2)]
    linear = [kernel_bounds.Interval(0)] * 2
    choice = {"x": [long, 1], "reached": None, "free_start": True}
    with pytest.raises(kernel.Rejected, match=r"^x_0 ≤ m does not hold$"):
        kernel_bounds.climb(False, kernel_bounds.Interval(1), linear, sizes, choice)
    near = [kernel_bounds.large({"powers": [[3, 2000], [2, 1]]}, 1), kernel_bounds.Interval(2)]
    with pytest.raises(kernel.Rejected, match=r"^it is not certain which of x_0·x_1 and m is smaller$"):
        kernel_bounds.climb(False, kernel_bounds.Interval(1), linear, near, {**choice, "x": [long, 2]})
    for x, theta in ((3, 12), (5, 20), (6, 20)):
        room = kernel_bounds.climb(
            False,
            kernel_bounds.Interval(1),
            linear,
            [kernel_bounds.Interval(20), kernel_bounds.Interval(1)],
            {**choice, "x": [4, x]},
        )
        D = 1 * (1 * x * 20 + 2 * 4)
        exact = theta * mpmath.log(20, 2) - D
        assert abs(mpmath.ldexp(room.low, room.shift) - exact) < mpmath.mpf(10) ** -50


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"reached": [1]}, "malformed: not a list of the right length"),
        ({"reached": [1, 1, 1]}, "malformed: not a list of the right length"),
        ({"free_start": 1}, "malformed: free_start is neither true nor false"),
        ({"x": [1]}, "malformed: not a list of the right length"),
    ],
)
def test_choices_that_are_refused(changes: dict[str, Any], text: str) -> None:
    assert climbed(**changes) == text


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"open": 4}, "no more blocks than are opened"),
        ({"open": 5}, "no more blocks than are opened"),
        ({"open": 3}, "2^6 summary values are not too few"),
        ({"modulus": 10**6 + 1, "block": 65537}, "declined: too many terms"),
        ({"modulus": "9" * 400, "block": 60000}, "declined: too many terms"),
        ({"modulus": 12}, "malformed: the modulus is even, or there is a choice"),
    ],
)
def test_sparse_claims(changes: dict[str, Any], text: str) -> None:
    document = certificate("bound", "D")
    document["claim"] |= changes
    assert said(document) == text


def test_layers_of_a_word() -> None:
    assert kernel_bounds.depth_of(["R"] * kernel_bounds.MAX_LAYERS) == (0, 0)
    with pytest.raises(kernel.Declined, match=r"^declined: too many layers$"):
        kernel_bounds.depth_of(["R"] * (kernel_bounds.MAX_LAYERS + 1))


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        (("m",), 1, "malformed: an integer out of range"),
        (("n", 0), 0, "malformed: an integer out of range"),
        (("task",), "two_sum", "malformed: unknown task"),
        (("n",), [1] * 256, "declined: too many tables"),
        (("n",), [1] * 255, "C3 needs L tables and more than L layers R alone"),
    ],
)
def test_sizes_of_a_decision(path: tuple[Any, ...], value: Any, text: str) -> None:
    document = certificate("decision", "by C3")
    place: Any = document["claim"]["task"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    assert said(document) == text


# --- what is read of maps, inputs and tasks ---

MAPS: list[tuple[Document, str]] = [
    ({"type": "table", "tables": [[0] * 16] * 3}, "not a list of the right length"),
    ({"type": "table", "tables": [[0] * 15] * 2}, "not a list of the right length"),
    ({"type": "linear", "modulus": 3, "rows": [[[1, 1]]] * 3}, "not a list of the right length"),
    ({"type": "linear", "modulus": 3, "rows": [[[1, 1, 1]], [[1, 1]]]}, "not a list of the right length"),
    ({"type": "linear", "modulus": 0, "rows": [[[1, 1]]] * 2}, "an integer out of range"),
    ({"type": "linear", "modulus": 3, "rows": [[[-(2**53) - 1, 1]]] * 2}, "not an integer"),
    ({"type": "other", "modulus": 3, "rows": []}, "unknown type of map"),
]


@pytest.mark.parametrize(("value", "text"), MAPS)
def test_maps_that_are_refused(value: Document, text: str) -> None:
    with pytest.raises(kernel.Malformed) as failure:
        kernel.read_map(value, 4, 2, 2)
    assert str(failure.value) == text


def test_maps() -> None:
    table = kernel.read_map({"type": "table", "tables": [list(range(16)), list(range(16, 32))]}, 4, 2, 2)
    assert [table(0, [1, 1]), table(0, [1, 2]), table(0, [4, 4]), table(1, [2, 1])] == [0, 1, 15, 20]
    linear = kernel.read_map({"type": "linear", "modulus": 7, "rows": [[[1, 2]], [[-(2**53), 0], [3, 4]]]}, 4, 2, 2)
    assert linear(0, [3, 4]) == [4]
    assert linear(1, [1, 2]) == [-(2**53) % 7, 4]
    one = kernel.read_map({"type": "linear", "modulus": 1, "rows": [[[1, 1]]] * 2}, 4, 2, 2)
    assert one(0, [1, 2]) == [0]


@pytest.mark.parametrize(("u", "B", "g"), [(2, 20, 5), (2**20, 2, 1), (2, 21, 1), (10**6, 1, 5), (2**41, 1, 1)])
def test_tables_that_are_too_large(u: int, B: int, g: int) -> None:
    with pytest.raises(kernel.Malformed, match=r"^declined: the table is too large$"):
        kernel.read_map({"type": "table", "tables": []}, u, B, g)


def test_inputs() -> None:
    task = kernel.Task({"task": "funccomp", "m": 2, "n": [3, 2]})
    tables = [[1, 0], [5, 4, 3, 2, 1, 0], [11, *range(11)]]
    value = {"task": "funccomp", "m": 2, "n": [3, 2], "z0": 1, "tables": tables, "w": [2, 1]}
    tokens, right = kernel.read_input(value, task)
    # i1 = z1(1) = 0, i2 = z2(2·2 + 0) = 1, i3 = z3(1·6 + 1) = 6; w is id 12 + 2·2 + 1
    assert (tokens, right) == ([*tables[2], *tables[1], *tables[0], 1, 17], 6)
    for changed in ({"z0": 2}, {"w": [3, 1]}, {"w": [2, 2]}, {"z0": -1}):
        with pytest.raises(kernel.Malformed, match=r"^an integer out of range$"):
            kernel.read_input(value | changed, task)
    with pytest.raises(kernel.Malformed, match=r"^an input of another task$"):
        kernel.read_input(value | {"m": 3}, task)
    sums = kernel.Task({"task": "two_sum", "length": 3, "modulus": 5})
    assert kernel.read_input({"task": "two_sum", "modulus": 5, "x": [1, 2, 4]}, sums) == ([1, 2, 4], 1)
    assert kernel.read_input({"task": "two_sum", "modulus": 5, "x": [2, 2, 4]}, sums) == ([2, 2, 4], 0)
    for x in ([0, 1, 1], [5, 1, 1]):
        with pytest.raises(kernel.Malformed, match=r"^an integer out of range$"):
            kernel.read_input({"task": "two_sum", "modulus": 5, "x": x}, sums)


def test_tasks() -> None:
    task = kernel.Task({"task": "funccomp", "m": 2, "n": [3], "thoughts": "records"})
    assert (task.tokens, task.length, task.ids, task.answers) == (10, 12, 6 + 3 + 6 + 6 + 18, 39)
    assert [kind.name for kind in task.kinds] == ["table 2", "table 1", "z0", "w", "record 0", "record 1"]
    assert [kind.first for kind in task.kinds] == [0, 6, 8, 9, 10, 11]
    assert [kind.count for kind in task.kinds] == [6, 2, 1, 1, 1, 1]
    assert task.emissions == [(3, 2), (4, 3), (5, 4)]
    plain = kernel.Task({"task": "funccomp", "m": 2, "n": [3]})
    assert (plain.emissions, plain.groups, plain.tables) == ([(3, 0)], [(0, [("i2", 6)])], 2)
    both = kernel.Task({"task": "funccomp", "m": 2, "n": [3]}, True)
    assert both.kinds[1].own == [("index", 2), ("value", 2), ("h2", 6)]
    sums = kernel.Task({"task": "two_sum", "length": 4, "modulus": 7})
    assert (sums.tokens, sums.ids, sums.answers, sums.key) == (4, 7, 2, ("two_sum", 4, 7))
    assert sums.powers == [(6, 4)]


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


@pytest.mark.parametrize(("value", "both", "text"), TASKS)
def test_tasks_that_are_refused(value: Document, both: bool, text: str) -> None:
    with pytest.raises(kernel.Malformed) as failure:
        kernel.Task(value, both)
    assert str(failure.value) == text


def test_the_largest_tasks() -> None:
    kernel.Task({"task": "two_sum", "length": str(2**4096 - 1), "modulus": 5})
    kernel.Task({"task": "funccomp", "m": str(2**4096 - 1), "n": []})
    kernel.Task({"task": "funccomp", "m": 2, "n": [1] * 255})


# --- what is read of models ---


def broken(name: str, path: tuple[Any, ...], value: Any) -> str:
    document = real(name) if name.startswith("C") else construction(2, [])
    place: Any = document["model"]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return said(document)


MODELS: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("", ("precision", "P"), 4097, "declined: P or p is more than 4096 bits"),
    ("", ("precision", "P"), -1, "malformed: an integer out of range"),
    ("", ("precision", "fraction"), 4096, "malformed: fraction is larger than p"),
    ("", ("slots", 0, "width"), 16385, "declined: more than 16384 coordinates"),
    ("", ("slots", 0, "width"), -1, "malformed: an integer out of range"),
    ("", ("slots", 0, "width"), 16384, "declined: more than 16384 coordinates"),
    ("", ("slots", 1, "name"), "one", "malformed: slots: a repeated name"),
    ("", ("schema",), "x", "malformed: unknown schema of the model"),
    ("", ("attention",), "x", "malformed: attention is neither causal nor both"),
    ("C3", ("attention",), "both", "malformed: attention both ways is for full attention"),
    ("", ("layers",), [{"heads": [], "mlps": []}] * 257, "declined: too many layers"),
    ("", ("layers", 0, "heads"), [None] * 257, "declined: too many heads or MLPs"),
    ("", ("layers", 0, "mlps"), [None] * 257, "declined: too many heads or MLPs"),
    ("", ("layers", 0, "heads", 0, "type"), "x", "malformed: unknown type of head"),
    ("", ("layers", 0, "heads", 0), None, "malformed: unknown type of head"),
    ("C2 RF linear", ("layers", 0, "heads", 0, "normalised"), 1, "malformed: normalised is neither true nor false"),
    ("", ("invariants", 0, "w", "noise"), [{"radius": -1, "column": []}], "malformed: a negative radius"),
    ("", ("invariants", 0, "w", "forms"), [[0, "x", 1]], "malformed: an invariant has an unknown symbol"),
    ("", ("invariants", 0, "w", "forms"), [[0, 1, 1]], "malformed: an invariant has an unknown symbol"),
    ("", ("invariants", 0, "w", "forms"), [[0, "1", 1]] * 2, "malformed: an invariant has a repeated entry"),
    ("", ("invariants", 0, "w", "forms"), [[99, "1", 1]], "malformed: an integer out of range"),
    ("", ("positions", "declared", 0, "radices"), [1] * 257, "declined: too many radices"),
    ("", ("positions", "declared", 0, "radices"), [0], "malformed: an integer out of range"),
    ("", ("positions", "declared", 0, "start"), 1, "malformed: the segments of a row table overlap or leave gaps"),
    ("", ("tokens", "declared"), [], "malformed: the segments of a row table do not cover its rows"),
    ("C6", ("tokens", "declared", 0, "mirror"), 7, "malformed: a mirror image needs one radix, an odd one"),
    ("", ("layers", 0, "heads", 0, "W_O", "entries"), [[0, 0, 1]] * 2, "malformed: a matrix has a repeated entry"),
    ("", ("layers", 0, "heads", 0, "W_O", "shape"), [1, 1], "malformed: a matrix of another shape"),
    ("", ("layers", 0, "heads", 0, "W_Q", "shape", 0), 16385, "declined: a matrix of more than 16384 rows"),
    ("", ("layers", 0, "heads", 0, "W_O", "entries"), [[-1, 0, 1]], "malformed: an integer out of range"),
]


@pytest.mark.parametrize(("name", "path", "value", "text"), MODELS)
def test_models_that_are_refused(name: str, path: tuple[Any, ...], value: Any, text: str) -> None:
    assert broken(name, path, value) == text
