"""`bound --exponents`: how the thresholds grow with L, ours and the papers', and CPW's sizes put to the test."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separation.arithmetic import number_to_json
from separation.bounds import CpwSizes, Exponents, cpw_sizes, exponents
from separation.figures import require_figure_path, write_figure
from separation.files import require_writable
from separation.progress import Progress
from separation.tasks.checks import require_integer

if TYPE_CHECKING:
    from separation.bounds.asymptote import Asymptote

MAX_TABLES = 64
SHOWN_TABLES = 12
PRODUCTS = (1, 1 << 10, 1 << 20, 1 << 60)


@dataclass(frozen=True)
class ExponentsReport:
    """Exponents for L = 2.., CPW's sizes for the same L and a grid of H·d·p, and where the picture was written."""

    rows: tuple[Exponents, ...]
    asymptote: Asymptote
    cpw: tuple[CpwSizes, ...]
    seconds: float
    figure: Path | None = None
    data: Path | None = None

    @property
    def ok(self) -> bool:
        return all(sizes.certified for sizes in self.cpw)

    def document(self) -> dict[str, Any]:
        limits = {"constant": self.asymptote.constant, "ratio": self.asymptote.ratio, "rate": self.asymptote.rate}
        return {
            "ok": self.ok,
            "rows": [
                {
                    "L": row.L,
                    **{name: number_to_json(value) for name, value in row.exponents.items()},
                    **{name: number_to_json(value) for name, value in row.sharper.items()},
                    "ratio": row.ratio,
                    "asymptote": self.asymptote.at(row.L),
                }
                for row in self.rows
            ],
            "limits": {name: {"exact": str(value), "value": float(value)} for name, value in limits.items()},
            "cpw_sizes": [sizes.document() for sizes in self.cpw],
            "figure": None if self.figure is None else str(self.figure),
            "data": None if self.data is None else str(self.data),
            "seconds": self.seconds,
        }

    def csv(self) -> str:
        """The numbers of the picture, one line for each L."""
        names = ("paper", "cpw", "theorem_a", "theorem_b")
        lines = [",".join(("L", *names, "sharper_a", "sharper_b", "asymptote"))]
        for row in self.rows:
            values = [str(row.exponents[name]) for name in names]
            values += [str(found) for found in row.sharper.values()]
            lines.append(",".join((str(row.L), *values, f"{self.asymptote.at(row.L):.6f}")))
        return "\n".join(lines) + "\n"


def exponents_table(
    *,
    L: int | None = None,
    products: Sequence[int] | None = None,
    figure: str | Path | None = None,
    progress: Progress | None = None,
) -> ExponentsReport:
    """Exponents and CPW's sizes for 2..L tables; ``figure`` gets a picture, a CSV file of the same name its numbers.

    where ``products`` are the H·d·p at which CPW's sizes are checked.
    """
    from separation.bounds.asymptote import golden_asymptote

    start = time.perf_counter()
    last = require_integer("L", SHOWN_TABLES if L is None else L, 2, MAX_TABLES)
    picture, data = _paths(figure)
    rows = tuple(exponents(level) for level in range(2, last + 1))
    cpw: list[CpwSizes] = []
    for row in rows:
        if progress is not None:
            progress((row.L - 2) / last, f"CPW's sizes, L = {row.L}")
        cpw += [cpw_sizes(row.L, product) for product in (products or PRODUCTS)]
    report = ExponentsReport(rows, golden_asymptote(), tuple(cpw), time.perf_counter() - start, picture, data)
    if picture is not None and data is not None:
        from separation.bounds.asymptote import exponents_figure

        write_figure(exponents_figure(rows, report.asymptote), picture, {data: report.csv()})
    return report


def _paths(figure: str | Path | None) -> tuple[Path | None, Path | None]:
    """The picture and its table, or an error before any work is done."""
    if figure is None:
        return None, None
    picture = require_figure_path(figure)
    data = picture.with_suffix(".csv")
    require_writable(picture, data)
    return picture, data
