"""T.reach: windows alone see no farther than their reaches add up to.

By induction over layers: what a token knows depends on itself and on as many tokens before it as the windows so far
reach back, a window of k tokens k − 1. If an answer depends on a token that stands farther back, two inputs that differ
there alone get the same answer, and one of them is wrong.
"""

from __future__ import annotations

from collections.abc import Callable

from proofs_checks.kit.other_tasks import SMALL, answered, program_of
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.capacity import Asked, forbids


def dependence(task: str, sizes: tuple[int, ...]) -> int:
    """The largest distance from a token that is asked back to one whose change alone changes its right answer."""
    program, _ = program_of(task, sizes)
    rows, found = dict(answered(program)), 0
    first, last = program.asked
    for ids, right in rows.items():
        for place in range(len(ids)):
            changed = [
                other for other in rows if other[:place] == ids[:place] and other[place + 1 :] == ids[place + 1 :]
            ]
            for other in changed:
                moved = [at for at in range(first, last) if rows[other][at - first] != right[at - first]]
                found = max([found, *(at - place for at in moved)])
    return found


def check(distance: Callable[[Asked], int]) -> Checked:
    """All pairs of inputs that differ in one token, of the gallery's programs at tiny sizes."""
    count = 0
    for task, cases in SMALL.items():
        for sizes in cases[:2]:
            asked = Asked(task, sizes)
            claimed, found = distance(asked), dependence(task, sizes)
            require(claimed == found, f"{task} {sizes}: distance {claimed} is claimed, {found} is the farthest")
            verdicts = [forbids(asked, "reach", {"reach": reach}).holds for reach in range(claimed + 1)]
            require(verdicts == [True] * claimed + [False], f"{task} {sizes}: the calculator says {verdicts}")
            count += 1
    return Checked(Status.EXHAUSTIVE, "all pairs of inputs that differ in one token", f"{count} tiny sizes")


STATEMENT = Statement(
    id="T.reach",
    title="windows alone see no farther than their reaches add up to",
    latex=r"\textstyle\sum_t(k_t-1)<\text{distance}",
    english="If an answer of a task depends on a token that stands farther back than the reaches of all windows add up "
    "to, no model of layers with windows alone answers every prompt: copying n tokens needs a reach of n.",
    subject=lambda asked: asked.distance,
    check=check,
    twins={
        "a token farther": lambda asked: asked.distance + 1,
        "a token nearer": lambda asked: asked.distance - 1,
    },
    hypotheses=(
        Hypothesis(
            "r < distance",
            lambda reach: forbids(Asked("copying", (8, 2)), "reach", {"reach": reach}).holds is True,
            outside=8,
        ),
    ),
    witness=7,
)
"""The witness: a reach, for copying 8 tokens."""
