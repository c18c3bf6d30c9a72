"""T.E.scans: in theorem E, states in front of all full layers count once: Λ_0 (A), Λ_1 (B) in D_1 alone.

Theorem E holds with D_{ℓ+1} = x_ℓD_ℓ + c_ℓ − Λ in every step, however the last one is paid, where Λ = Λ_0 with L−1
full layers and Λ = Λ_1 (R heads beside the first F) with L. So L full layers without Λ_1 in the last step is true, not
a misreading. States behind a full layer must still be paid at each new boundary.

*Proof.* These states are scans over embeddings: S_ℓ, behind table ℓ, is a function of (S_{ℓ+1}, Z_ℓ). Let A_1 = (S_1,
M), M what D_1 has besides (β·W bits, or nothing), and A_{ℓ+1} = (A_ℓ, S_{ℓ+1}, x_ℓ copies of Z_ℓ, the messages of c_ℓ
without S_{ℓ+1}), c'_ℓ = c_ℓ − Λ bits. S_{ℓ+1} is a function of Z_{>ℓ}, so copies are drawn from the same law as before.
(1) I(Z_{>k}; A_ℓ | S_{k+1}, Z_k, …, Z_ℓ) ≤ D_ℓ − Λ for k ≥ ℓ: given these S_1 is known at ℓ = 1, which leaves M; and
at ℓ+1 S_{ℓ+1} is known, the copies multiply the bits by at most x_ℓ (Z_ℓ is independent of Z_{>k} given the rest), so
they are at most x_ℓ(D_ℓ − Λ) + c'_ℓ ≤ D_{ℓ+1} − Λ. (2) With k = ℓ: I(Z_{>ℓ}; A_ℓ, S_{ℓ+1} | Z_ℓ) ≤ Λ + (D_ℓ − Λ) = D_ℓ.
(3) So I(Z_{>ℓ}; A_{ℓ+1}) ≤ x_ℓ·D_ℓ + c'_ℓ = D_{ℓ+1}, by the copies again; this is the end's bound at ℓ + 1 = L. (4)
Repeats cost I(Z_ℓ; A_ℓ, S_{ℓ+1} | Z_{>ℓ}) = I(Z_ℓ; A_ℓ | Z_{>ℓ}) ≤ D_ℓ, as before. ∎
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import log2
from random import Random

from proofs_checks.kit.claim_e import BASE_STATE, Numbers, Told
from proofs_checks.kit.statement import Checked, Statement, Status, require
from proofs_checks.statements.t_e import STATEMENT as THEOREM_E
from proofs_checks.statements.t_e import ceiling, solved

SCANS = 60
LAST, REST = 32, 2
"""Values of table 3, and of tables 1 and 2, in the messages that are drawn."""


@dataclass(frozen=True)
class Once(Told):
    """[D_1, …, D_L] with D_{ℓ+1} = x_ℓ·D_ℓ + c_ℓ − Λ_s, Λ_s the states that are scans: block 0 (A), 0 and 1 (B).

    where ``more`` blocks are taken for scans too.
    """

    more: int = 0

    def __call__(self, of: Numbers) -> list[int]:
        paid = Told(self.free)(of)
        scan = of.linear[(0 if of.kind == "A" else 1) + self.more]
        bits = paid[:1]
        for level in range(1, len(paid)):
            bits.append(of.x[level] * bits[-1] + max(0, paid[level] - of.x[level] * paid[level - 1] - scan))
        return bits


def check(claim: Callable[[Numbers], list[int]]) -> Checked:
    """Protocols that are always right keep the ceiling 1; random scans tell no more than claimed, other states do.

    1. *Solvers.* All protocols of T.E, at several x: the sum of shares with the smaller D_ℓ is 1. Each D_ℓ is at most
       that of T.E, and smaller where there are scans.
    2. *Scans.* Three tables, random states of one bit behind each and random messages of one bit, one or two copies of
       each table from its posterior: I(Z_3; A_3) and I(Z_2; A_2 | Z_3) are at most D_3 and D_2. With states that are
       functions of all that came before, and not of the last state alone, they are more, in some case.
    """
    examples = solved()
    for name, of in examples:
        top = ceiling(of, claim(of))
        require(top >= 1 - 1e-9, f"{name}: always right, but {of} has the ceiling {top}")
    pairs = [(claim(of), Told()(of)) for _, of in examples]
    require(all(ours <= theirs for both in pairs for ours, theirs in zip(*both, strict=True)), "more than T.E charges")
    require(any(ours[-1] < theirs[-1] for ours, theirs in pairs), "no less than T.E charges")
    for scan, x1, x2, found, told in drawn_scans():
        of = Numbers("B", "full", REST, (1, 1), (1, x1, x2), 1, (0, 1, 1, 1))
        D_2 = x1 * claim(of)[0] + 1
        fits = found <= D_2 + 1e-9 and told <= x2 * D_2 + 1e-9
        require(fits or not scan, f"x = ({x1}, {x2}): tables 2 and 3 are told {found} and {told} bits, D_2 = {D_2}")
    beyond = sum(told > x2 * (2 * x1 + 1) + 1e-9 for scan, x1, x2, _, told in drawn_scans() if not scan)
    require(beyond > 0, "states that are no scans never tell more either")
    return Checked(
        Status.TESTED,
        "protocols that solve; information of random scans; the proof is in the text",
        f"L = 2 and 3 for protocols; {SCANS} random messages of one bit with L = 3, up to 2 copies",
    )


@cache
def drawn_scans() -> tuple[tuple[bool, int, int, float, float], ...]:
    """(scans or not, x_1, x_2, I(Z_2; A_2 | Z_3), I(Z_3; A_2, S_3, copies of Z_2)) of random messages."""
    rng, found = Random(6), []
    for trial in range(SCANS):
        copies = ((1, 1), (2, 1), (1, 2))[trial // 2 % 3]
        found.append((trial % 2 == 0, *copies, *_information(rng, trial % 2 == 0, *copies)))
    return tuple(found)


def _information(rng: Random, scan: bool, x1: int, x2: int) -> tuple[float, float]:
    """A_1 = (S_1, M), A_2 = (A_1, S_2, copies of Z_1, C), and (A_2, S_3, copies of Z_2), for uniform Z_1, Z_2, Z_3."""
    bit: dict[Hashable, int] = defaultdict(lambda: rng.randrange(2))

    def first(z3: int, z2: int, z1: int) -> tuple[int, int, int]:
        s3 = bit["S3", z3]
        s2 = bit["S2", s3, z2] if scan else bit["S2", z3, z2]
        return s2, bit["S1", s2, z1] if scan else bit["S1", z3, z2, z1], bit["M", z3, z2, z1]

    middle: dict[tuple[int, int], dict[Hashable, float]] = defaultdict(lambda: defaultdict(float))
    for z3, z2 in product(range(LAST), range(REST)):
        known = {z1: first(z3, z2, z1) for z1 in range(REST)}
        for z1 in range(REST):
            fitting = [other for other in range(REST) if known[other] == known[z1]]
            for drawn in product(fitting, repeat=x1):
                told = (known[z1], drawn, bit["C", z3, z2, known[z1], drawn])
                middle[z3, z2][told] += 1 / REST / len(fitting) ** x1
    second = sum(_mutual({z2: middle[z3, z2] for z2 in range(REST)}) for z3 in range(LAST)) / LAST
    last: dict[int, dict[Hashable, float]] = {z3: defaultdict(float) for z3 in range(LAST)}
    for z3 in range(LAST):
        for view in {view for z2 in range(REST) for view in middle[z3, z2]}:
            weights = [middle[z3, z2].get(view, 0.0) for z2 in range(REST)]
            whole = sum(weights)
            for drawn in product(range(REST), repeat=x2):
                share = whole / REST
                for z2 in drawn:
                    share *= weights[z2] / whole
                if share:
                    last[z3][view, bit["S3", z3], drawn] += share
    return second, _mutual(last)


def _mutual(laws: dict[int, dict[Hashable, float]]) -> float:
    """I(Z; view) for uniform Z and the law of the view given each Z."""
    seen: dict[Hashable, float] = defaultdict(float)
    for law in laws.values():
        for view, chance in law.items():
            seen[view] += chance / len(laws)
    return sum(chance / len(laws) * log2(chance / seen[view]) for law in laws.values() for view, chance in law.items())


STATEMENT = Statement(
    id="T.E.scans",
    title="states in front of the full layers count once in the ceiling of random tables",
    latex=r"D_{\ell+1}=x_\ell D_\ell+c_\ell-\Lambda,\quad \Lambda=\Lambda_0\ (L-1\ \text{full layers}),\ "
    r"\Lambda_1\ (L\ \text{full layers})",
    english="Theorem E holds with Λ_0, or with L full layers Λ_1, left out of every c_ℓ: these states are paid in D_1, "
    "where copies of the tables multiply them already.",
    subject=Once(),
    check=check,
    twins={
        "scans are never paid": Once(frozenset({BASE_STATE})),
        "states behind a full layer count once too": Once(more=1),
        "nothing is saved": Told(),
    },
    speaks_of=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=THEOREM_E.hypotheses,
    witness=THEOREM_E.witness,
)
