"""The page of the experiments, from the CSV files beside it; and theory, built, trained: one table by word and L."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product
from operator import itemgetter
from pathlib import Path

from separation import prove
from separation.bounds import Word, decide
from separation.experiments import NAMES, load_plan, read_csv
from separation.experiments.distributions import TWO_SUM_DISTRIBUTIONS
from separation.experiments.figures import (
    LEARNED,
    WORDS,
    grouped,
    settings_of,
    shifted_means,
    shown,
    sizes_of,
    solvable,
)
from separation.experiments.proved import SparseShape
from separation.experiments.runs import layers_of
from tools.docs import PageError, block, number, table

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "experiments"
Row = dict[str, str]


@block("docs/experiments.md", "in one sentence")
@block("README.md", "in one sentence")
def in_one_sentence() -> str:
    """What the figure of depth shows, as numbers."""
    return sentence(rows_of("depth"))


def sentence(rows: Sequence[Row]) -> str:
    able, roomy = [row for row in rows if solvable(row)], [row for row in rows if has_room(row)]
    shallow = [row for row in rows if row not in able and row not in roomy]
    learned = sum(float(row["accuracy"]) >= LEARNED for row in able)
    seeds = sorted({int(row["seed"]) for row in rows})
    best = max(shallow, key=lambda row: float(row["accuracy"]))
    said = (
        f"{learned} of {len(able)} runs of words with depth(word) ≥ L reach accuracy {LEARNED}; of {len(shallow)} runs"
        f" of words of smaller depth the best, {best['word']} at L = {best['L']}, reaches {float(best['accuracy']):.3f}"
        f" (seeds {seeds[0]} to {seeds[-1]})."
    )
    failed = grouped((row for row in able if float(row["accuracy"]) < LEARNED), lambda row: (row["word"], row["L"]))
    missed = [
        f"{word} at L = {level}, seed{'s' * (len(runs) > 1)} {', '.join(row['seed'] for row in runs)} ({span_of(runs)})"
        for (word, level), runs in failed.items()
    ]
    said += f" Not learned: {'; '.join(missed)}." if missed else ""
    for (word, level, bits), runs in grouped(roomy, lambda row: (row["word"], row["L"], row["lambda"])).items():
        said += f" Not counted: {word} at L = {level} with {bits} bits of state, room for table 1: {span_of(runs)}."
    return said


def has_room(row: Row) -> bool:
    """Too shallow, but the states of its R layers have as many bits as table 1."""
    return not solvable(row) and int(row["lambda"] or 0) >= int(row["m"]) * math.log2(int(row["m"]))


@block("docs/experiments.md", "exact")
def exact() -> str:
    """Every model whose inputs were all asked: the exact accuracy, next to that of the test."""
    rows = []
    asked = [row for name in ("exact", "tracking") for row in rows_of(name) if row["inputs"]]
    for (task, word, label, *_), runs in grouped(asked, itemgetter("task", "word", "label", "m", "n")).items():
        wrong = ", ".join(f"{int(run['wrong']):,}" for run in runs)
        certified = ", ".join(f"{int(run['certified']):,}" for run in runs if run["certified"]) or "–"
        unseen = sum(run["correct"] == run["tested"] and run["wrong"] != "0" for run in runs)
        layers = word if task == "funccomp" else WORDS[word]
        name = ", ".join([layers, *[label] * (label != word), *[task] * (task != "funccomp")])
        numbers = f"{int(runs[0]['inputs']):,}", span_of(runs), wrong, unseen, certified
        rows.append((name, sizes_of(runs[0]), len(runs), *numbers))
        if any(run["certified"] and int(run["certified"]) != int(run["inputs"]) - int(run["wrong"]) for run in runs):
            raise PageError(f"{name}: the kernel and float64 disagree")
    head = ("model", "sizes", "runs", "inputs", "accuracy on the test", "wrong among all inputs", "unseen by the test")
    return table((*head, "right, by certificate"), rows)


@block("docs/experiments.md", "unseen")
def unseen() -> str:
    """Models without a mistake on the random inputs of their test, and an input that they answer wrongly."""
    rows = []
    for row in (row for name in NAMES for row in rows_of(name) if row["correct"] == row["tested"] and row["mistake"]):
        model = row["word"] if row["label"] == row["word"] else f"{row['word']}, {row['label']}"
        rows.append(
            (row["experiment"], model, sizes_of(row), row["seed"], row["wrong"] or "at least 1", row["mistake"])
        )
    return (
        table(("experiment", "model", "sizes", "seed", "wrong", "an input, token by token"), rows) if rows else "None."
    )


@block("docs/experiments.md", "tracking")
def tracking() -> str:
    """Tasks and words: what is built and proved, and the range over seeds at each length."""
    from separation.experiments.tracking import PROGRAMS, built_as

    rows = []
    for (task, word), runs in grouped(rows_of("tracking"), lambda row: (row["task"], row["word"])).items():
        lengths: dict[str, list[float]] = {}
        for run in runs:
            for pair in run["shifted"].split():
                lengths.setdefault(pair.split("=")[0], []).append(float(pair.split("=")[1]))
        spans = [span(shares) for shares in lengths.values()]
        proved = "–"
        if built_as(word, task):
            program = PROGRAMS[task](int(runs[0]["m"])).compile()
            if program.prove().certificate is None:
                raise PageError(f"{task} is not proved")
            proved = f"{program.model.word}, proved"
        rows.append((task.replace("_", " "), WORDS[word], proved, len(runs), *spans))
    return table(("task", "layers", "built", "seeds", *(f"at {time} the length" for time in lengths)), rows)


@block("docs/experiments.md", "ablation")
def ablation() -> str:
    """Each part taken away, below the recipe itself at the same sizes."""
    rows = rows_of("ablation")
    same = {(row["word"], row["m"], row["n"], row["seed"]) for row in rows}
    whole = [
        row | {"label": "the recipe"}
        for row in rows_of("depth")
        if (row["word"], row["m"], row["n"], row["seed"]) in same
    ]
    return _summary(sorted([*whole, *rows], key=lambda row: int(row["L"])))


def summary(name: str) -> str:
    return _summary(rows_of(name))


for each in ("capacity", "stock"):
    block("docs/experiments.md", each)(partial(summary, each))


NUMBERS = ("β", "Λ", f"at {LEARNED}", "accuracy", "ceiling", "steps")


def _numbers(runs: Sequence[Row], model: str) -> tuple[str, ...]:
    """Of one model over its seeds: bits, how many learned, the range of the accuracy, its ceiling, steps."""
    learned = f"{sum(float(run['accuracy']) >= LEARNED for run in runs)} of {len(runs)}"
    least, most = (str(choice(int(run["steps"]) for run in runs)) for choice in (min, max))
    steps = least if least == most else f"{least} to {most}"
    bits = runs[0]["beta"] or "–", runs[0]["lambda"] or "–"
    return (*bits, learned, span_of(runs), ceiling_of(runs, model), steps)


def _summary(found: Sequence[Row]) -> str:
    """A row for each model."""
    rows = []
    for (L, _, _, word, label), runs in grouped(found, itemgetter("L", "m", "n", "word", "label")).items():
        model = word if label == word else f"{word}, {label}"
        rows.append((model, f"L = {L}, {sizes_of(runs[0])}", *_numbers(runs, model)))
    return table(("model", "sizes", *NUMBERS), rows)


@block("docs/experiments.md", "sparse")
def sparse() -> str:
    """A row for each way to compress, k and r; the ceiling where Theorem D' gives one."""

    def opened(row: Row) -> int:
        return SparseShape.chosen(settings_of(row)).opened

    rows = []
    found = sorted(rows_of("sparse"), key=lambda row: (opened(row), row["label"].split(", r")[0], int(row["lambda"])))
    for label, runs in grouped(found, lambda row: row["label"]).items():
        label = f"none, {label}" if runs[0]["lambda"] == "0" else label
        rows.append((label, len(runs), opened(runs[0]), runs[0]["lambda"], span_of(runs), ceiling_of(runs, label)))
    return table(("summary", "seeds", "k", "r", "accuracy", "ceiling"), rows)


@block("docs/experiments.md", "recurrence")
def recurrence() -> str:
    """Words down, bits of one carrier layer across."""
    rows = rows_of("recurrence")
    words = list(grouped(rows, lambda row: row["word"]))
    sizes = grouped(rows, lambda row: row["label"])
    order = sorted(sizes, key=lambda label: int(label.split()[0]))
    return table(
        ("word", *order),
        [(word, *(span_of([r for r in sizes[label] if r["word"] == word]) for label in order)) for word in words],
    )


@block("docs/experiments.md", "shift")
def shift() -> str:
    """A row for each task and what it was trained on: the mean over seeds on that, on uniform, and the worst."""
    rows = []
    for (task, own), runs in grouped(rows_of("shift"), lambda row: (row["task"], row["label"])).items():
        shares = shifted_means(runs)
        kinds = [name for name in shares if name in TWO_SUM_DISTRIBUTIONS]
        families = [name for name in shares if name not in kinds]
        worst = [min(names, key=shares.__getitem__) for names in (kinds, families)]
        task_name = {"two_sum": "2-Sum"}.get(task, "FuncComp")
        said = [span([shares[name]]) for name in (own, "uniform")]
        said += [span([shares[name]]) + f" ({name.replace('_', ' ')})" * (shares[name] < 1) for name in worst]
        rows.append((task_name, own, len(runs), *said))
    return table(
        ("task", "trained on", "seeds", "on the same", "on uniform", "worst distribution", "worst family"), rows
    )


def rows_of(name: str) -> list[Row]:
    return read_csv(FOLDER / f"{name}.csv")


def span_of(runs: Sequence[Row]) -> str:
    """The lowest and the highest accuracy over the seeds."""
    return span([float(run["accuracy"]) for run in runs])


def span(shares: Sequence[float]) -> str:
    """Three digits; 1 is all of them and nothing else.

    >>> span([1, 1]), span([0.99976, 1]), span([0.5]), span([])
    ('1', '0.9998 to 1', '0.500', '–')
    """
    said = ["1" if share == 1 else f"{min(share, 0.9999):.{4 if share >= 0.9995 else 3}f}" for share in sorted(shares)]
    return "–" if not said else said[0] if said[0] == said[-1] else f"{said[0]} to {said[-1]}"


def ceiling_of(runs: Sequence[Row], label: str) -> str:
    """The proved ceiling; no interval may lie above it."""
    ceiling = runs[0]["ceiling"]
    if ceiling and max(float(run["low"]) for run in runs) > float(ceiling):
        raise PageError(f"{label} lies above its ceiling")
    if not ceiling:
        return "–"
    digits = 3 if float(ceiling) < 0.9995 else 4  # no ceiling is shown as 1
    return f"{float(ceiling):.{digits}f} ({runs[0]['theorem']})"


@block("docs/experiments.md", "theory, built, trained", slow=True)
def theory_built_trained() -> str:
    rows = read_csv(FOLDER / "depth.csv")
    words = dict.fromkeys([*(run.word for run in load_plan("depth").runs), *(row["word"] for row in rows)])
    return hierarchy(words, rows)


def hierarchy(words: Iterable[str], rows: Sequence[Row]) -> str:
    """A line for each word, L and variant. A run above a proved ceiling, or a proof that fails, stops the page."""
    lines = []
    levels = grouped(rows, lambda row: row["L"])
    for word, (level, of_level) in product(words, levels.items()):
        own = grouped((row for row in of_level if row["word"] == word), lambda row: row["label"])
        said = f"L = {level}, {sizes_of(of_level[0])}", theory(word, int(level)), built(word, of_level[0])
        for label, runs in own.items():
            name = shown(word) if label == word else f"{shown(word)}, {label}"
            lines.append((name, *said, *_numbers(runs, name)))
        lines += [] if own else [(shown(word), *said, "–", "–", "not run", "–", "–", "–")]
    return table(("word", "sizes", "theory", "built", *NUMBERS), lines)


def theory(word: str, level: int) -> str:
    """Solvable at all sizes; or from which prompt on not, at β = Λ = 8."""
    found = decide(Word.parse(word), level)
    if found.solvable:
        return "solvable at all sizes"
    return f"impossible at {number(found.document()['hard_sizes']['tokens'])} tokens ({found.theorem})"


def built(word: str, row: Row) -> str:
    """The construction, proved here and now at the sizes that were trained."""
    if not solvable(row | {"word": word}):
        return "–"
    name = decide(Word.parse(word), int(row["L"])).construction
    found = prove(layers_of(word), L=int(row["L"]), m=int(row["m"]), n=[int(each) for each in row["n"].split()])
    if not found.certified:
        raise PageError(f"{name} for {word}, L = {row['L']}, {sizes_of(row)} is not proved")
    return f"{name}, proved"
