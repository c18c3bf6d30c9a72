"""What is not read: one line each, and nothing of a file reaches a loader."""

from __future__ import annotations

import logging
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from tiny_models import COMMON, TINY

from separation.architectures import module_reader, read_modules
from separation.architectures.building import MaskRule
from separation.architectures.fields import NOT_OF_THE_ARCHITECTURE
from separation.architectures.resolved import BOTH, NOT_READ, READ, RECURRENT, WRAPPERS
from separation.files import InputError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

LLAMA = TINY["llama"]


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ([], "config: a JSON object is needed"),
        ({}, "config: model_type is missing"),
        (LLAMA | {"model_type": 3}, "config: model_type is missing"),
        (LLAMA | {"model_type": "unheard_of"}, "has no model 'unheard_of'"),
        (LLAMA | {"num_hidden_layers": None}, "config: transformers does not take it"),
        (LLAMA | {"num_hidden_layers": 0}, "no list of layers was found in LlamaModel"),
        (LLAMA | {"num_hidden_layers": 10**6}, "num_hidden_layers is 1000000; at most 4096 layers are read"),
        (TINY["gpt2"] | {"n_layer": 10**6}, "n_layer is 1000000; at most 4096 layers are read"),
        (TINY["zamba2"] | {"layers_block_type": ["mamba"] * 5000}, "layers_block_type has 5000 entries; at most 4096"),
        (TINY["nemotron_h"] | {"hybrid_override_pattern": "M" * 5000}, "hybrid_override_pattern has 5000 entries"),
        (TINY["jamba"] | {"num_experts": 10**6}, "num_experts is 1000000; at most 65536 are read"),
        (LLAMA | {"num_attention_heads": "x"}, "config: transformers does not take it"),
        (LLAMA | {"intermediate_size": 1 << 41}, "at most 1099511627776 is read"),
        (LLAMA | {"torch_dtype": "int4"}, "torch_dtype is 'int4'; known are float64, float32, bfloat16"),
        (LLAMA | {"dtype": "auto"}, "dtype is 'auto'; known are"),
        (LLAMA | {"dtype": 16}, "dtype is 16; known are"),
        (LLAMA | {"is_causal": False}, "is_causal is False; only causal decoders are read"),
        (LLAMA | {"is_encoder_decoder": True}, "an encoder and a decoder is not read"),
        (TINY["gpt2"] | {"add_cross_attention": True}, "cross attention is not read"),
        (TINY["gemma3_text"] | {"use_bidirectional_attention": True}, "attention both ways is not read"),
        (LLAMA | {"per_layer_config": {"0": {}}}, "layers that differ one by one are not read"),
        (LLAMA | {"_weights": 3}, "the field '_weights' is private"),
        (LLAMA | {"to_dict": 3}, "the field 'to_dict' has the name of a part of its class"),
        (LLAMA | {"attribute_map": {"num_hidden_layers": "n"}}, "the field 'attribute_map' has the name of a part"),
        ({"model_type": "gemma3", "text_config": {"attribute_map": {}}}, "the field 'attribute_map' has the name"),
        (LLAMA | {"text_config": {}}, "text_config is there; it is read inside gemma3"),
        ({"model_type": "gemma3", "text_config": []}, "text_config is not an object"),
        ({"model_type": "gemma3", "text_config": {"use_bidirectional_attention": True}}, "attention both ways"),
        (TINY["zamba2"] | {"layers_block_type": ["x"] * 4}, "config: transformers does not take it"),
        (TINY["nemotron_h"] | {"layers_block_type": ["mlp"] * 4}, "takes anything from token to token"),
        (COMMON | {"model_type": "bert"}, "'bert' of transformers"),
        (COMMON | {"model_type": "t5"}, "'t5' of transformers"),
        (COMMON | {"model_type": "llava"}, "'llava' of transformers"),
        *((COMMON | {"model_type": name}, NOT_READ[name]) for name in ("rwkv", "zaya", "deepseek_v32")),
    ],
)
def test_one_line_says_why(document: Any, text: str) -> None:
    with pytest.raises(InputError) as caught:
        read_modules(document)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_mask_both_ways_is_seen_without_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The field is not looked at here: the rule that the class makes of it is."""
    import separation.architectures.resolved as resolved

    monkeypatch.setattr(resolved, "require_causal", lambda _: None)
    for document in (TINY["gemma3_text"] | {"use_bidirectional_attention": True}, LLAMA | {"is_causal": False}):
        with pytest.raises(InputError, match="a layer attends to later tokens"):
            read_modules(document)
    with pytest.raises(InputError, match="GPT2Attention is not causal"):
        read_modules(TINY["gpt2"] | {"add_cross_attention": True})


@pytest.mark.parametrize(
    ("rule", "local", "expected"),
    [
        (lambda _b, _h, q, k: k <= q, None, None),
        (lambda _b, _h, q, k: (k <= q) & (k > q - 6), 6, 6),
        (lambda _b, _h, q, k: (k <= q) & (k > q - 6), None, "neither"),
        (lambda _b, _h, q, k: (k <= q) & (k > q - 6), 5, "neither"),
        (lambda _b, _h, q, k: (k <= q) & (k > q - 6), 7, "neither"),
        (lambda _b, _h, q, k: k <= q, 6, "neither"),
        (lambda _b, _h, q, k: (k <= q) & (k // 6 == q // 6), 6, 6),
        (lambda _b, _h, q, k: (k <= q) & (k // 5 == q // 5), 6, "neither"),
        (lambda _b, _h, q, k: (k <= q) & ((k + 1) // 6 == (q + 1) // 6), 6, "neither"),
        (lambda _b, _h, q, k: k <= q + 1, None, "later tokens"),
        (lambda _b, _h, q, k: (k <= q) | (k < 5), None, "later tokens"),
        (lambda _b, _h, q, k: k < q, None, "hides a token"),
    ],
)
def test_rules_of_masks(rule: Any, local: int | None, expected: int | str | None) -> None:
    """Causal, a window, and what is neither: windows of another width, chunks, prefixes."""
    if isinstance(expected, str):
        with pytest.raises(InputError, match=expected):
            _ = MaskRule(rule, local).window
    else:
        assert MaskRule(rule, local).window == expected


def test_modules_that_are_not_known_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A recurrence, an attention and a convolution that the table does not name."""
    for name in ("jamba", "lfm2"):
        with monkeypatch.context() as patch:
            patch.setitem(RECURRENT, name, "SomethingElse")
            with pytest.raises(InputError, match="is not known; it may mix tokens"):
                read_modules(TINY[name])
    with monkeypatch.context() as patch:
        patch.setattr(module_reader, "attention_class", lambda _: "SomethingElse")
        with pytest.raises(InputError, match="is not known; it may mix tokens"):
            read_modules(TINY["llama"])
    monkeypatch.delitem(BOTH, "Zamba2HybridLayer")
    with pytest.raises(InputError, match="Zamba2HybridLayer has 2 mixers"):
        read_modules(TINY["zamba2"])


def test_a_mixer_beside_the_layers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.models.llama.modeling_llama import LlamaModel

    stock = LlamaModel.__init__

    def with_a_convolution(self: Any, config: Any) -> None:
        stock(self, config)
        self.smear = torch.nn.Conv1d(4, 4, 3)

    monkeypatch.setattr(LlamaModel, "__init__", with_a_convolution)
    with pytest.raises(InputError, match="Conv1d beside the layers is not known; it may mix tokens"):
        read_modules(LLAMA)


def test_layers_are_those_that_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A base model that leaves its last layer out has one letter less."""
    from transformers.models.llama.modeling_llama import LlamaModel

    stock = LlamaModel.__init__

    def shorter(self: Any, config: Any) -> None:
        stock(self, config)
        self.config.num_hidden_layers -= 1

    monkeypatch.setattr(LlamaModel, "__init__", shorter)
    assert str(read_modules(LLAMA).word) == "F3"


def test_fields_that_load_things_never_reach_the_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels, code and weights from elsewhere: the reading is the same, and nothing opens a connection."""

    def no_network(*_: Any, **__: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", no_network)
    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    loading = {
        "auto_map": {"AutoConfig": "someone/repo--configuration.Config", "AutoModelForCausalLM": "modeling.Model"},
        "_attn_implementation": "someone/kernel",
        "attn_implementation": "kernels-community/flash-attn",
        "_experts_implementation": "someone/experts",
        "experts_implementation": "someone/experts",
        "quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": True},
        "name_or_path": "someone/repo",
        "_name_or_path": "someone/repo",
        "trust_remote_code": True,
        "use_kernels": True,
    }
    assert set(loading) <= NOT_OF_THE_ARCHITECTURE
    for name in ("llama", "zamba2", "xlstm"):
        plain, loaded = read_modules(TINY[name]), read_modules(TINY[name] | loading)
        assert (plain.layers, plain.message) == (loaded.layers, loaded.message)
    inner = TINY["gemma3_text"] | loading
    assert str(read_modules({"model_type": "gemma3", "text_config": inner} | loading).word) == "W(5)FW(5)F"


def test_every_family_with_a_recurrence_is_read_or_refused() -> None:
    """Modeling files that keep a convolution's or a recurrence's state in a cache, or scan: none is read by accident.

    A newer transformers may bring families that nobody here has looked at: they are refused, whatever their names are.
    """
    words = re.compile(r"update_conv_state|update_recurrent_state|linear_cache|rnn_state|rg_lru|rwkv_linear_attention")
    folder = Path(transformers.__file__).parent / "models"
    found = {path.parent.name for path in folder.glob("*/modeling_*.py") if words.search(path.read_text())}
    assert {name for name in RECURRENT if name in found} >= {"zamba", "lfm2", "nemotron_h", "bailing_hybrid"}
    others = found - {*READ, *WRAPPERS}
    assert others, "rwkv at least is not read"
    for name in sorted(others):
        with pytest.raises(InputError, match=r"is not read|has no model"):
            read_modules(COMMON | {"model_type": name})


def test_types_that_are_not_read_are_no_type_that_is() -> None:
    assert not set(NOT_READ) & {*READ, *WRAPPERS}
    assert set(NOT_READ) <= set(transformers.CONFIG_MAPPING.keys())
    assert {*READ, *WRAPPERS} <= set(transformers.CONFIG_MAPPING.keys())


def test_what_transformers_logs_of_a_bad_field_is_not_printed() -> None:
    """Jamba's layers_block_type cannot be set: the class logs its whole config as an error, and then raises."""
    heard: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = heard.append  # type: ignore[method-assign]
    logger = logging.getLogger("transformers")
    logger.addHandler(handler)
    try:
        with pytest.raises(InputError, match="layers_block_type"):
            read_modules(TINY["jamba"] | {"layers_block_type": ["mamba"] * 4})
    finally:
        logger.removeHandler(handler)
    assert heard == []
