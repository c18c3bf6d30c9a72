"""How the time of a proof grows with the prompt, what each construction's takes, and what enumeration costs."""

from __future__ import annotations

import time
from functools import partial
from math import log2

from constructions.c1 import build
from separation.bench.measuring import (
    Report,
    Row,
    best_process,
    best_seconds,
    process_row,
    proved,
    ratio_rows,
    rows_in_one_thread,
    rows_not_compared,
)
from separation.tasks.funccomp import Sizes

LEVELS = (3, 8)
TARGETS = tuple(2**exponent for exponent in range(10, 26, 2))
TOKENS, C3_TOKENS, LONG, QUICK_TOKENS = 1 << 16, 1 << 12, 1 << 20, 1 << 8
"""Of every construction; C3's state holds whole tables, so its prompt is shorter; C1 has a long one as well."""
ENUMERATED, QUICK_ENUMERATED = 128, 16


def closed_form(quick: bool) -> Report:
    """C1's proof in closed form over that at the shortest prompt, and over L·log2² n."""
    levels, targets, repeats = ((3,), TARGETS[:2], 1) if quick else (LEVELS, TARGETS, 3)
    rows = [row for L in levels for row in rows_in_one_thread(growth, repeats, L, *targets)]
    notes = (
        "times L log2^2 n: time / (L·log2² n), 1 at the first row of each L; at most 1 means growth of at most that",
        "prove: seconds of one processor; rows of declared codes are not compared with their tables one by one",
    )
    return Report("closed_form", "time of the proof / time at the shortest prompt", tuple(rows), notes)


def growth(repeats: int, L: int, *targets: int) -> list[Row]:
    """One row for each length; the first is the baseline, and is timed again beside each of the others."""
    rows: list[Row] = []
    shortest = build(sizes_near(L, targets[0]))
    for target in targets:
        construction = build(sizes_near(L, target))
        tokens = construction.sizes.length
        with rows_not_compared():
            subjects = [shortest, construction] if rows else [shortest]
            proofs = [partial(proved, subject) for subject in subjects]
            times = best_seconds(*proofs, repeats=repeats, clock=time.process_time)
        ratio = times[-1] / times[0]
        logarithms = (log2(shortest.sizes.length) / log2(tokens)) ** 2
        sizes: Row = {"what": "prove", "L": L, "tokens": tokens, "width": construction.model.width}
        rows.append(sizes | {"seconds": times[-1], "times_shortest": ratio, "times_L_log2^2_n": ratio * logarithms})
    return rows


def sizes_near(L: int, tokens: int) -> Sizes:
    """m, n_1, … ≥ 2, powers of two as equal as can be, with the length whose ratio to ``tokens`` is nearest to 1."""
    candidates = []
    for exponent in range(L, max(L, tokens.bit_length()) + 1):
        parts = [2 ** (exponent // L + (place < exponent % L)) for place in range(L)]
        candidates.append(Sizes(parts[0], tuple(parts[1:])))
    return min(candidates, key=lambda sizes: abs(log2(sizes.length / tokens)))


def every_construction(quick: bool) -> Report:
    """`separation prove …` for each construction, a whole process, over that of C1."""
    lengths = (QUICK_TOKENS, QUICK_TOKENS, 2 * QUICK_TOKENS) if quick else (TOKENS, C3_TOKENS, LONG)
    rows: list[Row] = []
    baseline = None
    for what, arguments, length in construction_cases(*lengths):
        done = best_process(["-m", "separation", "prove", *arguments, "--json"], repeats=1 if quick else 2)
        baseline = baseline or done
        rows.append(process_row(what, done, baseline, "C1") | {"tokens": length})
    notes = ("process: start to end, rows of declared tables compared one by one",)
    return Report("every_construction", "time of the proof / time of C1's", tuple(rows), notes)


def construction_cases(tokens: int, c3_tokens: int, long: int) -> list[tuple[str, list[str], int]]:
    """(name, arguments of `prove`, tokens of the prompt)."""
    sizes, small = sizes_near(4, tokens), sizes_near(4, c3_tokens)
    variants = {
        "C1": [],
        "C2 RFFFF": [],
        "C2 FRFFF, delta": ["--word", "FRFFF", "--family", "delta"],
        "C4": [],
        "C5 RF": ["--word", "RF"],
        "C5 FR": ["--word", "FR"],
        "C5 F": ["--word", "F"],
    }
    cases = [(what, [what[:2], *_funccomp(sizes), *options], sizes.length) for what, options in variants.items()]
    cases.append(("C1, long", ["C1", *_funccomp(sizes_near(8, long))], sizes_near(8, long).length))
    cases.append(("C3", ["C3", *_funccomp(small)], small.length))
    cases.append(("C6", ["C6", "--length", str(tokens)], tokens))
    cases.append(("C7", ["C7", "--length", str(tokens), "--block", "16"], tokens))
    return cases


def _funccomp(sizes: Sizes) -> list[str]:
    return ["--L", str(sizes.L), "--m", str(sizes.m), "--n", ",".join(map(str, sizes.n))]


def general_path(quick: bool) -> Report:
    """The proof by enumeration over that of the closed form."""
    rows = rows_in_one_thread(enumeration, 1 if quick else 3, QUICK_ENUMERATED if quick else ENUMERATED)
    return Report("general_path", "time of the proof by enumeration / closed form", tuple(rows))


def enumeration(repeats: int, size: int) -> list[Row]:
    """Both ways at m = n_1 = ``size``."""
    construction = build(Sizes(size, (size,)))
    ways = {"closed form": (partial(proved, construction), 1), "general": (partial(proved, construction, "general"), 1)}
    with rows_not_compared():
        return ratio_rows(construction.sizes.length, ways, repeats)
