"""The page of the experiments: tables from the CSV files beside it."""

from __future__ import annotations

from pathlib import Path

from tools.docs.block import PageError, block, table

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "experiments"


@block("docs/experiments.md", "depth")
def depth() -> str:
    return _summary("depth")


@block("docs/experiments.md", "capacity")
def capacity() -> str:
    return _summary("capacity")


def _summary(name: str) -> str:
    """A row for each model: the range of its accuracy over seeds, and its ceiling, which no interval may lie above."""
    from separation.experiments import read_csv
    from separation.experiments.figures import grouped

    rows = []
    for (word, label), runs in grouped(
        read_csv(FOLDER / f"{name}.csv"), lambda row: (row["word"], row["label"])
    ).items():
        ceiling = runs[0]["ceiling"]
        if ceiling and max(float(run["low"]) for run in runs) > float(ceiling):
            raise PageError(f"{word} {label} lies above its ceiling")
        shares = [float(run["accuracy"]) for run in runs]
        model = word if label == word else f"{word}, {label}"
        bound = f"{float(ceiling):.3f} ({runs[0]['theorem']})" if ceiling else "–"
        span = f"{min(shares):.3f} to {max(shares):.3f}"
        rows.append((model, len(runs), runs[0]["beta"] or "–", runs[0]["lambda"] or "–", span, bound))
    return table(("model", "seeds", "β", "Λ", "accuracy", "ceiling"), rows)
