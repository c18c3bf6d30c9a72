"""D1: what L-FuncComp asks, and that the prompt says all of it."""

from __future__ import annotations

from collections.abc import Callable

from proofs_checks.statement import Checked, Statement, Status, require
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
    """A false oracle: reads i_ℓ·n_ℓ + w_ℓ where w_ℓ·N_{ℓ-1} + i_ℓ is meant."""
    path = [instance.z0, instance.tables[0][instance.z0]]
    for level, digit in enumerate(instance.w):
        path.append(instance.tables[level + 1][path[-1] * instance.sizes.n[level] + digit])
    return tuple(path)


def one_hop_short(instance: Instance) -> tuple[int, ...]:
    """A false oracle: stops before the last table."""
    return (*hops(instance)[:-1], hops(instance)[-2])


def check(oracle: Oracle) -> Checked:
    count = 0
    for sizes in SIZES:
        for instance in enumerate_inputs(sizes):
            ids = token_ids(instance)
            require(from_token_ids(sizes, ids) == instance, f"the prompt of {instance} reads back as another")
            expected = hops_from_the_prompt(sizes, ids.tolist())
            require(oracle(instance) == expected, f"hops {oracle(instance)}, the prompt says {expected}")
            count += 1
    return Checked(
        Status.EXHAUSTIVE,
        "enumeration against a second reader of the prompt",
        f"all {count} inputs of {len(SIZES)} sizes",
    )


STATEMENT = Statement(
    id="D1",
    title="FuncComp and its prompt",
    latex=r"i_0=z_0,\quad i_1=z_1(i_0),\quad i_{\ell+1}=z_{\ell+1}(w_\ell N_{\ell-1}+i_\ell)",
    english="The hops follow the tables, and the prompt (z_L, …, z_1, z_0, w) determines the input.",
    subject=hops,
    check=check,
    twins={"index and digit swapped": index_and_digit_swapped, "one hop short": one_hop_short},
)
