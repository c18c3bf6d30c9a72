"""Inputs that are drawn when read, families of them, and the search among all protocols: each with a broken twin."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from proofs_checks.kit.delayed_levels import FIRST, INTO_TABLE, Recursion, Sharper
from proofs_checks.kit.delayed_statement import DelayedTheorem
from proofs_checks.kit.drawn_inputs import DrawnTable, Family, every_value, inputs
from proofs_checks.kit.family_protocols import (
    differences_on_the_way,
    state_hands_first_hop,
    state_keeps_windows,
    table_1_relays,
)
from proofs_checks.kit.products import covers, is_less, reaches
from proofs_checks.kit.searched_protocols import TWO_TABLES, best_found, require_search, some_inputs
from proofs_checks.kit.solving_protocols import (
    Budgets,
    DoesNotFitError,
    Protocol,
    measured,
    states_keep_tables,
    w_hears_tables,
)
from proofs_checks.kit.statement import CheckFailed
from proofs_checks.statements import t_al, t_bl
from separation.bounds.log_sums import LogSum
from separation.tasks.funccomp import Instance, Sizes, answer

THREE = Sizes(17, (1, 4))
ON_THREE = {
    state_hands_first_hop: Family(1, (3, 5, 8)),
    state_keeps_windows: Family(4, (3, 5, 8)),
    table_1_relays: Family(1, (2, 2, 8)),
}


def test_a_drawn_table_says_the_same_when_it_is_read_again() -> None:
    table = DrawnTable(40, 7, range(3, 9), 10, fixed=6)
    assert table[:] == [table[place] for place in range(40)] == list(table)
    assert {value for place, value in enumerate(table) if place % 10 < 6} == {0}
    assert {value for place, value in enumerate(table) if place % 10 >= 6} <= set(range(3, 9))
    assert len(set(DrawnTable(1000, 1, range(1000), 1000))) > 500


def test_entries_with_values_of_their_own_share_none() -> None:
    table = DrawnTable(12, 5, range(12), 12, fixed=6, own=2)
    assert [table[6 + place] // 2 for place in range(6)] == list(range(6))


@pytest.mark.parametrize("index", [-1, 40])
def test_outside_a_drawn_table_there_is_nothing(index: int) -> None:
    with pytest.raises(IndexError):
        DrawnTable(40, 7, range(40), 40)[index]


def test_the_oracle_follows_a_drawn_input_as_it_follows_a_list() -> None:
    for _ in range(20):
        drawn = every_value(THREE).draw(THREE, Random(_))
        written = Instance(THREE, drawn.z0, [list(table) for table in drawn.tables], drawn.w)
        assert answer(drawn) == answer(written)


def test_few_inputs_are_all_run_and_long_ones_are_not_written_out() -> None:
    assert len(list(inputs(Sizes(2, (1,))))) == 32
    assert len(list(inputs(Sizes(1 << 40, (1 << 20,))))) == 4


@pytest.mark.parametrize("protocol", ON_THREE, ids=lambda protocol: protocol.__name__)
def test_a_protocol_on_a_family_is_right_and_one_that_forgets_is_found(protocol: object) -> None:
    family = ON_THREE[protocol]  # type: ignore[index]
    run: Protocol = protocol(family)  # type: ignore[operator]
    solver = measured("right", protocol, THREE, 2, family)  # type: ignore[arg-type]
    assert solver.family == family
    assert solver.beta > 0
    with pytest.raises(CheckFailed, match="answers"):
        measured("forgets", lambda _: lambda instance, budgets: run(instance, budgets) ^ 1, THREE, 2, family)


def test_too_few_relays_are_refused() -> None:
    family = ON_THREE[table_1_relays]
    with pytest.raises(CheckFailed, match="too few"):
        measured("relays", table_1_relays, Sizes(16, (1, 4)), 2, family)


def test_outside_its_family_a_protocol_is_wrong_or_does_not_fit() -> None:
    family = ON_THREE[state_hands_first_hop]
    with pytest.raises(CheckFailed):
        measured("all inputs", state_hands_first_hop(family), THREE, 2)


def test_three_helpers_need_all_three_differences() -> None:
    family = Family(8, (16, 32), own=2)
    assert measured("helpers", differences_on_the_way, Sizes(16, (3,)), 2, family).beta == 6

    def alone(instance: Instance, budgets: Budgets) -> int:
        """What table 2 says without the helpers: right for one of the two values only."""
        m = instance.sizes.m
        budgets.hear((instance.z0, m))
        row, pair = instance.w[0], instance.tables[0][instance.z0] // 2
        return instance.tables[1][row * m + 2 * pair + (row != 2)]

    with pytest.raises(CheckFailed, match="answers"):
        measured("no helpers", lambda _: alone, Sizes(16, (3,)), 2, family)


def test_no_protocol_is_used_that_is_wrong_on_one_input_of_a_small_size() -> None:
    """Right on the inputs that are drawn at large sizes, wrong on one of all inputs at small ones."""

    def slips(instance: Instance, budgets: Budgets) -> int:
        said = w_hears_tables(2)(instance, budgets)
        return said + 1 if instance.tables[1] == (3, 1, 0, 2) and instance.tables[0] == (1, 0) and said < 3 else said

    large = Sizes(64, (64,))
    with pytest.raises(CheckFailed, match=r"at small sizes .*slips answers"):
        measured("slips", slips, large, 2)

    def never_small(instance: Instance, budgets: Budgets) -> int:
        if instance.sizes.m < 64:
            raise DoesNotFitError("too small")
        return w_hears_tables(2)(instance, budgets)

    with pytest.raises(CheckFailed, match="was run on all inputs of no size"):
        measured("never small", never_small, large, 2)


def test_a_protocol_for_one_z_0_refuses_two() -> None:
    with pytest.raises(DoesNotFitError, match="2 values"):
        state_hands_first_hop(Family(2, (2, 2, 2)))


@pytest.mark.parametrize(
    ("sizes", "family"), [(Sizes(3, (1, 2)), Family(2, (2, 2, 2))), (Sizes(4, (1,)), Family(2, (4, 2), own=2))]
)
def test_all_inputs_of_a_family_are_what_may_be_drawn(sizes: Sizes, family: Family) -> None:
    every = list(map(_key, family.every(sizes)))
    assert len(set(every)) == len(every)
    drawn = {_key(family.draw(sizes, Random(seed))) for seed in range(300)}
    assert drawn <= set(every)
    for place in range(len(every[0])):
        assert {key[place] for key in drawn} == {key[place] for key in every} or place == len(every[0]) - 3


def _key(instance: Instance) -> tuple[object, ...]:
    return (*(tuple(table) for table in instance.tables), instance.z0, instance.w)


def test_long_and_short_products_are_compared_alike() -> None:
    for theta in range(1, 12):
        for told in (0, 40, 80, 120):
            short = covers(12, theta, 30, told, strict=True)
            # 2^17 more bits on both sides: compared in balls.
            left = LogSum(told + (1 << 17), ((30, theta - 1),), ((12, theta - 1),))
            assert short == is_less(left, LogSum(1 << 17, ((30, 12),))), (theta, told)
    assert reaches(4, 4, 2, 0)
    assert not reaches(4, 5, 2, 0)
    assert not covers(4, 5, 2, 0, strict=True)


def test_fewer_values_forbid_no_more_than_the_same_number_of_all() -> None:
    of = Sharper(2, (1, 64), 1, (1, 0, 0), 1, ((1, 1),))
    assert Recursion().a_l(of) == Recursion().a_l(replace(of, values=(2, 2, 128))) is True
    assert not Recursion().a_l(replace(of, values=(2, 2, 2)))
    assert Recursion(frozenset({FIRST, INTO_TABLE})).a_l(of)


def test_the_bits_of_kept_tables_are_counted_whether_or_not_they_are_read() -> None:
    budgets = Budgets()
    assert budgets.hand_many(0, 10, 8, (3, 4)) == (3,)
    assert budgets.states[0] == 32
    kept = measured("keeps", states_keep_tables(0, 1), Sizes(8, (2,)), 1)
    assert kept.linear[0] == 9 * 3


def test_the_search_is_found_out_if_it_finds_nothing_or_too_much() -> None:
    lazy = replace(TWO_TABLES, steps=1)
    assert best_found(lazy) < 1
    with pytest.raises(CheckFailed, match="the best that is found"):
        require_search(lazy, lazy)
    with pytest.raises(CheckFailed, match="called impossible"):
        require_search(TWO_TABLES, TWO_TABLES)


def test_some_inputs_have_the_answers_of_the_oracle() -> None:
    found = some_inputs(Sizes(2, (1, 3)), 2)
    assert len(found.answers) == 4 * 4 * 2 * 2 * 3
    assert set(found.players) == {3, 2, 1, 0, -1}
    assert 0 <= found.answers.min() <= found.answers.max() < 6


@pytest.mark.parametrize("theorem", [t_al.THEOREM, t_bl.THEOREM], ids=["A_L", "B_L"])
def test_with_one_copy_only_what_w_hears_excuses_the_charges_that_are_left_out(theorem: DelayedTheorem) -> None:
    theorem.require_one_path()
    with pytest.raises(CheckFailed, match="not so"):
        replace(theorem, forbids=lambda *_: True).require_one_path()
