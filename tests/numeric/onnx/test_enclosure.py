"""Balls contain what a graph says: on points and on boxes, for every operator."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

from flint import arb

from constructions.stock import target
from separation.numeric.onnx import enclosure
from separation.numeric.onnx.enclosure import CannotEnclose, box, enclose, least_lead
from separation.numeric.onnx.graph import Graph, with_onnxruntime
from separation.numeric.onnx.networks import stock_graph
from separation.tasks.funccomp import Sizes, sample, token_ids

ROUNDINGS = 1e-3
TINY = Sizes(2, ())


def everything(seed: int) -> Any:
    """A graph with every operator that has a rule, of random weights."""
    rng, graph = np.random.default_rng(seed), Graph("plain")
    x = graph.node("Reshape", graph.linear("X", rng.normal(size=(6, 12))), graph.stored(np.array([-1, 3, 4])))
    x = graph.layer_norm(x, rng.normal(size=4), rng.normal(size=4), 0.5)
    x = graph.node("Add", x, graph.causal_attention(x, x, graph.linear(x, rng.normal(size=(4, 4))), 2, 2, 3))
    x = graph.rms_norm(x, rng.normal(size=4), 0.25)
    x = graph.node("Add", graph.node("Relu", x), graph.gelu(graph.silu(x)))
    return graph.build(("X", "FLOAT", ["batch", 6]), graph.linear(graph.last_row(x, 3), rng.normal(size=(4, 3))), 3, "")


@pytest.mark.parametrize(("seed", "radius"), [(0, 0.0), (1, 1e-3), (2, 0.05), (3, 1.0)])
def test_runs_of_inputs_in_a_box_lie_in_the_balls(seed: int, radius: float) -> None:
    model, rng = everything(seed), np.random.default_rng(seed)
    centre = rng.normal(size=6).astype(np.float32).astype(np.float64)
    found = enclose(model, box(centre - radius, centre + radius))
    moves = rng.uniform(-1, 1, (200, 6))
    moves[:100] = np.sign(moves[:100])
    runs = with_onnxruntime(model)((centre + radius * moves).astype(np.float32))
    for output, ball in zip(runs.T, found[0], strict=True):
        assert output.min() >= float(ball.lower()) - ROUNDINGS
        assert output.max() <= float(ball.upper()) + ROUNDINGS
    if not radius:
        assert all(float(ball.rad()) < 1e-10 for ball in found[0])


def test_a_softmax_that_forgets_a_key_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(x: Any, axis: int) -> Any:
        found = softmax(x, axis)
        found[..., 0] = arb(0)
        return found

    softmax = enclosure.RULES["Softmax"]
    monkeypatch.setitem(enclosure.RULES, "Softmax", forgetful)
    with pytest.raises(AssertionError):
        test_runs_of_inputs_in_a_box_lie_in_the_balls(0, 0.0)


@pytest.mark.parametrize("to", ["gpt2", "llama"])
def test_stock_graphs_lead_over_a_whole_box_and_lose_it_where_it_is_too_large(to: str) -> None:
    checkpoint = target(to).build(TINY)
    name = "transformer.wte.weight" if to == "gpt2" else "model.embed_tokens.weight"
    model = stock_graph(checkpoint.config, checkpoint.tensors, TINY.length, style="plain", embedded=True)
    instance = sample(TINY, 3)
    centre = checkpoint.tensors[name][token_ids(instance)].astype(np.float32).astype(np.float64).reshape(-1)
    right = instance.tables[0][instance.z0]

    def lead(radius: float) -> Fraction:
        return least_lead(enclose(model, box(centre - radius, centre + radius)), right)

    assert lead(2**-10) > Fraction(1, 2)
    assert lead(0.0) > lead(2**-12) > lead(2**-10)
    with pytest.raises((CannotEnclose, AssertionError)):
        assert lead(1.5) > 0


@pytest.mark.parametrize(
    ("operator", "inputs", "said"),
    [("Tanh", 1, "no rule for the operator Tanh"), ("Div", 2, "a quotient by what may be 0"), ("Sqrt", 1, "a root")],
)
def test_what_has_no_rule_is_refused(operator: str, inputs: int, said: str) -> None:
    graph = Graph("plain")
    model = graph.build(("X", "FLOAT", [1, 2]), graph.node(operator, *["X"] * inputs), 2, "")
    with pytest.raises(CannotEnclose, match=said):
        enclose(model, box([-1.0, 1.0], [1.0, 2.0]))
