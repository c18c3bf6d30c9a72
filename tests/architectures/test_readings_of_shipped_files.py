"""The shipped configurations: words, β, Λ, where each was read, and what a changed field does to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from separation.architectures import read_modules
from separation.verbs.command_line import run

pytestmark = pytest.mark.usefixtures("remembered_searches")

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

FOLDER = Path(__file__).parent / "configs"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

# word; depth; heads and value dimension; state bits of the first layer with R
EXPECTED: dict[str, tuple[str, int, tuple[int, int], int | None]] = {
    "qwen3_next": ("R3F" * 12, 12, (16, 256), 32 * 128 * 128 * 32 + 3 * (2 * 16 * 128 + 32 * 128) * 16),
    "kimi_linear": ("R3F" * 6 + "R2F", 7, (32, 128), 32 * 128 * 128 * 32 + 3 * 3 * 32 * 128 * 16),
    "minimax": ("R7F" * 10, 10, (64, 128), 64 * 128 * 128 * 32),
    "jamba": ("R4F" + "R7F" * 3 + "R3", 4, (32, 128), 8192 * 16 * 32 + 3 * 8192 * 16),
    "bamba": ("R9F" + "R8F" * 2 + "R4", 3, (32, 128), 128 * 64 * 128 * 32 + 3 * (8192 + 2 * 128) * 16),
    "bailing_hybrid": ("R5F" * 7, 7, (32, 128), 32 * 128 * 128 * 32 + 3 * 3 * 32 * 128 * 16),
    "deepseek_v3": ("F61", 60, (128, 128), None),
    "falcon_h1": ("[FR]24", 23, (8, 128), 3072 * 256 * 32 + 3 * (3072 + 2 * 256) * 16),
    "zamba2": ("R5FR6FR", 2, (32, 160), 5120 * 64 * 32 + 3 * (5120 + 2 * 64) * 16),
    "olmo_hybrid": ("R3F" * 8, 8, (30, 128), 30 * 96 * 192 * 32 + 3 * (2 * 30 * 96 + 30 * 192) * 16),
    "granitemoehybrid": ("R5F" + "R9F" * 3 + "R4", 4, (12, 128), 48 * 64 * 128 * 32 + 3 * (3072 + 2 * 128) * 16),
    "recurrent_gemma": ("R2W(2048)" * 8 + "R2", 0, (10, 256), 2560 * 32 + 3 * 2560 * 16),
    "lfm2": ("R2F" * 3 + "RF" * 3 + "R", 6, (16, 64), 2 * 1024 * 16),
    "nemotron_h": ("R8FR3FR4FR4FR8", 4, (40, 128), 128 * 80 * 128 * 32 + 3 * (10240 + 2 * 8 * 128) * 16),
    "qwen3_5": ("R3F" * 6, 6, (8, 256), 16 * 128 * 128 * 32 + 3 * (2 * 16 * 128 + 16 * 128) * 16),
    "zamba": ("R2FR5F" + "R6F" * 11 + "R3", 13, (16, 464), 7424 * 16 * 32 + 3 * 7424 * 16),
    "gemma3": ("W(1024)5F" * 5 + "W(1024)4", 5, (8, 256), 1024 * 2 * 4 * 256 * 16),
    "llama": ("F16", 15, (32, 64), None),
    "gpt2": ("F12", 11, (12, 64), None),
    "mistral": ("W(4096)32", 0, (32, 128), 4096 * 2 * 8 * 128 * 16),
    "qwen2": ("F24", 23, (14, 64), None),
    "qwen3": ("F28", 27, (16, 128), None),
}


def config(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / f"{name}.json").read_text()))


def test_words_and_bits() -> None:
    source = f"the modules that transformers {transformers.__version__} builds"
    assert set(EXPECTED) == set(NAMES)
    for name, (word, depth, message, state) in EXPECTED.items():
        model = read_modules(config(name))
        assert (str(model.word), model.word.depth) == (word, depth)
        assert (model.message.heads, model.message.dim) == message, name
        p = 32 if name == "gpt2" else 16  # the file of GPT-2 names no dtype
        assert (model.message.bits, model.message.score_bits) == (p, p)
        assert (model.states[0] if model.states else None) == state, name
        assert len(model.state_bits) == model.word.full + 1
        assert {model.sources[fact] for fact in ("word", "heads", "states")} == {source}
        assert ("torch's default" in model.sources["bits"]) == (name == "gpt2")


def test_a_file_without_a_dtype_counts_the_bits_of_torch() -> None:
    document = {name: value for name, value in config("llama").items() if name != "torch_dtype"}
    for changed in (document, document | {"dtype": None}, document | {"torch_dtype": None, "dtype": "float32"}):
        assert read_modules(changed).message.bits == 32
    for name, bits in (("float64", 64), ("float16", 16), ("float8_e4m3fn", 8), ("float8_e5m2fnuz", 8)):
        assert read_modules(document | {"dtype": name}).message.bits == bits
    assert read_modules(document | {"dtype": "bfloat16", "torch_dtype": "float32"}).message.bits == 32
    assert read_modules(document, score_bits=5).message.score_bits == 5


def test_a_key_that_minimax_ignores_has_no_say() -> None:
    document = config("minimax") | {"num_hidden_layers": 4}
    types = document.pop("layer_types")[:4]
    assert str(read_modules(document | {"attn_type_list": [0, 0, 0, 1]}).word) == "FRFR"
    assert str(read_modules(document | {"layer_types": types}).word) == "R4"


def test_states_count_32_bits_or_p_if_that_is_more() -> None:
    def states(dtype: str) -> int:
        return read_modules(config("jamba") | {"torch_dtype": dtype}).states[0]

    numbers, buffer = 8192 * 16, 3 * 8192
    assert states("float8_e5m2") == numbers * 32 + buffer * 8
    assert states("float64") == (numbers + buffer) * 64


def test_a_window_that_the_class_widens_is_read_as_wide_as_it_is() -> None:
    """MiMo's mask lets one token more in than its field says."""
    types = ["sliding_attention", "full_attention"]
    model = read_modules({"model_type": "mimo_v2_flash", "num_hidden_layers": 2, "layer_types": types})
    assert [mixer.window for layer in model.layers for mixer in layer.mixers] == [129, None]


def test_a_text_model_inside_another() -> None:
    """The inner model counts, with or without a type of its own; what stands beside it does not."""
    document = config("gemma3")
    inner = {key: value for key, value in document["text_config"].items() if key != "model_type"}
    beside = {"vision_config": {"model_type": "siglip_vision_model", "hidden_size": 7, "num_hidden_layers": 3}}
    expected = read_modules(document)
    for changed in (document | beside, document | {"text_config": inner}, document | {"hidden_size": 5}):
        model = read_modules(changed)
        assert (model.word, model.message, model.states) == (expected.word, expected.message, expected.states)


def test_the_report_says_where_it_was_read(capfd: pytest.CaptureFixture[str]) -> None:
    for name, where in (
        ("zamba2", "the file alone"),
        ("lfm2", f"the modules that transformers {transformers.__version__} builds"),  # it has no list of layer types
    ):
        path = str(FOLDER / f"{name}.json")
        assert run(["bound", "--config", path, "--json"]) == 0
        sources = json.loads(capfd.readouterr().out)["sources"]
        assert set(sources) == {"word", "heads", "states", "bits"}
        assert sources["bits"] == "torch_dtype of the file, bfloat16"
        assert run(["bound", "--config", path]) == 0
        assert where in capfd.readouterr().out
