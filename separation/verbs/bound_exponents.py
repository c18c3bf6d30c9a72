"""`bound --exponents`: how the thresholds grow with L, ours and the papers', and CPW's sizes put to the test.

`bound --bracket`: the least β of one full layer for two tables, certified impossible below and built above.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from separation.bounds import CpwSizes, Exponents, cpw_sizes, exponents
from separation.figures import require_figure_path, write_figure
from separation.files import csv_text, require_writable
from separation.progress import Progress, silent
from separation.tasks.checks import require_integer
from separation.verbs.options import File
from separation.verbs.report import Parts, Report, named, table_of, timed, written

if TYPE_CHECKING:
    from constructions.bracket_table import BracketRow
    from constructions.c9 import TwoLayerRow
    from separation.bounds.asymptote import Asymptote

MAX_TABLES = 64
SHOWN_TABLES = 12
PRODUCTS = (1, 1 << 10, 1 << 20, 1 << 60)
NAMES = ("paper", "cpw", "theorem_a", "theorem_b")


@timed
def exponents_table(
    *,
    L: Annotated[int | None, "Number of tables, L >= 1."] = None,
    products: Sequence[int] | None = None,
    figure: Annotated[File, "Draw the exponents (.png, .svg, .pdf), with their numbers in a .csv."] = None,
    progress: Progress = silent,
) -> ExponentsReport:
    """Exponents and CPW's sizes for 2..L tables; ``figure`` gets a picture, a CSV file of the same name its numbers.

    where ``products`` are the H·d·p at which CPW's sizes are checked.
    """
    from separation.bounds.asymptote import exponents_figure, golden_asymptote

    last = require_integer("L", SHOWN_TABLES if L is None else L, 2, MAX_TABLES)
    picture = require_figure_path(figure)
    _, data = require_writable(picture, picture and picture.with_suffix(".csv"))
    rows = tuple(exponents(level) for level in range(2, last + 1))
    cpw: list[CpwSizes] = []
    for row in rows:
        progress((row.L - 2) / last, f"CPW's sizes, L = {row.L}")
        cpw += [cpw_sizes(row.L, product) for product in (products or PRODUCTS)]
    report = ExponentsReport(rows, golden_asymptote(), tuple(cpw), picture, data)
    if picture is not None and data is not None:
        write_figure(exponents_figure(rows, report.asymptote), picture, {data: report.csv()})
    return report


class ExponentsReport(Report):
    """Exponents for L = 2.., CPW's sizes for the same L and a grid of H·d·p, and where the picture was written."""

    rows: tuple[Exponents, ...]
    asymptote: Asymptote
    cpw: tuple[CpwSizes, ...]
    figure: Path | None = None
    data: Path | None = None

    @property
    def ok(self) -> bool:
        return all(sizes.certified for sizes in self.cpw)

    def facts(self) -> dict[str, Any]:
        limits = named(self.asymptote, "constant", "ratio", "rate")
        return {
            "rows": [
                {"L": row.L, **row.exponents, **row.sharper, "ratio": row.ratio, "asymptote": self.asymptote.at(row.L)}
                for row in self.rows
            ],
            "limits": {name: {"exact": str(value), "value": float(value)} for name, value in limits.items()},
            "cpw_sizes": self.cpw,
            **named(self, "figure", "data"),
        }

    def csv(self) -> str:
        """The numbers of the picture, one line for each L."""
        found = [(row.L, *map(row.exponents.__getitem__, NAMES), *row.sharper.values()) for row in self.rows]
        lines = ((*row, f"{self.asymptote.at(row[0]):.6f}") for row in found)
        return csv_text(("L", *NAMES, *self.rows[0].sharper, "asymptote"), lines)

    def parts(self) -> Parts:
        """The exponents, how ours grows, then CPW's sizes."""
        facts = self.document()
        exponents_of = "paper 2^(4L+2), CPW 2^(4L), A F(2L+1)−2, B F(2L+2)−2"
        yield f"Not solvable for some n ≈ (H·d·p)^e, with exponent e ({exponents_of}):"
        rows = []
        for row in facts["rows"]:
            sharper = [_between(row[f"floor_{each}"], row[f"sharper_{each}"]) for each in "ab"]
            rows.append((row["L"], *(_rounded(row[name]) for name in NAMES), *sharper, _rounded(round(row["ratio"]))))
        exponents = ("L", "paper", "CPW", "A", "B", "≥, A2 A3c A_L", "≥, B2c B_L", "paper/A")
        yield table_of(*exponents, right_from=0, rows=rows)
        yield "a–b: certified impossible for some n ≈ β^b; less than a nobody can certify, as C9 solves it below about"
        yield "(β/log n)^a tokens. A_L has (L²+L−4)/2, B_L that of one table more; A2, A3c and B2c are exact."
        yield "A3c, the 2 at L = 3, is about FF without R in front; with it, RFF, the 4 of A_L stands for it."
        constant, rate = self.asymptote.constant, float(self.asymptote.rate)
        grows = f"Proved in symbols: (F(2L+1)−2)/φ^(2L) → {constant} = {float(constant):.4f}"
        yield f"{grows}; each table more changes A/paper by φ²/16 → {rate:.4f}."
        yield "\nTheorems A and B at CPW's sizes, certified with up to 2^(6L²) linear layers around each full one:"
        checked = []
        for row in facts["cpw_sizes"]:
            layers = f"2^{row['paper_linear_layers_log2']}", f"2^{_rounded(row['most_linear_layers_log2'])}"
            found = (f"{row['tokens_log2']:.4g}", row["theorem_a"], row["theorem_b"], f"{row['room_log2']:,.0f}")
            checked.append((row["L"], _power(row["product"]), *found, *layers))
        columns = ("L", "H·d·p", "prompt, log2 n", "A", "B", "slack, log2", "paper's layers", "A allows")
        yield table_of(*columns, right_from=0, rows=checked)
        yield written("picture", self.figure)
        yield written("its numbers", self.data)


def _rounded(value: int | str) -> str:
    return f"{int(value):,}" if len(str(value)) <= 6 else f"{float(value):.3g}"


def _between(least: int, found: int) -> str:
    return str(found) if found == least else f"{least}–{_rounded(found)}"


def _power(value: int | str) -> str:
    exact = int(value)
    return str(exact) if exact < 1000 or exact & (exact - 1) else f"2^{exact.bit_length() - 1}"


class BracketReport(Report):
    """One row for each word and size; what is built is never what is excluded.

    Each row says how what is built is known (`BracketRow.known`); nothing is proved again here.
    """

    rows: tuple[BracketRow, ...]
    two_layers: tuple[TwoLayerRow, ...] = ()

    @property
    def ok(self) -> bool:
        rows: list[BracketRow | TwoLayerRow] = [*self.rows, *self.two_layers]
        return all(row.impossible is None or row.impossible < row.built for row in rows)

    def facts(self) -> dict[str, Any]:
        ends = ("m", "impossible", "built", "ratio")
        rows = [
            named(row, "word", *ends, "cell_bits", "known")
            | {"n": [row.n1], "lambda": row.state_bits, "beta_of_weights": row.weights_beta}
            for row in self.rows
        ]
        two = [{"word": "FF", **named(row, *ends, "n"), "known": "weights of C9"} for row in self.two_layers]
        return {"rows": rows, "two_layers": two}

    def parts(self) -> Parts:
        """A sentence, then the rows: messages that are too short, those that are enough, and how far apart they are."""
        widest: dict[str, float] = {}
        for row in self.rows:
            if row.ratio is not None:
                widest[row.word] = max(row.ratio, widest.get(row.word, 1))
        factors = ", ".join(f"{factor:.3g} ({word})" for word, factor in widest.items())
        proved = sum(row.record is not None for row in self.rows)
        yield f"One full layer, two tables: the least β is known up to a factor of {factors},"
        yield f"where any is excluded; {proved} of {len(self.rows)} rows are built by weights with a certificate."
        rows = [
            (row.word, row.m, row.n1, "{}, {}".format(*row.state_bits), *_ends(row), row.known) for row in self.rows
        ]
        columns = ("word", "m", "n_1", "Λ", "excluded β", "built β", "ratio", "built, known by")
        yield table_of(*columns, right_from=1, rows=rows)
        yield "Two full layers (FF), two and three tables: excluded by B2c and A3c, enough for the exact weights of C9."
        two = [(len(row.n) + 1, row.m, ", ".join(map(str, row.n)), *_ends(row)) for row in self.two_layers]
        yield table_of("L", "m", "n", "excluded β", "enough β", "ratio", right_from=1, rows=two)


def _ends(row: BracketRow | TwoLayerRow) -> tuple[int | str | None, ...]:
    """The largest β that is excluded, the least that is enough, and how far apart they are."""
    if row.ratio is None:
        return None, row.built, None
    return row.impossible, row.built, f"{row.ratio:.2f}"


def bracket_table() -> BracketReport:
    """FR, RF and RRF at m and n_1 = 2, 4, 8, 16, 32, 64; and FF with two and three tables."""
    from constructions.bracket_table import bracket_rows
    from constructions.c9 import two_layer_rows

    return BracketReport(tuple(bracket_rows()), tuple(two_layer_rows()))
