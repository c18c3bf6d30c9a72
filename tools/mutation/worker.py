"""The process that runs mutants: started in the scratch copy, it imports the project and forks a child for each mutant.

    python -m tools.mutation.worker JOB.json        one JSON line for each result on standard output

Order: test files are measured, then mutants at module level (each child imports the project itself), then the rest
(the tests are collected once, and a child starts from there).
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tools.mutation import baseline as measuring
from tools.mutation.baseline import Baseline
from tools.mutation.children import Ended, Say, in_children
from tools.mutation.inject import answer_import, compiled, exchange, exchangeable, memories
from tools.mutation.mutants import Reach, Site, sites_of
from tools.mutation.running import Collected, collect, same_each_time
from tools.mutation.targets import TARGETS, Target

# others' packages, imported once before any fork: a child that imports the project by itself finds them there
OTHERS = [
    *("numpy", "flint", "scipy.optimize", "scipy.sparse", "sympy", "networkx", "z3", "matplotlib", "safetensors.numpy"),
    *("matplotlib.figure", "rich.progress", "typer", "jsonschema", "torch", "transformers"),
]
INVALID = 3  # exit status of a child whose mutant is no Python
IMPORTING = 60.0  # seconds of processor time for importing and collecting with a mutant
Emit = Callable[[dict[str, Any]], None]


@dataclass
class Run:
    """One target's mutants, with the tests that may kill them."""

    root: Path
    target: Target
    workers: int
    emit: Emit
    known: Baseline
    killers: dict[tuple[str, str], str] = field(default_factory=dict)  # of the function's last killed mutant

    def tests_for(self, site: Site) -> list[str]:
        """Tests that execute the statement, fastest first, within the budget; its function's last killer before."""
        mutant = site.mutant
        at_import = mutant.reach is Reach.MODULE
        place = (mutant.path, mutant.first, mutant.last)
        tests = self.known.importing(mutant.path) if at_import else self.known.reaching(*place)
        chosen: list[str] = []
        spent = 0.0
        for test in tests:
            spent += self.known.seconds[test]
            if chosen and spent > (2 if at_import else 1) * self.target.budget:
                break
            chosen.append(test)
        last = self.killers.get((mutant.path, mutant.place))
        return sorted(chosen, key=lambda test: test != last)

    def record(self, ended: Ended[Site]) -> None:
        """0: every test passed; SIGPROF: the timer; INVALID: not compiled; else a test failed or the child crashed."""
        mutant = ended.job.mutant
        outcomes = {0: "survived", -signal.SIGPROF: "timed out", INVALID: "invalid"}
        outcome = outcomes.get(ended.status, "killed")
        if outcome == "killed":
            self.killers[mutant.path, mutant.place] = ended.said
        self.emit({"key": mutant.key, "outcome": outcome, "by": "" if outcome == "survived" else ended.said})

    def covered(self, sites: Iterable[Site]) -> list[Site]:
        """The mutants that some test executes; the others are recorded at once."""
        found = []
        for site in sites:
            if self.tests_for(site):
                found.append(site)
            else:
                self.emit({"key": site.mutant.key, "outcome": "not covered", "by": ""})
        return found

    def at_import(self, sites: Sequence[Site]) -> None:
        """Mutants that come into force when their module is imported: a child imports and collects by itself."""

        def work(site: Site, say: Say) -> int:
            try:
                answer_import(site, self.root)
            except SyntaxError:
                return INVALID
            tests = self.tests_for(site)
            files = sorted({test.partition("::")[0] for test in tests})
            say(files[0])
            signal.setitimer(signal.ITIMER_PROF, IMPORTING)  # the tests set it anew for each
            failed = [True]  # unless the tests were collected, and then by what they say

            def use(plugin: Collected, items: list[Any]) -> None:
                chosen = {item.nodeid: item for item in items}
                missing = [test for test in tests if test not in chosen]
                failed[0] = bool(missing) or plugin.first_failure([chosen[t] for t in tests], self.known.seconds, say)

            collect(self.root, files, use)
            return int(failed[0])

        for ended in in_children(self.covered(sites), work, self.workers):
            self.record(ended)

    def in_functions(self, sites: Sequence[Site], control: bool) -> None:
        """Mutants inside functions: a child is born with the tests collected, and exchanges the function's code."""
        files = sorted({test.partition("::")[0] for test in self.known.seconds})

        def use(plugin: Collected, items: list[Any]) -> None:
            chosen = {item.nodeid: item for item in items}
            forgotten = memories(self.target.caches)
            gc.freeze()  # a child that collects garbage would copy the pages that it shares

            def work(site: Site, say: Say) -> int:
                try:
                    compiled(site)
                except SyntaxError:
                    return INVALID
                for memory in forgotten:
                    memory.cache_clear()
                tests = [chosen[test] for test in self.tests_for(site)]
                say(tests[0].nodeid)
                exchange(site)
                return int(plugin.first_failure(tests, self.known.seconds, say))

            if control:
                self.control(plugin, [chosen[test] for test in self.known.seconds], functions_of(sites), forgotten)
            for ended in in_children(self.covered(sites), work, self.workers):
                self.record(ended)

        if sites:
            collect(self.root, files, use)

    def control(self, plugin: Collected, items: list[Any], sites: Sequence[Site], forgotten: list[Any]) -> None:
        """Every function exchanged for itself must pass every test; otherwise a kill would mean nothing."""

        def work(part: list[Any], say: Say) -> int:
            for memory in forgotten:
                memory.cache_clear()
            for site in sites:
                exchange(site, changed=False)
            return int(plugin.first_failure(part, self.known.seconds, say))

        parts = [items[start :: self.workers] for start in range(self.workers)]
        for ended in in_children([part for part in parts if part], work, self.workers):
            if ended.status:
                raise RuntimeError(f"the control run without any mutant fails at {ended.said}")
        self.emit({"control": True})


def exchange_fails(root: Path, sites: Sequence[Site]) -> set[tuple[str, str]]:
    """The functions, by path and place, whose code cannot be exchanged; asked in a child, as it imports the project."""

    def work(functions: list[Site], say: Say) -> int:
        found = importlib.import_module("separation").__file__
        if found is None or not Path(found).is_relative_to(root):
            say(f"the project is imported from {found}, not from the scratch copy")
            return 1
        say(json.dumps([(site.mutant.path, site.mutant.place) for site in functions if not exchangeable(site)]))
        return 0

    (ended,) = in_children([functions_of(sites)], work, 1)
    if ended.status:
        raise RuntimeError(ended.said)
    return {(path, place) for path, place in json.loads(ended.said)}


def functions_of(sites: Sequence[Site]) -> list[Site]:
    """One mutant of each function."""
    return list({(site.mutant.path, site.mutant.place): site for site in sites}.values())


def apart(sites: Sequence[Site], keep: Callable[[Site], bool]) -> tuple[list[Site], list[Site]]:
    return [site for site in sites if keep(site)], [site for site in sites if not keep(site)]


def main() -> None:
    job = json.loads(Path(sys.argv[1]).read_text())
    root, target = Path.cwd(), TARGETS[job["target"]]
    channel = os.fdopen(os.dup(1), "w", buffering=1)
    log = os.open(job["log"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(log, 1)  # what tests print is of no interest, and must not mix with the results
    os.dup2(log, 2)

    def emit(event: dict[str, Any]) -> None:
        print(json.dumps(event), file=channel, flush=True)

    same_each_time()
    for name in OTHERS:
        if importlib.util.find_spec(name.partition(".")[0]):
            importlib.import_module(name)
    try:
        for name in measuring.measured(
            root, target, [(test, Path(file)) for test, file in job["measure"]], job["workers"]
        ):
            emit({"measured": name})
        run = Run(
            root, target, job["workers"], emit, measuring.load([Path(f) for f in job["measured"]], target.slowest)
        )
        wanted = set(job["mutants"])
        every = [site for path in target.files(root) for site in sites_of(root, path) if site.mutant.key in wanted]
        stubborn = exchange_fails(root, [site for site in every if site.function is not None])
        at_import, inside = apart(
            every, lambda site: site.function is None or (site.mutant.path, site.mutant.place) in stubborn
        )
        run.at_import(at_import)
        run.in_functions(inside, job["control"])
    except RuntimeError as error:
        emit({"error": str(error)})


if __name__ == "__main__":
    main()
