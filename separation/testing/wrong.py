"""Plausible constructions that are wrong, each by one mistake, with sizes at which `check_solver` catches it.

Every one is a construction of this project with one part as a user might have written it. They show what the kit
finds, and they are what the tests of the kit must catch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from constructions import c1, c2, c7
from separation.arithmetic import ExactMatrix
from separation.models import MLP, Blocks, Head, SparseHead, Stored, Stream
from separation.proving import Construction
from separation.tasks import TaskSizes
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind
from separation.tasks.two_sum import TwoSumSizes
from separation.testing.changes import with_head, with_layer, with_model

CLIPPED = {"temperature": 2, "score_bits": 16}
"""Enough for C1 at the sizes where the clip of slope 1 fails, and fine enough that no leak is rounded away."""


@dataclass(frozen=True)
class Wrong:
    """A wrong construction: its mistake in words, sizes at which that shows, and the right one that it comes from."""

    name: str
    mistake: str
    build: Callable[[Any], Construction]
    build_right: Callable[[Any], Construction]
    sizes: TaskSizes

    def construction(self) -> Construction:
        return self.build(self.sizes)

    def right(self) -> Construction:
        """Without the mistake: the same sizes, temperature and precision."""
        return self.build_right(self.sizes)


def off_by_one_address(sizes: Sizes) -> Construction:
    """Entries are numbered from 1: the key of entry i is the code of i + 1."""
    right = c1.build(sizes)
    rows = right.model.positions.rows(np.arange(right.model.positions.height)).copy()
    for kind in sizes.shape().kinds:
        if kind.table is not None:
            rows[kind.start : kind.stop] = np.roll(rows[kind.start : kind.stop], -1, axis=0)
    table = Stored(ExactMatrix(rows, right.model.positions.denominator))
    return with_model(right, positions=table)


class _SlopeOne(c1.Plan):
    def mlp(self) -> MLP:
        """clip(x) = relu(x+1) − relu(x−1) − 1, which leaves all of −1..1 as it is."""
        right, hidden = super().mlp(), Stream([("units", 6 * len(self.stream["pointer"]))])
        rows = np.array(right.w_1.numerators, copy=True)
        rows[: hidden.width // 3] //= 2
        return replace(right, w_1=ExactMatrix(rows, right.w_1.denominator))


def clip_of_slope_one(sizes: Sizes) -> Construction:
    """The clip after a look-up has slope 1: it bounds a bit, but does not snap it back, and errors are carried on."""
    return _from_plan(_SlopeOne(sizes, CLIPPED["temperature"]), CLIPPED["score_bits"])


class _SharedTag(c1.Plan):
    def tag(self, kind: Kind) -> list[int]:
        return self._tag(1) if kind.table is not None else super().tag(kind)

    def _tag(self, number: int) -> list[int]:
        return super()._tag(1 if 1 <= number <= self.sizes.L else number)


def shared_table(sizes: Sizes) -> Construction:
    """All tables have the same tag, so that entries of different tables share an address."""
    return _from_plan(_SharedTag(sizes))


def temperature_too_low(sizes: Sizes) -> Construction:
    """Temperature 1, which is enough for short prompts: the many other keys outweigh the one that is asked."""
    return c1.build(sizes, temperature=1)


def mean_head(sizes: Sizes) -> Construction:
    """The head of the last layer has no query: it hands over the mean of all tokens."""
    right = c1.build(sizes)
    (head,) = right.model.layers[-1].heads_of(Head)
    return with_head(right, -1, w_q=ExactMatrix.zeros(*head.w_q.shape))


def forgetting_state(sizes: Sizes) -> Construction:
    """A gate α = 1/8 at every token: of z_0 an eighth is left when w reads the state."""
    return with_head(c2.build(sizes, family="delta"), 0, b_a=ExactMatrix.from_entries((1, 1), [(0, 0, Fraction(1, 8))]))


def mean_summary(sizes: TwoSumSizes) -> Construction:
    """The summary of a block is the mean of its tokens' codes, which is the code of none of them."""
    right = c7.build(sizes, block=2)
    heads, block = [], 2
    for head in right.model.layers[0].heads_of(SparseHead):
        width = head.w_k.shape[0]
        tokens = Stream([(f"token {index}", width) for index in range(block)])
        mean = Blocks(Stream([("token", width)]), tokens)
        for index in range(block):
            mean.copy("token", f"token {index}", Fraction(1, block))
        heads.append(replace(head, c_k=mean.build(), c_v=mean.build()))
    return with_layer(right, 0, heads=tuple(heads))


def colliding_hash(sizes: Sizes) -> Construction:
    """Addresses leave out the top bit of the index, a hash by i mod 2^(b−1): two entries share a key."""
    right = c1.build(sizes)
    plan = c1.Plan(sizes)
    top = plan.address["index"][-1]
    kept = ExactMatrix(np.diag([int(row != top) for row in range(plan.address.width)]))
    for number, head in enumerate(right.model.heads_of(Head)):
        shift = head.shift - plan.temperature
        right = with_head(right, number, w_q=kept @ head.w_q, w_k=kept @ head.w_k, shift=shift)
    return right


WRONG: dict[str, Wrong] = {
    build.__name__: Wrong(build.__name__, " ".join((build.__doc__ or "").split()), build, right, sizes)
    for build, right, sizes in (
        (off_by_one_address, c1.build, Sizes(2, (2,))),
        (clip_of_slope_one, lambda sizes: c1.build(sizes, **CLIPPED), Sizes(8, (1,) * 6)),
        (shared_table, c1.build, Sizes(2, (2,))),
        (temperature_too_low, c1.build, Sizes(16, (4,))),
        (mean_head, c1.build, Sizes(2, (2,))),
        (forgetting_state, lambda sizes: c2.build(sizes, family="delta"), Sizes(8, (2,))),
        (mean_summary, lambda sizes: c7.build(sizes, block=2), TwoSumSizes(8, 17)),
        (colliding_hash, c1.build, Sizes(4, (2,))),
    )
}


def _from_plan(plan: c1.Plan, score_bits: int | None = None) -> Construction:
    """C1's layers from another plan."""
    return plan.construction("C1", plan.layers(), plan.stages(), None, score_bits)
