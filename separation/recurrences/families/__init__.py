"""The recurrent families, a file for each kind, and the table of them all."""

from __future__ import annotations

from separation.recurrences.families import delta_rule, linear_attention, nonlinear, state_spaces
from separation.recurrences.recurrence import Recurrence

FAMILIES: dict[str, Recurrence] = {
    family.id: family
    for family in (
        linear_attention.LinearAttention(),
        linear_attention.NormalisedLinearAttention(),
        linear_attention.RetNet(),
        linear_attention.GLA(),
        state_spaces.Mamba(),
        state_spaces.Mamba2(),
        delta_rule.DeltaNet(),
        delta_rule.GatedDeltaNet(),
        delta_rule.KimiDelta(),
        linear_attention.RWKV6(),
        delta_rule.RWKV7(),
        linear_attention.MLSTM(),
        linear_attention.HGRN2(),
        delta_rule.DeltaProduct(),
        nonlinear.SlidingWindow(),
        nonlinear.PlainRNN(),
    )
}

TWINS: dict[str, Recurrence] = {
    twin.id: twin
    for twin in (
        linear_attention.ReadBeforeWrite(),
        linear_attention.MissingNormaliser(),
        linear_attention.RetNetDecayAfterWrite(),
        linear_attention.GLADecayAfterWrite(),
        state_spaces.StepSizeDropped(),
        state_spaces.Mamba2DecayAfterWrite(),
        delta_rule.StrengthDropped(),
        delta_rule.EraseUndecayed(),
        delta_rule.EraseBeforeDecay(),
        linear_attention.ReadAfterWrite(),
        delta_rule.RateDropped(),
        linear_attention.UndecayedNormaliser(),
        linear_attention.UntiedKey(),
        delta_rule.StepsReversed(),
        nonlinear.OneTokenMore(),
        nonlinear.TransposedWeights(),
    )
}
"""By the id of the family that they are twins of."""
