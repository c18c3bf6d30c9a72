"""Protocols that solve FuncComp on a family of inputs (`drawn_inputs.Family`), each with one class of messages large.

All players know the family: what is fixed, and which values there are.
"""

from __future__ import annotations

from proofs_checks.kit.drawn_inputs import Family
from proofs_checks.kit.solving_protocols import Budgets, DoesNotFitError, Protocol
from separation.tasks.funccomp import Instance


def state_hands_first_hop(family: Family) -> Protocol:
    """RFF with one z_0: the state in front hands i_1, one of u values, to w; each full layer finds it one hop more."""
    _require_one_start(family)

    def run(instance: Instance, budgets: Budgets) -> int:
        (u, *values), lowest = family.values, instance.sizes.m - family.values[0]
        (first,) = budgets.hand(0, (instance.tables[0][instance.z0] - lowest, u))
        index = lowest + first
        for digit, size, table, count in zip(instance.w, instance.sizes.N, instance.tables[1:], values, strict=False):
            (index,) = budgets.hear((table[digit * size + index], count))
        return index

    return run


def state_keeps_windows(family: Family) -> Protocol:
    """RFF: the state in front keeps z_0 and table 2, which varies in the windows only.

    Layer 1 finds w its i_1, one of u values; it knows i_2 then, and layer 2 finds i_3.
    """

    def run(instance: Instance, budgets: Budgets) -> int:
        (m, (n1, _)), (u, v, q) = (instance.sizes.m, instance.sizes.n), family.values
        (start,) = budgets.hand_many(0, n1 * u, v, (m - 1 - instance.z0, family.starts))
        (first,) = budgets.hear((instance.tables[0][m - 1 - start] - (m - u), u))
        second = instance.tables[1][instance.w[0] * m + (m - u) + first]
        (found,) = budgets.hear((instance.tables[2][instance.w[1] * instance.sizes.N[1] + second], q))
        return found

    return run


def table_1_relays(family: Family) -> Protocol:
    """FF with one z_0, the last entry: each other token of table 1, which is fixed, serves one (i, w_2, j).

    Layer 1: it hears z_2(w_1, i) for all w_1, and z_3(w_2, j); w hears i_1. Layer 2: w asks all tokens that serve its
    i_1 and w_2; the one with j = z_2(w_1, i_1) says what it heard of table 3, the others say nothing.
    """
    _require_one_start(family)

    def run(instance: Instance, budgets: Budgets) -> int:
        m, (n1, n2), (u, v, q) = instance.sizes.m, instance.sizes.n, family.values
        (first,) = budgets.hear((instance.tables[0][m - 1] - (m - u), u))
        digit, row = instance.w
        said = 0
        for j in range(v):
            token = (first * n2 + row) * v + j
            if token >= m - 1:
                raise DoesNotFitError(f"{m} tokens of table 1 are too few: number {token} is needed")
            reached = [instance.tables[1][other * m + (m - u) + first] for other in range(n1)]
            entry = instance.tables[2][row * instance.sizes.N[1] + j]
            *hops, last = budgets.hear(*((value, v) for value in reached), (entry, q))
            said += last if hops[digit] == j else 0
        (found,) = budgets.hear((said, q))
        return found

    return run


def differences_on_the_way(family: Family) -> Protocol:
    """FF, n_1 = 3, entry e of table 1 has two values a, b of its own: one difference each for three helpers.

    Layer 1: w hears z_0; z_0's token hears i_1 = a or b and z_2(0, a) − z_2(0, b); the token of table 1 hears
    z_2(1, a) − z_2(1, b) if it holds a, z_2(2, b) − z_2(2, a) if it holds b. Layer 2: w hears from table 2, which it
    tells z_0, the entries z_2(0, b), z_2(1, b), z_2(2, a); and the helpers add their differences where i_1 is the other
    one. All modulo the number of answers, q.
    """

    def run(instance: Instance, budgets: Budgets) -> int:
        m, q, (digit,) = instance.sizes.m, family.values[1], instance.w
        (place,) = budgets.hear((m - 1 - instance.z0, family.starts))
        a = 2 * (family.starts - 1 - place)
        rows = [(instance.tables[1][row * m + a], instance.tables[1][row * m + a + 1]) for row in range(3)]
        differences = [(in_a - in_b) % q for in_a, in_b in rows]
        is_b, for_start = budgets.hear((instance.tables[0][instance.z0] - a, 2), (differences[0], q))
        (for_entry,) = budgets.hear((-differences[2] % q if is_b else differences[1], q))
        direct = rows[digit][0 if digit == 2 else 1]
        from_start = for_start if digit == 0 and not is_b else 0
        from_entry = for_entry if (digit == 1 and not is_b) or (digit == 2 and is_b) else 0
        (found,) = budgets.hear(((direct + from_start + from_entry) % q, q))
        return found

    return run


def _require_one_start(family: Family) -> None:
    if family.starts != 1:
        raise DoesNotFitError(f"z_0 has {family.starts} values, and not one")
