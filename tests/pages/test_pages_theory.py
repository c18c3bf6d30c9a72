"""What the computed parts of docs/theory.md refuse: sizes that are not hard, sentences whose form no longer fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest
from flint import arb

from proofs_checks import CheckFailed, regimes, t_forty, t_unordered
from separation.bounds import Point
from separation.pages import PageError, of_theory_sizes


def test_tables_that_do_not_fit_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_theory_sizes, "FITTING_ALIKE", range(5, 7))
    with pytest.raises(PageError, match=r"fit from \[2, 3\] on"):
        of_theory_sizes.fitting()


def test_golden_sizes_that_are_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def shorter(claim: regimes.Inclusion, L: int, _product: int, _least: arb) -> tuple[Point, int]:
        point = claim.sizes(L, 3)
        return point, int(point.tokens_log2()) + 1

    monkeypatch.setattr(regimes, "golden_sizes", shorter)
    with pytest.raises(PageError, match="L = 2, H·d·p = 2: the golden sizes are not certified"):
        of_theory_sizes.regimes()


@pytest.mark.parametrize(
    ("module", "false", "part"),
    [
        (t_forty, t_forty.Claim(n=17, tokens=38), of_theory_sizes.forty),
        (t_unordered, t_unordered.Pair(beta=48), of_theory_sizes.unordered),
    ],
)
def test_a_false_statement_has_no_numbers(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, false: object, part: Callable[[], tuple[object, ...]]
) -> None:
    monkeypatch.setattr(module, "STATEMENT", replace(module.STATEMENT, subject=false))
    with pytest.raises(CheckFailed):
        part()
