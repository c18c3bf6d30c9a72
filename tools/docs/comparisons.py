"""The page of the experiments: what was compared, sparse layers, carriers of state and kinds of inputs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from separation.experiments import read_csv
from separation.experiments.comparison_figures import settings_of
from separation.experiments.distributions import TWO_SUM_DISTRIBUTIONS
from separation.experiments.figures import grouped
from separation.experiments.sparse_lines import SparseShape
from tools.docs.block import PageError, block, table

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "experiments"


@block("docs/experiments.md", "sparse")
def sparse() -> str:
    """A row for each way to compress, k and r; the ceiling where Theorem D' gives one."""
    rows = []
    found = sorted(rows_of("sparse"), key=lambda row: (_opened(row), row["label"].split(", r")[0], int(row["lambda"])))
    for label, runs in grouped(found, lambda row: row["label"]).items():
        rows.append((label, len(runs), _opened(runs[0]), runs[0]["lambda"], span_of(runs), ceiling_of(runs, label)))
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


def _opened(row: dict[str, str]) -> int:
    return SparseShape.chosen(settings_of(row)).opened


def rows_of(name: str) -> list[dict[str, str]]:
    return read_csv(FOLDER / f"{name}.csv")


def span_of(runs: Sequence[dict[str, str]]) -> str:
    """The lowest and the highest accuracy over the seeds."""
    shares = [float(run["accuracy"]) for run in runs]
    return f"{min(shares):.3f} to {max(shares):.3f}" if shares else "–"


def ceiling_of(runs: Sequence[dict[str, str]], label: str) -> str:
    """The proved ceiling; no interval may lie above it."""
    ceiling = runs[0]["ceiling"]
    if ceiling and max(float(run["low"]) for run in runs) > float(ceiling):
        raise PageError(f"{label} lies above its ceiling")
    if not ceiling:
        return "–"
    digits = 3 if float(ceiling) < 0.9995 else 4  # no ceiling is shown as 1
    return f"{float(ceiling):.{digits}f} ({runs[0]['theorem']})"
