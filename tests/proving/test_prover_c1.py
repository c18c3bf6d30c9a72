"""C1 proved for all inputs, by both paths, at many sizes, in other coordinates; and its broken twins, which are not."""

from __future__ import annotations

import json
from fractions import Fraction

import broken_models as broken
import pytest
from construction_changes import count_wrong, proof_of, with_stored_tables

from constructions.c1 import build, least_temperature
from separation.arithmetic import exp_ball, upper_fraction
from separation.proving import (
    construction_from_document,
)
from separation.proving.certificates import certified
from separation.proving.kernel import check_text
from separation.tasks.funccomp import Sizes

SMALL = Sizes(2, (2,))
"""Every one of its 4,096 inputs is run."""


@pytest.mark.parametrize("sizes", [Sizes(5, ()), Sizes(16, ()), Sizes(2, (1, 1)), Sizes(3, (2, 4))], ids=str)
def test_both_paths_prove_c1_and_agree(sizes: Sizes) -> None:
    construction = build(sizes)
    proofs = {path: proof_of(construction, path) for path in ("closed", "general", "both")}
    for path, proof in proofs.items():
        assert (proof.ok, proof.margin) == (True, 2), (path, proof.failures[:1])
    last = {path: [s.match for s in p.look_ups if s.kind == "w"] for path, p in proofs.items()}
    assert [match.fact for match in last["closed"]] == [match.fact for match in last["general"]]
    assert [match.fact.kind for match in last["closed"]] == ["z0", *(f"table {k}" for k in range(1, sizes.L + 1))]
    head = construction.model.layers[0].heads[0]
    bits, tau = head.w_q.shape[0], head.shift / head.w_q.shape[0]
    bound = upper_fraction((1 + exp_ball(-2 * tau)) ** bits - 1)  # for distinct codes
    for closed, general in zip(last["closed"], last["general"], strict=True):
        assert float(general.leak) * (1 - 1e-9) <= float(closed.leak) <= float(bound)
        assert closed.gap is None
        assert general.gap is not None
        assert general.gap > 0
        assert closed.score == general.score == head.shift
    if sizes == Sizes(16, ()):  # the keys of table 1 are all codes of 4 bits: the closed form counts no other
        assert float(last["closed"][-1].leak) == pytest.approx(float(last["general"][-1].leak), rel=1e-9)
    # A table token's query depends on junk: its output is only known to lie in the hull of all values.
    assert not [step for step in proofs["closed"].look_ups if step.kind.startswith("table")]
    assert proof_of(with_stored_tables(construction), "both").ok


def test_the_closed_form_reaches_any_size_and_so_do_the_file_and_the_kernel() -> None:
    sizes = Sizes(2**40, (2**33,))  # beyond 53 bits
    construction = build(sizes)
    proof = proof_of(construction)
    assert proof.ok, proof.failures[:1]
    assert construction.model.width <= 6 * sizes.length.bit_length() + 2 * sizes.L + 8
    certificate = certified(construction, proof).certificate
    assert certificate is not None
    again = construction_from_document(json.loads(json.dumps(certificate["model"])), "again")
    assert again.sizes == sizes
    assert check_text(json.dumps(certificate)).ok


def test_least_temperature_is_the_least() -> None:
    for bits in (1, 5, 20, 60):
        tau = least_temperature(bits)
        assert upper_fraction((1 + exp_ball(-2 * tau)) ** bits) <= Fraction(9, 8)
        if tau > 1:
            assert upper_fraction((1 + exp_ball(-2 * (tau - 1))) ** bits) > Fraction(9, 8)


def test_bits_that_are_too_few_and_bits_that_are_enough() -> None:
    sizes = Sizes(3, (2,))
    for bits, score_bits in ((2, None), (3, None), (1, 8)):
        assert not proof_of(build(sizes, bits=bits, score_bits=score_bits)).ok
    assert not proof_of(broken.clip_of_slope_one(build(sizes))).ok
    assert proof_of(build(sizes, bits=4, score_bits=0)).ok  # the match weighs 2^P exactly, whatever P is
    assert count_wrong(build(SMALL, bits=4, score_bits=0)) == 0
