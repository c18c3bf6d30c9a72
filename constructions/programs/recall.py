"""Look-ups by position or by content: copying, induction, associative recall."""

from __future__ import annotations

from itertools import combinations, permutations

from separation.programs import Program, where


def previous_token(n: int = 4, V: int = 3) -> Program:
    """What stood just before; V at the first token.

    Olsson et al., In-context learning and induction heads, 2022.
    """
    p = Program("previous token")
    _, text = p.start(), p.tokens("text", n, letter=V)
    p.answer(text.previous(text.letter, default=V))
    return p


def copying(n: int = 4, V: int = 3) -> Program:
    """A string, then a place for each of its letters: the letter.

    Jelassi et al., Repeat after me: transformers are better than state space models at copying, 2024.
    """
    p = Program("copying")
    source, copy = p.tokens("source", n, letter=V), p.tokens("copy", n)
    p.answer(source.find(where(source.position == copy.position), read=source.letter))
    return p


def selective_copying(n: int = 4, V: int = 2) -> Program:
    """Letters among blanks, then as many places: the letters in order, without the blanks; V after the last.

    Gu, Dao, Mamba: linear-time sequence modeling with selective state spaces, 2023.
    """
    p = Program("selective copying")
    _, text, copy = p.start(), p.tokens("text", n, letter=V + 1), p.tokens("copy", n)
    kept = text.count(where(text.letter < V), name="kept")
    place = p.map(lambda x, c: c - 1 if x < V and c else n, text.letter, kept, size=n + 1, name="place")
    p.answer(text.find(where(place == copy.position), read=text.letter, default=V, once=True))
    return p


def induction(n: int = 4, V: int = 2) -> Program:
    """What followed the latest earlier occurrence of this token; V if there is none.

    Olsson et al., In-context learning and induction heads, 2022.
    """
    p = Program("induction")
    _, seq = p.start(), p.tokens("seq", n, sym=V)
    before = seq.previous(seq.sym, default=V)
    p.answer(seq.latest(where(before == seq.sym), read=seq.sym, default=V))
    return p


def induction_once(n: int = 3, V: int = 4) -> Program:
    """A query that occurs exactly once before the end of the text: what followed it.

    Sanford, Hsu, Telgarsky, One-layer transformers fail to solve the induction heads task, 2024.
    """
    p = Program("induction, once")
    _, text, query = p.start(), p.tokens("text", n, letter=V), p.tokens("query", 1, asked=V)
    before = text.previous(text.letter, default=V)
    p.answer(text.find(where(before == query.asked), read=text.letter, once=True))
    return p


def k_hop_induction(n: int = 4, V: int = 2, k: int = 3) -> Program:
    """What followed what followed … this token, k times over; V as soon as there is none.

    Sanford, Hsu, Telgarsky, Transformers, parallel computation, and logarithmic depth, 2024.
    """
    p = Program(f"{k}-hop induction")
    _, seq = p.start(), p.tokens("seq", n, sym=V)
    before = seq.previous(seq.sym, default=V)
    hop = seq.sym
    for _ in range(k):
        hop = seq.latest(where(before == seq.sym), read=hop, default=V)
    p.answer(hop)
    return p


def recall(pairs: int = 2, V: int = 3, queries: int = 1) -> Program:
    """Associative recall: keys and values in turn, each key once; then queries, each a key: its value.

    Arora et al., Zoology: measuring and improving recall in efficient language models, 2023.
    """
    p = Program("associative recall")
    _, text, query = p.start(), p.tokens("text", 2 * pairs, x=V), p.tokens("query", queries, asked=V)
    second = p.map(lambda place: place % 2, text.position, name="second")
    before = text.previous(text.x, default=V)
    p.answer(text.find(where(second == 1, before == query.asked), read=text.x, once=True))
    return p


def mqar(pairs: int = 2, keys: int = 3, values: int = 2, queries: int = 1) -> Program:
    """Multi-query associative recall, a pair in one token: each key once; then queries, each a key: its value.

    One token is what a short convolution makes of two. So one look-up is all, F, or a state with a value for every
    key, R.

    Arora et al., Zoology: measuring and improving recall in efficient language models, 2023.
    """
    p = Program("MQAR")
    pair = p.tokens("pair", pairs, key=keys, value=values, distinct="key")
    query = p.tokens("query", queries, asked=keys)
    p.answer(pair.find(where(pair.key == query.asked), read=pair.value))
    return p


def two_hop_recall(pairs: int = 2, V: int = 3) -> Program:
    """Pairs of a key and a value that is again a key: the value of the value of the query.

    Peng, Narayanan, Papadimitriou, On limitations of the transformer architecture, 2024.
    """
    p = Program("two-hop recall")
    pair = p.tokens("pair", pairs, key=V, value=V, distinct="key")
    query = p.tokens("query", 1, asked=V)
    middle = pair.find(where(pair.key == query.asked), read=pair.value)
    p.answer(pair.find(where(pair.key == middle), read=pair.value))
    return p


def state_based_recall(n: int = 1, V: int = 2, degree: int = 3, even: int = 0) -> Program:
    """A table with a row for each permutation, then a word: the row of its product so far. A scan, then a look-up.

    arXiv 2603.08859, 2026.
    """
    p = Program("state-based recall")
    group = [
        g for g in sorted(permutations(range(degree))) if not even or sum(a > b for a, b in combinations(g, 2)) % 2 == 0
    ]
    _, table, word = p.start(), p.tokens("table", len(group), value=V), p.tokens("word", n, g=len(group))
    state = p.product(group, word.g, name="product")
    p.answer(table.find(where(table.position == state), read=table.value))
    return p


LARGE = {
    "previous_token": {"n": 4096, "V": 16},
    "copying": {"n": 8192, "V": 16},
    "selective_copying": {"n": 128, "V": 8},
    "induction": {"n": 512, "V": 16},
    "induction_once": {"n": 128, "V": 256},
    "k_hop_induction": {"n": 512, "V": 16},
    "recall": {"pairs": 256, "V": 256, "queries": 64},
    "mqar": {"pairs": 256, "keys": 512, "values": 64, "queries": 64},
    "two_hop_recall": {"pairs": 128, "V": 256},
    "state_based_recall": {"n": 64, "V": 16},
}
