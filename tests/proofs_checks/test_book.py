"""The book as a whole: its order, no circles, no loose ends, nothing stronger than what it rests on."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from proofs_checks import CheckFailed, Status, all_statements, statement
from proofs_checks.kit.book import (
    capped,
    claims,
    claims_below,
    dependency_graph,
    in_order,
    statement_files,
    statements_in,
)
from proofs_checks.kit.statement import Hypothesis

IMPORT_AND_COUNT = """
import json, z3
from separation.models import Model
built, check, solver = [], Model.__post_init__, z3.Solver.check
Model.__post_init__ = lambda model: (built.append("model"), check(model))[1]
z3.Solver.check = lambda *asked: (built.append("z3"), solver(*asked))[1]
import proofs_checks
proofs_checks.all_statements()
seen = [list(built)]
import constructions.c1 as c1; from separation.tasks.funccomp import Sizes
for act in (lambda: c1.build(Sizes(2, ())), lambda: proofs_checks.statement("C1").witness.value, z3.Solver().check):
    built.clear()
    act()
    seen.append(list(built))
print(json.dumps(seen))
"""
CHAIN = (("A", (), ()), ("B", ("A",), ()), ("C", (), ()), ("D", ("B", "A"), ("C",)), ("E", (), ("A",)))
"""id, what it rests on, what it speaks of."""


def test_files_are_found_and_each_statement_by_its_id(tmp_path: Path) -> None:
    in_files = [own.id for file in statement_files() for own in statements_in(file)]
    assert sorted(in_files) == sorted(own.id for own in all_statements())
    assert statement("t.d.AVERAGE") is statement("T.D.average")
    with pytest.raises(CheckFailed, match="the book has no statement S9"):
        statement("S9")
    for name in ("b.py", "a.py", "__init__.py", "a.txt"):
        (tmp_path / name).touch()
    assert statement_files(tmp_path) == ("a", "b")


def test_the_order_follows_from_what_rests_on_what() -> None:
    """Whatever the order of the files; where nothing rests on anything, by chapter, number and name."""
    book = list(all_statements())
    for seed in range(3):
        shuffled = Random(seed).sample(book, len(book))
        assert in_order(shuffled) == book
    free = [
        replace(statement("S1"), id=id, rests_on=(), applies_to=()) for id in ("C.keys", "C10", "C2.run", "C2", "D9")
    ]
    assert [own.id for own in in_order(free)] == ["D9", "C2", "C2.run", "C10", "C.keys"]
    assert [own.id for own in in_order([replace(free[-1], rests_on=("C2",)), *free[:-1]])][:2] == ["C2", "D9"]
    with pytest.raises(CheckFailed, match="begins with no chapter of the book"):
        in_order([replace(free[0], id="X1")])


def test_importing_the_book_builds_nothing() -> None:
    """No weights, and no solver is asked; what is done after the import (weights, a witness, a solver) is noticed."""
    done = subprocess.run([sys.executable, "-c", IMPORT_AND_COUNT], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [[], ["model"], ["model"], ["z3"]]


@pytest.mark.parametrize("weak", [Status.CITED, Status.OPEN], ids=str)
def test_what_rests_on_a_cited_or_open_statement_is_that_at_best(weak: Status) -> None:
    """Directly or through others, whatever its own check gives."""
    chain = [statement("s1"), statement("s2"), statement("s3")]
    graph = dependency_graph(chain)
    for own in set(Status) - {Status.COQ}:
        left = capped(graph, {"S1": weak, "S2": Status.BY_MACHINE, "S3": own})
        assert left["S2"] is weak
        assert left["S3"] is max(weak, own, key=lambda status: status.rank)
        assert capped(graph, left) == left
    # A proof in Coq uses no other statement of the book, so none of them caps it.
    assert capped(graph, {"S1": weak, "S2": Status.BY_MACHINE, "S3": Status.COQ})["S3"] is Status.COQ
    # What is cited or open caps what rests on it, and not what it rests on itself.
    assert capped(graph, {"S1": Status.COQ, "S2": Status.COQ, "S3": weak})["S2"] is Status.COQ


def test_claims_are_told_from_what_is_spoken_of() -> None:
    book = [replace(statement("s1"), id=id, rests_on=rests, applies_to=spoken) for id, rests, spoken in CHAIN]
    graph = dependency_graph(book)
    assert claims_below(graph, "D") == {"A", "B"}
    assert claims_below(graph, "E") == set()
    assert list(claims(graph).edges) == [("A", "B"), ("A", "D"), ("B", "D")]
    assert list(claims(graph, reduced=True).edges) == [("A", "B"), ("B", "D")]
    assert "E" not in claims(graph)


def test_a_definition_does_not_cap() -> None:
    book = [statement("d2"), statement("m1")]
    found = capped(dependency_graph(book), {"D2": Status.TESTED, "M1": Status.BY_MACHINE})
    assert found["M1"] is Status.BY_MACHINE


def test_circles_and_loose_ends_are_refused() -> None:
    first, second = statement("s1"), statement("s2")
    with pytest.raises(CheckFailed, match="rest on each other"):
        dependency_graph([replace(first, rests_on=("S2",)), second])
    with pytest.raises(CheckFailed, match="which the book does not have"):
        dependency_graph([second])


def test_a_witness_that_fails_fails_the_statement() -> None:
    even = Hypothesis("n is even", lambda n: n % 2 == 0, outside=3)
    supposing = replace(statement("s1"), hypotheses=(even,), witness=4)
    supposing.run()
    with pytest.raises(CheckFailed, match="the witness of S1 does not satisfy: n is even"):
        replace(supposing, witness=5).run()
    with pytest.raises(CheckFailed, match="nothing is excluded by: n is even"):
        replace(supposing, hypotheses=(replace(even, outside=8),)).run()
    with pytest.raises(CheckFailed, match="asking for 'n is even' ended in TypeError, which decides nothing"):
        replace(supposing, witness="four").run()
