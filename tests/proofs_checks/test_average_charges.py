"""Where the charge of theorem E for what z_0's token hears decides anything that other theorems do not."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from proofs_checks.kit.claim_e import LATE, STARTS, Numbers, Told
from proofs_checks.kit.drawn_inputs import DrawnTable, every_value
from proofs_checks.kit.solving_protocols import Budgets
from proofs_checks.kit.statement import CheckFailed
from proofs_checks.kit.summed_entries import LARGE, Plan, often_right
from proofs_checks.statements.t_e import ceiling
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.tasks.funccomp import Sizes, answer


def least_ceiling(told: Told, m: int, beta: int, late: int) -> float:
    """Of FR at n_1 = 1, over the x that matter: t_1 below 2m."""
    options = [x for x in product(range(1, m + 1), (1, 2, 3, 4)) if x[0] * x[1] <= 2 * m]
    cases = [Numbers("A", LATE, m, (1,), x, beta, (0, late)) for x in options]
    return min(ceiling(of, told(of)) for of in cases)


def test_without_what_z_0_hears_more_is_forbidden_than_is_known_to_be_impossible() -> None:
    without = Told(frozenset({STARTS}))
    assert least_ceiling(without, 12, 9, 4) < 1 <= least_ceiling(Told(), 12, 9, 4)
    assert not any(theorem_a2(12, (1,), theta, 9, (0, 4)).holds for theta in range(1, 13))


def test_in_short_prompts_what_would_be_forbidden_is_impossible_anyway() -> None:
    """m up to 6: where the charge decides, theorem A2 forbids the same, or the answer has more bits than w hears."""
    without, decided = Told(frozenset({STARTS})), 0
    for m, late in product((2, 3, 4, 6), (0, 1, 2, 4)):
        for beta in range(3 * m):
            if least_ceiling(without, m, beta, late) < 1 <= least_ceiling(Told(), m, beta, late):
                by_a2 = any(theorem_a2(m, (1,), theta, beta, (0, late)).holds for theta in range(1, m + 1))
                assert by_a2 or 2 ** (beta + late) < m, (m, late, beta)
                decided += 1
    assert decided > 0


def test_sums_for_several_starts_are_right_more_often_than_the_theorem_without_what_z_0_hears_says() -> None:
    _, of, accuracy = often_right()
    assert accuracy > 0.999 > 0.99 > ceiling(of, Told(frozenset({STARTS}))(of))
    assert ceiling(of, Told()(of)) == 1


def test_without_room_for_its_sums_it_fails() -> None:
    assert replace(LARGE, room=LARGE.room - 3000).chance_of_failure() == 1
    sizes, plan = Sizes(3, (1,)), Plan(3, 1, 3, 3)
    assert all(plan.run(one, Budgets()) == answer(one) for one in every_value(sizes).every(sizes))
    narrow = replace(plan, room=0)
    assert any(narrow.run(one, Budgets()) != answer(one) for one in every_value(sizes).every(sizes))


def test_a_plan_is_for_tables_that_its_blocks_and_groups_divide() -> None:
    sizes = Sizes(3, (1,))
    with pytest.raises(CheckFailed, match="is not for"):
        Plan(2, 1, 3, 3).run(next(every_value(sizes).every(sizes)), Budgets())


def test_a_stretch_of_a_drawn_table_is_its_entries() -> None:
    table = DrawnTable(5000, (1 << 60) - 7, range(3, 4000), 5000)
    assert table[1000:3000] == [table[place] for place in range(1000, 3000)]
