"""The command line: from the arguments to the exit status. Nothing is imported here that a command does not need.

0: what was asked is answered and holds. 1: a claim does not hold. 2: bad input, or a system that does not give what is
needed (a full disk, too little memory, a package that does not load). 70: a mistake of the program. 130: interrupted.
"""

from __future__ import annotations

import gc
import os
import sys
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn

REFUSED = 2
MISTAKE = 70
INTERRUPTED = 130
DEBUG = "SEPARATION_DEBUG"
LONGEST_TEXT = 400
OURS = ("separation", "constructions", "proofs_checks", "tools")
COMPLETING = "_SEPARATION_COMPLETE"
"""The variable in which a shell that completes a command asks for the verbs and options."""
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
        status = run(sys.argv[1:])
        try:
            with standard_output():  # what was printed by a library, such as a help text, is still in the buffer here
                pass
        except ValueError as error:
            status = outcome_of(error)
    except KeyboardInterrupt:  # a second one, while the first was answered
        status = INTERRUPTED
    if "separation.verbs.commands" not in sys.modules:
        os._exit(status)  # `check` has its verdict, and it is written: taking the interpreter down would cost more time
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """The exit status of a command. `check` takes a way of its own, on which the kernel alone is loaded."""
    try:
        if arguments == ["--version"]:
            from separation.version import VERSION

            print(f"separation {VERSION}")
            return 0
        if arguments[:1] == ["check"]:
            from separation.verbs.check_alone import check_alone, plainly_asked

            asked = plainly_asked(arguments[1:])
            if asked is not None:
                return check_alone(*asked)
        return _run_verb(arguments)
    except BaseException as error:
        return outcome_of(error, "--json" in arguments)


def _run_verb(arguments: list[str]) -> int:
    from separation.verbs.commands import VERBS, application, command_of

    for alone in (True, False) if arguments and arguments[0] in VERBS else ():
        command = command_of(arguments[0], alone)
        typed = command.plainly_typed(arguments[1:])
        if typed is not None:
            return command.run(**typed)
    loaded = [*VERBS] if COMPLETING in os.environ else [verb for verb in arguments[:1] if verb in VERBS]
    code = application(loaded)(args=arguments, prog_name="separation", standalone_mode=False)
    # typer turns Ctrl-C into an exit code of its own, without a word.
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def outcome_of(error: BaseException, as_json: bool = False) -> int:
    """One line about what went wrong, and the exit status; nothing is raised again.

    where ``as_json``: a number too large is the model's own fault, and a program that asked for JSON gets JSON.
    """
    if isinstance(error, KeyboardInterrupt):  # perhaps at a time when nothing more may be loaded
        return _say("separation: stopped", INTERRUPTED)
    if isinstance(error, SystemExit):
        return _status_of(error)
    import typer

    from separation.files import NumberTooLarge

    if isinstance(error, typer.Exit):
        return error.exit_code
    if isinstance(error, typer.Abort):
        return _say("separation: stopped", INTERRUPTED)
    if isinstance(error, BrokenPipeError):
        discard_output()
        return 0
    text = _foreseen(error)
    if text is None:
        return _mistake(error)
    if as_json and isinstance(error, NumberTooLarge):
        from separation.files import json_text

        print(json_text({"ok": False, "error": text}, readable=True))
    _show_traceback(error)
    return _complain(" ".join(text.split()), REFUSED)


def _status_of(error: SystemExit) -> int:
    """Of a signal, or of a library that ends the program itself; rich does so when its reader goes away."""
    if isinstance(error.__context__, BrokenPipeError):
        discard_output()
        return 0
    return error.code if isinstance(error.code, int) else 0 if error.code is None else REFUSED


def _foreseen(error: BaseException) -> str | None:
    """The text for what may happen to any verb; None for a mistake of the program."""
    import typer

    from separation.files import InputError, NumberTooLarge

    # What typer raises for a wrong option; its own class has moved between releases, BadParameter has not.
    if isinstance(error, typer.BadParameter.__mro__[1]):
        return _near_option(error) or str(error.format_message())  # type: ignore[attr-defined]
    if isinstance(error, InputError | NumberTooLarge):
        return str(error)
    if isinstance(error, MemoryError):
        return "not enough memory for these sizes"
    if type(error).__name__ == "BrokenProcessPool":
        return "the system ended a worker process, for want of memory as a rule; try --workers 1, or smaller sizes"
    package = _package_that_does_not_load(error)
    if package is not None:
        return f"{package} is installed but cannot be imported: {_first_line(error)}"
    if isinstance(error, OSError):
        reason = error.strerror or str(error) or type(error).__name__
        return f"{os.fsdecode(error.filename)}: {reason}" if isinstance(error.filename, str | bytes) else reason
    return None


def _near_option(error: BaseException) -> str | None:
    """An option that is another one in the wrong case, --l, is that one mistyped, whatever else looks like it."""
    typed, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    if typed is None or context is None:
        return None
    known = [flag for each in context.command.params for flag in each.opts]
    same = next((flag for flag in known if flag.lower() == typed.lower()), None)
    return None if same is None else f"No such option: {typed}; did you mean {same}?"


def _package_that_does_not_load(error: BaseException) -> str | None:
    """The first third-party package in whose import the error arose: a module's own lines were being run."""
    place = error.__traceback__
    while place is not None:
        frame = place.tb_frame
        top = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if frame.f_code.co_name == "<module>" and top not in (*OURS, "__main__", "", *sys.stdlib_module_names):
            return top
        place = place.tb_next
    return None


def _mistake(error: BaseException) -> int:
    shown = os.environ.get(DEBUG) == "1"
    _show_traceback(error)
    hint = "please report it with the command and the traceback" + ("" if shown else f" that {DEBUG}=1 shows")
    return _complain(f"a mistake of the program, {type(error).__name__}: {_first_line(error)}; {hint}", MISTAKE)


def _show_traceback(error: BaseException) -> None:
    if os.environ.get(DEBUG) == "1":
        import traceback

        traceback.print_exception(error)


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or ["no more is known"]
    return lines[0][:LONGEST_TEXT]


def _complain(message: str, status: int) -> int:
    return _say(f"separation: error: {message}", status)


def _say(line: str, status: int) -> int:
    """One line on standard error; where that is full or closed, the status says it alone."""
    if not line.isprintable():  # it may quote a name from a file
        from separation.escaping import terminal

        line = terminal(line)
    with suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)
    return status


def discard_output() -> None:
    """Whatever is left in the buffer of standard output goes nowhere: the interpreter would complain at its end."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextmanager
def standard_output() -> Iterator[None]:
    """What is printed inside is written in the end. A reader who has seen enough is no error; a full device is.

    A letter that the reader's encoding does not have is written as an escape, which is right in JSON as well.
    """
    with suppress(AttributeError, ValueError):  # a stand-in for standard output
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        discard_output()
    except OSError as error:
        if error.filename is not None:
            raise
        from separation.files import InputError

        discard_output()
        raise InputError(f"cannot write to standard output: {error.strerror or error}") from None


def _open_what_is_closed() -> None:
    """Started with a closed output, Python has None in its place; the exit status is still an answer."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
