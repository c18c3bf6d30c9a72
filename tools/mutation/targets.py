"""What is mutated, and which tests may kill it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Target:
    """The files `sources` (globs, without `left_out`) against the test files `tests`.

    A test that takes longer than `slowest` seconds is not used, and a mutant runs its tests, fastest first, until
    `budget` seconds of them are planned: what is left out can only make the kill rate lower.
    `sample` mutants are drawn unless asked otherwise; 0: all of them.
    `caches` are the modules whose memories are emptied in a child, so that nothing computed before the change is used.
    """

    name: str
    sources: tuple[str, ...]
    left_out: tuple[str, ...]
    tests: tuple[str, ...]
    slowest: float
    budget: float
    caches: tuple[str, ...]
    sample: int = 300

    def files(self, root: Path) -> list[Path]:
        """The files to mutate, relative to the root."""
        found = {path.relative_to(root) for pattern in self.sources for path in root.glob(pattern)}
        return sorted(path for path in found if path.as_posix() not in self.left_out)

    def test_files(self, root: Path) -> list[Path]:
        return sorted({path.relative_to(root) for pattern in self.tests for path in root.glob(pattern)})


KERNEL = "separation/proving/checker.py"
EVERYTHING = ("separation", "constructions", "test_", "cases")  # prefixes and suffixes of module names

TARGETS = {
    target.name: target
    for target in (
        # the certificates that the kernel's tests keep are not made by the kernel: only its own memory is emptied
        Target(
            name="kernel",
            sources=(KERNEL,),
            left_out=(),
            tests=(
                "tests/proving/test_checker_*.py",
                "tests/certificates/test_certificates_edges.py",
                "tests/certificates/test_certificates_limits.py",
                "tests/bounds/test_bounds_certificate.py",
                "tests/fooling/test_fooling_certificate.py",
            ),
            slowest=0.3,
            budget=5.0,
            caches=("separation.proving.checker",),
            sample=0,
        ),
        Target(
            name="bounds",
            sources=("separation/bounds/*.py",),
            left_out=(),
            tests=("tests/bounds/test_*.py",),
            slowest=0.6,
            budget=6.0,
            caches=EVERYTHING,
        ),
        Target(
            name="proving",
            sources=("separation/proving/*.py",),
            left_out=(KERNEL,),
            tests=("tests/proving/test_prover_*.py", "tests/proving/test_checker_accepts.py"),
            slowest=0.6,
            budget=6.0,
            caches=EVERYTHING,
        ),
    )
}
