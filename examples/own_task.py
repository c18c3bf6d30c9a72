"""A task of one's own, two-hop recall: described, solved by two look-ups, proved, and checked by the kernel.

The prompt: pairs of a key and a value, every value being again the key of a pair; then one query, a key. The answer is
the value of the value. Prover and kernel learn the task from its description; nobody has to teach it to them.
"""

from separation import (
    MLP,
    Blocks,
    Construction,
    Declared,
    Find,
    Head,
    Layer,
    LookUps,
    Model,
    Precision,
    Segment,
    Stream,
    TokenKind,
    check,
    prove,
    task_of,
)

PAIRS, KEYS, B, TAU = 6, 8, 3, 5
pairs = TokenKind("pairs", PAIRS, (("key", KEYS, None), ("value", KEYS, "pairs")), named_by=("key",))
query = TokenKind("query", 1, (("asked", KEYS, "pairs"),))
hops = (
    Find("query", "pairs", ("asked",), (("value", "middle"),)),
    Find("query", "pairs", ("middle",), (("value", "end"),)),
)
TASK = LookUps("two hop recall", (pairs, query), hops, answer="end")

x = Stream([("one", 1), ("pair", 1), ("key", B), ("value", B), ("pointer", B), ("found", B)])
one, address, read = Stream([("one", 1)]), Stream([("pair", 1), ("key", B)]), Stream([("found", B)])
hidden = Stream([(name, B) for name in ("above", "below", "old+", "old-", "up", "down")])


def look_up() -> Head:
    """The pair whose key the pointer is: its value goes to `found`."""
    return Head(
        w_q=Blocks(address, x).constants("pair", [TAU]).copy("key", "pointer", TAU).build(),
        w_k=Blocks(address, x).copy("pair", "pair").copy("key", "key").build(),
        w_v=Blocks(read, x).copy("found", "value").build(),
        w_o=Blocks(x, read).copy("found", "found").build(),
        shift=TAU * (1 + B),
    )


def snap() -> MLP:
    """pointer ← clip(found), found ← 0."""
    w_1 = Blocks(hidden, x).copy("above", "found", 2).copy("below", "found", 2).copy("up", "found")
    w_1.copy("down", "found", -1).copy("old+", "pointer").copy("old-", "pointer", -1)
    w_2 = Blocks(x, hidden).copy("pointer", "above").copy("pointer", "below", -1).copy("pointer", "old+", -1)
    w_2.copy("pointer", "old-").copy("found", "up", -1).copy("found", "down")
    b_1 = Blocks(hidden, one).constants("above", [1] * B).constants("below", [-1] * B)
    b_2 = Blocks(x, one).constants("pointer", [-1] * B)
    return MLP(w_1.build(), b_1.build(), w_2.build(), b_2.build())


def construction(layers: int) -> Construction:
    place = Stream([("one", 1), ("position", 3)])
    spelled, asked = Stream([("one", 1), ("key", B), ("value", B)]), Stream([("one", 1), ("asked", B)])
    positions = Declared(
        (
            Segment(0, (PAIRS,), Blocks(x, place).constants("one", [1]).constants("pair", [1]).build()),
            Segment(PAIRS, (1,), Blocks(x, one).constants("one", [1]).constants("pair", [-1]).build()),
        )
    )
    tokens = Declared(
        (
            Segment(0, (KEYS, KEYS), Blocks(x, spelled).copy("key", "key").copy("value", "value").build()),
            Segment(KEYS * KEYS, (KEYS,), Blocks(x, asked).copy("pointer", "asked").build()),
        )
    )
    answers = Declared((Segment(0, (KEYS,), Blocks(x, asked).copy("pointer", "asked").build()),))
    stack = tuple(Layer((look_up(),), (snap(),)) for _ in range(layers))
    return Construction("two look-ups", TASK, Model(x, positions, tokens, stack, answers, Precision(16, 16, 12)))


print(f"{TASK.count_inputs():,} inputs of {TASK.length} tokens")
right = construction(layers=2)
print("two layers:", prove(right).verdict)
print("the kernel:", check(right).message)
one_short = prove(construction(layers=1))
print("one layer:", one_short.verdict, "by", task_of(TASK).prompt(one_short.counterexample).tolist())
