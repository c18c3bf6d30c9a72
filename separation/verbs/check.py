"""`check`: a certificate through the kernel alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.files import InputError, read_bytes
from separation.proving import checker


@dataclass(frozen=True)
class CheckReport:
    """The kernel's verdict."""

    ok: bool
    kind: str
    claim: dict[str, Any]
    message: str

    def document(self) -> dict[str, Any]:
        return {"ok": self.ok, "kind": self.kind, "claim": self.claim, "message": self.message}


def check(path: str | Path) -> CheckReport:
    """Re-check the certificate in a file with the standard-library kernel; a file that is no certificate is refused."""
    try:
        verdict = checker.check_text(read_bytes(path))
    except checker.Malformed as error:
        raise InputError(f"{path} is not a certificate: {str(error)[:200]}") from None
    return CheckReport(verdict.ok, verdict.kind, verdict.claim, verdict.message)
