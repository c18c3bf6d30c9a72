"""The tasks: L-FuncComp (D1), and 2-Sum (D3), where modulo an odd number no token completes itself (D3.odd)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple

import z3

from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, Step, Steps, require
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, from_token_ids, hops, token_ids
from separation.tasks.two_sum import TwoSumSizes, enumerate_tokens

SIZES = (TwoSumSizes(1, 3), TwoSumSizes(7, 3), TwoSumSizes(5, 5), TwoSumSizes(4, 7), TwoSumSizes(3, 15))

Definition = Callable[[Sequence[int], int, int], bool]


def by_definition(x: Sequence[int], i: int, modulus: int) -> bool:
    """Some j ≤ i has x_i + x_j ≡ 0 (mod M)."""
    return any((x[i] + x[j]) % modulus == 0 for j in range(i + 1))


class Numbers(NamedTuple):
    """x_1, …, x_n and M."""

    x: tuple[int, ...]
    modulus: int


def check(definition: Definition) -> Checked:
    count = 0
    for sizes in SIZES:
        for inputs, outputs in enumerate_tokens(sizes, 4096):
            for x, found in zip(inputs.tolist(), outputs.tolist(), strict=True):
                expected = [int(definition(x, i, sizes.modulus)) for i in range(sizes.length)]
                require(
                    found == expected, f"modulus {sizes.modulus}, input {x}: the oracle says {found}, not {expected}"
                )
            count += len(inputs)
    return Checked(Status.EXHAUSTIVE, "the oracle against the definition", f"all {count} inputs of {len(SIZES)} sizes")


TWO_SUM = Statement(
    id="D3",
    title="2-Sum",
    latex=r"y_i=[\exists j\le i:\ x_i+x_j\equiv 0\ ({\rm mod}\ M)],\quad x_i\in\{1,\dots,M-1\},\ M\ \text{odd}",
    english="At each token: does some token at or before it complete it to 0 modulo the odd number M?",
    explanation="""
2-Sum(n, M) with M odd: the input is x_1, …, x_n ∈ {1, …, M−1}, one token each; the output at i is 1 if some j ≤ i has
x_i + x_j ≡ 0 (mod M), and 0 otherwise. M is odd, so nothing matches itself. Outputs are asked at every token.
""",
    subject=by_definition,
    check=check,
    twins={
        "later tokens count too": lambda x, i, modulus: any((x[i] + other) % modulus == 0 for other in x),
        "the sum is M - 1": lambda x, i, modulus: any((x[i] + x[j] + 1) % modulus == 0 for j in range(i + 1)),
        "the last token before it only": lambda x, i, modulus: i > 0 and (x[i] + x[i - 1]) % modulus == 0,
    },
    hypotheses=(
        # With M = 4 the number 2 would match itself.
        Hypothesis("M is odd", lambda numbers: numbers.modulus % 2 == 1, Numbers((1, 2), 4)),
        Hypothesis(
            "every x_i is in {1, …, M−1}",
            lambda numbers: set(numbers.x) <= set(range(1, numbers.modulus)),
            Numbers((1, 3), 3),
        ),
        Hypothesis("there is a token", lambda numbers: len(numbers.x) >= 1, Numbers((), 3)),
    ),
    witness=Numbers((1, 2), 3),
)

LARGEST = 99
Modulus = Callable[[Any], Any]
"""h ↦ M."""


def odd(half: Any) -> Any:
    """M = 2h + 1."""
    return 2 * half + 1


def _no_solution(modulus: Modulus) -> None:
    """2x = k·M with 0 < x < M: k would be 1, and M even."""
    x, half, k = z3.Ints("x h k")
    M = modulus(half)
    require_no_numbers([half >= 1, x >= 1, x < M, 2 * x == k * M, z3.Or(k <= 1, k >= 2)], "x + x is a multiple of M")


def _small_moduli(modulus: Modulus) -> None:
    """Every odd M up to LARGEST, and that the task accepts it."""
    for number in range(1, LARGEST // 2 + 1):
        size = modulus(number)
        require(all(2 * value % size for value in range(1, size)), f"M = {size}: some x completes itself")
        require(TwoSumSizes(2, size).modulus == size, f"the task does not take M = {size}")


ODD = Statement(
    id="D3.odd",
    title="modulo an odd M no token completes itself",
    latex=r"M\ \text{odd},\ 0<x<M\ \Rightarrow\ x+x\not\equiv0\ ({\rm mod}\ M)",
    english="M is odd so that a token never matches itself: an answer 1 is always about another token.",
    explanation="""
M is odd: 2x ≡ 0 (mod M) has no solution with 0 < x < M, so an answer 1 is always about another token.
""",
    subject=odd,
    check=Steps(
        "every odd M",
        (Step("2x = k·M has no solution", _no_solution), Step(f"every M up to {LARGEST}", _small_moduli)),
    ),
    twins={"even moduli": lambda half: 2 * half + 2, "any modulus": lambda half: half + 2},
    applies_to=("D3",),
    hypotheses=(
        Hypothesis("M is odd", lambda held: held[0] % 2 == 1, outside=(6, 3)),
        Hypothesis("0 < x < M", lambda held: 0 < held[1] < held[0], outside=(5, 0)),
    ),
    witness=(5, 2),
)
"""The witness: M and x."""

FUNCCOMP_SIZES = (Sizes(2, ()), Sizes(3, ()), Sizes(2, (1,)), Sizes(2, (2,)), Sizes(2, (1, 1)))

Oracle = Callable[[Instance], tuple[int, ...]]


def hops_from_the_prompt(sizes: Sizes, ids: list[int]) -> tuple[int, ...]:
    """The hops, read off the token ids by a walk that shares no code with the oracle."""
    w = ids[-1] - sizes.N[-1]
    digits: list[int] = []
    for size in reversed(sizes.n):
        w, digit = divmod(w, size)
        digits.insert(0, digit)
    path = [ids[-2]]
    end = len(ids) - 2
    for level, size in enumerate(sizes.N):
        row = path[-1] + (digits[level - 1] * sizes.N[level - 1] if level else 0)
        path.append(ids[end - size + row])
        end -= size
    return tuple(path)


def index_and_digit_swapped(instance: Instance) -> tuple[int, ...]:
    """Broken: reads i_ℓ·n_ℓ + w_ℓ where w_ℓ·N_{ℓ-1} + i_ℓ is meant."""
    path = [instance.z0, instance.tables[0][instance.z0]]
    for level, digit in enumerate(instance.w):
        path.append(instance.tables[level + 1][path[-1] * instance.sizes.n[level] + digit])
    return tuple(path)


def one_hop_short(instance: Instance) -> tuple[int, ...]:
    """Broken: stops before the last table."""
    return (*hops(instance)[:-1], hops(instance)[-2])


def check_hops(oracle: Oracle) -> Checked:
    count = 0
    for sizes in FUNCCOMP_SIZES:
        for instance in enumerate_inputs(sizes):
            ids = token_ids(instance)
            require(from_token_ids(sizes, ids) == instance, f"the prompt of {instance} reads back as a different input")
            expected = hops_from_the_prompt(sizes, ids.tolist())
            require(oracle(instance) == expected, f"hops {oracle(instance)}, the prompt says {expected}")
            count += 1
    return Checked(
        Status.EXHAUSTIVE,
        "enumeration against a second reader of the prompt",
        f"all {count} inputs of {len(FUNCCOMP_SIZES)} sizes",
    )


def tables_fit(document: dict[str, Any]) -> bool:
    """Table z_ℓ has N_{ℓ-1} entries, all of them in [N_{ℓ-1}]."""
    sizes = list(accumulate((document["m"], *document["n"]), mul))
    tables = document["tables"]
    return len(tables) == len(sizes) and all(
        len(table) == size and set(table) <= set(range(size)) for table, size in zip(tables, sizes, strict=True)
    )


def query_fits(document: dict[str, Any]) -> bool:
    """w_ℓ ∈ [n_ℓ] for each ℓ."""
    w, n = document["w"], document["n"]
    return len(w) == len(n) and all(0 <= digit < size for digit, size in zip(w, n, strict=True))


INPUT = {"task": "funccomp", "m": 2, "n": [2], "z0": 1, "tables": [[1, 0], [3, 0, 1, 2]], "w": [1]}

FUNCCOMP = Statement(
    id="D1",
    title="FuncComp and its prompt",
    latex=r"i_0=z_0,\quad i_1=z_1(i_0),\quad i_{\ell+1}=z_{\ell+1}(w_\ell N_{\ell-1}+i_\ell)",
    english="The hops follow the tables, and the prompt (z_L, …, z_1, z_0, w) determines the input.",
    explanation="""
L-FuncComp(m; n_1, …, n_{L-1}) with L ≥ 1 follows L tables. Put N_0 = m and N_ℓ = N_{ℓ-1}·n_ℓ. An input is a start z_0
∈ [m], tables z_ℓ : [N_{ℓ-1}] → [N_{ℓ-1}] for ℓ = 1..L, and a query w = (w_1, …, w_{L-1}) with w_ℓ ∈ [n_ℓ]. The hops
are

    i_0 = z_0,   i_1 = z_1(i_0),   i_{ℓ+1} = z_{ℓ+1}(w_ℓ·N_{ℓ-1} + i_ℓ),

and the answer is i_L. The prompt holds table z_L first, …, then z_1, then one token for z_0 and one for w: the tables
come in the order opposite to their use, so a causal model cannot follow them while it reads. n = Σ N_{ℓ-1} + 2 tokens;
the answer is read at the last one. W = n_1⋯n_{L-1} is the number of queries. There are m·W·Π N_{ℓ-1}^{N_{ℓ-1}} inputs.

m ≥ 2 and n_ℓ ≥ 1 are required: with m = 1 and all n_ℓ = 1 there is nothing to follow.
""",
    subject=hops,
    check=check_hops,
    twins={"index and digit swapped": index_and_digit_swapped, "one hop short": one_hop_short},
    hypotheses=(
        Hypothesis("m ≥ 2", lambda document: document["m"] >= 2, {**INPUT, "m": 1, "z0": 0, "tables": [[0], [1, 0]]}),
        Hypothesis("z_0 is in [m]", lambda document: 0 <= document["z0"] < document["m"], {**INPUT, "z0": 2}),
        Hypothesis("z_ℓ maps [N_{ℓ-1}] to itself", tables_fit, {**INPUT, "tables": [[1, 0], [3, 0, 1, 4]]}),
        Hypothesis("w_ℓ is in [n_ℓ]", query_fits, {**INPUT, "w": [2]}),
    ),
    witness=INPUT,
)

STATEMENTS = (FUNCCOMP, TWO_SUM, ODD)
