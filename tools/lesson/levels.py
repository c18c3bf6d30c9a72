"""The decomposition of Theorem A on a small hybrid: the sets of each level, and the two prompts at its end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.bounds import Word
from separation.fooling.budget import Budget
from separation.fooling.hybrids.decomposition import Decomposition
from separation.fooling.hybrids.players import rungs
from separation.fooling.hybrids.random_hybrids import random_hybrid
from separation.tasks.funccomp import Sizes

WORD, SIZES, SEED, KEPT = "FRF", Sizes(2, (1, 2)), 2, (2, 2, 2)


class Watched(Decomposition):
    """A decomposition that remembers which inputs were in 𝒬 before the messages were fixed, and after."""

    def _fixed(self, level: int, members: NDArray[np.bool_]) -> NDArray[np.bool_]:
        self.sets: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]] = getattr(self, "sets", [])
        fixed = super()._fixed(level, members)
        self.sets.append((members.copy(), fixed))
        return fixed


def levels() -> dict[str, Any]:
    """Sets as strings of hexadecimal digits, the first input being the highest bit."""
    hybrid = random_hybrid(Word.parse(WORD), SIZES, SEED)
    steps = rungs(hybrid.model, SIZES, KEPT)
    assert steps is not None
    found = Watched(hybrid.model, SIZES, steps, KEPT, SEED, Budget().start(None))
    pair = found.run()
    assert pair is not None
    assert pair.holds
    document = pair.document()
    transcript = document.pop("transcript")
    return {
        "word": WORD,
        "m": SIZES.m,
        "n": list(SIZES.n),
        "seed": SEED,
        "theorem": steps.rule.theorem,
        "beta": hybrid.beta,
        "lambda": list(hybrid.linear),
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
