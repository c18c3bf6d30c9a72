"""`check`: nothing of the project but the kernel, and no other package, is imported before there is a verdict."""

from __future__ import annotations

import os

from separation.proving import kernel
from separation.verbs.command_line import standard_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from separation.fooling import Replay

OPTIONS = ("--json", "--replay")
LARGE = 6 << 20


def plainly_asked(arguments: list[str]) -> tuple[str, bool, bool] | None:
    """(FILE, replay?, JSON?) if nothing else is asked for: no help, no schema, no mistake."""
    files = [argument for argument in arguments if not argument.startswith("-")]
    options = [argument for argument in arguments if argument.startswith("-")]
    if len(files) != 1 or not all(option in OPTIONS for option in options) or len(set(options)) < len(options):
        return None
    return files[0], "--replay" in options, "--json" in options


def check_alone(file: str, replay: bool = False, as_json: bool = False) -> int:
    """Print what the kernel says of a file: exit 0 if it accepts, 1 if not; a file without a verdict is an InputError.

    With ``replay`` a pair is run by the project's own model too, after the verdict.
    """
    verdict = verdict_of(file)
    if not (replay or as_json):
        with standard_output():  # a verdict that cannot be written is not one that rejects
            print(verdict_text(verdict.ok, verdict.message))
        return 0 if verdict.ok else 1
    from separation.verbs.check import report_of
    from separation.verbs.commands import print_report

    report = report_of(file, verdict, replay)
    print_report(report, as_json)
    return 0 if report.ok else 1


def verdict_of(file: str, work: int = 1) -> kernel.Verdict:
    """A large file may take many times its size once it is parsed; a small one is the kernel's alone."""
    if os.path.isfile(file) and os.path.getsize(file) > LARGE:
        from separation.files import require_modest_file

        require_modest_file(file)
    try:
        return kernel.check_file(file, work)
    except (OSError, kernel.Malformed) as error:
        from separation.verbs.check import refusal

        raise refusal(file, error) from None


def verdict_text(ok: bool, message: str) -> str:
    if not message.isprintable():  # it may quote a name from the file
        from separation.escaping import terminal

        message = terminal(message)
    return f"{message}\n✓ the kernel accepts the certificate" if ok else f"✗ the kernel rejects it: {message}"


def replay_text(again: Replay) -> str:
    players = {True: "; its players send the same", False: "; its players do not", None: ""}
    said = f"says {list(again.output_a)} and {list(again.output_b)}, {'' if again.as_claimed else 'not '}as claimed"
    return f"{'✓' if again.ok else '✗'} the project's model {said}{players[again.messages_equal]}"
