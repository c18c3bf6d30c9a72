"""A model compiled by Tracr, refuted: on the chain trap, and where a pointer leaves the prompt (Tracr's issue 25).

Needs Tracr: pip install 'separation[peer]'. `python examples/tracr_model.py N` takes tables of N entries.

The program follows three tables, one after another. Tracr compiles it to attention whose selected key scores
100/√(key size): with longer prompts the others weigh more, and in the chain trap (every entry 0 but for one chain) all
of the others say the same. Random tables, and Tracr's own validator, notice nothing for much longer.
"""

import sys

from tracr.compiler import compiling, validating
from tracr.rasp import rasp

from separation import Sizes, task_of
from separation.tasks.funccomp import FAMILIES


def chase(sizes: Sizes) -> rasp.SOp:
    """Hop ℓ reads table ℓ at the hop before; the prompt is tables L, …, 1 and z_0."""
    pointer = rasp.tokens
    for level in range(1, sizes.L + 1):
        start = sizes.table_start(level)
        asked = rasp.Select(rasp.indices, pointer, lambda key, query, start=start: key == start + query)
        pointer = rasp.Aggregate(asked, rasp.tokens).named(f"hop_{level}")
    return pointer


def main(entries: int) -> None:
    sizes = Sizes(entries, (1, 1))
    task = task_of(sizes)
    model = compiling.compile_rasp_to_model(chase(sizes), set(range(entries)), max_seq_len=sizes.length - 1)

    def says(instance: object) -> int:
        ids = task.prompt(instance).tolist()
        return int(model.apply([compiling.COMPILER_BOS, *ids[:-1]]).decoded[-1])

    for family, cases in {
        "random": task.samples(0, 3),
        "chain trap": FAMILIES["chain_trap"](sizes, 0),
    }.items():
        found = [(says(case), task.expected(case)) for case in cases]
        wrong = [pair for pair in found if pair[0] != pair[1]]
        example = f"; says {wrong[0][0]} where {wrong[0][1]} is due" if wrong else ""
        print(f"{family}: {len(found) - len(wrong)} of {len(found)} right{example}")

    asked = rasp.Select(rasp.indices, rasp.tokens, rasp.Comparison.EQ)
    twice = rasp.Aggregate(asked, rasp.Aggregate(asked, rasp.indices))
    small = compiling.compile_rasp_to_model(twice, {1, 2, 3, 4}, max_seq_len=5, compiler_bos="BOS")
    prompt = [1, 2, 3, 4]
    compiled, meant = small.apply(["BOS", *prompt]).decoded[1:], twice(prompt)
    print(f"issue 25: compiled {compiled}, meant {meant}, its validator says {validating.validate(twice, prompt)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 64)
