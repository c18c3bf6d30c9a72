"""Are the tensors what the bound speaks of? Read off the tensors themselves, exactly and for all inputs at once.

A key depends on the position alone, and a query of the last row on one digit and one hop; so to compare the query for
every entry of every table with that entry's key is to look at every input.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions.stock.gpt2.plan import Gpt2Plan
from separation.numeric.stock_folder import Checkpoint
from separation.tasks.shape import bit_count

Array = NDArray[np.floating[Any]]


MLP = ("c_fc.weight", "c_fc.bias", "c_proj.weight", "c_proj.bias")
BLOCK = ("ln_1", "attn.c_attn", "attn.c_proj", "ln_2", "mlp.c_fc", "mlp.c_proj")


def first_fault(plan: Gpt2Plan, checkpoint: Checkpoint) -> str | None:
    """What of the tensors is not as it should be, or None."""
    blocks = [f"h.{step}.{part}" for step in range(checkpoint.sizes.L + 1) for part in BLOCK]
    names = {"wte.weight", "wpe.weight"}
    names |= {f"{part}.{kind}" for part in ("ln_f", *blocks) for kind in ("weight", "bias")}
    if set(checkpoint.tensors) != {f"transformer.{name}" for name in names}:
        return "a tensor is missing or left over"
    return next(_Reading(plan, checkpoint).faults(), None)


class _Reading:
    """The tensors with the names of slots and of dimensions of the heads."""

    def __init__(self, plan: Gpt2Plan, checkpoint: Checkpoint) -> None:
        self.sizes, self.tensors = checkpoint.sizes, checkpoint.tensors
        self.plan = plan
        self.gain = math.sqrt(1 + self.plan.epsilon)
        self.tokens, self.positions = (self.tensors[f"transformer.{name}.weight"] for name in ("wte", "wpe"))
        slots = self.plan.stream
        self.value, self.query, self.last = list(slots["value"]), list(slots["query"]), list(slots["last"])

    def faults(self) -> Iterator[str]:
        if not all(np.isfinite(tensor).all() for tensor in self.tensors.values()):
            yield "a tensor is not finite"
        yield from self._embedding_faults()
        final = np.zeros(self.plan.width)
        final[self.value + [self.plan.slots + slot for slot in self.value]] = self.gain
        if not self._is("ln_f.weight", final) or not self._is("ln_f.bias", 0):
            yield "the final LayerNorm does not pick out the hop"
        for step in range(self.sizes.L + 1):
            yield from (f"layer {step + 1}: {fault}" for fault in self._layer_faults(step))

    def _embedding_faults(self) -> Iterator[str]:
        half, values = self.plan.slots, self.sizes.N[-1]
        for rows in (self.tokens, self.positions):
            if not (rows[:, half:] == -rows[:, :half]).all():
                yield "an embedding is not mirrored"
        for ids, rows, slots in (
            (self.tokens[:values], self.positions[:-1], self.value),
            (self.tokens[values:], self.positions[-1:], self.query),
        ):
            written = np.isin(np.arange(half), slots)
            if not (np.abs(ids[:, :half]) == written).all() or not (np.abs(rows[:, :half]) == ~written).all():
                yield "token and position do not make a row of ±1"
        if not _distinct(self.tokens[:values][:, self.value]):
            yield "two values have one code"

    def _layer_faults(self, step: int) -> Iterator[str]:
        plan, name = self.plan, f"h.{step}"
        weights = self.tensors[f"transformer.{name}.attn.c_attn.weight"].reshape(plan.width, 3, 2, plan.slots)
        biases = self.tensors[f"transformer.{name}.attn.c_attn.bias"].reshape(3, 2, plan.slots)
        # That before the idle MLP too: a number too large for the dtype would be handed on as infinity times 0.
        for norm in ("ln_1", "ln_2"):
            if not self._is(f"{name}.{norm}.weight", self.gain) or not self._is(f"{name}.{norm}.bias", 0):
                yield "LayerNorm is not divided out"
        if not all(self._is(f"{name}.mlp.{part}", 0) for part in MLP):
            yield "the MLP is not idle"
        if weights[plan.slots :].any():
            yield "something reads the mirror"
        read = np.zeros((plan.slots, 2, plan.slots))
        read[self.value, :, range(plan.value_bits)] = 1
        if not (weights[: plan.slots, 2] == read).all() or biases[2].any():
            yield "a head does not read values"
        if not self._writes_the_difference(name):
            yield "the difference of the heads is not written"
        yield from self._query_faults(step, weights[: plan.slots], biases)

    def _writes_the_difference(self, name: str) -> bool:
        half = self.plan.slots
        wanted = np.zeros((2, half, 2 * half))
        for index, slot in enumerate(self.value):
            wanted[:, index, [slot, half + slot]] = [[1, -1], [-1, 1]]
        return self._is(f"{name}.attn.c_proj.weight", wanted.reshape(2 * half, -1)) and self._is(
            f"{name}.attn.c_proj.bias", 0
        )

    def _query_faults(self, step: int, weights: Array, biases: Array) -> Iterator[str]:
        plan, dimensions = self.plan, self.plan.keys
        address, first, last = range(plan.address.width), list(dimensions["first"]), list(dimensions["last"])
        keys = self.positions[:, : plan.slots] @ weights[:, 1].reshape(plan.slots, -1) + biases[1].reshape(-1)
        keys = keys.reshape(-1, 2, plan.slots)
        if weights[self.value + self.query, 1].any() or weights[:, 1, :, dimensions.width :].any() or biases[1].any():
            yield "a key depends on more than the position"
        codes, rows = keys[:, 0, address], np.arange(self.sizes.length)
        if not (np.abs(codes) == 1).all() or not _distinct(codes):
            yield "two rows share a key, or a key is not ±1"
        for head in range(2):
            flags = keys[:, head, first + last] == np.where(np.stack([rows == 0, rows == rows[-1]], axis=1), 1, -1)
            if not flags.all() or not _single(weights[:, 1, head, : dimensions.width], 1):
                yield f"head {head + 1} does not see the first row, the last row and addresses"
        asked = np.concatenate([weights[:, 0, 0, address], biases[0, :1, address].T])
        if not _single(asked, plan.look_up):
            yield "a bit of the query has another weight"
        if not self._flags_asked(weights[:, 0], biases[0], list(address), first, last):
            yield "other rows are not sent to the first row, or the last row is not sent to itself"
        yield from self._look_up_faults(step, weights[:, 0, 0], biases[0, 0], codes)

    def _flags_asked(
        self, weights: Array, biases: Array, address: list[int], first: list[int], last: list[int]
    ) -> bool:
        """half·(1 − last) on the dimension `first` of both heads, c on `last` of head 2, and nothing else there."""
        wanted_weights, wanted_biases = np.zeros_like(weights), np.zeros_like(biases)
        wanted_weights[:, 0, address], wanted_biases[0, address] = weights[:, 0, address], biases[0, address]
        for head, half in enumerate((self.plan.half_sink, self.plan.half_stay)):
            wanted_biases[head, first], wanted_weights[self.last, head, first] = half, -half
        wanted_biases[1, last] = self.plan.stay
        return bool((weights == wanted_weights).all() and (biases == wanted_biases).all())

    def _look_up_faults(self, step: int, weights: Array, biases: Array, codes: Array) -> Iterator[str]:
        """The query for entry (digit, hop) of table ``step`` is w times the code of its row, entry by entry."""
        sizes, plan = self.sizes, self.plan
        address = range(plan.address.width)
        digit_bits = [bit_count(size) for size in sizes.n]
        start = sum(digit_bits[: max(step - 2, 0)])
        own = self.query[start : start + digit_bits[step - 2]] if step >= 2 else []
        others = np.setdiff1d(np.arange(plan.slots), own + (self.value if step else []))
        if weights[others][:, address].any():
            yield "the query depends on more than one digit and the hop"
        count = sizes.N[step - 1] if step else 1
        place = np.arange(count)
        digit, hop = np.divmod(place, sizes.N[step - 2]) if step >= 2 else (np.zeros_like(place), place)
        row = np.ones((count, plan.slots))
        row[:, self.value] = self.tokens[hop][:, self.value]
        stride = math.prod(sizes.n[max(step - 1, 0) :])
        row[:, self.query] = self.tokens[sizes.N[-1] + digit * stride][:, self.query]
        asked = (row @ weights + biases)[:, address]
        target = place + (sizes.table_start(step) if step else sizes.length - 2)
        if not (asked == plan.look_up * codes[target]).all():
            yield "an entry is asked for by another code than its own"

    def _is(self, name: str, wanted: Array | float) -> bool:
        return bool((self.tensors[f"transformer.{name}"] == wanted).all())


def _single(columns: Array, weight: int) -> bool:
    """Each column has one number that is not 0, and it is ±weight: no sum has to be trusted with small ones."""
    return bool(((columns != 0).sum(axis=0) == 1).all() and (np.abs(columns).max(axis=0) == weight).all())


def _distinct(codes: Array) -> bool:
    """No two rows of ±1 are the same."""
    numbers = (codes > 0) @ (1 << np.arange(codes.shape[1], dtype=np.int64))
    return len(np.unique(numbers)) == len(codes)
