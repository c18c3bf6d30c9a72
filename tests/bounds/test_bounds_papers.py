from __future__ import annotations

import pytest

from separation.bounds import check_cpw, exponents, most_linear_layers, paper_prompt
from separation.bounds.asymptote import CURVES, exponents_figure, golden_asymptote
from separation.bounds.papers import paper_linear_layers
from separation.bounds.powers import PowerProduct, log2_float


@pytest.mark.parametrize("L", range(2, 13))
def test_cpw_sizes_satisfy_both_theorems(L: int) -> None:
    """With room to spare, for all H·d·p tried, up to the paper's 2^{3L²} linear layers around a full one and beyond."""
    for product in (1, 2, 100, 2**20, 2**60):
        for layers in (0, 1, paper_linear_layers(L), paper_linear_layers(L) ** 2):
            check = check_cpw(L, product, layers)
            assert check.certified
            assert check.slack_log2 > 15 * L
    assert check_cpw(L, 8, 1).tokens_log2 > log2_float(paper_prompt(L, 8)) / 2**12


@pytest.mark.parametrize("L", [2, 3, 7, 12])
def test_how_many_more_linear_layers(L: int) -> None:
    """The most is a power of two far above 2^{3L²}; twice as many are not certified."""
    most = most_linear_layers(L, 8)
    assert most > 3 * L * L + 50 * 8 ** (L - 1)
    assert check_cpw(L, 8, PowerProduct(((2, most),))).theorem_a.certified
    assert not check_cpw(L, 8, PowerProduct(((2, most + 1),))).theorem_a.certified


def test_the_picture_shows_the_exponents_and_the_asymptote() -> None:
    rows, limit = [exponents(L) for L in (2, 3, 4)], golden_asymptote()
    (axes,) = exponents_figure(rows, limit).axes
    drawn = {line.get_label(): line for line in axes.get_lines()}
    for name, (_, _, label) in CURVES.items():
        assert drawn[label].get_ydata().tolist() == [float(row.exponents[name]) for row in rows]
    assert axes.get_lines()[-1].get_ydata().tolist() == pytest.approx([limit.at(L) for L in (2, 3, 4)])
