"""`check`: a certificate through the kernel alone; a pair, if asked, through the project's own model as well.

`check --coq`: a certificate of a bound or of a decision, also checked by Coq once the kernel has accepted it.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separation.files import InputError, json_text, parse_json, read_bytes, require_modest_file
from separation.progress import Progress
from separation.proving import kernel

if TYPE_CHECKING:
    from proofs_checks.kit.coq.certificates import CoqTheorem
    from separation.fooling import Replay
    from separation.proving import Construction


@dataclass(frozen=True)
class CheckReport:
    """The kernel's verdict, and what a replay gave. If ``verdict`` is true, ``message`` is a sentence that says what
    holds and ``claim`` has the fields that were checked; else they are why not, and nothing."""

    verdict: bool
    kind: str
    claim: dict[str, Any]
    message: str
    replayed: Replay | None = None

    @property
    def ok(self) -> bool:
        return self.verdict and (self.replayed is None or self.replayed.ok)

    def document(self) -> dict[str, Any]:
        again = None if self.replayed is None else self.replayed.document()
        return {"ok": self.ok, "kind": self.kind, "claim": self.claim, "message": self.message, "replay": again}


def check(path: str | Path | Construction, replay: bool = False) -> CheckReport:
    """Re-check the certificate in a file with the standard-library kernel; a file that is not a certificate is refused.

    Of a construction the certificate is made and checked; if there is none, the report says why.
    With ``replay`` a pair is also run by the project's model and protocol.
    """
    if not isinstance(path, str | Path):
        return _check_built(path, replay)
    require_modest_file(path)
    try:
        verdict = kernel.check_file(str(path))
    except (OSError, kernel.Malformed) as error:
        raise refusal(path, error) from None
    return report_of(path, verdict, replay)


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


@dataclass(frozen=True)
class CoqVerdict:
    """What coqc said of the theorem; ``refusal`` is empty if it accepted, ``assumes`` if the theorem is closed."""

    theorem: CoqTheorem
    refusal: str
    assumes: tuple[str, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return not (self.refusal or self.assumes)

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "applied": self.theorem.applied,
            "arithmetic": self.theorem.arithmetic,
            "assumptions": list(self.assumes),
            "refusal": self.refusal,
            "theorem": self.theorem.text,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class CoqCheckReport:
    """The kernel's verdict, and Coq's if the kernel accepted."""

    kernel: CheckReport
    coq: CoqVerdict | None

    @property
    def ok(self) -> bool:
        return self.kernel.ok and self.coq is not None and self.coq.ok

    def document(self) -> dict[str, Any]:
        said = None if self.coq is None else self.coq.document()
        return {**self.kernel.document(), "ok": self.ok, "coq": said}


def check_coq(path: str | Path, progress: Progress | None = None) -> CoqCheckReport:
    """The kernel first; then the claim as a theorem over Definitions.v, its inequalities computed by coqc.

    A file that is not a certificate, one without a Coq form, and a machine without coqc are refused in one line.
    """
    from proofs_checks.kit.coq.certificates import certificate_in_coq
    from proofs_checks.kit.coq.compiling import CoqRefused, assumptions, coq_version, coqc, library

    coq_version()
    kernel = check(path)
    if not kernel.ok:
        return CoqCheckReport(kernel, None)
    theorem = certificate_in_coq(parse_json(read_bytes(path), str(path)))
    compiled = library(*theorem.imported, progress=progress)
    if progress is not None:
        progress(1.0, "coqc Certificate.v")
    start = time.perf_counter()
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
    return CoqCheckReport(kernel, CoqVerdict(theorem, refusal, assumes, time.perf_counter() - start))
