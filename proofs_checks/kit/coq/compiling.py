"""Compiling Coq: every file from its text, in an order that its imports allow, and what a theorem assumes."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from graphlib import TopologicalSorter
from pathlib import Path

from proofs_checks.kit.coq.files import sources
from separation.files import InputError
from separation.progress import Progress

INSTALL = "on Debian and Ubuntu: apt-get install coq libcoq-mathcomp-ssreflect"
LONGEST_SECONDS = 900
CLOSED = "Closed under the global context"


class CoqRefused(Exception):
    """coqc did not accept a file; the text is what it said, on one line."""


def coq_version() -> str:
    """Such as 8.16.1; where there is no coqc, an error that says how to install it."""
    if shutil.which("coqc") is None:
        raise InputError(f"coqc is not installed; {INSTALL}")
    done = subprocess.run(["coqc", "--print-version"], capture_output=True, text=True, check=False)
    return done.stdout.split(" ")[0].strip()


def compile_files(
    folder: Path, names: Iterable[str], workers: int = 2, progress: Progress | None = None
) -> dict[str, float]:
    """Copy the files into the empty ``folder`` and compile them there; the seconds that each took.

    A file starts when all that it imports is compiled. CoqRefused names the first file that coqc does not accept.
    """
    coq_version()
    texts = sources()
    wanted = list(names)
    for name in wanted:
        (folder / name).write_text(texts[name])
    order = TopologicalSorter(imports({name: texts[name] for name in wanted}))
    order.prepare()
    seconds: dict[str, float] = {}
    with ThreadPoolExecutor(max(1, workers)) as pool:
        running: dict[Future[float], str] = {}
        while order.is_active():
            for name in order.get_ready():
                running[pool.submit(_compile_one, folder, name)] = name
            if progress is not None:
                progress(len(seconds) / len(wanted), f"coqc {', '.join(sorted(running.values()))}")
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                name = running.pop(done)
                try:
                    seconds[name] = done.result()
                except CoqRefused:
                    pool.shutdown(cancel_futures=True)
                    raise
                order.done(name)
    return seconds


def imports(texts: Mapping[str, str]) -> dict[str, set[str]]:
    """For each file the files of the project that it imports."""
    found: dict[str, set[str]] = {}
    for name, text in texts.items():
        lines = re.findall(r"^From separation Require Import ([^.]*)\.", text, flags=re.MULTILINE)
        found[name] = {f"{module}.v" for line in lines for module in line.split()}
    return found


def needed_by(*names: str) -> list[str]:
    """Files and all that they import, directly or through others, in the order of _CoqProject."""
    texts = sources()
    links, found, ahead = imports(texts), {*names}, [*names]
    while ahead:
        new = links[ahead.pop()] - found
        found |= new
        ahead += new
    return [file for file in texts if file in found]


def library(*wanted: str, workers: int = 2, progress: Progress | None = None) -> Path:
    """A folder with files and all that they import compiled: from the user's cache if it is there, else compiled now.

    Its name is a digest of the texts and of Coq's version, so another text is another folder; it is written whole.
    """
    names, texts = needed_by(*wanted), sources()
    parts = [coq_version(), *(part for file in names for part in (file, texts[file]))]
    digest = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "separation"
    place = root / f"coq-{digest}"
    if place.is_dir():
        return place
    root.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="coq-", dir=root) as made:
        folder = Path(made) / "library"
        folder.mkdir()
        compile_files(folder, names, workers, progress)
        with contextlib.suppress(OSError):  # another process was faster
            folder.rename(place)
    return place


def assumptions(folder: Path, module: str, theorems: Iterable[str], compiled: Path | str = ".") -> dict[str, list[str]]:
    """What each theorem of a compiled module rests on besides Coq's own logic; nothing when it is closed.

    `Print Assumptions` lists axioms, parameters, and what was accepted with a check of the kernel switched off.
    ``folder`` holds the module, ``compiled`` the library.
    """
    names = list(theorems)
    asked = [f'Goal True. idtac "@ {name}". Abort.\nPrint Assumptions {module}.{name}.' for name in names]
    (folder / "Assumptions.v").write_text(f"Require {module}.\n" + "\n".join(asked) + "\n")
    said = coqc(folder, "Assumptions.v", compiled)
    parts = dict(part.split("\n", 1) for part in said.split("@ ")[1:] if "\n" in part)
    if set(parts) != set(names):
        raise CoqRefused(f"Print Assumptions answered for {len(parts)} of {len(names)} theorems")
    return {name: _listed(parts[name]) for name in names}


def _listed(said: str) -> list[str]:
    lines = [line for line in said.strip().splitlines() if line.strip()]
    if lines == [CLOSED]:
        return []
    named = [line.split(":")[0].strip() for line in lines if not line.startswith((" ", "Axioms", "Section"))]
    return named or ["(an answer that is not understood)"]


def coqc(folder: Path, name: str, compiled: Path | str = ".", seconds: int = LONGEST_SECONDS) -> str:
    """What coqc prints for one file of ``folder``; ``compiled`` is the folder of the files that it imports."""
    command = ["coqc", "-R", str(compiled), "separation", "-w", "-notation-overridden"]
    return call([*command, *([] if compiled == "." else ["-Q", ".", ""]), name], folder, name, seconds).stdout


def _compile_one(folder: Path, name: str) -> float:
    start = time.perf_counter()
    coqc(folder, name)
    return time.perf_counter() - start


def call(command: list[str], folder: Path, what: str, seconds: int) -> subprocess.CompletedProcess[str]:
    plain = {**os.environ, "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=seconds, env=plain
        )
    except FileNotFoundError:
        raise InputError(f"{command[0]} is not installed; {INSTALL}") from None
    except subprocess.TimeoutExpired:
        raise CoqRefused(f"{what}: {command[0]} did not end within {seconds} s") from None
    if done.returncode:
        said = " ".join((done.stderr or done.stdout).split())
        if "mathcomp" in said and "Cannot find a physical path" in said:
            raise InputError(f"mathcomp's ssreflect is not installed; {INSTALL}")
        raise CoqRefused(f"{what}: {said[:400]}")
    return done
