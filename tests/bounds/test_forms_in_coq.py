"""Which forms of Theorem E and of A2 on average both kernels call proved in Coq: those that Coq's text accepts."""

from __future__ import annotations

import json
import shutil
import subprocess
from fractions import Fraction
from functools import reduce
from itertools import accumulate, pairwise
from math import ceil, lcm
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from proofs_checks.kit.coq.comparison import IN_COQ, arguments
from proofs_checks.kit.coq.record import closed_theorems
from separation.arithmetic import number_to_json
from separation.bounds.entropy import largest_share
from separation.bounds.known import BY_HAND, KNOWN
from separation.bounds.word import Word
from separation.proving import kernel, kernel_bounds

SCRIPT = Path(kernel.__file__).parents[1] / "lesson" / "kernel.mjs"
CORPUS = Path(__file__).parents[2] / "corpus" / "ceiling"
KIND_B = {"T_E_B_spread"}  # the calculator has none of its ceilings
NODE = shutil.which("node")
PARTS = 4093  # a prime: no share has a smaller denominator, and so less room


class Form(NamedTuple):
    """A choice of Theorem E, and the theorem in Coq that has it."""

    word: str
    m: int
    n: tuple[int, ...]
    beta: int
    state_bits: tuple[int, ...]
    payment: str
    x: tuple[int, ...]
    theorem: str | None
    idle_in_front: int = 0

    @property
    def blocks(self) -> list[int]:
        return [self.idle_in_front + place for place in range(len(self.state_bits))]


FORMS = {
    "delayed": Form("FRFR", 4000, (100, 100), 1, (0, 2, 4), "delayed", (3, 40, 2), "T_E_A"),
    "delayed, early states": Form("RFRF", 4000, (100, 100), 1, (9, 9, 11), "delayed", (4, 40, 2), "T_E_A_spread"),
    "x_0 does not divide m": Form("RFR", 4399, (100,), 1, (9, 11), "delayed", (400, 9), None),
    "room for the rest": Form("RFRF", 4001, (100, 100), 1, (1, 1, 3), "delayed", (4, 40, 2), "T_E_A_spread"),
    "two tables, delayed": Form("RFR", 4000, (100,), 1, (9, 11), "delayed", (4, 9), "T_E_A_spread"),
    "two tables, quiet": Form("RF", 4000, (100,), 1, (9, 9), "quiet", (4, 9), "T_E_A_spread"),
    "three tables, quiet": Form("FRF", 10**6, (3000, 3000), 1, (0, 2, 2), "quiet", (3000, 30, 2), None),
    "late": Form("FR", 4000, (100,), 1, (0, 2), "late", (40, 9), "T_E_two"),
    "late, many copies": Form("FR", 400, (100,), 1, (0, 2), "late", (40, 11), None),
    "late, early states": Form("RFR", 4000, (100,), 1, (9, 11), "late", (4, 9), None),
    "full": Form("FR", 4000, (100,), 1, (0, 2), "full", (40, 9), None),
    "kind B, quiet": Form("FF", 4000, (100,), 1, (0, 0, 0), "quiet", (4, 9), "T_E_B_spread"),
    "kind B, late": Form("FFR", 4000, (100,), 1, (0, 0, 1), "late", (4, 9), None),
    "idle behind": Form("FR", 4000, (100, 100), 1, (0, 2), "delayed", (3, 40, 2), "T_E_A"),
    "idle in front": Form("FR", 4000, (100, 100), 1, (0, 2), "delayed", (3, 40, 2), None, 1),
}


def own_bits(form: Form) -> list[int]:
    """λ_t, and zeros behind them."""
    bits = [form.state_bits[0], *(later - earlier for earlier, later in pairwise(form.state_bits))]
    return bits + [0] * (len(form.n) + 2 - len(bits))


def least_shares(form: Form) -> list[Fraction]:
    """Each a/PARTS, with D(p‖q) ≥ K/PARTS for K = ⌈PARTS·κ⌉."""
    found = []
    for q, kappa in terms_of(form):
        top = largest_share(float(q), ceil(PARTS * kappa) / PARTS)
        found.append(Fraction(ceil(PARTS * float(top) + 1e-6), PARTS) if q else Fraction(0))
    return found


def terms_of(form: Form) -> list[tuple[Fraction, Fraction]]:
    """(q, κ) of every term, as the kernel has them."""
    kernel.Work.start(1)
    word, found = Word.parse(form.word), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_bounds, "add_shares", lambda _, said: found.extend(said))
        numbers = [form.payment, form.blocks, list(form.x), ["1"] * len(form.x)]
        bits = own_bits(form)[: len(form.state_bits)]
        kernel_bounds.hybrids(numbers, form.blocks, True, word.depth, form.beta, bits, form.m, list(form.n))
    return found


def certificate(form: Form, shares: list[Fraction]) -> dict[str, Any]:
    sizes = list(accumulate((form.m, *form.n), lambda a, b: a * b))
    claim = {
        "layers": list(Word.parse(form.word).layers),
        "theorem": "E",
        "task": {"task": "funccomp", "m": form.m, "n": list(form.n)},
        "tokens": 2 + sum(sizes),
        "beta": form.beta,
        "lambda": list(form.state_bits),
        "message": None,
        "ceiling": number_to_json(sum(shares, Fraction(0))),
    }
    choice = {"named": [], "payment": form.payment, "blocks": list(form.blocks), "x": list(form.x)}
    choice["shares"] = [number_to_json(share) for share in shares]
    return {"schema": "separation.certificate/1", "kind": "ceiling", "tool": "x", "claim": claim, "choice": choice}


def holds_in_coq(form: Form, theorem: str, shares: list[Fraction]) -> bool:
    """What a theorem of Coq asks of these shares over one b, with K = ⌈b·κ⌉ of every term."""
    b, lam = lcm(*(share.denominator for share in shares)), own_bits(form).__getitem__
    tops = [int(b * share) for share in shares]
    K = [ceil(b * kappa) for _, kappa in terms_of(form)]
    x0, x1, *more = form.x
    if theorem == "T_E_two":
        given = {"beta": form.beta, "lam": lam, "m": form.m, "n1": form.n[0], "x0": x0, "x1": x1}
        asked = arguments(IN_COQ, theorem, "closed_share", 7, a=tops[-1], b=b, K=K[-1], **given)
        return x0 * x1 <= form.m and bool(called("closed_share", *asked))
    copies = list(zip(more, zip(tops[1:], K[1:], strict=False), strict=False))
    first, last = (x0, x1, tops[0], K[0]), (tops[-1], K[-1])
    predicate = {"T_E_A": "averageA", "T_E_A_spread": "averageA_spread", "T_E_B_spread": "averageB_spread"}[theorem]
    return bool(called(predicate, b, form.beta, lam, form.m, list(form.n), *first, copies, last))


def called(predicate: str, *values: Any) -> Any:
    """A definition of Coq's files, of one argument after the other."""
    return reduce(lambda function, value: function(value), values, IN_COQ.function(predicate))


@pytest.mark.parametrize("name", FORMS)
def test_both_kernels_say_that_coq_has_a_form_exactly_if_it_has(name: str, tmp_path: Path) -> None:
    """The least shares that the kernel accepts are what the theorem asks for."""
    form = FORMS[name]
    shares = least_shares(form)
    assert sum(shares) < 1, "a ceiling that says nothing"
    document = certificate(form, shares)
    said = kernel.check_certificate(document)
    assert said.ok
    assert (BY_HAND in str(said.message)) == (form.theorem is None)
    if form.theorem is not None:
        assert form.theorem in closed_theorems() & set(KNOWN["E delayed"].in_coq + KNOWN["E late"].in_coq) | KIND_B
        assert holds_in_coq(form, form.theorem, shares)
        assert not holds_in_coq(form, form.theorem, [shares[0], *(share - Fraction(1, PARTS) for share in shares[1:])])
    if NODE is not None:
        file = tmp_path / "certificate.json"
        file.write_text(json.dumps(document))
        other = subprocess.run([NODE, SCRIPT, file], capture_output=True, check=False, encoding="utf-8")
        assert (other.returncode, BY_HAND in other.stdout) == (0, form.theorem is None)


def test_what_does_not_divide_is_not_in_coq() -> None:
    """The twin of the rule: with D_1/m for D_1/(⌊m/x_0⌋·x_0) Coq's first share has no room."""
    form = FORMS["x_0 does not divide m"]
    shares = least_shares(form)
    assert not holds_in_coq(form, "T_E_A_spread", shares)
    assert holds_in_coq(form._replace(m=4400), "T_E_A_spread", shares)


def test_a2_on_average_is_in_coq_without_early_states() -> None:
    for file, known in (("a2-average", True), ("a2-average-no-early-r", False), ("d-average", False)):
        text = (CORPUS / f"{file}.json").read_text(encoding="utf-8")
        assert (BY_HAND in str(kernel.check_text(text).message)) == known
