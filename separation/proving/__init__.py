"""All inputs at once: invariants, the layer-by-layer proof, certificates, and the kernel that checks them again.

| file | rule of docs/proving.md |
|---|---|
| `forms`, `invariants` | symbols, forms, invariants; P7 |
| `embedding` | P1 |
| `attention` | P2, P3, P5 |
| `closed_form`, `general` | P4, two ways |
| `relu` | P6 |
| `linear`, `delta` | P9, P10, and what a state holds |
| `search` | P11 |
| `heads` | which rule for which head |
| `proof`, `prover` | P8, the answer, and the order of it all |
| `inference` | invariants from the weights alone, where none are stated |
| `pairing`, `diagnosis_heads`, `diagnosis` | why an obligation failed, in words and numbers |
| `refutation` | an input that is answered wrongly, made short |
| `construction`, `certificates` | weights with invariants in files, and run against the oracle; certificates |
| `by_running` | no rule: `exhaustive_certificate`, how many answers are right on all inputs; `wrong_certificate` |
| `kernel`, `kernel_*` | the kernel; it imports nothing else of this project |

Of any exact model: `exhaustive_certificate(Construction(name, sizes, model))`, and its `accuracy`.
"""

from separation.lazily import names_of

TYPE_CHECKING = False  # a name is imported when it is first used: to import the kernel loads nothing else
if TYPE_CHECKING:
    from separation.proving.attention import Match as Match
    from separation.proving.attention import hull_of as hull_of
    from separation.proving.attention import noise_rows as noise_rows
    from separation.proving.attention import visible_kinds as visible_kinds
    from separation.proving.attention import winner_value as winner_value
    from separation.proving.attention import within as within
    from separation.proving.by_running import accuracy as accuracy
    from separation.proving.by_running import exhaustive_certificate as exhaustive_certificate
    from separation.proving.by_running import wrong_certificate as wrong_certificate
    from separation.proving.certificates import CERTIFICATE_SCHEMA as CERTIFICATE_SCHEMA
    from separation.proving.certificates import Certified as Certified
    from separation.proving.certificates import accepted as accepted
    from separation.proving.certificates import certified_proof as certified_proof
    from separation.proving.certificates import construction_certificate as construction_certificate
    from separation.proving.certificates import write_certificate as write_certificate
    from separation.proving.construction import EVERY_ROW as EVERY_ROW
    from separation.proving.construction import Construction as Construction
    from separation.proving.construction import construction_from_document as construction_from_document
    from separation.proving.construction import construction_to_document as construction_to_document
    from separation.proving.construction import load_construction as load_construction
    from separation.proving.construction import save_construction as save_construction
    from separation.proving.construction import wrong_inputs as wrong_inputs
    from separation.proving.delta import DeltaForms as DeltaForms
    from separation.proving.delta import gate as gate
    from separation.proving.failures import Failure as Failure
    from separation.proving.failures import ProofFailed as ProofFailed
    from separation.proving.forms import ONE as ONE
    from separation.proving.forms import Forms as Forms
    from separation.proving.forms import Symbol as Symbol
    from separation.proving.forms import bit as bit
    from separation.proving.inference import infer_invariants as infer_invariants
    from separation.proving.inference import infer_stages as infer_stages
    from separation.proving.invariants import Invariant as Invariant
    from separation.proving.invariants import InvariantBuilder as InvariantBuilder
    from separation.proving.invariants import Stage as Stage
    from separation.proving.invariants import noise_coordinates as noise_coordinates
    from separation.proving.linear import LinearForms as LinearForms
    from separation.proving.proof import Proof as Proof
    from separation.proving.prover import prove as prove
    from separation.proving.refutation import Refutation as Refutation
    from separation.proving.refutation import refute as refute
    from separation.proving.relu import after_mlp as after_mlp
    from separation.proving.relu import hidden_forms as hidden_forms
    from separation.proving.search import SearchForms as SearchForms

__all__, __getattr__, __dir__ = names_of(__name__, __file__)
