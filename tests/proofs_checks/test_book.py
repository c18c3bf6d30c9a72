"""The book as a whole: no circles, no loose ends, nothing stronger than what it rests on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofs_checks import CheckFailed, Status, statement
from proofs_checks.book import capped, claims, claims_below, dependency_graph, require_not_stronger
from proofs_checks.messages import charges, first_levels
from proofs_checks.statement import Hypothesis
from separation.bounds import Word

CHAIN = (("A", (), ()), ("B", ("A",), ()), ("C", (), ()), ("D", ("B", "A"), ("C",)), ("E", (), ("A",)))
"""id, what it rests on, what it speaks of."""


def test_a_status_is_at_most_the_weakest_below_it() -> None:
    graph = dependency_graph([statement("s1_codes"), statement("s2_leakage")])
    strong = {"S1": Status.ALL_SIZES, "S2": Status.ALL_SIZES}
    assert capped(graph, strong) == strong
    require_not_stronger(graph, strong)
    weak = strong | {"S1": Status.TESTED}
    assert capped(graph, weak) == {"S1": Status.TESTED, "S2": Status.TESTED}
    with pytest.raises(CheckFailed, match="S2 says 'proved for all sizes"):
        require_not_stronger(graph, weak)


@pytest.mark.parametrize("weak", [Status.CITED, Status.OPEN], ids=str)
def test_what_rests_on_a_cited_or_open_statement_is_that_at_best(weak: Status) -> None:
    """Directly or through others, whatever its own check gives."""
    chain = [statement("s1_codes"), statement("s2_leakage"), statement("s3_look_up_error")]
    graph = dependency_graph(chain)
    for own in Status:
        left = capped(graph, {"S1": weak, "S2": Status.ALL_SIZES, "S3": own})
        assert left["S2"] is weak
        assert left["S3"] is max(weak, own, key=lambda status: status.rank)
        require_not_stronger(graph, left)
    # What is cited or open caps what rests on it, and not what it rests on itself.
    assert capped(graph, {"S1": Status.COQ, "S2": Status.COQ, "S3": weak})["S2"] is Status.COQ


def test_claims_are_told_from_what_is_spoken_of() -> None:
    book = [replace(statement("s1_codes"), id=id, rests_on=rests, speaks_of=spoken) for id, rests, spoken in CHAIN]
    graph = dependency_graph(book)
    assert claims_below(graph, "D") == {"A", "B"}
    assert claims_below(graph, "E") == set()
    assert list(claims(graph).edges) == [("A", "B"), ("A", "D"), ("B", "D")]
    assert list(claims(graph, reduced=True).edges) == [("A", "B"), ("B", "D")]
    assert "E" not in claims(graph)


def test_a_definition_does_not_cap() -> None:
    book = [statement("d2_exact_weights"), statement("m1_message_bits")]
    found = capped(dependency_graph(book), {"D2": Status.TESTED, "M1": Status.ALL_SIZES})
    assert found["M1"] is Status.ALL_SIZES


def test_circles_and_loose_ends_are_refused() -> None:
    first, second = statement("s1_codes"), statement("s2_leakage")
    with pytest.raises(CheckFailed, match="rest on each other"):
        dependency_graph([replace(first, rests_on=("S2",)), second])
    with pytest.raises(CheckFailed, match="which the book does not have"):
        dependency_graph([second])


def test_a_witness_that_fails_fails_the_statement() -> None:
    even = Hypothesis("n is even", lambda n: n % 2 == 0, outside=3)
    supposing = replace(statement("s1_codes"), hypotheses=(even,), witness=4)
    supposing.run()
    with pytest.raises(CheckFailed, match="the witness of S1 does not satisfy: n is even"):
        replace(supposing, witness=5).run()
    with pytest.raises(CheckFailed, match="nothing is excluded by: n is even"):
        replace(supposing, hypotheses=(replace(even, outside=8),)).run()
    with pytest.raises(CheckFailed, match="asking for 'n is even' ended in TypeError, which is no verdict"):
        replace(supposing, witness="four").run()


def test_what_must_be_fixed_is_read_off_the_word() -> None:
    """Theorem B, level 1: z_0's token counts once for each (z_0, z_1) in layer 2."""
    here, following = first_levels("B", 1)
    found = {
        (charge.receiver, charge.layer): charge.depends_on for charge in charges(Word.parse("FFR"), here, following)
    }
    assert found == {
        (-1, 2): frozenset({-1, 0}),
        (0, 1): frozenset({0}),
        (0, 2): frozenset({0, 1}),
        (1, 1): frozenset({1}),
        (1, 2): frozenset({1}),
    }
