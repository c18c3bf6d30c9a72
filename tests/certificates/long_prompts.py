"""2-Sum at lengths that no loop reaches: prompts of two or three different tokens, and of one block and a token.

A model of one layer whose stream does not depend on the position, whose sparse heads open no blocks: of a block it has
the tokens at the offsets that its summaries name, so that a block of these alone says the same. Nothing is imported
from the project.
"""

from __future__ import annotations

import copy
import itertools
from typing import Any

import mpmath
from naive_model import times
from plain_evaluator import Runner, word

Document = dict[str, Any]


def shortened(model: Document) -> tuple[Document, int]:
    """The model with blocks of the offsets alone that are read, and how many these are."""
    model = copy.deepcopy(model)
    (segment,), (layer,) = model["positions"]["declared"], model["layers"]
    assert not any(column for _, column, _ in segment["matrix"]["entries"]), "a stream that depends on the position"
    summaries = [
        (head[name], head[f"W{name[1:]}"]["shape"][0])
        for head in layer["heads"]
        if head["type"] == "sparse"
        for name in ("C_K", "C_V")
    ]
    places = [[divmod(int(column), size) for _, column, _ in summary["entries"]] for summary, size in summaries]
    read = sorted({offset for part in places for offset, _ in part}) or [0, 1]
    for (summary, size), part in zip(summaries, places, strict=True):
        for entry, (offset, coordinate) in zip(summary["entries"], part, strict=True):
            entry[1] = read.index(offset) * size + coordinate
    for head in layer["heads"]:
        assert head.get("opened", 0) == 0
        head |= {"block": len(read)} if head["type"] == "sparse" else {}
    segment["radices"] = [len(read) + 1]
    return model, len(read)


def wrong_answer(model: Document) -> list[int] | None:
    """A token repeated, another at one place that a summary reads, and the query at the start of the next block."""
    short, block = shortened(model)
    runner, M = Runner(short, integral=False), model["task"]["modulus"]
    for usual, other, query, place in itertools.product(*[range(1, M)] * 3, range(block)):
        ids = [other if i == place else usual for i in range(block)] + [query]
        logits = times(runner.answers, runner.stages(ids)[-1][-1])
        if logits.index(max(logits)) != int(M - query in ids):
            return ids
    return None


def long_claim_holds(document: Document) -> bool:
    """False if a field of the claim is, or a prompt is answered wrongly; True if no such prompt was found."""
    claim, model = document["claim"], document["model"]
    n, M = int(claim["task"]["length"]), claim["task"]["modulus"]
    with mpmath.workdps(400):
        enough = int(claim["inputs_covered_log2"]) <= n * mpmath.log(M - 1, 2)
    facts = claim["task"] == model["task"] and claim["word"] == word(model) and int(claim["tokens"]) == n
    return bool(enough) and facts and wrong_answer(model) is None
