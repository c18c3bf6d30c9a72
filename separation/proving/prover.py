"""The proof for all inputs: {Inv_{k-1}} layer k {Inv_k} for every layer, then the answer's margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import islice, product

import numpy as np

from separation.files import InputError
from separation.models import Head, Layer, Model
from separation.progress import Progress
from separation.proving.closed_form import closed_form_margin
from separation.proving.diagnosis import LayerCase
from separation.proving.embedding import embedding_forms, table_forms
from separation.proving.failures import Failure, ProofFailed
from separation.proving.forms import ONE, Forms
from separation.proving.general import compare_all, require_memory
from separation.proving.heads import Description, HeadView, view_of
from separation.proving.invariants import Invariant, Stage, require_contained
from separation.proving.pairing import unpaired_answer
from separation.proving.proof import Proof, Setting
from separation.proving.search import search_margin
from separation.tasks.shape import Fact, Kind, Shape, Variable

MAX_CHOICES = 64
"""How many ways to combine the descriptions of a layer's heads are tried; as many as the kernel tries."""

PATHS = ("closed", "general", "both")


def prove(
    model: Model, stages: Sequence[Stage], shape: Shape, path: str = "closed", progress: Progress | None = None
) -> Proof:
    """Check every obligation of docs/proving.md on the actual weights; no table entry is ever looked at.

    ``path``: how look-ups are proved: in closed form, by enumeration (general), or both ways, which must agree.
    """
    require_fit(model, shape, path)
    if len(stages) != len(model.layers) + 1:
        raise InputError(
            f"{len(model.layers)} layers need {len(model.layers) + 1} stages of invariants, got {len(stages)}"
        )
    proof = Proof(path)
    setting = Setting(model, shape, proof, progress or (lambda _done, _what: None))
    prover = Prover(setting, stages)
    prover.embedding()
    for number, layer in enumerate(model.layers, start=1):
        prover.layer(number, layer)
    prover.answer()
    return proof


def require_fit(model: Model, shape: Shape, path: str) -> None:
    """The tables have a row for every position, token and answer of the task, and the path is one that is known."""
    if path not in PATHS:
        raise InputError(f"path must be one of {', '.join(PATHS)}, got {path}")
    if path != "closed":
        heads = model.heads_of(Head)
        require_memory(max((head.w_q.shape[0] for head in heads), default=0), shape.length)
    heights = {
        "positions": (model.positions.height, shape.length),
        "tokens": (model.tokens.height, shape.vocabulary),
        "unembedding": (model.unembedding.height, shape.output_count),
    }
    if model.causal != shape.causal:
        raise InputError(f"attention is {'causal' if model.causal else 'both ways'}; the shape of the task is not")
    for name, (found, wanted) in heights.items():
        if found != wanted:
            raise InputError(f"{name} has {found} rows; this task needs {wanted}")


class Prover:
    """One obligation after another; a failed one is recorded and the next begins from the claimed invariant."""

    def __init__(self, setting: Setting, stages: Sequence[Stage]) -> None:
        self.setting, self.stages = setting, stages

    def embedding(self) -> None:
        for kind in self.setting.shape.kinds:
            self.setting.report(0.0, "embedding")
            with self.obligation(0, kind):
                claimed = self.stages[0][kind.name]
                self.contain(embedding_forms(self.setting.model, kind, claimed.forms), claimed)

    def layer(self, number: int, layer: Layer) -> None:
        streams = {kind.name: self.stages[number - 1][kind.name].as_forms() for kind in self.setting.shape.kinds}
        views: list[HeadView] = []
        with self.obligation(number, self.setting.shape.kinds[-1]):
            views += [view_of(self.setting, number, index, head, streams) for index, head in enumerate(layer.heads)]
        if len(views) < len(layer.heads):
            return
        for kind in self.setting.shape.kinds:
            self.setting.report((number - 1) / len(self.setting.model.layers), f"layer {number}, {kind.name}")
            with self.obligation(number, kind):
                options, claimed = [view.descriptions(kind) for view in views], self.claim(number, kind)
                chosen = tuple(descriptions[0] for descriptions in options)
                try:
                    chosen = self.advance(layer, streams[kind.name], options, claimed)
                except ProofFailed as error:
                    case = LayerCase(self.setting, layer, kind, streams, claimed, views, chosen)
                    raise self.explained(case, error) from None
                finally:
                    for view, description in zip(views, chosen, strict=True):
                        view.note(kind, description)
        with self.obligation(number, self.setting.shape.kinds[-1]):
            for view in views:
                view.check_state()

    def claim(self, number: int, kind: Kind) -> Invariant:
        """What is to hold of a kind after a layer."""
        return self.stages[number][kind.name]

    def explained(self, case: LayerCase, error: ProofFailed) -> ProofFailed:
        """The failure with its cause."""
        return case.explain(error)

    def advance(
        self, layer: Layer, stream: Forms, options: list[list[Description]], claimed: Invariant
    ) -> tuple[Description, ...]:
        """One true description of each head's output, such that together they lead to the claimed invariant."""
        failure: ProofFailed | None = None
        for chosen in islice(product(*options), MAX_CHOICES):
            try:
                self.contain(self.after(layer, stream, chosen), claimed)
                return chosen
            except ProofFailed as error:
                failure = failure or error
        assert failure is not None  # every head has a description
        raise failure

    def after(self, layer: Layer, stream: Forms, chosen: Sequence[Description]) -> Forms:
        """The stream after a layer, if these are the outputs of its heads."""
        return self.setting.after(layer, stream, [description.forms for description in chosen])

    def contain(self, derived: Forms, claimed: Invariant) -> None:
        """P7, and P8 of the claim, from which the next layer starts."""
        require_contained(derived, claimed)
        self.setting.require_size(claimed.as_forms(), "stream")

    def answer(self) -> None:
        """The logit of the right answer is the largest, by ``margin``, at every kind that answers."""
        shape, margins = self.setting.shape, []
        number = len(self.setting.model.layers) + 1
        if shape.search:
            with self.obligation(number, shape.kinds[0]):
                margins.append(searched_margin(self.setting, self.stages[-1]))
        rows: Rows = []
        with self.obligation(number, shape.answer_kind):
            rows = output_rows(self.setting) if shape.emissions else []
        for emission in shape.emissions if rows else ():
            with self.obligation(number, shape.kind(str(emission.reader))):
                margins.append(emitted_margin(self.setting, self.stages[-1], emission, rows))
        if len(margins) == len(shape.emissions) + shape.search:
            self.setting.proof.margin = min(margins)

    @contextmanager
    def obligation(self, number: int, kind: Kind) -> Iterator[None]:
        """Turns a ProofFailed inside the block into a recorded Failure with its layer, kind and slot."""
        try:
            yield
        except ProofFailed as error:
            slot = error.slot if isinstance(error.slot, str) else self.setting.model.stream.name(error.slot)
            place = (number, kind.name, slot)
            self.setting.proof.failures.append(Failure(*place, error.rule, error.message, error.clause, error.details))


def searched_margin(setting: Setting, stage: Stage) -> Fraction:
    """2-Sum: the logit of 1 minus that of 0 is negative or positive, as it should be, by so much."""
    kind = setting.shape.kinds[0]
    rows = table_forms(setting.model.unembedding, 0, setting.shape.outputs[0].address, "unembedding").matrix
    # The answer's one bit is ±1: logit 1 minus logit 0 is twice its coefficient.
    difference = stage[kind.name].as_forms().image(rows.columns([1]).scaled(2).T)
    return _positive(search_margin(setting.model, difference, setting.proof.searches))


Rows = list[tuple[Forms, Kind]]


def output_rows(setting: Setting) -> Rows:
    """The rows of the unembedding as forms, group by group."""
    table = setting.model.unembedding
    return [
        (table_forms(table, group.start, group.address, "unembedding").compact(), group)
        for group in setting.shape.outputs
    ]


def emitted_margin(setting: Setting, stage: Stage, emission: Fact, keys: Rows) -> Fraction:
    """A look-up of the right row among the rows of the unembedding."""
    query = stage[str(emission.reader)].as_forms()
    margins = []
    if setting.proof.path in ("closed", "both"):
        margins.append(closed_form_margin(query, keys, emission))
    if setting.proof.path in ("general", "both"):
        margins.append(_enumerated_margin(query, keys, emission, setting.shape.global_variables))
    if None in margins:
        key, group = next((key, group) for key, group in keys if group.name == emission.kind)
        raise unpaired_answer(query, key, group, emission, setting.model.stream.name)
    return _positive(min(margin for margin in margins if margin is not None))


def _enumerated_margin(query: Forms, keys: Rows, fact: Fact, known: Sequence[Variable]) -> Fraction | None:
    # Coordinates that the unembedding ignores would only multiply the queries.
    read = np.flatnonzero(np.any([(key.matrix.numerators != 0).any(axis=1) for key, _ in keys], axis=0))
    keys = [(Forms(key.symbols, key.matrix.rows(read)), group) for key, group in keys]
    exact = Forms(query.symbols, query.matrix.rows(read)).compact()
    if any(not (symbol.is_bit or symbol == ONE) for symbol in exact.symbols):
        raise ProofFailed("answer", "answer", "the general path needs an answer without noise")
    outcome = compare_all(exact, keys, known, fact, weigh=False)
    return None if outcome is None else outcome.gap


def _positive(margin: Fraction) -> Fraction:
    if margin <= 0:
        message = f"the margin of the answer's logit is {margin}"
        raise ProofFailed("answer", "answer", message, "margin", {"margin": str(margin)})
    return margin
