"""C1 inside GPT-2 as transformers ships it: LayerNorm, learned positions, residuals, tied embeddings, two heads.

In layer k+1 the last row reads hop i_k: z_0 in layer 1, then table k at (w_{k-1}, i_{k-1}).

    LayerNorm   every row has mean 0 and variance 1, so it divides by √(1+ε); its gain multiplies by √(1+ε).
    head 1      the last row looks up; every other row looks at the first row, which its flag `last` = −1 asks for.
    head 2      the last row looks at itself; every other row looks at the first row again.
    output      value += head 1 − head 2: in the last row the found value replaces the old hop; elsewhere 0.
    MLP         idle. No clip is needed: what the last row keeps of its old error is what two copies of it differ by.
    logits      the final gain is 0 outside `value`, so tied embeddings give 2·Σ_j code(v)_j·hop_j, and 0 for queries.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.models.tables import mixed_radix_bits, sign_bits
from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.gpt2_bound import certified_tokens, certify
from separation.numeric.stock.gpt2_plan import Gpt2Plan
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind, bit_count

Array = NDArray[np.floating[Any]]

__all__ = ["build", "build_plan", "certified_tokens", "certify", "ideal_logits"]


def build(sizes: Sizes) -> Checkpoint:
    """Tensors by the names of `GPT2LMHeadModel`, L+1 layers; all are whole numbers but the gain √(1+ε)."""
    return build_plan(Gpt2Plan(sizes))


def build_plan(plan: Gpt2Plan) -> Checkpoint:
    """The tensors of a plan."""
    sizes, gain = plan.sizes, math.sqrt(1 + plan.epsilon)
    tensors = {
        "transformer.wte.weight": _mirrored(_tokens(plan)),
        "transformer.wpe.weight": _mirrored(_positions(plan)),
        **_norm("transformer.ln_f", _mirrored(_final_gain(plan, gain), sign=1)),
    }
    for step in range(sizes.L + 1):
        tensors |= {f"transformer.h.{step}.{name}": tensor for name, tensor in _block(plan, step, gain).items()}
    return Checkpoint("C1", sizes, _config(plan), tensors)


def ideal_logits(sizes: Sizes, answers: NDArray[np.int64]) -> NDArray[np.float64]:
    """What the last logits are in exact arithmetic: 2·Σ_j code(v)_j·code(answer)_j, and 0 for the ids of queries."""
    codes = sign_bits(np.arange(sizes.N[-1]), sizes.N[-1]).astype(np.float64)
    return np.concatenate([2 * codes[answers] @ codes.T, np.zeros((len(answers), sizes.queries))], axis=1)


def _config(plan: Gpt2Plan) -> dict[str, Any]:
    """What differs from the defaults of the stock class: the sizes, and no token that ends a text."""
    return {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": plan.sizes.vocabulary,
        "n_positions": plan.sizes.length,
        "n_embd": plan.width,
        "n_layer": plan.sizes.L + 1,
        "n_head": 2,
        "n_inner": 1,
        "layer_norm_epsilon": plan.epsilon,
        "bos_token_id": None,
        "eos_token_id": None,
    }


def _tokens(plan: Gpt2Plan) -> Array:
    """A value's id writes its code into `value`; a query's id writes its digits into `query`."""
    sizes, slots = plan.sizes, plan.stream
    rows = np.zeros((sizes.vocabulary, plan.slots))
    values = sizes.N[-1]
    rows[:values, slots["value"]] = sign_bits(np.arange(values), values)
    rows[values:, slots["query"]] = mixed_radix_bits(np.arange(sizes.queries), sizes.n)[:, 1:]
    return rows


def _positions(plan: Gpt2Plan) -> Array:
    """Addresses and flags, and −1 in those slots that the token leaves empty."""
    sizes, slots = plan.sizes, plan.stream
    rows = -np.ones((sizes.length, plan.slots))
    for kind in sizes.shape().kinds:
        own = rows[kind.start : kind.stop]
        own[:, slots["tag"]] = _tag(plan, kind)
        rest = np.arange(kind.count)
        for variable in reversed(kind.address):
            own[:, slots[variable.name][: variable.bits]] = sign_bits(rest % variable.size, variable.size)
            rest = rest // variable.size
    rows[0, slots["first"]] = 1
    rows[-1, slots["last"]] = 1
    rows[:-1, slots["value"]] = 0
    rows[-1, slots["query"]] = 0
    return rows


def _tag(plan: Gpt2Plan, kind: Kind) -> NDArray[np.int64]:
    numbers = {"z0": 0, "w": plan.sizes.L + 1}
    number = numbers[kind.name] if kind.name in numbers else int(kind.name.split()[1])
    return sign_bits(np.array(number), plan.sizes.L + 2)


def _final_gain(plan: Gpt2Plan, gain: float) -> Array:
    row = np.zeros(plan.slots)
    row[plan.stream["value"]] = gain
    return row


def _block(plan: Gpt2Plan, step: int, gain: float) -> dict[str, Array]:
    """One layer; layer ``step`` (from 0) makes the last row's hop i_step."""
    width = plan.width
    weights, biases = np.zeros((width, 3, 2, plan.slots)), np.zeros((3, 2, plan.slots))
    _queries(plan, step, weights[:, 0], biases[0])
    _keys_and_values(plan, weights[:, 1], weights[:, 2])
    output = np.zeros((2, plan.slots, width))
    for place, slot in enumerate(plan.stream["value"]):
        for head, sign in ((0, 1), (1, -1)):
            output[head, place, [slot, plan.slots + slot]] = sign, -sign
    whole = np.full(width, gain)
    return {
        **_norm("ln_1", whole),
        "attn.c_attn.weight": weights.reshape(width, 3 * width),
        "attn.c_attn.bias": biases.reshape(3 * width),
        "attn.c_proj.weight": output.reshape(width, width),
        "attn.c_proj.bias": np.zeros(width),
        **_norm("ln_2", whole),
        "mlp.c_fc.weight": np.zeros((width, 1)),
        "mlp.c_fc.bias": np.zeros(1),
        "mlp.c_proj.weight": np.zeros((1, width)),
        "mlp.c_proj.bias": np.zeros(width),
    }


def _queries(plan: Gpt2Plan, step: int, weights: Array, biases: Array) -> None:
    """Head 1 asks for w·(tag; digit; index), head 2 for c·last; both for the first row, in rows with last = −1."""
    keys, slots, weight = plan.keys, plan.stream, plan.look_up
    target = plan.sizes.shape().kind("z0" if step == 0 else f"table {step}")
    biases[0, keys["tag"]] = weight * _tag(plan, target)
    digits = plan.digit_bits[step - 2] if step >= 2 else 0
    hop = bit_count(plan.sizes.N[max(step - 2, 0)]) if step >= 1 else 0
    first_digit = sum(plan.digit_bits[: step - 2]) if step >= 2 else 0
    for slot, source, used in (
        ("digit", slots["query"][first_digit:], digits),
        ("index", slots["value"], hop),
    ):
        weights[list(source[:used]), 0, list(keys[slot][:used])] = weight
        biases[0, keys[slot][used:]] = -weight
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


def _norm(name: str, gain: Array) -> dict[str, Array]:
    return {f"{name}.weight": gain, f"{name}.bias": np.zeros_like(gain)}


def _mirrored(rows: Array, sign: int = -1) -> Array:
    """(x, sign·x)."""
    return np.concatenate([rows, sign * rows], axis=-1)
