"""`show`: the weights of a construction as named blocks, and its invariants, as a paper writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Annotated, Any, Unpack

from separation.escaping import latex as latex_text
from separation.files import InputError
from separation.models import Stream
from separation.proving import Construction, infer_invariants
from separation.verbs.options import ModelFile, Name, Options
from separation.verbs.report import Parts, Report, Table, Unbroken, Verbatim, plain_table, styled
from separation.verbs.subjects import about, chosen_construction
from separation.weights import Coefficient, Matrix, Weights, to_latex
from separation.weights.blocks import CONSTANT, is_constant, named
from separation.weights.contents import FORMULA_TEXTS, Formula, Part, Rows, Sum, before_name, model_text
from separation.weights.invariant_lines import grouped

EXAMPLES = ("show C1 --L 3 --layer 2", "show --model model.json")
MOST_BLOCKS = 60


def show(
    construction: Name = None,
    *,
    model: ModelFile = None,
    layer: Annotated[int | None, "Only this layer."] = None,
    latex: Annotated[bool, "Print a LaTeX document."] = False,
    **options: Unpack[Options],
) -> ShowReport:
    """The weights and invariants of a construction at given sizes, of one already built, or of a model file.

    Of one layer (counted from 1) or of all. Invariants that nobody stated are inferred, as far as the rules go.
    """
    subject = chosen_construction(construction, model, options)
    last = len(subject.model.layers)
    if layer is not None and not 1 <= layer <= last:
        raise InputError(f"layer is {layer}; " + (f"allowed are 1..{last}" if last else "this model has no layers"))
    inferred = not subject.stages and subject.task.states_invariants
    return ShowReport(infer_invariants(subject) if inferred else subject, layer, inferred, latex)


class ShowReport(Report):
    """A construction to be shown: all of its layers, or one; ``inferred``: nobody stated its invariants."""

    construction: Construction
    layer: int | None = None
    inferred: bool = False
    as_latex: bool = False
    wraps = True

    @property
    def weights(self) -> Weights:
        last = len(self.construction.model.layers)
        return Weights(self.construction, tuple(range(1, last + 1)) if self.layer is None else (self.layer,))

    def facts(self) -> dict[str, Any]:
        return {**about(self.construction), "inferred": self.inferred, **self.weights.document()}

    def latex(self) -> str:
        """A whole article for pdflatex."""
        title = latex_text(self.construction.task.title)
        return to_latex(self.weights, re.sub(r"\b([LmnM]) =", r"$\1$ =", title))

    def parts(self) -> Parts:
        """The slots, the embedding, then each layer: what holds before, its blocks and formulas, what changed after."""
        if self.as_latex:
            yield Verbatim(self.latex().removesuffix("\n"))
            return
        weights, stream = self.weights, self.construction.model.stream
        tables = weights.tables()
        yield styled("bold", self.construction.name) + f" for {self.construction.task.title}"
        yield model_text(weights.model)
        for line in self.construction.task.definition.splitlines():
            yield Unbroken(line)
        if self.inferred:
            yield "Invariants are inferred: none were stated."
        for value, symbol in weights.temperatures.items():
            yield f"{symbol} = {value}, the factor of W_Q"
        yield "\nx[a:b]: coordinates a..b−1 of slot x. code(v): the ±1 bits of v, lowest first."
        yield "A block is coefficient × identity; from a constant, a column (one number fills it)."
        yield "\n" + styled("bold", "Slots")
        yield "x = " + " ⊕ ".join(f"{name}({width})" for name, width in stream.slots if width)
        yield "\n" + styled("bold", "Embedding") + " x = position + token"
        yield _tables_table([*tables["positions"], *tables["tokens"]])
        for layer in weights.layers():
            yield "\n" + styled("bold", f"Layer {layer.number}")
            yield "before" if layer.since is None else f"before: as after layer {layer.since}"
            if layer.since is None:
                yield stage_table(grouped(layer.before))
            for part in layer.parts:
                yield from _part(part)
            yield "\nafter, where it differs from before" if layer.changes else "\nafter: nothing has changed"
            if layer.changes:
                yield stage_table(layer.changes)
        yield "\n" + styled("bold", "Unembedding") + " logit of an answer = row · x"
        yield _tables_table(tables["unembedding"])


def _part(part: Part) -> Parts:
    """Blocks of a head or an MLP, matrices that an earlier layer has too by its number, then the formulas."""
    shift = [] if part.shift is None else [f"shift {_coefficient_text(part.shift)}"]
    title = ", ".join([part.title, *part.words, *shift])
    if part.twin is not None:
        yield f"\n{title}: as in layer {part.twin}"
        return
    yield f"\n{title}"
    rows: list[tuple[str, ...]] = []
    for name, matrix in part.matrices.items():
        as_before = [(name, f"as in layer {part.earlier[name]}", "", "")] if name in part.earlier else None
        rows += as_before or _block_rows((name,), matrix, _coordinates_text)
    yield plain_table("matrix", "to", "from", "coefficient", rows=rows)
    yield "in formulas"
    formulas = part.formulas()
    for formula in formulas[:MOST_BLOCKS]:
        yield f"  {_formula_text(formula)}"
    if len(formulas) > MOST_BLOCKS:
        yield f"  … and {len(formulas) - MOST_BLOCKS} more"


def _formula_text(formula: Formula) -> str:
    left = _coordinates_text(formula.target, formula.left)
    return FORMULA_TEXTS[formula.role][0].format(*map(_sum_text, formula.right), left=left)


def _sum_text(terms: Sum) -> str:
    texts = [
        coefficient.text
        if is_constant(stream, coordinates)
        else before_name(coefficient.text, "·") + _coordinates_text(stream, coordinates)
        for coefficient, stream, coordinates in terms
    ]
    return " + ".join(map(_minus, texts)).replace("+ −", "− ") if texts else "0"


def _tables_table(tables: Iterable[Rows]) -> Table:
    rows = (_block_rows((each.table, ", ".join(each.kinds)), each.matrix, _bits_text) for each in tables)
    return plain_table("table", "tokens", "to", "from", "coefficient", rows=[row for some in rows for row in some])


def _block_rows(
    head: tuple[str, ...], matrix: Matrix, source_name: Callable[[Stream, range], str]
) -> Iterator[tuple[str, ...]]:
    """A row for each block, the first with ``head`` before it."""
    blank = ("",) * len(head)
    for index, block in enumerate(matrix.blocks[:MOST_BLOCKS]):
        to, origin = _coordinates_text(matrix.target, block.rows), source_name(matrix.source, block.columns)
        yield (*(blank if index else head), to, origin, _coefficient_text(block.coefficient))
    if len(matrix.blocks) > MOST_BLOCKS:
        yield (*blank, f"… and {len(matrix.blocks) - MOST_BLOCKS} more", "", "")
    if not matrix.blocks:
        yield (*head, "0", "", "")


def stage_table(rows: Sequence[tuple[str, str, list[str]]]) -> Table:
    """What the slots hold in which kinds of tokens; a slot is named once."""
    before = ["", *(slot for slot, _, _ in rows)]
    named_once = [
        ("" if slot == last else slot, text, ", ".join(kinds))
        for (slot, text, kinds), last in zip(rows, before, strict=False)
    ]
    return plain_table("slot", "holds", "in tokens", rows=named_once)


def _coordinates_text(stream: Stream, coordinates: range) -> str:
    """found[0:4], the bare name for a whole slot."""
    name, part = named(stream, coordinates)
    return f"{name}[{part}]" if part else name


def _bits_text(stream: Stream, coordinates: range) -> str:
    """A column of a table: the constant, bits of a digit, or the number of a stored row."""
    name, part = named(stream, coordinates)
    inside = {CONSTANT: "1", "row": "row"}.get(name, f"code({name})")
    return f"{inside}[{part}]" if part else inside


def _coefficient_text(coefficient: Coefficient) -> str:
    return _minus(coefficient.text)


def _minus(text: str) -> str:
    return text.replace("-", "−")
