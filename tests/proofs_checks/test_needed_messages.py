"""Each class of messages is needed by two inputs of a model made by hand; one that nobody needs is found out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from proofs_checks.kit.delayed_levels import INTO_BELOW, Recursion
from proofs_checks.kit.four_table_cases import FFF, require_charges_a_l
from proofs_checks.kit.four_tables import Counting, FourTables, require_four_tables
from proofs_checks.kit.needed_messages import (
    INVENTED,
    ROUTED_A,
    Witness,
    require_all_needed,
    witnesses,
)
from proofs_checks.kit.needed_two_tables import BEHIND_1, BEHIND_2, BESIDE, TABLE_1_TO_W, require_needed_first
from proofs_checks.kit.routed_models import Hop, routed_model
from proofs_checks.kit.statement import CheckFailed
from proofs_checks.kit.window_flow import Fixed, fixed_messages
from separation.models.forward import streams
from separation.tasks.funccomp import Instance, Sizes, token_ids

CLASSES_A = {
    "the state behind table 1",
    "the states behind the windows",
    "layer 1, table 2 to w",
    "the first state",
    "layer 1 into w",
    "states into w",
    "the new boundary",
    "late states",
    "layer 1 into table 2",
    "layer 1 into z_0",
    "layer 1 into table 1",
    "last layer into w",
}


def test_every_class_is_needed_and_an_invented_one_is_not() -> None:
    found = {name: witness for case in ROUTED_A for name, witness in witnesses(case).items()}
    assert set(found) == CLASSES_A
    require_all_needed(CLASSES_A, ROUTED_A)
    with pytest.raises(CheckFailed, match=f"no transcript needs {INVENTED}"):
        require_all_needed({*CLASSES_A, INVENTED}, ROUTED_A)


@pytest.mark.parametrize("place", [0, 6])
def test_without_its_way_a_class_is_not_needed(place: int) -> None:
    """The token that hears of table 3 tells z_0 in the last layer, and not w."""
    case = ROUTED_A[0]
    name = list(witnesses(case))[place // 2]
    cut = tuple(replace(hop, receiver=12) if i == place + 1 else hop for i, hop in enumerate(case.hops))
    with pytest.raises(CheckFailed, match="no transcript needs"):
        require_all_needed({name}, [replace(case, hops=cut)])


def test_a_witness_says_what_differs() -> None:
    witness = witnesses(ROUTED_A[1])["late states"]
    assert str(witness) == (
        "late states (RFRFR): table 3 = (0, 0, 0, 0) and (0, 0, 1, 0), table 2 = (0, 0, 0, 0), "
        "table 1 = (0, 0, 0, 1), z_0 = 2, w = (0, 0), all other messages equal: w hears 00 and 01"
    )
    assert isinstance(witness, Witness)
    one, other = witness.inputs
    assert one != other


@pytest.mark.parametrize("kept", [0, 1])
def test_a_hop_brings_the_number_to_its_receiver_and_nowhere_else(kept: int) -> None:
    """Table 2's first entry by a full head to z_0 and on by a state to w: the last column of w's stream."""
    sizes = Sizes(2, (1,))
    hops = (Hop(1, 0, 4), Hop(2, 4, 5, carried=0, recurrent=True))
    model = routed_model("FR", sizes, hops)
    assert model.word == "FR"
    instance = Instance(sizes, 1, ((0, 1), (kept, 1)), (0,))
    *_, stream = streams(model, token_ids(instance)[None])
    heard = stream.values[0][:, -2:]
    assert heard[4].tolist() == [kept, 0]
    assert heard[5].tolist() == [0, kept]
    assert not heard[:4].any()


def test_with_four_tables_a_charge_less_and_a_way_less_are_found() -> None:
    by_tokens, _ = FFF
    require_charges_a_l(Recursion(), by_tokens)
    with pytest.raises(CheckFailed, match="step 2: charged are"):
        require_charges_a_l(Recursion(frozenset({INTO_BELOW})), by_tokens)
    with pytest.raises(CheckFailed, match=r"no transcript needs .*step 3: layer 2 into z_0, step 3: layer 3 into w$"):
        require_four_tables([by_tokens])


class Invented(FourTables):
    """One message more is fixed: what z_0 hears of table 4 in the last layer, once for all copies."""

    @property
    def messages(self) -> list[Fixed]:  # type: ignore[override]
        paid = [message for message in fixed_messages(4) if message.kind == "soft" and self.received(message)]
        return [*paid, Fixed("soft", 3, 3, 0, "", 3, frozenset({"a1"}))]


def test_with_four_tables_an_invented_message_is_not_needed() -> None:
    """Table 4's last entry goes that way alone, so two tables 4 differ in nothing else; w does not hear of it."""
    _, into_w = FFF
    needed = {name for name, _ in Counting(Invented(**vars_of(into_w))).needed()}
    assert "step 3: layer 3 into w" in needed
    assert "step 3: layer 3 into z_0" not in needed


def vars_of(case: FourTables) -> dict[str, Any]:
    """Its fields, with a hop that tells z_0 in the last layer."""
    hops = (*case.hops, Hop(3, 3, 16))
    return {"word": case.word, "sizes": case.sizes, "u": case.u, "varied": case.varied, "hops": hops}


def test_with_two_tables_what_is_fixed_first_is_needed_and_a_way_less_is_found() -> None:
    require_needed_first({BEHIND_1, BEHIND_2, TABLE_1_TO_W}, [BESIDE])
    told_nothing = replace(BESIDE, hops=tuple(replace(hop, if_told=None) for hop in BESIDE.hops))
    with pytest.raises(CheckFailed, match=f"no transcript needs {TABLE_1_TO_W}, {BEHIND_1}"):
        require_needed_first({BEHIND_1, BEHIND_2, TABLE_1_TO_W}, [told_nothing])
