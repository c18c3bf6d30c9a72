"""Proves what attention can and cannot do: exact weights, proofs for all inputs at once, certificates.

The verbs of the command line are functions here; each returns a report with `ok`, `document()` (JSON), and the text of
the command line as `str(report)`:

    >>> import separation
    >>> report = separation.prove("C1", L=2, m=3, n=(2,))
    >>> report.ok, report.margin
    (True, Fraction(2, 1))
    >>> solved = separation.solve("C1", L=2, m=3, n=(2,), seed=5)
    >>> solved.answer == solved.expected
    True
    >>> decision = separation.decide("RFFR", L=4)
    >>> decision.document()["solvable"], decision.document()["depth"]
    (False, 2)
    >>> separation.bound(L=2, beta=8, state_bits=0).document()["ours"]["tokens"]
    12

`build` makes the weights of a construction, with invariants to prove or to change:

    >>> construction = separation.build("C2", separation.Sizes(2, (2,)))
    >>> construction.name, construction.model.word
    ('C2', 'RFF')

Input that cannot be meant is refused in one line:

    >>> separation.decide("RXF", L=2)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    separation.files.InputError: character 2 of the word is 'X'; a word is made of F, R...
"""

from separation.lazily import names_of

TYPE_CHECKING = bool(0)  # nothing is imported before it is used, not even `typing`; under False jedi sees nothing
if TYPE_CHECKING:
    from constructions import build as build
    from separation.arithmetic import ExactMatrix as ExactMatrix
    from separation.arithmetic import Precision as Precision
    from separation.files import InputError as InputError
    from separation.models import MLP as MLP
    from separation.models import Blocks as Blocks
    from separation.models import Declared as Declared
    from separation.models import DeltaHead as DeltaHead
    from separation.models import Head as Head
    from separation.models import Layer as Layer
    from separation.models import LinearHead as LinearHead
    from separation.models import Model as Model
    from separation.models import Segment as Segment
    from separation.models import SparseHead as SparseHead
    from separation.models import Stored as Stored
    from separation.models import Stream as Stream
    from separation.proving import Construction as Construction
    from separation.proving import InvariantBuilder as InvariantBuilder
    from separation.proving import Proof as Proof
    from separation.proving import load_construction as load_construction
    from separation.proving import save_construction as save_construction
    from separation.tasks import Task as Task
    from separation.tasks import task_of as task_of
    from separation.tasks.funccomp import FuncComp as FuncComp
    from separation.tasks.funccomp import Instance as Instance
    from separation.tasks.funccomp import Sizes as Sizes
    from separation.tasks.two_sum import TwoSum as TwoSum
    from separation.tasks.two_sum import TwoSumInstance as TwoSumInstance
    from separation.tasks.two_sum import TwoSumSizes as TwoSumSizes
    from separation.verbs.audit import audit as audit
    from separation.verbs.bound import bound as bound
    from separation.verbs.bound_exponents import exponents_table as exponents_table
    from separation.verbs.ceiling import ceiling as ceiling
    from separation.verbs.check import check as check
    from separation.verbs.compare import compare as compare
    from separation.verbs.constructions import constructions_table as constructions_table
    from separation.verbs.crosscheck import crosscheck as crosscheck
    from separation.verbs.crosscheck import largest_certified as largest_certified
    from separation.verbs.decide import decide as decide
    from separation.verbs.design import design as design
    from separation.verbs.experiment import experiment as experiment
    from separation.verbs.export import export as export
    from separation.verbs.export import export_onnx as export_onnx
    from separation.verbs.export_benchmark import export_benchmark as export_benchmark
    from separation.verbs.fool import fool as fool
    from separation.verbs.fool import fool_sparse as fool_sparse
    from separation.verbs.infer import infer as infer
    from separation.verbs.lesson import write_lesson as write_lesson
    from separation.verbs.matrix import matrix as matrix
    from separation.verbs.proofs import proofs as proofs
    from separation.verbs.prove import prove as prove
    from separation.verbs.recurrences import recurrences_table as recurrences_table
    from separation.verbs.show import show as show
    from separation.verbs.simulate import simulate as simulate
    from separation.verbs.simulate import simulate_stock as simulate_stock
    from separation.verbs.solve import solve as solve
    from separation.verbs.sparse import bound_sparse as bound_sparse
    from separation.verbs.sparse import ceiling_sparse as ceiling_sparse
    from separation.verbs.stress import stress as stress
    from separation.verbs.stress import stress_dataset as stress_dataset
    from separation.verbs.sweep import sweep as sweep
    from separation.verbs.verify import verify as verify
    from separation.version import VERSION as __version__  # noqa: F401

__all__, __getattr__, __dir__ = names_of(__name__, __file__)
