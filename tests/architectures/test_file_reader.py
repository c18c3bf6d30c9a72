"""Any field of any class of transformers in a file, and any name of a layer: the file alone says what the class builds.

The file reader may decline; what it reads must be what the modules are, and what the class refuses it must not read.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_models import TINY

from separation.architectures import ArchitectureReading, read_fields, read_modules
from separation.architectures.fields import UNDERSTOOD
from separation.architectures.file_reader import FAMILIES, WRAPPERS
from separation.architectures.resolved import NOT_READ, OLDER, READ
from separation.architectures.resolved import WRAPPERS as MODULE_WRAPPERS
from separation.files import InputError

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

VALUES = (None, True, False, 0, 1, 3, 48, -1, 1 << 41, 0.5, "x", "auto", [], [1], ["x"], {}, {"rope_type": "x"})
FOLDER = Path(__file__).parent / "configs"
LISTS = ("layer_types", "layers_block_type", "block_types")


@functools.cache
def declared() -> dict[str, list[Any]]:
    """Every field that any config class declares or reads under an older name, and three of its defaults."""
    found: dict[str, list[Any]] = {name: [] for name in OLDER}
    for kind in transformers.CONFIG_MAPPING.values():
        for name in kind.attribute_map:
            found.setdefault(name, [])
        for field in dataclasses.fields(kind):
            values = found.setdefault(field.name, [])
            if isinstance(field.default, int | float | str) and field.default not in values and len(values) < 3:
                values.append(field.default)
    return found


@functools.cache
def layer_names() -> tuple[str, ...]:
    """Every name of a layer that any class has, in its defaults or in the list of those that are allowed."""
    from transformers.configuration_utils import ALLOWED_LAYER_TYPES

    known = {*ALLOWED_LAYER_TYPES, "attention", "mamba", "recurrent", "mlp", "moe", "hybrid", "conv", "x"}
    return tuple(sorted(known))


def shipped(name: str) -> dict[str, Any]:
    return dict(json.loads((FOLDER / f"{name}.json").read_text()))


@functools.cache
def smallest(name: str) -> dict[str, Any]:
    """A small file of a family with every field that its class writes and the file reader takes."""
    small = {key: value for key, value in TINY[name].items() if key != "model_type"}
    if name == "kimi_linear":
        small["linear_attn_config"] = small["linear_attn_config"] | {"full_attn_layers": [4], "kda_layers": [1, 2, 3]}
        del small["layer_types"]
    document = json.loads(json.dumps(transformers.CONFIG_MAPPING[name](**small).to_dict(), default=str))
    if name == "kimi_linear":
        document |= {"linear_attn_config": small["linear_attn_config"]}
    while True:
        try:
            read_fields(document)
            return dict(document)
        except InputError as error:
            del document[str(error).split()[1]]


def alone(document: dict[str, Any]) -> ArchitectureReading | None:
    try:
        return read_fields(document)
    except InputError:
        return None


def disagreement(document: dict[str, Any]) -> str:
    """Where the file reader says something that the class does not; nothing where it declines."""
    soon = alone(document)
    if soon is None:
        return ""
    try:
        built = read_modules(document)
    except InputError as error:
        return f"{soon.word} read, and the class refuses it: {error}"
    same = (soon.word, soon.message, soon.states) == (built.word, built.message, built.states)
    letters = [layer.letters for layer in soon.layers] == [layer.letters for layer in built.layers]
    return "" if same and letters else f"{soon.word}, {soon.message} read for {built.word}, {built.message}"


def changed(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """A family's file with one field added or changed, or with one or all of its layers named otherwise."""
    document = smallest(name)
    for field, defaults in sorted(declared().items()):
        for value in itertools.chain(defaults, VALUES):
            yield f"{name}: {field} = {value!r}", document | {field: value}
    for field in LISTS:
        listed = document.get(field, ["x"] * 4)
        for layer in layer_names():
            yield f"{name}: all {field} {layer}", document | {field: [layer] * len(listed)}
            yield f"{name}: the first {field} {layer}", document | {field: [layer, *listed[1:]]}
            yield f"{name}: the last {field} {layer}", document | {field: [*listed[:-1], layer]}
    for wrapper in (outer for outer, inner in WRAPPERS.items() if inner == name):
        for what, inner in (
            ("", document),
            (" its type left out", {k: v for k, v in document.items() if k != "model_type"}),
        ):
            whole = {"model_type": wrapper, "text_config": inner}
            yield f"{wrapper}:{what}", whole
            for field, defaults in sorted(declared().items()):
                for value in itertools.chain(defaults, VALUES):
                    yield f"{wrapper}:{what} {field} = {value!r}", {field: value} | whole


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_no_field_and_no_layer_name_is_misread(name: str) -> None:
    asked = read = 0
    wrong = []
    for what, document in changed(name):
        asked += 1
        if alone(document) is not None:
            read += 1
            found = disagreement(document)
            wrong += [f"{what}: {found}"] if found else []
    print(f"{name}: {asked} files, {read} read from the file alone")
    assert wrong == []
    assert read > 20


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=120)
@given(st.data())
def test_no_two_fields_are_misread(data: st.DataObject) -> None:
    """The same of two fields at once, drawn among those that the file reader takes; lists of layers too."""
    document = dict(smallest(data.draw(st.sampled_from(sorted(FAMILIES)))))
    for _ in range(2):
        field = data.draw(st.sampled_from(sorted({*UNDERSTOOD, *document})))
        if field in LISTS and field in document:
            several = st.lists(
                st.sampled_from(layer_names()), min_size=len(document[field]), max_size=len(document[field])
            )
            document[field] = data.draw(several)
        else:
            document[field] = data.draw(st.sampled_from(VALUES))
    assert disagreement(document) == ""


MISREAD_ONCE = [
    ("minimax", {"sliding_window": 5}, "RW(5)RW(5)"),
    ("zamba2", {"attention_head_dim": 320}, "RFR2FR"),
    *[("zamba2", {"layers_block_type": [name] * 4}, "R4") for name in ("moe", "attention", "full_attention")],
    ("qwen2", {"use_sliding_window": False}, ""),
    ("gpt2", {"hidden_size": 48}, "F4"),
]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "change", "word"), MISREAD_ONCE)
def test_what_was_misread_goes_to_the_class(name: str, change: dict[str, Any], word: str) -> None:
    document = smallest(name) | change
    assert alone(document) is None
    if word:
        assert str(read_modules(document).word) == word


def test_every_family_is_read_by_both() -> None:
    """The files that are changed here are read by the file reader, and as their classes build them."""
    for name in FAMILIES:
        assert alone(smallest(name)) is not None, name
        assert disagreement(smallest(name)) == ""


def test_a_disagreement_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The false neighbour: a field with a say among those that have none."""
    ignoring = dataclasses.replace(FAMILIES["minimax"], equal={}, unread={"sliding_window": lambda _: True})
    monkeypatch.setitem(FAMILIES, "minimax", ignoring)
    assert "read for RW(5)RW(5)" in disagreement(smallest("minimax") | {"sliding_window": 5})


# --- files that are not read alone ---

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


def test_a_missing_field_is_named() -> None:
    for name, field in [(name, field) for name, fields in MATTERS.items() for field in fields]:
        document = {key: value for key, value in shipped(name).items() if key != field}
        for changed in (document, document | {field: None}):
            if field == "sliding_window" and field in changed:
                continue  # null says that there is no window
            with pytest.raises(InputError, match=rf"^config: .*{field}.*$"):
                read_fields(changed)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("llama", {"num_hidden_layers": 0}, "num_hidden_layers is 0; an integer from 1 to 1099511627776 is needed"),
    ("llama", {"num_hidden_layers": 10**6}, "num_hidden_layers is 1000000; at most 4096 layers are read"),
    ("llama", {"num_attention_heads": "x"}, "num_attention_heads is 'x'; an integer from 1"),
    ("llama", {"num_attention_heads": True}, "num_attention_heads is True; an integer from 1"),
    ("llama", {"torch_dtype": "int4"}, "torch_dtype is 'int4'; known are float64, float32, bfloat16"),
    ("llama", {"model_type": "unheard_of"}, "model_type 'unheard_of' is not read by itself, only bailing_hybrid"),
    ("llama", {"is_causal": False}, "is_causal is False; only causal decoders are read"),
    ("llama", {"text_config": {}}, "text_config is there, and 'llama' is not known to have one"),
    ("llama", {"per_layer_config": {"1": {}}}, "per_layer_config is {'1': {}}, which only the class"),
    ("kimi_linear", {"linear_attn_config": [1]}, "linear_attn_config is [1]; an object is needed"),
    ("kimi_linear", {"linear_attn_config": {"full_attn_layers": [1], "kda_layers": []}}, "each of 27 layers once"),
    ("kimi_linear", {"layer_types": ["full_attention"] * 27}, "which only the class itself can read"),
    ("zamba", {"num_hidden_layers": 2}, "num_hidden_layers is 2; Zamba has 3 or more"),
    ("gpt2", {"n_head": 7}, "n_head 7 does not divide n_embd 768"),
    ("gpt2", {"num_hidden_layers": 3}, "num_hidden_layers is 3, which only the class itself"),
    ("gpt2", {"add_cross_attention": True}, "cross attention is not read"),
    ("zamba2", {"layers_block_type": ["x"] * 12}, "layers_block_type has a layer 'x'; understood are"),
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
    ("minimax", {"layer_types": ["hybrid"] * 80}, "layer_types has a layer 'hybrid'; understood are"),
    (
        "llama",
        {"model_type": "qwen3", "layer_types": ["mamba"] * 16},
        "layer_types has a layer 'mamba'; understood are",
    ),
    ("recurrent_gemma", {"block_types": ["x"]}, "block_types is ['x']; known are recurrent and attention"),
    ("gemma3", {"text_config": []}, "text_config is not an object"),
    ("gemma3", {"text_config": None}, "text_config is missing"),
    ("gemma3", {"text_config": {"model_type": "llama"}}, "text_config has model_type 'llama'; gemma3_text is"),
    ("gemma3", {"text_config": {"use_bidirectional_attention": True}}, "attention both ways is not read"),
]


def test_bad_files_name_the_field() -> None:
    for name, change, text in WRONG:
        with pytest.raises(InputError) as caught:
            read_fields(shipped(name) | change)
        assert text in str(caught.value), (name, change)
        assert "\n" not in str(caught.value)
    for document in ([], {}, {"model_type": 3}):
        with pytest.raises(InputError, match=r"^config: (a JSON object is needed|model_type is missing)$"):
            read_fields(document)


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


TEXT = (Path(__file__).parent.parent.parent / "docs" / "bounds.md").read_text()


def test_every_family_is_named() -> None:
    assert set(re.findall(r"`([a-z0-9_]+)`", TEXT)) >= {*READ, *MODULE_WRAPPERS, *NOT_READ, *FAMILIES}
