"""C1 proved for all inputs, by both paths, at many sizes and in other coordinates."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from weight_changes import proof_of, with_stored_tables

from constructions.c1 import build, least_temperature
from separation.arithmetic import ExactMatrix, exp_ball, upper_fraction
from separation.files import InputError
from separation.proving import Construction, construction_certificate, construction_from_document, prove
from separation.proving.heads import agreed
from separation.proving.kernel import check_text
from separation.tasks.funccomp import Sizes

SMALL = [
    *(Sizes(m, ()) for m in (2, 3, 5, 8, 16)),
    *(Sizes(m, (n,)) for m, n in ((2, 1), (2, 2), (3, 1), (3, 5), (8, 8), (7, 1))),
    *(Sizes(m, n) for m, n in ((2, (1, 1)), (3, (2, 4)), (2, (1, 5)), (4, (4, 4)), (2, (2, 2, 2)), (2, (1,) * 6))),
]


@pytest.mark.parametrize("sizes", SMALL, ids=str)
def test_both_paths_prove_c1_and_agree(sizes: Sizes) -> None:
    construction = build(sizes)
    proofs = {path: proof_of(construction, path) for path in ("closed", "general", "both")}
    for path, proof in proofs.items():
        assert proof.ok, (path, proof.failures[:1])
        assert proof.margin == 2
    last = {path: [s for s in p.look_ups if s.kind == "w"] for path, p in proofs.items()}
    assert [s.match.fact for s in last["closed"]] == [s.match.fact for s in last["general"]]
    assert [s.match.fact.kind for s in last["closed"]] == ["z0", *(f"table {k}" for k in range(1, sizes.L + 1))]
    for closed, general in zip(last["closed"], last["general"], strict=True):
        assert float(closed.match.leak) >= float(general.match.leak) * (1 - 1e-9)


def test_the_paths_give_equal_leaks_when_all_codes_of_the_asked_table_occur() -> None:
    # L = 1, m = 2^k: the keys of table 1 are all codes of k bits; only the tags of the other two kinds add to it.
    proof = {path: proof_of(build(Sizes(16, ())), path) for path in ("closed", "general")}
    leaks = {path: [s.match.leak for s in p.look_ups if s.kind == "w"][-1] for path, p in proof.items()}
    assert float(leaks["closed"]) == pytest.approx(float(leaks["general"]), rel=1e-9)


def test_the_leak_is_within_the_bound_for_distinct_codes() -> None:
    sizes = Sizes(4, (4, 4))
    construction = build(sizes)
    head = construction.model.layers[0].heads[0]
    bits, tau = head.w_q.shape[0], head.shift / head.w_q.shape[0]
    bound = upper_fraction((1 + exp_ball(-2 * tau)) ** bits - 1)
    leaks = [step.match.leak for step in proof_of(construction).look_ups if step.kind == "w"]
    assert leaks
    assert all(0 < leak <= bound for leak in leaks)


@pytest.mark.parametrize(
    "sizes", [Sizes(8, (8,) * 4), Sizes(2**20, ()), Sizes(2**40, (2**33, 5)), Sizes(3, (7,) * 6)], ids=str
)
def test_closed_form_reaches_any_size(sizes: Sizes) -> None:
    construction = build(sizes)
    proof = proof_of(construction)
    assert proof.ok, proof.failures[:1]
    assert construction.model.width <= 6 * sizes.length.bit_length() + 2 * sizes.L + 8
    assert len(construction.model.layers) == sizes.L + 1
    assert construction.model.heads == 1


def test_stored_tables_are_read_row_by_row() -> None:
    for sizes in (Sizes(5, ()), Sizes(3, (2, 4))):
        assert proof_of(with_stored_tables(build(sizes)), "both").ok


def _unimodular(width: int, rng: np.random.Generator) -> ExactMatrix:
    lower = np.tril(rng.integers(-1, 2, (width, width)), -1) + np.eye(width, dtype=np.int64)
    upper = np.triu(rng.integers(-1, 2, (width, width)), 1) + np.eye(width, dtype=np.int64)
    return ExactMatrix(lower @ upper)


def _rational(width: int, rng: np.random.Generator) -> ExactMatrix:
    return ExactMatrix(rng.integers(-3, 4, (width, width)), 2)


@pytest.mark.parametrize("kind", [_unimodular, _rational])
@pytest.mark.parametrize("sizes", [Sizes(4, ()), Sizes(3, (2,)), Sizes(4, (4, 4))], ids=str)
def test_c1_is_proved_after_a_random_exact_change_of_basis(sizes: Sizes, kind: object) -> None:
    construction = build(sizes)
    changed = construction.in_basis(kind(construction.model.width, np.random.default_rng(1)))  # type: ignore[operator]
    # Coordinates are larger in the new basis, so activations need more whole bits; the fraction stays.
    precision = replace(changed.model.precision, bits=changed.model.precision.bits + 24)
    changed = replace(changed, model=replace(changed.model, precision=precision))
    proof = proof_of(changed, "both")
    assert proof.ok, proof.failures[:1]
    assert proof.margin == proof_of(construction).margin


def test_a_changed_basis_without_changed_invariants_is_rejected() -> None:
    construction = build(Sizes(3, (2,)))
    changed = construction.in_basis(_unimodular(construction.model.width, np.random.default_rng(1)))
    assert not prove(changed.model, construction.stages, construction.sizes.shape()).ok


def test_least_temperature_is_the_least() -> None:
    for bits in (1, 5, 20, 60):
        tau = least_temperature(bits)
        assert upper_fraction((1 + exp_ball(-2 * tau)) ** bits) <= Fraction(9, 8)
        if tau > 1:
            assert upper_fraction((1 + exp_ball(-2 * (tau - 1))) ** bits) > Fraction(9, 8)


def test_disagreeing_paths_are_an_error() -> None:
    match = next(step.match for step in proof_of(build(Sizes(4, ()))).look_ups if step.kind == "w")
    too_much = replace(match, leak=match.leak * 2, path="general")
    assert agreed({"closed": match, "general": match}, 6) is match
    with pytest.raises(AssertionError, match="disagree"):
        agreed({"closed": match, "general": too_much}, 6)


def test_tokens_that_only_hold_junk_look_nothing_up() -> None:
    # A table token's query depends on junk: its output is only known to lie in the hull of all values.
    assert not [step for step in proof_of(build(Sizes(3, (2,)))).look_ups if step.kind.startswith("table")]


def test_sizes_beyond_53_bits_survive_the_file_and_the_kernel() -> None:
    construction = build(Sizes(2**40, (2**33, 5)))
    proof = proof_of(construction)
    certificate = construction_certificate(construction, proof, "test")
    again = construction_from_document(json.loads(json.dumps(certificate["model"])), "again")
    assert again.sizes == construction.sizes
    assert check_text(json.dumps(certificate)).ok


def at_temperature(construction: Construction, factor: Fraction) -> Construction:
    """Every query and shift times a factor."""
    layers = []
    for layer in construction.model.layers:
        (head,) = layer.heads
        layers.append(replace(layer, heads=(replace(head, w_q=head.w_q.scaled(factor), shift=head.shift * factor),)))
    return replace(construction, model=replace(construction.model, layers=tuple(layers)))


def test_what_only_enumeration_proves_gets_no_certificate() -> None:
    # Five keys of three bits: with q = e^{-2τ} they leak 4q + 2q² at most (two other tokens included), all eight codes
    # would leak 4q + 4q² + q³. At τ = 31/24 the clip absorbs the first (λ ≤ 0.3196 at f = 6) and not the second.
    construction = at_temperature(build(Sizes(5, ()), temperature=1), Fraction(31, 24))
    assert not proof_of(construction, "closed").ok
    proof = proof_of(construction, "general")
    assert proof.ok
    with pytest.raises(InputError, match="no certificate: the proof holds, but the kernel says"):
        construction_certificate(construction, proof, "test")


def test_a_certificate_beyond_the_kernels_limits_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    construction = build(Sizes(3, (2,)))
    proof = proof_of(construction)
    monkeypatch.setattr("separation.proving.kernel.MAX_WORK", 100)
    with pytest.raises(InputError, match="the kernel says: declined: the check takes more work"):
        construction_certificate(construction, proof, "test")
