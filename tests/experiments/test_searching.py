"""2-Sum with a sparse layer: the inputs of Theorem D', summaries of r bits, and ceilings."""

from __future__ import annotations

from dataclasses import asdict, replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from tiny_plans import tiny_plan

import separation
from constructions import build
from separation.bounds.theorems.theorem_d import most_hits
from separation.experiments.distributions import DISTRIBUTIONS, TWO_SUM_DISTRIBUTIONS, two_sum_uniform
from separation.experiments.proved import SparseShape, least_bits, sparse_ceiling, summary_of_c7
from separation.experiments.runs import read_csv
from separation.experiments.searching import SparseNetwork, WorkspaceNetwork, has_match
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import FAMILIES, TwoSumSizes, batch_outputs

SIZES = TwoSumSizes(9, 31)
SMALL = {"width": 8, "heads": 2, "head": 4, "inner": 8}


@pytest.mark.parametrize("name", TWO_SUM_DISTRIBUTIONS)
def test_prompts_are_inputs_of_the_task_and_half_have_a_match(name: str) -> None:
    prompts = TWO_SUM_DISTRIBUTIONS[name](SIZES, np.random.default_rng(0), 400)
    wanted = batch_outputs(SIZES, prompts)[:, -1].astype(bool)  # refuses what is no input
    assert (has_match(31, prompts) == wanted).all()
    assert (has_match(29, prompts) != wanted).any()
    if name != "adversarial":
        assert wanted[:200].all()
        assert not wanted[200:].any()


def test_without_a_match_entries_and_query_are_uniform_given_that() -> None:
    """Over all inputs of M = 5 and two entries: each (x, entries) without a match equally often."""
    sizes = TwoSumSizes(3, 5)
    prompts = two_sum_uniform(sizes, np.random.default_rng(1), 2 * 36 * 400)[36 * 400 :]
    found, counts = np.unique(prompts, axis=0, return_counts=True)
    assert len(found) == 4 * 3 * 3
    assert abs(counts - 400).max() < 5 * 20  # five standard deviations


def test_a_chain_visits_every_index_once() -> None:
    for prompt in DISTRIBUTIONS["chain"](Sizes(6, ()), np.random.default_rng(2), 5):
        place, seen = 0, set()
        while place not in seen:
            seen.add(place)
            place = int(prompt[place])
        assert len(seen) == 6


def outputs_over_blocks(shape: SparseShape) -> int:
    """How many different summaries a block has, over all blocks."""
    torch.manual_seed(4)
    network = SparseNetwork(31, shape)
    entries = torch.tensor([[a, b] * shape.blocks for a, b in product(range(1, 31), repeat=2)])
    with torch.no_grad():
        return len(network.summaries(entries)[:, 0].unique(dim=0))


@pytest.mark.parametrize("compressor", ["linear", "mlp", "positional"])
@pytest.mark.parametrize(("bits", "numbers"), [(1, 3), (2, 2)])
def test_a_summary_has_at_most_two_to_the_r_values(compressor: str, bits: int, numbers: int) -> None:
    shape = SparseShape(**SMALL, bits=bits, summary_bits=bits * numbers, compressor=compressor)
    assert 1 < outputs_over_blocks(shape) <= 2**shape.summary_bits
    assert outputs_over_blocks(replace(shape, summary_bits=16 * bits)) > 2**shape.summary_bits  # with more bits, more


def test_entries_of_closed_blocks_are_seen_through_their_summaries_alone() -> None:
    """Among blocks with equal summaries it makes no difference which one stands in a place that is not opened."""
    torch.manual_seed(5)
    shape = SparseShape(**SMALL, summary_bits=2, opened=0)
    closed, read = SparseNetwork(31, shape), SparseNetwork(31, replace(shape, opened=4))
    pairs = torch.tensor(list(product(range(1, 31), repeat=2)))
    with torch.no_grad():
        for network, alike in ((closed, True), (read, False)):
            told = network.summaries(pairs.repeat(1, 4))[:, 0]
            first, second = pairs[(told == told[0]).all(1)][:2]
            answers = [network(torch.tensor([[*pair.tolist(), 7, 8, 9, 10, 11, 12, 5]])) for pair in (first, second)]
            assert torch.equal(*answers) == alike


def read_entries(network: WorkspaceNetwork, prompt: list[int]) -> set[int]:
    """Places of entries that change the answer, whatever is put there."""
    with torch.no_grad():
        usual, found = network(torch.tensor([prompt])), set()
        for place, value in product(range(len(prompt) - 1), range(1, 31)):
            changed = torch.tensor([[*prompt[:place], value, *prompt[place + 1 :]]])
            found |= {place} if not torch.equal(network(changed), usual) else set()
    return found


def test_one_layer_without_summaries_reads_k_blocks_and_two_layers_k_b_times_as_many() -> None:
    """The cone of D2: at most kB entries with one layer; with two and C8's choice of blocks all (kB)² of them."""
    shape = SparseShape(width=8, head=4, inner=8, opened=2, blocks=8, compressor="none", summary_bits=0)
    torch.manual_seed(6)
    one, two = (WorkspaceNetwork(31, shape, layers) for layers in (1, 2))
    prompt = [3, 5, 7, 9, 2, 4, 6, 8, 1, 10, 11, 12, 13, 14, 15, 16, 20]
    assert 0 < len(read_entries(one, prompt)) <= 4
    assert len(read_entries(two, prompt)) < 16  # blocks chosen at random are often the same
    optimizer = torch.optim.Adam([each for name, each in two.named_parameters() if name.startswith("choose")], 0.1)
    prompts = torch.as_tensor(two_sum_uniform(TwoSumSizes(17, 31), np.random.default_rng(3), 64))
    for _ in range(300):
        _, loss = two.hop_loss(prompts)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert read_entries(two, prompt) == set(range(16))


def test_the_workspace_is_that_of_c8() -> None:
    """The blocks that the loss asks for hold, after C8's layer 1, the counts of the y that the query looks for."""
    shape = SparseShape(width=8, head=4, inner=8, opened=1, blocks=2, compressor="none", summary_bits=0)
    network, prompts = WorkspaceNetwork(5, shape, 2), torch.tensor([[1, 2, 3, 4, 2]])
    _, ((_, first), (_, second)), _, _ = network.asked(prompts)
    wanted = 5 - 2
    block = network.space.first_block(1, wanted) - network.space.first_block(1, 1)
    assert second.tolist() == [[block]]
    tokens = range(block * 2, block * 2 + 2)
    assert network.y[list(tokens)].tolist() == [wanted, wanted]
    assert first[list(tokens)].tolist() == [[0], [1]]


@pytest.mark.parametrize(("modulus", "block"), [(11, 3), (33, 4)])
def test_the_built_line_of_the_sparse_figure_is_what_c7_has(modulus: int, block: int) -> None:
    (layer,) = build("C7", TwoSumSizes(4 * block + 1, modulus), block=block).model.layers
    assert summary_of_c7(modulus, block) == sum(head.c_k.shape[0] for head in layer.heads)
    assert all(head.w_k.entries() == head.w_v.entries() and head.c_k == head.c_v for head in layer.heads)
    assert least_bits(modulus, block, 1, 4) <= summary_of_c7(modulus, block)


def test_the_ceiling_is_above_what_the_theorem_allows_at_any_share_of_alarms() -> None:
    accident = 1 - Fraction(29, 30) ** 8
    for alarms, opened, bits in product((Fraction(0), Fraction(1, 7), Fraction(1)), (0, 1, 2), (0, 1, 2, 5)):
        hits = most_hits(bits, 2, opened, 4, min(Fraction(1), accident + (1 - accident) * alarms))
        assert (1 - alarms + hits) / 2 <= sparse_ceiling(bits, 31, 2, opened, 4)


def test_the_ceiling_of_a_looser_question_would_be_too_low() -> None:
    """Without the accidental matches the bound would forbid what a layer that opens nothing can do."""
    assert most_hits(0, 2, 0, 4, Fraction(0)) == 0
    assert sparse_ceiling(0, 31, 2, 0, 4) > Fraction(1, 2)
    assert sparse_ceiling(1, 31, 2, 0, 4) < 1 == sparse_ceiling(1, 31, 2, 4, 4)


@pytest.mark.parametrize("name", ["sparse", "shift"])
def test_a_run_counts_its_bits_and_is_tested_on_what_it_is_asked(tmp_path: Path, name: str) -> None:
    settings = {**SMALL, "train_on": "zipf"}
    vary = [{"label": label, "opened": opened, "summary_bits": 2} for label, opened in (("a", 0), ("b", 4))]
    group = {"words": ["F"], "tasks": ["two_sum"], "m": 31, "seeds": [0], "steps": 3}
    plan = tiny_plan(tmp_path, group | {"settings": settings, "vary": vary}, interval=1)
    report = separation.experiment(name, plan=plan, out=tmp_path, workers=1)
    closed, full = read_csv(report.csv)
    assert (closed["lambda"], closed["theorem"], full["theorem"]) == ("2", "D'", "")
    assert float(closed["ceiling"]) == float(sparse_ceiling(2, 31, 2, 0, 4))
    tested = {pair.split("=")[0] for pair in closed["shifted"].split()}
    assert tested == (set(TWO_SUM_DISTRIBUTIONS) | set(FAMILIES) if name == "shift" else set())
    assert (tmp_path / f"{name}.png").is_file()


def test_a_shape_is_read_from_a_table_as_from_a_plan() -> None:
    shape = SparseShape(opened=2, compressor="mlp", summary_bits=6, bits=2)
    assert SparseShape.chosen({name: str(value) for name, value in asdict(shape).items()} | {"noise": "1"}) == shape
    with pytest.raises(ValueError, match="no compressor is called 'mean'"):
        SparseShape.chosen({"compressor": "mean"})
    with pytest.raises(ValueError, match="no whole number"):
        SparseShape(summary_bits=5, bits=2)
    with pytest.raises(ValueError, match="say nothing have no bits"):
        SparseShape(compressor="none")
