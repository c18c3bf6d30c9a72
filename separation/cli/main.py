"""All verbs, by group; and what becomes of errors."""

from __future__ import annotations

import os
import sys
from typing import Annotated, Any, NoReturn

import typer

from separation.cli import certificates, everything, floats, fooling, lower, protocol, stock, upper
from separation.files import InputError

GROUPS: dict[str, tuple[Any, ...]] = {
    "Everything at once": (everything.verify, everything.proofs),
    "Upper bounds: constructions": (upper.prove, upper.solve, upper.show, upper.constructions),
    "Floats: the same weights in torch": (floats.crosscheck, stock.export),
    "Lower bounds: what cannot be": (lower.decide, lower.bound, lower.recurrences, fooling.fool),
    "The protocol: who tells whom what": (protocol.simulate,),
    "Certificates": (certificates.check,),
}

INTERRUPTED = 130
# What typer raises for a wrong option; its own class has moved between releases, BadParameter has not.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]


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


def _application() -> typer.Typer:
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        help="Proves, for all inputs at once, what attention layers can do. Start with: separation verify",
    )
    app.callback(invoke_without_command=True)(_root)
    for group, verbs in GROUPS.items():
        for verb in verbs:
            app.command(rich_help_panel=group)(verb)
    return app


def main() -> NoReturn:
    """Run the command line: exit 0 when what was asked holds, 1 when it does not, 2 on bad input with one line."""
    # The proof multiplies many small matrices; BLAS threads mostly wait for each other there. Set before NumPy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    try:
        code = _application()(args=arguments, prog_name="separation", standalone_mode=False)
        # typer turns Ctrl-C into an exit code of its own, without a word.
        if code == INTERRUPTED:
            raise KeyboardInterrupt
        return code if isinstance(code, int) else 0
    except USAGE_ERROR as error:
        return _complain(error.format_message())
    except InputError as error:
        return _complain(str(error))
    except MemoryError:
        return _complain("not enough memory for these sizes")
    except ArithmeticError as error:
        print(f"separation: {error}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        print("separation: stopped", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _complain(message: str) -> int:
    print(f"separation: error: {' '.join(message.split())}", file=sys.stderr)
    return 2
