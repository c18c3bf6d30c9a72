"""All inputs at once: invariants, the layer-by-layer proof, certificates, and the kernel that checks them again.

| file | rule of docs/proving.md |
|---|---|
| `kernel`, `kernel_*` | the rules P1 to P11, and the kernel's verdict; it imports nothing else of this project |
| `prover`, `proof` | the kernel's rules, watched: what each head is proved to do, and which obligation fails |
| `general` | P4 by enumeration |
| `forms`, `invariants` | symbols and forms as a person meets them; invariants in constructions and in files |
| `inference` | invariants from the weights alone, where none are stated |
| `pairing`, `diagnosis_heads`, `diagnosis` | why an obligation failed, in words and numbers |
| `refutation` | an input that is answered wrongly, made short |
| `construction`, `certificates` | weights with invariants in files, and run against the oracle; certificates |
| `by_running` | no rule: `exhaustive_certificate`, how many answers are right on all inputs; `wrong_certificate` |

Of any exact model: `exhaustive_certificate(Construction(name, sizes, model))`, and its `accuracy`.
"""

from separation.lazily import names_of

TYPE_CHECKING = False  # a name is imported when it is first used: to import the kernel loads nothing else
if TYPE_CHECKING:
    from separation.proving.by_running import accuracy as accuracy
    from separation.proving.by_running import exhaustive_certificate as exhaustive_certificate
    from separation.proving.by_running import wrong_certificate as wrong_certificate
    from separation.proving.certificates import CERTIFICATE_SCHEMA as CERTIFICATE_SCHEMA
    from separation.proving.certificates import Certified as Certified
    from separation.proving.certificates import accepted as accepted
    from separation.proving.certificates import certified_proof as certified_proof
    from separation.proving.certificates import write_certificate as write_certificate
    from separation.proving.construction import EVERY_ROW as EVERY_ROW
    from separation.proving.construction import Construction as Construction
    from separation.proving.construction import construction_from_document as construction_from_document
    from separation.proving.construction import construction_to_document as construction_to_document
    from separation.proving.construction import load_construction as load_construction
    from separation.proving.construction import save_construction as save_construction
    from separation.proving.construction import wrong_inputs as wrong_inputs
    from separation.proving.failures import Failure as Failure
    from separation.proving.failures import ProofFailed as ProofFailed
    from separation.proving.forms import ONE as ONE
    from separation.proving.forms import bit as bit
    from separation.proving.inference import infer_invariants as infer_invariants
    from separation.proving.inference import infer_stages as infer_stages
    from separation.proving.invariants import Invariant as Invariant
    from separation.proving.invariants import InvariantBuilder as InvariantBuilder
    from separation.proving.invariants import Stage as Stage
    from separation.proving.proof import Proof as Proof
    from separation.proving.prover import prove as prove
    from separation.proving.refutation import Refutation as Refutation
    from separation.proving.refutation import refute as refute

__all__, __getattr__, __dir__ = names_of(__name__, __file__)
