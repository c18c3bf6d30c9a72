"""`ceiling`: the largest accuracy that any model of a word of layers can have on uniformly random inputs.

`ceiling --sparse`, the largest share of matches that one sparse layer can find in 2-Sum, is in `sparse`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Unpack

from separation.architectures import read_config
from separation.architectures.inverse import HEADER, LEGEND, LONGEST_ASKED, Needed, needed
from separation.bounds import Decision, Word, decide
from separation.bounds.ceiling_curve import CurvePoint, ceiling_curve, ceiling_figure, curve_csv
from separation.bounds.certificate import ceiling_certificate
from separation.bounds.theorems.ceiling import NO_CEILING, AccuracyBound, Ceiling, chance
from separation.figures import require_figure_path, write_figure
from separation.files import InputError, require_writable
from separation.progress import Progress, silent
from separation.tasks.checks import require_integer, require_one_of
from separation.tasks.funccomp import Sizes
from separation.verbs.budgets import chosen_budget, require_few_levels, require_no_thoughts, spelled, word_of
from separation.verbs.hard_sizes import LONGEST_WORD, accuracy, bits_text, listed_numbers, percent
from separation.verbs.options import (
    Argument,
    BudgetOptions,
    Certificate,
    Choice,
    File,
    ProvedOnly,
    numbers,
    refuse,
    several,
)
from separation.verbs.report import (
    Parts,
    Report,
    count,
    facts_table,
    named,
    shortened,
    styled,
    table_of,
    timed,
    written,
)

EXAMPLES = (
    "ceiling RF --L 2 --m 64 --n 8 --beta 8 --lambda 8",
    "ceiling RF --m 64 --n 8 --beta 8 --lambda 8 --figure ceiling.png --against lambda",
    "ceiling --config jamba_v0_1 --tokens 32768",
    "ceiling --sparse --block 64 --open 1 --blocks 32 --summary-bits 16",
)
USUAL_TOKENS = 1 << 15
AGAINST = ("length", "lambda", "beta")


@timed
def ceiling_of_config(
    config: Annotated[str | Path, "Instead: a config.json or the name of a shipped one; what would be certified ..."],
    *,
    tokens: Annotated[int | None, "... to fail at prompts of this length (default 32768)."] = None,
    proved_only: ProvedOnly = False,
    progress: Progress = silent,
) -> InverseReport:
    """Of a config.json, or a shipped one by its name: which states and heads would be certified to fail at a length."""
    length = require_integer("tokens", USUAL_TOKENS if tokens is None else tokens, 4, LONGEST_ASKED)
    reading = read_config(config)
    rows = needed(reading, length, proved_only=proved_only, progress=progress)
    return InverseReport(str(config), reading.word, length, rows)


class InverseReport(Report):
    """The parts of one model at one length of a prompt."""

    name: str
    word: Word
    tokens: int
    rows: tuple[Needed, ...]

    def parts(self) -> Parts:
        """One line for each part."""
        yield f"What would be certified of {self.name} to fail at {count(self.tokens, 'token')}:"
        yield table_of(*HEADER, rows=[each.row() for each in self.rows])
        yield styled("dim", LEGEND)


@timed
def ceiling(
    word: Annotated[str, Argument(metavar="WORD", help="Layers, e.g. RF, FRF, (RRF)4, [FR]F.")],
    *,
    L: Annotated[int | None, "Number of tables (default: one more than --n)."] = None,
    m: Annotated[int | None, "Size of table 1, m >= 2."] = None,
    n: Annotated[int | Sequence[int] | None, "n_1,...,n_{L-1}, e.g. 8,8.", numbers] = None,
    thoughts: Annotated[int | None, "Tokens of a chain of thought before the answer."] = None,
    figure: Annotated[File, "Draw the ceiling (.png, .svg, .pdf); numbers in a .csv."] = None,
    against: Annotated[str, "What the curve is drawn against: length, lambda or beta."] = "length",
    proved_only: ProvedOnly = False,
    out: Certificate = None,
    progress: Progress = silent,
    **given: Unpack[BudgetOptions],
) -> CeilingReport:
    """The smallest ceiling found over theorems A2 (average), E and C' at exactly m and n, for this β and Λ.

    β and Λ (``state_bits``) directly, or from heads, dim, bits and the state bits of one R layer. R alone needs no β.
    """
    parsed, n = word_of(word), several(n) or ()
    if m is None:
        raise InputError("--m is missing: a ceiling is that of exactly m and n_1, …, n_{L-1}")
    require_no_thoughts(parsed, thoughts)
    L = len(n) + 1 if L is None else L
    require_few_levels(L)
    sizes = Sizes.from_lists(L, m, list(n))
    budget = chosen_budget(given, parsed)
    if budget.assumed:
        one = "beta is missing: give beta, or heads, dim and bits" if parsed.full else "lambda is missing: give lambda"
        raise InputError(one)
    require_one_of("against", against, AGAINST)
    if figure is None:
        refuse("a ceiling without --figure", {"against": against != "length"})
    picture = require_figure_path(figure)
    written, _, _ = require_writable(out, picture, picture and picture.with_suffix(".csv"))
    message_bits, separate = budget.beta_at(sizes.length), budget.separate_state_bits(parsed)
    decision = decide(parsed, L, budget, sizes, proved_only=proved_only)
    files: dict[Path, str] = {}
    curve: tuple[CurvePoint, ...] = ()
    drawn = None
    if written is not None:
        if decision.ceiling is None or decision.ceiling.value >= 1:
            raise InputError("no certificate: a ceiling of 1 says nothing")
        from separation.proving.certificates import accepted, certificate_text

        bound = AccuracyBound(parsed, sizes.m, sizes.n, message_bits, separate, decision.ceiling)
        files[written] = certificate_text(accepted(ceiling_certificate(bound, budget.message)))
    if picture is not None:
        curve = ceiling_curve(parsed, sizes, budget, against, progress, proved_only)
        drawn = ceiling_figure(parsed, sizes, message_bits, separate, curve, against)
        files[picture.with_suffix(".csv")] = curve_csv(curve, against)
    write_figure(drawn, picture, files)
    return CeilingReport(decision, sizes, message_bits, separate, written, picture, curve, proved_only)


command = Choice(
    ceiling,
    config=(None, ceiling_of_config),
    sparse=("Instead: Theorem D', 2-Sum with one sparse layer.", "sparse.ceiling_sparse"),
)


class CeilingReport(Report):
    """accuracy ≤ ``found.value`` at these sizes; 1 says nothing, unless the word solves the task.

    Where no theorem is about averages, the ``decision`` may still say that some input is answered wrongly.
    """

    decision: Decision
    sizes: Sizes
    beta: int
    state_bits: tuple[int, ...]
    out: Path | None = None
    figure: Path | None = None
    curve: tuple[CurvePoint, ...] = ()
    proved_only: bool = False

    @property
    def found(self) -> Ceiling:
        return self.decision.ceiling or NO_CEILING

    def facts(self) -> dict[str, Any]:
        word, parameters = self.decision.word, {name: str(value) for name, value in self.found.parameters}
        least = chance(self.sizes.m, self.sizes.n)
        return {
            "word": spelled(word),
            "depth": word.depth,
            **named(self.sizes, "L", "m", "n"),
            "tokens": self.sizes.length,
            "beta": self.beta if word.full else None,
            "lambda": self.state_bits,
            **accuracy(self.decision),
            "chance": str(least),
            "chance_float": float(least),
            "certified": self.decision.solvable is not None,
            "parameters": parameters if self.found.value < 1 else None,
            **named(self.decision, "solvable"),
            "figure": self.figure,
            "certificate": self.out,
            "curve": [{"at": each.at, "tokens": each.tokens, "ceiling": float(each.ceiling)} for each in self.curve],
        }

    def parts(self) -> Parts:
        """A sentence, then the numbers it rests on."""
        facts = self.document()
        word = shortened(facts["word"], LONGEST_WORD)
        if facts["solvable"]:
            where = "these sizes" if self.decision.construction == "C3" else self.decision.word.sizes_solved(facts["L"])
            yield f"{word} solves L = {facts['L']} at {where}: its accuracy can be 100 %."
        elif self.found.value < 1:
            most, chance = percent(facts["ceiling_float"]), percent(facts["chance_float"])
            yield f"No {word} is right on more than {most} of random inputs; chance is {chance}."
        elif facts["theorem"]:
            yield f"No {word} is right on every input: its accuracy is below 100 %. No smaller share is certified."
        else:
            known = "proved in Coq" if self.proved_only else "known"
            yield f"Nothing is certified at these sizes: the accuracy of {word} may be 100 %, as far as is {known}."
        sizes = f"L = {facts['L']}, m = {listed_numbers([facts['m']])}, n = {listed_numbers(facts['n'])}"
        rows = [("sizes", sizes), ("prompt", count(self.sizes.length, "token", listed_numbers([facts["tokens"]])))]
        rows += [] if facts["beta"] is None else [("β", bits_text([facts["beta"]]))]
        rows.append(("Λ", bits_text(facts["lambda"])))
        if facts["theorem"]:
            rows.append(("theorem", f"{facts['theorem']}; {facts['known']}"))
        if facts["parameters"]:
            rows.append(("by", ", ".join(f"{name} = {shortened(v, 40)}" for name, v in facts["parameters"].items())))
            rows.append(("ceiling", f"{facts['ceiling_float']:.6g} = {shortened(facts['ceiling'], 60)}"))
        yield facts_table(rows)
        yield written("certificate", self.out)
        yield written("picture", self.figure)
        yield written("its numbers", self.figure and self.figure.with_suffix(".csv"))
