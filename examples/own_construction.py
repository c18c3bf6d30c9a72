"""Look-up in one table, with codes of one's own (negated bits): proved for all inputs, then broken and refuted."""

from separation import MLP, Blocks, Construction, Declared, Head, Layer, Model, Precision, Segment, Sizes, Stream, prove

SIZES, B, TAU = Sizes(16, ()), 4, 4  # w asks for z_1(z_0): layer 1 reads z_0, layer 2 the table at z_0
KIND = {"table": [1, 1], "z0": [-1, 1], "w": [-1, -1]}
x = Stream([("one", 1), ("kind", 2), ("index", B), ("value", B), ("pointer", B), ("found", B)])
one, bits, out = Stream([("one", 1)]), Stream([("one", 1), ("bits", B)]), Stream([("found", B)])
key, hidden = Stream([("kind", 2), ("index", B)]), Stream([(name, B) for name in ("above", "below", "up", "down")])


def code(slot: str, start: int = 0) -> Segment:
    return Segment(start, (16,), Blocks(x, bits).copy(slot, "bits", -1).build())


def look_up(kind: str, asked: int = 0, held: int = 1) -> Head:
    w_q = Blocks(key, x).constants("kind", [TAU * sign for sign in KIND[kind]])
    w_k, w_v = Blocks(key, x).copy("kind", "kind"), Blocks(out, x).copy("found", "value")
    w_q, w_k = (w_q.copy("index", "pointer", TAU), w_k.copy("index", "index", held)) if asked else (w_q, w_k)
    w_o = Blocks(x, out).copy("found", "found")
    return Head(w_q.build(), w_k.build(), w_v.build(), w_o.build(), shift=TAU * (2 + asked))


def construction(held: int = 1) -> Construction:
    table = Blocks(x, bits).constants("one", [1]).constants("kind", KIND["table"]).copy("index", "bits", -1).build()
    others = [Blocks(x, one).constants("one", [1]).constants("kind", KIND[kind]).build() for kind in ("z0", "w")]
    positions = Declared((Segment(0, (16,), table), *(Segment(16 + i, (), row) for i, row in enumerate(others))))
    tokens = Declared((code("value"), Segment(16, (), Blocks(x, one).build())))
    w_1 = Blocks(hidden, x).copy("above", "found", 2).copy("below", "found", 2).copy("up", "found")
    b_1 = Blocks(hidden, one).constants("above", [1] * B).constants("below", [-1] * B)
    w_2 = Blocks(x, hidden).copy("pointer", "above").copy("pointer", "below", -1).copy("found", "up", -1)
    snap = MLP(w_1.copy("down", "found", -1).build(), b_1.build(), w_2.copy("found", "down").build(),
               Blocks(x, one).constants("pointer", [-1] * B).build())  # fmt: skip  # pointer ← clip(found), found ← 0
    layers = (Layer((look_up("z0"),), (snap,)), Layer((look_up("table", B, held),), ()))
    model = Model(x, positions, tokens, layers, Declared((code("found"),)), Precision(16, 16, 11))
    return Construction("own", SIZES, model)


print("right codes:", prove(construction()).verdict)
print("keys negated once more:", (wrong := prove(construction(held=-1))).verdict, "by", wrong.counterexample)
