"""The page of the experiments: tables from the CSV files beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from separation.experiments.comparison_figures import settings_of
from separation.experiments.figures import grouped
from separation.experiments.sparse_lines import SparseShape
from tools.docs.block import PageError, block, table

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "experiments"


@block("docs/experiments.md", "depth")
def depth() -> str:
    return _summary("depth")


@block("docs/experiments.md", "capacity")
def capacity() -> str:
    return _summary("capacity")


@block("docs/experiments.md", "sparse")
def sparse() -> str:
    """A row for each way to compress, k and r; the ceiling where Theorem D' gives one."""
    rows = []
    found = sorted(_rows("sparse"), key=lambda row: (_opened(row), row["label"].split(", r")[0], int(row["lambda"])))
    for label, runs in grouped(found, lambda row: row["label"]).items():
        rows.append((label, len(runs), _opened(runs[0]), runs[0]["lambda"], _span(runs), _ceiling(runs, label)))
    return table(("summary", "seeds", "k", "r", "accuracy", "ceiling"), rows)


@block("docs/experiments.md", "recurrence")
def recurrence() -> str:
    """Words down, bits of one carrier layer across."""
    rows = _rows("recurrence")
    words = list(grouped(rows, lambda row: row["word"]))
    sizes = grouped(rows, lambda row: row["label"])
    order = sorted(sizes, key=lambda label: int(label.split()[0]))
    return table(
        ("word", *order),
        [(word, *(_span([r for r in sizes[label] if r["word"] == word]) for label in order)) for word in words],
    )


@block("docs/experiments.md", "shift")
def shift() -> str:
    """A row for each task and what it was trained on: the mean over seeds on that, on uniform, and the worst."""
    from separation.experiments.distributions import TWO_SUM_DISTRIBUTIONS

    rows = []
    for (task, own), runs in grouped(_rows("shift"), lambda row: (row["task"], row["label"])).items():
        shares: dict[str, float] = {}
        for run in runs:
            for pair in run["shifted"].split():
                name, share = pair.split("=")
                shares[name] = shares.get(name, 0.0) + float(share) / len(runs)
        kinds = [name for name in shares if name in TWO_SUM_DISTRIBUTIONS]
        families = [name for name in shares if name not in kinds]
        worst = [min(names, key=shares.__getitem__) for names in (kinds, families)]
        task_name = {"two_sum": "2-Sum"}.get(task, "FuncComp")
        shown = [f"{shares[name]:.3f}" for name in (own, "uniform")]
        shown += [f"{shares[name]:.3f}" + f" ({name.replace('_', ' ')})" * (shares[name] < 1) for name in worst]
        rows.append((task_name, own, len(runs), *shown))
    return table(
        ("task", "trained on", "seeds", "on the same", "on uniform", "worst distribution", "worst family"), rows
    )


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


def _opened(row: dict[str, str]) -> int:
    return SparseShape.chosen(settings_of(row)).opened


def _rows(name: str) -> list[dict[str, str]]:
    from separation.experiments import read_csv

    return read_csv(FOLDER / f"{name}.csv")


def _span(runs: Sequence[dict[str, str]]) -> str:
    """The lowest and the highest accuracy over the seeds."""
    shares = [float(run["accuracy"]) for run in runs]
    return f"{min(shares):.3f} to {max(shares):.3f}" if shares else "–"


def _ceiling(runs: Sequence[dict[str, str]], label: str) -> str:
    """The proved ceiling; no interval may lie above it."""
    ceiling = runs[0]["ceiling"]
    if ceiling and max(float(run["low"]) for run in runs) > float(ceiling):
        raise PageError(f"{label} lies above its ceiling")
    if not ceiling:
        return "–"
    digits = 3 if float(ceiling) < 0.9995 else 4  # no ceiling is shown as 1
    return f"{float(ceiling):.{digits}f} ({runs[0]['theorem']})"


def _summary(name: str) -> str:
    """A row for each model: the range of its accuracy over seeds, and its ceiling, which no interval may lie above."""
    rows = []
    keys = ("L", "m", "n", "word", "label")
    for (L, m, n, word, label), runs in grouped(_rows(name), lambda row: tuple(row[key] for key in keys)).items():
        model = word if label == word else f"{word}, {label}"
        sizes = f"L = {L}, m = {m}" + (f", n = {n}" if n else "")
        bits = (runs[0]["beta"] or "–", runs[0]["lambda"] or "–")
        rows.append((model, sizes, len(runs), *bits, _span(runs), _ceiling(runs, model)))
    return table(("model", "sizes", "seeds", "β", "Λ", "accuracy", "ceiling"), rows)
