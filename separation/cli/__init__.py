"""The command line: one verb, one function, no logic."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

GARBAGE = 50_000  # objects between two looks for cycles; looking after every 700, loading modules takes a tenth longer


def main() -> NoReturn:
    """Run the command line: exit 0 when what was asked holds, 1 when it does not, 2 on bad input with one line."""
    # The proof multiplies many small matrices; BLAS threads mostly wait for each other there. Set before NumPy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _open_what_is_closed()
    gc.set_threshold(GARBAGE)
    if sys.argv[1:2] == ["check"]:
        gc.disable()  # the kernel makes no cycles of any size
    try:
        status = _written(run(sys.argv[1:]))
    except KeyboardInterrupt:  # a second one, while the first was answered
        status = 130
    if "separation.cli.finish" not in sys.modules:
        os._exit(status)  # `check` has its verdict, and it is written: taking the interpreter down would cost more time
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """The exit status of a command. `check` takes a way of its own, on which the kernel alone is loaded."""
    try:
        if arguments[:1] == ["check"]:
            from separation.cli.check_alone import check_alone, plainly_asked

            asked = plainly_asked(arguments[1:])
            if asked is not None:
                return check_alone(*asked)
        from separation.cli.main import run as run_any

        return run_any(arguments)
    except BaseException as error:
        return _ended(error, arguments)


def _ended(error: BaseException, arguments: list[str]) -> int:
    """The line and the status for whatever ended a command, even before a verb was loaded."""
    if isinstance(error, KeyboardInterrupt):  # at a time when nothing more may be loaded
        print("separation: stopped", file=sys.stderr)
        return 130
    from separation.cli.finish import outcome_of

    return outcome_of(error, "--json" in arguments)


def _written(status: int) -> int:
    """The status, once everything that was printed has left; what cannot be written is an error, a reader gone is not.

    What was printed by a library, such as a help text, is still in the buffer here.
    """
    try:
        sys.stdout.flush()
    except OSError as error:
        from separation.cli.finish import discard_output, outcome_of
        from separation.files import InputError

        discard_output()
        gone = isinstance(error, BrokenPipeError)
        return status if gone else outcome_of(InputError(f"cannot write to standard output: {error.strerror}"))
    return status


def _open_what_is_closed() -> None:
    """Started with a closed output, Python has None in its place; the exit status is still an answer."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


__all__ = ["main", "run"]
