"""The proof for all inputs: {Inv_{k-1}} layer k {Inv_k} for every layer, then the answer's margin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from separation.files import InputError
from separation.models import Layer, Model
from separation.proving.attention import HeadForms, Match, head_output, require_shift
from separation.proving.closed_form import closed_form_match, pair_bits
from separation.proving.containment import require_contained
from separation.proving.embedding import embedding_forms, table_forms
from separation.proving.failures import Failure, ProofFailed
from separation.proving.forms import Forms
from separation.proving.general import compare_all, enumerated_match, require_memory, rounding_factor
from separation.proving.invariants import Stage
from separation.proving.relu import after_mlp, hidden_forms
from separation.tasks.shape import Fact, Kind, Shape

PATHS = ("closed", "general", "both")
Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class LookUp:
    """A head that was proved to look up a fact: which, for which kind, and how much other keys weigh at most."""

    layer: int
    head: int
    kind: str
    match: Match


@dataclass
class Proof:
    """What was proved: ok, the margin of the answer's logit, the look-ups; or where it failed."""

    path: str
    look_ups: list[LookUp] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    margin: Fraction | None = None

    @property
    def ok(self) -> bool:
        return not self.failures and self.margin is not None and self.margin > 0

    @property
    def leak(self) -> Fraction:
        """The largest share ratio of other keys in any look-up."""
        return max((step.match.leak for step in self.look_ups), default=Fraction(0))


def prove(
    model: Model, stages: Sequence[Stage], shape: Shape, path: str = "closed", progress: Progress | None = None
) -> Proof:
    """Check every obligation of docs/proving.md on the actual weights; no table entry is ever looked at.

    ``path``: how look-ups are proved: in closed form, by enumeration (general), or both ways, which must agree.
    """
    _require_fit(model, stages, shape, path)
    proof = Proof(path)
    prover = _Prover(model, stages, shape, proof, progress or (lambda _done, _what: None))
    prover.embedding()
    for number, layer in enumerate(model.layers, start=1):
        prover.layer(number, layer)
    prover.answer()
    return proof


def _require_fit(model: Model, stages: Sequence[Stage], shape: Shape, path: str) -> None:
    if path not in PATHS:
        raise InputError(f"path must be one of {', '.join(PATHS)}, got {path}")
    if len(stages) != len(model.layers) + 1:
        raise InputError(
            f"{len(model.layers)} layers need {len(model.layers) + 1} stages of invariants, got {len(stages)}"
        )
    if path != "closed":
        require_memory(
            max((head.w_q.shape[0] for layer in model.layers for head in layer.heads), default=0), shape.length
        )
    heights = {
        "positions": (model.positions.height, shape.length),
        "tokens": (model.tokens.height, shape.vocabulary),
        "unembedding": (model.unembedding.height, shape.answer.size),
    }
    for name, (found, wanted) in heights.items():
        if found != wanted:
            raise InputError(f"{name} has {found} rows; this task needs {wanted}")


class _Prover:
    """One obligation after another; a failed one is recorded and the next begins from the claimed invariant."""

    def __init__(self, model: Model, stages: Sequence[Stage], shape: Shape, proof: Proof, progress: Progress) -> None:
        self.model, self.stages, self.shape, self.proof = model, stages, shape, proof
        self.report = progress

    def embedding(self) -> None:
        for kind in self.shape.kinds:
            self.report(0.0, "embedding")
            with self._obligation(0, kind):
                forms = embedding_forms(self.model, kind)
                self._require_size(forms, "stream")
                require_contained(forms, self.stages[0][kind.name])

    def layer(self, number: int, layer: Layer) -> None:
        streams = {kind.name: self.stages[number - 1][kind.name].as_forms() for kind in self.shape.kinds}
        heads = [HeadForms.of(head, streams) for head in layer.heads]
        for kind in self.shape.kinds:
            self.report((number - 1) / len(self.model.layers), f"layer {number}, {kind.name}")
            with self._obligation(number, kind):
                stream, looked_up = streams[kind.name], not heads
                for index, forms in enumerate(heads):
                    for part, name in ((forms.query, "query"), (forms.key, "key"), (forms.value, "value")):
                        self._require_size(part[kind.name], name)
                    require_shift(forms, self.shape, kind)
                    match = self._match(number, index, forms, kind)
                    looked_up |= match is not None
                    out = head_output(forms, self.shape, kind, match, self.model.precision)
                    stream = stream.plus(out.image(forms.head.w_o))
                self._require_size(stream, "stream")
                hidden = hidden_forms(layer.mlp, stream)
                self._require_size(hidden, "hidden")
                after = after_mlp(layer.mlp, stream, hidden)
                self._require_size(after, "stream")
                try:
                    require_contained(after, self.stages[number][kind.name])
                except ProofFailed as error:
                    hint = "" if looked_up else "; no look-up of this kind of token could be proved in this layer"
                    raise ProofFailed(error.rule, error.slot, error.message + hint) from None

    def answer(self) -> None:
        """The logit of iL is the largest, by ``margin``: a look-up of iL in the unembedding's rows."""
        kind = self.shape.answer_kind
        number = len(self.model.layers) + 1
        with self._obligation(number, kind):
            query = self.stages[-1][kind.name].as_forms()
            key = table_forms(self.model.unembedding, 0, (self.shape.answer,), "unembedding").compact()
            answers = Kind("answer", 0, (self.shape.answer,), (), 0)
            fact = Fact("answer", (self.shape.global_variables[-1].name,), "")
            margins = []
            if self.proof.path in ("closed", "both"):
                pairing = pair_bits(query, key, answers, fact, loose=True)
                if pairing is None:
                    raise ProofFailed("answer", "answer", f"the logits do not single out {fact.address[0]}")
                margins.append(2 * min(pairing.steepness) - 2 * pairing.wobble)
            if self.proof.path in ("general", "both"):
                margins.append(self._enumerated_margin(query, key, answers, fact))
            if min(margins) <= 0:
                raise ProofFailed("answer", "answer", f"the margin of the answer's logit is {min(margins)}")
            self.proof.margin = min(margins)

    def _enumerated_margin(self, query: Forms, key: Forms, answers: Kind, fact: Fact) -> Fraction:
        # Coordinates that the unembedding ignores would only multiply the queries.
        read = np.flatnonzero((key.matrix.numerators != 0).any(axis=1))
        key = Forms(key.symbols, key.matrix.rows(read))
        exact = Forms(query.symbols, query.matrix.rows(read)).compact()
        if any(symbol.role == "noise" for symbol in exact.symbols):
            raise ProofFailed("answer", "answer", "the general path needs an answer without noise")
        names = {symbol.variable for symbol in exact.symbols if symbol.is_bit}
        variables = [variable for variable in self.shape.global_variables if variable.name in names]
        outcome = compare_all(exact, [(key, answers)], variables, fact, weigh=False)
        if outcome is None or outcome.gap is None:
            raise ProofFailed("answer", "answer", f"the logits do not single out {fact.address[0]}")
        return outcome.gap

    def _match(self, number: int, index: int, forms: HeadForms, kind: Kind) -> Match | None:
        found: dict[str, Match | None] = {}
        if self.proof.path in ("closed", "both"):
            found["closed"] = closed_form_match(forms, self.shape, kind, self.model.precision)
        if self.proof.path in ("general", "both"):
            done = (number - 1) / len(self.model.layers)

            def progress(part: float) -> None:
                self.report(done + part / len(self.model.layers), f"layer {number}, {kind.name}: queries × keys")

            found["general"] = enumerated_match(forms, self.shape, kind, self.model.precision, progress)
        match = agreed(found, self.shape.length)
        if match is not None and match.leak >= 1:
            match = None
        if match is not None:
            self.proof.look_ups.append(LookUp(number, index, kind.name, match))
        return match

    def _require_size(self, forms: Forms, what: str) -> None:
        """P8: the range of every coordinate fits in p bits."""
        limit = self.model.precision.limit
        low, high = forms.bounds()
        for end in (high, -low):
            row = int(end.numerators[:, 0].argmax()) if end.shape[0] else None
            if row is not None and end.entry(row, 0) > limit:
                slot = row if what == "stream" else f"{what}[{row}]"
                raise ProofFailed("P8", slot, f"may reach {float(end.entry(row, 0)):g}, beyond 2^(p-f) = {limit}")

    @contextmanager
    def _obligation(self, number: int, kind: Kind) -> Iterator[None]:
        """Turns a ProofFailed inside the block into a recorded Failure with its layer, kind and slot."""
        try:
            yield
        except ProofFailed as error:
            slot = error.slot if isinstance(error.slot, str) else self.model.stream.name(error.slot)
            self.proof.failures.append(Failure(number, kind.name, slot, error.rule, error.message))


def agreed(found: dict[str, Match | None], keys: int) -> Match | None:
    """The one match of both paths: the same fact, and the closed form's leak at least the enumerated one.

    The float64 sum may be `rounding_factor` too large, and is then rounded up by as much: the square is allowed.
    """
    if len(found) == 1:
        return next(iter(found.values()))
    closed, general = found["closed"], found["general"]
    if closed is not None and general is not None and closed.leak < 1:
        most = closed.leak * rounding_factor(keys) ** 2 + Fraction(keys, 2**1000)
        if closed.fact != general.fact or general.leak > most:
            raise AssertionError(
                f"the closed form ({closed}) and the enumeration ({general}) disagree: a bug, please report"
            )
    return closed if closed is not None and closed.leak < 1 else general
