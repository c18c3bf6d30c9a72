"""The trained layers: the parallel form is the recurrence; what passes a cut has the bits that are counted."""

from __future__ import annotations

from itertools import product

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from separation.experiments.composition import Network, Shape
from separation.experiments.layers import GatedDelta, parallel, rounded
from separation.tasks.funccomp import Sizes


def scanned(state, query, key, value, kept, written):
    """The gated delta rule token by token, as it is defined."""
    outputs = []
    for t in range(key.shape[1]):
        old = kept[:, t, :, None] * state
        wrong = value[:, t] - (old @ key[:, t, :, None]).squeeze(-1)
        state = old + (written[:, t] * wrong)[:, :, None] * key[:, t, None, :]
        outputs.append((state @ query[:, t, :, None]).squeeze(-1))
    return torch.stack(outputs, 1), state


def random_parts(tokens: int = 7):
    random = torch.Generator().manual_seed(5)
    shapes = [(2, 3, 4), (2, tokens, 4), (2, tokens, 4), (2, tokens, 3)]
    parts = [torch.randn(shape, generator=random, dtype=torch.float64) for shape in shapes]
    gates = [torch.rand((2, tokens, 1), generator=random, dtype=torch.float64) for _ in range(2)]
    return [parts[0], parts[1], torch.nn.functional.normalize(parts[2], dim=-1), parts[3], *gates]


def test_the_parallel_form_is_the_scan_and_not_that_of_another_gate() -> None:
    parts = random_parts()
    found = parallel(*parts[:4], parts[4].log(), parts[5])
    for each, wanted in zip(found, scanned(*parts), strict=True):
        torch.testing.assert_close(each, wanted, rtol=0, atol=1e-12)  # 7 steps of float64, numbers of order 1
    assert not torch.allclose(found[0], scanned(*parts[:4], parts[4] ** 2, parts[5])[0])


def awake(network: Network) -> Network:
    """With layers that add something from the first step on."""
    with torch.no_grad():
        for layer in (*network.mixers, *network.mlps):
            layer.out.weight.normal_()
    return network


def outputs_for_all_tables(word: str, shape: Shape) -> int:
    """How many different streams the last token can have over all tables, z_0 and w fixed."""
    torch.manual_seed(3)
    sizes = Sizes(4, ())
    network = awake(Network(word, sizes, shape))
    prompts = torch.tensor([[*table, 1, 4] for table in product(range(4), repeat=4)])
    with torch.no_grad():
        return len(network(prompts)[-1].flatten(1).unique(dim=0))


SMALL = {"width": 8, "match": 4, "head": 1, "keys": 1, "values": 1, "inner": 8}


@pytest.mark.parametrize(("word", "bits", "passed"), [("R", 1, 1), ("RR", 1, 2), ("R", 3, 3), ("F", 1, 2), ("W", 1, 4)])
def test_one_layer_alone_passes_at_most_the_bits_that_are_counted(word: str, bits: int, passed: int) -> None:
    """States of R and of windows; the message of F."""
    shape = Shape(**SMALL, bits=bits, window=2, window_head=1)
    network = Network(word, Sizes(4, ()), shape)
    assert (network.message_bits if word == "F" else sum(network.state_bits)) == passed
    assert outputs_for_all_tables(word, shape) <= 2**passed


@pytest.mark.parametrize("word", ["R", "F"])
def test_without_rounding_there_are_more(word: str) -> None:
    assert outputs_for_all_tables(word, Shape(**SMALL)) > 16


@pytest.mark.parametrize("word", ["FF", "RR", "WW", "FRWF"])
def test_queries_that_share_tables_are_answered_as_if_each_were_alone(word: str) -> None:
    torch.manual_seed(6)
    sizes = Sizes(3, (2,))
    network = awake(Network(word, sizes, Shape(width=16, bits=3, window=4))).double()
    tables, asked = torch.randint(3, (5, sizes.length - 2)), torch.tensor([[0, 6], [2, 7], [1, 6]])
    with torch.no_grad():
        together = network(torch.cat([tables, asked.flatten().expand(5, -1)], 1))
        for number, query in enumerate(asked):
            alone = network(torch.cat([tables, query.expand(5, -1)], 1))
            for shared, own in zip(together, alone, strict=True):
                torch.testing.assert_close(shared[:, number], own[:, 0], rtol=0, atol=1e-12)
        assert not torch.allclose(together[-1][:, 0], together[-1][:, 1])


def test_every_table_ends_in_a_cut() -> None:
    network = Network("RF", Sizes(2, (3,)), Shape())
    assert network.mixers[0].cuts == (6, 8)
    assert isinstance(network.mixers[0], GatedDelta)


def test_rounded_numbers_are_on_the_grid_and_let_gradients_through() -> None:
    values = torch.linspace(-2, 2, 41, requires_grad=True)
    found = rounded(values, bits=2)
    assert len(found.detach().unique()) == 4
    found.sum().backward()
    assert values.grad[20] == 1
