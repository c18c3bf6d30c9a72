"""The prompt: table z_L, …, table z_1, z_0, w, one token each entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from separation.files import InputError
from separation.tasks.checks import require_integer, shown
from separation.tasks.funccomp.instance import Instance
from separation.tasks.funccomp.sizes import Sizes
from separation.tasks.shape import Kind, digits_of, number_of


@dataclass(frozen=True)
class Token:
    """token_id = first id of the kind + value, position = first position of the kind + index.

    where ``address`` and ``value`` are mixed-radix digits, the most significant first: (digit, index) or (index,) and
    (entry,) for a table, () and (z_0,) for z_0, () and (w_1, …, w_{L-1}) for w; ``index`` is the address as one number.
    """

    kind: str
    position: int
    address: tuple[int, ...]
    index: int
    value: tuple[int, ...]
    token_id: int


def prompt(instance: Instance) -> tuple[Token, ...]:
    """All tokens in order, for reading; ``token_ids`` is the quick form."""
    ids = token_ids(instance).tolist()
    return tuple(token for kind in instance.sizes.shape().kinds for token in _tokens(kind, ids[kind.start : kind.stop]))


def token_ids(instance: Instance) -> NDArray[np.int64]:
    """(z_L, …, z_1, z_0, N_{L-1} + w) as one array, w in mixed radix with w_1 most significant."""
    sizes = instance.sizes
    query = sizes.N[-1] + number_of(instance.w, sizes.n)
    parts = [*reversed(instance.tables), (instance.z0, query)]
    return np.concatenate([np.array(part, dtype=np.int64) for part in parts])


def from_token_ids(sizes: Sizes, ids: ArrayLike) -> Instance:
    """The instance whose token ids these are."""
    array = np.asarray(ids)
    if array.dtype.kind not in "iu" or array.shape != (sizes.length,):
        raise InputError(f"ids is {shown(ids)}; {shown(sizes.length)} integers are needed")
    kinds = sizes.shape().kinds
    for kind in kinds:
        _require_ids(sizes, kind, array)
    # Read from the back: z_1 is the last table of the prompt.
    tables = [array[kind.start : kind.stop] for kind in reversed(kinds[:-2])]
    return Instance(sizes, int(array[-2]), tables, digits_of(int(array[-1]) - sizes.N[-1], sizes.n))


def describe(sizes: Sizes, position: int) -> str:
    """What stands at a position: ``table 2 at (w_1=1, i_1=3)``, ``z0`` or ``w``."""
    require_integer("position", position, 0, sizes.length - 1)
    kind = next(kind for kind in sizes.shape().kinds if position < kind.stop)
    if kind.table is None:
        return kind.name
    address = digits_of(position - kind.start, [variable.size for variable in kind.address])
    names = (f"w_{kind.table - 1}", f"i_{kind.table - 1}")[-len(address) :]
    return f"{kind.name} at ({', '.join(f'{name}={value}' for name, value in zip(names, address, strict=True))})"


def _tokens(kind: Kind, ids: Sequence[int]) -> Iterator[Token]:
    addresses = product(*(range(variable.size) for variable in kind.address))
    radices = [variable.size for variable in kind.value]
    for index, (address, own) in enumerate(zip(addresses, ids, strict=True)):
        yield Token(kind.name, kind.start + index, address, index, digits_of(own - kind.first_id, radices), own)


def _require_ids(sizes: Sizes, kind: Kind, ids: NDArray[np.integer]) -> None:
    own = ids[kind.start : kind.stop]
    last = kind.first_id + kind.id_count - 1
    bad = np.flatnonzero((own < kind.first_id) | (own > last))
    if bad.size:
        position = kind.start + int(bad[0])
        where = describe(sizes, position)
        raise InputError(f"ids[{position}] is {ids[position]}; {where} allows {kind.first_id}..{last}")
