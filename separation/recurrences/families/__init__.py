"""The recurrent families, one file each, and the table of them all."""

from __future__ import annotations

from separation.recurrences.families import (
    delta_net,
    delta_product,
    gated_delta_net,
    gla,
    hgrn2,
    kimi_delta,
    linear_attention,
    mamba,
    mamba2,
    mlstm,
    retnet,
    rnn,
    rwkv6,
    rwkv7,
    sliding_window,
)
from separation.recurrences.recurrence import Recurrence

FAMILIES: dict[str, Recurrence] = {
    family.id: family
    for family in (
        linear_attention.LinearAttention(),
        linear_attention.NormalisedLinearAttention(),
        retnet.RetNet(),
        gla.GLA(),
        mamba.Mamba(),
        mamba2.Mamba2(),
        delta_net.DeltaNet(),
        gated_delta_net.GatedDeltaNet(),
        kimi_delta.KimiDelta(),
        rwkv6.RWKV6(),
        rwkv7.RWKV7(),
        mlstm.MLSTM(),
        hgrn2.HGRN2(),
        delta_product.DeltaProduct(),
        sliding_window.SlidingWindow(),
        rnn.PlainRNN(),
    )
}

TWINS: dict[str, Recurrence] = {
    twin.id: twin
    for twin in (
        linear_attention.ReadBeforeWrite(),
        linear_attention.MissingNormaliser(),
        retnet.DecayAfterWrite(),
        gla.DecayAfterWrite(),
        mamba.StepSizeDropped(),
        mamba2.DecayAfterWrite(),
        delta_net.StrengthDropped(),
        gated_delta_net.EraseUndecayed(),
        kimi_delta.EraseBeforeDecay(),
        rwkv6.ReadAfterWrite(),
        rwkv7.RateDropped(),
        mlstm.UndecayedNormaliser(),
        hgrn2.UntiedKey(),
        delta_product.StepsReversed(),
        sliding_window.OneTokenMore(),
        rnn.TransposedWeights(),
    )
}
"""By the id of the family that they are twins of."""
