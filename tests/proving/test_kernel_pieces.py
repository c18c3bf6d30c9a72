"""The small functions of the kernel, each compared with what it should be, at points chosen by hand."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from kernel_cases import construction, real

from separation.proving import kernel, kernel_forms

ONE = kernel.ONE


def test_peaks() -> None:
    nu = kernel.Noise(1)
    assert kernel.peak({ONE: 0}) == (0, None)
    assert kernel.peak({}) == (0, None)
    assert kernel.peak({ONE: -1}) == (0, None)
    assert kernel.peak({ONE: 3}) == (3, frozenset())
    assert kernel.peak({ONE: -1, "a.0": 1, "b.0": -1}) == (1, frozenset({("a.0", True), ("b.0", False)}))
    assert kernel.peak({"a.0": 1, "b.0": 1}) == (2, frozenset({("a.0", True), ("b.0", True)}))  # 2 − 2·1 is 0
    assert kernel.peak({ONE: 1, "a.0": 1, "b.0": 1}) == (3, None)  # one other sign leaves 1
    assert kernel.peak({ONE: Fraction(1, 2), "a.0": 1, "b.0": 1}) == (Fraction(5, 2), None)
    assert kernel.peak({ONE: 1, nu: 1}) == (2, None)
    assert kernel.peak({ONE: -3, nu: 1}) == (0, None)


def test_steps() -> None:
    assert kernel.step({}) == 0
    assert kernel.step({ONE: 6}) == 6
    assert kernel.step({"a.0": 1}) == 1  # −1 and 1
    assert kernel.step({ONE: 3, "a.0": 3}) == 6  # 0 and 6
    assert kernel.step({ONE: Fraction(1, 2), "a.0": Fraction(1, 2)}) == 1
    assert kernel.step({ONE: 1, "a.0": 2, "b.0": 5}) == 2  # −6, −2, 4, 8
    assert kernel.step({ONE: 5, "a.0": 2, "b.0": 3}) == 2  # 0, 4, 6, 10
    assert kernel.step({ONE: 1, kernel.Noise(1): 1}) is None
    assert kernel.common([Fraction(3, 4), Fraction(1, 2), 2]) == Fraction(1, 4)
    assert kernel.common([4, 6, None]) is None
    assert kernel.common([]) == 0
    assert kernel.common([0, 0]) == 0


def test_digits() -> None:
    signs = frozenset({("a.0", True), ("a.1", False), ("a.2", True), ("b.0", True)})
    assert kernel.digit(("a", 8), signs) == 5
    assert kernel.digit(("b", 2), signs) == 1
    assert kernel.digit(("c", 4), signs) == 0


def test_ranges_of_products() -> None:
    """With a match 3/4 ≤ p ≤ 1; without, p_1 + p_2 + p_3 ≤ 3/2 and |p| ≤ 1."""
    search = kernel.Search("seen", Fraction(3, 4), Fraction(3, 2), [])
    search.products.extend(kernel.Noise(1, search=search) for _ in range(3))
    first, second, third = search.products
    even: kernel.Form = {ONE: 3, first: -1, second: -1, third: -1}
    assert search.span(even, True) == (0, Fraction(3, 4))
    assert search.span(even, False) == (Fraction(3, 2), 6)
    assert search.span({first: 2, second: 1, third: 1}, False) == (-4, Fraction(5, 2))
    assert search.span({first: 2, second: 1, third: 1}, True) == (3, 4)
    assert search.span({ONE: 1, first: 1}, False) == (0, 2)
    assert search.span({first: 1, second: -1}, False) == (-2, 2)
    assert search.span({first: 1, second: -1}, True) == (Fraction(-1, 4), Fraction(1, 4))


def test_ranges_of_forms() -> None:
    nu = kernel.Noise(Fraction(1, 2))
    form: kernel.Form = {ONE: -3, "a.0": 2, nu: -4}
    assert kernel.upper(form) == 7
    assert kernel.span(form)[1] == 1
    assert kernel.span(form) == (-7, 1)
    assert kernel.highest({ONE: {ONE: -2, "a.0": 1}, nu: {ONE: 4}, "b.0": {nu: 6}}) == -2 + 1 + 2 + 3
    (noise,) = (s for s in kernel.within(1, 4) if isinstance(s, kernel.Noise))
    assert (noise.radius, kernel.within(1, 4)[ONE]) == (Fraction(3, 2), Fraction(5, 2))
    assert kernel.one_sign({ONE: 1}, (0, 2)) == {ONE: 1}
    assert kernel.one_sign({ONE: 1}, (-2, 0)) == {}
    assert kernel.one_sign({ONE: 1}, (-1, 1)) is None
    assert kernel.absolute(Fraction(-1, 2)) == Fraction(1, 2)


def delta(kinds: dict[str, dict[str, Any]], asked: int = 2) -> tuple[kernel.Proof, list[kernel.Forms]]:
    """What the kinds table 1, z0, w read; a kind is silent unless told: q, k of two coordinates, v, alpha, beta."""
    proof = kernel.Proof(kernel.Model(construction(2, [])["model"]), False)
    proof.model.bound, proof.layer = 100, 1
    x: list[kernel.Forms] = []
    for kind in proof.kinds:
        given = {"q": (0, 0), "k": (0, 0), "v": {}, "alpha": 1, "beta": 0} | kinds.get(kind.name, {})
        pairs = [c if isinstance(c, dict) else {ONE: c} if c else {} for c in (*given["q"], *given["k"])]
        gates = [{ONE: given[key]} if given[key] else {} for key in ("alpha", "beta")]
        x.append([*pairs, given["v"], *gates])
    places = {"Q": range(2), "K": range(2, 4), "V": range(4, 5), "A": range(5, 6), "B": range(6, 7)}
    weights = {
        f"W_{letter}": kernel.Matrix(len(columns), [(r, c, 1) for r, c in enumerate(columns)])
        for letter, columns in places.items()
    }
    describe = proof.delta(1, kernel.Head("delta", weights, 0, False, 1, 0), x)
    return proof, describe(asked)


WRITE = {"k": (1, 0), "v": {"i0.0": 1}, "beta": 1}


def test_a_delta_rule_hands_on_what_one_token_wrote() -> None:
    proof, options = delta({"z0": WRITE, "w": {"q": (1, 0)}})
    assert options[0] == [{"i0.0": 1}]
    assert proof.state_bits == 2
    _, options = delta({"z0": WRITE, "w": {"q": (3, 0)}})
    assert options[0] == [{"i0.0": 3}]
    _, options = delta({"z0": WRITE, "w": {"q": (0, 1)}})
    assert options == [[{}]]
    _, options = delta({"z0": {**WRITE, "k": (Fraction(3, 5), Fraction(4, 5))}, "w": {"q": (1, 2)}})
    assert options[0] == [{"i0.0": Fraction(11, 5)}]
    two = {"z0": WRITE, "w": {"k": (0, 1), "v": {ONE: 5}, "beta": 2, "q": (0, 1)}}
    assert delta(two)[1][0] == [{ONE: 5}]
    ((form,),) = delta({"z0": WRITE, "w": {"q": (-1, 0)}})[1]
    assert [s.radius for s in form if isinstance(s, kernel.Noise)] == [1]  # no reading: within ± 1
    ((form,),) = delta({"z0": WRITE, "w": {"q": (1, 0)}}, asked=1)[1][-1:]
    assert form == {}


def test_other_delta_rules_are_refused() -> None:
    refused: list[dict[str, dict[str, Any]]] = [
        {"z0": {**WRITE, "k": (2, 0)}},  # not of norm 1
        {"z0": {**WRITE, "k": (-1, 0)}},
        {"z0": {**WRITE, "k": (0, 0)}},
        {"z0": {**WRITE, "beta": Fraction(1, 2)}},
        {"z0": {**WRITE, "alpha": Fraction(1, 2)}},
        {"w": {"alpha": 0}},
        {"table 1": {**WRITE, "v": {"value.0": 1}}},  # two tokens write
        {"z0": {**WRITE, "k": ({"i0.0": 1}, 0)}},  # a key that is not constant
        {"z0": WRITE, "w": {"k": (1, 0), "beta": 1}},  # not orthogonal
        {"z0": WRITE, "w": {"k": (Fraction(3, 5), Fraction(4, 5)), "beta": 1}},
    ]
    for kinds in refused:
        with pytest.raises(kernel.Rejected, match=r"slot head 1 state: P10: not a sum over single tokens$"):
            delta(kinds)


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


def test_margin_of_two_sum() -> None:
    """logit 1 − logit 0 = 2·(c + a·seen): C6 has a margin of 4; noise beside it takes its share."""
    proof = kernel.Proof(kernel.Model(real("C6")["model"]), False)
    assert proof.run() == 4
    forms, noise = proof.model.invariants[-1][0]
    fired = next(r for r, form in enumerate(forms) if "seen 1/0.0" in form)
    nu = kernel.Noise(Fraction(1, 4))
    changed = [form | {nu: 1} if r == fired else form for r, form in enumerate(forms)]
    proof.model.invariants[-1][0] = (changed, [*noise, nu])
    weight = Fraction(4, forms[fired]["seen 1/0.0"])  # of the coordinate in the difference of the logits
    assert proof.found() == 4 - weight * Fraction(1, 4)


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
