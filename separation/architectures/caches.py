"""What a full layer keeps of every token: the numbers of its keys and values, from the fields of a config.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separation.bounds import ArchitectureReading
from separation.bounds.configs import text_part
from separation.bounds.configs.fields import Fields

# Types whose every head has keys and values of its own, so that the file has no field for their number.
ALL_HEADS = {"gpt2": "n_head"}


def cached_numbers(document: Mapping[str, Any], reading: ArchitectureReading) -> int | None:
    """Numbers that all full layers together keep of one token; None if the file does not say how many a layer keeps.

    2·(KV heads)·d for each full layer, d the dimension of its heads; kv_lora_rank + qk_rope_head_dim where keys and
    values are compressed together (multi-head latent attention). Windows keep a constant number: they are states.
    """
    full = [mixer for layer in reading.layers for mixer in layer.mixers if mixer.kind == "full"]
    if not full:
        return 0
    fields = Fields(text_part(document) or document)
    if fields.has("kv_lora_rank"):
        return len(full) * (fields.integer("kv_lora_rank") + fields.integer("qk_rope_head_dim", least=0))
    name = ALL_HEADS.get(reading.model_type, "num_key_value_heads")
    if not fields.has(name):
        return None
    heads = fields.integer(name)
    return sum(2 * heads * mixer.dim for mixer in full)
