"""For the teaching page: the decomposition of Theorem A level by level, and constructions as players.

A player knows its own tokens and what it has heard. Of all inputs of a tiny size, those that agree with both are the
ones that it holds possible; every layer makes them fewer.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from constructions import build
from separation.bounds import Word
from separation.fooling.birthday import state_hashes
from separation.fooling.budget import Budget
from separation.fooling.hybrids.decomposition import Decomposition
from separation.fooling.hybrids.players import rungs
from separation.fooling.messages import heard
from separation.fooling.random_subjects import random_hybrid
from separation.models import Model
from separation.protocol import Cut, simulate
from separation.tasks.funccomp import Sizes, answer, enumerate_inputs, sample, token_ids

WORD, HYBRID, SEED, KEPT = "FRF", Sizes(2, (1, 2)), 2, (2, 2, 2)


class Watched(Decomposition):
    """A decomposition that remembers which inputs were in 𝒬 before the messages were fixed, and after."""

    def _fixed(self, level: int, members: NDArray[np.bool_]) -> NDArray[np.bool_]:
        self.sets: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]] = getattr(self, "sets", [])
        fixed = super()._fixed(level, members)
        self.sets.append((members.copy(), fixed))
        return fixed


def levels() -> dict[str, Any]:
    """Sets as strings of hexadecimal digits, the first input being the highest bit."""
    hybrid = random_hybrid(Word.parse(WORD), HYBRID, SEED)
    steps = rungs(hybrid.model, HYBRID, KEPT)
    assert steps is not None
    found = Watched(hybrid.model, HYBRID, steps, KEPT, SEED, Budget().start(None))
    pair = found.run()
    assert pair is not None
    assert pair.holds
    document = pair.document()
    transcript = document.pop("transcript")
    return {
        "word": WORD,
        "m": HYBRID.m,
        "n": list(HYBRID.n),
        "seed": SEED,
        "theorem": steps.rule.theorem,
        "beta": hybrid.beta,
        "lambda": list(hybrid.state_bits),
        "levels": [
            {**level.document(), "before": _packed(before), "after": _packed(after)}
            for level, (before, after) in zip(found.levels, found.sets, strict=True)
        ],
        "pair": document,
        "transcript": [
            {**message, "numbers": message["numbers"][:12], "count": len(message["numbers"])} for message in transcript
        ],
    }


def _packed(members: NDArray[np.bool_]) -> str:
    return np.packbits(members).tobytes().hex()


SIZES = Sizes(2, (2,))
SUBJECTS = (("C1", None), ("C2", "RFF"), ("C3", None))
INSTANCES = 6


def knowledge() -> dict[str, Any]:
    """For each construction and each of a few inputs: messages, and per player and layer what is possible."""
    everything = list(enumerate_inputs(SIZES))
    ids = np.stack([token_ids(instance) for instance in everything])
    answers = np.array([answer(instance) for instance in everything])
    wanted = [sample(SIZES, seed) for seed in range(INSTANCES)]
    places = [int(np.flatnonzero((ids == token_ids(instance)).all(axis=1))[0]) for instance in wanted]
    subjects = []
    for name, word in SUBJECTS:
        model = (build(name, SIZES) if word is None else build(name, SIZES, word=word)).model
        subjects.append(
            {
                "construction": name,
                "word": model.word,
                **_bits(model, ids[places[0]]),
                "possible": [_possible(model, ids, answers, place) for place in places],
            }
        )
    inputs = [{"z0": each.z0, "tables": [list(table) for table in each.tables], "w": list(each.w)} for each in wanted]
    return {"m": SIZES.m, "n": list(SIZES.n), "inputs": inputs, "count": len(everything), "subjects": subjects}


def _bits(model: Model, ids: NDArray[np.int64]) -> dict[str, Any]:
    transcript = simulate(model, ids, Cut.of_task(SIZES)).transcript
    rows = [message.document() for message in transcript.messages]
    keys = ("layer", "kind", "sender", "receiver", "bits")
    return {
        "players": list(transcript.cut.names),
        "messages": [{key: row[key] for key in keys} for row in rows],
        "sums": [{"layer": m.layer, "receiver": m.receiver, "bits": m.bits} for m in transcript.sums],
        "soft_bits": transcript.soft_bits,
        "linear_bits": transcript.linear_bits,
    }


def _possible(model: Model, ids: NDArray[np.int64], answers: NDArray[np.int64], place: int) -> list[dict[str, Any]]:
    """For each player, before layer 1 and after each layer: how many inputs, and which answers, are possible."""
    cut = Cut.of_task(SIZES)
    found = []
    for name, (start, stop) in zip(cut.names, cut.ranges, strict=True):
        same = (ids[:, start:stop] == ids[place, start:stop]).all(axis=1)
        stages = [_stage(same, answers)]
        messages = list(heard(model, ids, start)) if start else []
        for layer in range(1, len(model.layers) + 1):
            for message in messages:
                if message.place[0] == layer:
                    numbers = message.numbers[:, : stop - start] if message.soft else message.numbers
                    hashes = state_hashes(numbers.reshape(len(ids), -1))
                    same = same & (hashes == hashes[place])
            stages.append(_stage(same, answers))
        found.append({"name": name, "stages": stages})
    return found


def _stage(same: NDArray[np.bool_], answers: NDArray[np.int64]) -> dict[str, Any]:
    return {"inputs": int(same.sum()), "answers": sorted({int(value) for value in answers[same]})}
