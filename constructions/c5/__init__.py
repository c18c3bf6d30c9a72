"""C5: with a chain of thought, two layers (RF or FR) or one (F) solve L-FuncComp for every L.

An asker is a token that writes the next one: w, then each generated token. It asks one table and says what it read.

    RF  w takes i_0 from the state and asks table 1; the token (ℓ, i_ℓ) takes w from the state and asks table ℓ+1 at
        (w_ℓ, i_ℓ); each says the hop that it read
    FR  z_0's token asks table 1 and w takes i_1 from the state; the token (ℓ; w_{ℓ-1}, i_{ℓ-1}) asks table ℓ there and
        takes w from the state; each says where the next table is to be asked, the last one the bare answer
    F   w asks z_0's token; the token (ℓ, w, i_ℓ) asks table ℓ+1 at (w_ℓ, i_ℓ); each says all of w and the hop it read

The stream:

    one                  1                    the constant 1
    tag, digit, index    as in C1             the key: the address of a table's token or of z_0's; 0 elsewhere
    aim                  as tag               at an asker: the tag of what it asks (w in FR: of what z_0 asked for it)
    asked                as digit             at an asker: the digit that it asks for
    query                Σ ⌈log2 n_ℓ⌉         at an asker: the digits of w
    next                 as digit (FR only)   at an asker: the digit of w that the next token names
    pointer              ⌈log2 N_{L-1}⌉       what a token says; at an asker the hop it asks for, then the one it read
    found                ⌈log2 N_{L-1}⌉       what the full head just read; emptied by the MLP of the same layer
    start, ask, thought  1 each (not in F)    1 at z_0, at w, at generated tokens

All codes are ±1 bits, least significant first; an asker's empty slot is all −1, and what is written there is 1 + x. So
the state holds 1 + x too: one bit, 0 or 2, for each of the ⌈log2 m⌉ + Σ ⌈log2 n_ℓ⌉ coordinates that z_0 and w hand on,
by one head of linear attention (not normalised) or of the gated delta rule each. w and generated tokens have no key:
whatever is asked scores 0 with them.

| file | what it holds |
|---|---|
| `rows` | the slots, what positions and ids put into them, and what the unembedding asks of them |
| `plan` | the layers and the invariants |
"""

from __future__ import annotations

from constructions.c2 import FAMILIES
from constructions.c5.plan import Plan
from constructions.c5.rows import STYLES
from separation.files import InputError
from separation.proving import Construction
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes


def build(
    sizes: Sizes,
    word: str = "RF",
    family: str = "linear",
    bits: int | None = None,
    score_bits: int | None = None,
    temperature: int | None = None,
) -> Construction:
    """Weights and invariants of ``word`` with R of ``family``; p and P as in C1, n counts generated tokens too."""
    for name, value, known in (("word", word, tuple(STYLES)), ("family", family, FAMILIES)):
        if value not in known:
            raise InputError(f"{name} is {shown(value)}; one of {', '.join(known)} is needed")
    plan = Plan(sizes, word, family, temperature)
    return plan.construction("C5", plan.layers(), plan.stages(), bits, score_bits)


__all__ = ["Plan", "build"]
