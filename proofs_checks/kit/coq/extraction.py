"""The checker of certificates that is proved in Coq: extracted to OCaml, compiled, run on a certificate.

`python -m proofs_checks.kit.coq.extraction` builds it and prints its path, as in
`python corpus/run.py --kind bound $(python -m proofs_checks.kit.coq.extraction)`.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from proofs_checks.kit.coq.compiling import LONGEST_SECONDS, CoqRefused, library
from proofs_checks.kit.coq.files import FOLDER
from separation.files import InputError
from separation.progress import Progress

INSTALL = "on Debian and Ubuntu: apt-get install ocaml-nox"
EXTRACTED = ("checker.mli", "checker.ml")
"""Written by Coq from the program of Checker.v."""
READERS = ("json.ml", "numbers.ml", "models.ml", "constructions.ml", "certificate.ml", "main.ml")
"""Written by hand: a document becomes a claim. A mistake there is not ruled out by any theorem."""


def extracted_checker(workers: int = 2, progress: Progress | None = None) -> Path:
    """The program, built into the user's cache next to the compiled Coq files if it is not there yet."""
    if shutil.which("ocamlopt") is None:
        raise InputError(f"ocamlopt is not installed; {INSTALL}")
    compiled = library("Extract.v", workers=workers, progress=progress)
    texts = {name: (FOLDER / "ocaml" / name).read_text() for name in READERS}
    digest = hashlib.sha256("\0".join(texts.values()).encode()).hexdigest()[:16]
    program = compiled / f"checker-{digest}"
    if program.is_file():
        return program
    with tempfile.TemporaryDirectory(prefix="ocaml-", dir=compiled) as made:
        room = Path(made)
        for name in EXTRACTED:
            shutil.copy(compiled / name, room / name)
        for name, text in texts.items():
            (room / name).write_text(text)
        command = ["ocamlopt", "-o", "checker", *EXTRACTED, *READERS]
        done = subprocess.run(command, cwd=room, capture_output=True, text=True, check=False, timeout=LONGEST_SECONDS)
        if done.returncode:
            raise CoqRefused(f"ocamlopt: {' '.join((done.stderr or done.stdout).split())[:400]}")
        with contextlib.suppress(OSError):  # another process was faster
            (room / "checker").rename(program)
    return program


def verdict_of(program: Path, certificate: Path, seconds: float = LONGEST_SECONDS) -> tuple[int, str]:
    """The exit status (0 accepted, 1 rejected, 2 malformed or declined) and what is said."""
    done = subprocess.run([program, certificate], capture_output=True, text=True, check=False, timeout=seconds)
    return done.returncode, done.stdout.strip()


if __name__ == "__main__":
    try:
        print(extracted_checker())
    except (InputError, CoqRefused) as error:
        sys.exit(f"{error}")
