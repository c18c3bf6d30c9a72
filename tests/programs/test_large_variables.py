"""A small file with a variable of very many values: both kernels answer soon, and list no more of them than allowed."""

from __future__ import annotations

import json
import shutil
import subprocess
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hand_written import Document, certificate, find, full, kind, layer, mapped, table

from separation.proving import kernel, kernel_programs
from separation.proving.kernel import check_certificate

NODE = shutil.which("node")
KERNEL = Path(kernel.__file__).parents[1] / "lesson" / "kernel.mjs"
MOST = 1 << 20  # bytes
BIT = table(1, ([2], {(0, 1): 1}))
NOWHERE = table(1, ([1], {}), ([1], {}))


def read(n: int) -> Document:
    """A find reads a variable of n values, and nothing reads what it found."""
    kinds = [kind("a", 1, ("x", 2), ("y", n)), kind("b", 1, ("x", 2))]
    tables = (NOWHERE, table(1, ([2, n], {}), ([2], {(0, 1): 1})), BIT)
    return certificate(kinds, [find("b", "far", "a", [], "y")], ["b", "x"], tables, [], [0, 2 * n])


def default_far_above(n: int) -> Document:
    """The default is not the next number: the values have a gap."""
    kinds = [kind("a", 1, ("y", n)), kind("b", 1, ("x", 2))]
    tables = (NOWHERE, table(1, ([n], {}), ([2], {(0, 1): 1})), BIT)
    d = find("b", "far", "a", [["y", "=", "x"]], "y", default=n + 5)
    return certificate(kinds, [d], ["b", "x"], tables, [], [0, n])


def map_to_far(n: int) -> Document:
    tables = (table(1, ([1], {})), BIT, BIT)
    return certificate([kind("a", 1, ("x", 2))], [mapped("a", "m", n, ["x"], [0, n - 1])], ["a", "x"], tables, [], [0])


def largest_of(n: int) -> Document:
    """Scores are compared under an order of n values."""
    tables = (
        table(5, ([2], {(0, 0): 1}), ([1], {(4, 0): 1})),
        table(5, ([n], {(1, 1): 1, (2, 2): 1}), ([2], {(3, 1): 1})),
        table(5, ([2], {(3, 1): 1})),
    )
    head = full(5, {(0, 4): 1}, {(0, 1): 1}, {(0, 1): 1}, {(2, 0): 1}, 40)
    d = find("q", "top", "a", [], "z", best=["largest", "z"])
    kinds = [kind("a", 2, ("z", n)), kind("q", 1, ("y", 2))]
    return certificate(kinds, [d], ["q", "y"], tables, [layer(head)], [0, 0, n], (120, 24, 8))


LARGE: dict[Callable[[int], Document], bool] = {
    read: True, default_far_above: False, map_to_far: True, largest_of: True
}  # fmt: skip
"""Whether they are accepted, or declined; with few values all are accepted."""


def said(document: Document) -> str:
    try:
        return "accepted" if check_certificate(document).ok else "rejected"
    except kernel.Declined:
        return "declined"


def bytes_taken(work: Callable[[], Any]) -> int:
    tracemalloc.start()
    try:
        work()
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return most


@pytest.mark.parametrize("made", LARGE)
def test_a_variable_of_many_values_takes_no_room(made: Callable[[int], Document]) -> None:
    assert said(made(16)) == "accepted"
    assert said(made(1 << 50)) == ("accepted" if LARGE[made] else "declined")
    document = made(1 << 19)  # beyond all that is tabulated
    assert bytes_taken(lambda: said(document)) < MOST


def test_a_kernel_without_the_limit_lists_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_programs, "MAX_CASES", 1 << 62)
    assert bytes_taken(lambda: said(default_far_above(1 << 18))) > 8 * MOST


@pytest.mark.skipif(NODE is None, reason="no node")
@pytest.mark.parametrize("made", LARGE)
def test_the_second_kernel_lists_no_more(made: Callable[[int], Document], tmp_path: Path) -> None:
    path = tmp_path / "large.json"
    for n, status in ((16, 0), (1 << 24, 0 if LARGE[made] else 2)):
        path.write_text(json.dumps(made(n)))
        command = [str(NODE), "--max-old-space-size=200", str(KERNEL), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == status, done.stdout
        assert "declined" in done.stdout or status == 0
