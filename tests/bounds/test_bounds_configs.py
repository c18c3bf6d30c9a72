"""Hugging Face configurations: words, β, Λ; and their fields against the installed transformers."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from separation.bounds import bound_config, load_config, read_config
from separation.bounds.families import FAMILIES
from separation.files import InputError

FOLDER = Path(__file__).parent / "configs"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))

# word; depth; heads and value dimension; state bits of the first layer with R
EXPECTED: dict[str, tuple[str, int, tuple[int, int], int | None]] = {
    "qwen3_next": ("R3F" * 12, 12, (16, 256), 32 * 128 * 128 * 32 + 3 * (2 * 16 * 128 + 32 * 128) * 16),
    "kimi_linear": ("R3F" * 6 + "R2F", 7, (32, 128), 32 * 128 * 128 * 32 + 3 * 3 * 32 * 128 * 16),
    "minimax": ("R7F" * 10, 10, (64, 128), 64 * 128 * 128 * 32),
    "jamba": ("R4F" + "R7F" * 3 + "R3", 4, (32, 128), 8192 * 16 * 32 + 3 * 8192 * 16),
    "bamba": ("R9F" + "R8F" * 2 + "R4", 3, (32, 128), 128 * 64 * 128 * 32 + 3 * (8192 + 2 * 128) * 16),
    "falcon_h1": ("[FR]24", 23, (8, 128), 3072 * 256 * 32 + 3 * (3072 + 2 * 256) * 16),
    "zamba2": ("R5FR6FR", 2, (32, 160), 5120 * 64 * 32 + 3 * (5120 + 2 * 64) * 16),
    "olmo_hybrid": ("R3F" * 8, 8, (30, 128), 30 * 96 * 192 * 32 + 3 * (2 * 30 * 96 + 30 * 192) * 16),
    "granitemoehybrid": ("R5F" + "R9F" * 3 + "R4", 4, (12, 128), 48 * 64 * 128 * 32 + 3 * (3072 + 2 * 128) * 16),
    "recurrent_gemma": ("R26", 0, (10, 256), 2560 * 32 + 3 * 2560 * 16),
    "gemma3": ("R5F" * 5 + "R4", 5, (8, 256), 1024 * 2 * 4 * 256 * 16),
    "llama": ("F16", 15, (32, 64), None),
    "gpt2": ("F12", 11, (12, 64), None),
    "mistral": ("R32", 0, (32, 128), 4096 * 2 * 8 * 128 * 16),
    "qwen2": ("F24", 23, (14, 64), None),
    "qwen3": ("F28", 27, (16, 128), None),
}


def config(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / f"{name}.json").read_text()))


@pytest.mark.parametrize("name", NAMES)
def test_words_and_bits(name: str) -> None:
    model = load_config(FOLDER / f"{name}.json")
    word, depth, message, state = EXPECTED[name]
    assert str(model.word) == word
    assert model.word.depth == depth
    assert (model.message.heads, model.message.dim) == message
    assert (model.message.bits, model.message.score_bits) == (16, 16)
    assert (model.states[0] if model.states else None) == state
    assert len(model.linear) == model.word.full + 1


def test_every_family_has_a_config() -> None:
    assert set(EXPECTED) == set(NAMES)


@pytest.mark.parametrize("name", ["recurrent_gemma", "mistral", "zamba2", "bamba", "gpt2", "qwen3_next"])
def test_the_first_l_beyond_the_depth_is_certified(name: str) -> None:
    model = load_config(FOLDER / f"{name}.json")
    found = bound_config(model)
    document = found.document()
    assert found.ground.certified
    assert document["L"] == document["depth"] + 1
    assert document["far_beyond_real_prompts"] == (document["hard_sizes"]["n_log2"] > 30)
    assert found.far_beyond == (name not in ("recurrent_gemma", "mistral"))


def test_two_kinds_in_one_griffin() -> None:
    model = load_config(FOLDER / "recurrent_gemma.json")
    assert set(model.states) == {2560 * 32 + 3 * 2560 * 16, 2048 * 2 * 1 * 256 * 16}


def test_sliding_windows() -> None:
    changed = config("qwen2") | {"use_sliding_window": True}
    assert str(read_config(changed).word) == "F21R3"
    assert str(read_config(config("mistral") | {"sliding_window": None}).word) == "F32"
    types = ["full_attention", "sliding_attention"] * 17
    inner = config("gemma3")["text_config"] | {"layer_types": types}
    assert str(read_config({"model_type": "gemma3", "text_config": inner}).word) == "FR" * 17


def test_a_text_model_inside_another() -> None:
    """The inner model counts, with or without a type of its own; what stands beside it does not."""
    document = config("gemma3")
    inner = {key: value for key, value in document["text_config"].items() if key != "model_type"}
    beside = {"vision_config": {"model_type": "siglip_vision_model", "hidden_size": 7, "num_hidden_layers": 3}}
    expected = read_config(document)
    for changed in (document | beside, document | {"text_config": inner}, document | {"hidden_size": 5}):
        model = read_config(changed)
        assert (model.word, model.message, model.states) == (expected.word, expected.message, expected.states)


def test_many_layers() -> None:
    """94 full layers: an answer beyond all use, but an answer."""
    found = bound_config(read_config(config("llama") | {"num_hidden_layers": 94}))
    assert found.ground.certified
    assert found.model.first_hard == 94
    assert found.far_beyond
    assert found.tokens_log2 > 1e40


def test_precision() -> None:
    assert read_config(config("llama") | {"torch_dtype": "float32"}).message.bits == 32
    assert read_config(config("llama"), score_bits=5).message.score_bits == 5
    assert read_config(config("gpt2")).message.bits == 16


@pytest.mark.parametrize(
    ("name", "change", "text"),
    [
        ("llama", {"num_hidden_layers": None}, "config: num_hidden_layers is missing"),
        (
            "llama",
            {"num_hidden_layers": 0},
            "config: num_hidden_layers is 0; an integer from 1 to 1099511627776 is needed",
        ),
        ("llama", {"num_hidden_layers": 10**6}, "config: num_hidden_layers is 1000000; at most 4096 layers are read"),
        ("llama", {"num_attention_heads": "x"}, "config: num_attention_heads is 'x'; an integer from 1"),
        ("llama", {"num_attention_heads": True}, "config: num_attention_heads is True; an integer from 1"),
        ("llama", {"torch_dtype": "int4"}, "config: torch_dtype is 'int4'; known are float64, float32, bfloat16"),
        ("llama", {"model_type": "unheard_of"}, "config: model_type 'unheard_of' is not known; known are bamba"),
        ("llama", {"model_type": 3}, "config: model_type is missing"),
        ("gpt2", {"n_head": 7}, "config: head_dim is missing, and 7 heads do not divide 768"),
        ("zamba2", {"layers_block_type": ["mamba"]}, "config: layers_block_type has 1 entries for 12 layers"),
        ("zamba2", {"layers_block_type": ["x"] * 12}, "config: layers_block_type has a layer 'x'; known are"),
        ("zamba2", {"layers_block_type": "mamba"}, "config: layers_block_type is 'mamba'; a list of strings is needed"),
        ("bamba", {"attn_layer_indices": [1.5]}, "config: attn_layer_indices is [1.5]; a list of integers is needed"),
        (
            "bamba",
            {"layer_types": ["hybrid"] * 32},
            "config: layer_types has a layer 'hybrid', which bamba does not know",
        ),
        ("minimax", {"attn_type_list": [2] * 80}, "config: attn_type_list needs one 0 or 1 for each of 80 layers"),
        ("kimi_linear", {"linear_attn_config": 4}, "config: linear_attn_config is 4; an object is needed"),
        ("kimi_linear", {"v_head_dim": None}, "config: v_head_dim is missing"),
        ("recurrent_gemma", {"block_types": ["x"]}, "config: block_types is ['x']; known are recurrent and attention"),
        ("qwen2", {"use_sliding_window": "yes"}, "config: use_sliding_window is 'yes'; true or false is needed"),
        (
            "qwen3",
            {"layer_types": ["linear_attention"] * 28},
            "config: qwen3 has a linear layer, whose state is not known",
        ),
        ("gemma3", {"text_config": []}, "config: text_config is not an object"),
    ],
)
def test_bad_configs_name_the_field(name: str, change: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_config(config(name) | change)
    assert str(caught.value).startswith(text)
    assert "\n" not in str(caught.value)


def test_no_config_is_refused() -> None:
    with pytest.raises(InputError, match="config: a JSON object is needed"):
        read_config([])


def installed_config(document: dict[str, Any]) -> Any:
    transformers = pytest.importorskip("transformers")
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    if document["model_type"] not in CONFIG_MAPPING_NAMES:
        pytest.skip(f"the installed transformers do not know {document['model_type']}")
    return getattr(transformers, CONFIG_MAPPING_NAMES[document["model_type"]])


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NAMES)
def test_fields_are_those_of_transformers(name: str) -> None:
    """The installed class takes the file, keeps every field that is read here, and its own layers are the word's."""
    document = config(name)
    inner = copy.deepcopy(document.get("text_config", document))
    built = installed_config(inner)(**{key: value for key, value in inner.items() if key != "model_type"})
    kept = built.to_dict()
    if name == "minimax":  # the class of the converted checkpoints names the layers itself
        built.layer_types = ["full_attention" if kind else "linear_attention" for kind in inner["attn_type_list"]]
    legacy = {"torch_dtype", "full_attention_interval", "linear_attn_config", "sliding_window_pattern"}
    for field in set(inner) - legacy - {"attn_type_list", "model_type", "layer_types", "layers_block_type"}:
        assert field in kept or hasattr(built, field), field
    types = getattr(built, "layers_block_type", None) or getattr(built, "layer_types", None)
    if types is None:
        return
    letters = {"linear_attention": "R", "mamba": "R", "recurrent": "R", "sliding_attention": "R", "hybrid": "H"}
    words = "".join(letters.get(kind, "F") for kind in types)
    model = read_config(document)
    if name == "zamba2":
        words = words.replace("H", "FR")
    if name == "recurrent_gemma":
        words = words.replace("F", "R")
    assert words == "".join({"F": "F", "R": "R", "FR": "H"}[layer] for layer in model.word.layers)


def text_config(name: str) -> dict[str, Any]:
    """The file of a family, or a small one if there is none; minimax's names its layers as no class does."""
    if name in NAMES:
        document = config(name)
        return dict(document.get("text_config", document))
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32}
    return {"model_type": name, **sizes, "use_sliding_window": True, "max_window_layers": 1, "sliding_window": 8}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(set(FAMILIES) - {"minimax"}))
def test_what_a_file_leaves_out_is_what_transformers_take_for_it(name: str) -> None:
    """Without any one of its fields: the word, β and Λ are those of the installed class with its defaults."""
    document = text_config(name)
    installed = installed_config(document)
    compared = 0
    for field in [None, *document]:
        inner = {key: value for key, value in document.items() if key not in (field, "torch_dtype")}
        try:
            model = read_config(inner)
            built = installed(**{key: value for key, value in inner.items() if key != "model_type"})
        except Exception:  # either of the two refuses it, theirs with errors of their own
            continue
        whole = read_config(built.to_dict() | {"dtype": None})
        assert (model.word, model.message, model.states) == (whole.word, whole.message, whole.states), field
        compared += 1
    assert compared >= 1


def test_a_null_field_is_not_one_that_is_left_out() -> None:
    left_out = {key: value for key, value in config("mistral").items() if key != "sliding_window"}
    assert str(read_config(left_out).word) == "R32"
    assert str(read_config(left_out | {"sliding_window": None}).word) == "F32"
