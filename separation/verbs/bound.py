"""`bound`: the shortest prompt found at which an impossibility is certified, next to what the papers ask for.

`bound --exponents`: how the thresholds grow with L, ours and the papers', and CPW's sizes put to the test.
`bound --sparse`: Theorem D, the summary bits that one sparse layer needs for 2-Sum.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separation.arithmetic import number_to_json
from separation.bounds import (
    Bound,
    Budget,
    ConfigBound,
    CpwSizes,
    Evaluation,
    Exponents,
    SparseBound,
    bound_config,
    cpw_prompt,
    cpw_sizes,
    exponents,
    length_to_document,
    paper_prompt,
    require_effort,
    sparse_certificate,
    theorem_d,
)
from separation.bounds import bound as find_bound
from separation.bounds.answer_certificate import ground_certificate
from separation.bounds.bound import by_theorem, word_of_question, word_with_every_block
from separation.bounds.catalogue import shortest_of, theorems_against
from separation.bounds.search.accuracy_prompts import least_prompt_for_accuracy
from separation.bounds.sharper_catalogue import AccuracyGround, beta_of
from separation.bounds.theorem import Ground
from separation.bounds.theorems.theorem_d_average import forbids_errors, least_summary_bits
from separation.bounds.word import Word
from separation.figures import require_figure_path, write_figure
from separation.files import InputError, require_writable
from separation.progress import Progress
from separation.tasks.checks import require_integer
from separation.verbs.ceiling import require_no_thoughts
from separation.verbs.options import flags_given, require_few_levels, write_accepted

if TYPE_CHECKING:
    from separation.bounds.asymptote import Asymptote
    from separation.bounds.symbolic import SymbolicTheorem

MAX_TABLES = 64
SHOWN_TABLES = 12
MOST_BLOCKS = 8  # full layers up to which R layers in every block are asked about too
PRODUCTS = (1, 1 << 10, 1 << 20, 1 << 60)
MAX_TERMS, MAX_DIGITS = 1 << 16, 1 << 20  # of V(d, B): terms, and binary digits of each


@dataclass(frozen=True)
class BoundReport:
    """What was found, for numbers given one by one or for a model's config.

    ``accuracy``: the share that no model exceeds at the prompt found, if one was asked for. ``anywhere``: the same
    question of models whose R layers stand anywhere, each block with all the bits, where no word was given.
    """

    found: Bound | ConfigBound
    seconds: float
    accuracy: Fraction | None = None
    anywhere: Ground | None = None
    symbolic: SymbolicTheorem | None = None
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.found.ground.certified

    @property
    def L(self) -> int:
        return self.found.L if isinstance(self.found, Bound) else self.found.model.first_hard

    def document(self) -> dict[str, Any]:
        document = self.found.document()
        if isinstance(self.found, ConfigBound):
            product = self.found.model.message.product
            ours = {"theorem": document["theorem"], "certified": self.ok, **document.pop("hard_sizes")}
            document |= {"ours": ours, "paper": length_to_document(paper_prompt(self.L, product))}
            document["cpw"] = length_to_document(cpw_prompt(self.L, product))
            document["by_theorem"] = by_theorem(self.found.grounds)
        symbolic = None
        if self.symbolic is not None:
            theorem = self.symbolic
            parts = {"quantities": theorem.quantities, "inequalities": theorem.inequalities}
            parts["golden"] = theorem.golden.quantities
            named = {part: {name: str(value) for name, value in values.items()} for part, values in parts.items()}
            symbolic = {**named, "latex": theorem.latex()}
        certificate = None if self.out is None else str(self.out)
        rest = {"symbolic": symbolic, "certificate": certificate, "seconds": self.seconds}
        accuracy = None if self.accuracy is None else str(self.accuracy)
        anywhere = None if self.anywhere is None else {"theorem": self.anywhere.theorem, **self.anywhere.hard_sizes()}
        rest = {"accuracy": accuracy, "anywhere": anywhere, **rest}
        return {"ok": self.ok, **document, "sharper": self._sharper_document(), **rest}

    def _sharper_document(self) -> dict[str, Any] | None:
        """Theorem A or B with Θ chosen instead of half the draws."""
        chosen = self.found.covered(chosen=True) if isinstance(self.found, Bound) else None
        if chosen is None or not isinstance(self.found, Bound) or self.found.golden is None:
            return None
        gain = self.found.golden.evaluation.tokens_log2() - chosen.tokens_log2()
        certified = {"theorem": chosen.theorem, "certified": chosen.certified}
        return {"gain_log2": gain, "cover": "chosen", **certified, **chosen.hard_sizes()}


def bound(
    *,
    L: int | None = None,
    beta: int | None = None,
    linear: int | Sequence[int] | None = None,
    heads: int | None = None,
    dim: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    linear_layers: int | None = None,
    state_bits: int | None = None,
    full_layers: int | None = None,
    word: str | None = None,
    theorem: str | None = None,
    thoughts: int | None = None,
    accuracy: Fraction | float | None = None,
    config: str | Path | None = None,
    symbolic: bool = False,
    effort: str = "quick",
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> BoundReport:
    """For β and Λ, for heads, dim and bits, or for a config.json: the shortest certified prompt.

    ``full_layers`` is L−1 if None; with L of them no R layer comes before the second; 0 is R alone. ``word`` gives the
    order of the layers instead. ``accuracy`` asks for the shortest prompt at which no model is right more often.
    ``effort`` is quick or thorough.
    """
    start = time.perf_counter()
    require_effort(effort)
    if out is not None:
        require_writable(out)
    numbers: dict[str, Any] = {"L": L, "beta": beta, "linear": linear, "heads": heads, "dim": dim, "bits": bits}
    share = None if accuracy is None else checked_accuracy(accuracy)
    numbers |= {
        "word": word,
        "theorem": theorem,
        "state_bits": state_bits,
        "full_layers": full_layers,
        "linear_layers": linear_layers,
    }
    found: Bound | ConfigBound
    anywhere = None
    if config is not None:
        if given := flags_given(numbers):
            raise InputError(f"a config brings its own numbers: leave out {given}")
        from separation.architectures import read_config

        if progress is not None:
            progress(0.0, "the model's layers are read")  # torch and transformers take seconds to load
        model = read_config(config, score_bits=score_bits)
        require_no_thoughts(model.word, thoughts)
        if share is not None:
            budget = Budget(message=model.message)
            ground = accuracy_ground(model.word, model.first_hard, budget, model.linear, share)
            found = ConfigBound(model, (ground,))
        else:
            found = bound_config(model, effort=effort)
    else:
        if L is None:
            raise InputError("give --L, or --config FILE")
        require_few_levels(L)
        if symbolic:
            _require_symbols(L)
        budget = Budget.of(
            beta=beta, linear=linear, heads=heads, dim=dim, bits=bits, score_bits=score_bits, state_bits=state_bits
        )
        parsed = _checked_word(word, budget, full_layers, linear_layers)
        question: dict[str, Any] = {"full_layers": full_layers, "linear_layers": linear_layers or 0, "word": parsed}
        shape = word_of_question(L, budget, **question)
        require_no_thoughts(shape.word, thoughts)
        if share is not None:
            bits_of_blocks = shape.budget.separate_linear_bits(shape.word)
            ground = accuracy_ground(shape.word, L, shape.budget, bits_of_blocks, share)
            found = Bound(L, shape.word, shape.budget, (ground,), None)
        else:
            found = find_bound(L, budget, **question, theorem=theorem, effort=effort)
            anywhere = _anywhere(found) if parsed is None and theorem is None else None
    message = found.model.message if isinstance(found, ConfigBound) else found.budget.message
    symbols = _symbols(found) if symbolic else None
    written = None if out is None else write_accepted(out, ground_certificate(found.ground, message))
    return BoundReport(found, time.perf_counter() - start, share, anywhere, symbols, written)


def checked_accuracy(accuracy: Fraction | float) -> Fraction | None:
    """A share above 0 and at most 1; 1 is no more than the question without an accuracy, so it is None."""
    share = Fraction(accuracy) if isinstance(accuracy, Fraction | int) else Fraction(str(accuracy))
    if not 0 < share <= 1:
        raise InputError(f"the accuracy is {accuracy}; a number above 0 and at most 1 is needed")
    return None if share == 1 else share


def accuracy_ground(word: Word, L: int, budget: Budget, linear: Sequence[int], accuracy: Fraction) -> AccuracyGround:
    """The shortest prompt found at which no model of the word is right more often than ``accuracy``."""
    prompt = least_prompt_for_accuracy(word, L, beta_of(budget), linear, accuracy)
    return AccuracyGround(word, prompt, tuple(linear))


def _checked_word(word: str | None, budget: Budget, full_layers: int | None, linear_layers: int | None) -> Word | None:
    """The order of the layers, if it was given; what contradicts it or is missing without it is named."""
    if word is not None:
        if given := flags_given({"full_layers": full_layers, "linear_layers": linear_layers}):
            raise InputError(f"--word says which layers there are: leave out {given}")
        return Word.parse(word)
    if linear_layers is not None and (budget.total is not None or budget.by_block is not None) and not budget.assumed:
        raise InputError("lambda and linear layers are both given; lambda counts all of them")
    if (linear_layers or 0) > 0 and budget.state_bits is None:
        raise InputError("state bits are missing: linear layers carry the state bits of one R layer each")
    if linear_layers is None and budget.state_bits is not None:
        raise InputError("linear layers are missing: how many R layers have these state bits")
    return None


def _anywhere(found: Bound) -> Ground | None:
    """If R layers may stand in every block, each block is charged all the bits, and the prompt is longer."""
    total, full = found.budget.total, found.full_layers
    if not total or full == 0 or full > MOST_BLOCKS or found.L == full == 1:
        return None
    word = word_with_every_block(found.L, full)
    linear = word.separate_linear_bits(total)
    against = [theorem for theorem in theorems_against(word, found.L) if theorem.charges_blocks]
    grounds = [theorem.shortest(word, found.L, found.budget, linear) for theorem in against]
    recursive = [ground for ground in found.grounds if isinstance(ground, Evaluation)]  # A and B allow any order
    known = [ground for ground in (*grounds, *recursive) if ground is not None]
    return shortest_of(known) if known else None


def _require_symbols(L: int) -> None:
    """Refuse, before any work is done, a number of tables for which no symbols are written."""
    from separation.bounds.schedules import MAX_LEVELS

    if not 2 <= L <= MAX_LEVELS:
        raise InputError(f"symbols are there for theorems A and B with L >= 2, at most {MAX_LEVELS}; L is {L}")


def _symbols(found: Bound | ConfigBound) -> SymbolicTheorem:
    from separation.bounds.symbolic import symbolic_theorem

    recursive = next((ground for ground in found.grounds if isinstance(ground, Evaluation)), None)
    if recursive is None or not recursive.parameters.n:
        raise InputError("symbols are there for theorems A and B with L >= 2")
    return symbolic_theorem(recursive.rule, recursive.parameters.L)


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


@dataclass(frozen=True)
class SparseReport:
    """Theorem D; with ``summary_bits`` the question is whether that many are too few, else how many are needed."""

    bound: SparseBound
    summary_bits: int | None
    seconds: float
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.summary_bits is None or self.bound.forbids(self.summary_bits)

    def document(self) -> dict[str, Any]:
        bound = self.bound
        sizes = {"modulus": bound.modulus, "block": bound.block, "open": bound.opened, "blocks": bound.blocks}
        return {
            "ok": self.ok,
            "theorem": "D",
            **{name: number_to_json(value) for name, value in sizes.items()},
            "clear": number_to_json(bound.clear),
            "values": number_to_json(bound.values),
            "values_log2": math.log2(bound.values),
            "bits_needed": bound.bits,
            "summary_bits": None if self.summary_bits is None else number_to_json(self.summary_bits),
            "forbidden": None if self.summary_bits is None else self.ok,
            "certificate": None if self.out is None else str(self.out),
            "seconds": self.seconds,
        }


def bound_sparse(
    *,
    modulus: int,
    block: int,
    opened: int,
    blocks: int,
    summary_bits: int | None = None,
    out: str | Path | None = None,
) -> SparseReport:
    """2^r ≥ V(d,B): the least whole r, or whether the r given is too small.

    The certificate says that the r given is too small, or, if none is, that one bit less than the least is.
    """
    start = time.perf_counter()
    if out is not None:
        require_writable(out)
    terms = min(block, modulus)
    if terms > MAX_TERMS or terms * modulus.bit_length() > MAX_DIGITS:
        raise InputError(f"block is {block} and modulus {modulus}: the count of summaries has too many digits")
    found = theorem_d(modulus, block, opened, blocks)
    written = None
    if out is not None:
        too_few = found.bits - 1 if summary_bits is None else summary_bits
        written = write_accepted(out, sparse_certificate(found, too_few))
    return SparseReport(found, summary_bits, time.perf_counter() - start, written)


@dataclass(frozen=True)
class SparseErrorsReport:
    """Theorem D': the summary bits that a sparse layer needs to miss at most δ and raise at most ε false alarms."""

    block: int
    opened: int
    blocks: int
    missed: Fraction
    false_alarms: Fraction
    bits_needed: int
    summary_bits: int | None
    forbidden: bool | None
    seconds: float

    @property
    def ok(self) -> bool:
        return self.forbidden is not False

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "theorem": "D'",
            "block": self.block,
            "open": self.opened,
            "blocks": self.blocks,
            "errors": [str(self.missed), str(self.false_alarms)],
            "bits_needed": self.bits_needed,
            "summary_bits": self.summary_bits,
            "forbidden": self.forbidden,
            "seconds": self.seconds,
        }


def bound_sparse_errors(
    *,
    block: int,
    opened: int,
    blocks: int,
    missed: Fraction,
    false_alarms: Fraction,
    summary_bits: int | None = None,
) -> SparseErrorsReport:
    """r ≥ B·D(1−δ ‖ k/g+ε): the least whole r that is not forbidden, or whether the r given is."""
    start = time.perf_counter()
    layer = (block, opened, blocks, missed, false_alarms)
    needed = least_summary_bits(*layer)
    forbidden = None
    if summary_bits is not None:
        forbidden = all(inequality.holds for inequality in forbids_errors(summary_bits, *layer))
    return SparseErrorsReport(*layer, needed, summary_bits, forbidden, time.perf_counter() - start)
