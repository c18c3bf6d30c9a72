"""What the recipe does: the rate, Muon for matrices, shared tables, orthogonal codes; and the depth figure."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch")

import torch

from separation.bounds import Word
from separation.experiments import load_plan
from separation.experiments.composition import Composition, Embedding, Network, Shape
from separation.experiments.runs import Run
from separation.experiments.training import STOP_SEED, TEST_SEED, Recipe, optimizers, train
from separation.tasks.funccomp import Sizes, answer, from_token_ids

SIZES = Sizes(4, (3, 2))
RECIPE = Recipe(**load_plan("depth").recipe)


def run_of(word: str, **settings: object) -> Run:
    small = {"bits": 1, "width": 16, "match": 8, "head": 4, "inner": 16, **settings}
    return Run("depth", "funccomp", word, 4, (), 0, 4, "", tuple(sorted(small.items())))


def test_the_rate_warms_up_stays_and_falls() -> None:
    recipe = replace(RECIPE, warm_up=10, flat=0.5)
    assert [recipe.rate_at(step, 100) for step in (0, 4, 9, 50, 75, 100)] == pytest.approx([0.1, 0.5, 1, 1, 0.5, 0])


def test_muon_has_the_matrices_and_adamw_all_else() -> None:
    network = Network("RF", SIZES, Shape())
    (rest, _), (muon, _) = optimizers(network, RECIPE)
    names = {id(value): name for name, value in network.named_parameters()}
    of_muon, of_rest = ({names[id(value)] for value in each.param_groups[0]["params"]} for each in (muon, rest))
    assert of_muon | of_rest == set(names.values())
    assert not of_muon & of_rest
    assert {"mixers.1.query.weight", "embedding.address.weight", "decoder.read.0.weight"} <= of_muon
    assert {"embedding.codes.weight", "mixers.0.gates.weight", "norms.0.weight"} <= of_rest
    assert len(optimizers(network, replace(RECIPE, optimizer="adamw"))) == 1


def test_a_batch_asks_each_table_set_many_queries_and_wants_the_hops_of_each() -> None:
    problem = Composition(replace(run_of("F"), n=(3, 2)))
    inputs, wanted = problem.batch(np.random.default_rng(1), 5, 7)
    assert (inputs.shape, wanted.shape) == ((5, SIZES.length + 12), (5, 7, 4))
    for row, hops in zip(inputs.numpy(), wanted.numpy(), strict=True):
        for number in range(7):
            first = SIZES.length - 2 + 2 * number
            alone = np.concatenate([row[: SIZES.length - 2], row[first : first + 2]])
            assert answer(from_token_ids(SIZES, alone)) == hops[number, -1]
    assert len(wanted[0, :, 0].unique()) > 1


def test_training_stops_when_nothing_is_wrong_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Composition(run_of("RF"))
    recipe = replace(RECIPE, tables=2, queries=2, interval=1, stop=0.0)
    assert train(problem, run_of("RF"), recipe, None)[0] == 1
    assert train(problem, run_of("RF"), replace(recipe, stop=2.0), None)[0] == 4
    seeds = []
    monkeypatch.setattr(problem, "tested", lambda _, __, ___, seed: (seeds.append(seed), (-1, 10, ()))[1])
    assert train(problem, run_of("RF"), recipe, None)[0] == 4
    assert seeds == [STOP_SEED] * 3  # other inputs than those of the test afterwards
    assert STOP_SEED != TEST_SEED


def test_codes_kinds_and_digits_start_at_right_angles() -> None:
    for width, orthogonal in ((64, True), (16, False)):  # 24 codes, 5 kinds, 6 digits: not in 16 dimensions
        embedding = Embedding(SIZES, Shape(width=width))
        rows = torch.cat([embedding.kind.weight, embedding.codes.weight, embedding.digit.weight]).detach()
        products = rows @ rows.T / width
        assert torch.allclose(products, 0.09 * torch.eye(len(rows)), atol=1e-6) == orthogonal


def test_the_last_layers_have_a_decoder_each() -> None:
    network = Network("RRFRF", Sizes(4, (3,)), Shape(width=16, inner=16))
    stream = torch.randn(3, 16, generator=torch.Generator().manual_seed(1))
    read = [network.logits(stream, layer) for layer in range(5)]
    assert torch.equal(read[4], network.logits(stream))
    assert not any(torch.equal(read[a], read[b]) for a, b in ((2, 3), (2, 4), (3, 4)))
    assert torch.equal(read[0], read[2])  # the earlier ones share the first of three


def test_all_words_of_the_same_sizes_are_trained_alike_and_shallow_ones_cannot_hold_table_1() -> None:
    for quick in (True, False):
        alike: dict[object, set[object]] = {}
        for run in load_plan("depth", quick).runs:
            settings = {name: value for name, value in run.settings if name not in ("keys", "values")}
            alike.setdefault((run.m, run.n), set()).add((run.steps, run.recipe, str(settings)))
            if Word.parse(run.word).depth <= len(run.n):
                states = sum(Composition(run).bits[1])
                assert (states >= run.m * math.log2(run.m)) == (run.label == "48 bits of state")
        assert all(len(each) == 1 for each in alike.values())
