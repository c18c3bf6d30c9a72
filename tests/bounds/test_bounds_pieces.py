"""Certificates written out in full, and the pieces of the search one by one."""

from __future__ import annotations

import math

import pytest

from separation.architectures import read_fields
from separation.bounds import (
    Budget,
    Message,
    Parameters,
    Rule,
    Word,
    bound,
    bound_certificate,
    decide,
    decision_certificate,
    golden_parameters,
    least_golden,
    sparse_certificate,
    theorem_a,
    theorem_b,
    theorem_c,
    theorem_d,
)
from separation.bounds.papers import cpw_sizes
from separation.bounds.powers import PowerProduct, exact_json
from separation.bounds.symbolic import M, symbolic_theorem, x_symbol
from separation.files import InputError
from separation.tasks.funccomp import Sizes

ONE_TABLE = {"task": "funccomp", "m": 5, "n": []}


def test_a_bound_in_full() -> None:
    assert bound_certificate(theorem_a(Parameters(5, (), (5,)), 1, [8]), Message(2, 3, 4, 5), tool="t") == {
        "schema": "separation.certificate/1",
        "kind": "bound",
        "tool": "t",
        "claim": {
            "theorem": "A",
            "task": ONE_TABLE,
            "tokens": 7,
            "beta": 1,
            "lambda": [8],
            "message": {"heads": 2, "dim": 3, "P": 5, "p": 4},
        },
        "choice": {"x": [5], "reached": None, "free_start": False},
    }
    assert bound_certificate(theorem_b(Parameters(5, (), ()), 8, [0, 2]), tool="t") == {
        "schema": "separation.certificate/1",
        "kind": "bound",
        "tool": "t",
        "claim": {"theorem": "B", "task": ONE_TABLE, "tokens": 7, "beta": 8, "lambda": [0, 2], "message": None},
        "choice": None,
    }
    assert bound_certificate(theorem_c(Sizes(3, (2,)), 12), tool="t")["claim"] == {
        "theorem": "C",
        "task": {"task": "funccomp", "m": 3, "n": [2]},
        "tokens": 11,
        "beta": None,
        "lambda": [12],
        "message": None,
    }
    with pytest.raises(InputError, match=r"^only what is certified has a certificate$"):
        bound_certificate(theorem_c(Sizes(3, (2,)), 100))


def test_a_sparse_bound_in_full() -> None:
    assert sparse_certificate(theorem_d(11, 3, 1, 4), 6, tool="t") == {
        "schema": "separation.certificate/1",
        "kind": "bound",
        "tool": "t",
        "claim": {"theorem": "D", "modulus": 11, "block": 3, "open": 1, "blocks": 4, "summary_bits": 6},
        "choice": None,
    }
    with pytest.raises(InputError, match=r"^7 summary bits are not too few; 7 are needed$"):
        sparse_certificate(theorem_d(11, 3, 1, 4), 7)


def test_decisions_in_full() -> None:
    head = {"schema": "separation.certificate/1", "kind": "decision", "tool": "t"}
    solvable = {"layers": ["R", "F", "F"], "L": 2, "solvable": True, "construction": "C2"}
    assert decision_certificate(decide(Word.parse("RF2"), 2), tool="t") == {**head, "claim": solvable, "choice": None}
    stored = decide(Word.parse("R4"), 2, Budget(beta=1, state_bits=19), Sizes(3, (2,)))
    assert stored.reason == "3 R layers whose states hold 18 bits each, the largest table, solve it at these sizes"
    assert decision_certificate(stored, tool="t") == {
        **head,
        "claim": {
            "layers": ["R"] * 4,
            "L": 2,
            "solvable": True,
            "construction": "C3",
            "task": {"task": "funccomp", "m": 3, "n": [2]},
            "state_bits": 19,
        },
        "choice": None,
    }
    alone = decide(Word.parse("R2"), 2, Budget(beta=2, total=9), Sizes(3, (2,)))
    assert alone.reason == "Theorem C is certified at exactly these sizes"
    assert decision_certificate(alone, tool="t") == {
        **head,
        "claim": {
            "layers": ["R", "R"],
            "L": 2,
            "solvable": False,
            "theorem": "C",
            "task": {"task": "funccomp", "m": 3, "n": [2]},
            "tokens": 11,
            "beta": None,
            "lambda": [9],
            "message": None,
        },
        "choice": None,
    }
    undecided = decide(Word.parse("R2"), 2, Budget(beta=2, total=99), Sizes(3, (2,)))
    assert undecided.reason == "not decided at these sizes: L = 2 > depth 0, but no theorem (C) was certified here"
    with pytest.raises(InputError, match=r"^no certificate: what is not decided has nothing to certify$"):
        decision_certificate(undecided)


def test_numbers_of_a_certificate() -> None:
    assert (exact_json(2**53), exact_json(2**53 + 1)) == (2**53, str(2**53 + 1))
    assert exact_json(3 << 20_000) == {"powers": [[3, 1], [2, 20_000]]}
    assert exact_json(PowerProduct(((6, 1), (10, 30)))) == {"powers": [[6, 1], [10, 30]]}
    with pytest.raises(InputError, match=r"^no certificate: one of its numbers has more than 4,000 digits$"):
        exact_json((1 << 20_000) + 1)


def test_which_theorem_and_which_bits() -> None:
    budget = Budget(beta=1, total=2)
    for full, theorem, linear in ((2, "B", (0, 0, 2)), (1, "A", (2, 2)), (0, "C", (2,))):
        found = bound(2, budget, full_layers=full)
        ground = next(ground for ground in found.prompts if ground.theorem == theorem)
        claim = bound_certificate(ground)["claim"]
        assert (claim["theorem"], claim["lambda"]) == (theorem, list(linear))
        assert all(ground.certified for ground in found.prompts)
    with pytest.raises(InputError, match=r"^3 full layers solve L = 2 at all sizes \(C1\); a bound needs at most L"):
        bound(2, budget, full_layers=3)


def test_what_a_bound_says() -> None:
    found = bound(2, Budget.of(heads=1, dim=2, bits=2)).document()
    assert found["paper"] == {"tokens_log2": pytest.approx(1024 * 2)}
    assert found["cpw"] == {"tokens_log2": pytest.approx(256 * 2)}


def test_sizes_of_the_other_paper() -> None:
    found = cpw_sizes(2, 4)
    assert found.document()["tokens_log2"] == found.checks[0].tokens_log2
    assert [check.tokens_log2 for check in found.checks] == [found.checks[0].tokens_log2] * 4


def test_key_heads_of_a_delta_net() -> None:
    config = {
        "model_type": "qwen3_next",
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "hidden_size": 64,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "linear_num_key_heads": 3,
        "linear_num_value_heads": 6,
        "linear_key_head_dim": 5,
        "linear_value_head_dim": 7,
        "linear_conv_kernel_dim": 4,
        "dtype": "float16",
        "layer_types": ["linear_attention"] * 3 + ["full_attention"],
    }
    state = 6 * 5 * 7 * 32 + 3 * (2 * 3 * 5 + 6 * 7) * 16
    assert set(read_fields(config).states) >= {state}


# --- pieces of the search ---


def test_the_first_bits_count_in_the_golden_schedule() -> None:
    first = [least_golden(Rule.A, 2, 2, [bits, 5]).evaluation.parameters for bits in (1, 9)]
    assert first[0].as_integers() != first[1].as_integers()
    assert (
        golden_parameters(Rule.A, 2, 50, 9).as_integers().m == 9 * golden_parameters(Rule.A, 2, 50, 1).as_integers().m
    )


def test_a_cover_in_symbols() -> None:
    """𝖾·t_1 < 2·N_0 with t_1 = x_0·x_1."""
    relation = symbolic_theorem(Rule.A, 2).inequalities["C_1"]
    left = float(relation.lhs.subs({"x_0": 3, "x_1": 4}).subs({x_symbol(0): 3, x_symbol(1): 4}))
    assert left / float(relation.rhs.subs({M: 1})) == pytest.approx(math.e * 6)
