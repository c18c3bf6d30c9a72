"""One full layer composes two tables by several look-ups: weights, proofs by cases, twins, the bracketed threshold."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from constructions import bracket
from constructions.bracket_cases import prove_by_cases
from constructions.bracket_extremes import decided_by_extremes, failed_premise
from constructions.bracket_table import RUN_SIZES, RUN_WORDS, bracket_row, bracket_rows, largest_impossible
from separation.bounds.theorems.theorem_a2 import theorem_a2
from separation.files import InputError
from separation.models import Head, Layer, run
from separation.protocol import Cut, simulate
from separation.proving import Construction, certified_proof
from separation.tasks.funccomp import Instance, Sizes, answer, token_ids
from separation.tasks.shape import bit_count

BUILT = [("FR", 0), ("RF", 0), ("RRF", 1), ("RRF", 2)]


def all_inputs(sizes: Sizes) -> list[Instance]:
    tables = product(*(product(range(size), repeat=size) for size in sizes.N))
    queries = list(product(*map(range, sizes.n)))
    return [Instance(sizes, z0, chosen, w) for chosen, z0, w in product(tables, range(sizes.m), queries)]


def wrong_answers(subject: Construction, instances: list[Instance]) -> int:
    prompts = np.array([token_ids(instance) for instance in instances])
    found = run(subject.model, prompts).answers
    return int((found != np.array([answer(instance) for instance in instances])).sum())


def random_inputs(sizes: Sizes, count: int) -> list[Instance]:
    rng = np.random.default_rng(17)
    return [
        Instance(
            sizes,
            int(rng.integers(sizes.m)),
            [rng.integers(size, size=size) for size in sizes.N],
            [int(rng.integers(size)) for size in sizes.n],
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize(("word", "cell_bits"), [("FR", 0), ("RF", 0), ("RRF", 1)])
def test_all_inputs_of_the_smallest_tables(word: str, cell_bits: int) -> None:
    sizes = Sizes(2, (2,))
    instances = all_inputs(sizes)
    assert len(instances) == 4096
    assert wrong_answers(bracket.build(sizes, word, cell_bits), instances) == 0


@pytest.mark.parametrize("sizes", [Sizes(4, (3,)), Sizes(3, (1,)), Sizes(5, (2,))])
@pytest.mark.parametrize(("word", "cell_bits"), BUILT)
def test_proved_for_all_inputs(sizes: Sizes, word: str, cell_bits: int) -> None:
    subject = bracket.build(sizes, word, cell_bits)
    plan = bracket.plan_of(sizes, word, cell_bits)
    if plan.low:
        found = prove_by_cases(subject, plan)
        assert found.ok, found.failure
        assert found.cases == plan.candidates
    else:
        assert certified_proof(subject).ok
    assert wrong_answers(subject, random_inputs(sizes, 40)) == 0


def test_a_whole_table_in_the_state_is_certified_by_the_kernel() -> None:
    found = certified_proof(bracket.build(Sizes(8, (4,)), "RRF"))
    assert found.ok
    assert found.certificate is not None


def test_what_is_selected_is_not_proved_without_cases() -> None:
    assert not certified_proof(bracket.build(Sizes(4, (2,)), "FR")).ok


def broken(word: str, what: str) -> Construction:
    """A construction with one thing wrong, at m = 4, n_1 = 2."""
    sizes = Sizes(4, (2,))
    subject = bracket.build(sizes, word)
    layers = list(subject.model.layers)
    place = 0 if word == "FR" else 1
    looking, selecting = layers[place], layers[-1]
    if what == "two candidates are one":
        heads = (replace(looking.heads[0], w_q=looking.heads[1].w_q), *looking.heads[1:])
        layers[place] = Layer(heads, looking.mlps)
    elif what == "rows are swapped":
        first, second = looking.heads[:2]
        heads = (replace(first, w_o=second.w_o), replace(second, w_o=first.w_o), *looking.heads[2:])
        layers[place] = Layer(heads, looking.mlps)
    elif what == "nothing is selected":
        layers[-1] = Layer(selecting.heads, selecting.mlps[:-1])
    elif what == "i_1 is not read":
        layers[place] = Layer((*looking.heads[:-1], looking.heads[0]), looking.mlps)
    return replace(subject, model=replace(subject.model, layers=tuple(layers)))


@pytest.mark.parametrize(
    "what", ["two candidates are one", "rows are swapped", "nothing is selected", "i_1 is not read"]
)
@pytest.mark.parametrize("word", ["FR", "RF"])
def test_broken_twins_are_not_proved_and_answer_wrongly(word: str, what: str) -> None:
    sizes = Sizes(4, (2,))
    subject = broken(word, what)
    assert not prove_by_cases(subject, bracket.plan_of(sizes, word)).ok
    assert wrong_answers(subject, random_inputs(sizes, 100)) > 0


@pytest.mark.parametrize(("word", "cell_bits"), BUILT)
def test_the_simulator_counts_heads_and_states(word: str, cell_bits: int) -> None:
    """β = Σ_heads d·(P+p+k+1) + P+k, k = ⌈log2 n⌉; a state is p+1 bits for each number."""
    sizes = Sizes(4, (2,))
    subject = bracket.build(sizes, word, cell_bits)
    (instance,) = random_inputs(sizes, 1)
    found = simulate(subject.model, token_ids(instance), Cut.of_task(sizes))
    assert found.ok
    assert found.answers[0] == answer(instance)
    transcript, plan = found.transcript, bracket.plan_of(sizes, word, cell_bits)
    full = next(layer for layer in subject.model.layers if isinstance(layer.heads[0], Head))
    assert len(full.heads) == (plan.candidates + 1 if plan.low else 1)
    precision, k = subject.model.precision, bit_count(sizes.length)
    P, p = precision.score_bits, precision.bits
    assert transcript.beta == sum(head.w_v.shape[0] * (P + p + k + 1) + P + k for head in full.heads)
    assert transcript.agrees
    assert transcript.linear is not None
    assert (transcript.linear[0] == 0) == (word == "FR")


def test_no_theorem_forbids_what_is_built() -> None:
    """β and Λ of the protocols, counted in fields: Theorem A2 excludes them for no Θ."""
    for row in bracket_rows((2, 4, 8, 64), (1, 3, 64)):
        assert not any(theorem_a2(row.m, (row.n1,), t, row.built, row.linear).holds for t in range(1, row.m + 1))


def test_the_threshold_is_bracketed() -> None:
    row = bracket_row("FR", 64, 64)
    assert row.built == 64 * 12
    assert row.linear == (0, 6)
    assert row.impossible is not None
    assert theorem_a2(64, (64,), 64, row.impossible, row.linear).holds
    assert not any(theorem_a2(64, (64,), t, row.impossible + 1, row.linear).holds for t in range(1, 65))
    assert row.ratio is not None
    assert 1 <= row.ratio < 1.02
    assert bracket_row("RF", 64, 8).ratio < 1.4  # type: ignore[operator]
    assert largest_impossible(2, 1, (50, 50)) is None


def test_bad_requests() -> None:
    with pytest.raises(InputError, match="two tables"):
        bracket.build(Sizes(4, (2, 2)))
    with pytest.raises(InputError, match="word"):
        bracket.build(Sizes(4, (2,)), "FF")
    with pytest.raises(InputError, match="stores no cells"):
        bracket.build(Sizes(4, (2,)), "FR", 1)


@pytest.mark.parametrize("sizes", [Sizes(4, (2,)), Sizes(2, (4,)), Sizes(8, (1,))])
@pytest.mark.parametrize(("word", "cell_bits"), [("FR", 0), ("RF", 0), ("RRF", 1)])
def test_extreme_tables_decide_the_same_without_the_prover(sizes: Sizes, word: str, cell_bits: int) -> None:
    subject, plan = bracket.build(sizes, word, cell_bits), bracket.plan_of(sizes, word, cell_bits)
    assert decided_by_extremes(subject, plan) is None
    assert prove_by_cases(subject, plan).ok


@pytest.mark.parametrize(
    "what", ["two candidates are one", "rows are swapped", "nothing is selected", "i_1 is not read"]
)
@pytest.mark.parametrize("word", ["FR", "RF"])
def test_extreme_tables_refute_broken_twins(word: str, what: str) -> None:
    found = decided_by_extremes(broken(word, what), bracket.plan_of(Sizes(4, (2,)), word))
    assert found is not None
    assert "answers" in found


def test_extreme_tables_find_what_random_ones_do_not() -> None:
    """A temperature that leaves the other entries too much weight: they matter only if all of them disagree."""
    sizes = Sizes(8, (4,))
    subject = bracket.build(sizes, "RRF", 3, temperature=1)
    assert wrong_answers(subject, random_inputs(sizes, 40)) == 0
    assert decided_by_extremes(subject, bracket.plan_of(sizes, "RRF", 3, temperature=1)) is not None


def test_premises_of_the_extremes_are_checked() -> None:
    sizes = Sizes(4, (2,))
    subject, plan = bracket.build(sizes, "FR"), bracket.plan_of(sizes, "FR")
    layers = subject.model.layers
    head = layers[0].heads[0]
    assert isinstance(head, Head)
    sees_values = Layer(
        (replace(head, w_k=head.w_k.with_entry(0, plan.stream["value"][0], 1)), *layers[0].heads[1:]), layers[0].mlps
    )
    falls = Layer(layers[0].heads, (replace(layers[0].mlps[0], w_2=layers[0].mlps[0].w_2.scaled(-1)),))
    for first, reason in ((sees_values, "a key depends"), (falls, "does not grow")):
        changed = replace(subject, model=replace(subject.model, layers=(first, *layers[1:])))
        assert reason in (failed_premise(changed, plan) or "")
    assert "powers of two" in (failed_premise(bracket.build(Sizes(3, (2,)), "FR"), plan) or "")


def test_two_extremes_agree_with_all_inputs() -> None:
    """At the smallest sizes all inputs are run: the extremes among them are wrong if any is."""
    sizes = Sizes(2, (2,))
    for temperature in (1, 2, None):
        subject, plan = (
            bracket.build(sizes, "RF", temperature=temperature),
            bracket.plan_of(sizes, "RF", 0, temperature),
        )
        assert (wrong_answers(subject, all_inputs(sizes)) == 0) == (decided_by_extremes(subject, plan) is None)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [Sizes(m, (n1,)) for m, n1 in RUN_SIZES])
@pytest.mark.parametrize(("word", "cell_bits"), RUN_WORDS)
def test_extreme_tables_at_the_smallest_sizes_of_the_table(sizes: Sizes, word: str, cell_bits: int) -> None:
    subject, plan = bracket.build(sizes, word, cell_bits), bracket.plan_of(sizes, word, cell_bits)
    assert decided_by_extremes(subject, plan) is None
