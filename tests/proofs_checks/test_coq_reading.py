"""Coq's inequalities as they are read: where powers and subtraction stop, texts that are not read, and altered ones."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import pytest

from proofs_checks import CheckFailed, all_statements
from proofs_checks.kit.coq.comparison import (
    IN_COQ,
    Comparison,
    Said,
    altered,
    is_same,
    require_same,
    same_quotient,
)
from proofs_checks.kit.coq.reading import Compared, CoqText, NotRead
from proofs_checks.kit.coq.statements import IN_COQ as LINKS


def test_powers_bind_to_the_right_and_numbers_stop_at_0() -> None:
    """What else the reader makes of Gallina is judged by the statements that are compared with it."""
    for text, value in (("2 ^ 3 ^ 2", 512), ("10 - 3 - 2", 5), ("0.-1", 0)):
        assert IN_COQ.value(text) == value


@pytest.mark.parametrize("text", ["1 +", "forall x, x", "[:: 1; 2", "1 2)", "match 1 with | 2"])
def test_what_is_not_read_is_refused(text: str) -> None:
    with pytest.raises(NotRead):
        IN_COQ.value(text)


def test_names_that_no_file_has_are_refused() -> None:
    with pytest.raises(NotRead, match="no file states nobody"):
        IN_COQ.function("nobody")
    with pytest.raises(NotRead, match="no file states nobody"):
        IN_COQ.compared("nobody")
    with pytest.raises(NotRead, match="do not say 'nothing of this'"):
        altered("nothing of this", "").compared("T_A2")


def test_a_side_that_is_off_by_one_bit_is_another_one() -> None:
    assert is_same(2**5000, 5000)
    assert not is_same(2**5000, 5001)
    assert not is_same(0, 3)
    assert is_same(7, 7)


def compared(left: int, right: int) -> Compared:
    return Compared(left, "<", right)


def test_a_broken_order_is_let_pass_only_where_both_say_no() -> None:
    """The calculator leaves out what makes no sense behind a broken order; it may not leave out anything else."""
    no, yes = compared(5, 3), compared(3, 5)
    assert require_same("", [no, yes], [Said(5, 3, False)]) == {False}
    assert require_same("", [yes, no], [Said(5, 3, False)]) == {False}
    with pytest.raises(CheckFailed, match="Coq has no broken order"):
        require_same("", [yes, yes], [Said(5, 3, False)])
    with pytest.raises(CheckFailed, match="Coq has 2 inequalities, the calculator 1"):
        require_same("", [no, yes], [Said(3, 5, True)])
    with pytest.raises(CheckFailed, match="Coq has 1 inequalities, the calculator 2"):
        require_same("", [no], [Said(5, 3, False), Said(3, 5, True)])


def test_a_side_that_was_divided_is_the_same_only_if_the_other_was_divided_too() -> None:
    """Coq has 2^7·9 < 2^5·81, the calculator 7 < log2(2^5·81/9), both divided by 9: bits alone on the left."""
    coq = compared(2**7 * 9, 2**5 * 81)
    divided = Said(7, Fraction(log2(2**5 * 9)), True)
    assert same_quotient(coq, divided)
    assert require_same("", [coq], [divided]) == {True}
    for twin in (Said(7, Fraction(log2(2**5 * 81)), True), Said(8, divided.right, True), Said(6, divided.right, True)):
        assert not same_quotient(coq, twin)
        with pytest.raises(CheckFailed, match="inequality 1 has other sides in Coq"):
            require_same("", [coq], [twin])
    with pytest.raises(CheckFailed, match="inequality 1 is True in Coq"):
        require_same("", [coq], [divided._replace(holds=False)])
    assert not same_quotient(compared(0, 8), Said(0, 3, True)), "0 has no logarithm"


def test_every_theorem_of_coq_that_the_calculator_has_is_compared() -> None:
    """What Coq proves is compared with its own text, by the statement's check, and an altered text is refused."""
    compared = {own.id: own for own in all_statements() if isinstance(own.subject, CoqText)}
    same = {link.id for link in LINKS if link.same}
    # Of these the check counts or runs what Coq proves.
    assert same - compared.keys() == {"C1.squares", "T.golden", "T.pad", "T.forty", "T.hard", "T.depth"}
    assert compared.keys() - same == {"T.A2.average", "T.D.average", "T.E"}, "of which Coq has a part, or other words"
    # Of these it compares numbers or shares, and not all inequalities of a theorem.
    others = {"L8", "M1", "M2", "T.D", "T.C.average", "T.D.average", "T.A2.average", "T.E"}
    for own in compared.values():
        assert isinstance(own.check, Comparison) or own.id in others
        assert all(isinstance(twin, CoqText) and twin.edits for twin in own.twins.values())


def test_a_calculator_that_differs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other way round: Coq's text is as it is, and the calculator charges one bit less."""
    from proofs_checks.statements import t_few_tables

    true = t_few_tables.theorem_a2
    cheaper = lambda m, n, theta, beta, linear: true(m, n, theta, max(0, beta - 1), linear)  # noqa: E731
    monkeypatch.setattr(t_few_tables, "theorem_a2", cheaper)
    with pytest.raises(CheckFailed, match="has other sides in Coq"):
        t_few_tables.A2.check(IN_COQ)
