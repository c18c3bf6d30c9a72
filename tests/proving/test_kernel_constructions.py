"""Whole constructions: the kernel accepts them at all sizes and in other forms, and counts the bits of their states.

What it accepts is compared with a plain exact evaluation of the model on all inputs. Changed ones: tests/certificates
and tests/fuzzing.
"""

from __future__ import annotations

import itertools
import json
import re
from fractions import Fraction

import pytest
from kernel_cases import SIZES, at, change, construction, head, real
from run_truth import construction_holds

from separation.proving.kernel import check_certificate, check_text


def test_c1_is_accepted_and_every_field_of_its_claim_is_said() -> None:
    for (m, n), stored in itertools.product(SIZES, (False, True)):
        document = construction(m, n, stored=stored)
        verdict = check_text(json.dumps(document))
        assert verdict.ok, verdict.message
        del document["claim"]["construction"]  # a label, of which nothing is claimed
        heads = [head for layer in document["model"]["layers"] for head in layer["heads"]]
        dim = max(head["W_V"]["shape"][0] for head in heads)
        found = {"attention": "causal", "message": {"heads": 1, "dim": dim, **document["claim"]["precision_bits"]}}
        assert (verdict.kind, verdict.claim) == ("construction", document["claim"] | found)
        if (m, n) in [(2, []), (3, []), (2, [1]), (1, [2])]:
            assert construction_holds(document)


def test_states_without_a_grid_have_no_number_of_bits() -> None:
    """C2's head also stores found, within ±1 and on no known grid, at a feature that nobody asks for."""
    document = real("C2 FR linear")
    spare, noisy = head(document, 2), at(document, "pointer")
    assert document["model"]["invariants"][1]["w"]["noise"]
    for key in ("W_Q", "W_K", "b_Q", "b_K"):
        spare[key]["shape"][0] += 1
    change(spare["b_K"], 1, 0, 1)
    change(spare["b_Q"], 1, 0, -1)
    assert [item[1] for item in spare["W_V"]["entries"]] == [noisy]
    unit = 2 ** document["model"]["precision"]["fraction"]
    tokens, bound = 4, 2 ** (document["model"]["precision"]["p"] - document["model"]["precision"]["fraction"])
    assert tokens <= bound
    extra = (2 * tokens * unit).bit_length() + 3  # from −4 to 4 in steps of 2^-f, and a normaliser of at most 4
    document["claim"]["state_bits"] += extra
    assert check_certificate(document).ok
    document["claim"]["state_bits"] -= 1
    assert check_certificate(document).message == f"claim, state_bits: {2 + extra} claimed, {3 + extra} proved"
    document["claim"] |= {"integral": False, "state_bits": 10**6}
    assert check_certificate(document).message == "claim, state_bits: 1000000 claimed, None proved"
    document["claim"]["state_bits"] = None
    assert check_certificate(document).ok


@pytest.mark.parametrize(
    ("name", "layer", "queries", "keys", "outputs"),
    [("C3", 2, 0, 1, 1), ("C3", 2, 1, 0, 1), ("C2 RF linear", 1, 0, 1, 0)],
)
def test_integral_needs_products_on_the_grid(name: str, layer: int, queries: int, keys: int, outputs: int) -> None:
    """Features of height 2^-f and values of ±1/2: each is on the grid; the state, or else the output, is not."""
    document = real(name)
    unit, changed = 2 ** document["model"]["precision"]["fraction"], head(document, layer)
    factors = {
        "Q": Fraction(1, unit**queries),
        "K": Fraction(1, unit**keys),
        "V": Fraction(1, 2),
        "O": 2 * unit**outputs,
    }
    for key, part in changed.items():
        for item in part["entries"] if key[-1] in factors else []:
            item[2] = str(item[2] * factors[key[-1]])
    said = check_certificate(document).message
    assert re.match(f"layer {layer}, kind every, slot W_[QV]: integral", said)
    document["claim"]["integral"] = False
    assert check_certificate(document).ok
    assert construction_holds(document)
