"""Who did the work: steps by machine and by hand, the status that follows, and statements that would fool the book."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
import sympy as sp
import z3
from book_rules import Book, hand_not_named

from proofs_checks import ByHand, Checked, CheckFailed, Statement, Status, Step, Steps, all_statements
from proofs_checks.kit.solvers import require_no_numbers, require_relation, require_zero
from proofs_checks.kit.verdict import Undecided, require

n = sp.Symbol("n", positive=True)


def _one_more(total: Any) -> None:
    """S(n+1) − S(n) = n + 1."""
    require_zero(total(n + 1) - total(n) - (n + 1), "one number more adds something else")


def _none(total: Any) -> None:
    require_zero(total(sp.Integer(0)), "the empty sum is off")


def _counted(total: Any) -> None:
    for count in map(sp.Integer, range(6)):
        require(total(count) == sum(range(count + 1)), f"up to {count}: {total(count)}")


INDUCTION = ByHand("induction over n", "The formula holds for 0 and from n to n + 1, so for every n.")
GAUSS = Statement(
    id="G",
    title="a sum",
    latex="1+\\dots+n=n(n+1)/2",
    english="The sum of the numbers up to n.",
    subject=lambda count: count * (count + 1) / 2,
    check=Steps(
        "every n",
        (Step("one more", _one_more), Step("none", _none), Step("up to 5", _counted)),
        {INDUCTION.name: INDUCTION.sentence},
    ),
    twins={"n²/2": lambda count: count**2 / 2, "one too many": lambda count: count * (count + 1) / 2 + 1},
)


def changed(*steps: Step, **changes: Any) -> Statement:
    return replace(GAUSS, check=replace(GAUSS.check, by_machine=(*GAUSS.check.by_machine, *steps)), **changes)


def test_the_status_follows_from_who_did_the_work() -> None:
    assert GAUSS.run().status is Status.PARTLY_BY_HAND
    assert replace(GAUSS.check, by_hand={})(GAUSS.subject).status is Status.BY_MACHINE
    finite = replace(GAUSS.check, by_machine=(Step("up to 5", _counted),))
    assert finite(GAUSS.subject).status is Status.EXHAUSTIVE
    assert replace(finite, by_hand={})(GAUSS.subject).status is Status.EXHAUSTIVE
    some = replace(GAUSS.check, by_machine=(Step("one more", _one_more, finite=True),))
    assert some(GAUSS.subject).status is Status.EXHAUSTIVE


def test_each_twin_names_the_steps_that_refuse_it_alone() -> None:
    review = GAUSS.review()
    assert review.refused_by == {"n²/2": ("one more", "up to 5"), "one too many": ("none",)}
    for twin, names in review.refused_by.items():
        for step in (step for step in GAUSS.check.by_machine if step.name in names):  # type: ignore[attr-defined]
            with pytest.raises(CheckFailed):
                step.run(GAUSS.twins[twin])


# --- statements that would fool the book ---


def _true_of_other_numbers(_subject: Any) -> None:
    x = z3.Int("x")
    require_no_numbers([x > 0, x < 0], "no number")


@pytest.mark.parametrize(
    "vacuous",
    [
        lambda _subject: require(True, "never"),
        lambda subject: require(subject is not None, "never"),
        lambda subject: require_zero(subject(n) - subject(n), "never"),
        _true_of_other_numbers,
    ],
)
def test_a_vacuous_step_is_refused(vacuous: Any) -> None:
    with pytest.raises(CheckFailed, match="no broken twin of G is refused by its step 'vacuous' alone"):
        changed(Step("vacuous", vacuous)).run()


@pytest.mark.parametrize("silent", [lambda _subject: None, lambda _subject: True])
def test_a_step_that_asks_nothing_is_no_verdict(silent: Any) -> None:
    with pytest.raises(CheckFailed, match="the step 'silent' asked nothing"):
        changed(Step("silent", silent)).run()


def test_a_step_that_no_twin_reaches_is_refused() -> None:
    """Each twin is refused, but by the other steps."""
    with pytest.raises(CheckFailed, match="no broken twin of G is refused by its step 'none' alone"):
        replace(GAUSS, twins={"n²/2": GAUSS.twins["n²/2"]}).run()


def test_what_a_machine_does_not_decide_refuses_no_twin() -> None:
    """A twin on which a step stumbles, or gives up, is not broken by it."""

    def gives_up(subject: Any) -> None:
        require_relation(subject(sp.Integer(1)) > 0, "never")
        if subject(sp.Integer(2)) != 3:
            raise Undecided("z3 does not know")

    with pytest.raises(CheckFailed, match="its step 'gives up' alone"):
        changed(Step("gives up", gives_up)).run()


def test_a_status_for_all_sizes_is_not_typed() -> None:
    for status in (Status.BY_MACHINE, Status.PARTLY_BY_HAND):
        typed = replace(GAUSS, check=lambda _subject, status=status: Checked(status, "m", "s"), twins={})
        with pytest.raises(CheckFailed, match="which follows from steps or not at all"):
            typed.run()


def test_an_induction_that_is_not_named_is_found() -> None:
    """What can be seen: a file that speaks of an induction, and a statement that lists no step by hand."""
    silent = replace(GAUSS, check=replace(GAUSS.check, by_hand={}))
    for source in ("'''By induction over n.'''\n", "# and so, likewise, for n + 1\n", "# the rest is by hand\n"):
        assert hand_not_named(Book((silent,), {"g.py": source}))
        assert hand_not_named(Book((GAUSS,), {"g.py": source})) == []
    calm = {"g.py": "'''n(n+1)/2'''\n"}
    renamed = Steps("every n", (Step("S(n+1)", _one_more), Step("none", _none)))
    assert hand_not_named(Book((replace(silent, check=renamed),), calm)) == []
    # A step to one more is half of an induction, whatever else is by hand.
    other = replace(GAUSS.check, by_hand={"what a sum is": "A sum is taken number after number."})
    for check in (silent.check, other):
        assert hand_not_named(Book((replace(GAUSS, check=check),), calm)) == ["G: one more"]


@pytest.mark.parametrize(
    ("name", "sentence"), [("", "So it is."), ("so", ""), ("so", "no sentence"), (" ", "So it is.")]
)
def test_a_step_by_hand_is_a_named_sentence(name: str, sentence: str) -> None:
    with pytest.raises(TypeError, match="has a name and says a whole sentence"):
        Steps("every n", (Step("none", _none),), {name: sentence})


# --- what refutes, and what leaves open ---


def test_an_identity_is_refuted_by_a_point() -> None:
    require_zero(sp.log(n**2) - 2 * sp.log(n), "logarithms are off")
    with pytest.raises(CheckFailed, match="off by n, which is 2 at n = 2") as refuted:
        require_zero((n + 1) ** 2 - n**2 - n - 1, "squares are off")
    assert not isinstance(refuted.value, Undecided)


def test_what_z3_does_not_know_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proofs_checks.kit.solvers.EFFORT", 1000)
    x, y, z = z3.Ints("x y z")
    with pytest.raises(Undecided, match="z3 does not know"):
        require_no_numbers([x > 1, y > 1, z > 1, x**3 + y**3 == z**3], "Fermat")


# --- the book ---


def test_sentences_are_said_once() -> None:
    said = [
        (own.id, step.sentence)
        for own in all_statements()
        if isinstance(own.check, Steps)
        for step in own.check.steps_by_hand
    ]
    assert not [(a, b) for (a, x), (b, y) in product(said, repeat=2) if a < b and x == y]
