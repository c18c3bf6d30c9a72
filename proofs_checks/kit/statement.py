"""What a statement of the proof book is, and how its check is made of steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from proofs_checks.kit.verdict import DERIVED, IN_LETTERS, Done, Undecided, recorded
from proofs_checks.kit.verdict import ByHand as ByHand
from proofs_checks.kit.verdict import Checked as Checked
from proofs_checks.kit.verdict import CheckFailed as CheckFailed
from proofs_checks.kit.verdict import Status as Status
from proofs_checks.kit.verdict import require as require


class Lazy:
    """Something that is built on first use: importing a statement builds nothing."""

    def __init__(self, build: Callable[[], Any]) -> None:
        self._build = build

    @cached_property
    def value(self) -> Any:
        return self._build()


def made(thing: Any) -> Any:
    """What a `Lazy` builds; anything else is itself."""
    return thing.value if isinstance(thing, Lazy) else thing


@dataclass(frozen=True)
class Step:
    """``check(subject)`` raises CheckFailed if the subject breaks this part of the statement.

    ``finite``: it covers finitely many sizes, though in symbols; so does every step that asks neither z3 nor sympy.
    """

    name: str
    check: Callable[[Any], object]
    finite: bool = False

    def run(self, subject: Any) -> Done:
        with recorded() as asked:
            self.check(subject)
        if not asked:
            raise Undecided(f"the step {self.name!r} asked nothing")
        by = tuple(dict.fromkeys(asked))
        return Done(self.name, by, in_letters=bool(IN_LETTERS & set(by)) and not self.finite)


@dataclass(frozen=True)
class Steps:
    """A check: all steps ``by_machine``, and named sentences ``by_hand`` that lead from them to the statement."""

    scope: str
    by_machine: tuple[Step, ...]
    by_hand: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [step.name for step in self.by_machine] + [step.name for step in self.steps_by_hand]
        if len(set(names)) < len(names) or not all(name.strip() for name in names):
            raise TypeError(f"steps need names of their own: {names}")

    @property
    def steps_by_hand(self) -> tuple[ByHand, ...]:
        return tuple(ByHand(name, sentence) for name, sentence in self.by_hand.items())

    def __call__(self, subject: Any) -> Checked:
        done = tuple(step.run(subject) for step in self.by_machine)
        return Checked(self._status(done), self._method(done), self.scope, done, self.steps_by_hand)

    def _status(self, done: tuple[Done, ...]) -> Status:
        """For all sizes only if some step covers them all; by machine only if nothing is left to the reader."""
        if not any(step.in_letters for step in done):
            return Status.EXHAUSTIVE
        return Status.PARTLY_BY_HAND if self.by_hand else Status.BY_MACHINE

    def _method(self, done: tuple[Done, ...]) -> str:
        parts = [f"{step.name} ({step.worker})" for step in done]
        parts += [f"{name} (by hand)" for name in self.by_hand]
        return "; ".join(parts)


@dataclass(frozen=True)
class Review:
    """What a check established of a statement, and for what reason it rejected each broken twin.

    ``refused_by``: for each twin the steps that were seen to refuse it on their own; of a check without steps none.
    """

    checked: Checked
    rejections: Mapping[str, str]
    refused_by: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Hypothesis:
    """``holds(subject)``: what a statement assumes; ``outside`` is something that it excludes, or `Lazy`."""

    text: str
    holds: Callable[[Any], bool]
    outside: Any

    def admits(self, thing: Any) -> bool:
        return bool(self.holds(made(thing)))


@dataclass(frozen=True)
class Statement:
    """A statement, its check, and its broken twins.

    ``check(subject)`` returns what it established or raises CheckFailed; ``subject`` is the statement itself in a form
    that can be run (a formula, a function, weights), and each twin is a false one of the same form. A check for
    all sizes is made of `Steps`, and each step done by a machine refuses some twin on its own.
    ``rests_on``: claims that it uses, whose status caps its own; ``applies_to``: definitions, which claim only that the
    code matches the text. ``witness`` satisfies all ``hypotheses`` at once, so the statement is not vacuous, and each
    hypothesis excludes something, so it is a restriction.
    """

    id: str
    title: str
    latex: str
    english: str
    subject: Any
    check: Callable[[Any], Checked]
    twins: Mapping[str, Any] = field(default_factory=dict)
    applies_to: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    hypotheses: tuple[Hypothesis, ...] = ()
    witness: Any = None
    explanation: str = ""
    """What follows the sentence in docs/statements.md; without it that is in the docstring of the file."""

    def run(self) -> Checked:
        """Check the statement, its hypotheses, then every twin; a twin that passes is a failure of the check."""
        return self.review().checked

    def review(self) -> Review:
        """``run``, with the reason for which each twin was rejected."""
        checked = self._answer(self.check, self.subject, f"the check of {self.id}")
        derived = isinstance(self.check, Steps) or checked.status not in DERIVED
        require(derived, f"{self.id} says {checked.status.value!r}, which follows from steps or not at all")
        for hypothesis in self.hypotheses:
            witness, outside = (self._satisfies(hypothesis, thing) for thing in (self.witness, hypothesis.outside))
            require(witness, f"the witness of {self.id} does not satisfy: {hypothesis.text}")
            require(not outside, f"{self.id}: nothing is excluded by: {hypothesis.text}")
        if isinstance(self.check, Steps):
            rejections, refused_by = self._refused_in_steps(self.check.by_machine)
        else:
            rejections = self._all_refused({name: self._rejection(self.check, name) for name in self.twins})
            refused_by = {}
        return Review(checked, rejections, refused_by)

    def _all_refused(self, reasons: Mapping[str, str | None]) -> dict[str, str]:
        for name, reason in reasons.items():
            require(reason is not None, f"the broken twin {name!r} of {self.id} was not rejected")
        return {name: str(reason) for name, reason in reasons.items()}

    def _refused_in_steps(self, steps: tuple[Step, ...]) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
        """Each twin up to the first step that refuses it; then each step that refused none, on all twins."""
        reasons: dict[str, str | None] = dict.fromkeys(self.twins)
        refused_by: dict[str, tuple[str, ...]] = dict.fromkeys(self.twins, ())
        for name in self.twins:
            for step in steps:
                reasons[name] = self._rejection(step.run, name)
                if reasons[name] is not None:
                    refused_by[name] = (step.name,)
                    break
        rejections = self._all_refused(reasons)
        for step in steps:
            if not any(step.name in names for names in refused_by.values()):
                broken = list(islice((name for name in self.twins if self._refuses(step, name)), 1))
                require(bool(broken), f"no broken twin of {self.id} is refused by its step {step.name!r} alone")
                refused_by[broken[0]] += (step.name,)
        return rejections, refused_by

    def _refuses(self, step: Step, name: str) -> bool:
        """A twin that was refused before need not make sense to this step: an error is not a refusal."""
        try:
            return self._rejection(step.run, name) is not None
        except Undecided:
            return False

    def _satisfies(self, hypothesis: Hypothesis, thing: Any) -> bool:
        try:
            return hypothesis.admits(thing)
        except Exception as error:
            what = f"{self.id}: asking for {hypothesis.text!r}"
            raise CheckFailed(f"{what} ended in {type(error).__name__}, which decides nothing: {error}") from error

    def _rejection(self, check: Callable[[Any], Any], name: str) -> str | None:
        """Why a check, or a step of it, refuses a twin; None if it does not."""
        try:
            self._answer(check, self.twins[name], f"the broken twin {name!r} of {self.id}")
        except Undecided:
            raise
        except CheckFailed as reason:
            return str(reason)
        return None

    def _answer(self, check: Callable[[Any], Any], subject: Any, what: str) -> Any:
        """What the check says; an error that is not its verdict proves nothing, neither for a statement nor a twin."""
        try:
            checked = check(subject)
        except CheckFailed:
            raise
        except Exception as error:
            raise Undecided(f"{what} ended in {type(error).__name__}, which decides nothing: {error}") from error
        if checked is None or (check is self.check and not isinstance(checked, Checked)):
            raise Undecided(f"{what} ended in {checked!r}, which decides nothing")
        return checked
