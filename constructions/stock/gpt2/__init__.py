"""C1 inside GPT-2 as transformers ships it: LayerNorm, learned positions, residuals, tied embeddings, two heads.

What each layer reads, the codes of rows and the look-ups are those of `constructions.c1`; the rest is for the class.

    LayerNorm   every row has mean 0 and variance 1, so it divides by √(1+ε); its gain multiplies by √(1+ε).
    head 1      the last row looks up; every other row looks at the first row, which its flag `last` = −1 asks for.
    head 2      the last row looks at itself; every other row looks at the first row again.
    output      value += head 1 − head 2: in the last row the found value replaces the old hop; elsewhere 0.
    MLP         idle. No clip is needed: what the last row keeps of its old error is what two copies of it differ by.
    logits      the final gain is 0 outside `value`, so tied embeddings give 2·Σ_j code(v)_j·hop_j, and 0 for queries.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from constructions.hops import Read
from constructions.stock.gpt2.bound import certify_plan
from constructions.stock.gpt2.plan import Gpt2Plan
from constructions.stock.kit.layouts import gpt2_layout
from constructions.stock.kit.target import Certificate, Layout, Target
from separation.models import Declared, sign_bits
from separation.tasks.funccomp import Sizes

Array = NDArray[np.float64]


class Gpt2(Target[Gpt2Plan]):
    """`GPT2LMHeadModel` with L+1 layers; all tensors are whole numbers but for the gain √(1+ε)."""

    construction = "C1"

    def plan(self, sizes: Sizes) -> Gpt2Plan:
        return Gpt2Plan(sizes)

    def layout(self, plan: Gpt2Plan) -> Layout:
        """Beside the sizes all is the default of the stock class."""
        gain = math.sqrt(1 + plan.epsilon)
        gains = np.array([np.full(plan.width, gain), _mirrored(_final_gain(plan, gain), sign=1)])
        layers = [_block(plan, read) for read in plan.reads]
        return gpt2_layout(2, plan.epsilon, _mirrored(_tokens(plan)), _mirrored(_positions(plan)), layers, gains)

    def bound(self, plan: Gpt2Plan, dtype: str) -> Certificate:
        return certify_plan(plan, dtype)

    def ideal_logits(self, plan: Gpt2Plan, answers: NDArray[np.int64]) -> NDArray[np.float64]:
        """2·Σ_j code(v)_j·code(answer)_j, and 0 for the ids of queries."""
        size = plan.sizes.N[-1]
        codes = sign_bits(np.arange(size), size).astype(np.float64)
        return np.concatenate([2 * codes[answers] @ codes.T, np.zeros((len(answers), plan.sizes.queries))], axis=1)


def _tokens(plan: Gpt2Plan) -> Array:
    """As in C1: a value's id writes its code into `value`; a query's id writes its digits into `query`."""
    rows = np.zeros((plan.sizes.vocabulary, plan.slots))
    _copy_slots(plan, rows, plan.c1.tokens(), ("value", "query"))
    return rows


def _positions(plan: Gpt2Plan) -> Array:
    """C1's addresses, then flags, and −1 in those slots that the token leaves empty."""
    slots, rows = plan.stream, -np.ones((plan.sizes.length, plan.slots))
    _copy_slots(plan, rows, plan.c1.positions(), ("tag", "digit", "index"))
    rows[0, slots["first"]] = 1
    rows[-1, slots["last"]] = 1
    rows[:-1, slots["value"]] = 0
    rows[-1, slots["query"]] = 0
    return rows


def _copy_slots(plan: Gpt2Plan, rows: Array, table: Declared, names: Sequence[str]) -> None:
    """What C1's table says in these slots; its denominator is 1."""
    written = table.rows(np.arange(len(rows)))
    for name in names:
        rows[:, plan.stream[name]] = written[:, plan.c1.stream[name]]


def _final_gain(plan: Gpt2Plan, gain: float) -> Array:
    row = np.zeros(plan.slots)
    row[plan.stream["value"]] = gain
    return row


def _block(plan: Gpt2Plan, read: Read) -> dict[str, Array]:
    """One layer, after which the last row holds the hop that it reads."""
    width = plan.width
    weights, biases = np.zeros((width, 3, 2, plan.slots)), np.zeros((3, 2, plan.slots))
    _queries(plan, read, weights[:, 0], biases[0])
    _keys_and_values(plan, weights[:, 1], weights[:, 2])
    output = np.zeros((2, plan.slots, width))
    for index, slot in enumerate(plan.stream["value"]):
        for head, sign in ((0, 1), (1, -1)):
            output[head, index, [slot, plan.slots + slot]] = sign, -sign
    return {
        "attn.c_attn.weight": weights.reshape(width, 3 * width),
        "attn.c_attn.bias": biases.reshape(3 * width),
        "attn.c_proj.weight": output.reshape(width, width),
        "mlp.c_fc.weight": np.zeros((width, 1)),
        "mlp.c_proj.weight": np.zeros((1, width)),
    }


def _queries(plan: Gpt2Plan, read: Read, weights: Array, biases: Array) -> None:
    """Head 1 asks as C1's head does, head 2 for c·last; both ask for the first row in rows with last = −1."""
    keys, slots, own = plan.keys, plan.stream, plan.c1.stream
    asked = plan.look_up * plan.c1.head(read.hop.number).w_q.numerators.T.astype(np.float64)
    address = range(plan.address.width)
    for slot, source in (("query", "query"), ("value", "pointer")):
        weights[slots[slot], 0, : len(address)] = asked[own[source]]
    biases[0, address] = asked[own["one"][0]]
    biases[1, keys["last"]] = plan.stay
    for head, half in enumerate((plan.half_sink, plan.half_stay)):
        biases[head, keys["first"]] = half
        weights[slots["last"], head, keys["first"]] = -half


def _keys_and_values(plan: Gpt2Plan, keys: Array, values: Array) -> None:
    """Copies, the same in both heads."""
    for head in range(2):
        for name, _ in plan.keys.slots:
            keys[plan.stream[name], head, plan.keys[name]] = 1
        values[plan.stream["value"], head, range(plan.value_bits)] = 1


def _mirrored(rows: Array, sign: int = -1) -> Array:
    """(x, sign·x)."""
    return np.concatenate([rows, sign * rows], axis=-1)


TARGET = Gpt2()
