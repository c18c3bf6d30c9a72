"""Nothing that is read is ever run: no eval, no pickle, no sympify; and the kernel stands alone."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from separation.proving import kernel

ROOT = Path(__file__).parents[2]
KERNEL = sorted(Path(kernel.__file__).parent.glob("kernel*.py"))
EACH_OTHER = {file.stem for file in KERNEL}
ROOMS = ("separation", "constructions", "proofs_checks")
SOURCES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))

CALLS = {"eval", "exec", "compile", "__import__", "sympify", "parse_expr", "parse_latex", "literal_eval", "S"}
MODULES = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml"}
LOADERS = {"torch.load", "numpy.load", "np.load", "np.fromfile", "os.system", "os.popen", "runpy.run_path"}
ALLOWED = {  # where such a name stands, and why it is harmless there
    ("separation/fooling/birthday.py", "pickle"): "what a search sends to its own workers, never a file",
    ("proofs_checks/kit/coq/extraction.py", "subprocess"): "compiles the project's own OCaml files",
    ("separation/verbs/book_figure.py", "subprocess"): "lays out the book's graph with graphviz",
    ("separation/bench/processes.py", "subprocess"): "times the command line from outside",
    (
        "proofs_checks/kit/coq/compiling.py",
        "subprocess",
    ): "runs coqc on its own files and on text made of numbers",
    ("proofs_checks/kit/formulas.py", "eval"): "formulas of its own table",
    ("proofs_checks/kit/coq/reading.py", "compile"): "inequalities of its own Coq files, as Python",
    ("proofs_checks/kit/coq/reading.py", "eval"): "the same",
}


def offences(source: str) -> set[str]:
    """Names in a source that run, import or unpickle what they are given."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names} & (MODULES | {"subprocess"})
        elif isinstance(node, ast.ImportFrom):
            names = {alias.name for alias in node.names}
            found |= {str(node.module).split(".")[0]} & (MODULES | {"subprocess"})
            found |= names & (CALLS - {"S", "compile"})
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            bare = name.rpartition(".")[2]
            found |= {name} & LOADERS
            found |= {bare} & {"sympify", "parse_expr", "parse_latex", "literal_eval"}
            found |= {name} & CALLS
            if bare == "load" and any(keyword.arg == "allow_pickle" for keyword in node.keywords):
                found.add("allow_pickle")
    return found


def test_nothing_that_is_read_is_run() -> None:
    """And no exception is out of date."""
    found = {(str(path.relative_to(ROOT)), what) for path in SOURCES for what in offences(path.read_text())}
    assert found == set(ALLOWED)


def test_the_kernel_imports_the_standard_library_alone() -> None:
    """And its files each other."""
    for file in KERNEL:
        _check_imports(file)


def _check_imports(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0
            room, _, last = str(node.module).rpartition(".")
            names = {last} if room == "separation.proving" else {alias.name for alias in node.names}
            own = "separation.proving" in (room, node.module) and names <= EACH_OTHER
            assert own or str(node.module).split(".")[0] in sys.stdlib_module_names
        elif isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= sys.stdlib_module_names
        assert not isinstance(node, ast.Div), "no true division, which makes floats of integers"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
    assert offences(file.read_text()) == set()
    assert "float(" not in file.read_text()
