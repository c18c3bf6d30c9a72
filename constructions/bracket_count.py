"""β and Λ of what `constructions.bracket` builds, counted: in runs of the simulator, and in the weights for all inputs.

With P = 0 a key weighs 1 if its score is the head's shift, and 0 if it is below. So a token hears a number from a head
only if its query may reach the shift; and as no two keys are alike, that is one coordinate of one token's value, −1 or
+1: one bit for each. An entry of a state is a bit of table 1 or of z_0, or, at a boundary before that token, 0; the
normaliser, 0 before z_0's token and 1 after it, says nothing.
"""

from __future__ import annotations

import numpy as np

from separation.models import Head, LinearHead
from separation.protocol import CountedBits, Cut, Public, counted_bits, simulate
from separation.proving import Construction
from separation.proving.attention import HeadForms, score_bound, visible_kinds
from separation.tasks.funccomp import Instance, Sizes, token_ids

Bits = tuple[int, tuple[int, ...]]
"""β, and Λ_0, Λ_1."""


def bits_in_weights(construction: Construction) -> Bits:
    """The largest sum, over the heads that a kind of token may hear, of their values; and the entries of states."""
    model = construction.model
    if model.precision.score_bits:
        raise ValueError(f"P is {model.precision.score_bits}: keys that do not match are heard as well")
    heard, entries = {kind.name: 0 for kind in construction.shape.kinds}, list[int]()
    for stage, layer in zip(construction.stages, model.layers, strict=False):
        streams = {name: invariant.as_forms() for name, invariant in stage.items()}
        for head in layer.heads_of(Head):
            forms = HeadForms.of(head, streams)
            for kind in construction.shape.kinds:
                keys = [forms.key[other.name] for other in visible_kinds(construction.shape, kind)]
                if any(score_bound(forms.query[kind.name], key) >= head.shift for key in keys):
                    heard[kind.name] += head.w_v.shape[0]
        stored = layer.heads_of(LinearHead)
        if stored:
            entries.append(sum(head.w_k.shape[0] * head.w_v.shape[0] for head in stored))
    word = Public(model, construction.shape.length).word
    return max(heard.values()), word.linear_bits(entries)


def simulated_bits(construction: Construction, seed: int = 17) -> CountedBits:
    """The simulator's messages: on tables of zeros, on tables of the largest values, and on random ones.

    Sizes are powers of two: between the first two prompts every bit of every entry changes, so each number that can
    change does.
    """
    sizes = construction.sizes
    assert isinstance(sizes, Sizes)
    rng, largest = np.random.default_rng(seed), sizes.N[1] - 1
    prompts = [
        Instance(sizes, 0, ([0] * sizes.m, [0] * sizes.N[1]), (0,)),
        Instance(sizes, sizes.m - 1, ([sizes.m - 1] * sizes.m, [largest] * sizes.N[1]), (sizes.n[0] - 1,)),
        Instance(sizes, 0, [rng.integers(size, size=size) for size in sizes.N], (0,)),
    ]
    runs = [simulate(construction.model, token_ids(prompt), Cut.of_task(sizes), keep=True) for prompt in prompts]
    if not all(run.ok for run in runs):
        raise ValueError("the players and the forward pass disagree")
    return counted_bits(run.transcript for run in runs)


__all__ = ["bits_in_weights", "simulated_bits"]
