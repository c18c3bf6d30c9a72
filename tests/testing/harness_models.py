"""A tiny model of random weights that writes bytes, saved as transformers saves it."""

from __future__ import annotations

import json
from pathlib import Path


def save_random_model(folder: Path, positions: int = 2048) -> None:
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=257, n_positions=positions, n_embd=16, n_layer=1, n_head=2, bos_token_id=256, eos_token_id=256
    )
    GPT2LMHeadModel(config).save_pretrained(folder)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate(alphabet)} | {"<end>": 256}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(["<end>"])
    tokenizer.save(str(folder / "tokenizer.json"))
    told = {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<end>", "bos_token": "<end>"}
    told |= {"pad_token": "<end>", "model_max_length": positions}  # type: ignore[dict-item]
    told["chat_template"] = "{% for message in messages %}{{ message['content'] }}{% endfor %}"
    (folder / "tokenizer_config.json").write_text(json.dumps(told))
