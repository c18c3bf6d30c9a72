"""D1: what L-FuncComp asks, and that the prompt determines the input.

L-FuncComp(m; n_1, …, n_{L-1}) with L ≥ 1 follows L tables. Put N_0 = m and N_ℓ = N_{ℓ-1}·n_ℓ. An input is a start z_0
∈ [m], tables z_ℓ : [N_{ℓ-1}] → [N_{ℓ-1}] for ℓ = 1..L, and a query w = (w_1, …, w_{L-1}) with w_ℓ ∈ [n_ℓ]. The hops
are

    i_0 = z_0,   i_1 = z_1(i_0),   i_{ℓ+1} = z_{ℓ+1}(w_ℓ·N_{ℓ-1} + i_ℓ),

and the answer is i_L. The prompt holds table z_L first, …, then z_1, then one token for z_0 and one for w: the tables
come in the order opposite to their use, so a causal model cannot follow them while it reads. n = Σ N_{ℓ-1} + 2 tokens;
the answer is read at the last one. W = n_1⋯n_{L-1} is the number of queries. There are m·W·Π N_{ℓ-1}^{N_{ℓ-1}} inputs.

m ≥ 2 and n_ℓ ≥ 1 are required: with m = 1 and all n_ℓ = 1 there is nothing to follow.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from operator import mul
from typing import Any

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.tasks.funccomp import Instance, Sizes, enumerate_inputs, from_token_ids, hops, token_ids

SIZES = (Sizes(2, ()), Sizes(3, ()), Sizes(2, (1,)), Sizes(2, (2,)), Sizes(2, (1, 1)))

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


def check(oracle: Oracle) -> Checked:
    count = 0
    for sizes in SIZES:
        for instance in enumerate_inputs(sizes):
            ids = token_ids(instance)
            require(from_token_ids(sizes, ids) == instance, f"the prompt of {instance} reads back as a different input")
            expected = hops_from_the_prompt(sizes, ids.tolist())
            require(oracle(instance) == expected, f"hops {oracle(instance)}, the prompt says {expected}")
            count += 1
    return Checked(
        Status.EXHAUSTIVE,
        "enumeration against a second reader of the prompt",
        f"all {count} inputs of {len(SIZES)} sizes",
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


WITNESS = {"task": "funccomp", "m": 2, "n": [2], "z0": 1, "tables": [[1, 0], [3, 0, 1, 2]], "w": [1]}

STATEMENT = Statement(
    id="D1",
    title="FuncComp and its prompt",
    latex=r"i_0=z_0,\quad i_1=z_1(i_0),\quad i_{\ell+1}=z_{\ell+1}(w_\ell N_{\ell-1}+i_\ell)",
    english="The hops follow the tables, and the prompt (z_L, …, z_1, z_0, w) determines the input.",
    subject=hops,
    check=check,
    twins={"index and digit swapped": index_and_digit_swapped, "one hop short": one_hop_short},
    hypotheses=(
        Hypothesis("m ≥ 2", lambda document: document["m"] >= 2, {**WITNESS, "m": 1, "z0": 0, "tables": [[0], [1, 0]]}),
        Hypothesis("z_0 is in [m]", lambda document: 0 <= document["z0"] < document["m"], {**WITNESS, "z0": 2}),
        Hypothesis("z_ℓ maps [N_{ℓ-1}] to itself", tables_fit, {**WITNESS, "tables": [[1, 0], [3, 0, 1, 4]]}),
        Hypothesis("w_ℓ is in [n_ℓ]", query_fits, {**WITNESS, "w": [2]}),
    ),
    witness=WITNESS,
)
