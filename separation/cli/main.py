"""The verbs by group. A new one is a file verbs/x.py, a file cli/x.py, and its name here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from separation.cli.audit import audit
from separation.cli.bound import bound
from separation.cli.ceiling import ceiling
from separation.cli.check import check
from separation.cli.compare import compare
from separation.cli.constructions import constructions
from separation.cli.crosscheck import crosscheck
from separation.cli.decide import decide
from separation.cli.design import design
from separation.cli.experiment import experiment
from separation.cli.export import export
from separation.cli.finish import INTERRUPTED, outcome_of
from separation.cli.fool import fool
from separation.cli.infer import infer
from separation.cli.lesson import lesson
from separation.cli.proofs import proofs
from separation.cli.prove import prove
from separation.cli.quiet import with_quiet
from separation.cli.recurrences import recurrences
from separation.cli.show import show
from separation.cli.simulate import simulate
from separation.cli.solve import solve
from separation.cli.stress import stress
from separation.cli.sweep import sweep
from separation.cli.verify import verify

GROUPS: dict[str, tuple[Callable[..., None], ...]] = {
    "Everything at once": (verify, proofs, lesson),
    "Upper bounds: constructions": (prove, solve, show, infer, constructions),
    "Floats: the same weights in torch": (crosscheck, export),
    "Lower bounds: what cannot be": (decide, bound, sweep, ceiling, recurrences, fool),
    "Your model": (stress, audit, compare, design),
    "Trained models": (experiment,),
    "The protocol: who tells whom what": (simulate,),
    "Certificates": (check,),
}


def _show_version(wanted: bool) -> None:
    if wanted:
        from separation.version import VERSION

        print(f"separation {VERSION}")
        raise typer.Exit


def _root(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def _application(asked: str | None = None) -> typer.Typer:
    """All verbs, or the one asked for alone, which is there sooner."""
    app = typer.Typer(
        context_settings={"help_option_names": ["-h", "--help"]},
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        help="Proves what attention layers can and cannot do, for all inputs at once. Start with: separation verify",
    )
    app.callback(invoke_without_command=True)(_root)
    for group, verbs in GROUPS.items():
        for verb in (verb for verb in verbs if asked in (None, verb.__name__)):
            app.command(rich_help_panel=group)(with_quiet(verb))
    return app


def run(arguments: list[str]) -> int:
    """The exit status of a command."""
    try:
        known = {verb.__name__ for verbs in GROUPS.values() for verb in verbs}
        asked = arguments[0] if arguments and arguments[0] in known else None
        code = _application(asked)(args=arguments, prog_name="separation", standalone_mode=False)
        # typer turns Ctrl-C into an exit code of its own, without a word.
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except BaseException as error:
        return outcome_of(error, "--json" in arguments)
