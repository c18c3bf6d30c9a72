"""The command line: one verb, one function, no logic."""

from __future__ import annotations

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command line: exit 0 when what was asked holds, 1 when it does not, 2 on bad input with one line."""
    # The proof multiplies many small matrices; BLAS threads mostly wait for each other there. Set before NumPy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.argv[1:2] == ["check"]:
        gc.disable()  # the kernel makes no cycles of any size
    status = run(sys.argv[1:])
    if "separation.cli.finish" not in sys.modules:
        os._exit(status)  # `check` has its verdict, and it is written: taking the interpreter down would cost more time
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """The exit status of a command. `check` takes a way of its own, on which the kernel alone is loaded."""
    if arguments[:1] == ["check"]:
        from separation.cli.check_alone import check_alone, plainly_asked

        asked = plainly_asked(arguments[1:])
        if asked is not None:
            try:
                return check_alone(*asked)
            except BaseException as error:
                from separation.cli.finish import outcome_of

                return outcome_of(error)
    from separation.cli.main import run as run_any

    return run_any(arguments)


__all__ = ["main", "run"]
