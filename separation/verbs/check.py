"""`check`: a certificate through the kernel alone; a pair, if asked, through the project's own model as well."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from separation.files import InputError, parse_json, read_bytes
from separation.fooling.replay import Replay
from separation.fooling.replay import replay as run_again
from separation.proving import checker


@dataclass(frozen=True)
class CheckReport:
    """The kernel's verdict, and what a replay gave."""

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


def check(path: str | Path, replay: bool = False) -> CheckReport:
    """Re-check the certificate in a file with the standard-library kernel; a file that is no certificate is refused.

    With ``replay`` a pair is also run by the project's model and protocol.
    """
    data = read_bytes(path)
    try:
        verdict = checker.check_text(data.decode())
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a certificate: it is not UTF-8 text") from None
    except checker.Malformed as error:
        raise InputError(f"{path} is not a certificate: {str(error)[:200]}") from None
    if replay and verdict.kind != "pair":
        raise InputError(f"{path} is a certificate of the kind {verdict.kind}; only a pair can be replayed")
    again = run_again(parse_json(data, str(path))) if replay and verdict.ok else None
    return CheckReport(verdict.ok, verdict.kind, verdict.claim, verdict.message, again)
