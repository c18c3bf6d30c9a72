"""Weights for every word over {F, R} and every L up to its depth: C1 or C2 on some layers, the others idle.

depth = 0 without F; else #F − 1, and one more if some R stands before the second F (with one F: some R anywhere).
For L ≤ #F − 1 the first L+1 full layers are C1; for L = #F all of them and one R before the second are C2. An idle
layer has zero matrices and no MLP: it leaves the stream as it is.
"""

from __future__ import annotations

from dataclasses import replace

from constructions import c1, c2
from separation.files import InputError
from separation.models import Layer, idle_head
from separation.proving import Construction
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes


def depth(word: str) -> int:
    """The largest L such that L-FuncComp is solved by a model of this word at all sizes."""
    require_word(word)
    count = word.count("F")
    return count and count - 1 + (useful_r(word) is not None)


def build_word(
    word: str,
    sizes: Sizes,
    family: str = "linear",
    bits: int | None = None,
    score_bits: int | None = None,
    temperature: int | None = None,
) -> Construction:
    """Weights and invariants for the layers of ``word``, if L is not above its depth; ``family`` as in C2."""
    reach = depth(word)
    c2.require_family(family)
    if reach < sizes.L:
        raise InputError(f"L is {sizes.L}; the word {shown(word)} has depth {reach}")
    full = [place for place, letter in enumerate(word) if letter == "F"]
    options = {"bits": bits, "score_bits": score_bits, "temperature": temperature}
    used = full[: sizes.L + 1]
    recurrence = useful_r(word)
    if len(used) == sizes.L + 1:
        core = c1.build(sizes, **options)
    else:
        assert recurrence is not None  # else the depth would be less than L
        used = sorted([*full, recurrence])
        core = c2.build(sizes, "".join(word[place] for place in used), family, **options)
    layers, stages, width = [], [core.stages[0]], core.model.width
    busy = iter(zip(core.model.layers, core.stages[1:], strict=True))
    for place, letter in enumerate(word):
        layer, stage = next(busy) if place in used else (Layer((idle_head(letter, width, family),), ()), stages[-1])
        layers.append(layer)
        stages.append(stage)
    return replace(core, name=word, model=replace(core.model, layers=tuple(layers)), stages=stages)


def useful_r(word: str) -> int | None:
    """The first R, if it stands before the second F: it can hand z_0 or i_1 to w."""
    first = word.find("R")
    return first if first >= 0 and word[:first].count("F") <= 1 else None


def require_word(word: object) -> None:
    if not isinstance(word, str) or not word or set(word) - {"F", "R"}:
        raise InputError(f"word is {shown(word)}; letters F and R are needed, at least one")
