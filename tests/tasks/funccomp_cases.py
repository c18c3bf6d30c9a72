"""What the tests of FuncComp share: small sizes, random instances, and oracles that share no code with the task."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from separation.tasks.funccomp import Instance, Sizes

quick = settings(deadline=None, max_examples=100)

# One of each sort: a single table, equal sizes, n_l = 1, sizes that are no powers of two, many levels.
SIZES = [
    Sizes(2, ()),
    Sizes(5, ()),
    Sizes(2, (1,)),
    Sizes(2, (2,)),
    Sizes(3, (1,)),
    Sizes(3, (2, 3)),
    Sizes(4, (4, 4)),
    Sizes(2, (1, 3, 1)),
    Sizes(2, (2, 2, 2, 2)),
    Sizes(7, (5,)),
]

# All inputs of these can be gone through one by one.
TINY = [Sizes(2, ()), Sizes(3, ()), Sizes(2, (1,)), Sizes(3, (1,)), Sizes(2, (2,)), Sizes(2, (1, 1))]

small_sizes = st.builds(Sizes, st.integers(2, 6), st.lists(st.integers(1, 4), max_size=3).map(tuple))


@st.composite
def instances(draw: Any) -> Instance:
    sizes = draw(small_sizes)
    # Many entries from one drawn seed and a few drawn ones: quick, and still easy to shrink.
    random = draw(st.randoms(use_true_random=False))
    tables = [[random.randrange(size) for _ in range(size)] for size in sizes.N]
    w = [draw(st.integers(0, size - 1)) for size in sizes.n]
    return Instance(sizes, draw(st.integers(0, sizes.m - 1)), tables, w)


def oracle_hops(instance: Instance) -> list[int]:
    """The hops by cutting each table into rows, one for each digit: no address is ever computed."""
    here = instance.z0
    seen = [here]
    width = len(instance.tables[0])
    for digit, table in zip((0, *instance.w), instance.tables, strict=True):
        rows = [table[start : start + width] for start in range(0, len(table), width)]
        here = rows[digit][here]
        seen.append(here)
        width = len(table)
    return seen


def swapped_oracle_hops(instance: Instance) -> list[int]:
    """Wrong on purpose: takes the index for the row and the digit for the column."""
    here = instance.tables[0][instance.z0]
    seen = [instance.z0, here]
    for digit, count, table in zip(instance.w, instance.sizes.n, instance.tables[1:], strict=True):
        here = table[here * count + digit]
        seen.append(here)
    return seen
