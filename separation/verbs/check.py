"""`check`: a certificate through the kernel alone; a pair, if asked, through the project's own model as well.

`check --coq`: a certificate of a bound or of a decision, also checked by Coq once the kernel has accepted it.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from separation.files import InputError, json_text, parse_json, read_bytes
from separation.progress import Progress, silent
from separation.proving import kernel
from separation.verbs.check_alone import replay_text, verdict_of, verdict_text
from separation.verbs.options import Argument, Choice, Option
from separation.verbs.report import MARKS, Parts, Report, Verbatim, named, timed

if TYPE_CHECKING:
    from proofs_checks.kit.coq.certificates import CoqTheorem
    from separation.fooling import Replay
    from separation.proving import Construction

EXAMPLES = (
    "prove C1 --L 3 --out c1.json && separation check c1.json",
    "check --schema bound > bound.schema.json",
    "bound --L 2 --beta 8 --lambda 0 --out bound.json && separation check bound.json --coq",
)


FILE = Argument(metavar="FILE", help="A certificate, written by --out of prove, bound, decide or fool.")


def check(
    path: Annotated[str | Path | Any, FILE],  # or a construction, whose class a check does not load
    replay: Annotated[bool, "Also run a pair through the project's own model."] = False,
    work: Annotated[int, Option("How many times the kernel's usual work may be done.", min=1)] = 1,
) -> CheckReport:
    """Re-check the certificate in a file with the standard-library kernel; a file that is not a certificate is refused.

    Of a construction the certificate is made and checked; if there is none, the report says why.
    With ``replay`` a pair is also run by the project's model and protocol. ``work``: so many times the usual work.
    """
    if not isinstance(path, str | Path):
        return _check_built(path, replay)
    return report_of(path, verdict_of(str(path), work), replay)


def _check_built(construction: Construction, replay: bool) -> CheckReport:
    """The kernel's verdict on the certificate of a construction, read from its text as from a file."""

    from separation.proving import certified_proof

    if replay:
        raise InputError("a construction is no pair; only a pair can be replayed")
    found = certified_proof(construction)
    if found.certificate is None:
        return CheckReport(False, "construction", {}, found.failure)
    verdict = kernel.check_text(json_text(found.certificate))
    return CheckReport(verdict.ok, verdict.kind, verdict.claim, verdict.message)


def refusal(path: str | Path, error: Exception) -> InputError:
    """Why there is no verdict on a file: it cannot be read, it is not a certificate, or the kernel declines it."""
    if isinstance(error, kernel.Declined):
        return InputError(f"{path}: {str(error)[:200]}")
    try:
        read_bytes(path)
    except InputError as unreadable:
        return unreadable
    return InputError(f"{path} is not a certificate: {str(error)[:200]}")


def report_of(path: str | Path, verdict: kernel.Verdict, replay: bool) -> CheckReport:
    """The kernel's verdict on a file as a report, with a replay if that is asked for."""
    if replay and verdict.kind != "pair":
        raise InputError(f"{path} is a certificate of the kind {verdict.kind}; only a pair can be replayed")
    again = None
    if replay and verdict.ok:
        from separation.fooling import replay as run_again

        again = run_again(parse_json(read_bytes(path), str(path)))
    return CheckReport(verdict.ok, verdict.kind, verdict.claim, verdict.message, again)


class CheckReport(Report):
    """The kernel's verdict, and what a replay gave. If ``verdict`` is true, ``message`` is a sentence that says what
    holds and ``claim`` has the fields that were checked; else they are why not, and nothing."""

    verdict: bool
    kind: str
    claim: dict[str, Any]
    message: str
    replay: Replay | None = None

    @property
    def ok(self) -> bool:
        return self.verdict and (self.replay is None or self.replay.ok)

    def document(self) -> dict[str, Any]:
        """The claim as the file has it."""
        again = None if self.replay is None else self.replay.document()
        return {**named(self, "ok", "kind", "claim", "message"), "replay": again}

    def parts(self) -> Parts:
        yield Verbatim(verdict_text(self.verdict, self.message))
        if self.replay is not None:
            yield Verbatim(replay_text(self.replay))


def _schema(
    schema: Annotated[
        str,
        Option(
            metavar="KIND",
            help="Print a JSON Schema: construction, bound, decision, ceiling, pair, exhaustive, wrong, model, "
            "funccomp, two_sum.",
        ),
    ],
) -> SchemaReport:
    from separation.proving.schemas import schema as schema_of

    return SchemaReport(schema_of(schema))


class SchemaReport(Report):
    """The JSON Schema of a kind of certificate, which is its own document."""

    schema: dict[str, Any]

    def document(self) -> dict[str, Any]:
        return self.schema

    def parts(self) -> Parts:
        yield Verbatim(json_text(self.schema, readable=True, indent=2))


class CoqCheckReport(Report):
    """The kernel's verdict, and if it accepted what coqc said of the theorem.

    ``refusal`` is empty if coqc accepted, ``assumes`` if the theorem is closed; ``words`` say what the theorem says.
    """

    kernel: CheckReport
    theorem: CoqTheorem | None = None
    refusal: str = ""
    assumes: tuple[str, ...] = ()
    words: str = ""

    @property
    def ok(self) -> bool:
        return self.theorem is not None and not (self.refusal or self.assumes)

    def document(self) -> dict[str, Any]:
        coq = self.theorem and {
            "ok": self.ok,
            "applied": self.theorem.applied,
            "arithmetic": self.theorem.arithmetic,
            "assumptions": list(self.assumes),
            "refusal": self.refusal,
            "theorem": self.theorem.text,
            "seconds": self.seconds,
        }
        return {**self.kernel.document(), "ok": self.ok, "coq": coq}

    def parts(self) -> Parts:
        """What the kernel said, the theorem, and what Coq said of it."""
        said = "the kernel accepts" if self.kernel.ok else "the kernel rejects it"
        yield f"{MARKS[self.kernel.ok]} {said}: {self.kernel.message}"
        if self.theorem is None:
            return
        yield ""
        yield from self.theorem.statement.splitlines()
        yield f"\nIn words: {self.words}\n"
        said = "Coq accepts, closed under the global context"
        if self.refusal:
            said = f"Coq rejects it: {self.refusal}"
        elif self.assumes:
            said = f"Coq accepts, but it assumes {', '.join(self.assumes)}"
        how = f"({self.theorem.applied}, {self.theorem.arithmetic}, {self.seconds:.1f} s)"
        yield f"{MARKS[self.ok]} {said} {how}"


@timed
def check_coq(path: Annotated[str | Path, FILE], progress: Progress = silent) -> CoqCheckReport:
    """The kernel first; then the claim as a theorem, proved in Coq by running the checker that is proved there.

    A file that is not a certificate, one without a Coq form, and a machine without coqc are refused in one line.
    """
    from proofs_checks.kit.coq.certificates import IMPORTED, certificate_in_coq
    from proofs_checks.kit.coq.compiling import CoqRefused, assumptions, coq_version, coqc, library
    from proofs_checks.kit.coq.words import in_words

    coq_version()
    kernel = check(path)
    if not kernel.ok:
        return CoqCheckReport(kernel)
    document = parse_json(read_bytes(path), str(path))
    theorem = certificate_in_coq(document)
    compiled = library(IMPORTED, progress=progress)
    progress(1.0, "coqc Certificate.v")
    assumes: tuple[str, ...] = ()
    refusal = ""
    with tempfile.TemporaryDirectory(prefix="separation-coq-") as name:
        folder = Path(name)
        (folder / "Certificate.v").write_text(theorem.text)
        try:
            coqc(folder, "Certificate.v", compiled)
            assumes = tuple(assumptions(folder, "Certificate", ["certificate"], compiled)["certificate"])
        except CoqRefused as error:
            refusal = str(error)
            (folder / "Other.v").write_text(theorem.undecided)
            with suppress(CoqRefused):
                coqc(folder, "Other.v", compiled)
                open_ = "the checker in Coq does not decide it: it holds only with the root of a long binomial"
                raise InputError(open_) from None
    return CoqCheckReport(kernel, theorem, refusal, assumes, in_words(document))


command = Choice(check, schema=(None, _schema), coq=("Also let Coq check a bound or a decision.", check_coq))
