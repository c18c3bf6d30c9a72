"""Containment (P7) and the count of work in the kernel, at points chosen by hand.

A change of the other small functions is seen by corpus/, and by the fuzzers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from kernel_cases import construction

from separation.proving import kernel

ONE = kernel.ONE


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
