"""`recurrences`: the recurrent families, their states in bits, and what was checked of each just now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any

from separation.progress import Progress, silent
from separation.recurrences import (
    EXACT_SIZES,
    FAMILIES,
    REFERENCES,
    TWINS,
    Outcome,
    Recurrence,
    check_chunked,
    check_exact,
    check_float,
    check_symbolic,
    check_third_party,
    floats,
    missing_package,
)
from separation.recurrences.third_party import version
from separation.verbs.options import Option
from separation.verbs.report import MARKS, Parts, Report, Table, facts_table, lines, named, styled, table_of, timed

EXAMPLES = ("recurrences --no-third-parties",)
NOT_ASKED = Outcome(None, "not asked for")
LEGEND = (
    ("a", "recurrence = parallel form, symbolically, for all inputs at small sizes"),
    ("b", "recurrence = parallel form, exactly, on random fractions"),
    ("c", "recurrence = parallel form in float64, within the bound of the rounding errors"),
    ("", "a to c: as a whole, and in chunks that pass on the state"),
    ("d", "recurrence = a third-party implementation, within the bound"),
    ("state", "of one head; bits: of H heads with p bits per number, keys of d_k, values of d_v, a window of w"),
)


@timed
def recurrences_table(
    progress: Progress = silent,
    third_parties: Annotated[
        bool,
        Option("Compare with implementations that are installed.", ("--third-parties/--no-third-parties",)),
    ] = True,
) -> RecurrencesReport:
    """Every family with its checks, run now; those against ``third_parties`` where these are installed."""
    rows = []
    for number, family in enumerate(FAMILIES.values()):
        progress(number / len(FAMILIES), family.name)
        bits, other = family.bits(), check_third_party(family) if third_parties else NOT_ASKED
        found = check_symbolic(family), check_exact(family), check_float(family), check_chunked(family), other
        rejected = not check_exact(TWINS[family.id]).holds
        rows.append(RecurrenceRow(family, bits, _state_matches(family, bits), *found, rejected))
    return RecurrencesReport(tuple(rows))


command = recurrences_table


@dataclass(frozen=True)
class RecurrenceRow:
    """A family, the bits of its state, and the outcomes of the checks.

    (a) ``symbolic``, (b) ``exact``, (c) ``floating`` and ``chunked``: the recurrence equals its parallel form, whole
    and in chunks; (d) ``third_party``: it equals a third-party implementation. ``twin_rejected``: a wrong neighbour
    fails (b).
    """

    family: Recurrence
    bits: Any
    state_matches: bool
    symbolic: Outcome
    exact: Outcome
    floating: Outcome
    chunked: Outcome
    third_party: Outcome
    twin_rejected: bool

    @property
    def twin(self) -> str:
        return (type(TWINS[self.family.id]).__doc__ or "").removeprefix("Broken: ").rstrip(".")

    @property
    def checks(self) -> dict[str, Outcome]:
        return named(self, "symbolic", "exact", "floating", "chunked", "third_party")

    @property
    def marks(self) -> tuple[bool | None, ...]:
        """Whether (a) to (d) hold; (c) is the parallel form as a whole and in chunks."""
        floating = (self.floating.holds, self.chunked.holds)
        both = False if False in floating else None if None in floating else True
        return self.symbolic.holds, self.exact.holds, both, self.third_party.holds

    @property
    def ok(self) -> bool:
        """Nothing that was checked fails, and the state that the code keeps is the one that the formula counts."""
        found = [outcome.holds for outcome in self.checks.values()]
        return self.state_matches and False not in (*found, self.twin_rejected)

    @property
    def against(self) -> str:
        """What (d) was checked against, with the version; if it was not checked, why."""
        if self.third_party.holds is None:
            return self.third_party.scope
        reference = REFERENCES[self.family.id]
        return f"{reference.package} {version(reference)}"

    @property
    def state_shape(self) -> str:
        return ", ".join(f"{name}: {'×'.join(shape)}" for name, shape in self.family.state.items())

    def document(self) -> dict[str, Any]:
        import sympy as sp

        family, reference = self.family, REFERENCES[self.family.id]
        installed, checked = missing_package(reference) is None, self.third_party.holds is not None
        return {
            **named(family, "id", "paper"),
            "family": family.name,
            "arxiv": family.arxiv or None,
            "ok": self.ok,
            "recurrence": family.formula,
            "parallel": family.parallel_formula,
            "reads": "before the step" if family.reads_before else "after the step",
            "state": {name: list(shape) for name, shape in family.state.items()},
            "state_shape": self.state_shape,
            "bits": {"text": str(self.bits), "latex": str(sp.latex(self.bits))},
            "beside": family.beside or None,
            "state_matches": self.state_matches,
            **{name: asdict(outcome) for name, outcome in self.checks.items() if name != "third_party"},
            "third_party": {
                **asdict(self.third_party),
                "package": reference.package,
                "function": f"{reference.module}.{reference.function}",
                "version": version(reference) if installed else None,
                "status": "checked" if checked else "not checked" if installed else "not installed",
            },
            "twin": {"broken": self.twin, "rejected": self.twin_rejected},
        }


class RecurrencesReport(Report):
    """All families; ok if nothing that was checked fails."""

    rows: tuple[RecurrenceRow, ...]

    def parts(self) -> Parts:
        """States and checks, how far floating point was off, the formulas with third-party functions, and one line."""
        checks, off, formulas = [], [], []
        for row in self.rows:
            family, state = row.family, lines(row.state_shape.split(", "))
            against = row.against.replace("flash-linear-attention", "fla")
            checks.append((row.ok, family.name, state, str(row.bits).replace("*", "·"), *row.marks, against))
            off.append((family.name, *map(_numbers, (row.floating, row.chunked, row.third_party))))
            formulas += [(family.name, family.formula), ("", family.parallel_formula)]
            formulas.append(("", styled("dim", REFERENCES[family.id].function)))
        yield _family_table("", "family", "state", "bits", "a", "b", "c", "d", "against", rows=checks)
        yield ""
        yield facts_table(LEGEND)
        yield ""
        yield _family_table("family", "c: off, bound", "c in chunks", "d: off, bound", rows=off)
        yield ""
        yield _family_table("family", "step and read-out; parallel form; function that d compares with", rows=formulas)
        yield "Γ_tj = α_{j+1}⋯α_t; A(X, Z)_tj = x_tᵀ Diag(α_{j+1}⊙…⊙α_t) z_j,"
        yield "Z = K if not named"
        yield "RWKV-7: w instead of α, b = a⊙κ; A⁻ has the product up to t−1, and j < t\n"
        for row in self.rows:
            for line in _complaints(row):
                yield f"{MARKS[False]} {row.family.name}: {line}"
        verdict = "nothing that was checked fails" if self.ok else "something that was checked fails"
        yield f"{MARKS[self.ok]} {verdict} ({self.seconds:.1f} s)"


def _state_matches(family: Recurrence, bits: Any) -> bool:
    """The numbers that the code holds after a few tokens are those of the formula with H = p = 1."""
    _, state = family.run_from(family.initial(EXACT_SIZES), floats(family, 5, EXACT_SIZES, seed=0))
    values = {symbol: EXACT_SIZES.get(symbol.name, 1) for symbol in bits.free_symbols}
    return bool(sum(part.size for part in state) == bits.subs(values))


def _numbers(outcome: Outcome) -> str:
    """The largest difference and the largest bound; each entry has a bound of its own."""
    if outcome.error is None or outcome.bound is None:
        return "–"
    return f"{outcome.error:.0e}, {outcome.bound:.0e}" if outcome.holds else styled("red", f"{outcome.error:.0e}")


def _complaints(row: RecurrenceRow) -> list[str]:
    lines = [f"{name} fails ({outcome.scope})" for name, outcome in row.checks.items() if outcome.holds is False]
    if not row.twin_rejected:
        lines.append(f"a broken twin was not rejected ({row.twin})")
    if not row.state_matches:
        lines.append("the state that the code keeps is not the one that the formula counts")
    return lines


def _family_table(*columns: str, rows: Sequence[Sequence[Any]]) -> Table:
    table = table_of(*columns, rows=rows)
    table.columns[columns.index("family")].min_width = len("sliding-window")  # the longest word of a name
    return table
