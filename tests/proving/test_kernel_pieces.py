"""Margins, containment (P7) and the count of work in the kernel, at points chosen by hand.

A change of the other small functions is seen by corpus/, and by the properties in test_kernel_rules.py.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from kernel_cases import construction

from separation.proving import kernel, kernel_forms

ONE = kernel.ONE


def proof_with(noise: Any = 0, weight: int = 3) -> kernel.Proof:
    """At the end w holds i1's bit with a weight, and noise in the same coordinate."""
    document = construction(2, [])["model"]
    proof = kernel.Proof(kernel.Model(document), False)
    width = proof.model.width
    forms: kernel.Forms = [{} for _ in range(width)]
    read = [r for r, _, _ in document["unembedding"]["declared"][0]["matrix"]["entries"]]
    nu = kernel.Noise(noise)
    forms[read[0]] = {"i1.0": weight} | ({nu: 1} if noise else {})
    proof.model.invariants[-1][2] = (forms, [nu])
    return proof


def test_margins() -> None:
    assert proof_with().answer() == 6
    assert proof_with(Fraction(1, 2)).answer() == 5  # 2·3 − 2·1/2
    with pytest.raises(kernel.Rejected, match=r"slot unembedding: answer: the margin 0 is not positive$"):
        proof_with(3).answer()
    with pytest.raises(kernel.Rejected, match=r"kind w, slot unembedding: answer: the margin -6 is not positive$"):
        proof_with(weight=-3).answer()
    bare = proof_with()
    bare.model.invariants[-1][2] = ([{} for _ in range(bare.model.width)], [])
    with pytest.raises(kernel.Rejected, match=r"answer: the margin 0 is not positive$"):
        bare.answer()
    bare.model.unembedding.segments = {}
    with pytest.raises(kernel.Rejected, match=r"slot unembedding: P1: no segment at row 0 with radices \[2\]$"):
        bare.answer()


def contained(derived: list[Any], claimed: list[Any], noise: list[kernel.Noise]) -> None:
    proof = kernel.Proof(kernel.Model(construction(2, [])["model"]), False)
    fill = [dict[Any, Any]() for _ in range(proof.model.width - len(derived))]
    proof.contain([*derived, *fill], ([*claimed, *fill], noise))


def test_containment() -> None:
    nu, mu = kernel.Noise(1), kernel.Noise(1)
    some = kernel.Noise(Fraction(1, 2))
    contained([{ONE: 1, some: 2}], [{ONE: 1, nu: 1}], [nu])
    contained([{some: 1}, {some: 2}], [{nu: 1}, {nu: 2}], [nu])
    with pytest.raises(kernel.Rejected, match=r"P7: up to 3/2 off the claimed form, allowed 1$"):
        contained([{ONE: 1, some: 1}], [{nu: 1}], [nu])
    with pytest.raises(kernel.Rejected, match=r"P7: up to 1/2 off the claimed form, allowed 0$"):
        contained([{some: 1}, {some: 1}], [{nu: 1}, {nu: 2}], [nu])
    with pytest.raises(kernel.Rejected, match=r"slot invariant: P7: the noise columns are not independent$"):
        contained([{}], [{nu: 1, mu: 1}], [nu, mu])
    long = Fraction(1, 2**kernel.BITS)
    with pytest.raises(kernel.Malformed, match=r"^declined: P7: the numbers of the elimination grow too long$"):
        contained([{ONE: long}, {}], [{nu: 1}, {}], [nu])
    contained([{ONE: long * 2}, {}], [{nu: 1}, {}], [nu])


def test_work_is_limited() -> None:
    kernel.Work.start()
    kernel.spend(kernel.MAX_WORK)
    with pytest.raises(kernel.Declined, match=r"^declined: the check takes more work than 134217728 units$"):
        kernel.spend(1)
    kernel.Work.start()
    kernel.spend(1)


def test_long_numbers_are_work() -> None:
    """A fraction counts more than an integer, a number of twice the bits up to four times as much; none is endless."""
    taken = []
    for number in (1, 2**60, Fraction(1, 3), 3**5000, 3**10000, Fraction(1, 3**10000)):
        kernel.Work.start()
        assert kernel.counted(number) is number
        taken.append(kernel.Work.units)
    assert taken == sorted(taken)
    assert taken[0] == 1
    assert 3 < taken[-2] / taken[-3] < 4
    with pytest.raises(kernel.Declined, match=r"^declined: a number of more than 131072 bits$"):
        kernel.counted(1 << kernel.MAX_BITS)


def test_work_is_counted() -> None:
    proof = kernel.Proof(kernel.Model(construction(2, [])["model"]), False)
    kernel.Work.start()
    proof.scores([{ONE: 1, "a.0": 1}, {}], [{ONE: 1, "b.0": 1, "c.0": 1}, {ONE: 1}])
    assert kernel.Work.units == 1 + 2 * 3 + 1
    kernel.Work.start()
    proof.apply(kernel.Matrix(2, [(0, 0, 1), (1, 1, 2)]), [{ONE: 1, "a.0": 1}, {}])
    assert kernel.Work.units == 8 * 2 + 2 + 2
    kernel.Work.start()
    kernel.add({ONE: Fraction(1, 3)}, {ONE: Fraction(1, 5)})
    assert kernel.Work.units >= 16


def test_agreement_is_bounded_by_an_atom_of_both_variables_alone() -> None:
    """Of two variables too large for cases: where they differ a bit is lost; where one is not 5 none need be."""
    a, b = ("a", 512), ("b", 512)
    form: kernel_forms.Form = {}
    for j in range(9):
        kernel_forms.add(form, kernel_forms.times(kernel_forms.bit(a, j), kernel_forms.bit(b, j)))
    assert kernel_forms.maximum(form) == 9
    assert kernel_forms.maximum(form, [(a, "≠", b)]) == 7
    assert (kernel_forms.maximum(form, [(a, "≠", 5)]) or 0) >= 9
