"""The pieces of the proof one by one, where a proof of a whole construction would not notice a change."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from kernel_cases import construction, real

import separation.proving.embedding as embedding
import separation.proving.search as search
from constructions import c1, c2, c6
from separation.arithmetic import ExactMatrix
from separation.files import InputError
from separation.proving import (
    ONE,
    Forms,
    Match,
    Proof,
    ProofFailed,
    accepted,
    bit,
    construction_certificate,
    construction_from_document,
    gate,
    noise_rows,
    prove,
)
from separation.proving.attention import HeadForms
from separation.proving.closed_form import floor_correction
from separation.proving.delta import Entry, State, _kronecker_identity, either_of, state_of, sum_of
from separation.proving.embedding import _declared, _is_prefix
from separation.proving.forms import Group, fresh_noise, fresh_output
from separation.proving.general import compare_all
from separation.proving.heads import agreed
from separation.proving.invariants import _least_squares, _short
from separation.proving.proof import Setting
from separation.proving.prover import _enumerated_margin, _positive
from separation.proving.relu import _signs_by_guard, _split_units
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Fact, Kind, Variable
from separation.tasks.two_sum import TwoSumSizes

HALF = Fraction(1, 2)


def form(**terms: Any) -> Forms:
    """One form: one=1, x_0=2 stands for 1 + 2·x.0."""
    bits = {name.split("_")[0]: number for name, number in terms.items() if name != "one"}
    row = [terms.get("one", 0), *bits.values()]
    return Forms([ONE, *(bit(name, 0) for name in bits)], ExactMatrix.from_rows([row]))


def refusal(ask: Callable[[], object]) -> tuple[str, int | str, str]:
    with pytest.raises(ProofFailed) as failed:
        ask()
    return failed.value.rule, failed.value.slot, failed.value.message


# --- forms, ranges, states ---


def test_symbols() -> None:
    assert (ONE.low, ONE.high, ONE.radius, ONE.role) == (1, 1, 1, "one")
    group = Group(bit("g", 0), 2, HALF, Fraction(0))
    output = fresh_output(bit("x", 0), group)
    assert output.times is not None
    sign, product = output.times
    assert (sign, product.role, product.group, product.name) == (bit("x", 0), "product", group, f"x.0·{output.name}")
    assert (output.role, output.low, output.high) == ("noise", -1, 1)
    with pytest.raises(ValueError, match=r"^forms need the constant first and a column for each symbol$"):
        Forms([bit("x", 0)], ExactMatrix.from_rows([[1]]))
    with pytest.raises(ValueError, match=r"^forms need the constant first"):
        Forms([ONE], ExactMatrix.from_rows([[1, 2]]))


def test_ranges_of_long_numbers() -> None:
    large = fresh_noise(Fraction(2**70))
    forms = Forms([ONE, large], ExactMatrix.from_rows([[1, 3], [0, -1]]))
    assert forms.ranges() == [(1 - 3 * 2**70, 1 + 3 * 2**70), (-(2**70), 2**70)]


def test_numbers_as_people_read_them() -> None:
    assert _short(Fraction(1, 999_999)) == "1/999999"
    assert _short(Fraction(1, 10**6)) == "1e-06"


def test_dependent_noise_is_refused() -> None:
    twice = ExactMatrix.from_rows([[1, 1], [2, 2]])
    assert refusal(lambda: _least_squares(twice, twice)) == ("P7", 0, "the claimed noise columns are not independent")
    assert _least_squares(ExactMatrix.from_rows([[2], [1]]), ExactMatrix.from_rows([[1], [HALF]])).fractions() == [
        [HALF]
    ]


def test_states() -> None:
    entries = [(Entry(Fraction(-7), Fraction(1), Fraction(2)), 3), (Entry(Fraction(0), Fraction(5), Fraction(5)), 1)]
    assert state_of(2, 1, entries, None) == State(2, 1, 4, Fraction(7), 3 * 3 + 1)
    unknown = [(Entry(Fraction(0), Fraction(1), None), 1)]
    assert state_of(1, 0, unknown, None).bits is None
    assert state_of(1, 0, unknown, HALF).bits == 2
    parts = [Entry(Fraction(-1), Fraction(2), None), Entry(Fraction(0), Fraction(1), Fraction(1))]
    assert sum_of(parts) == Entry(Fraction(-1), Fraction(3), None)
    assert sum_of(parts[1:] * 2) == Entry(Fraction(0), Fraction(2), Fraction(1))
    assert either_of(parts) == Entry(Fraction(-1), Fraction(2), None)
    proof = Proof("closed", states=[State(1, 0, 1, Fraction(1), 3), State(1, 1, 1, Fraction(1), None)])
    assert proof.state_bits is None
    assert Proof("closed", states=proof.states[:1]).state_bits == 3


def test_gates() -> None:
    assert [gate(form(one=number), "g") for number in (2, 1, HALF, 0, -3)] == [1, 1, HALF, 0, 0]
    assert gate(form(one=3, x_0=2), "g") == 1
    assert gate(form(one=-3, x_0=2), "g") == 0
    assert refusal(lambda: gate(form(one=HALF, x_0=1), "a gate")) == ("P10", "a gate", "ranges over [-0.5, 1.5]")


def test_kronecker() -> None:
    found = _kronecker_identity(ExactMatrix.from_rows([[2, 3], [0, 5]]), 2).fractions()
    assert found == [[2, 0, 3, 0], [0, 2, 0, 3], [0, 0, 5, 0], [0, 0, 0, 5]]


# --- units of an MLP ---


def test_units_that_one_bit_decides() -> None:
    """x ± 1/2 y is positive exactly if x is +1; x + y is not decided by one bit."""
    hidden = Forms(
        [ONE, bit("x", 0), bit("y", 0)],
        ExactMatrix.from_rows([[0, 1, HALF], [0, 1, 1], [Fraction(3, 2), 1, 1], [Fraction(-3, 2), 1, 1]]),
    )
    split, rest = _split_units(hidden, [0, 1, 2, 3])
    assert split == {bit("x", 0): {0: (True, False), 1: (True, False)}}
    assert rest == [2, 3]


def test_units_that_a_guard_decides() -> None:
    """2 numbers, each at least 1/2 if the guard is on, together at most 0 if not: their sum tells."""
    guard = bit("g", 0)
    outputs = [fresh_output(bit("x", place), Group(guard, 2, HALF, Fraction(0))) for place in range(2)]
    products = [output.times[1] for output in outputs if output.times is not None]
    one_group = [replace(p, group=products[0].group) for p in products]
    expected = {0: [True, False], -1: [True, False], Fraction(-3, 2): [None, False], -3: [False, False]}
    for constant, signs in expected.items():
        hidden = Forms([ONE, *one_group], ExactMatrix.from_rows([[constant, 1, 1]]))
        assert _signs_by_guard(hidden, 0) == (guard, signs)
    assert _signs_by_guard(Forms([ONE, fresh_noise(HALF)], ExactMatrix.from_rows([[0, 1]])), 0) == (None, [])


# --- look-ups ---


def test_what_a_floored_weight_costs() -> None:
    one = c1.build(Sizes(2, ()))
    streams = {kind.name: one.stages[0][kind.name].as_forms() for kind in one.shape.kinds}
    forms = HeadForms.of(one.model.layers[0].heads[0], streams)
    precision = replace(one.model.precision, score_bits=4)
    shift = forms.head.shift
    assert floor_correction(forms, shift, precision) == 1
    assert floor_correction(forms, shift - 1, precision) == 1 + Fraction(1, 5)  # ⌊16/e⌋ = 5
    assert floor_correction(forms, shift - 3, precision) is None


def test_gaps_of_look_ups_are_measured() -> None:
    one = c1.build(Sizes(3, (2,)))
    for path in ("general", "closed"):
        proof = prove(one.model, one.stages, one.shape, path)
        assert proof.ok
        for step in proof.look_ups:
            assert step.match.path == path
            assert (step.match.gap is None) is (path == "closed")
            assert step.match.gap is None or step.match.gap > 0
            assert step.match.score == one.model.layers[step.layer - 1].heads[step.head].shift


def key_kinds() -> tuple[list[tuple[Forms, Kind]], list[Variable]]:
    address = Variable("a", 3)
    kind = Kind("cells", 0, (address,), (), 0)
    key = Forms([ONE, bit("a", 0), bit("a", 1)], ExactMatrix.from_rows([[0, 1, 0], [0, 0, 1]]))
    return [(key, kind)], [Variable("q", 3)]


@pytest.mark.parametrize("height", [1, 2**60])
def test_all_queries_against_all_keys(height: int) -> None:
    """Codes of two bits: a match scores 2, one bit off 0, both −2; in floats and in long integers."""
    keys, variables = key_kinds()
    query = Forms([ONE, bit("q", 0), bit("q", 1)], ExactMatrix.from_rows([[0, height, 0], [0, 0, height]]))
    found = compare_all(query, keys, variables, Fact("cells", ("q",)), weigh=height == 1)
    assert found is not None
    assert (found.gap, found.least_score) == (2 * height, 2 * height)
    if height == 1:
        assert float(found.leak) == pytest.approx(2 * np.exp(-2))  # from 0: the other two differ in one bit each
    silent = Forms([ONE], ExactMatrix.zeros(2, 1))
    assert compare_all(silent, keys, variables, Fact("cells", ("q",)), weigh=False) is None


def test_both_paths_must_agree() -> None:
    fact, other = Fact("cells", ("q",)), Fact("cells", ("r",))
    closed, general = Match(fact, HALF, Fraction(2), "closed"), Match(fact, Fraction(1, 3), Fraction(2), "general")
    assert agreed({"closed": closed}, 9) is closed
    assert agreed({"closed": closed, "general": general}, 9) is closed
    assert agreed({"closed": None, "general": general}, 9) is general
    assert agreed({"closed": replace(closed, leak=Fraction(1)), "general": general}, 9) is general
    for wrong in (replace(general, fact=other), replace(general, leak=Fraction(2, 3))):
        with pytest.raises(AssertionError, match=r"disagree: a bug, please report$"):
            agreed({"closed": closed, "general": wrong}, 9)


# --- the answer ---


def test_margins_that_are_none() -> None:
    assert _positive(HALF) == HALF
    for margin in (Fraction(0), Fraction(-1, 2)):
        assert refusal(lambda margin=margin: _positive(margin)) == (
            *("answer", "answer"),
            f"the margin of the answer's logit is {margin}",
        )


def test_an_answer_with_noise_needs_the_closed_form() -> None:
    keys, variables = key_kinds()
    noisy = Forms([ONE, bit("q", 0)], ExactMatrix.from_rows([[0, 1], [0, 0]])).plus(noise_rows([HALF, HALF]))
    assert refusal(lambda: _enumerated_margin(noisy, keys, Fact("cells", ("q",)), variables)) == (
        *("answer", "answer"),
        "the general path needs an answer without noise",
    )


def test_logits_that_single_out_nothing() -> None:
    document = construction(2, [])["model"]
    document["unembedding"]["declared"][0]["matrix"]["entries"] = []
    one = construction_from_document(document, "x")
    for path in ("closed", "general"):
        (failure,) = prove(one.model, one.stages, one.shape, path).failures
        assert str(failure).startswith("answer, kind w: the logits do not single out i1: ")
        assert (failure.rule, failure.clause) == ("answer", "missing bit")
        assert failure.details["problems"][0]["query_bit"] == "i1.0"
        assert failure.details["problems"][0]["absent"] == "key"


# --- P8, and how places are named ---


def test_sizes_at_the_limit() -> None:
    one = c1.build(Sizes(2, ()))
    setting = Setting(one.model, one.shape, Proof("closed"), lambda _done, _what: None)
    limit = one.model.precision.limit
    setting.require_size(form(one=limit), "stream")
    setting.require_size(form(one=-limit), "stream")
    assert refusal(lambda: setting.require_size(form(one=limit + 1), "stream")) == (
        *("P8", 0),
        f"may reach {limit + 1}, beyond 2^(p-f) = {limit}",
    )
    assert refusal(lambda: setting.require_size(form(one=-limit - 1), "hidden"))[:2] == ("P8", "hidden[0]")


def failures(document: dict[str, Any]) -> str:
    one = construction_from_document(document, "x")
    return "; ".join(map(str, prove(one.model, one.stages, one.shape).failures))


def with_bits(name: str, bits: int) -> dict[str, Any]:
    """The model with p bits, all of them before the point."""
    document = copy.deepcopy(real(name)["model"])
    document["precision"] |= {"p": bits, "fraction": 0}
    return document


def test_what_is_too_large_is_named() -> None:
    """Weights times 100 in one place, with p = 6: the place is in the text."""
    places = {
        ("C2 RF linear", 1, "W_Q"): "slot query[0]",
        ("C2 RF linear", 0, "W_V"): "slot value[0]",
        ("C2 RFF delta", 0, "W_K"): "slot key[0]",
        ("C2 RFF delta", 0, "W_V"): "slot value[0]",
        ("C6", 0, "W_V"): "slot value[0]",
        ("C7", 0, "C_K"): "slot summary key[0]",
    }
    for (name, layer, matrix), slot in places.items():
        document = with_bits(name, 6)
        head = document["layers"][layer]["heads"][0]
        for entry in head[matrix]["entries"]:
            entry[2] = 100
        assert slot in failures(document), (name, matrix, failures(document)[:300])
        assert "(P8)" in failures(document)
    document = with_bits("C2 RF linear", 6)
    for entry in document["layers"][0]["mlps"][0]["W_1"]["entries"]:
        entry[2] = 100
    assert "slot hidden[" in failures(document)
    for entry in document["layers"][0]["mlps"][0]["W_1"]["entries"]:
        entry[2] = 1
    for entry in document["layers"][0]["mlps"][0]["W_2"]["entries"]:
        entry[2] = 100
    assert "layer 1, kind" in failures(document)
    assert "hidden" not in failures(document)


def test_a_state_that_is_too_large() -> None:
    document = copy.deepcopy(real("C3")["model"])
    limit = 2 ** (document["precision"]["p"] - document["precision"]["fraction"])
    for layer in document["layers"]:
        for entry in layer["heads"][0]["W_V"]["entries"]:
            entry[2] = 2 * limit
    assert f"slot state: may reach {2 * limit:g}, beyond 2^(p-f) = {limit} (P8)" in failures(document)


# --- tables ---


def test_rows_that_no_code_declares() -> None:
    one = c6.build(TwoSumSizes(3, 5))
    table = one.model.tokens
    assert refusal(lambda: embedding._declared_mirrored(table, 7, Variable("x", 5), Variable("y", 5))) == (
        *("P1", "token"),
        "no token code is declared for the 5 rows from 7 on",
    )
    positions = c1.build(Sizes(2, ())).model.positions
    assert refusal(lambda: _declared(positions, 1, (2,), "position")) == (
        *("P1", "position"),
        "no position code is declared for rows 1 on with radices [2]",
    )
    assert [_is_prefix((2,), radices) for radices in ((), (2,), (3,), (2, 2))] == [True, True, False, False]
    (wide,) = [part.matrix for part in positions.segments if part.radices == (2,)]
    start = next(part.start for part in positions.segments if part.radices == (2,))
    assert _declared(positions, start, (1, 2, 1), "position") == wide  # digits of radix 1 are 0 and have no bits
    assert embedding.ROW_NUMBERS == 2**62


def test_a_claim_about_more_than_a_token() -> None:
    one = c6.build(TwoSumSizes(3, 5))
    stored = replace(one.model, tokens=one.model.tokens.stored())
    stage = one.stages[0]
    (kind,) = [kind for kind in one.shape.kinds if kind.mirror is not None][:1]
    claimed = stage[kind.name].forms
    odd = claimed.plus(Forms([ONE, bit("odd", 0)], ExactMatrix.from_entries((claimed.height, 2), [(0, 1, 1)])))
    assert refusal(lambda: embedding.embedding_forms(stored, kind, odd)) == (
        *("P1", "token"),
        "the claim about the embedding mentions more than x and M − x",
    )
    assert embedding.embedding_forms(stored, kind, claimed).ranges() == claimed.ranges()
    half = claimed.image(ExactMatrix.from_entries((claimed.height,) * 2, [(r, r, HALF) for r in range(claimed.height)]))
    rule, _, text = refusal(lambda: embedding.embedding_forms(stored, kind, half))
    assert (rule, text) == ("P1", "token row 1 is not what the invariant says")


# --- documents and certificates ---


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda stage: stage["forms"][0].__setitem__(0, 999), "invariants[0].w.forms[0] row"),
        (lambda stage: stage["forms"].append(stage["forms"][0]), "repeats symbol"),
        (lambda stage: stage["forms"][0].pop(), "invariants[0].w.forms[0] must be [row, symbol, number]"),
        (lambda stage: stage["noise"].append({"radius": 1, "column": [[999, 1]]}), ".column row"),
        (lambda stage: stage["noise"].append({"radius": 1, "column": [[1]]}), ".column must hold [row, number] pairs"),
        (lambda stage: stage["noise"].append({"radius": -1, "column": []}), ".radius must not be negative"),
    ],
)
def test_invariants_that_are_not_read(change: Callable[[Any], object], text: str) -> None:
    document = construction(2, [])["model"]
    change(document["invariants"][0]["w"])
    with pytest.raises(InputError) as refused:
        construction_from_document(document, "x")
    assert text in str(refused.value)


def test_invariants_must_be_a_list() -> None:
    document = construction(2, [])["model"]
    document["invariants"] = 1
    with pytest.raises(InputError, match=r"^invariants "):
        construction_from_document(document, "x")


def test_certificates_are_checked_before_they_are_given() -> None:
    one = c2.build(Sizes(2, ()), word="RF", family="linear")
    proof = prove(one.model, one.stages, one.shape)
    certificate = construction_certificate(one, proof, "t")
    assert certificate["claim"]["integral"] is True
    assert accepted(certificate) is certificate
    wrong = json.loads(json.dumps(certificate))
    wrong["claim"]["margin"] = 1000
    with pytest.raises(InputError, match=r"^no certificate: the kernel says: claim, margin"):
        accepted(wrong)
    with pytest.raises(InputError, match=r"^only a proof that holds has a certificate$"):
        construction_certificate(one, Proof("closed"), "t")


def test_names_of_the_search() -> None:
    assert all(hasattr(search, name) for name in search.__all__)
    assert len(search.__all__) == 5
