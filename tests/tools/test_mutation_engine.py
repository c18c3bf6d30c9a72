"""Mutants of a small module: made, put in place, killed by a test that looks and spared by one that does not."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("mutmut")
if not hasattr(os, "fork"):
    pytest.skip("mutants run in forked processes", allow_module_level=True)

from tools.mutation.__main__ import choose
from tools.mutation.children import Say, in_children
from tools.mutation.inject import answer_import, exchange, exchangeable, located, memories
from tools.mutation.mutants import Reach, Site, sites_of

SOURCE = """
from functools import cached_property, lru_cache

LIMIT = 7


def double(x, times=2):
    return x * times


@lru_cache
def kept(x):
    return x + 1


class Box:
    def __init__(self, side):
        super().__init__()
        self.side = side

    @property
    def area(self):
        return self.side**2

    @cached_property
    def volume(self):
        return self.side**3

    @staticmethod
    def unit():
        return Box(1)
"""


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[ModuleType, list[Site]]]:
    (tmp_path / "small_sample.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("small_sample"), sites_of(tmp_path, Path("small_sample.py"))
    sys.modules.pop("small_sample", None)


def test_every_place_is_reached(small: tuple[ModuleType, list[Site]]) -> None:
    reached = {(site.mutant.place, site.mutant.reach) for site in small[1]}
    assert reached == {
        ("module level", Reach.MODULE),
        ("double", Reach.FUNCTION),
        ("kept", Reach.DECORATED),
        ("Box.__init__", Reach.FUNCTION),
        ("Box.area", Reach.DECORATED),
        ("Box.volume", Reach.DECORATED),
        ("Box.unit", Reach.DECORATED),
    }
    assert len({site.mutant.key for site in small[1]}) == len(small[1])


def test_lines_and_differences(small: tuple[ModuleType, list[Site]]) -> None:
    by_diff = {site.diff(): site.mutant for site in small[1]}
    (product,) = [mutant for diff, mutant in by_diff.items() if "+    return x / times" in diff]
    assert (product.line, product.first, product.last) == (8, 8, 8)
    (default,) = [mutant for diff, mutant in by_diff.items() if "+def double(x, times=3):" in diff]
    assert (default.first, default.last) == (7, 8)  # whoever calls the function may notice
    (limit,) = [mutant for diff, mutant in by_diff.items() if "+LIMIT = 8" in diff]
    assert (limit.reach, limit.line) == (Reach.MODULE, 4)


def looks(module: ModuleType) -> bool:
    """A test that kills every mutant inside the functions of the module."""
    box = module.Box(3)
    return [module.double(5), module.kept(5), box.area, box.volume, module.Box.unit().side] == [10, 6, 9, 27, 1]


def test_a_test_that_looks_kills_and_one_that_does_not_spares(small: tuple[ModuleType, list[Site]]) -> None:
    module, sites = small
    inside = [site for site in sites if site.function is not None]
    assert all(exchangeable(site) for site in inside)

    def run(job: tuple[Site, bool], _: object) -> int:
        site, attentive = job
        exchange(site)
        return int(attentive and not looks(module))

    ended = list(in_children([(site, attentive) for site in inside for attentive in (True, False)], run, 2))
    assert all(bool(end.status) == end.job[1] for end in ended), [end.job[0].diff() for end in ended]
    assert looks(module)  # nothing has happened to this process


def test_a_function_exchanged_for_itself_is_the_same(small: tuple[ModuleType, list[Site]]) -> None:
    module, sites = small
    for site in sites:
        if site.function is not None:
            exchange(site, changed=False)
    assert looks(module)


def test_a_change_at_module_level_is_there_after_the_import(
    small: tuple[ModuleType, list[Site]], tmp_path: Path
) -> None:
    (site,) = [site for site in small[1] if "+LIMIT = 8" in site.diff()]

    def run(_: int, __: object) -> int:
        del sys.modules["small_sample"]
        answer_import(site, tmp_path)
        return int(importlib.import_module("small_sample").LIMIT)

    (ended,) = in_children([0], run, 1)
    assert (ended.status, small[0].LIMIT) == (8, 7)


def test_how_a_child_ends() -> None:
    def run(kind: str, say: object) -> int:
        assert callable(say)
        say("first")
        say("last")
        if kind == "loop":
            signal.setitimer(signal.ITIMER_PROF, 0.05)
            while True:
                pass
        if kind == "raise":
            raise KeyboardInterrupt
        return int(kind)

    ended = {end.job: (end.status, end.said) for end in in_children(["0", "3", "loop", "raise"], run, 2)}
    assert ended["0"] == (0, "last")
    assert ended["3"] == (3, "last")
    assert ended["loop"] == (-signal.SIGPROF, "last")
    assert ended["raise"] == (1, "KeyboardInterrupt outside a test: ")


def test_a_sample_is_drawn_with_its_seed(small: tuple[ModuleType, list[Site]]) -> None:
    sites = small[1]
    drawn = choose(sites, 5, 0)
    assert drawn == choose(sites, 5, 0) != choose(sites, 5, 1)
    assert [sites.index(site) for site in drawn] == sorted(sites.index(site) for site in drawn)
    assert choose(sites, 0, 0) == choose(sites, len(sites), 3) == sites


def test_memories_are_found(small: tuple[ModuleType, list[Site]]) -> None:
    assert small[0].kept in memories(("small_sample",))
    assert small[0].kept not in memories(("another",))
    assert located(next(site for site in small[1] if site.mutant.place == "kept")).__name__ == "kept"


def test_a_child_that_says_much_does_not_wait_for_ever() -> None:
    """More than a pipe holds; the last line is kept."""

    def work(job: int, say: Say) -> int:
        for line in range(3000):
            say(f"{job} {line} " + "x" * 60)
        return 0

    (ended,) = in_children([7], work, 1)
    assert (ended.status, ended.said.split()[:2]) == (0, ["7", "2999"])
