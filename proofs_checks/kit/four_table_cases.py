"""Models with four tables for theorems A_L and A_W in which news takes one way only, and the charges of A_L there."""

from __future__ import annotations

from collections import Counter

from proofs_checks.kit.delayed_levels import (
    BOUNDARY,
    INTO_BELOW,
    INTO_TABLE,
    INTO_Z0,
    LAST_INTO_W,
    LATE,
    STATES_INTO_W,
    Recursion,
    Sharper,
)
from proofs_checks.kit.four_tables import FourTables, counting
from proofs_checks.kit.routed_models import Hop
from proofs_checks.kit.verdict import require
from proofs_checks.kit.window_flow import Fixed
from separation.tasks.funccomp import Sizes


def require_charges_a_l(claim: Recursion, case: FourTables) -> None:
    """Step by step the bits that transcripts show, sorted into the charges of theorem A_L, are its charges."""
    found, of = counting(case).counted(), counting(case).sizes
    sharper = Sharper(of.m, of.n, of.beta, of.states, of.theta1, tuple((x, 1) for x in of.x), g=of.g)
    shown = {step: Counter[str]() for step in (1, 2, 3)}
    for message in case.messages:
        shown[message.step][_charge(message)] += found[message.name]
    charged = {1: claim.a_l_start(sharper)[2]}
    ways, size, below = of.theta1, of.m * of.n[0], of.m - of.g + of.g * of.theta1
    for e, x in enumerate(of.x):
        charged[e + 2] = claim.level_charges(sharper, 0, e, x, size, ways, 1 if e == 0 else ways, below)
        ways, size, below = x * ways, size * of.n[e + 1], x * (size + below)
    for step, charges in charged.items():
        paid = {name: bits for name, bits in charges.items() if bits}
        require(paid == dict(shown[step]), f"{case.word}, step {step}: charged are {paid}, shown {dict(shown[step])}")


def _charge(message: Fixed) -> str:
    """The charge of theorem A_L that pays for a message."""
    if message.step == 1:
        return STATES_INTO_W
    if message.kind == "state":
        return LATE if message.receiver == -1 else BOUNDARY
    if message.receiver <= 0:
        return INTO_Z0 if message.receiver == 0 else LAST_INTO_W
    return INTO_TABLE if message.receiver == message.step else INTO_BELOW


# --- models in which news takes one way only ---


def _a_l(varied: int, *hops: Hop) -> FourTables:
    return FourTables("FFF", Sizes(4, (1, 1, 1)), 4, varied, hops)


T4, T3, T2, T1, Z0, W = 0, 4, 8, 15, 16, 17
"""The first places of tables 4, 3 and 2, the last of table 1, and those of z_0 and w."""
FFF = (
    _a_l(
        1,
        *(Hop(1, T4, T3), Hop(3, T3, W, carried=0)),
        *(Hop(2, T4 + 1, T3), Hop(3, T3, W, carried=2)),
        *(Hop(2, T4 + 2, T2), Hop(3, T2, W, carried=4)),
        *(Hop(2, T4 + 3, T1), Hop(3, T1, W, carried=6)),
    ),
    _a_l(
        4,
        *(Hop(2, T4, Z0), Hop(3, Z0, W, carried=0), Hop(3, T4 + 1, W)),
        *(Hop(1, T3, T2), Hop(2, T2, W, carried=3), Hop(3, T4 + 2, W, if_told=4)),
        *(Hop(1, T3 + 1, T1), Hop(2, T1, W, carried=6), Hop(3, T4 + 2, W, if_told=7)),
        *(Hop(1, T3 + 2, Z0), Hop(2, Z0, W, carried=9), Hop(3, T4 + 2, W, if_told=10)),
        *(Hop(2, T3 + 3, W), Hop(3, T4 + 2, W, if_told=12)),
    ),
)
"""Theorem A_L: no window, and the word of full layers alone."""


def _a_w(*hops: Hop) -> FourTables:
    return FourTables("FRFRFR", Sizes(2, (2, 1, 1)), 1, 2, hops)


BEFORE, WINDOW, ROW_2, LATER = 8, 9, 10, 15
"""The places of table 2: before the windows, the first of them, between the two; and that of w."""
WINDOWED = (
    _a_w(
        *(Hop(1, T4, BEFORE), Hop(5, BEFORE, LATER, carried=0)),
        *(Hop(3, T4 + 1, BEFORE), Hop(5, BEFORE, LATER, carried=2)),
        *(Hop(3, T4 + 2, ROW_2), Hop(5, ROW_2, LATER, carried=4)),
        *(Hop(1, T3, ROW_2), Hop(3, ROW_2, LATER, carried=6), Hop(5, T4 + 3, LATER, if_told=7)),
    ),
    _a_w(
        *(Hop(2, T4, T3, recurrent=True, until=T3 + 1), Hop(5, T3, LATER, carried=0)),
        *(Hop(4, T4 + 1, T3, recurrent=True, until=T3 + 1), Hop(5, T3, LATER, carried=2)),
        Hop(6, T4 + 2, LATER, recurrent=True),
        *(Hop(2, T3, WINDOW, recurrent=True, until=ROW_2), Hop(3, WINDOW, LATER, carried=5)),
        *(Hop(5, T4 + 3, LATER, if_told=6), Hop(4, T3 + 1, LATER, recurrent=True), Hop(5, T4 + 3, LATER, if_told=8)),
        *(Hop(2, WINDOW, LATER, recurrent=True), Hop(3, T4 + 3, LATER, if_told=10)),
    ),
)
"""Theorem A_W: two windows of one entry, what stands before and between them, and states; the rest FFF shows."""
