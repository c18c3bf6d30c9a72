"""coqchk, a second program, on compiled modules: what it assumes beyond what mathcomp and Coq's ssreflect seal."""

from __future__ import annotations

import re
from pathlib import Path

from proofs_checks.kit.coq.compiling import LONGEST_SECONDS, call

_SSREFLECT = {
    "bigop": ("BigOp",),
    "finfun": ("FinfunDef",),
    "finset": ("Imset", "SetDef"),
    "fintype": ("CardDef", "Finite.EnumDef", "SubsetDef"),
    "generic_quotient": ("MPi", "Pi", "Repr"),
    "tuple": ("FinTuple",),
}
SEALED = (
    "Coq.ssr.ssrunder.Under_rel.",
    *(f"mathcomp.ssreflect.{file}.{module}." for file, modules in _SSREFLECT.items() for module in modules),
)
"""Modules whose constants are defined, and hidden behind a module type."""


def coqchk(folder: Path, *modules: str) -> str:
    """A second program checks the compiled modules again; it says what they assume.

    Each module is checked, all that it imports is loaded as it is: with all modules of the project what is trusted is
    Coq's library and mathcomp. The bytecode machine is on, as the modules were compiled with it.
    """
    command = ["coqchk", "-silent", "-o", "-bytecode-compiler", "yes", "-R", ".", "separation"]
    named = [part for module in modules for part in ("-norec", f"separation.{module}")]
    said = call([*command, *named], folder, " ".join(modules), 4 * LONGEST_SECONDS)
    return said.stderr  # its summary is not on standard output


def unexplained(summary: str) -> list[str]:
    """What coqchk's summary assumes beyond what mathcomp and Coq's ssreflect seal.

    A constant behind a module type is an axiom to coqchk, even if it is defined; `Print Assumptions` looks behind it.
    """
    parts = re.split(r"^\* ", summary, flags=re.MULTILINE)[1:]
    found = [" ".join(part.split()) for part in parts if not part.startswith(("Theory: Set is predicative", "Axioms:"))]
    axioms = [line.strip() for part in parts if part.startswith("Axioms:") for line in part.splitlines()[1:]]
    return [
        *(name for name in axioms if name and not name.startswith(SEALED)),
        *(part for part in found if not part.endswith(": <none>")),
        *([] if any(part.startswith("Axioms:") for part in parts) else ["no summary"]),
    ]
