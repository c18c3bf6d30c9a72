"""Certificates written out in full, and the pieces of the search one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from separation.architectures import bound_config, read_fields
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
from separation.bounds.schedules import golden_logarithms
from separation.bounds.search.branch_and_bound import _halves, _rounding_share, _whole, golden_start, sizes_box
from separation.bounds.search.fixed_point import shortest_prompt_of_model
from separation.bounds.search.local_search import LocalSearch, _moved, _step, _steps, few_digits, rounded
from separation.bounds.search.shortest_prompt import _certified
from separation.bounds.search.slack import SearchProblem
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
        ground = next(ground for ground in found.grounds if ground.theorem == theorem)
        claim = bound_certificate(ground)["claim"]
        assert (claim["theorem"], claim["lambda"]) == (theorem, list(linear))
        assert all(ground.certified for ground in found.grounds)
    with pytest.raises(InputError, match=r"^3 full layers solve L = 2 at all sizes \(C1\); a bound needs at most L"):
        bound(2, budget, full_layers=3)


def test_what_a_bound_says() -> None:
    found = bound(2, Budget.of(heads=1, dim=2, bits=2)).document()
    assert found["paper"] == {"n_log2": pytest.approx(1024 * 2)}
    assert found["cpw"] == {"n_log2": pytest.approx(256 * 2)}


def test_sizes_of_the_other_paper() -> None:
    found = cpw_sizes(2, 4)
    assert found.document()["n_log2"] == found.checks[0].tokens_log2
    assert [check.tokens_log2 for check in found.checks] == [found.checks[0].tokens_log2] * 4


def test_the_effort_of_a_config_is_read() -> None:
    config = {"model_type": "gpt2", "n_layer": 2, "n_head": 2, "n_embd": 8, "dtype": "float16"}
    with pytest.raises(InputError, match=r"^effort is 'no'; allowed are quick and thorough$"):
        bound_config(read_fields(config), effort="no")


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


def test_short_and_rounded_numbers() -> None:
    assert few_digits(12345) == 12345
    assert few_digits((1 << 60) + 1) == (1 << 60) + (1 << 13)
    assert [rounded(math.log2(5.5), r) for r in (0.0, 0.5, 1.0)] == [5, 6, 6]
    assert [rounded(0.0, 0.0), rounded(-3.0, 0.0), rounded(1.0, 0.0)] == [1, 1, 2]
    assert rounded(100.0, 0.0) == 1 << 100


def test_steps() -> None:
    assert _steps(5) == [1, -1, 2, -2, 3, -3]
    assert _steps(100) == [s * size for size in (1, 2, 3, 6, 12, 25, 50) for s in (1, -1)]
    large = 1 << 30
    assert _steps(large) == [s * size for size in sorted(large >> k for k in range(1, 16)) for s in (1, -1)]
    assert [_step(100, move) for move in ((1, 0), (-1, 0), (1, 2), (-1, 1))] == [1, -1, 25, -50]
    assert _moved([3, 4, 5], 1, -3) == [3, 1, 5]
    assert _moved([3, 4, 5], 1, -4) is None
    assert _moved([3, 4, 5], 2, -3) == [3, 4, 2]
    assert _moved([3, 4, 5], 2, -4) is None


def test_work_is_counted() -> None:
    problem = SearchProblem(Rule.A, 2, 3, (5, 5), False)
    descent = LocalSearch(problem, 100)
    for expected in (1 + 2, 1 + 2 + 1):  # one for the question, and L and a 64th of the bits for a new one
        descent.holds((2, 2, 2, 2))
        assert descent.spent == expected
    descent.holds((2, 2, 2, 1 << 130))
    assert descent.spent == 4 + 1 + 2 + 131 // 64


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("chosen", [False, True])
def test_where_the_real_search_starts(rule: Rule, chosen: bool) -> None:
    linear = {Rule.A: (3, 5, 5), Rule.A_FREE: (0, 5, 5), Rule.B: (0, 0, 5, 5)}[rule]
    problem = SearchProblem(rule, 3, 2, linear, chosen)
    golden = least_golden(rule, 3, 2, linear)
    start = golden_start(problem, golden)
    assert len(start) == (8 if chosen else 6)
    point = golden_parameters(rule, 3, golden.y, linear[0])
    at_y = SearchProblem(rule, 3, 2, linear, chosen)
    box = sizes_box(at_y, len(start), start)
    assert box.low[:6].tolist() == [0, 0, 0, 0, 0, 1]
    fixed = chosen and rule is Rule.A_FREE
    assert box.low[6:].tolist() == ([0.0 if fixed else -10.0, -10.0] if chosen else [])
    assert box.high[:6].tolist() == [pytest.approx(start[3:6].sum() + 1)] * 6
    assert (box.high[6:] == box.low[6:]).tolist() == ([fixed, False] if chosen else [])
    # the golden point itself, moved: no size is smaller than there
    exact = [
        *map(math.log2, point.as_integers().x),
        *map(math.log2, point.as_integers().n),
        math.log2(point.as_integers().m),
    ]
    assert (start[:6] >= np.array(exact) - 1e-9).all()


def test_boxes_are_cut_between_integers() -> None:
    problem = SearchProblem(Rule.A, 2, 3, (5, 5), False)
    box = sizes_box(problem, 4, np.array([1.0, 1.0, 3.0, 4.0]))
    below, above = _halves(box, 0, np.log2(np.array([2.5, 1, 1, 1])))
    assert (below.high[0], above.low[0]) == (math.log2(2), math.log2(3))
    (only,) = _halves(box.with_high(0, math.log2(2)), 0, np.log2(np.array([1.5, 1, 1, 1])))[:1]
    assert only.high[0] == 0.0
    whole = _whole(box, np.log2(np.array([2.6, 1.2, 5.5, 7.3])), 2)
    assert (whole.low[0], whole.high[0], whole.low[1], whole.high[1]) == (math.log2(3), math.log2(3), 0.0, 0.0)
    assert (whole.low[2:].tolist(), whole.high[2:].tolist()) == (box.low[2:].tolist(), box.high[2:].tolist())
    assert _rounding_share(math.log2(2.5)) == pytest.approx(0.2)
    assert _rounding_share(math.log2(3)) == pytest.approx(0, abs=1e-12)


def test_a_candidate_is_enlarged_until_it_is_certified() -> None:
    problem = SearchProblem(Rule.A, 1, 1, (8,), False)
    assert theorem_a(Parameters(3, (), (3,)), 1, [8]).certified is False
    found = _certified(problem, (3, 3))
    assert found is not None
    assert found.certified
    assert found.parameters.m == 10  # 3, then steps of 1, 2 and 4: 8 < 3·log2 m from 7 on
    assert _certified(SearchProblem(Rule.A, 1, 1, (10**80,), False), (3, 3)) is None


def test_covers_and_efforts_of_a_model() -> None:
    """The cover asked for is the one that is searched, and quick is searched once."""
    message = Message(1, 1, 1, 1)
    found = {cover: shortest_prompt_of_model("A", 2, message, (0, 0), cover=cover) for cover in ("half", "chosen")}
    assert found["half"].parameters.reached is None
    assert found["chosen"].parameters.reached is not None


def test_golden_logarithms_of_theta() -> None:
    """Θ_k is x_0⋯x_k·n_1⋯n_{k-1} halved k times."""
    z = golden_logarithms(Rule.A, 4, 7.0, 3)
    x, n, theta = z[:4], z[4:7], z[8:]
    assert theta == pytest.approx([sum(x[: k + 1]) + sum(n[: k - 1]) - k for k in (1, 2, 3)])


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
