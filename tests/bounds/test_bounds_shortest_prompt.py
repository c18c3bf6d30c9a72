"""The optimiser: certified, never longer than golden, the true minimum for two tables, the same answer every time."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from naive_bounds import certified, shortest_by_exhaustion

from separation.bounds import Evaluation, Message, Rule, least_golden, shortest_prompt, shortest_prompt_of_model
from separation.bounds.schedules import rule_for
from separation.bounds.search.branch_and_bound import golden_start, sizes_box
from separation.bounds.search.fixed_point import log2_tokens
from separation.bounds.search.relaxation import Relaxation
from separation.bounds.search.slack import SearchProblem, largest_cover
from separation.files import InputError


def naive_says_certified(found: Evaluation) -> bool:
    point = found.parameters
    reached = None if point.reached is None else list(point.reached)
    free, n, x = found.rule is Rule.A_FREE, list(point.n), list(point.x)
    return certified(found.theorem, found.beta, list(found.linear), point.m, n, x, free, reached)


def linear_bits(theorem: str, L: int, bits: int) -> list[int]:
    return [bits] * L if theorem == "A" else [0, 0, *([bits] * (L - 1))]


def test_forty_tokens() -> None:
    found = shortest_prompt("A", 2, 8, [0, 0])
    assert found.parameters.tokens() == 40
    assert (found.parameters.m, found.parameters.n, found.parameters.x) == (2, (18,), (1, 2))


@pytest.mark.parametrize("beta", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("bits", [0, 1, 8])
def test_the_true_minimum_for_two_tables(beta: int, bits: int) -> None:
    found = shortest_prompt("A", 2, beta, [bits, bits])
    assert naive_says_certified(found)
    tokens = found.parameters.tokens()
    assert tokens is not None
    if tokens < 1000:
        assert not shortest_by_exhaustion(beta, [bits, bits], tokens)
        assert shortest_by_exhaustion(beta, [bits, bits], tokens + 1)


@pytest.mark.parametrize("beta", [1, 2])
def test_the_true_minimum_for_two_tables_and_two_full_layers(beta: int) -> None:
    found = shortest_prompt("B", 2, beta, [0, 0, 2])
    tokens = found.parameters.tokens()
    assert tokens is not None
    assert naive_says_certified(found)
    assert not shortest_by_exhaustion(beta, [0, 0, 2], tokens, "B")


@pytest.mark.parametrize(
    ("theorem", "L", "cover"),
    [("A", 2, "chosen"), ("A", 4, "chosen"), ("A", 8, "half"), ("B", 3, "half"), ("B", 6, "half"), ("B", 8, "chosen")],
)
def test_certified_and_never_longer_than_golden(theorem: str, L: int, cover: str) -> None:
    linear = linear_bits(theorem, L, 5)
    found = shortest_prompt(theorem, L, 11, linear, cover=cover)
    assert found.certified
    if L < 6:
        assert naive_says_certified(found)
    golden = least_golden(rule_for(theorem, linear), L, 11, linear)
    assert found.parameters.tokens_log2() < golden.evaluation.parameters.tokens_log2()


def test_the_gain_over_golden_at_three_tables() -> None:
    """2^39.95 with Θ = t/2, which is the most that integers allow there, and 2^41.6 with Θ chosen."""
    golden = least_golden(Rule.A, 3, 8, [8, 8, 8]).evaluation.parameters.tokens_log2()
    half = shortest_prompt("A", 3, 8, [8, 8, 8]).parameters.tokens_log2()
    chosen = shortest_prompt("A", 3, 8, [8, 8, 8], cover="chosen").parameters.tokens_log2()
    assert golden - half == pytest.approx(39.95, abs=0.01)
    assert golden - chosen > 41.6


def test_integers_cannot_gain_two_to_the_forty_with_half() -> None:
    """The real problem with x_2 a whole number is a lower bound for all integers: it stays above golden/2^40."""
    golden = least_golden(Rule.A, 3, 8, [8, 8, 8]).evaluation.parameters.tokens_log2()
    problem = SearchProblem(Rule.A, 3, 8, (8, 8, 8), False)
    relaxation = Relaxation(Rule.A, 3, 8, [8, 8, 8])
    start = np.full(relaxation.count, 30.0)
    box = sizes_box(problem, relaxation.count, start)
    beyond = relaxation.shortest(box.with_low(2, np.log2(3)), start)
    whole = [relaxation.shortest(box.with_low(2, v).with_high(2, v), start) for v in (0.0, 1.0)]
    lengths = [found.length for found in (*whole, beyond) if found is not None]
    assert len(lengths) == 3
    assert min(lengths) > golden - 40


def test_integers_tried_one_by_one_gain_as_little() -> None:
    """All x_0, x_1, x_2, n_2 around the best ones, m in small steps: golden/2^40 tokens are never enough.

    For given x and n_2, Θ_1 = ⌊x_0·x_1/2⌋, (E_1) says how large m is at least, and (E_2) and (F) how large n_1 is: all
    are linear in it, up to log2 N_2, which is at most log2 of the length. m on the left sides is the lower end of a
    step, m inside logarithms its upper end.
    """
    length = least_golden(Rule.A, 3, 8, [8, 8, 8]).evaluation.parameters.tokens_log2() - 40
    x0, x1 = np.arange(11.0, 20)[:, None], np.arange(400.0, 500)[None, :]
    theta = np.floor(x0 * x1 / 2)
    least = np.maximum(x0, np.e * theta * 2 ** ((1 + 8 * x1) / theta))
    steps = itertools.pairwise([*np.arange(1.0, 1.2, 0.005), *np.arange(1.2, 2.0, 0.02)])
    shortest = np.inf
    for (low, high), x2, n2 in itertools.product(steps, (1, 2, 3), range(8, 14)):
        m, share = least * low, x2 * theta / 2  # Θ_2 ≤ share·n_1
        alone = x1 * 8 + 9 + 8 * (x1 * m + x0)  # D_2 without its share of n_1
        second = share * np.log2(least * high / (np.e * share)) - 8 * x2 * n2 * x0
        rest = x2 * alone + 9 + 8 * (x0 * x1 + x2 * x1 * m)  # D_3 without its share of n_1
        last = n2 * share * length - 8 * (x2 * n2 * x0 + 2 * x2 * m + n2 * x0 * x1)
        possible = (second > 0) & (last > 0)
        n1 = np.maximum((1 + x2 * alone)[possible] / second[possible], rest[possible] / last[possible])
        tokens = m[possible] * (1 + n1 + n1 * n2)
        shortest = min(shortest, float(np.log2(tokens).min(initial=np.inf)))
    assert length < shortest < length + 0.05


@pytest.mark.parametrize("theorem", ["A", "B"])
def test_real_numbers_are_a_lower_bound(theorem: str) -> None:
    for L in (2, 3):
        linear = linear_bits(theorem, L, 6)
        rule = rule_for(theorem, linear)
        relaxation = Relaxation(rule, L, 9, linear)
        start = np.full(relaxation.count, 30.0)
        box = sizes_box(SearchProblem(rule, L, 9, tuple(linear), False), relaxation.count, start)
        real = relaxation.shortest(box, start)
        assert real is not None
        assert real.length < shortest_prompt(theorem, L, 9, linear).parameters.tokens_log2() < real.length + 1


def test_derivatives_of_the_real_problem() -> None:
    rng = np.random.default_rng(0)
    for chosen in (False, True):
        relaxation = Relaxation(Rule.A, 3, 8, [8, 8, 8], chosen)
        z = rng.uniform(1, 6, relaxation.count)
        z[5] += 20
        _, gradients, hessian = relaxation._values(z)
        step = 1e-5
        for place, unit in enumerate(step * np.eye(relaxation.count)):
            up, down = relaxation._values(z + unit), relaxation._values(z - unit)
            np.testing.assert_allclose((up[0] - down[0]) / (2 * step), gradients[:, place], atol=1e-7)
            for k in range(len(gradients)):
                scale = np.eye(len(gradients))[k]
                np.testing.assert_allclose((up[1][k] - down[1][k]) / (2 * step), hessian(scale)[place], atol=1e-6)
                assert np.linalg.eigvalsh(hessian(scale)).min() > -1e-9


def test_the_same_question_has_the_same_answer() -> None:
    assert len({shortest_prompt("A", 3, 7, [2, 2, 2], cover="chosen").parameters for _ in range(2)}) == 1


def test_thorough_is_never_longer() -> None:
    quick = shortest_prompt("A", 3, 3, [1] * 3).parameters.tokens()
    thorough = shortest_prompt("A", 3, 3, [1] * 3, effort="thorough").parameters.tokens()
    assert quick is not None
    assert thorough is not None
    assert thorough <= quick


def test_large_sizes_have_short_numbers() -> None:
    point = shortest_prompt("A", 8, 8, [8] * 8, cover="chosen").parameters
    assert point.reached is not None
    for size in (point.m, *point.n, *point.x, *point.reached):
        assert isinstance(size, int)
        assert size.bit_length() - (size & -size).bit_length() <= 48


def test_largest_reached_is_the_largest() -> None:
    rng = random.Random(5)
    for _ in range(200):
        tries, size = rng.randint(2, 2**20), rng.randint(2, 2**24)
        left = rng.randint(1, 4 * tries)
        best = largest_cover(left, tries, size)

        def allows(theta: int, left: int = left, tries: int = tries, size: int = size) -> bool:
            right = (tries - theta) * np.log2(size / theta) - theta / np.log(2)
            return bool(left <= right * (1 + 1e-9)) and theta <= tries

        assert allows(best) if best else not allows(1)
        assert not allows(best + 1 + (best >> 25)) or best + 1 > tries


@pytest.mark.parametrize("L", [1, 2, 3, 5, 8, 10])
def test_the_fixed_point(L: int) -> None:
    cover = "chosen" if L == 3 else "half"
    message = Message(heads=4, dim=16, bits=8, score_bits=8)
    for theorem in ("A", "B"):
        linear = linear_bits(theorem, L, 1000)[: L + (theorem == "B")]
        found = shortest_prompt_of_model(theorem, L, message, linear, cover=cover)
        assert found.certified
        assert found.beta >= message.beta(log2_tokens(found))
        if 2 <= L <= 5:  # and hardly larger: with the β of a prompt half as long nothing shorter is consistent
            assert found.beta <= message.beta(log2_tokens(found) + 1)


def test_the_message_size() -> None:
    assert Message(8, 64, 16, 16).beta(20) == 8 * (64 * (16 + 16 + 20 + 1) + 16 + 20)
    assert Message(8, 64, 16, 10).product == 8 * 64 * 16
    with pytest.raises(InputError, match="heads is 0; allowed are 1 and above"):
        Message(0, 64, 16, 16)


def test_bad_options() -> None:
    with pytest.raises(InputError, match="cover is 'third'; allowed are half and chosen"):
        shortest_prompt("A", 2, 8, [0, 0], cover="third")
    with pytest.raises(InputError, match="theorem is 'C'; A and B have schedules"):
        shortest_prompt("C", 2, 8, [0, 0])


@pytest.mark.parametrize(("L", "beta"), [(3, 1), (4, 2), (6, 1), (6, 2)])
def test_no_number_runs_away(L: int, beta: int) -> None:
    """With small β and Λ = 0 the real problem is nearly unbounded; what is tried has no more digits than golden."""
    golden = least_golden(Rule.A_FREE, L, beta, [0] * L).evaluation.parameters.tokens_log2()
    problem = SearchProblem(Rule.A_FREE, L, beta, (0,) * L, False)
    relaxation = Relaxation(Rule.A_FREE, L, beta, [0] * L)
    start = golden_start(problem, least_golden(Rule.A_FREE, L, beta, [0] * L))
    found = relaxation.shortest(sizes_box(problem, relaxation.count, start), start)
    assert found is not None
    assert max(point.max() for point in (found.z, *found.path)) < start[L : 2 * L].sum() + 1
    assert shortest_prompt("A", L, beta, [0] * L).parameters.tokens_log2() < golden


@pytest.mark.parametrize("chosen", [False, True])
def test_long_numbers_leave_the_same_room(chosen: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Balls for numbers of many digits say the same as integers."""
    candidate = (1 << 40, 3 << 300, 5, 7 << 500, 11 << 60, 13 << 900)
    problem = SearchProblem(Rule.A, 3, 8, (8, 9, 10), chosen)
    in_balls, length = problem.slack(candidate), problem.length(candidate)
    monkeypatch.setattr("separation.bounds.search.slack.LONG_BITS", 10**9)
    assert problem.slack(candidate) == pytest.approx(in_balls, abs=1e-9)
    assert problem.length(candidate) == length == 2 + (13 << 900) * (1 + (7 << 500) * (1 + (11 << 60)))
