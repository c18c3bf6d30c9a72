"""A bound or a decision by a sharper theorem as a Coq theorem: one application of certA2, … to a computed inequality.

The certificate's integers go into the test of the theorem's own file (`hardA2N` and its like), which works with binary
numbers and exact powers; so numbers whose powers are too long to multiply bit by bit are declined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import mul
from typing import Any

from separation.files import InputError

LONGEST_POWER = 60_000
"""Bits of the longest power that is multiplied out."""


@dataclass(frozen=True)
class SharperClaim:
    """m, n_1..n_{L-1}, β, the bits λ_t of each block, and the integers of the proof by name."""

    m: int
    n: tuple[int, ...]
    """Of the tables that the theorem applies to."""
    more: tuple[int, ...]
    """Of the further tables of the task, which may be the identity."""
    beta: int
    blocks: tuple[int, ...]
    choice: Mapping[str, int]

    @property
    def survivors(self) -> int:
        """A of B2c, and 2A of A3c, which has its inequality twice; 0 of the others."""
        if set(self.choice) not in ({"g", "v"}, {"g", "v", "omega", "groups"}):
            return 0
        g, v, size = self.choice["g"], self.choice["v"], self.choice.get("omega", 1)
        if len(self.n) == 1:
            return max(0, g * v - (v - 1) * (size * self.beta + self.blocks[1]))
        rows = self.n[0]
        return 2 * max(0, rows * g * v - (v - 1) * (size * rows * self.beta + g * self.blocks[1]))

    @property
    def rows(self) -> tuple[int, ...]:
        """ν_1..ν_{L-1}."""
        return (*(self.choice.get(f"nu_{k}", size) for k, size in enumerate(self.n[:-1], start=1)), self.n[-1])

    @property
    def levels(self) -> str:
        """(x_ℓ, Θ_ℓ) for ℓ = 2..L−1."""
        pairs = (
            f"({self.choice[f'x_{level}']}, {self.choice[f'Theta_{level}']})" for level in range(2, len(self.n) + 1)
        )
        return f"[:: {'; '.join(pairs)}]%num" if len(self.n) > 1 else "[::]"


@dataclass(frozen=True)
class SharperForm:
    """The file with the theorem and its test, their names, the test's arguments, and the shape that it applies to."""

    file: str
    theorem: str
    test: str
    arguments: Callable[[SharperClaim], Sequence[object]]
    more_full: int = 0
    listed: bool = False

    @property
    def is_of_type_b(self) -> bool:
        """As many full layers as tables, and no R before the second of them."""
        return bool(self.more_full)


def _binary(numbers: Sequence[int]) -> str:
    return f"[:: {'; '.join(map(str, numbers))}]%num"


FORMS: dict[str, SharperForm] = {
    "A2": SharperForm(
        "TheoremA2.v", "certA2", "hardA2N", lambda own: (own.beta, *own.blocks, own.m, *own.n, own.choice["Theta"])
    ),
    "B2": SharperForm(
        "TheoremB2.v",
        "certB2",
        "hardB2N",
        lambda own: (own.beta, *own.blocks[1:], own.m, *own.n, *(own.choice[key] for key in ("x_0", "v", "Theta"))),
        more_full=1,
    ),
    "B2c": SharperForm(
        "TheoremB2c.v",
        "certB2c",
        "hardB2cN",
        lambda own: (
            *(own.beta, *own.blocks[1:], own.m, *own.n, own.choice["g"], own.choice["v"]),
            *(own.choice.get("omega", 1), own.choice.get("groups", own.n[-1])),
        ),
        more_full=1,
    ),
    "A3c": SharperForm(
        "TheoremA3c.v",
        "certA3c",
        "hardA3cN",
        lambda own: (
            *(own.beta, *own.blocks[1:], own.m, *own.n, own.choice["g"], own.choice["v"]),
            *(own.choice.get("omega", 1), own.choice.get("groups", own.n[-1])),
        ),
    ),
    "A3": SharperForm(
        "TheoremA3.v",
        "certA3",
        "hardA3N",
        lambda own: (
            *(own.beta, *own.blocks, own.m, *own.n),
            *(own.choice[key] for key in ("g", "u", "Theta_1", "x_2", "Theta_2")),
        ),
    ),
    "A3.free": SharperForm(
        "TheoremA3Free.v",
        "certA3_free",
        "hardA3freeN",
        lambda own: (
            *(own.beta, own.blocks[2], own.m, *own.n),
            *(own.choice[key] for key in ("Theta_1", "v", "Theta_2")),
        ),
    ),
    "AL": SharperForm(
        "TheoremAL.v",
        "certAL",
        "hardALN",
        lambda own: (
            *(own.beta, _binary(own.blocks), own.m, _binary(own.n), _binary(own.rows)),
            *(own.choice["g"], own.choice["Theta_1"], own.levels),
        ),
        listed=True,
    ),
    "BL": SharperForm(
        "TheoremBL.v",
        "certBL",
        "hardBLN",
        lambda own: (
            *(own.beta, _binary(own.blocks), own.m, _binary(own.n), _binary(own.rows)),
            *(own.choice[key] for key in ("x_0", "x_1", "Theta_1")),
            own.levels,
        ),
        more_full=1,
        listed=True,
    ),
}


def sharper_text(document: dict[str, Any], integer: Callable[[Any], int], word: str | None) -> tuple[str, SharperForm]:
    """The text of the Coq file, and the form that it applies; identity tables are taken away by `identities_known`."""
    claim = document["claim"]
    form = FORMS.get(claim["theorem"])
    task = claim["task"]
    everything = tuple(integer(size) for size in task["n"])
    n, rest = everything[: claim["tables"] - 1], everything[claim["tables"] - 1 :]
    if form is None:
        spoken = f"Theorem {claim['theorem']} about {claim['tables']} of {len(everything) + 1} tables"
        raise InputError(f"a certificate by {spoken} has no Coq form; `--theorem A` (or B, C) writes one that has")
    totals = [integer(bits) for bits in claim["lambda"]]
    blocks = tuple(later - earlier for earlier, later in pairwise((0, *totals)))
    choice = {key: integer(value) for key, value in document["choice"].items()}
    own = SharperClaim(integer(task["m"]), n, rest, integer(claim["beta"]), blocks, choice)
    _require_short(own)
    return _text(form, own, word), form


def _require_short(own: SharperClaim) -> None:
    """N_{L-1}^{n_{L-1}·Θ_{L-1}}, or with A for Θ, N_{ℓ-1}^{x_ℓ·ν_{ℓ-1}·Θ_{ℓ-1}} for ℓ ≥ 2 and m^m are short enough."""
    sizes = list(accumulate((own.m, *own.n), mul))
    last = own.choice.get("Theta", own.choice.get(f"Theta_{len(own.n)}", 1))
    draws = [
        own.choice.get(f"x_{level}", 1) * used * own.choice.get(f"Theta_{level - 1}", 1)
        for level, used in enumerate(own.rows, start=2)
    ]
    powers = [(sizes[-1], own.n[-1] * max(last, own.survivors)), (own.m, own.m), *zip(sizes[1:], draws, strict=False)]
    bits = max(base.bit_length() * exponent for base, exponent in powers)
    if bits > LONGEST_POWER:
        raise InputError(f"powers of {bits} bits are too long for Coq here; at most {LONGEST_POWER} are multiplied out")


def _text(form: SharperForm, own: SharperClaim, word: str | None) -> str:
    L = len(own.n) + 1
    blocks = "; ".join(f"N.to_nat {bits}" for bits in own.blocks)
    held = f"lam_of {_binary(own.blocks)}" if form.listed else f"nth 0 [:: {blocks}]"
    shape = [f"number_full md <= {L - 1 + form.more_full}", *(["no_early_rec md"] if form.is_of_type_b else [])]
    short = f"(map N.to_nat {_binary(own.n)})"
    sizes = f"({short} ++ map N.to_nat {_binary(own.more)})" if own.more else short
    parts = [
        *([] if word is None else [f"word md = {word}"]),
        f"message_bits md (N.to_nat {own.beta})",
        f"block_bits md ({held})",
        *(shape if word is None else []),
    ]
    arguments = " ".join(str(value) for value in form.arguments(own))
    early = form.is_of_type_b
    intro = f"move=> md hb hl hF{' hR' if early else ''}. "
    if word is not None:
        found = "have hR : no_early_rec md by rewrite no_early_rec_word Ew. " if early else ""
        intro = f"move=> md Ew hb hl. have hF : {shape[0]} by rewrite number_full_word Ew. {found}"
    proof = f"{intro}exact: ({form.theorem} h hb hl hF{' hR' if early else ''})."
    if own.more:
        moved = "rewrite no_early_rec_word in hR; have hR' : no_early_rec md' by rewrite no_early_rec_word E. "
        proof = (
            f"{intro}move=> sol. have [//|md' [E sol' mb bb]] := identities_known _ sol. "
            f"rewrite number_full_word in hF; have hF' : number_full md' <= {L - 1 + form.more_full} "
            f"by rewrite number_full_word E. {moved if early else ''}"
            f"exact: ({form.theorem} h (mb _ hb) (bb _ hl) hF'{' hR' + chr(39) if early else ''} sol')."
        )
    return (
        "From Coq Require Import NArith.\nFrom mathcomp Require Import all_ssreflect.\n"
        "From separation Require Import Definitions SharperDefinitions Binary Decide ExactDepth Prefix.\n"
        f"From separation Require Import {'TheoremAL ' if form.listed else ''}{form.file.removesuffix('.v')}.\n\n"
        f"Theorem certificate :\n  forall md : model, {' -> '.join(parts)} ->\n"
        f"  ~ solves (N.to_nat {own.m}) {sizes} md.\n"
        f"Proof.\nhave h : {form.test} {arguments} by vm_compute.\n{proof}\nQed.\n"
    )
