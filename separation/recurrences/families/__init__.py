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

_BROKEN: dict[str, type[Recurrence]] = {
    twin.id: twin
    for module in (linear_attention, state_spaces, delta_rule, nonlinear)
    for twin in vars(module).values()
    if isinstance(twin, type) and hasattr(twin, "id") and (twin.__doc__ or "").startswith("Broken")
}
TWINS: dict[str, Recurrence] = {name: _BROKEN[name]() for name in FAMILIES}
"""By the id of the family that they are twins of: the classes below it whose docstring says what is broken."""
