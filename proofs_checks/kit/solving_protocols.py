"""Protocols that solve FuncComp with one budget large: no lower bound may forbid them, and one without a charge does.

Each is written as players do it: what one token hears in a full layer, or what a state holds at a boundary, is a list
of fields with whole bits, and the largest list of each kind is β, or the bits of its block. Which fields a token hears
depends on its place alone, so tokens whose messages nobody uses are not run. At large sizes few inputs are run; no
protocol is used that was not right on all inputs of a small size (`measured`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from typing import cast

from proofs_checks.kit.drawn_inputs import Family, inputs, small_families, small_sizes
from proofs_checks.kit.statement import CheckFailed, require
from separation.tasks.funccomp import Instance, Sizes, answer
from separation.tasks.shape import bit_count

Field = tuple[int, int]
"""(value, number of possible values)."""


@dataclass
class Budgets:
    """The bits of the largest message to one token, and of the largest state of each block."""

    message: int = 0
    states: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def hear(self, *fields: Field) -> tuple[int, ...]:
        """The values that one token hears in one full layer, once their bits are counted."""
        self.message = max(self.message, _bits(fields))
        return tuple(value for value, _ in fields)

    def hear_many(self, *counts: tuple[int, int]) -> None:
        """(how many, of how many values): fields that one token hears in one full layer, which are read elsewhere."""
        self.message = max(self.message, sum(count * bit_count(values) for count, values in counts))

    def hand(self, block: int, *fields: Field) -> tuple[int, ...]:
        """The values that the states of a block carry over one boundary."""
        return self.hand_many(block, 0, 2, *fields)

    def hand_many(self, block: int, count: int, values: int, *fields: Field) -> tuple[int, ...]:
        """The same, next to ``count`` more fields of so many values each, which are read elsewhere."""
        self.states[block] = max(self.states[block], count * bit_count(values) + _bits(fields))
        return tuple(value for value, _ in fields)


Protocol = Callable[[Instance, Budgets], int]
FamilyProtocol = Callable[[Family], Protocol]


@dataclass(frozen=True)
class Solver:
    """A protocol that was right on all inputs that were run: FuncComp(m, n) is solved with β and Λ_0, Λ_1, …

    where with a ``family`` it is solved on the inputs of that family alone.
    """

    name: str
    sizes: Sizes
    beta: int
    linear: tuple[int, ...]
    family: Family | None = None


class DoesNotFitError(CheckFailed):
    """A protocol is not for these sizes, or not for this family."""


@cache
def measured(
    name: str, protocol: Protocol | FamilyProtocol, sizes: Sizes, full_layers: int, family: Family | None = None
) -> Solver:
    """β and Λ_0..Λ_f of a protocol, after it was right on all inputs, or on random ones where there are many.

    where a protocol on a family is given as a function of the family. Before, the same function was right on *all*
    inputs of a small size (or of small families), and on some of others: `drawn_inputs`. One that fits none is refused.
    """
    require(inputs_all_right(protocol, sizes.L, family is not None) > 0, f"{name} was run on all inputs of no size")
    run, budgets = protocol_on(protocol, family), Budgets()
    for instance in inputs(sizes, family):
        _require_right(name, run, instance, budgets)
    linear = tuple(accumulate(budgets.states[block] for block in range(full_layers + 1)))
    return Solver(name, sizes, budgets.message, linear, family)


@cache
def inputs_all_right(protocol: Protocol | FamilyProtocol, tables: int, on_families: bool) -> int:
    """How many inputs a protocol was run on, and right: all of a small size, or of small families; 0 if none fits."""
    if on_families:
        families = small_families(tables)
        return sum(_all_right(protocol, sizes, family, on_family=True) for sizes, family in families)
    whole, more = small_sizes(tables)
    found = next(
        (count for sizes, family in whole if (count := _all_right(protocol, sizes, family, on_family=False))), 0
    )
    return found and found + sum(_all_right(protocol, sizes, family, on_family=False) for sizes, family in more)


def _all_right(protocol: Protocol | FamilyProtocol, sizes: Sizes, family: Family, on_family: bool) -> int:
    """How many inputs a family has, on all of which the protocol is right; 0 if it does not fit."""
    name, count = getattr(protocol, "__qualname__", "a protocol"), 0
    try:
        run = protocol_on(protocol, family if on_family else None)
        for instance in family.every(sizes):
            _require_right(f"at small sizes {name}", run, instance, Budgets())
            count += 1
    except DoesNotFitError:
        return 0
    return count


def protocol_on(protocol: Protocol | FamilyProtocol, family: Family | None) -> Protocol:
    return cast(Protocol, protocol) if family is None else cast(FamilyProtocol, protocol)(family)


def _require_right(name: str, protocol: Protocol, instance: Instance, budgets: Budgets) -> None:
    said, right = protocol(instance, budgets), answer(instance)
    require(said == right, f"{name} answers {said} to {instance}, not {right}")


def _bits(fields: tuple[Field, ...]) -> int:
    require(all(0 <= value < count for value, count in fields), f"a field does not fit: {fields}")
    return sum(bit_count(count) for _, count in fields)


def _address(instance: Instance, table: int, index: int) -> int:
    """The entry of a table that is asked when i_{table-1} = ``index``."""
    return index + (instance.w[table - 2] * instance.sizes.N[table - 2] if table >= 2 else 0)


def _followed(instance: Instance, table: int, index: int) -> int:
    """i_table, from i_{table-1} = ``index``."""
    return instance.tables[table - 1][_address(instance, table, index)]


# --- any number of tables ---


@cache
def states_keep_tables(block: int, kept: int) -> Protocol:
    """The states of a block keep z_1, …, z_kept and z_0; w follows them, then each full layer finds it one hop more."""

    def run(instance: Instance, budgets: Budgets) -> int:
        N = instance.sizes.N
        fields = [(value, N[level]) for level in range(kept) for value in instance.tables[level]]
        budgets.hand(block, *fields, (instance.z0, instance.sizes.m))
        index = instance.z0
        for table in range(1, kept + 1):
            index = _followed(instance, table, index)
        for table in range(kept + 1, instance.sizes.L + 1):
            (index,) = budgets.hear((_followed(instance, table, index), N[table - 1]))
        return index

    return run


@cache
def w_hears_tables(kept: int) -> Protocol:
    """In layer 1 w hears all of z_1, …, z_kept and z_0; then each full layer finds it one hop more."""

    def run(instance: Instance, budgets: Budgets) -> int:
        N = instance.sizes.N
        fields = [(value, N[level]) for level in range(kept) for value in instance.tables[level]]
        budgets.hear(*fields, (instance.z0, instance.sizes.m))
        index = instance.z0
        for table in range(1, kept + 1):
            index = _followed(instance, table, index)
        for table in range(kept + 1, instance.sizes.L + 1):
            (index,) = budgets.hear((_followed(instance, table, index), N[table - 1]))
        return index

    return run


@cache
def entry_in_parts(share: int, later: int) -> Protocol:
    """In layer 1 w hears z_0, all tables but the last, and ``share`` bits of each entry of its row of the last table;

    then each of ``later`` full layers finds it an equal part of the other bits of the entry it wants.
    """

    def run(instance: Instance, budgets: Budgets) -> int:
        N, L = instance.sizes.N, instance.sizes.L
        if share > bit_count(N[-1]):
            raise DoesNotFitError(f"an entry has no {share} bits")
        row = instance.w[-1] * N[L - 2]
        candidates = instance.tables[-1][row : row + N[L - 2]]
        small = [(value, N[level]) for level in range(L - 1) for value in instance.tables[level]]
        parts = [(value % (1 << share), 1 << share) for value in candidates]
        budgets.hear(*small, (instance.z0, instance.sizes.m), *parts)
        index = instance.z0
        for table in range(1, L):
            index = _followed(instance, table, index)
        found, shift, rest = candidates[index] % (1 << share), share, bit_count(N[-1]) - share
        for layer in range(later):
            bits = (rest + layer) // later
            (part,) = budgets.hear((candidates[index] >> shift & (1 << bits) - 1, 1 << bits))
            found, shift = found | part << shift, shift + bits
        return found

    return run


@cache
def last_but_one_reads_ahead(early: bool) -> Protocol:
    """Layer 1: every token of table L−1 hears what z_L holds at its value, for all w_{L-1}; w follows the other tables.

    where w has z_0 from the states in front (``early``), or hears it in layer 1; so it takes a layer more without R.
    """

    def run(instance: Instance, budgets: Budgets) -> int:
        sizes, N, L = instance.sizes, instance.sizes.N, instance.sizes.L
        last, rows = instance.tables[-1], range(sizes.n[-1])
        z0 = (instance.z0, sizes.m)
        (index,) = budgets.hand(0, z0) if early else budgets.hear(z0)
        for table in range(1, L - 1):
            (index,) = budgets.hear((_followed(instance, table, index), N[table - 1]))
        asked = _address(instance, L - 1, index)
        value = instance.tables[-2][asked]
        ahead = budgets.hear(*((last[row * N[L - 2] + value], N[-1]) for row in rows))
        (found,) = budgets.hear((ahead[instance.w[-1]], N[-1]))
        return found

    return run


def table_1_finds_two_hops(instance: Instance, budgets: Budgets) -> int:
    """Layer 1: tokens of table 1 hear what z_2 holds at their value, for all w_1, and w hears z_0.

    In layer 2 w asks the token at z_0 for i_2, and then each full layer finds it one hop more.
    """
    sizes, N = instance.sizes, instance.sizes.N
    (start,) = budgets.hear((instance.z0, sizes.m))
    value = instance.tables[0][start]
    ahead = budgets.hear(*((instance.tables[1][row * sizes.m + value], N[1]) for row in range(sizes.n[0])))
    (index,) = budgets.hear((ahead[instance.w[0]], N[1]))
    for table in range(3, sizes.L + 1):
        (index,) = budgets.hear((_followed(instance, table, index), N[table - 1]))
    return index


# --- two tables ---


def row_look_ups(instance: Instance, budgets: Budgets) -> int:
    """FR: w hears its row of z_2 and z_0's token hears i_1 in the full layer; the state behind it hands i_1 to w."""
    sizes, (digit,) = instance.sizes, instance.w
    row = instance.tables[1][digit * sizes.m : (digit + 1) * sizes.m]
    heard = budgets.hear(*((value, sizes.N[1]) for value in row))
    (reached,) = budgets.hear((instance.tables[0][instance.z0], sizes.m))
    (reached,) = budgets.hand(1, (reached, sizes.m))
    return heard[reached]


table_1_reads_ahead = last_but_one_reads_ahead(early=False)
"""FF: tokens of table 1 hear what z_2 holds at their value, for all w; w hears z_0; then w asks z_0's entry."""
