"""All inputs at once: invariants, the layer-by-layer proof, certificates, and the kernel that checks them again.

| file | rule of docs/proving.md |
|---|---|
| `forms`, `invariants` | symbols, forms, invariants |
| `embedding` | P1 |
| `attention` | P2, P3, P5 |
| `closed_form`, `general` | P4, two ways |
| `relu` | P6 |
| `containment` | P7 |
| `linear`, `delta`, `states` | P9, P10, and what a state holds |
| `search` | P11 |
| `heads`, `answers` | which rule for which head; the answer |
| `proof`, `prover` | P8, and the order of it all |
| `certificates`, `document` | certificates and model files |
| `checker` | the kernel; it imports nothing of this project |
"""

from separation.proving.certificates import construction_certificate, write_certificate
from separation.proving.construction import Construction
from separation.proving.document import (
    construction_from_document,
    construction_to_document,
    load_construction,
    save_construction,
)
from separation.proving.failures import Failure
from separation.proving.proof import LookUp, Proof
from separation.proving.prover import PATHS, prove

__all__ = [
    "PATHS",
    "Construction",
    "Failure",
    "LookUp",
    "Proof",
    "construction_certificate",
    "construction_from_document",
    "construction_to_document",
    "load_construction",
    "prove",
    "save_construction",
    "write_certificate",
]
