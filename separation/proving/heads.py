"""What each kind of head hands to each kind of token: the rules P4, P5, P9, P10 and P11, chosen by the head."""

from __future__ import annotations

from fractions import Fraction

from separation.files import InputError
from separation.models import AnyHead, DeltaHead, LinearHead, RecurrentHead, SparseHead
from separation.proving.attention import HeadForms, Match, head_output, require_shift
from separation.proving.closed_form import closed_form_match
from separation.proving.delta import DeltaForms
from separation.proving.failures import ProofFailed
from separation.proving.forms import Forms
from separation.proving.general import enumerated_match, rounding_factor
from separation.proving.linear import LinearForms
from separation.proving.proof import LookUp, Setting
from separation.proving.search import SearchForms
from separation.tasks.shape import Kind

AnyForms = HeadForms | LinearForms | DeltaForms | SearchForms


class HeadView:
    """One head on the forms of the stream before its layer; sizes are checked where something is used."""

    def __init__(self, setting: Setting, layer: int, index: int, head: AnyHead, streams: dict[str, Forms]) -> None:
        self.setting, self.layer, self.index, self.head = setting, layer, index, head
        self.forms = self._forms(streams)

    def output(self, kind: Kind) -> tuple[Forms, bool]:
        """What the head hands to a kind of token, and whether more than a hull is known of it."""
        if isinstance(self.forms, LinearForms):
            return self._linear(self.forms, kind)
        if isinstance(self.forms, DeltaForms):
            return self._delta(self.forms, kind)
        if isinstance(self.forms, SearchForms):
            return self._search(self.forms)
        return self._full(self.forms, kind)

    def check_state(self) -> None:
        """P8 for a recurrent state, and how many bits it holds."""
        model = self.setting.model
        finest = model.precision.step if model.is_integral else None
        if isinstance(self.forms, LinearForms):
            state = self.forms.state(self.setting.shape, self.layer, self.index, finest)
        elif isinstance(self.forms, DeltaForms):
            state = self.forms.state(self.layer, self.index, finest)
        else:
            return
        limit = model.precision.limit
        if state.largest > limit:
            raise ProofFailed("P8", "state", f"may reach {float(state.largest):g}, beyond 2^(p-f) = {limit}")
        self.setting.proof.states.append(state)

    def _forms(self, streams: dict[str, Forms]) -> AnyForms:
        shape = self.setting.shape
        if isinstance(self.head, RecurrentHead):
            message = f"no rule proves anything of a recurrent head of the family {self.head.family}"
            raise ProofFailed("no rule", f"head {self.index}", message)
        if isinstance(self.head, LinearHead):
            return LinearForms(self.head, streams)
        if isinstance(self.head, DeltaHead):
            return DeltaForms(self.head, streams, shape)
        if shape.search:
            return SearchForms(self.head, streams, shape.kinds[0])
        if isinstance(self.head, SparseHead):
            raise InputError("block-sparse attention is proved for the task two_sum only")
        return HeadForms.of(self.head, streams)

    def _full(self, forms: HeadForms, kind: Kind) -> tuple[Forms, bool]:
        for name, part in (("query", forms.query), ("key", forms.key), ("value", forms.value)):
            self.setting.require_size(part[kind.name], name)
        require_shift(forms, self.setting.shape, kind)
        match = self._match(forms, kind)
        return head_output(forms, self.setting.shape, kind, match, self.setting.model.precision), match is not None

    def _linear(self, forms: LinearForms, kind: Kind) -> tuple[Forms, bool]:
        for name, part in (("query", forms.query), ("key", forms.key), ("value", forms.value)):
            self.setting.require_size(part[kind.name], name)
        out, match = forms.output(self.setting.shape, kind, self.setting.model.precision)
        self.setting.require_size(out, "output")
        if match is not None:
            self.setting.proof.look_ups.append(LookUp(self.layer, self.index, kind.name, match))
        return out, match is not None

    def _delta(self, forms: DeltaForms, kind: Kind) -> tuple[Forms, bool]:
        parts = {"query": forms.query, "key": forms.key, "value": forms.value}
        parts |= {"forget gate": forms.forget, "write gate": forms.write}
        for name, part in parts.items():
            self.setting.require_size(part[kind.name], name)
        out = forms.output(kind)
        self.setting.require_size(out, "output")
        return out, True

    def _search(self, forms: SearchForms) -> tuple[Forms, bool]:
        for name, part in forms.parts().items():
            self.setting.require_size(part, name)
        forms.require_shift()
        out, found = forms.output(self.layer, self.index, self.setting.model.precision)
        if found is not None:
            self.setting.proof.searches.append(found)
        return out, found is not None

    def _match(self, forms: HeadForms, kind: Kind) -> Match | None:
        """P4 by the path that was asked for; a leak of 1 and more is of no use."""
        shape, precision, path = self.setting.shape, self.setting.model.precision, self.setting.proof.path
        found: dict[str, Match | None] = {}
        if path in ("closed", "both"):
            found["closed"] = closed_form_match(forms, shape, kind, precision)
        if path in ("general", "both"):
            layers = len(self.setting.model.layers)

            def progress(part: float) -> None:
                done = (self.layer - 1 + part) / layers
                self.setting.report(done, f"layer {self.layer}, {kind.name}: queries × keys")

            found["general"] = enumerated_match(forms, shape, kind, precision, progress)
        match = agreed(found, shape.length)
        if match is None or match.leak >= 1:
            return None
        self.setting.proof.look_ups.append(LookUp(self.layer, self.index, kind.name, match))
        return match


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
