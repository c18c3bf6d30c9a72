"""python -m tools.mutation TARGET: runs mutants, resumes where it stopped, writes docs/mutation.md at the end."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import typer

from separation.display.progress import progress_bar
from separation.files import write_whole
from tools.mutation.mutants import Reach, Site, sites_of
from tools.mutation.report import LEAST, document, read_rows, row, with_row
from tools.mutation.state import Workshop
from tools.mutation.targets import TARGETS

HOME = Path(__file__).parent.parent.parent
app = typer.Typer(add_completion=False)


def choose(sites: list[Site], sample: int, seed: int) -> list[Site]:
    """`sample` of them drawn with the seed, in the order of the files; all of them for 0."""
    if sample == 0 or sample >= len(sites):
        return sites
    places = sorted(random.Random(seed).sample(range(len(sites)), sample))
    return [sites[place] for place in places]


@app.command()
def main(
    target: Annotated[str, typer.Argument(help="kernel, bounds or proving")],
    sample: Annotated[int | None, typer.Option(help="how many mutants; 0: all [default: kernel all, else 300]")] = None,
    seed: Annotated[int, typer.Option(help="of the sample")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="children at a time")] = 2,
    limit: Annotated[int, typer.Option(min=0, help="stop after so many new results; 0: go on to the end")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="forget earlier results")] = False,
    status: Annotated[
        bool, typer.Option("--status", help="run nothing: what is done, and whether docs are stale")
    ] = False,
) -> None:
    """Run mutants of TARGET. Ctrl-C keeps what is done, the next start goes on. Exit 0: at least 90 % are killed."""
    if target not in TARGETS:
        print(f"mutation: error: {target} is no target; there are {', '.join(TARGETS)}", file=sys.stderr)
        raise typer.Exit(2)
    workshop = Workshop(HOME, TARGETS[target])
    if fresh:
        workshop.results.unlink(missing_ok=True)
    every = [site for path in workshop.target.files(HOME) for site in sites_of(HOME, path)]
    usual = workshop.target.sample
    chosen = choose(every, usual if sample is None else sample, seed)
    if not status:
        run(workshop, chosen, workers, limit)
    tell(workshop, every, chosen, status)
    if not status:
        rated = publish(workshop, every, chosen, seed, written=(sample in (None, usual) and seed == 0))
        if rated is not None and rated < LEAST:
            raise typer.Exit(1)


def run(workshop: Workshop, chosen: list[Site], workers: int, limit: int) -> None:
    """Starts the worker on what is not known yet, and stores each result as it comes."""
    workshop.prepare()
    known = workshop.load()
    left = [site.mutant.key for site in chosen if site.mutant.key not in known]
    left = left[:limit] if limit else left
    if not left:
        return
    files = {test: workshop.measurement(test) for test in workshop.evidence}
    controlled = workshop.folder / f"control-{workshop.project}-{workshop.all_evidence}"
    job: dict[str, Any] = {
        "target": workshop.target.name,
        "workers": workers,
        "mutants": left,
        "measure": [(test, str(file)) for test, file in files.items() if not file.exists()],
        "measured": [str(file) for file in files.values()],
        "control": not controlled.exists(),
        "log": str(workshop.folder / "worker.log"),
    }
    path = workshop.folder / "job.json"
    path.write_text(json.dumps(job))
    surroundings = {**os.environ, "PYTHONPATH": str(workshop.copy), "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}
    worker = subprocess.Popen(
        [sys.executable, "-m", "tools.mutation.worker", str(path)],
        cwd=workshop.copy, env=surroundings, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    signal.signal(
        signal.SIGTERM, signal.default_int_handler
    )  # the end of this process must not leave the worker behind
    try:
        follow(workshop, worker, len(left), len(job["measure"]), controlled)
    except KeyboardInterrupt:
        print("mutation: stopped; what is done is kept, the same command goes on", file=sys.stderr)
        raise typer.Exit(130) from None
    finally:
        if worker.poll() is None:
            os.killpg(worker.pid, signal.SIGTERM)
        worker.wait()


def follow(workshop: Workshop, worker: subprocess.Popen[str], left: int, files: int, controlled: Path) -> None:
    """Reads the worker's lines until it ends."""
    assert worker.stdout is not None
    done: Counter[str] = Counter()
    measured, start = 0, time.monotonic()
    with progress_bar() as report:
        for line in worker.stdout:
            event: dict[str, Any] = json.loads(line)
            if "error" in event:
                print(f"mutation: error: {event['error']}", file=sys.stderr)
                raise typer.Exit(2)
            if "measured" in event:
                measured, start = measured + 1, time.monotonic()
                report(measured / files, f"tests without mutants: {event['measured']}")
            elif "control" in event:
                controlled.touch()
                start = time.monotonic()
            else:
                workshop.store(event["key"], event["outcome"], event["by"])
                done[event["outcome"]] += 1
                speed = done.total() / (time.monotonic() - start) * 60
                counts = ", ".join(f"{count} {name}" for name, count in done.most_common())
                report(done.total() / left, f"{done.total()} of {left} mutants, {speed:.0f} a minute: {counts}")
    print(f"{done.total()} mutants in {time.monotonic() - start:.0f} s", file=sys.stderr)
    if worker.wait():
        print(f"mutation: error: the worker ended with {worker.returncode}; see {workshop.folder}", file=sys.stderr)
        raise typer.Exit(2)


def tell(workshop: Workshop, every: list[Site], chosen: list[Site], status: bool) -> None:
    """What is known and what is missing; then whether the row of the docs is stale, or the list of survivors."""
    known = workshop.load()
    results = {site.mutant.key: known[site.mutant.key] for site in chosen if site.mutant.key in known}
    outcomes = Counter(str(record["outcome"]) for record in results.values())
    missing = len(chosen) - len(results)
    print(f"{workshop.target.name}: {len(every)} mutants, {dict(Counter(s.mutant.reach.value for s in every))}")
    print(f"chosen {len(chosen)}, known {dict(outcomes)}, missing {missing}")
    if status:
        rows = {item.target: item for item in read_rows(document(workshop.home).read_text())}
        written = rows.get(workshop.target.name)
        state = "no row" if written is None else "current" if written.source == workshop.sources else "stale"
        print(f"docs/mutation.md: {state}; the source is {workshop.sources} now")
        return
    survivors = [
        site for site in chosen if results.get(site.mutant.key, {}).get("outcome") in ("survived", "not covered")
    ]
    write_whole(workshop.folder / "survivors.txt", "\n".join(describe(site, results) for site in survivors))
    print(f"survivors: {workshop.folder / 'survivors.txt'}")


def publish(workshop: Workshop, every: list[Site], chosen: list[Site], seed: int, *, written: bool) -> float | None:
    """The kill rate when every mutant chosen has a result; the docs have it for the usual sample alone."""
    known = workshop.load()
    if any(site.mutant.key not in known for site in chosen):
        print("not all are done: docs/mutation.md is left as it is")
        return None
    outcomes = Counter(str(known[site.mutant.key]["outcome"]) for site in chosen)
    beyond = sum(site.mutant.reach is not Reach.FUNCTION for site in every)
    name = str(seed) if len(chosen) < len(every) else "all"
    tool = f"mutmut {version('mutmut')}"
    new = row(workshop.target.name, len(every), beyond, outcomes, name, tool, workshop.sources)
    if written:
        path = document(workshop.home)
        write_whole(path, with_row(path.read_text(), new))
    print(f"killed: {new.rate} % of {new.run}")
    return new.rate


def describe(site: Site, results: dict[str, dict[str, Any]]) -> str:
    mutant = site.mutant
    return (
        f"{mutant.path}:{mutant.line} {mutant.place} ({results[mutant.key]['outcome']}, {mutant.key})\n{site.diff()}\n"
    )


if __name__ == "__main__":
    app()
