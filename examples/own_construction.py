"""Weights of one's own for a program: blocks between named slots, proved for all inputs, then broken and refuted.

*The entry of the table at the pointer.* The program is the task; `p.compile()` would make weights for it. These are
written by hand: one head, whose queries are the pointer's bits and whose keys the bits of each entry's place.
"""

from separation import Blocks, Construction, Declared, Head, Layer, Model, Precision, Segment, Stream, prove
from separation.programs import Program, where

p = Program("look-up")
table, query = p.tokens("table", 16, value=16), p.tokens("query", 1, pointer=16)
p.answer(table.find(where(table.position == query.pointer), read=table.value, name="entry"))

x = Stream([("place", 4), ("value", 4), ("pointer", 4), ("entry", 4)])
bits, key, found = Stream([("one", 1), ("bits", 4)]), Stream([("key", 4)]), Stream([("found", 4)])


def code(slot: str, start: int = 0) -> Segment:
    """16 rows: the ±1 bits of 0..15 in a slot."""
    return Segment(start, (16,), Blocks(x, bits).copy(slot, "bits").build())


def construction(sharpness: int) -> Construction:
    w_q, w_k = Blocks(key, x).copy("key", "pointer", sharpness), Blocks(key, x).copy("key", "place")
    w_v, w_o = Blocks(found, x).copy("found", "value"), Blocks(x, found).copy("entry", "found")
    head = Head(w_q.build(), w_k.build(), w_v.build(), w_o.build(), shift=4 * sharpness)
    positions = Declared((code("place"), Segment(16, (), Blocks(x, Stream([("one", 1)])).build())))
    tokens, answers = Declared((code("value"), code("pointer", 16))), Declared((code("entry"),))
    bits_held = Precision(score_bits=16, bits=16, fraction_bits=8)
    model = Model(x, positions, tokens, (Layer((head,), ()),), answers, bits_held)
    return Construction("own", p.definitions, model)


print("sharp:", prove(construction(sharpness=3)).verdict)
print("dull:", (wrong := prove(construction(sharpness=0))).verdict, "-", wrong.found.failure)
