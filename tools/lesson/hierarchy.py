"""Words of real models, the least prompts at which an impossibility is certified, and ceilings of accuracy."""

from __future__ import annotations

from typing import Any

from separation.architectures.reading import shipped_configs
from separation.bounds import Budget, Word, bound
from separation.bounds.search.ceilings import ceiling, chance
from separation.tasks.funccomp import Sizes
from separation.verbs.audit import read_shipped

BETA, LAMBDA = 8, 8
THRESHOLD_TABLES = (2, 3, 4)
CURVES = ("R", "RF", "FF", "F")
CURVE_N, CURVE_BETA, CURVE_LAMBDA = 4, 8, 8
CURVE_SIZES = tuple(round(2 ** (k / 2)) for k in range(2, 35))


def models() -> list[dict[str, Any]]:
    """The shipped configurations: name, word, depth, the tokens that they are made for."""
    found = []
    for config in shipped_configs():
        word = read_shipped(config).word
        found.append(
            {
                "name": config.name,
                "kind": config.kind,
                "word": str(word),
                "depth": word.depth,
                "context": config.context,
                "source": config.source,
            }
        )
    return found


def thresholds() -> dict[str, Any]:
    """log2 of the least prompt for L − 1 full layers: the papers', the golden schedule's, the shortest found."""
    rows = []
    for L in THRESHOLD_TABLES:
        found = bound(L, Budget(beta=BETA, total=LAMBDA)).document()
        rows.append(
            {
                "L": L,
                "paper": found["paper"]["n_log2"],
                "cpw": found["cpw"]["n_log2"],
                "golden": found["golden"]["n_log2"],
                "sharpest": found["ours"]["n_log2"],
                "tokens": found["ours"]["tokens"],
                "theorem": found["ours"]["theorem"],
            }
        )
    return {"beta": BETA, "lambda": LAMBDA, "rows": rows}


def ceilings() -> dict[str, Any]:
    """For L = 2: the largest accuracy that any model of a word can have, as the tables grow."""
    curves = []
    for text in CURVES:
        word = Word.parse(text)
        linear = word.separate_linear_bits(CURVE_LAMBDA)
        points = []
        for m in sorted(set(CURVE_SIZES)):
            sizes = Sizes(m, (CURVE_N,))
            value = ceiling(word, m, (CURVE_N,), CURVE_BETA, linear).value
            points.append([sizes.length, round(float(value), 6), round(float(chance(m, (CURVE_N,))), 6)])
        curves.append({"word": text, "depth": word.depth, "points": points})
    return {"L": 2, "n": CURVE_N, "beta": CURVE_BETA, "lambda": CURVE_LAMBDA, "curves": curves}
