"""C4.doubling: what a token of the encoder knows doubles with each layer, so 1 + ⌈log2(L+1)⌉ layers are enough.

Before layer t ≥ 2 a token of table ℓ holds e = min(ℓ + 2^{t-2} − 1, L), and w holds e = min(2^{t-2} − 1, L): who has e
< L takes over the e of a token of table e+1. So w has e = L after 1 + ⌈log2(L+1)⌉ layers, and not before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from proofs_checks.kit.solvers import require_no_integers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.tasks.shape import bit_count

Reach = Callable[[Any, Any, Any], Any]
"""(ℓ, 2^{t-2}, L) ↦ e before layer t ≥ 2; w counts as ℓ = 0."""
MOST_TABLES = 40


def reach(table: Any, power: Any, L: Any) -> Any:
    """min(ℓ + 2^{t-2} − 1, L)."""
    sum_ = table + power - 1
    return min(sum_, L) if isinstance(sum_, int) else z3.If(sum_ < L, sum_, L)


def _sizes() -> tuple[Any, Any, Any, list[z3.BoolRef]]:
    table, power, L = z3.Ints("table K L")
    return table, power, L, [L >= 1, table >= 0, table <= L, power >= 1]


def _one_layer_more(rule: Reach) -> None:
    """e'(ℓ) = e(e(ℓ)+1) if e(ℓ) < L, else L, is the rule at 2K."""
    table, power, L, sizes = _sizes()
    here = rule(table, power, L)
    following = z3.If(here < L, rule(here + 1, power, L), L)
    require_no_integers([*sizes, following != rule(table, 2 * power, L)], "a layer does not double what e gained")


def _start(rule: Reach) -> None:
    table, _, L, sizes = _sizes()
    require_no_integers([*sizes, rule(table, z3.IntVal(1), L) != table], "e is not ℓ at the start")


def _reached(rule: Reach) -> None:
    _, power, L, sizes = _sizes()
    require_no_integers([*sizes, power >= L + 1, rule(z3.IntVal(0), power, L) != L], "w does not reach table L")


def _not_before(rule: Reach) -> None:
    _, power, L, sizes = _sizes()
    require_no_integers([*sizes, power <= L, rule(z3.IntVal(0), power, L) == L], "w reaches table L too early")


def _recursion(rule: Reach) -> None:
    for tables in range(1, MOST_TABLES + 1):
        _require_recursion(rule, tables)


def _require_recursion(rule: Reach, L: int) -> None:
    """e of w and of all tables, layer by layer; done after 1 + ⌈log2(L+1)⌉ layers and not before."""
    e = list(range(L + 1))
    layers = 1
    while e[0] < L:
        said = [rule(table, 1 << (layers - 1), L) for table in range(L + 1)]
        require(e == said, f"L = {L}, after layer {layers}: e is {e}, the rule says {said}")
        e = [e[own + 1] if own < L else own for own in e]
        layers += 1
    require(layers == 1 + bit_count(L + 1), f"L = {L}: {layers} layers")


def _late(table: Any, power: Any, L: Any) -> Any:
    """ℓ + K in place of ℓ + K − 1."""
    return reach(table + 1, power, L)


STATEMENT = Statement(
    id="C4.doubling",
    title="pointers of the encoder double with each layer",
    latex=r"e_t(\ell)=\min(\ell+2^{t-2}-1,L),\quad e_t(0)=L\iff t-1\ge1+\lceil\log_2(L+1)\rceil",
    english="Before layer t a token of table ℓ knows the hops to table min(ℓ+2^{t-2}−1, L), so 1+⌈log2(L+1)⌉ layers "
    "are enough.",
    subject=reach,
    check=Steps(
        "every L",
        (
            Step("one layer more", _one_layer_more),
            Step("the first layer", _start),
            Step("w reaches table L once K ≥ L + 1", _reached),
            Step("and not before", _not_before),
            Step(f"the recursion for L ≤ {MOST_TABLES}", _recursion),
        ),
        {
            "what a layer does": "In the encoder C4 a token that knows the hops to a table e < L takes over what a "
            "token of table e + 1 knows, and one that knows them to table L keeps them.",
            "induction over t": "With K = 2^{t-2} the rule holds at t = 2 and from t to t + 1, so for every t.",
            "the number of layers": "The least t with 2^{t-1} ≥ L + 1 is 1 + ⌈log2(L+1)⌉, the definition of ⌈log2⌉.",
        },
    ),
    twins={
        "one table further": _late,
        "one table a layer": lambda table, power, L: reach(table, 1 + 0 * power, L),
        "never ends at L": lambda table, power, L: table + power - 1,  # noqa: ARG005
    },
    speaks_of=("D1",),
    hypotheses=(Hypothesis("there is at least one table", lambda L: L >= 1, outside=0),),
    witness=7,
)
"""The witness: L."""
