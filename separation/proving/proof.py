"""What a proof establishes as it goes, and what all its rules share: the model, the shape, the limit of p bits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from separation.models import Layer, Model
from separation.progress import Progress
from separation.proving.attention import Match
from separation.proving.delta import State
from separation.proving.failures import Failure, ProofFailed
from separation.proving.forms import Forms
from separation.proving.relu import after_mlp, hidden_forms
from separation.proving.search import Search
from separation.tasks.shape import Shape


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
    searches: list[Search] = field(default_factory=list)
    states: list[State] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    margin: Fraction | None = None

    @property
    def ok(self) -> bool:
        return not self.failures and self.margin is not None and self.margin > 0

    def causes(self, shape: Shape) -> list[Failure]:
        """The failures, the first cause first: layer by layer, and in a layer the tokens that answer before others."""
        readers = {emission.reader for emission in shape.emissions}
        return sorted(self.failures, key=lambda failure: (failure.layer, failure.kind not in readers))

    @property
    def leak(self) -> Fraction:
        """The largest share ratio of other keys in any look-up or search."""
        leaks = [step.match.leak for step in self.look_ups] + [search.leak for search in self.searches]
        return max(leaks, default=Fraction(0))

    @property
    def state_bits(self) -> int | None:
        """The bits of all recurrent states together; None if one of them has no grid."""
        bits = [state.bits for state in self.states]
        return None if None in bits else sum(number for number in bits if number is not None)


@dataclass(frozen=True)
class Setting:
    """A model and the shape of its task, the proof so far, and whom to tell how far it is."""

    model: Model
    shape: Shape
    proof: Proof
    report: Progress

    def after(
        self, layer: Layer, stream: Forms, outputs: Iterable[Forms], too_large: list[ProofFailed] | None = None
    ) -> Forms:
        """The stream after a layer, if its heads hand over this: P6 and P8. What does not fit goes into the list."""
        for head, out in zip(layer.heads, outputs, strict=True):
            stream = stream.plus(out.image(head.w_o))
        self.require_size(stream, "stream", too_large)
        for mlp in layer.mlps:
            hidden = hidden_forms(mlp, stream)
            self.require_size(hidden, "hidden", too_large)
            stream = after_mlp(mlp, stream, hidden, self.shape)
            self.require_size(stream, "stream", too_large)
        return stream

    def require_size(self, forms: Forms, what: str, too_large: list[ProofFailed] | None = None) -> None:
        """P8: the range of every coordinate fits in p bits; the first that does not is raised, or put into the list."""
        limit = self.model.precision.limit
        low, high = forms.bounds()
        for end in (high, -low):
            row = int(end.numerators[:, 0].argmax()) if end.shape[0] else None
            if row is not None and end.entry(row, 0) > limit:
                slot = row if what == "stream" else f"{what}[{row}]"
                reach = float(end.entry(row, 0))
                details = {"reach": reach, "limit": float(limit)}
                failure = ProofFailed("P8", slot, f"may reach {reach:g}, beyond 2^(p-f) = {limit}", details=details)
                if too_large is None:
                    raise failure
                too_large.append(failure)
                return
