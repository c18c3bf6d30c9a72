"""Llama's tensors read for all inputs at once: every query finds its entry, whatever the tables hold; twins do not.

Keys and queries do not depend on what tables hold, and what an MLP does to w depends on w and one hop alone. So all
queries, hops and positions, one layer at a time, are all inputs. The arithmetic of the class is written out in float64.
"""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from constructions.stock.llama import TARGET
from constructions.stock.llama.plan import LEAK_NATS, LlamaPlan
from separation.tasks.funccomp import Sizes

Array = NDArray[Any]
ROUNDINGS = 2.0**-18
"""64 units of float32: every number compared is a sum of a few products of stored ones."""


class Reading:
    """The tensors in float64, rows by slot, and the faults that were seen."""

    def __init__(self, sizes: Sizes, tensors: dict[str, Array]) -> None:
        self.sizes, self.plan, self.faults = sizes, LlamaPlan(sizes), list[str]()
        self.tensors = {name.removesuffix(".weight"): tensor.astype(np.float64) for name, tensor in tensors.items()}
        self.slots = {name: list(self.plan.stream[name]) for name, _ in self.plan.stream.slots}
        rows = self.tensors["model.embed_tokens"]
        self.rows, self.values, self.queries = rows, rows[: sizes.N[-1]], rows[sizes.N[-1] :]
        self.own = sizes.length - 1
        self._embedding()
        for step in range(sizes.L + 1):
            self._attention(f"model.layers.{step}", step)
            self._mlp(f"model.layers.{step}", step)
        found = self._at_w(self.queries[:1], 0, np.arange(len(self.values)))
        logits = self._normed(found, "model.norm") @ self.tensors["lm_head"].T
        self._leads("logits", logits, np.arange(len(self.values)), 1 - ROUNDINGS)

    def code(self, numbers: Any) -> Array:
        angles = np.asarray(numbers)[..., None] * 2.0 ** -np.arange(len(self.slots["pointer"]) // 2)
        return np.concatenate([np.cos(angles), np.sin(angles)], axis=-1)

    def _require(self, what: str, holds: Any) -> None:
        self.faults += [] if holds else [what]

    def _reads_only(self, what: str, matrix: Array, *names: str) -> None:
        allowed = {place for name in names for place in self.slots[name]}
        self._require(f"{what} reads {names} alone", set(np.flatnonzero(matrix.any(axis=0))) <= allowed)

    def _normed(self, rows: Array, name: str) -> Array:
        mean = (rows**2).mean(axis=-1, keepdims=True)
        found = np.asarray(rows / np.sqrt(mean + self.plan.epsilon) * self.tensors[name])
        self._require(f"{name} changes nothing", np.allclose(found, rows, rtol=ROUNDINGS, atol=ROUNDINGS))
        return found

    def _at_w(self, rows: Array, pointed: Any, hop: Any) -> Array:
        """Rows of w between attention and MLP: `pointer` and `found` hold codes; one for each pair of row and hop."""
        found = np.repeat(rows[:, None], np.size(hop), axis=1)
        found[..., self.slots["pointer"]] = self.code(pointed)
        found[..., self.slots["found"]] = self.code(hop)
        return found.reshape(-1, rows.shape[1])

    def _leads(self, what: str, scores: Array, wanted: Array, lead: float) -> None:
        lines = np.arange(len(wanted))
        right = scores[lines, wanted].copy()
        scores[lines, wanted] = -np.inf
        self._require(f"{what} lead", (right - scores.max(axis=1) >= lead).all())

    def _embedding(self) -> None:
        idle = [*self.slots["pointer"], *self.slots["last"], *self.slots["found"]]
        self._require("other rows ask nothing", not self.values[:, idle].any())
        self._require("a value is its code", self._near(self.values, "value", np.arange(len(self.values))))
        self._require("w says no value", not self.queries[:, self.slots["value"] + self.slots["found"]].any())
        self._require("w starts at z_0", self._near(self.queries, "pointer", -1))

    def _near(self, rows: Array, slot: str, numbers: Any) -> bool:
        return bool((np.abs(rows[:, self.slots[slot]] - self.code(numbers)) <= ROUNDINGS).all())

    def _attention(self, layer: str, step: int) -> None:
        """w finds every entry of table ``step`` (or z_0) in head 1, itself in head 2; `found` gets the difference."""
        size, half = self.plan.head_dim, self.plan.head_dim // 2
        query, key, value = (self.tensors[f"{layer}.self_attn.{part}_proj"].reshape(2, size, -1) for part in "qkv")
        output = self.tensors[f"{layer}.self_attn.o_proj"].T.reshape(2, size, -1)
        self._reads_only("head 1", query[0], "pointer")
        self._reads_only("head 2", query[1], "last")
        moved = np.zeros((self.rows.shape[1],) * 2)
        moved[self.slots["found"], self.slots["value"]] = 1
        for head, sign in enumerate((1, -1)):
            self._require("value goes to `found`", (output[head].T @ value[head] == sign * moved).all())
        normed = self._normed(self.rows, f"{layer}.input_layernorm")
        start, count = (self.sizes.table_start(step), self.sizes.N[step - 1]) if step else (self.own - 1, 1)
        asked = self._at_w(self.queries[:1], start + np.arange(count) - self.own, np.arange(count))
        asked[:, self.slots["found"]] = 0
        asked = self._normed(asked, f"{layer}.input_layernorm")
        turns = np.exp(1j * np.arange(self.sizes.length)[:, None] * 2.0 ** -np.arange(half))
        for head, wanted in enumerate((start + np.arange(count), np.full(count, self.own))):
            keys, asks = normed @ key[head].T, asked @ query[head].T
            self._require("keys are the same on every row", np.ptp(keys, axis=0).max() <= ROUNDINGS)
            keys, asks = (part[:, :half] + 1j * part[:, half:] for part in (keys, asks))
            scores = ((asks * turns[self.own]) @ (keys[0] * turns).conj().T).real / math.sqrt(size)
            # All other keys together weigh e^-128: a lead of ln n + 128, up to the rounding of scores of that size.
            self._leads(f"{layer}: head {head + 1}", scores, wanted, LEAK_NATS + math.log(self.sizes.length) - 0.01)

    def _mlp(self, layer: str, step: int) -> None:
        """For every w and every hop: `pointer` becomes the code of the next entry, and `found` 0; others stay."""
        gate, up, down = (self.tensors[f"{layer}.mlp.{part}_proj"] for part in ("gate", "up", "down"))
        hops = np.arange(self.sizes.N[step - 1] if step else self.sizes.m)
        before = self._at_w(self.queries, 7 * hops, hops)
        inner = self._normed(before, f"{layer}.post_attention_layernorm")
        if step == self.sizes.L:
            self._require("the last MLP is idle", not (gate.any() or up.any() or down.any()))
            return
        self._reads_only(layer, up, "last", *([f"digit {step}"] if step else []))
        with np.errstate(over="ignore"):  # e^x for a gate far below 0
            hidden = inner @ gate.T / (1 + np.exp(-inner @ gate.T)) * (inner @ up.T)
        after = before + hidden @ down.T
        digits = [digit[step - 1] if step else 0 for digit in product(*map(range, self.sizes.n))]
        entry = np.array(digits)[:, None] * len(hops) + hops
        due = before.copy()
        due[:, self.slots["pointer"]] = self.code(self.sizes.table_start(step + 1) + entry - self.own).reshape(
            len(due), -1
        )
        due[:, self.slots["found"]] = 0
        self._require(f"{layer}: a hop leads to its entry", (np.abs(after - due) <= ROUNDINGS).all())


@pytest.mark.parametrize("sizes", [Sizes(5, ()), Sizes(3, (2, 3)), Sizes(2, (30,)), Sizes(2, (2,) * 5)], ids=str)
def test_every_query_finds_its_entry_whatever_the_tables_hold(sizes: Sizes) -> None:
    assert Reading(sizes, TARGET.build(sizes).tensors).faults == []


def test_one_changed_number_of_any_tensor_is_noticed() -> None:
    sizes = Sizes(3, (2, 3))
    tensors = TARGET.build(sizes).tensors
    for name, tensor in tensors.items():
        changed = tensor.copy()
        place = int(np.abs(tensor).argmax())
        changed.flat[place] = -tensor.flat[place] or 1.0
        assert Reading(sizes, {**tensors, name: changed}).faults, name
