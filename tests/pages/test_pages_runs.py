"""Pages that say which sizes a test runs name sizes that it does run."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("transformers", reason="transformers is not installed")

from separation.pages import of_stock, of_stock_hybrid, of_stock_llama
from separation.tasks.funccomp import Sizes

FOLDER = Path(__file__).parents[1] / "numeric" / "stock"


@pytest.fixture
def stock_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)


def run_by(module: str, test: str) -> list[Sizes]:
    """The sizes that a test is parametrized with."""
    marks = getattr(import_module(module), test).pytestmark
    cases = [mark.args[1] for mark in marks if mark.name == "parametrize" and "sizes" in mark.args[0]]
    return [case if isinstance(case, Sizes) else case[0] for case in cases[0]]


@pytest.mark.usefixtures("stock_tests")
@pytest.mark.parametrize(
    ("module", "test", "named"),
    [
        ("test_stock_gpt2", "test_every_look_up_is_right_and_logits_stay_within_the_bound", of_stock.EVERY_LOOK_UP),
        ("test_stock_gpt2", "test_all_inputs_of_tiny_sizes", of_stock.TINY),
        ("test_stock_gpt2", "test_long_and_deep", of_stock.LONG),
    ],
)
def test_these_sizes_and_no_others(module: str, test: str, named: tuple[of_stock.Case, ...]) -> None:
    assert run_by(module, test) == [Sizes(*case) for case in named]


@pytest.mark.usefixtures("stock_tests")
@pytest.mark.parametrize(
    ("module", "test", "named"),
    [
        ("test_stock_gpt2", "test_all_inputs_of_millions", of_stock.MILLIONS),
        ("test_hybrid_answers", "test_hard_inputs_of_larger_sizes", of_stock_hybrid.LONGEST),
        ("test_hybrid_answers", "test_hard_inputs_of_large_sizes", of_stock_hybrid.SLOW),
        ("test_hybrid_answers", "test_bfloat16_beyond_what_is_certified", of_stock_hybrid.BFLOAT16),
        ("test_stock_llama", "test_deep_and_long", of_stock_llama.BFLOAT16),
    ],
)
def test_the_longest_of_their_number_of_tables(module: str, test: str, named: tuple[of_stock.Case, ...]) -> None:
    found = run_by(module, test)
    for case in named:
        assert Sizes(*case) in found
        assert Sizes(*case).length == max(sizes.length for sizes in found if sizes.L == Sizes(*case).L)


@pytest.mark.usefixtures("stock_tests")
def test_the_deepest() -> None:
    module: ModuleType = import_module("test_stock_gpt2")
    assert [Sizes(*case) for case in of_stock.DEEP] == [module.DEEP, module.DEEPEST]
    assert sys.modules["test_stock_gpt2"].__file__ == str(FOLDER / "test_stock_gpt2.py")
