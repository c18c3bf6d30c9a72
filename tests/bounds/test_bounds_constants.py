"""Constants and texts of the room: what a table, a certificate or a refusal says."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import sympy as sp

from separation.architectures.fields import MAX_VALUE, Fields
from separation.bounds import Budget, Message, Parameters, Rule, Word, decide, theorem_b, theorem_c, theorem_d
from separation.bounds.asymptote import CURVES, Asymptote, exponents_figure, golden_asymptote
from separation.bounds.papers import exponents, paper_prompt
from separation.bounds.powers import PowerProduct, precision_for, size_ball
from separation.bounds.symbolic import BETA, M, Y, n_symbol, state_symbol, symbolic_golden, symbolic_theorem, x_symbol
from separation.bounds.theorems.theorem_d import cyclic_summary
from separation.bounds.word import MAX_TEXT
from separation.files import InputError
from separation.tasks.funccomp import Sizes


def test_rules() -> None:
    assert [(rule.value, rule.theorem) for rule in Rule] == [("A", "A"), ("A, Λ_0 = 0", "A"), ("B", "B")]


def test_numbers_of_a_config_have_a_limit() -> None:
    assert MAX_VALUE == 2**40
    assert Fields({"model_type": "gpt2", "n": MAX_VALUE}).integer("n") == MAX_VALUE
    with pytest.raises(InputError, match="config: n is 1099511627777"):
        Fields({"model_type": "gpt2", "n": MAX_VALUE + 1}).integer("n")
    with pytest.raises(InputError, match=r"^config: n is missing; without transformers every field"):
        Fields({"model_type": "gpt2"}).integer("n")


def test_symbols() -> None:
    for symbol, name in ((BETA, "beta"), (Y, "y"), (M, "m"), (n_symbol(3), "n_3"), (x_symbol(2), "x_2")):
        assert (symbol.name, symbol.is_integer, symbol.is_positive) == (name, True, True)
    symbol = state_symbol(1)
    assert (symbol.name, symbol.is_integer, symbol.is_nonnegative, symbol.is_positive) == ("Lambda_1", True, True, None)


@pytest.mark.parametrize("rule", Rule)
def test_names_of_symbolic_quantities(rule: Rule) -> None:
    assert list(symbolic_theorem(rule, 3).quantities) == [
        *("N_0", "N_1", "N_2", "t_1", "t_2", "Theta_0", "Theta_1", "Theta_2", "D_1", "D_2", "D_3"),
    ]
    golden = symbolic_golden(rule, 3)
    assert list(golden.quantities)[-3:] == ["m", "N_2", "y"]
    assert {"n_1", "n_2"} <= set(golden.quantities)
    with pytest.raises(InputError, match=r"^L is 1; allowed are 2\.\."):
        symbolic_golden(rule, 1)


def test_the_picture() -> None:
    """Four curves and their limit, each with its own colour, mark and label, over the numbers of tables."""
    rows = [exponents(L) for L in (2, 3, 4)]
    assert set(CURVES) == set(rows[0].exponents) == {"paper", "cpw", "theorem_a", "theorem_b"}
    asymptote = Asymptote(sp.Rational(3, 4), sp.Integer(0), sp.Rational(1, 6))
    figure = exponents_figure(rows, asymptote)
    (axes,) = figure.axes
    lines = axes.get_lines()
    for line, (name, (colour, marker, label)) in zip(lines, CURVES.items(), strict=False):
        assert (line.get_color(), line.get_marker(), line.get_label()) == (colour, marker, label)
        assert (line.get_xdata().tolist(), line.get_linewidth(), line.get_markersize()) == ([2, 3, 4], 1.6, 5)
        assert line.get_ydata().tolist() == [float(row.exponents[name]) for row in rows]
    limit = lines[-1]
    assert (len(lines), limit.get_color(), limit.get_linestyle(), limit.get_linewidth()) == (7, "black", "--", 1.1)
    assert limit.get_xdata().tolist() == [2, 3, 4]
    assert limit.get_ydata().tolist() == pytest.approx([asymptote.at(L) for L in (2, 3, 4)])
    assert limit.get_label() == r"asymptote of A: $\frac{\varphi}{\sqrt{5}}\,\varphi^{2L}$"
    assert axes.get_xlabel() == "number of tables $L$"
    assert axes.get_ylabel() == r"exponent $e$: not solvable for some $n \approx (H\,d\,p)^e$"
    assert axes.get_title() == "How long a prompt the impossibility needs"
    assert [axes.spines[side].get_visible() for side in ("top", "right", "left", "bottom")] == [
        False,
        False,
        True,
        True,
    ]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [line.get_label() for line in lines]
    assert figure.get_size_inches().tolist() == [7.2, 4.6]


def test_one_table_with_sizes_as_powers() -> None:
    """β + Λ_1 < m·log2 m where m is too long to be written down."""
    large = PowerProduct(((2, 10**7),))
    for heads, holds in ((PowerProduct(((2, 10**7 + 30),)), False), (PowerProduct(((2, 10**7),)), True)):
        found = theorem_b(Parameters(large, (), ()), 8, [0, heads])
        assert [(v.name, v.formula, v.holds) for v in found.inequalities] == [("F", "β + Λ_1 < m·log2 m", holds)]
        assert found.certified is holds
    with pytest.raises(InputError, match=r"^Theorem B with L = 1 has no x$"):
        theorem_b(Parameters(5, (), (5,)), 1, [0, 0])


def test_powers() -> None:
    assert [PowerProduct(((2, k), (3, 2))).bits_at_most for k in (1, 10)] == [1 + 1 + 4, 1 + 10 + 4]
    assert precision_for([PowerProduct(((2, 1 << 20),))]) - precision_for([PowerProduct(((2, 1),))]) == 2 * 20
    assert size_ball(PowerProduct(((3, 4), (2, 3)))).unique_fmpz() == 648


def test_theorem_c_says_what_it_asks() -> None:
    found = theorem_c(Sizes(3, (2,)), 12).inequalities[0]
    assert (found.name, found.formula, found.holds) == ("G", "Λ < N_1·log2 N_1", True)


def test_theorem_d_by_hand() -> None:
    """u = 10, one of four blocks opened: 2 values hidden, 8 clear, subsets of at most 3: 1 + 8 + 28 + 56."""
    found = theorem_d(11, 3, 1, 4)
    assert (found.clear, found.values, found.bits) == (8, 93, 7)
    assert (found.forbids(6), found.forbids(7)) == (True, False)
    assert cyclic_summary(found, 0, range(1, 11)) == frozenset(range(3, 11))
    assert cyclic_summary(found, 1, range(1, 11)) == frozenset(range(1, 11)) - {3, 4}
    assert cyclic_summary(found, 4, range(1, 11)) == frozenset(range(1, 11)) - {9, 10}
    whole = theorem_d(5, 2, 0, 1)
    assert (whole.clear, whole.values) == (4, 1 + 4 + 6 - 1)
    with pytest.raises(InputError, match=r"^summary bits is -1; allowed are 0 and above$"):
        found.forbids(-1)


REFUSALS: dict[str, tuple[Callable[[], object], str]] = {
    "heads": (lambda: Message(0, 1, 1, 1), "heads is 0; allowed are 1 and above"),
    "dim": (lambda: Message(1, 0, 1, 1), "dim is 0; allowed are 1 and above"),
    "bits": (lambda: Message(1, 1, 0, 1), "bits is 0; allowed are 1 and above"),
    "beta": (lambda: Budget(beta=0), "beta is 0; allowed are 1 and above"),
    "lambda": (lambda: Budget(beta=1, total=-1), "lambda is -1; allowed are 0 and above"),
    "state bits": (lambda: Budget(beta=1, state_bits=-1), "state bits is -1; allowed are 0 and above"),
    "tokens": (lambda: Message(1, 1, 1, 1).beta(-1), "log2 of the tokens is -1; allowed are 0 and above"),
    "paper": (lambda: paper_prompt(0, 8), "L is 0; allowed are 1 and above"),
    "n": (lambda: Parameters(5, (0,), (1, 1)), "n_1 is 0; allowed are 1 and above"),
    "x": (lambda: Parameters(5, (1,), (1, 0)), "x_1 is 0; allowed are 1 and above"),
    "C": (lambda: theorem_c(Sizes(3, ()), -1), "lambda is -1; allowed are 0 and above"),
    "modulus": (lambda: theorem_d(4, 1, 0, 1), "modulus is 4; an odd number is needed"),
    "blocks": (
        lambda: theorem_d(5, 1, 2, 2),
        "2 of 2 blocks are opened; the bound speaks of more blocks than are opened",
    ),
    "word": (lambda: Word.parse("F" * (MAX_TEXT + 1)), "the word has 10001 characters; at most 10000 are read"),
    "one of both": (lambda: Budget(), "give either beta, or heads, dim and bits"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(name: str) -> None:
    ask, text = REFUSALS[name]
    with pytest.raises(InputError) as refusal:
        ask()
    assert str(refusal.value) == text


def test_smallest_numbers_are_taken() -> None:
    assert Budget(beta=1).beta == 1
    assert Message(1, 1, 1, 0).product == 1
    assert Message(2, 3, 5, 0).product == 30


def test_what_a_decision_says() -> None:
    reasons = {
        "FFFF": "L ≤ depth 3: 4 full layers solve it at all sizes",
        "RFFF": "L ≤ depth 3: 3 full layers and one R layer before the second of them solve it at all sizes",
    }
    for word, reason in reasons.items():
        decision = decide(Word.parse(word), 3)
        assert (decision.solvable, decision.reason) == (True, reason)


def test_the_asymptote_is_what_it_is() -> None:
    found = golden_asymptote()
    assert float(found.constant) == pytest.approx((1 + math.sqrt(5)) / 2 / math.sqrt(5))
    assert (found.ratio, float(found.rate)) == (0, pytest.approx(((1 + math.sqrt(5)) / 2) ** 2 / 16))
