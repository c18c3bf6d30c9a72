"""Where `fool` finds pairs, where a construction solves, and what the theorems guarantee, as a picture and as CSV.

    python examples/phase_diagram.py phase.png            # words against L; state bits against tables
    python examples/phase_diagram.py sparse.png --sparse  # summary bits of a sparse layer against its accuracy

`--quick` draws fewer cells. A row that contradicts a theorem ends the program with status 1. docs/fooling.md explains
the panels.
"""

from __future__ import annotations

import argparse
import csv
from itertools import combinations, product
from math import log2
from pathlib import Path

import numpy as np

from constructions import build
from separation.bounds import Word, theorem_d
from separation.bounds.theorems.theorem_d import cyclic_summary
from separation.figures import new_figure, write_figure
from separation.files import InputError
from separation.fooling import Budget, find_pair, random_recurrent_model
from separation.fooling.hybrids import find_hybrid_pair
from separation.fooling.random_subjects import random_hybrid
from separation.fooling.sparse import SparseShape, find_sparse_pair
from separation.fooling.sparse.maps import TableMap
from separation.tasks.funccomp import Sizes

SIZES = {1: Sizes(4, ()), 2: Sizes(2, (2,)), 3: Sizes(2, (1, 2))}  # 256 tables z_L: all of them are compared
SHAPE = SparseShape(modulus=11, block=3, blocks=4, opened=1)
SECONDS = 60.0
SOLVED, FORBIDDEN, PAIR, NONE, LINE = "#dbe7f3", "#f6dccb", "#b5442e", "#2b5d8a", "#444444"


def word_rows(seed: int, longest: int, models: int) -> list[dict]:
    """For each word and L: how many random models have a pair; and whether the built one does, which it must not."""
    words = [Word(letters) for length in range(1, longest + 1) for letters in product("FR", repeat=length)]
    rows = []
    for word, (L, sizes) in product(words, SIZES.items()):
        found = 0
        for number in range(seed, seed + models):
            model = random_hybrid(word, sizes, number, score_bits=2).model
            found += find_hybrid_pair(model, sizes, seed=number, budget=Budget(SECONDS, 1 << 16)).search.found
        name, solvable = "".join(word.layers), word.depth >= L
        built = name if solvable else "C3" if name == "R" * (L + 1) else ""
        fooled = None
        if built:
            search = find_hybrid_pair(build(built, sizes).model, sizes, budget=Budget(SECONDS, 1 << 16)).search
            fooled = search.found if search.found or search.exhaustive else None
        theorem = "" if solvable else "C" if not word.full else "B" if word.full == L else "A"
        row = {"word": name, "L": L, "m": sizes.m, "n": sizes.n, "depth": word.depth, "models": models, "pairs": found}
        rows.append({**row, "theorem": theorem, "built": built, "built_pair": fooled, "contradicts": fooled is True})
    return rows


def state_rows(seed: int, tables: tuple[int, ...], bits: tuple[int, ...]) -> list[dict]:
    """One R layer, a table of m entries: below m·log2 m bits Theorem C guarantees a pair; C3 has none at m·⌈log2 m⌉."""
    rows = []
    for m, asked in [*product(tables, bits), *((m, None) for m in tables)]:
        sizes, stored = Sizes(m, ()), m * (m - 1).bit_length()
        if asked is None:
            kind, model, held = "C3", build("C3", sizes).model, stored
        else:
            try:
                made = random_recurrent_model(1, sizes, asked, seed)
            except InputError:  # no random layer has so few bits at this size
                continue
            kind, model, held = "random", made.model, sum(made.state_bits)
        search = find_pair(model, sizes, seed=seed, budget=Budget(SECONDS, 1 << 17))
        missing = search.exhaustive and not search.found and held < m * log2(m)
        row = {"kind": kind, "m": m, "bits": held, "found": search.found, "compared": search.exhaustive}
        rows.append({**row, "contradicts": missing or (kind == "C3" and search.found)})
    return rows


def sparse_rows(shape: SparseShape, seed: int, steps: int) -> list[dict]:
    """Maps of ever more values, random and the one that attains the bound: fooled, or right on every input."""
    bound, whole = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks), shape.block * log2(shape.modulus)
    shares = [0.2 + step / steps for step in range(steps + 1)]
    used = sorted({max(2, round(2 ** (share * whole))) for share in shares} | {bound.values - 1, bound.values})
    best, rows = best_map(shape), []
    for values, kind in product(used, ("random", "best")):
        drawn = np.random.default_rng([seed, values]).integers(values, size=(shape.blocks, shape.sequences))
        table = drawn if kind == "random" else best % values
        found = find_sparse_pair(TableMap(shape, table), shape, seed=seed, budget=Budget(SECONDS, 1 << 23))
        fooled, right, promised = found.search.found, found.right is not None, values < bound.values
        row = {"kind": kind, "values": values, "share": round(log2(values) / whole, 4), "found": fooled, "right": right}
        accuracy = round(best_accuracy(shape, table, seed), 6)
        rows.append({**row, "accuracy": accuracy, "contradicts": (promised and not fooled) or fooled == right})
    return rows


def best_map(shape: SparseShape) -> np.ndarray:
    """For each block the number of each sequence's summary in the map that attains the bound."""
    bound = theorem_d(shape.modulus, shape.block, shape.opened, shape.blocks)
    sequences, tables = shape.numbered(np.arange(shape.sequences)).tolist(), []
    for index in range(shape.blocks):
        sets = [tuple(sorted(cyclic_summary(bound, index, block))) for block in sequences]
        numbers = {elements: number for number, elements in enumerate(sorted(set(sets)))}
        tables.append([numbers[elements] for elements in sets])
    return np.array(tables)


def best_accuracy(shape: SparseShape, tables: np.ndarray, seed: int, inputs: int = 4000) -> float:
    """How often the best layer with this map is right, for uniform inputs: the mean over random ones of

    max over the sets O of k blocks of P(x in O) + P(x not in O) · max(q, 1 − q), q = P(x in no other block),

    where x = −query and all is given the summaries: a layer sees whether x is in O and knows the probabilities else.
    """
    random = np.random.default_rng([seed, 21])
    sequences = shape.numbered(np.arange(shape.sequences))
    wanted = random.integers(1, shape.modulus, size=inputs)
    blocks = random.integers(shape.sequences, size=(inputs, shape.blocks))
    absent = np.empty((inputs, shape.blocks))
    for index, x in product(range(shape.blocks), range(1, shape.modulus)):
        own, rows = tables[index], np.flatnonzero(wanted == x)
        size = np.bincount(own)
        having = np.bincount(own, weights=(sequences == x).any(axis=1), minlength=len(size))
        seen = own[blocks[rows, index]]
        absent[rows, index] = 1 - having[seen] / size[seen]
    chances = []
    for opening in combinations(range(shape.blocks), shape.opened):
        clear = absent[:, list(opening)].prod(axis=1)
        q = np.delete(absent, list(opening), axis=1).prod(axis=1)
        chances.append(1 - clear + clear * np.maximum(q, 1 - q))
    return float(np.max(chances, axis=0).mean())


def draw_words(built, untrained, rows: list[dict]) -> None:
    """Blue: L ≤ depth, some weights are right at every size; a star: built, all inputs compared, no pair."""
    names = list(dict.fromkeys(row["word"] for row in rows))
    for axes, title in ((built, "Built weights: right wherever depth allows"), (untrained, "Untrained: fooled")):
        axes.set(xlim=(0.5, 3.5), ylim=(len(names), -1), title=title, xlabel="L")
        axes.set_xticks((1, 2, 3))
        axes.set_yticks(range(len(names)), names)
    for row in rows:
        x, y, colour = row["L"], names.index(row["word"]), FORBIDDEN if row["theorem"] else SOLVED
        for axes in (built, untrained):
            axes.barh(y, 0.95, left=x - 0.475, height=0.9, color=colour)
        built.text(x - 0.42, y, f"Theorem {row['theorem']}" if row["theorem"] else "solved", va="center", fontsize=7)
        if row["built"]:
            built.plot(x + 0.35, y, "X" if row["built_pair"] else "*", c=PAIR if row["built_pair"] else NONE, ms=9)
        for number in range(row["models"]):
            face = PAIR if number < row["pairs"] else "white"
            untrained.plot(x + 0.2 * (number - 1), y, "o", mfc=face, mec=PAIR, ms=6)


def draw_states(axes, rows: list[dict]) -> None:
    for found, face, label in ((True, PAIR, "untrained: pair found"), (False, "white", "untrained: no pair")):
        own = [row for row in rows if row["kind"] == "random" and row["found"] is found]
        axes.plot([r["m"] for r in own], [r["bits"] for r in own], "o", mfc=face, mec=PAIR, ls="", label=label)
    tables = sorted({row["m"] for row in rows})
    axes.plot(tables, [m * log2(m) for m in tables], c=LINE, label="m·log2 m: below, Theorem C guarantees a pair")
    built = [row for row in rows if row["kind"] == "C3" and not row["found"]]
    axes.plot([r["m"] for r in built], [r["bits"] for r in built], "*", c=NONE, ms=12, label="built (C3): no pair")
    axes.set(xlabel="m, entries of the table", ylabel="bits of the state", title="One R layer, one table")
    axes.legend(frameon=False, fontsize=8)


def draw_sparse(axes, rows: list[dict]) -> None:
    for kind, colour in (("random", PAIR), ("best", NONE)):
        own = [row for row in rows if row["kind"] == kind]
        axes.plot([r["share"] for r in own], [r["accuracy"] for r in own], c=colour, label=f"{kind} map")
        for row in own:
            axes.plot(row["share"], row["accuracy"], "o", mec=colour, mfc=colour if row["found"] else "white")
    axes.set(
        xlabel="bits of a summary / (B·log2 M)", ylabel="accuracy of the best layer", title="2-Sum; filled: a pair"
    )
    axes.legend(frameon=False)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", type=Path)
    for flag in ("--sparse", "--quick"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args(arguments)
    quick, figure = asked.quick, new_figure(8, 5) if asked.sparse else new_figure(15, 6.8)
    if asked.sparse:
        shape = SparseShape(modulus=7, block=2, blocks=3, opened=1) if quick else SHAPE
        tables = {"sparse": sparse_rows(shape, asked.seed, 8 if quick else 20)}
        draw_sparse(figure.add_subplot(), tables["sparse"])
    else:
        bits = (1, 4) if quick else (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32)
        words = word_rows(asked.seed, 2 if quick else 3, 1 if quick else 3)
        states = state_rows(asked.seed, (2, 3) if quick else (2, 3, 4, 5, 6), bits)
        tables = {"words": words, "states": states}
        left, middle, right = figure.subplots(1, 3)
        draw_words(left, middle, words)
        draw_states(right, states)
    write_figure(figure, asked.figure)
    for name, rows in tables.items():
        with asked.figure.with_name(f"{asked.figure.stem}.{name}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    broken = sum(row["contradicts"] for rows in tables.values() for row in rows)
    print(
        f"{sum(map(len, tables.values()))} rows, {broken} contradict a theorem; {asked.figure} and its CSV are written"
    )
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
