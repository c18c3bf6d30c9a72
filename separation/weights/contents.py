"""The weights of a construction as a person reads them: tables, the matrices of each layer as blocks, formulas.

`Weights` describes them once: the JSON document, the text and the article are all made of the same blocks.
Rows of W_Q and W_K are called key, rows of W_V head, rows of W_1 unit, the row of a gate gate; the key or value of the
token with index 3 in a block of keys is token3; a bias is read off the constant `one`; a stored table's row is row[5].
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from separation.counting import count
from separation.models import (
    INTERVALS,
    MLP,
    AnyHead,
    Head,
    LinearHead,
    Model,
    ProductHead,
    RecurrentHead,
    RowTable,
    SparseHead,
    Stored,
    Stream,
    attention_name,
)
from separation.proving import Construction
from separation.tasks.shape import Variable, bit_count
from separation.weights.blocks import CONSTANT, NO_UNIT, Coefficient, Matrix, Unit, row_pieces
from separation.weights.invariant_lines import abbreviated, grouped, stage_lines

TAU = "τ"
# Index of a matrix → its rows; matrix → its columns, else the stream x or, for a bias b, the constant 1.
_ROWS = {"O": "x", "2": "x", "1": "unit", "X": "input", "C": "constant"}
_ROWS |= {"Q": "key", "K": "key", "V": "head", "A": "gate", "B": "gate"}
_COLUMNS = {"W_O": "head", "W_2": "unit", "C_K": "block keys", "C_V": "block values"}
# Columns of the one are cut where blocks of the other begin, so that the two can be read side by side.
_CUT_BY = {"W_Q": "W_K", "b_1": "W_1", "b_Q": "W_Q", "b_K": "W_K", "b_X": "W_X"}
# Type of a part → its formulas (role, matrices of the first sum, of the second if there are two), in order.
_KEYS = ("key", ("W_Q",), ("W_K",))
_OUT = ("stream", ("W_O",))
FORMULAS: dict[str, tuple[tuple[Any, ...], ...]] = {
    "full": (_KEYS, ("averaged", ("W_V",)), _OUT),
    "linear": (("feature", ("W_Q", "b_Q"), ("W_K", "b_K")), ("averaged", ("W_V",)), _OUT),
    "product": (("asked", ("W_Q",)), ("written", ("W_K",)), ("stored", ("W_V",)), ("step", ("W_B", "b_B")), _OUT),
    "delta": (_KEYS, ("stored", ("W_V",)), ("gate", ("W_A", "b_A"), ("W_B", "b_B")), _OUT),
    "sparse": (_KEYS, ("averaged", ("W_V",)), ("summary", ("C_K",)), ("summary", ("C_V",)), _OUT),
    "recurrent": (("input", ("W_X", "b_X")), ("given", ("b_C",)), _OUT),
    "mlp": (("unit", ("W_1", "b_1")), ("stream", ("W_2", "b_2"))),
}
# Role of a formula → how it is written in text and in LaTeX.
FORMULA_TEXTS = {
    "key": ("{left}: q = {0}, k = {1}", r"{left}:\quad q &= {0}, &\qquad k &= {1}"),
    "feature": (
        "{left}: φ_q = relu({0}), φ_k = relu({1})",
        r"{left}:\quad \phi_q &= \relu({0}) \\ \phi_k &= \relu({1})",
    ),
    "gate": (
        "α = clip({0}), β = clip({1})",
        r"\alpha &= \operatorname{{clip}}({0}), &\qquad \beta &= \operatorname{{clip}}({1})",
    ),
    "asked": ("{left}: q = {0}", r"{left}:\quad q &= {0}"),
    "written": ("{left}: k = {0}", r"{left}:\quad k &= {0}"),
    "step": ("{left}: β = clip({0})", r"{left}:\quad \beta &= \operatorname{{clip}}({0})"),
    "unit": ("{left} = relu({0})", r"{left} &= \relu({0})"),
    "stream": ("{left} += {0}", r"{left} &\mathrel{{+}}= {0}"),
    "summary": ("{left} of a summary = {0}", r"{left} \text{{ of a summary}} &= {0}"),
    "input": ("{left} = clip({0})", r"{left} &= \operatorname{{clip}}({0})"),
    "given": ("{left} = {0}", r"{left} &= {0}"),
    **{
        role: (f"{{left}}: v = {{0}}, {role}", rf"{{left}}:\quad v &= {{0}} \quad\text{{{{({role})}}}}")
        for role in ("averaged", "summed", "stored")
    },
}
Sum = list[tuple[Coefficient, Stream, range]]
"""Σ coefficient · coordinates."""


@dataclass(frozen=True)
class Formula:
    """``left`` in the space ``target``, by its ``role``: two sums for keys, features and gates, else one."""

    role: str
    target: Stream
    left: range
    right: tuple[Sum, ...]


@dataclass(frozen=True)
class Part:
    """A head or an MLP with its matrices, by name; ``earlier``: those that an earlier layer has too, and which."""

    title: str
    part: AnyHead | MLP
    widths: dict[str, int]
    matrices: dict[str, Matrix]
    shift: Coefficient | None
    earlier: dict[str, int]

    @property
    def type(self) -> str:
        return "mlp" if isinstance(self.part, MLP) else self.part.TYPE

    def document(self) -> dict[str, Any]:
        matrices = {name: matrix.document() for name, matrix in self.matrices.items()}
        if isinstance(self.part, MLP):
            return {"spaces": self.widths, **matrices}
        numbers = {name: getattr(self.part, name) for name in self.part.NUMBERS}
        shift = {} if self.shift is None else {"shift": self.shift.text}
        return {"type": self.type, "spaces": self.widths, **matrices, **numbers, **shift}

    @property
    def twin(self) -> int | None:
        """The one earlier layer that has all of the matrices."""
        layers = {self.earlier.get(name) for name in self.matrices}
        return layers.pop() if len(layers) == 1 else None

    @property
    def words(self) -> list[str]:
        """What is said of a head besides its matrices and its shift."""
        head = self.part
        if isinstance(head, LinearHead):
            return ["linear attention", "normalised" if head.normalised else "not normalised"]
        if isinstance(head, SparseHead):
            return ["block-sparse", f"blocks of {head.block}", f"{head.opened} opened"]
        if isinstance(head, RecurrentHead):
            return [head.recurrence.name, f"d_k = {head.d_k}, d_v = {head.d_v}, count = {head.count}"]
        if isinstance(head, ProductHead):
            return [f"{head.updates} delta updates a token"]
        return ["gated delta rule"] if self.type == "delta" else []

    def formulas(self) -> list[Formula]:
        found = []
        for role, *groups in FORMULAS[self.type]:
            names = [name for group in groups for name in group]
            matrices = [self.matrices[name] for name in names]
            for rows, cut in row_pieces(matrices):
                terms = {
                    name: [(block.coefficient, matrix.source, block.columns) for block in blocks]
                    for name, matrix, blocks in zip(names, matrices, cut, strict=True)
                }
                right = tuple([term for name in group for term in terms[name]] for group in groups)
                found.append(Formula(self._role(role, rows), matrices[0].target, rows, right))
        return found

    def _role(self, role: str, rows: range) -> str:
        """Without a normaliser values are summed; an input of a recurrent head whose domain is all numbers is given."""
        if role == "averaged" and isinstance(self.part, LinearHead) and not self.part.normalised:
            return "summed"
        if role == "input" and isinstance(self.part, RecurrentHead):
            (domain,) = (part.domain for part in self.part.inputs if part.start <= rows.start < part.stop)
            return "given" if INTERVALS[domain] == INTERVALS["real"] else role
        return role


@dataclass(frozen=True)
class LayerContents:
    """A layer; ``since`` is the layer shown before it, ``before`` and ``after`` are kind → lines of the invariant."""

    number: int
    since: int | None
    parts: list[Part]
    before: dict[str, list[str]]
    after: dict[str, list[str]]

    @property
    def changes(self) -> list[tuple[str, str, list[str]]]:
        return grouped(self.after, self.before)

    def document(self) -> dict[str, Any]:
        heads = [part.document() for part in self.parts if part.type != "mlp"]
        mlps = [part.document() for part in self.parts if part.type == "mlp"]
        return {"layer": self.number, "heads": heads, "mlps": mlps, "before": self.before, "after": self.after}


@dataclass(frozen=True)
class Rows:
    """Rows of a table, which is called ``table``: all of a stored one, or a segment; ``facts`` are what else it is."""

    table: str
    facts: dict[str, Any]
    matrix: Matrix

    @property
    def kinds(self) -> list[str]:
        """Whose rows these are."""
        if "rows" in self.facts:
            return [f"{self.facts['rows']} stored rows"]
        unnamed = "answers" if self.table == "unembedding" else f"rows from {self.facts['start']}"
        return abbreviated(self.facts["kinds"]) or [unnamed]

    def document(self) -> dict[str, Any]:
        return {**self.facts, "blocks": self.matrix.document()}


@dataclass(frozen=True)
class Weights:
    """The weights and invariants of a construction: of the layers ``numbers``, counted from 1."""

    construction: Construction
    numbers: tuple[int, ...]

    @property
    def model(self) -> Model:
        return self.construction.model

    @property
    def temperatures(self) -> dict[Fraction, str]:
        """Value → symbol: τ if all heads with a temperature have the same, else τ1, τ2, … in order of layers."""
        found = (temperature(head) for layer in self.model.layers for head in layer.heads)
        values = list(dict.fromkeys(value for value in found if value is not None))
        return {value: TAU if len(values) == 1 else f"{TAU}{number}" for number, value in enumerate(values, start=1)}

    def tables(self) -> dict[str, list[Rows]]:
        """The rows of each table; a group of rows has a name, a first row, and the variables that number it."""
        model, shape = self.model, self.construction.shape
        tokens = {
            kind.name: (kind.first_id, (*kind.value, *([kind.mirror] if kind.mirror else []))) for kind in shape.kinds
        }
        places = {kind.name: (kind.start, kind.address) for kind in shape.kinds}
        answers = {group.name: (group.start, group.address) for group in shape.outputs}
        return {
            "positions": _rows("positions", model.positions, model.stream, places),
            "tokens": _rows("tokens", model.tokens, model.stream, tokens),
            "unembedding": _rows("unembedding", model.unembedding, model.stream, answers),
        }

    def layers(self) -> list[LayerContents]:
        model, stages, shape = self.model, self.construction.stages, self.construction.shape
        symbols = self.temperatures
        lines = {
            number: stage_lines(stages[number], model.stream, shape) if number < len(stages) else {}
            for number in sorted({stage for number in self.numbers for stage in (number - 1, number)})
        }
        seen: dict[Any, int] = {}
        found: list[LayerContents] = []
        for number in self.numbers:
            layer = model.layers[number - 1]
            titled = [*_titled("head", layer.heads), *_titled("MLP", layer.mlps)]
            parts = [_part(title, part, model.stream, symbols, number, seen) for title, part in titled]
            since = found[-1].number if found else None
            found.append(LayerContents(number, since, parts, lines[number - 1], lines[number]))
        return found

    def document(self) -> dict[str, Any]:
        precision, tables = self.model.precision, self.tables()
        documents = {
            name: rows[0].document()
            if rows and "rows" in rows[0].facts
            else {"segments": [segment.document() for segment in rows]}
            for name, rows in tables.items()
        }
        return {
            "attention": attention_name(self.model),
            "precision": {"P": precision.score_bits, "p": precision.bits, "fraction": precision.fraction_bits},
            "slots": [{"name": name, "width": width} for name, width in self.model.stream.slots],
            "temperature": {symbol: str(value) for value, symbol in self.temperatures.items()},
            "embedding": {name: documents[name] for name in ("positions", "tokens")},
            "layers": [layer.document() for layer in self.layers()],
            "unembedding": documents["unembedding"],
        }


def temperature(head: AnyHead) -> Fraction | None:
    """shift / d_k, the score of a match if all key coordinates are ±1, when it divides all entries of W_Q."""
    if not isinstance(head, (Head, SparseHead)):
        return None
    rows = head.w_q.shape[0]
    if not rows or head.shift <= 0:
        return None
    value = head.shift / rows
    entries = {abs(number) for _, _, number in head.w_q.entries()}
    return value if entries and all((number / value).denominator == 1 for number in entries) else None


def _titled(word: str, parts: tuple[Any, ...]) -> list[tuple[str, Any]]:
    return [(f"{word} {number}" if len(parts) > 1 else word, part) for number, part in enumerate(parts, start=1)]


def _part(
    title: str, part: AnyHead | MLP, stream: Stream, symbols: Mapping[Fraction, str], number: int, seen: dict[Any, int]
) -> Part:
    """The part as blocks; ``seen`` remembers all matrices with the first layer that has them."""
    kind = "mlp" if isinstance(part, MLP) else part.TYPE
    value = None if isinstance(part, MLP) else temperature(part)
    unit: Unit = NO_UNIT if value is None else (value, symbols[value])
    widths = _widths(part)
    spaces = _spaces(part, widths) | {"x": stream, "1": Stream([(CONSTANT, 1)])}
    names = [name for _, *groups in FORMULAS[kind] for group in groups for name in group]
    found: dict[str, Matrix] = {}
    # W_K before W_Q, and biases last: what cuts is there before what is cut.
    for name in sorted(names, key=lambda name: (name.startswith("b"), name in _CUT_BY)):
        beside = None if isinstance(part, ProductHead) else found.get(_CUT_BY.get(name, ""))
        cuts = () if beside is None else {block.rows.start for block in beside.blocks}
        to = spaces.get(f"{name[2:]} of updates", spaces[_ROWS[name[2:]]])
        origin = spaces[_COLUMNS.get(name, "1" if name.startswith("b") else "x")]
        matrix = getattr(part, name.lower())
        found[name] = Matrix.of(matrix, to, origin, cuts=cuts, unit=unit if name == "W_Q" else NO_UNIT)
    matrices = {name: found[name] for name in names}
    numbers = [getattr(part, name) for name in part.NUMBERS if name != "shift"]
    keys = {name: (title, kind, *widths.values(), *numbers, name, matrix) for name, matrix in matrices.items()}
    earlier = {name: seen[key] for name, key in keys.items() if seen.setdefault(key, number) != number}
    shift = Coefficient((part.shift / unit[0],), unit[1]) if isinstance(part, (Head, SparseHead)) else None
    return Part(title, part, widths, matrices, shift, earlier)


def _widths(part: AnyHead | MLP) -> dict[str, int]:
    """The widths of the spaces inside a head or an MLP."""
    if isinstance(part, MLP):
        return {"unit": part.w_1.shape[0]}
    if isinstance(part, RecurrentHead):
        return {"input": part.w_x.shape[0], "constant": part.b_c.shape[0], "head": part.d_v}
    return {"key": part.w_q.shape[0], "head": part.w_o.shape[1]}


def _spaces(part: AnyHead | MLP, widths: Mapping[str, int]) -> dict[str, Stream]:
    """The spaces inside a part; the inputs of a recurrent head have the names that its family gives them."""
    spaces = {name: Stream([(name, width)]) for name, width in {"gate": 1, **widths}.items()}
    if isinstance(part, SparseHead):
        for name, inside in (("block keys", "key"), ("block values", "head")):
            spaces[name] = Stream((f"token{index}", widths[inside]) for index in range(part.block))
    if isinstance(part, ProductHead):
        for name, matrix in (("K", part.w_k), ("V", part.w_v), ("B", part.w_b)):
            inside, each = _ROWS[name], matrix.shape[0] // part.updates
            spaces[f"{name} of updates"] = Stream((f"{inside}{u}", each) for u in range(1, part.updates + 1))
    if isinstance(part, RecurrentHead):
        for name, inputs in (("input", part.inputs), ("constant", part.constants)):
            spaces[name] = Stream((each.name, each.stop - each.start) for each in inputs)
    return spaces


Groups = Mapping[str, tuple[int, Iterable[Variable]]]
"""Name → (first row, the variables that number the rows)."""


def _rows(what: str, table: RowTable, stream: Stream, groups: Groups) -> list[Rows]:
    if isinstance(table, Stored):
        source = Stream([("row", table.height)])
        matrix = Matrix.of(table.matrix.T, stream, source, as_columns=range(table.height))
        return [Rows(what, {"rows": table.height}, matrix)]
    found = []
    for segment in table.segments:
        inside = {name: group for name, group in groups.items() if segment.start <= group[0] < segment.stop}
        sizes = (*segment.radices, *([] if segment.mirror is None else [segment.mirror]))
        digits = [f"digit{index}" for index in range(1, len(sizes) + 1)]
        for start, variables in inside.values():
            names = [variable.name for variable in variables]
            if start == segment.start and tuple(variable.size for variable in variables) == sizes:
                digits = names if CONSTANT not in names and len(set(names)) == len(names) else digits
                break
        facts = {"kinds": list(inside), "start": segment.start, "radices": list(segment.radices), "digits": digits}
        facts |= {} if segment.mirror is None else {"mirror": segment.mirror}
        facts |= {"further": [list(values) for _, values in segment.digits]} if segment.digits else {}
        facts["kinds"] = [] if what == "unembedding" and len(groups) == 1 else facts["kinds"]
        further = [(f"digit of the row {index}", size) for index, (size, _) in enumerate(segment.digits, 1)]
        named = [*zip(digits, sizes, strict=True), *further]
        source = Stream([(CONSTANT, 1), *((name, bit_count(size)) for name, size in named)])
        found.append(Rows(what, facts, Matrix.of(segment.matrix, stream, source)))
    return found


def model_text(model: Model) -> str:
    precision = model.precision
    word = "" if set(model.word) <= {"F"} else f" {model.word}"
    ways = "" if model.causal else ", attention both ways"
    return (
        f"{count(len(model.layers), 'layer')}{word}, {count(model.heads, 'head')}, width {model.width}{ways}; "
        f"P = {precision.score_bits}, p = {precision.bits}, {count(precision.fraction_bits, 'bit')} after the point"
    )


def before_name(factor: str, link: str) -> str:
    """A factor as it stands before a name: nothing for 1, a sign for -1, else linked to it."""
    return {"1": "", "-1": "-"}.get(factor, factor + link)
