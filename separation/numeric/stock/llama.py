"""C1 as a stock Llama: RMSNorm, RoPE and SwiGLU unchanged, L+1 layers, two heads.

RoPE is all that a Llama knows of positions, so a number x is the rotation code(x): cos and sin of 2^{-j}·x for each
frequency j. A head with keys (1, 0) and the query a_j·code_j(t − own position) scores Σ_j a_j·cos(2^{-j}·(p − t)) at
position p: most at p = t. The stream:

    one      1     a large constant, on every row
    last     1     1 at w, 0 elsewhere
    filler   1     brings the norm of all other rows to that of w
    value    2f    code(v): what a table token or z_0 says; never written
    digit ℓ  …     at w: code(start of table ℓ+1 − own position + w_ℓ·N_{ℓ-1}), or w_ℓ one-hot where that is shorter
    pointer  2f    at w: code(position asked next − own position); 0 elsewhere
    found    2f    at w: code(i_k), from the attention of a layer to its MLP; 0 elsewhere

Layer k+1: the first head looks up where `pointer` says; on the second head w looks at itself, where `value` is empty, and
all other rows have query 0 on both, so that the difference of the heads is code(i_k) at w and 0 on every other row. The MLP
multiplies complex numbers, pointer ← found·digit, and empties `found`, all by xy = silu(x)·y + silu(−x)·(−y).
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import upper_fraction
from separation.arithmetic.balls import log_ball
from separation.models import Stream
from separation.numeric.stock.checkpoint import Checkpoint
from separation.numeric.stock.rotary import tuned
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

Matrix = NDArray[np.float64]

HEADS = 2
LEAK_NATS = 32
BALLAST_RATIO = 64
TEMPERATURE_UNIT = Fraction(1, 16)
RMS_NORM_EPSILON = 1e-6


def build(sizes: Sizes, epsilon: float = RMS_NORM_EPSILON) -> Checkpoint:
    """config.json and the tensors of a `LlamaForCausalLM` that answers every instance of these sizes."""
    plan = Plan(sizes, epsilon)
    tensors = {name: tensor.astype(np.float32) for name, tensor in plan.tensors().items()}
    return Checkpoint("C1", sizes, plan.config(), tensors)


class Plan:
    """Slots, norms and weight matrices at given sizes; a matrix has a row for each coordinate that it writes."""

    def __init__(self, sizes: Sizes, epsilon: float = RMS_NORM_EPSILON) -> None:
        self.sizes = sizes
        self.epsilon = epsilon
        self.rotary = tuned(sizes.length)
        self.code = 2 * self.rotary.used
        self.one_hot = [size < self.code for size in sizes.n]
        digits = [size if short else self.code for size, short in zip(sizes.n, self.one_hot, strict=True)]
        slots = [("one", 1), ("last", 1), ("filler", 1), ("value", self.code)]
        slots += [(f"digit {level}", width) for level, width in enumerate(digits, start=1)]
        slots += [("pointer", self.code), ("found", self.code)]
        odd = sum(width for _, width in slots) % HEADS  # stock code wants a multiple of the number of heads
        self.stream = Stream([*slots, ("padding", odd)])
        # Two units for a product of numbers, four products for one of complex numbers.
        units = {"product": 4 * self.code, "old pointer": 2 * self.code, "old found": 2 * self.code}
        self.hidden = Stream(units.items())

    @property
    def head_dim(self) -> int:
        return 2 * self.rotary.frequencies

    @property
    def temperature(self) -> Fraction:
        """τ ≥ (ln n + 32)/gap: all other keys together weigh at most e^-32 of a match."""
        nats = upper_fraction(log_ball(self.sizes.length)) + LEAK_NATS
        return TEMPERATURE_UNIT * math.ceil(nats / self.rotary.gap / TEMPERATURE_UNIT)

    @property
    def digit_norm(self) -> int:
        """Σ_ℓ |digit ℓ|²: 1 for a one-hot digit, and cos² + sin² = 1 for each frequency of a code."""
        return sum(1 if short else self.rotary.used for short in self.one_hot)

    @property
    def ballast(self) -> int:
        """The constant in `one`, a power of two so large that an error of a code hardly moves the norm of its row."""
        codes = 1 + 2 * self.rotary.used + self.digit_norm
        return 1 << bit_count(math.isqrt(BALLAST_RATIO * codes) + 1)

    @property
    def norm_before(self) -> int:
        """|x|² in front of attention, on every row: one, last, pointer and digits of w."""
        return self.ballast**2 + 1 + self.rotary.used + self.digit_norm

    @property
    def norm_between(self) -> int:
        """|x|² of w between attention and MLP, and after the last layer: `found` is there too."""
        return self.norm_before + self.rotary.used

    def scale(self, norm: int) -> float:
        """√(|x|²/d + ε): the weight of RMSNorm that makes it the identity on a row of this norm."""
        return math.sqrt(norm / self.stream.width + self.epsilon)

    def config(self) -> dict[str, Any]:
        return {
            "architectures": ["LlamaForCausalLM"],
            "model_type": "llama",
            "dtype": "float32",
            "vocab_size": self.sizes.vocabulary,
            "hidden_size": self.stream.width,
            "intermediate_size": self.hidden.width,
            "num_hidden_layers": self.sizes.L + 1,
            "num_attention_heads": HEADS,
            "num_key_value_heads": HEADS,
            "head_dim": self.head_dim,
            "hidden_act": "silu",
            "max_position_embeddings": self.sizes.length,
            "rms_norm_eps": self.epsilon,
            "rope_parameters": {"rope_type": "default", "rope_theta": 2.0**self.rotary.frequencies},
            "attention_bias": False,
            "mlp_bias": False,
            "tie_word_embeddings": False,
            "bos_token_id": None,
            "eos_token_id": None,
            "pad_token_id": None,
        }

    def tensors(self) -> dict[str, Matrix]:
        width = self.stream.width
        before, between = (np.full(width, self.scale(norm)) for norm in (self.norm_before, self.norm_between))
        tensors = {"model.embed_tokens.weight": self.embedding()}
        for step in range(self.sizes.L + 1):
            query, key, value, output = self.attention()
            gate, up, down = self.mlp(step)
            named = {
                "input_layernorm": before,
                "self_attn.q_proj": query,
                "self_attn.k_proj": key,
                "self_attn.v_proj": value,
                "self_attn.o_proj": output,
                "post_attention_layernorm": between,
                "mlp.gate_proj": gate,
                "mlp.up_proj": up,
                "mlp.down_proj": down,
            }
            tensors |= {f"model.layers.{step}.{name}.weight": matrix for name, matrix in named.items()}
        return tensors | {"model.norm.weight": between, "lm_head.weight": self.unembedding()}

    def embedding(self) -> Matrix:
        """A row for each token id: values first, then queries."""
        entries, slots = self.sizes.N[-1], self.stream
        rows = np.zeros((self.sizes.vocabulary, slots.width))
        rows[:, slots["one"]] = self.ballast
        rows[:entries, slots["filler"]] = math.sqrt(1 + self.digit_norm)
        rows[:entries, slots["value"]] = self.rotary.codes(np.arange(entries))
        rows[entries:, slots["last"]] = 1
        rows[entries:, slots["pointer"]] = self.rotary.codes(-1)  # z_0 stands one place in front of w
        digits = np.array(list(product(*map(range, self.sizes.n))), dtype=np.int64)
        for level, digit in enumerate(digits.T, start=1):
            short = self.one_hot[level - 1]
            table = np.eye(self.sizes.n[level - 1]) if short else self.turns(level)
            rows[entries:, slots[f"digit {level}"]] = table[digit]
        return rows

    def turns(self, level: int) -> Matrix:
        """(n_ℓ, 2f): code(start of table ℓ+1 − own position + w_ℓ·N_{ℓ-1}) for each w_ℓ; level 0: table 1, no digit."""
        count, stride = (self.sizes.n[level - 1], self.sizes.N[level - 1]) if level else (1, 0)
        start = self.sizes.table_start(level + 1) - (self.sizes.length - 1)
        return self.rotary.codes(start + stride * np.arange(count))

    def attention(self) -> tuple[Matrix, Matrix, Matrix, Matrix]:
        """The look-up on the first head, w's look at itself on the second; `found` gets their difference."""
        slots, width, head_dim = self.stream, self.stream.width, self.head_dim
        query, key, value = (np.zeros((HEADS * head_dim, width)) for _ in range(3))
        output = np.zeros((width, HEADS * head_dim))
        for head, sign in enumerate((1, -1)):
            first = head * head_dim
            cosines = range(first, first + self.rotary.used)
            sines = range(first + head_dim // 2, first + head_dim // 2 + self.rotary.used)
            # Stock code divides scores by the root of head_dim.
            strengths = [float(self.temperature * a) * math.sqrt(head_dim) for a in self.rotary.amplitudes]
            if head == 0:
                query[[*cosines, *sines], slots["pointer"]] = strengths * 2
            else:
                query[cosines, slots["last"].start] = strengths
            key[cosines, slots["one"].start] = 1 / self.ballast
            places = range(first, first + self.code)
            value[places, slots["value"]] = 1
            output[slots["found"], places] = sign
        return query, key, value, output

    def mlp(self, step: int) -> tuple[Matrix, Matrix, Matrix]:
        """pointer ← found·digit, found ← 0 where `last` is 1; nothing after the last look-up."""
        return _SwiGLU(self).next_address(step).matrices if step < self.sizes.L else _SwiGLU(self).matrices

    def unembedding(self) -> Matrix:
        """The logit of v is Σ_j a_j·(code_j(v)·found_j), at most Σ_j a_j − gap for every wrong v; 0 for queries."""
        rows = np.zeros((self.sizes.vocabulary, self.stream.width))
        amplitudes = np.tile([float(amplitude) for amplitude in self.rotary.amplitudes], 2)
        entries = self.sizes.N[-1]
        rows[:entries, self.stream["found"]] = amplitudes * self.rotary.codes(np.arange(entries))
        return rows


class _SwiGLU:
    """down(silu(gate(x))·up(x)) with two hidden units for each product of two linear forms of x."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.gate, self.up = (np.zeros((plan.hidden.width, plan.stream.width)) for _ in range(2))
        self.down = np.zeros((plan.stream.width, plan.hidden.width))

    @property
    def matrices(self) -> tuple[Matrix, Matrix, Matrix]:
        return self.gate, self.up, self.down

    def next_address(self, step: int) -> _SwiGLU:
        """The pointer to table step+1 from found = code(i_step); the old pointer and `found` are erased, times `last`."""
        plan, slots = self.plan, self.plan.stream
        real, imaginary = self._turn(step)
        found_real, found_imaginary = np.split(self._identity("found"), 2)
        to_real, to_imaginary = np.split(np.array(slots["pointer"]), 2)
        units = np.split(np.array(plan.hidden["product"]), 4)
        self._multiply(units[0], found_real, real, to_real, 1)
        self._multiply(units[1], found_imaginary, imaginary, to_real, -1)
        self._multiply(units[2], found_real, imaginary, to_imaginary, 1)
        self._multiply(units[3], found_imaginary, real, to_imaginary, 1)
        last = np.tile(self._identity("last"), (plan.code, 1))
        for slot in ("pointer", "found"):
            erasing = np.array(plan.hidden[f"old {slot}"])
            self._multiply(erasing, self._identity(slot), last, np.array(slots[slot]), -1)
        return self

    def _turn(self, step: int) -> tuple[Matrix, Matrix]:
        """Linear forms (f, d) of x: the real and the imaginary part of what the hop is multiplied by."""
        plan = self.plan
        slot = f"digit {step}" if step else "last"
        if step and not plan.one_hot[step - 1]:
            forms = self._identity(slot)
        else:
            forms = plan.turns(step).T @ self._identity(slot)
        real, imaginary = np.split(forms, 2)
        return real, imaginary

    def _identity(self, slot: str) -> Matrix:
        """The linear forms that read a slot."""
        return np.eye(self.plan.stream.width)[self.plan.stream[slot]]

    def _multiply(self, units: NDArray[np.int64], x: Matrix, y: Matrix, to: NDArray[np.int64], sign: int) -> None:
        """Adds ±x·y to the coordinates ``to``: xy = silu(x)·y + silu(−x)·(−y)."""
        plus, minus = np.split(units, 2)
        self.gate[plus], self.up[plus] = x, y
        self.gate[minus], self.up[minus] = -x, -y
        self.down[to, plus] = self.down[to, minus] = sign


__all__ = ["Plan", "build"]
