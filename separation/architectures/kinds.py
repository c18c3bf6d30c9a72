"""What a recurrence can do to its state, which the letter R hides: the gates and the eigenvalues of one step.

| kind | one step of the state |
|---|---|
| decay | S ← a·S + …, a ≥ 0 fixed: RetNet, lightning attention |
| diagonal | S ← a(x)·S + …, a(x) in [0, 1], number by number: Mamba, Mamba-2, GLA, HGRN2, RWKV-6, mLSTM, RG-LRU |
| delta | S ← a·S (1 − β k kᵀ) + …, β·|k|² in [0, 1]: DeltaNet, Gated DeltaNet, KDA, whose keys are unit vectors |
| reflections | the same with β·|k|² in [0, 2], so that eigenvalues down to −1 occur, by β or by long keys |
| product | several such updates a token: DeltaProduct |
| nonlinear | S ← f(S, x): sLSTM, GRU |
| convolution | no state: the last tokens, weighed |
| any | not said |

Gates are taken from the closed intervals: floating point reaches their ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from separation.architectures.architecture import ArchitectureReading

KINDS = {
    "decay": "fixed gates from 0 on",
    "diagonal": "gates in [0, 1]",
    "delta": "the delta rule with β·|k|² in [0, 1]",
    "reflections": "the delta rule with β·|k|² in [0, 2]",
    "product": "several delta updates a token, β·|k|² in [0, 2]",
    "nonlinear": "a nonlinear step",
    "convolution": "short convolutions",
    "any": "any step",
}
BY_TYPE = {
    "bailing_hybrid": "delta",
    "kimi_linear": "delta",
    "lfm2": "convolution",
    "lfm2_moe": "convolution",
    "minimax": "decay",
    "qwen3_5_moe_text": "delta",
    "qwen3_5_text": "delta",
    "qwen3_next": "delta",
    **dict.fromkeys(("bamba", "falcon_h1", "falcon_mamba", "granitemoehybrid", "jamba", "mamba", "mamba2"), "diagonal"),
    **dict.fromkeys(("nemotron_h", "recurrent_gemma", "xlstm", "zamba", "zamba2"), "diagonal"),
}
"""By the type of a config; as the modules of transformers compute their gates: exp of a negative number, a sigmoid."""


def recurrence_kind(document: Mapping[str, Any], reading: ArchitectureReading) -> str | None:
    """The kind of a model's recurrent layers, None without any; read off its type and, for Olmo-hybrid, a flag.

    >>> from separation.architectures import config_document, read_config
    >>> for name in ("jamba_v0_1", "olmo_hybrid_7b", "qwen3_8b"):
    ...     document = config_document(name)
    ...     print(recurrence_kind(document, read_config(document)))
    diagonal
    reflections
    None
    """
    if not any(mixer.kind in ("recurrence", "convolution") for layer in reading.layers for mixer in layer.mixers):
        return None
    if reading.model_type == "olmo_hybrid":  # transformers takes True where the file says nothing
        return "reflections" if document.get("linear_allow_neg_eigval", True) else "delta"
    return BY_TYPE.get(reading.model_type, "any")
