"""Codes in the frequencies of RoPE: what the stock class really computes, and that no two positions are confused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from constructions.stock.kit.rotations import ALONE, MAX_TOKENS, least_gap, tuned
from separation.files import InputError


def brute_gap(tokens: int, amplitudes: tuple[Fraction, ...]) -> float:
    weights, differences = np.array(amplitudes, dtype=np.float64), np.arange(1, tokens)
    return float(((1 - np.cos(differences[:, None] * 2.0 ** -np.arange(len(weights)))) @ weights).min())


@pytest.mark.parametrize("tokens", [4, 11, 274, ALONE, ALONE + 1])
def test_the_gap_holds_for_every_difference(tokens: int) -> None:
    rotary = tuned(tokens)
    assert rotary.gap >= 1
    assert 0 <= brute_gap(tokens, rotary.amplitudes) - float(rotary.gap) < 1e-5


def test_without_a_frequency_positions_are_confused() -> None:
    rotary = tuned(274)
    for place in range(rotary.used):
        fewer = [*rotary.amplitudes[:place], Fraction(0), *rotary.amplitudes[place + 1 :]]
        assert least_gap(274, fewer) < rotary.gap / 2 + Fraction(1, 3)


def test_lengths_grow_with_the_logarithm() -> None:
    for bits in range(3, 25, 7):
        rotary = tuned(2**bits)
        assert rotary.used <= bits - 1 <= rotary.frequencies
        assert rotary.frequencies & (rotary.frequencies - 1) == 0
        assert rotary.gap >= 1
    with pytest.raises(
        InputError, match=r"^the prompt has 16777217 tokens; a float32 position is exact up to 16777216$"
    ):
        tuned(MAX_TOKENS + 1)


def frequencies_of_the_stock_class(half: int) -> Any:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    rope = {"rope_type": "default", "rope_theta": 2.0**half}
    config = transformers.LlamaConfig(hidden_size=8, num_attention_heads=2, head_dim=2 * half, rope_parameters=rope)
    return LlamaRotaryEmbedding(config).inv_freq.double().numpy()


@pytest.mark.parametrize("tokens", [8, 274, 10**6])
def test_stock_frequencies_are_powers_of_two(tokens: int) -> None:
    half = tuned(tokens).frequencies
    assert np.array_equal(frequencies_of_the_stock_class(half), 2.0 ** -np.arange(half))


def test_they_are_not_where_the_number_is_no_power_of_two() -> None:
    off = np.abs(frequencies_of_the_stock_class(21) - 2.0 ** -np.arange(21))
    assert off[3] * 2**20 == 1 / 64


@pytest.mark.parametrize("name", ["cos", "sin"])
def test_torch_turns_large_angles_within_two_units_of_roundoff(name: str) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    positions = np.concatenate([np.arange(4096), np.random.default_rng(0).integers(0, MAX_TOKENS, 4096)])
    for power in range(24):
        angles = positions * 2.0**-power
        computed = getattr(torch, name)(torch.tensor(angles, dtype=torch.float32)).double().numpy()
        assert np.abs(computed - getattr(np, name)(angles)).max() <= 2 * 2.0**-24
