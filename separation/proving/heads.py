"""What each kind of head hands to each kind of token: the rules P4, P5, P9, P10 and P11, chosen by the head."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from separation.files import InputError
from separation.models import AnyHead, DeltaHead, Head, LinearHead, RecurrentHead, SparseHead
from separation.proving.attention import HeadForms, Match, head_output, require_shift
from separation.proving.closed_form import closed_form_matches
from separation.proving.delta import DeltaForms, State
from separation.proving.failures import ProofFailed
from separation.proving.forms import Forms
from separation.proving.general import enumerated_match, rounding_factor
from separation.proving.linear import LinearForms
from separation.proving.proof import LookUp, Setting
from separation.proving.search import SearchForms
from separation.tasks.shape import Kind


@dataclass(frozen=True)
class Description:
    """Something true of a head's output at a kind; ``certain`` if it is more than a hull, by ``match`` if by P4, P9."""

    forms: Forms
    certain: bool
    match: Match | None = None


class HeadView(ABC):
    """One head on the forms of the stream before its layer; sizes are checked where something is used."""

    def __init__(self, setting: Setting, layer: int, index: int, head: AnyHead) -> None:
        self.setting, self.layer, self.index, self.head = setting, layer, index, head

    @abstractmethod
    def descriptions(self, kind: Kind) -> list[Description]:
        """What is true of what the head hands to a kind of token, the most telling first."""

    def state(self, finest: Fraction | None) -> State | None:  # noqa: ARG002
        """What a recurrent head's state may hold, ``finest`` being the unit of all activations, if there is one."""
        return None

    def check_state(self) -> None:
        """P8 for a recurrent state, and how many bits it holds."""
        model = self.setting.model
        state = self.state(model.precision.step if model.is_integral else None)
        if state is None:
            return
        limit = model.precision.limit
        if state.largest > limit:
            raise ProofFailed("P8", "state", f"may reach {float(state.largest):g}, beyond 2^(p-f) = {limit}")
        self.setting.proof.states.append(state)

    def note(self, kind: Kind, description: Description) -> None:
        """The proof rests on this description."""
        if description.match is not None:
            self.setting.proof.look_ups.append(LookUp(self.layer, self.index, kind.name, description.match))

    def require_sizes(self, kind: Kind, **parts: dict[str, Forms]) -> None:
        for name, part in parts.items():
            self.setting.require_size(part[kind.name], name)


class FullView(HeadView):
    """Full attention that looks something up: P4, else P5."""

    def __init__(self, setting: Setting, layer: int, index: int, head: Head, streams: dict[str, Forms]) -> None:
        super().__init__(setting, layer, index, head)
        self.forms = HeadForms.of(head, streams)

    def descriptions(self, kind: Kind) -> list[Description]:
        self.require_sizes(kind, query=self.forms.query, key=self.forms.key, value=self.forms.value)
        require_shift(self.forms, self.setting.shape, kind)
        matches = self._matches(kind)
        # A hull says more than most matches that other keys outweigh, but not more than all.
        ordered = [m for m in matches if m.leak < 1] + [None] + [m for m in matches if m.leak >= 1]
        shape, precision = self.setting.shape, self.setting.model.precision
        return [Description(head_output(self.forms, shape, kind, m, precision), m is not None, m) for m in ordered]

    def _matches(self, kind: Kind) -> list[Match]:
        """P4 by the path that was asked for."""
        shape, precision, path = self.setting.shape, self.setting.model.precision, self.setting.proof.path
        closed = closed_form_matches(self.forms, shape, kind, precision) if path != "general" else []
        if path == "closed":
            return closed
        layers = len(self.setting.model.layers)

        def progress(part: float) -> None:
            done = (self.layer - 1 + part) / layers
            self.setting.report(done, f"layer {self.layer}, {kind.name}: queries × keys")

        found: dict[str, Match | None] = {"general": enumerated_match(self.forms, shape, kind, precision, progress)}
        if path == "both":
            found["closed"] = next(iter(closed), None)
        match = agreed(found, shape.length)
        return [*([] if match is None else [match]), *(other for other in closed if other is not match)]


class LinearView(HeadView):
    """Linear attention: P9."""

    def __init__(self, setting: Setting, layer: int, index: int, head: LinearHead, streams: dict[str, Forms]) -> None:
        super().__init__(setting, layer, index, head)
        self.forms = LinearForms(head, streams)

    def state(self, finest: Fraction | None) -> State:
        return self.forms.state(self.setting.shape, self.layer, self.index, finest)

    def descriptions(self, kind: Kind) -> list[Description]:
        self.require_sizes(kind, query=self.forms.query, key=self.forms.key, value=self.forms.value)
        found = self.forms.outputs(self.setting.shape, kind, self.setting.model.precision)
        if not self.forms.head.normalised:  # a mean, rounded down to a multiple of 2^-f, is no larger than the values
            self.setting.require_size(found[0][0], "output")
        last = len(found) - 1
        return [Description(out, index < last, match) for index, (out, match) in enumerate(found)]


class DeltaView(HeadView):
    """The gated delta rule: P10."""

    def __init__(self, setting: Setting, layer: int, index: int, head: DeltaHead, streams: dict[str, Forms]) -> None:
        super().__init__(setting, layer, index, head)
        self.forms = DeltaForms(head, streams, setting.shape)

    def state(self, finest: Fraction | None) -> State:
        return self.forms.state(self.layer, self.index, finest)

    def descriptions(self, kind: Kind) -> list[Description]:
        gates = {"forget gate": self.forms.forget, "write gate": self.forms.write}
        self.require_sizes(kind, query=self.forms.query, key=self.forms.key, value=self.forms.value, **gates)
        out = self.forms.output(kind)
        self.setting.require_size(out, "output")
        return [Description(out, True)]


class SearchView(HeadView):
    """Full or block-sparse attention that searches for M − x: P11."""

    def __init__(
        self, setting: Setting, layer: int, index: int, head: Head | SparseHead, streams: dict[str, Forms]
    ) -> None:
        super().__init__(setting, layer, index, head)
        self.forms = SearchForms(head, streams, setting.shape.kinds[0])

    def descriptions(self, kind: Kind) -> list[Description]:  # noqa: ARG002
        for name, part in self.forms.parts().items():
            self.setting.require_size(part, name)
        self.forms.require_shift()
        precision = self.setting.model.precision
        hull = Description(self.forms.hull(precision), False)
        out, found = self.forms.output(self.layer, self.index, precision)
        if found is None:
            return [hull]
        self.setting.proof.searches.append(found)
        return [Description(out, True), hull]


def _no_rule(_setting: Setting, _layer: int, index: int, head: RecurrentHead, _streams: dict[str, Forms]) -> HeadView:
    message = f"no rule proves anything of a recurrent head of the family {head.family}"
    raise ProofFailed("no rule", f"head {index}", message)


def _searches_only(*_: object) -> HeadView:
    raise InputError("block-sparse attention is proved for the task two_sum only")


_RECURRENT: dict[type, Callable[..., HeadView]] = {
    LinearHead: LinearView,
    DeltaHead: DeltaView,
    RecurrentHead: _no_rule,
}
LOOKING_UP = {**_RECURRENT, Head: FullView, SparseHead: _searches_only}
SEARCHING = {**_RECURRENT, Head: SearchView, SparseHead: SearchView}
"""The rules for each type of head, by what the task asks of attention."""


def view_of(setting: Setting, layer: int, index: int, head: AnyHead, streams: dict[str, Forms]) -> HeadView:
    """The rules for a head on the forms of the stream before its layer."""
    views = SEARCHING if setting.shape.search else LOOKING_UP
    return views[type(head)](setting, layer, index, head, streams)


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
