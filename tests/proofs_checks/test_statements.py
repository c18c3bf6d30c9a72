"""The proof book: every statement holds, its twins are rejected for a reason, the page says what the checks say."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from proofs_checks import Checked, CheckFailed, Statement, Status, Steps, all_statements, table_of
from proofs_checks.kit.coq.record import proved_in_coq
from separation.arithmetic import PrecisionOverflow

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "statements.md").read_text()
TABLE = PAGE.partition("<!-- generated: statements -->\n")[2].partition("<!-- /generated -->")[0].splitlines()
BOOK = {statement.id: statement for statement in all_statements()}


def status_left(statement: Statement, own: Status, table: Sequence[str]) -> Status:
    """The weakest of what the check gave and of what the table says of the claims below, whose rows are tested too."""
    by_value = {status.value: status for status in Status}
    said = {row.split(" | ")[0].removeprefix("| "): row.split(" | ")[2] for row in table[2:]}
    return max([own, *(by_value[said[other]] for other in statement.rests_on)], key=lambda status: status.rank)


def is_in_the_table(statement: Statement, checked: Checked, table: Sequence[str]) -> bool:
    """Some row says the id, the title, the status that is left, and the scope, and nothing else."""
    status, scope = status_left(statement, checked.status, table), checked.scope
    if theorems := proved_in_coq(statement.id):
        status, scope = Status.COQ, f"{', '.join(theorems)}; its own check: {scope}"
    return table_of([(statement.id, statement.title, status.value, scope)]).splitlines()[-1] in table


def same_thing(subject: Any) -> Any:
    """Another object that says the same: a check that goes by which object it is given rejects it."""
    if callable(subject):
        return lambda *inputs, **named: subject(*inputs, **named)
    # A plain tuple is its own copy, so it is built anew; of a number or a text there is no other object.
    return tuple(part for part in subject) if type(subject) is tuple else copy.copy(subject)


def overpromises(title: str, checked: Checked) -> list[str]:
    """What is known at finitely many sizes says so in its title, with the numbers of its scope."""
    if checked.status.rank <= Status.PARTLY_BY_HAND.rank or checked.status is Status.CITED:
        return []
    sizes = set(re.findall(r"\d+", checked.scope))
    faults = [number for number in re.findall(r"(?:up to|at|=) (\d+)", title) if number not in sizes]
    large = re.findall(r"\b(?:every|all|always|any|solves?|needs?|reach|cannot|closes)\b", title)
    small = re.search(r"\b(?:given|small|random)\b|\bup to \d|\w = \d", title)
    return faults if small else faults + large


@pytest.mark.parametrize("statement", BOOK.values(), ids=BOOK)
def test_a_statement_holds_and_its_twins_are_rejected(statement: Statement) -> None:
    """What counts is what is said, not which object says it: the check is given another one."""
    review = replace(statement, subject=same_thing(statement.subject)).review()
    assert set(review.rejections) == set(statement.twins)
    assert all(reason.strip() for reason in review.rejections.values())
    assert is_in_the_table(statement, review.checked, TABLE)
    assert proved_in_coq(statement.id) or overpromises(statement.title, review.checked) == []
    if isinstance(statement.check, Steps):
        broken = {name for names in review.refused_by.values() for name in names}
        assert broken == {step.name for step in statement.check.by_machine}


@pytest.mark.slow
@pytest.mark.parametrize("statement", BOOK.values(), ids=BOOK)
def test_the_order_of_statement_and_twins_does_not_matter(statement: Statement) -> None:
    """What a check remembers from one thing does not decide on another: here the twins come first, the last before."""
    rejected = 0
    for twin in reversed(statement.twins.values()):
        with pytest.raises(CheckFailed):
            statement.check(twin)
        rejected += 1
    assert rejected == len(statement.twins)
    assert is_in_the_table(statement, statement.check(statement.subject), TABLE)


def test_the_readme_has_a_row_for_each_statement() -> None:
    assert [row.split(" | ")[0].removeprefix("| ") for row in TABLE[2:]] == list(BOOK)
    assert TABLE[:2] == table_of([]).splitlines()


def test_a_twin_that_passes_fails_the_statement() -> None:
    lenient = replace(BOOK["S4"], twins={"the statement itself": BOOK["S4"].subject})
    with pytest.raises(CheckFailed, match="was not rejected"):
        lenient.run()


def test_an_error_rejects_nothing() -> None:
    """A twin that makes the check stumble is no false neighbour that it saw through."""
    stumbling = replace(BOOK["S2"], twins={"no formula": None})
    with pytest.raises(CheckFailed, match="'no formula' of S2 ended in TypeError, which decides nothing"):
        stumbling.run()
    with pytest.raises(CheckFailed, match="the check of S2 ended in TypeError, which decides nothing"):
        replace(BOOK["S2"], subject=None).run()


def test_a_check_must_say_what_it_established() -> None:
    silent = replace(BOOK["S4"], check=lambda _subject: None)  # type: ignore[arg-type, return-value]
    with pytest.raises(CheckFailed, match="the check of S4 ended in None, which decides nothing"):
        silent.run()


@pytest.mark.parametrize("status", ["proved in Coq", None, 0, "certain"])
def test_the_set_of_statuses_is_closed(status: Any) -> None:
    with pytest.raises(TypeError, match="is no status; the closed set is proved in Coq, proved for all sizes"):
        Checked(status, "a look", "once")
    typed = replace(BOOK["S4"], check=lambda _subject: Checked(status, "a look", "once"))
    with pytest.raises(CheckFailed, match="ended in TypeError"):
        typed.run()


def test_the_statuses_are_these_in_the_docs_too() -> None:
    listed = PAGE.partition("| status |")[2].partition("\n\n")[0].splitlines()
    assert [line.split(" | ")[0].removeprefix("| ") for line in listed[2:]] == [status.value for status in Status]


@pytest.mark.parametrize(("method", "scope"), [("", "once"), ("a look", "")])
def test_a_status_comes_with_its_method_and_its_scope(method: str, scope: str) -> None:
    with pytest.raises(TypeError, match="needs the method"):
        Checked(Status.TESTED, method, scope)


@pytest.mark.parametrize("id", ["C1", "C2", "C3", "C4", "C5", "C6", "C7"])
def test_the_exact_run_refuses_a_broken_construction_without_the_prover(id: str) -> None:
    """Some twin of each, all inputs of tiny sizes against the oracle: what the prover refuses is wrong indeed."""
    run = import_module(f"proofs_checks.statements.{id.lower()}").ROW.run
    refused = 0
    for twin in BOOK[id].twins.values():
        try:
            run.check(twin)
        except CheckFailed as reason:
            refused += "wrong on token ids" in str(reason)
        except PrecisionOverflow:
            continue  # a number outside of its bits is no answer
    assert refused
