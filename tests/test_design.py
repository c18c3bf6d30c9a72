"""design: the best orders for a budget, counted by a closed form that brute force confirms; why others fall short."""

from __future__ import annotations

import itertools

import pytest
from test_cli import run_cli

import separation
from separation.verbs.design import order_classes


def depth(letters: str) -> int:
    """The depth by its definition, letter by letter: full layers less one, and one more for an early R."""
    full = letters.count("F")
    if full == 0:
        return 0
    before_second = letters if full == 1 else letters[: letters.index("F", letters.index("F") + 1)]
    return full - 1 + ("R" in before_second)


def orders(full: int, recurrent: int) -> list[str]:
    """All words with so many letters of each kind."""
    places = itertools.combinations(range(full + recurrent), full)
    return ["".join("F" if k in chosen else "R" for k in range(full + recurrent)) for chosen in places]


SMALL = [(full, recurrent) for full in range(1, 6) for recurrent in range(6)]


@pytest.mark.parametrize(("full", "recurrent"), SMALL)
def test_classes_share_out_all_orders_by_their_beginnings(full: int, recurrent: int) -> None:
    every = orders(full, recurrent)
    classes = order_classes(full, recurrent)
    deepest = max(map(depth, every))
    assert classes[0].word.depth == deepest
    assert sum(entry.orders for entry in classes) == len(every)
    for entry in classes:
        begin = entry.pattern.split(" ")[0]
        begin = "F" * full if recurrent == 0 else begin
        alike = [word for word in every if word.startswith(begin)]
        assert len(alike) == entry.orders
        assert {depth(word) for word in alike} == {entry.word.depth}
        example = "".join(entry.word.layers)
        assert example in alike


def test_what_is_out_of_reach_is_said_with_exit_1(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capfd, "design", "--layers", "8", "--full", "3", "--L", "4")
    assert code == 1
    assert "L = 4 is out of reach: it needs 4 full layers" in out


def test_a_cache_pays_for_so_many_full_layers() -> None:
    numbers = {"kv_bytes": 4_000_000_000, "length": 262_144, "heads": 8, "dim": 128}
    report = separation.design(layers=48, **numbers)
    one_layer = 262_144 * 2 * 8 * 128 * 2
    assert report.full == 4_000_000_000 // one_layer == 3
    assert separation.design(layers=48, **numbers, bits=8).full == 7
    assert separation.design(layers=48, full=2, **numbers).full == 2
    limited = separation.design(layers=48, full=9, **numbers)
    assert limited.full == 3
    assert any("6 would not fit" in limit for limit in limited.limits)


def test_r_layers_without_state_bits_do_not_count() -> None:
    assert separation.design(layers=6, full=3, state_bits=0).depth == 2
    assert separation.design(layers=6, full=3, state_bits=1).depth == 3
    assert separation.design(layers=3, full=3).depth == 2


def test_windows_take_the_place_of_r_layers() -> None:
    """The same orders and depths, spelt with windows."""
    plain, windows = separation.design(layers=6, full=2), separation.design(layers=6, full=2, window=128)
    assert [row.orders for row in windows.rows] == [row.orders for row in plain.rows]
    assert [row.word.depth for row in windows.rows] == [row.word.depth for row in plain.rows] == [2, 2, 1]
    assert str(windows.chosen) == "W(128)2FW(128)FW(128)"
    assert "W(128)" in str(windows)
    assert "R layer" not in str(windows)
