"""Random command lines: most of them valid, the others one change away from a valid one, or nonsense."""

from __future__ import annotations

import re
import shlex
from functools import cache
from random import Random
from typing import Any, get_type_hints

import typer

from separation.verbs.commands import VERBS, application, command_of
from separation.verbs.options import flags
from separation.verbs.subjects import OWN_SIZES

DEAR = frozenset(("verify", "proofs", "export", "crosscheck", "recurrences", "constructions", "experiment"))
"""Verbs whose every run takes seconds; they are tried with what is refused, and now and then as they are."""
CHEAP: dict[str, tuple[str, ...]] = {
    "prove": ("prove C1 --L 1", "prove C2 --L 2 --m 2 --n 2", "prove C5 --L 1", "prove C6 --length 4", "prove C7"),
    "solve": ("solve C1 --L 2", "solve C3 --L 2", "solve C4 --L 2", "solve C6 --length 8", "solve C5 --L 2 --word RF"),
    "show": ("show C1 --L 1", "show C6 --length 4", "show C1 --L 1 --latex", "show C2 --L 2 --layer 1"),
    "decide": ("decide RFFR --L 4", "decide F3 --L 2", "decide [FR]F --L 1", "decide R --L 1 --beta 8 --lambda 8"),
    "bound": (
        "bound --L 2 --beta 8 --lambda 0",
        "bound --L 1 --beta 4 --lambda 4",
        "bound --L 2 --word RF --beta 8 --lambda 8",
        "bound --sparse --modulus 11 --block 3 --open 1 --blocks 4",
    ),
    "ceiling": ("ceiling F --L 2 --m 64 --n 8 --beta 8 --lambda 8", "ceiling R --L 1 --m 16 --beta 1 --lambda 4"),
    "sweep": ("sweep bound --L 1 --beta 2,4 --lambda 4 --workers 1", "sweep decide --word FF,RR --L 1..2 --workers 1"),
    "fool": ("fool --word R --L 1 --m 4 --state-bits 6 --workers 1 --samples 50",),
    "simulate": ("simulate C1 --L 1", "simulate --word RF --cut 3,2", "simulate C1 --L 2 --m 2 --n 2 --out m.jsonl"),
    "compare": ("compare RF FR",),
    "design": ("design --layers 4 --full 2 --L 2",),
    "audit": ("audit gpt2",),
    "check": ("check certificate.json", "check certificate.json --json"),
}
ODD = (
    "0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "--5",
    "",
    "x",
    "1e9",
    "10000000000000000000000000000000",
    "٣",
    "\x1b[31m",
    "nan",
    "8,8",
    ",",
    "1/0",
    "0.5",
    "C1",
    "RF",
    "F" * 300,
    "missing.json",
    ".",
    "/dev/null",
    "a\nb",
    "[red]x",
    "'",
    "$(x)",
)


HUGE = ("0", "-1", str(10**18), str(10**30), str(2**63), str(2**200), str(-(2**63)), "1" + "0" * 5000)
"""What no machine holds, or no loop ends: sizes are judged before work."""


def verbs() -> dict[str, Any]:
    """{name: command} as typer has them."""
    return dict(typer.main.get_command(application(VERBS)).commands)  # type: ignore[attr-defined]


@cache
def numeric_options(name: str) -> list[str]:
    """The options of a verb that take numbers, alone, in a list or in a text of sizes, as its signature says."""
    found = []
    for each in command_of(name).typed:
        read = each.kind if each.reader is None else get_type_hints(each.reader)["return"]
        if not each.is_argument and (each.name == OWN_SIZES or re.search(r"\b(int|float|Fraction)\b", str(read))):
            found.append(flags([each.name]))
    return found


def examples(command: Any) -> list[list[str]]:
    """The arguments of the examples in a verb's help."""
    found = re.findall(r"Example: separation (.*)", command.help or "")
    return [shlex.split(line.partition(">")[0].partition("&&")[0]) for line in found]


class Commands:
    """Command lines from a seed."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.verbs = verbs()
        self.options = {name: self._options(command) for name, command in self.verbs.items()}

    @staticmethod
    def _options(command: Any) -> list[tuple[str, bool]]:
        """(its longest name, whether it is a flag) of each option."""
        found = [parameter for parameter in command.params if parameter.param_type_name == "option"]
        return [(max(one.opts, key=len), bool(one.is_flag)) for one in found]

    def valid(self) -> list[str]:
        """A cheap command that is meant to work: of a verb that nobody has listed, one of its own examples."""
        name = self.rng.choice([verb for verb in self.verbs if verb not in DEAR])
        if name in CHEAP:
            words = self.rng.choice(CHEAP[name]).split()
        else:
            words = self.rng.choice(examples(self.verbs[name]) or [[name, "--help"]])
        taken = {option for option, _ in self.options[name]}
        if "--json" in taken and "--json" not in words and self.rng.random() < 0.5:
            words.append("--json")
        if "--seed" in taken and "--seed" not in words and self.rng.random() < 0.5:
            words += ["--seed", str(self.rng.randrange(1000))]
        return words

    def changed(self) -> list[str]:
        """A valid one with an option more, or with a word replaced, left out or repeated."""
        words = self.valid()
        name, kind = words[0], self.rng.randrange(4)
        if kind == 0 and self.options.get(name):
            option, flag = self.rng.choice(self.options[name])
            if option == "--force":
                return words
            words += [option] if flag else [f"{option}={self.rng.choice(ODD)}"]
        elif kind == 1:
            words[self.rng.randrange(len(words))] = self.rng.choice(ODD)
        elif kind == 2:
            del words[self.rng.randrange(len(words))]
        else:
            words.insert(self.rng.randrange(len(words) + 1), self.rng.choice(words))
        return words

    def huge(self) -> list[str]:
        """A valid one with a huge number for one of its numeric options, in place of what it had."""
        words = self.valid()
        option = self.rng.choice(numeric_options(words[0]) or ["--help"])
        return self.with_value(words, option, self.rng.choice(HUGE))

    @staticmethod
    def with_value(words: list[str], option: str, value: str) -> list[str]:
        kept = list(words)
        if option == flags([OWN_SIZES]):
            value = f"pairs={value},keys=4,values=2,queries=1"
        while option in kept:
            at = kept.index(option)
            del kept[at : at + 2]
        return [*kept, f"{option}={value}"]

    def nonsense(self) -> list[str]:
        name = self.rng.choice([*self.verbs, *ODD])
        options = [option for option, _ in self.options.get(name, [])] or ["--x"]
        words = [self.rng.choice([*ODD, *options]) for _ in range(self.rng.randrange(5))]
        return [name, *(word for word in words if word not in ("--force", "--limits", "--coq", "--full", "--open"))]
