"""Layers of big models in place of ours: hybrids of transformers at small width, trained from scratch on FuncComp.

The embedding and the decoder are those of `Network`; between them stand the decoder layers that the class of a
config.json builds, with their own norms, MLPs or experts, positions and first weights. Each query is a prompt of its
own. They run in float32 and nothing is rounded, so no ceiling is claimed; β and Λ are what the layers would count with
32 bits a number.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from separation.architectures import ArchitectureReading, read_modules
from separation.architectures.building import in_one_line, layer_list, libraries, quiet
from separation.architectures.resolved import resolved_config
from separation.bounds import Word
from separation.bounds.budget import ceil_log2
from separation.experiments.composition import Composition, Decoder, Embedding, Shape
from separation.experiments.runs import Run
from separation.files import InputError
from separation.tasks.funccomp import Sizes

COMMON = {
    "vocab_size": 2,
    "hidden_size": Shape.width,
    "intermediate_size": 128,
    "num_attention_heads": 2,
    "num_key_value_heads": 2,
    "dtype": "float32",
}
"""What every small model shares; no token of its vocabulary is ever looked up."""

GATED_DELTA = {f"linear_num_{kind}_heads": 1 for kind in ("key", "value")}
GATED_DELTA |= {"linear_key_head_dim": 8, "linear_value_head_dim": 16}
MAMBA_2 = {"mamba_n_heads": 4, "mamba_d_head": 16, "mamba_d_state": 8, "mamba_expand": 1, "mamba_chunk_size": 32}
EXPERTS = {"num_experts_per_tok": 2, "num_experts": 4, "moe_intermediate_size": 64}

CONFIGS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "qwen3_next": (
        {"F": "full_attention", "R": "linear_attention"},
        EXPERTS | GATED_DELTA | {"shared_expert_intermediate_size": 64, "head_dim": 16},
    ),
    "olmo_hybrid": ({"F": "full_attention", "R": "linear_attention"}, GATED_DELTA | {"pad_token_id": None}),
    "granitemoehybrid": (
        {"F": "attention", "R": "mamba"},
        MAMBA_2
        | {"num_local_experts": 4, "num_experts_per_tok": 2, "shared_intermediate_size": 64}
        | {"attention_multiplier": 0.18},
    ),
}
"""By the model_type of a config.json: what it calls the layers, and the fields of a small one."""

CHUNKED = ("qwen3_next", "olmo_hybrid")
"""Whose recurrence runs in chunks of 64 tokens: one chunk as long as the prompt gives the same numbers sooner."""


def config_of(model_type: str, word: str) -> dict[str, Any]:
    """A parsed config.json: this word of layers at small width."""
    if model_type not in CONFIGS:
        raise InputError(f"no layers of {model_type!r} are trained; there are {', '.join(CONFIGS)}")
    names, fields = CONFIGS[model_type]
    layers = {"num_hidden_layers": len(word), "layer_types": [names[letter] for letter in word]}
    return COMMON | {"model_type": model_type} | layers | fields


class StockNetwork(nn.Module):
    """The decoder layers of a stock model between our embedding and our decoder; streams and logits as in `Network`."""

    def __init__(self, word: str, sizes: Sizes, model_type: str, shape: Shape) -> None:
        super().__init__()
        document = config_of(model_type, word)
        _, transformers = libraries()
        self.reading = read_as(word, document)
        self.length = sizes.length
        self.hints = {"chunk_size": sizes.length} if model_type in CHUNKED else {}
        self.embedding = Embedding(sizes, shape)
        with quiet(transformers):
            config = resolved_config(transformers, document)
            config.use_cache = False
            self.base = in_one_line(lambda: transformers.AutoModel.from_config(config, attn_implementation="eager"))
        for name, child in list(self.base.named_children()):
            if isinstance(child, nn.Embedding) or "norm" in name:  # ours stand there
                setattr(self.base, name, nn.Identity())
        self.base.float().train()
        self.decoder = Decoder(sizes, shape, len(word))
        with quiet(transformers), torch.no_grad():  # hints about faster kernels come with the first run
            self(torch.tensor([[0] * (sizes.length - 1) + [sizes.N[-1]]]))

    def forward(self, prompts: Tensor) -> list[Tensor]:
        """After every layer the stream of z_0 and w, (table sets, queries, 2, width)."""
        tables, asked = prompts.split([self.length - 2, prompts.shape[1] - self.length + 2], 1)
        asked = asked.unflatten(1, (-1, 2))
        alone = torch.cat([tables[:, None].expand(-1, asked.shape[1], -1), asked], 2).flatten(0, 1)
        streams: list[Tensor] = []

        def note(_module: nn.Module, _inputs: Any, output: Any) -> None:
            stream = output[0] if isinstance(output, tuple) else output
            streams.append(stream[:, -2:].unflatten(0, asked.shape[:2]))

        hooks = [layer.register_forward_hook(note) for layer in layer_list(torch, self.base)]
        try:
            self.base(inputs_embeds=self.embedding(alone), use_cache=False, **self.hints)
        finally:
            for hook in hooks:
                hook.remove()
        return streams

    def logits(self, stream: Tensor, layer: int = -1) -> Tensor:
        found: Tensor = self.decoder(stream, layer, self.embedding.codes.weight)
        return found

    @property
    def message_bits(self) -> int:
        """β of these heads with p = P = 32, at the length of the prompt."""
        return self.reading.message.beta(ceil_log2(self.length)) if self.reading.word.full else 0

    @property
    def state_bits(self) -> list[int]:
        """Of each R layer, the buffer of its convolution with it, with 32 bits a number."""
        return list(self.reading.states)


def read_as(word: str, document: dict[str, Any]) -> ArchitectureReading:
    """What the layers are, read off the modules; it must be the word that was asked for."""
    reading = read_modules(document)
    if reading.word != Word.parse(word):
        raise InputError(f"{document['model_type']} was asked for {word} and builds {reading.word}")
    return reading


class StockComposition(Composition):
    """FuncComp put to the layers of the stock model that the setting ``model`` names; same losses, batches, tests."""

    network: StockNetwork

    def built(self, word: str, run: Run) -> StockNetwork:
        return StockNetwork(word, self.sizes, run.setting("model", ""), self.shape)

    @property
    def bits(self) -> tuple[int, list[int]]:
        return self.network.message_bits, self.network.state_bits
