"""The log-barrier method: small geometric programs whose least values are known by hand, and solvers that are wrong."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from separation.bounds import interior_point
from separation.bounds.condition import Condition, Conditions, Order
from separation.bounds.interior_point import least
from separation.bounds.posynomials import Posynomial, Program, Values, Vector, unknowns

ACCURACY = 1e-4  # of `least`, in bits of the cost
Written = Callable[[list[Posynomial]], tuple[Posynomial, Conditions]]


def le(left: object, right: object) -> Order:
    return Order("", "", left, right)


# (unknowns, the program, log2 of its least cost)
BY_HAND: list[tuple[int, Written, float]] = [
    (2, lambda z: (z[0] + z[1], [le(8 * z[0].inverse(), z[1])]), 2.5),  # x + y with xy ≥ 8: 2·√8
    (1, lambda z: (z[0], [le(1000, z[0])]), math.log2(1000)),
    (1, lambda z: (z[0], []), 0.0),  # at its least value
    (2, lambda z: (z[0] * z[1], [le(3, z[0]), le(5 * z[0], z[1])]), math.log2(45)),
    (3, lambda z: (z[0] + z[1] + z[2], [le((z[0] * z[1]).inverse() * 2.0**60, z[2])]), 20 + math.log2(3)),
    # xyz ≤ 2^12 with x ≥ y² ≥ z⁴ and the most z: 1/z is least at z = 2^(12/7)
    (3, lambda z: (z[2].inverse() * 64, [le(z[0] * z[1] * z[2], 4096), le(z[1] * z[1], z[0]), le(z[2] * z[2], z[1])]),
     6 - 12 / 7),
    (1, lambda z: (z[0], [Condition("", "", 2048, z[0], z[0])]), 8.0),  # 2048 < x·log2 x: 256·8
    (2, lambda z: (z[0] * z[1], [Condition("", "", 24, z[1], z[0]), le(z[1], 3)]), math.log2(3 * 256)),
]  # fmt: skip


def program(count: int, written: Written) -> Program:
    return Program(*written(unknowns(np.full(count, 4.0))))


def starts(count: int) -> list[Vector]:
    """Near, far outside, far inside, on the edge of the box, and one that is different in every coordinate."""
    return [np.full(count, 4.0), np.zeros(count), np.full(count, 300.0), np.arange(count) * 70.0 + 30]


@pytest.mark.parametrize(("count", "written", "cost"), BY_HAND)
def test_least_values_by_hand_from_every_start(count: int, written: Written, cost: float) -> None:
    asked = program(count, written)
    for start in starts(count):
        found = least(asked, start, np.zeros(count))
        assert found is not None
        assert cost - 1e-9 <= found.cost <= cost + ACCURACY  # inside, so never below the least value
        assert (asked.values(found.z).f[1:] < 0).all()
        assert found.steps < 200


def test_a_solver_that_stops_early_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two broken twins: one takes any point near a path for its end, one stops after the first centre."""
    whole = interior_point._minimise
    twins: list[Callable[..., object]] = [
        lambda asked, z, low, high, accuracy, enough=-np.inf: whole(asked, z, low, high, 1e6 * accuracy, enough),
        lambda asked, z, low, high, accuracy, enough=-np.inf: (z, 0) if enough == -np.inf else
        whole(asked, z, low, high, accuracy, enough),
    ]  # fmt: skip
    for twin in twins:
        monkeypatch.setattr(interior_point, "_minimise", twin)
        far = 0
        for count, written, cost in BY_HAND:
            found = least(program(count, written), np.full(count, 12.0), np.zeros(count))
            far += found is None or found.cost > cost + ACCURACY
        assert far >= len(BY_HAND) - 1


@pytest.mark.parametrize(
    "written",
    [
        lambda z: (z[0] + z[1], [le(8 * z[0], z[0])]),
        lambda z: (z[0] + z[1], [le(z[0] * z[1], 1)]),  # nothing is inside: only x = y = 1 meets it
        lambda z: (z[0] + z[1], [le(2 * z[0], z[1]), le(z[1], z[0])]),
        lambda z: (z[0] + z[1], [Condition("", "", 3, z[0], z[1], 2 * z[1])]),  # 3 < x·log2(1/2)
    ],
)
def test_what_cannot_be_met_has_no_least_value(written: Written) -> None:
    for start in starts(2):
        assert least(program(2, written), start, np.zeros(2)) is None


def test_differences_are_bounded_from_above_everywhere_and_their_twin_is_not() -> None:
    """The monomial of a − b is never less than a − b; with slopes half as large it is, somewhere."""
    rng = np.random.default_rng(0)
    less = 0
    for _ in range(200):
        at, z = rng.uniform(0, 12, 2), rng.uniform(0, 12, 2)
        at[1], z[1] = at[0] * rng.uniform(0, 1), z[0] * rng.uniform(0, 1)
        a, b = unknowns(at)
        log, powers = (a - b).monomial()
        true = z[0] + math.log2(max(1 - 2.0 ** (z[1] - z[0]), 1e-300))
        assert log + float(powers @ z) >= true - 1e-9
        bent = np.array([1.0, 0.0]) + (powers - np.array([1.0, 0.0])) / 2
        less += log + float((powers - bent) @ at) + float(bent @ z) < true - 1e-9
    assert less > 0


class Restless:
    """A cost that seems less at every look, by a gradient that turns every time: no centre is ever near enough."""

    def __init__(self) -> None:
        self.looks = 0

    def values(self, z: Vector) -> Values:  # noqa: ARG002
        self.looks += 1
        assert self.looks < 10_000, "a centring does not end"
        slope = 100.0 * (-1) ** self.looks
        none = np.zeros(0)
        return Values(np.array([-self.looks, -1.0]), np.array([[slope, slope], [0.0, 0.0]]), none, none, none)

    def hessian(self, _values: Values, _weights: Vector) -> Vector:
        return 1e6 * np.eye(2)


def test_a_centring_that_never_settles_ends_after_so_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two centrings, t = 5 and 100, of 50 steps each; half of them are enough for every program by hand."""
    low, high, start = np.zeros(2), np.full(2, 20.0), np.full(2, 10.0)
    assert interior_point._minimise(Restless(), start, low, high, 0.1)[1] == 2 * interior_point.MOST_STEPS == 100
    monkeypatch.setattr(interior_point, "MOST_STEPS", 25)
    assert interior_point._minimise(Restless(), start, low, high, 0.1)[1] == 50
    for count, written, cost in BY_HAND:
        found = least(program(count, written), np.full(count, 4.0), np.zeros(count))
        assert found is not None
        assert found.cost <= cost + ACCURACY
