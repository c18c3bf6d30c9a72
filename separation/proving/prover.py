"""The proof for all inputs: {Inv_{k-1}} layer k {Inv_k} for every layer, then the answer's margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from separation.files import InputError
from separation.models import Head, Layer, Model
from separation.proving.answers import Rows, emitted_margin, output_rows, searched_margin
from separation.proving.containment import require_contained
from separation.proving.embedding import embedding_forms
from separation.proving.failures import Failure, ProofFailed
from separation.proving.general import require_memory
from separation.proving.heads import HeadView
from separation.proving.invariants import Stage
from separation.proving.proof import Progress, Proof, Setting
from separation.proving.relu import after_mlp, hidden_forms
from separation.tasks.shape import Kind, Shape

PATHS = ("closed", "general", "both")


def prove(
    model: Model, stages: Sequence[Stage], shape: Shape, path: str = "closed", progress: Progress | None = None
) -> Proof:
    """Check every obligation of docs/proving.md on the actual weights; no table entry is ever looked at.

    ``path``: how look-ups are proved: in closed form, by enumeration (general), or both ways, which must agree.
    """
    _require_fit(model, stages, shape, path)
    proof = Proof(path)
    setting = Setting(model, shape, proof, progress or (lambda _done, _what: None))
    prover = _Prover(setting, stages)
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
        heads = [head for layer in model.layers for head in layer.heads if isinstance(head, Head)]
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


class _Prover:
    """One obligation after another; a failed one is recorded and the next begins from the claimed invariant."""

    def __init__(self, setting: Setting, stages: Sequence[Stage]) -> None:
        self.setting, self.stages = setting, stages

    def embedding(self) -> None:
        for kind in self.setting.shape.kinds:
            self.setting.report(0.0, "embedding")
            with self._obligation(0, kind):
                claimed = self.stages[0][kind.name]
                forms = embedding_forms(self.setting.model, kind, claimed.forms)
                self.setting.require_size(forms, "stream")
                require_contained(forms, claimed)

    def layer(self, number: int, layer: Layer) -> None:
        streams = {kind.name: self.stages[number - 1][kind.name].as_forms() for kind in self.setting.shape.kinds}
        views: list[HeadView] = []
        with self._obligation(number, self.setting.shape.kinds[-1]):
            views += [HeadView(self.setting, number, index, head, streams) for index, head in enumerate(layer.heads)]
        if len(views) < len(layer.heads):
            return
        for kind in self.setting.shape.kinds:
            self.setting.report((number - 1) / len(self.setting.model.layers), f"layer {number}, {kind.name}")
            with self._obligation(number, kind):
                stream, found_out = streams[kind.name], not views
                for view in views:
                    out, certain = view.output(kind)
                    found_out |= certain
                    stream = stream.plus(out.image(view.head.w_o))
                self.setting.require_size(stream, "stream")
                for mlp in layer.mlps:
                    hidden = hidden_forms(mlp, stream)
                    self.setting.require_size(hidden, "hidden")
                    stream = after_mlp(mlp, stream, hidden)
                    self.setting.require_size(stream, "stream")
                try:
                    require_contained(stream, self.stages[number][kind.name])
                except ProofFailed as error:
                    hint = "" if found_out else "; no look-up of this kind of token could be proved in this layer"
                    raise ProofFailed(error.rule, error.slot, error.message + hint) from None
        with self._obligation(number, self.setting.shape.kinds[-1]):
            for view in views:
                view.check_state()

    def answer(self) -> None:
        """The logit of the right answer is the largest, by ``margin``, at every kind that answers."""
        shape, margins = self.setting.shape, []
        number = len(self.setting.model.layers) + 1
        if shape.search:
            with self._obligation(number, shape.kinds[0]):
                margins.append(searched_margin(self.setting, self.stages[-1]))
        rows: Rows = []
        with self._obligation(number, shape.answer_kind):
            rows = output_rows(self.setting) if shape.emissions else []
        for emission in shape.emissions if rows else ():
            with self._obligation(number, shape.kind(str(emission.reader))):
                margins.append(emitted_margin(self.setting, self.stages[-1], emission, rows))
        if len(margins) == len(shape.emissions) + shape.search:
            self.setting.proof.margin = min(margins)

    @contextmanager
    def _obligation(self, number: int, kind: Kind) -> Iterator[None]:
        """Turns a ProofFailed inside the block into a recorded Failure with its layer, kind and slot."""
        try:
            yield
        except ProofFailed as error:
            slot = error.slot if isinstance(error.slot, str) else self.setting.model.stream.name(error.slot)
            self.setting.proof.failures.append(Failure(number, kind.name, slot, error.rule, error.message))
