"""The ceiling along a curve: at prompts of growing length, or with growing Λ or β; its numbers, and its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from separation.bounds.budget import Budget
from separation.bounds.ceilings import ceiling as smallest_ceiling
from separation.bounds.theorems.ceiling import chance
from separation.bounds.word import Word
from separation.figures import Figure, new_figure
from separation.files import InputError
from separation.progress import Progress
from separation.tasks.funccomp import Sizes

CURVE_POINTS = 25
CURVE_DOUBLINGS = 6  # the curve ends this many doublings to each side of what was asked


@dataclass(frozen=True)
class CurvePoint:
    """The ceiling at one value of what the curve is drawn against."""

    at: int
    tokens: int
    ceiling: Fraction
    chance: Fraction


def ceiling_curve(
    word: Word,
    sizes: Sizes,
    budget: Budget,
    against: str,
    progress: Progress | None = None,
    proved_only: bool = False,
) -> tuple[CurvePoint, ...]:
    """The ceiling at prompts of growing m, or at growing Λ or β, everything else as asked."""
    separate = budget.separate_state_bits(word)
    if against == "lambda" and not any(separate):
        raise InputError("the curve against lambda needs some state bits: give --lambda or --state-bits")
    if against == "beta" and not word.full:
        raise InputError(f"{word} has no full layer, so nothing depends on beta")
    beta = budget.beta_at(sizes.length)
    middle = {"length": sizes.m, "lambda": separate[-1], "beta": beta}[against]
    steps = [Fraction(k, CURVE_POINTS - 1) * 2 - 1 for k in range(CURVE_POINTS)]
    values = sorted(
        {max(2 if against == "length" else 1, round(middle * 2 ** (CURVE_DOUBLINGS * float(s)))) for s in steps}
    )
    points = []
    for index, value in enumerate(values):
        if progress is not None:
            progress(index / len(values), f"the ceiling at {against} {value}")
        m, state_bits, message_bits = sizes.m, separate, beta
        if against == "length":
            m = value
            message_bits = budget.beta_at(Sizes(m, sizes.n).length)
        elif against == "lambda":
            state_bits = tuple(bits * value // middle for bits in separate)
        else:
            message_bits = value
        found = smallest_ceiling(word, m, sizes.n, message_bits, state_bits, proved_only=proved_only)
        tokens = Sizes(m, sizes.n).length
        points.append(CurvePoint(tokens if against == "length" else value, tokens, found.value, chance(m, sizes.n)))
    return tuple(points)


def curve_csv(curve: Sequence[CurvePoint], against: str) -> str:
    lines = [f"{against},tokens,ceiling,chance"]
    lines += [f"{each.at},{each.tokens},{float(each.ceiling):.9g},{float(each.chance):.9g}" for each in curve]
    return "\n".join(lines) + "\n"


def built_points(word: Word, sizes: Sizes, curve: Sequence[CurvePoint], against: str) -> list[tuple[str, list[int]]]:
    """What is built and right on every input: (label, where). Both are other words than the one asked about.

    C2: L full layers and one R before the second solve every prompt, so it stands in the curve against the length (its
    β and Λ grow with the logarithm of the length). C3: L+1 R layers that each hold the largest table, at their Λ.
    """
    built = []
    if against == "length":
        built.append(("C2", Word(("R", *["F"] * sizes.L)), [each.at for each in curve][::4]))
    if against == "lambda":
        needed = (sizes.L + 1) * sizes.N[-1] * (sizes.N[-1] - 1).bit_length()
        built.append(("C3", Word(("R",) * (sizes.L + 1)), [needed]))
    label = "right on all inputs" if against == "lambda" else "right on all inputs, with its own β and Λ"
    return [(f"{name}, word {other}: {label}", places) for name, other, places in built if other != word]


def ceiling_figure(
    word: Word, sizes: Sizes, beta: int, state_bits: Sequence[int], curve: Sequence[CurvePoint], against: str
) -> Figure:
    """The ceiling (no model is above it), chance below, and what is built as points."""
    figure = new_figure(6.4, 4.2)
    axes = figure.add_subplot()
    at = [each.at for each in curve]
    values = [float(each.ceiling) for each in curve]
    axes.plot(at, values, color="#b03060", marker="o", markersize=3.5, linewidth=1.6, label=f"ceiling of {word}")
    axes.fill_between(at, values, 1.0, color="#b03060", alpha=0.08, linewidth=0)
    axes.plot(at, [float(each.chance) for each in curve], color="#777777", linestyle=":", label="chance")
    for (label, places), marker in zip(built_points(word, sizes, curve, against), "^s", strict=False):
        axes.plot(places, [1.0] * len(places), linestyle="", marker=marker, color="#2060a0", label=label, clip_on=False)
    axes.set_xscale("log", base=2)
    names = {
        "length": "tokens of the prompt",
        "lambda": r"state bits $\Lambda$ of all R layers",
        "beta": r"message bits $\beta$ of a full layer",
    }
    axes.set_xlabel(names[against])
    axes.set_ylabel("accuracy on random inputs")
    axes.set_ylim(0, 1.04)
    fixed = {"length": "", "lambda": f", m = {sizes.m}", "beta": f", m = {sizes.m}"}[against]
    bits = {
        "length": f"β = {beta}, Λ = {', '.join(map(str, state_bits))}",
        "lambda": f"β = {beta}",
        "beta": f"Λ = {', '.join(map(str, state_bits))}",
    }[against]
    tables = f", n = {', '.join(map(str, sizes.n))}" if sizes.n else ""
    axes.set_title(f"No model of {word} is above the line (L = {sizes.L}{fixed}{tables}, {bits})", fontsize=10)
    axes.grid(True, which="major", color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.legend(frameon=False, fontsize=9, loc="outside lower center", ncols=2)
    return figure
