"""Stock models from transformers, small and random: β and Λ read off the module, beside their config.json."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from separation.architectures import read_modules
from separation.files import InputError
from separation.protocol import stock
from separation.protocol.stock import StockModel, build_stock, run_stock
from separation.verbs.command_line import run

pytest.importorskip("torch")
pytest.importorskip("transformers")

FOLDER = Path(__file__).parent / "stock_configs"
AGREE = {
    "qwen3_next": "R3F",
    "jamba": "R2FR",
    "bamba": "RFRF",
    "olmo_hybrid": "R3F",
    "falcon_h1": "[FR]2",
    "zamba2": "RFR2",
    "kimi_linear": "R3F",
    "granitemoehybrid": "RFR",
    "minimax": "RFRF",
    "llama": "F2",
    "gpt2": "F2",
}
WINDOWED = {"gemma3_text": "W(4)2F", "mistral": "W(4)2"}


def config(name: str, **changes: Any) -> dict[str, Any]:
    return {**json.loads((FOLDER / f"{name}.json").read_text()), **changes}


def test_every_config_is_used() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == {*AGREE, *WINDOWED, "recurrent_gemma"}


@pytest.mark.parametrize("name", AGREE)
def test_the_module_carries_what_its_config_says(name: str) -> None:
    found = run_stock(config(name), 0)
    assert str(found.word) == str(found.config.word) == AGREE[name]
    assert found.agrees
    assert found.covered
    assert found.resumed
    assert found.beta == found.config.message.beta(3)
    assert found.state_bits == found.config.state_bits


@pytest.mark.parametrize("name", ["qwen3_next", "jamba", "falcon_h1"])
def test_states_are_kept_in_float32_where_activations_are_not(name: str) -> None:
    found = run_stock(config(name, torch_dtype="bfloat16"), 1)
    assert found.agrees
    kept = {(carry.what, carry.bits_each) for layer in found.layers for carry in layer.carries}
    assert kept == {("state", 32), ("convolution", 16)}


@pytest.mark.parametrize("name", WINDOWED)
def test_a_window_carries_one_token_less(name: str) -> None:
    """w − 1 keys and values cross a boundary: the w-th is the next token's own. The config counts w."""
    found = run_stock(config(name), 0)
    assert str(found.word) == str(found.config.word) == WINDOWED[name]
    assert not found.agrees
    assert found.covered
    assert found.resumed
    assert [4 * bits for bits in found.states] == [3 * bits for bits in found.config.states]


@pytest.mark.parametrize("tokens", [3, 5])
def test_a_window_of_another_length_is_caught(tokens: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins: the word of a config with a window one token shorter or longer beside this module."""
    other = read_modules(config("mistral", sliding_window=tokens))
    monkeypatch.setattr(stock, "read_modules", lambda _: other)
    found = run_stock(config("mistral"), 0)
    assert (str(found.word), str(found.config.word)) == ("W(4)2", f"W({tokens})2")
    assert not found.covered


def test_minimax_keeps_its_state_in_the_precision_of_the_model() -> None:
    """The config is read with 32 bits a number of a state; this module has 16, so bounds from the config hold."""
    found = run_stock(config("minimax", torch_dtype="bfloat16"), 0)
    assert found.covered
    assert not found.agrees


def test_a_config_that_says_less_than_the_module_has_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twins: the numbers of another config beside this module."""
    for changes in ({"linear_value_head_dim": 4}, {"head_dim": 8}, {"linear_conv_kernel_dim": 3}):
        other = read_modules(config("qwen3_next", **changes))
        monkeypatch.setattr(stock, "read_modules", lambda _, other=other: other)
        found = run_stock(config("qwen3_next"), 0)
        assert not found.agrees
        assert not found.covered


def test_a_module_that_hides_a_state_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second copy of the model starts from the cache alone; one that remembers more would differ."""
    built: list[StockModel] = []

    def remembering(document: object, seed: int) -> StockModel:
        model = build_stock(document, seed)
        if built:
            weights = next(model.module.parameters())
            weights.data.add_(1)
        built.append(model)
        return model

    monkeypatch.setattr(stock, "build_stock", remembering)
    assert not run_stock(config("llama"), 0).resumed


@pytest.mark.parametrize(
    ("name", "changes", "text"),
    [
        ("llama", {"hidden_size": 4096}, "2 layers of width 4096 are too large to build and run here"),
        ("llama", {"num_hidden_layers": 65}, "65 layers of width 32 are too large"),
        ("llama", {"vocab_size": 10**7}, "parameters; at most 20000000 are built"),
        ("llama", {"torch_dtype": "float8_e5m2"}, "a dtype of 8 bits cannot be run here"),
        ("mistral", {"sliding_window": 4096}, "a window of 4096 tokens is too long to fill"),
        ("recurrent_gemma", {}, "recurrent_gemma keeps its states inside its modules"),
        ("llama", {"model_type": "minimax_text_01", "attn_type_list": [1, 1]}, "has no model 'minimax_text_01'"),
        ("llama", {"rms_norm_eps": "x"}, "config: transformers does not take it"),
    ],
)
def test_what_cannot_be_built_is_one_line(name: str, changes: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as error:
        run_stock(config(name, **changes), 0)
    assert text in str(error.value)
    assert "\n" not in str(error.value)


def test_on_the_command_line(capfd: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / "qwen3_next.json")
    assert run(["simulate", "--config", path, "--json"]) == 0
    captured = capfd.readouterr()
    document = json.loads(captured.out)
    assert document["ok"] is document["agrees"] is document["resumed"] is True
    assert document["lambda"] == document["lambda_config"]
    assert document["beta"] == document["beta_config"]
    assert captured.err == ""
    assert run(["simulate", "--config", path]) == 0
    assert "β and Λ of the module and of its config agree" in capfd.readouterr().out
    assert run(["simulate", "--config", path, "--word", "F"]) == 2
    assert "--config does not go with --word" in capfd.readouterr().err
