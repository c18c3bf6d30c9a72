"""Every model type that is read, against a real small model of the installed transformers at work."""

from __future__ import annotations

from pathlib import Path

import pytest
from measured import carried_beside_the_cache, differences, measure
from tiny_models import KERNEL, TINY, WINDOW

from separation.architectures import read_modules
from separation.architectures.resolved import RECURRENT

pytest.importorskip("torch")
pytest.importorskip("transformers")

IN_MODULES = ("recurrent_gemma",)  # its states are in its modules, where `measure` looks at them
SAMPLE = ("llama", "gemma3_text", "zamba2", "nemotron_h", "lfm2", "bailing_hybrid", "llama4_text")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in TINY]
)
def test_a_real_model_does_what_was_read(name: str) -> None:
    """Heads, value dimensions, windows, states and buffers, in the precision that the file names."""
    reading = read_modules(TINY[name] | {"dtype": "bfloat16"})
    found = measure(TINY[name], "bfloat16")
    assert found is not None
    assert differences(reading, found, 16) == []
    if name in RECURRENT:
        assert reading.states


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["afmoe", "gpt_oss", "bailing_hybrid", "nemotron_h"])
def test_weights_that_are_kept_in_float32_widen_nothing_that_is_carried(name: str, tmp_path: Path) -> None:
    """Norms of keys, or a convolution, that these classes load in float32 whatever the file says."""
    found = measure(TINY[name], "float16", tmp_path)
    assert found is not None
    assert differences(read_modules(TINY[name] | {"dtype": "float16"}), found, 16) == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name",
    [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in TINY if name not in IN_MODULES],
)
def test_nothing_is_carried_but_the_cache(name: str) -> None:
    """A copy that is given the cache alone goes on bit for bit; one pass over everything says the same up to rounding.

    A way from token to token that the cache does not have would change the answer by a share of the order of one.
    """
    equal, share = carried_beside_the_cache(TINY[name])
    assert equal
    assert share < 1 / 100


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("gemma3_text", {"layer_types": ["full_attention", "sliding_attention"] * 2}),
        ("gemma3_text", {"sliding_window": WINDOW - 1}),
        ("zamba2", {"mamba_d_state": 4}),
        ("nemotron_h", {"conv_kernel": KERNEL - 1}),
        ("bailing_hybrid", {"v_head_dim": 9}),
        ("llama", {"num_attention_heads": 2}),
        ("llama4_text", {"attention_chunk_size": WINDOW - 1}),
        ("llama4_text", {"layer_types": ["full_attention", "chunked_attention"] * 2}),
    ],
)
def test_a_reading_of_another_model_is_noticed(name: str, change: dict[str, object]) -> None:
    """The false neighbours: one field away from the model that runs."""
    reading = read_modules(TINY[name] | {"dtype": "bfloat16"} | change)
    found = measure(TINY[name], "bfloat16")
    assert found is not None
    assert differences(reading, found, 16)
