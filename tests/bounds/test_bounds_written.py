"""A config.json read without transformers: every field that matters is written out, or the missing one is named."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from separation.architectures import library, read_config
from separation.bounds import read_written_config
from separation.bounds.configs.written import FAMILIES, WRAPPERS
from separation.files import InputError
from separation.verbs.command_line import run

FOLDER = Path(__file__).parent / "configs"
ALONE = "without transformers every field that matters must be written out; pip install 'separation[stock]'"


def config(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / f"{name}.json").read_text()))


def installed() -> Any:
    pytest.importorskip("torch")
    return pytest.importorskip("transformers")


def written_out(name: str) -> dict[str, Any]:
    """A shipped file as its class writes it down again, every field that it knows with its value."""
    document = config(name) if (FOLDER / f"{name}.json").exists() else {"model_type": name, "num_hidden_layers": 4}
    inner = document.get("text_config", document)
    fields = {key: value for key, value in inner.items() if key != "model_type"}
    built = installed().CONFIG_MAPPING[inner["model_type"]](**fields)
    kept = json.loads(json.dumps(built.to_dict(), default=str))
    refused = FAMILIES[inner["model_type"]].refused
    return {key: value for key, value in kept.items() if key not in refused}


def test_a_file_that_has_everything_is_read() -> None:
    model = read_written_config(config("llama"))
    assert (str(model.word), model.message.heads, model.message.dim, model.message.bits) == ("F16", 32, 64, 16)
    assert set(model.sources.values()) == {"the file alone", "torch_dtype of the file, bfloat16"}
    assert str(read_written_config(config("minimax")).word) == "R7F" * 10
    assert str(read_written_config(config("mistral")).word) == "R32"
    assert str(read_written_config(config("mistral") | {"sliding_window": None}).word) == "F32"
    assert read_written_config(config("gpt2")).message.bits == 32


NAMES = {"qwen3_5_text": "qwen3_5", "gemma3_text": "gemma3"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_what_a_class_writes_out_is_read_as_the_class_builds_it(name: str) -> None:
    document = written_out(NAMES.get(name, name))
    alone, by_modules = read_written_config(document), read_config(document)
    assert alone.word == by_modules.word
    assert alone.message == by_modules.message
    assert alone.states == by_modules.states
    assert [layer.letters for layer in alone.layers] == [layer.letters for layer in by_modules.layers]


LEAVES_OUT = {
    "deepseek_v3": "model_type",
    **dict.fromkeys(
        ("gemma3", "lfm2", "olmo_hybrid", "qwen2", "qwen3", "qwen3_5", "qwen3_next"), "layer_types is missing"
    ),
    "nemotron_h": "hybrid_override_pattern is there",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.json")))
def test_a_shipped_file_is_read_as_its_class_builds_it_or_a_field_is_named(name: str) -> None:
    if name in LEAVES_OUT:
        with pytest.raises(InputError, match=f"^config: {LEAVES_OUT[name]}.*; {re.escape(ALONE)}$"):
            read_written_config(config(name))
        return
    alone = read_written_config(config(name))
    by_modules = read_config(config(name))
    assert (alone.word, alone.message, alone.states) == (by_modules.word, by_modules.message, by_modules.states)


MATTERS = {
    "llama": ("num_hidden_layers", "num_attention_heads"),
    "mistral": ("num_hidden_layers", "num_attention_heads", "num_key_value_heads", "sliding_window", "hidden_size"),
    "zamba2": (
        *("layers_block_type", "hidden_size", "num_attention_heads", "mamba_d_state", "mamba_d_conv"),
        *("mamba_expand", "mamba_ngroups", "n_mamba_heads"),
    ),
    "falcon_h1": ("num_hidden_layers", "head_dim", "mamba_n_heads", "mamba_d_head", "mamba_n_groups", "mamba_d_state"),
    "recurrent_gemma": ("block_types", "lru_width", "conv1d_width", "attention_window_size", "head_dim"),
    "minimax": ("layer_types", "head_dim", "num_attention_heads"),
    "bamba": ("attn_layer_indices", "num_hidden_layers", "mamba_n_heads", "mamba_d_head", "mamba_n_groups"),
    "kimi_linear": ("linear_attn_config", "num_hidden_layers", "num_attention_heads", "v_head_dim"),
    "bailing_hybrid": ("layer_group_size", "head_dim", "short_conv_kernel_size", "num_attention_heads", "v_head_dim"),
    "zamba": ("attn_layer_period", "attn_layer_offset", "num_attention_heads", "mamba_d_state", "hidden_size"),
    "jamba": ("attn_layer_period", "attn_layer_offset", "mamba_d_state", "mamba_d_conv", "mamba_expand"),
}


@pytest.mark.parametrize(("name", "field"), [(name, field) for name, fields in MATTERS.items() for field in fields])
def test_a_missing_field_is_named(name: str, field: str) -> None:
    document = {key: value for key, value in config(name).items() if key != field}
    if name == "mistral":
        document["dtype"] = "bfloat16"
    for changed in (document, document | {field: None}):
        if field == "sliding_window" and field in changed:
            continue  # null says that there is no window
        with pytest.raises(InputError) as caught:
            read_written_config(changed)
        assert field in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "change", "text"),
    [
        ("llama", {"num_hidden_layers": 0}, "num_hidden_layers is 0; an integer from 1 to 1099511627776 is needed"),
        ("llama", {"num_hidden_layers": 10**6}, "num_hidden_layers is 1000000; at most 4096 layers are read"),
        ("llama", {"num_attention_heads": "x"}, "num_attention_heads is 'x'; an integer from 1"),
        ("llama", {"num_attention_heads": True}, "num_attention_heads is True; an integer from 1"),
        ("llama", {"torch_dtype": "int4"}, "torch_dtype is 'int4'; known are float64, float32, bfloat16"),
        ("llama", {"model_type": "unheard_of"}, "model_type 'unheard_of' is not read by itself, only bailing_hybrid"),
        ("llama", {"is_causal": False}, "is_causal is False; only causal decoders are read"),
        ("llama", {"text_config": {}}, "text_config is there, and 'llama' is not known to have one"),
        ("llama", {"per_layer_config": {"1": {}}}, "per_layer_config is there"),
        ("kimi_linear", {"linear_attn_config": [1]}, "linear_attn_config is [1]; an object is needed"),
        ("kimi_linear", {"linear_attn_config": {"full_attn_layers": [1], "kda_layers": []}}, "each of 27 layers once"),
        ("kimi_linear", {"layer_types": ["full_attention"] * 27}, "layer_types is there, which only the class itself"),
        ("zamba", {"num_hidden_layers": 2}, "num_hidden_layers is 2; Zamba has 3 or more"),
        ("gpt2", {"n_head": 7}, "n_head 7 does not divide n_embd 768"),
        ("gpt2", {"num_hidden_layers": 3}, "num_hidden_layers is there, which only the class itself"),
        ("gpt2", {"add_cross_attention": True}, "cross attention is not read"),
        ("zamba2", {"layers_block_type": ["x"] * 12}, "layers_block_type has a layer 'x'; known are"),
        ("zamba2", {"layers_block_type": "mamba"}, "layers_block_type is 'mamba'; a list of strings is needed"),
        ("zamba2", {"layers_block_type": []}, "layers_block_type has 0 entries"),
        ("bamba", {"attn_layer_indices": [1.5]}, "attn_layer_indices is [1.5]; a list of integers is needed"),
        ("bamba", {"mamba_d_head": "auto"}, "mamba_d_head is 'auto'; an integer"),
        ("bamba", {"mamba_n_heads": 64}, "mamba_n_heads·mamba_d_head is 64·64, not 8192"),
        ("bamba", {"mamba_expand": 1}, "mamba_n_heads·mamba_d_head is 128·64, not 4096"),
        ("falcon_h1", {"mamba_d_ssm": 1536}, "mamba_n_heads·mamba_d_head is 48·64, not 1536"),
        ("jamba", {"attn_layer_offset": 8}, "attn_layer_offset 8 is not below attn_layer_period 8"),
        ("llama", {"num_attention_heads": 33}, "num_attention_heads 33 does not divide hidden_size 2048"),
        ("minimax", {"head_dim": 129}, "head_dim is 129, which is odd"),
        ("zamba", {"n_mamba_heads": 3}, "n_mamba_heads 3 does not divide"),
        ("zamba2", {"num_hidden_layers": 24}, "layers_block_type has 12 entries for 24 layers"),
        ("minimax", {"layer_types": ["full_attention"]}, "layer_types has 1 entries for 80 layers"),
        ("minimax", {"layer_types": ["hybrid"] * 80}, "there is a layer 'hybrid', which minimax does not know"),
        ("llama", {"model_type": "qwen3", "layer_types": ["mamba"] * 16}, "a linear layer, which qwen3 does not know"),
        ("recurrent_gemma", {"block_types": ["x"]}, "block_types is ['x']; known are recurrent and attention"),
        ("gemma3", {"text_config": []}, "text_config is not an object"),
        ("gemma3", {"text_config": None}, "text_config is missing"),
        ("gemma3", {"text_config": {"model_type": "llama"}}, "text_config has model_type 'llama'; gemma3_text is"),
        ("gemma3", {"text_config": {"use_bidirectional_attention": True}}, "attention both ways is not read"),
    ],
)
def test_bad_files_name_the_field(name: str, change: dict[str, Any], text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_written_config(config(name) | change)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("document", [[], {}, {"model_type": 3}])
def test_what_is_no_config_is_refused(document: object) -> None:
    with pytest.raises(InputError, match=r"^config: (a JSON object is needed|model_type is missing)$"):
        read_written_config(document)


def test_other_names_of_a_field_are_refused() -> None:
    """Whatever a class takes as another name of a field that is read here: which of the two wins, it alone knows."""
    mapping = installed().CONFIG_MAPPING
    harmless = {"max_position_embeddings", "num_experts", "num_local_experts", "num_experts_per_tok", "num_mtp_layers"}
    harmless |= {"norm_topk_prob", "n_group", "n_shared_experts"}
    for name, family in FAMILIES.items():
        assert set(mapping[name].attribute_map) - harmless <= set(family.refused), name
    for outer, inner in WRAPPERS.items():
        assert mapping[outer]().get_text_config().model_type == inner


def test_without_transformers_the_command_line_names_the_field(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(library, "installed", lambda: False)
    assert run(["bound", "--config", str(FOLDER / "llama.json"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["sources"]["word"] == "the file alone"
    path = tmp_path / "config.json"
    path.write_text(json.dumps({key: value for key, value in config("zamba2").items() if key != "layers_block_type"}))
    assert run(["bound", "--config", str(path)]) == 2
    assert capfd.readouterr().err == f"separation: error: config: layers_block_type is missing; {ALONE}\n"


def test_without_transformers_nothing_of_them_is_imported() -> None:
    """In a process of its own, in which neither can be imported."""
    program = (
        "import sys; sys.modules['transformers'] = None; sys.modules['torch'] = None\n"
        "from separation.verbs.command_line import run\n"
        f"sys.exit(run(['bound', '--config', {str(FOLDER / 'llama.json')!r}, '--json']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["sources"]["word"] == "the file alone"
