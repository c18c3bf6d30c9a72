"""The text of an instance, and a tokenizer that turns it into token ids."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

from separation.tasks.funccomp import Instance, Sizes


def instance_text(instance: Instance) -> str:
    """`z2: 3 0 1 2; z1: 1 0; z0: 1; w: 1`: the tables in prompt order, z_0, and the digits w_1,…,w_{L-1}."""
    numbered = [(level, " ".join(map(str, table))) for level, table in enumerate(instance.tables, start=1)]
    parts = [f"z{level}: {entries}" for level, entries in reversed(numbered)]
    return "; ".join([*parts, f"z0: {instance.z0}", f"w: {','.join(map(str, instance.w))}".rstrip()])


def words(sizes: Sizes) -> list[str]:
    """The word of each token id: a value is its number, a query is `w:` and its digits."""
    queries = (f"w:{','.join(map(str, digits))}" for digits in product(*map(range, sizes.n)))
    return [*map(str, range(sizes.N[-1])), *queries]


def tokenizer_files(sizes: Sizes) -> dict[str, str]:
    """tokenizer.json and tokenizer_config.json, as the stock fast tokenizer reads them.

    The names of tables and semicolons are dropped and `w: 1, 0` becomes one word. A word outside the vocabulary is an
    error: there is no token for what is unknown. There are no token types, which GPT-2 would add to the embedding.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    tokenizer: Any = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words(sizes))}))
    steps = ((r"z\d+:|;", " "), (r"w:\s*", "w:"), (r"\s*,\s*", ","))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Replace(Regex(old), new) for old, new in steps])
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": sizes.length,
        "model_input_names": ["input_ids", "attention_mask"],
        "clean_up_tokenization_spaces": False,
    }
    return {"tokenizer.json": tokenizer.to_str(), "tokenizer_config.json": json.dumps(config, indent=2)}
