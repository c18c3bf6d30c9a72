"""The page of the experiments: tables from the CSV files beside it."""

from __future__ import annotations

from separation.experiments.figures import grouped
from tools.docs.block import PageError, block, table
from tools.docs.comparisons import ceiling_of, rows_of, span_of


@block("docs/experiments.md", "depth")
def depth() -> str:
    return _summary("depth")


@block("docs/experiments.md", "capacity")
def capacity() -> str:
    return _summary("capacity")


@block("docs/experiments.md", "stock")
def stock() -> str:
    return _summary("stock")


@block("docs/experiments.md", "columns")
def columns() -> str:
    """What stands in a CSV; a column without an explanation stops the page."""
    from separation.experiments.runs import COLUMNS

    unknown = [name for name in COLUMNS if name not in EXPLAINED]
    if unknown:
        raise PageError(f"the column {unknown[0]} is not explained")
    return table(("column", "what it holds"), [(f"`{name}`", EXPLAINED[name]) for name in COLUMNS])


EXPLAINED = {
    "experiment": "which plan the run belongs to",
    "task": "`funccomp` or `two_sum`",
    "word": "the layers, first layer first",
    "label": "the variant, or the word again",
    "L": "tables to follow",
    "m": "size of the first table; for 2-Sum the modulus",
    "n": "n_1, …, n_{L-1}",
    "seed": "first weights and all batches follow from it",
    "steps": "updates of the weights, equal for all words at the same sizes",
    "parameters": "numbers that are trained",
    "correct": "right answers to random inputs after training",
    "tested": "how many random inputs there were, the same for every run",
    "accuracy": "correct / tested",
    "low": "lower end of Wilson's 95 % interval of the accuracy",
    "high": "upper end of it",
    "hops": "the best accuracy over the layers of i_0, i_1, …, i_L, each read at the last token;"
    " for 2-Sum the share of matches that are found, and of prompts without one that are told so",
    "beta": "β, what all earlier players tell one token through one full layer, in bits",
    "lambda": "Λ, the bits of all states that pass one cut; for 2-Sum r, the bits of a summary",
    "ceiling": "the accuracy that no model of this word, β and Λ exceeds; empty if no theorem gives one below 1",
    "theorem": "the theorem that gives it",
    "shifted": "accuracy on other distributions and on the adversarial families, where that was asked",
    "pairs": "pairs of inputs found that the model cannot tell apart, where it was handed to `fool`",
    "cpu_seconds": "CPU seconds of the training, those before an interruption with them",
    "settings": "what the plan changed for this run",
}


def _summary(name: str) -> str:
    """A row for each model: the range of its accuracy over seeds, and its ceiling, which no interval may lie above."""
    rows = []
    keys = ("L", "m", "n", "word", "label")
    for (L, m, n, word, label), runs in grouped(rows_of(name), lambda row: tuple(row[key] for key in keys)).items():
        model = word if label == word else f"{word}, {label}"
        sizes = f"L = {L}, m = {m}" + (f", n = {n}" if n else "")
        bits = (runs[0]["beta"] or "–", runs[0]["lambda"] or "–")
        rows.append((model, sizes, len(runs), *bits, span_of(runs), ceiling_of(runs, model)))
    return table(("model", "sizes", "seeds", "β", "Λ", "accuracy", "ceiling"), rows)
