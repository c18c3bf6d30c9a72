"""`bound --bracket`: the least β of one full layer for two tables, certified impossible below and built above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from constructions.bracket_table import BracketRow, bracket_rows


@dataclass(frozen=True)
class BracketReport:
    """One row for each word and size; what is built is never what is excluded.

    Each row says how what is built is known (`BracketRow.known`); nothing is proved again here.
    """

    rows: tuple[BracketRow, ...]

    @property
    def ok(self) -> bool:
        return all(row.impossible is None or row.impossible < row.built for row in self.rows)

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "rows": [
                {
                    "word": row.word,
                    "m": row.m,
                    "n": [row.n1],
                    "cell_bits": row.cell_bits,
                    "lambda": list(row.linear),
                    "impossible": row.impossible,
                    "built": row.built,
                    "ratio": row.ratio,
                    "known": row.known,
                    "beta_of_weights": row.weights_beta,
                }
                for row in self.rows
            ],
        }


def bracket_table() -> BracketReport:
    """FR, RF and RRF at m and n_1 = 2, 4, 8, 16, 32, 64."""
    return BracketReport(tuple(bracket_rows()))
