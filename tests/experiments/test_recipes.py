"""What the recipes of the plans do: simple tables, the rate, late rounding, orthogonal codes; and the depth figure."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs torch")

import torch

from separation.experiments import load_plan
from separation.experiments.composition import Composition, Embedding, Network, Shape
from separation.experiments.distributions import simplify
from separation.experiments.figures import draw_depth, noise_of
from separation.experiments.layers import Mixer
from separation.experiments.runs import Run
from separation.experiments.training import Recipe, train
from separation.tasks.funccomp import Sizes
from separation.tasks.funccomp.families import random_prompts

SIZES = Sizes(4, (3, 2))


def tables(prompts: np.ndarray, level: int) -> np.ndarray:
    """(prompts, w, i), read from the prompt by its definition."""
    start = sum(SIZES.N[other - 1] for other in range(level + 1, SIZES.L + 1))
    inner = SIZES.N[level - 2]
    return prompts[:, start : start + SIZES.N[level - 1]].reshape(len(prompts), -1, inner)


def depends(prompts: np.ndarray, level: int) -> tuple[np.ndarray, np.ndarray]:
    """Of which prompts the table depends on w, and of which on i."""
    found = tables(prompts, level)
    return (found != found[:, :1]).any((1, 2)), (found != found[:, :, :1]).any((1, 2))


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_simple_tables_depend_on_half_of_the_address_and_others_are_untouched(share: float) -> None:
    prompts = random_prompts(SIZES, np.random.default_rng(1), 400)
    before = prompts.copy()
    simplify(SIZES, prompts, share, np.random.default_rng(2))
    for level in (2, 3):
        on_w, on_i = depends(prompts, level)
        assert abs(float((on_w & on_i).mean()) - (1 - share)) < 0.1
        assert (tables(prompts, level) == tables(before, level))[on_w & on_i].all()
    (w_2, i_2), (w_3, i_3) = depends(prompts, 2), depends(prompts, 3)
    assert not ((w_2 & ~i_2) & (i_3 & ~w_3)).any()  # the same half in all tables of a prompt
    assert not ((i_2 & ~w_2) & (w_3 & ~i_3)).any()
    assert (prompts[:, -6:] == before[:, -6:]).all()  # table 1, z_0 and w


def test_rate_and_share_of_simple_inputs() -> None:
    recipe = Recipe(rate=2.0, flat=0.5, simple=0.6, simple_until=0.8)
    assert [recipe.rate_at(done) for done in (0, 0.5, 0.75, 1)] == pytest.approx([2, 2, 1, 0])
    assert [recipe.simple_at(done) for done in (0, 0.4, 0.6, 0.8, 1)] == pytest.approx([0.6, 0.6, 0.3, 0, 0])
    assert Recipe().simple_at(0) == 0


def run_of(word: str, **settings: object) -> Run:
    small = {"bits": 1, "width": 16, "head": 4, "inner": 16, **settings}
    return Run("depth", "funccomp", word, 4, (), 0, 4, "", tuple(sorted(small.items())))


def test_a_model_that_was_trained_unrounded_rounds_when_it_is_tested() -> None:
    problem = Composition(run_of("RF"))
    seen = []
    layers = [module for module in problem.network.modules() if isinstance(module, Mixer)]
    layers[0].register_forward_hook(lambda *_: seen.append(layers[0].rounding))
    train(problem, run_of("RF"), Recipe(batch=4, rounded_from=0.5), None)
    assert seen == [False, False, True, True]
    assert all(layer.rounding for layer in layers)
    number = torch.tensor([0.3])
    assert layers[0].passed(number) == 1
    layers[0].rounding = False
    assert layers[0].passed(number) == number


def test_codes_kinds_and_digits_start_at_right_angles() -> None:
    for width, orthogonal in ((64, True), (16, False)):  # 24 codes, 5 kinds, 6 digits: not in 16 dimensions
        embedding = Embedding(SIZES, width, 0.3)
        rows = torch.cat([embedding.kind.weight, embedding.codes.weight, embedding.digit.weight]).detach()
        products = rows @ rows.T / width
        assert torch.allclose(products, 0.09 * torch.eye(len(rows)), atol=1e-6) == orthogonal


def test_each_layer_has_a_probe_and_the_answer_the_decoder() -> None:
    network = Network("FRF", SIZES, Shape(width=16, inner=16, probes=True))
    stream = torch.randn(3, 16, generator=torch.Generator().manual_seed(1))
    read = [network.logits(stream, layer) for layer in range(3)]
    assert not any(torch.equal(read[a], read[b]) for a, b in ((0, 1), (0, 2), (1, 2)))
    assert torch.equal(read[2], network.logits(stream))
    shared = Network("FRF", SIZES, Shape(width=16, inner=16))
    assert torch.equal(shared.logits(stream, 0), shared.logits(stream))


def test_all_words_of_the_same_sizes_are_trained_alike() -> None:
    """Steps and recipe of all runs from scratch; the widths of one hundred layers are their own."""
    for quick in (True, False):
        alike: dict[object, set[object]] = {}
        for run in load_plan("depth", quick).runs:
            if run.setting("noise", None) is None:
                alike.setdefault((run.m, run.n), set()).add((run.steps, run.recipe))
        assert all(len(each) == 1 for each in alike.values())


def row(word: str, L: int, label: str, accuracy: float, ceiling: str = "") -> dict[str, str]:
    n = " ".join(["2"] * (L - 1))
    numbers = {"accuracy": accuracy, "low": accuracy, "high": accuracy}
    found = {"word": word, "L": L, "label": label, "m": 4, "n": n, "steps": 5, "ceiling": ceiling, **numbers}
    return {name: str(value) for name, value in found.items()}


def test_the_depth_figure_has_a_panel_for_each_number_of_tables_and_one_for_warm_starts() -> None:
    rows = [row("F", 1, "F", 0.2, "0.7"), row("R100F", 1, "R100F", 1.0), row("FF", 1, "FF", 1.0)]
    rows += [row("FF", 2, "FF", 0.3), row("FFF", 2, "built + 0.03", 1.0), row("FFF", 2, "built + 1", 0.1)]
    assert [noise_of(each) for each in rows[-2:]] == [0.03, 1]
    panels = draw_depth("title", rows).axes
    assert [panel.get_title().split(",")[0] for panel in panels] == [
        "L = 1 (m = 4)",
        "L = 2 (m = 4",
        "from the built weights",
    ]
    words = [label.get_text() for label in panels[0].get_xticklabels()]
    assert words == ["F\n0", "R¹⁰⁰F\n1", "FF\n1"]
    assert [text.get_text() for text in panels[0].texts] == ["0/1", "1/1", "1/1"]
    ceilings = [bar for bar in panels[0].collections if bar.get_linewidth()[0] == 2]
    assert [bar.get_segments()[0][0][1] for bar in ceilings] == [0.7]


def test_another_recipe_is_another_run() -> None:
    run = run_of("F")
    assert len({replace(run, recipe=recipe).key for recipe in ((), (("rate", 1e-3),), (("rate", 2e-3),))}) == 3
