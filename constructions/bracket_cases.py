"""The proof by cases of what `constructions.bracket` builds: one proof for each value of the low bits of i_1.

In the case that the low bits of i_1 are those of candidate j, two things are known that no rule of docs/proving.md
says: the constants in the query of head j are these bits, so that it looks up the fact "table 2 at (w_1, i_1) says
i_2"; and before the selection these bits, in w's pointer, are constants, so that each unit of the selection is 0 or
linear. All else is proved by the rules as they are, layer after layer. The cases cover every input. The kernel knows
no cases, so there is no certificate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from constructions.bracket import Plan
from separation.arithmetic import ExactMatrix
from separation.models import Layer
from separation.proving import ONE, Construction, Forms, Proof, ProofFailed, Symbol, after_mlp, bit, hidden_forms
from separation.proving.embedding import embedding_forms
from separation.proving.failures import Failure
from separation.proving.heads import FullView, HeadView, view_of
from separation.proving.invariants import require_contained
from separation.proving.proof import Setting
from separation.proving.prover import emitted_margin, output_rows

Case = Mapping[Symbol, int]
"""The low bits of i_1, each ±1."""


@dataclass(frozen=True)
class CasesProved:
    """The least margin over all cases, or the first failure in words."""

    cases: int
    margin: Fraction | None
    failure: str = ""

    @property
    def ok(self) -> bool:
        return self.margin is not None and self.margin > 0


def prove_by_cases(construction: Construction, plan: Plan) -> CasesProved:
    """Every obligation on the weights of the construction, for each value of the low bits of i_1.

    ``plan`` has the invariants of each case; the weights may be anybody's.
    """
    margins = []
    for candidate in range(plan.candidates):
        case = {bit("i1", place): sign for place, sign in enumerate(plan.low_code(candidate))}
        proof = Proof("closed")
        setting = Setting(construction.model, construction.shape, proof, lambda _done, _what: None)
        try:
            margins.append(_CaseProof(setting, plan, candidate, case).run())
        except ProofFailed as error:
            failure = Failure(0, "", str(error.slot), error.rule, error.message)
            return CasesProved(candidate, None, f"candidate {candidate}: {failure}")
    return CasesProved(plan.candidates, min(margins))


class _CaseProof:
    """One case: the obligations of every layer, then the answer's margin; the first that fails is raised."""

    def __init__(self, setting: Setting, plan: Plan, candidate: int, case: Case) -> None:
        self.setting, self.plan, self.candidate, self.case = setting, plan, candidate, case
        self.stages = plan.stages(candidate)

    def run(self) -> Fraction:
        model, shape = self.setting.model, self.setting.shape
        if len(self.stages) != len(model.layers) + 1:
            raise ProofFailed("P7", "stages", f"{len(model.layers)} layers, {len(self.stages)} stages of invariants")
        for kind in shape.kinds:
            claimed = self.stages[0][kind.name]
            require_contained(embedding_forms(model, kind, claimed.forms), claimed)
        for number, layer in enumerate(model.layers, start=1):
            self._layer(number, layer)
        (emission,) = shape.emissions
        return emitted_margin(self.setting, self.stages[-1], emission, output_rows(self.setting))

    def _layer(self, number: int, layer: Layer) -> None:
        """{Inv} layer {Inv}: of each head the most telling description is taken, the low bits of i_1 are constants."""
        streams = {kind: invariant.as_forms() for kind, invariant in self.stages[number - 1].items()}
        views = [view_of(self.setting, number, index, head, streams) for index, head in enumerate(layer.heads)]
        self._name_constants(views)
        for kind in self.setting.shape.kinds:
            stream = streams[kind.name]
            for head, view in zip(layer.heads, views, strict=True):
                stream = stream.plus(view.descriptions(kind)[0].forms.image(head.w_o))
            stream = at_case(stream, self.case)
            self.setting.require_size(stream, "stream")
            for mlp in layer.mlps:
                hidden = hidden_forms(mlp, stream)
                self.setting.require_size(hidden, "hidden")
                stream = after_mlp(mlp, stream, hidden)
                self.setting.require_size(stream, "stream")
            claimed = self.stages[number][kind.name]
            require_contained(stream, replace(claimed, forms=at_case(claimed.forms, self.case)))
            self.setting.require_size(claimed.as_forms(), "stream")
        for view in views:
            view.check_state()

    def _name_constants(self, views: list[HeadView]) -> None:
        """In w's query to the head of this case a constant τ·s is τ·(bit of i_1), as that bit is s."""
        view = views[self.candidate] if len(views) > self.plan.candidates else None
        if isinstance(view, FullView):
            places = dict(zip(self.plan.address["index"], self.case, strict=False))
            view.forms.query["w"] = with_bits(view.forms.query["w"], places, self.case)


def at_case(forms: Forms, case: Case) -> Forms:
    """The forms with these bits replaced by their values."""
    numerators = forms.matrix.numerators.copy()
    for symbol, sign in case.items():
        if symbol in forms.places:
            column = forms.places[symbol]
            numerators[:, 0] += sign * numerators[:, column]
            numerators[:, column] = 0
    return Forms(forms.symbols, ExactMatrix(numerators, forms.matrix.denominator)).compact()


def with_bits(forms: Forms, places: Mapping[int, Symbol], case: Case) -> Forms:
    """The forms with the constant c of each of these rows written as (c·s)·(its bit), s = ±1 the value of that bit."""
    constants = [(row, forms.matrix.entry(row, 0)) for row in places]
    moved = [(row, 0, -number) for row, number in constants]
    moved += [(row, 1 + place, number * case[places[row]]) for place, (row, number) in enumerate(constants)]
    symbols = (ONE, *places.values())
    return forms.plus(Forms(symbols, ExactMatrix.from_entries((forms.height, len(symbols)), moved)))


__all__ = ["CasesProved", "prove_by_cases"]
