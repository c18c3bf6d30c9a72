"""Closed forms for the integers: the golden schedule, the sizes of CPW, the schedules of A_L and B_L.

In the last the exponents are those of each theorem (`Theorem.exponents`), with n_1..n_{L-2} eight times the power of y
and every Θ_ℓ that is drawn half of it. So N_{L-1} is y^((L²+L−4)/2) in A_L up to a constant, and in B_L that of one
table more: 4, 8, 13, … (statement T.AL.exponents). R layers have no bits there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from separation.bounds.condition import least_that
from separation.bounds.evaluation import Evaluation, Parameters, evaluate
from separation.bounds.powers import PowerProduct, Size, simplest
from separation.bounds.recursion import Rule, fibonacci
from separation.bounds.theorem import Impossibility, Theorem
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_al import TheoremAL
from separation.bounds.theorems.theorem_b import TheoremB, theorem_b
from separation.bounds.theorems.theorem_bl import TheoremBL
from separation.files import InputError
from separation.tasks.checks import require_integer

MAX_LEVELS = 256
DIGITS = 20  # binary digits to which y is least


def golden_exponent(rule: Rule, L: int) -> int:
    """F_{2L+1} − 2 in Theorem A, F_{2L+2} − 2 in Theorem B: N_{L-1} is 6·x_0 (A) or 6 (B) times this power of y."""
    return fibonacci(2 * L + 1 + rule.more_layers) - 2


def golden_parameters(rule: Rule, L: int, y: int, first_state_bits: int = 0) -> Parameters:
    """x_{L-k} = y^{F_{2k}} and n_{L-k} = y^{F_{2k+1}} for k = 1..L−1; m = 6·Πx;

    x_0 = max(1, 2Λ_0) in Theorem A, x_0 = y·W = y^{F_{2L}} in Theorem B. (Theorem B with L = 1 has no x: m = 6·y.)

    where y is the one number to choose, of the size of β, and ``first_state_bits`` is Λ_0.
    """
    require_integer("L", L, 1, MAX_LEVELS)
    require_integer("y", y, 1)
    first, power = 1 if rule is Rule.B else max(1, 2 * first_state_bits), golden_powers(rule, L)

    def size(name: str, *times: int) -> Size:
        return simplest(PowerProduct((*((number, 1) for number in times), (y, power[name]))))

    x = () if rule is Rule.B and L == 1 else (size("x_0", first), *(size(f"x_{level}") for level in range(1, L)))
    return Parameters(size("m", 6 * first), tuple(size(f"n_{level}") for level in range(1, L)), x)


def golden_powers(rule: Rule, L: int) -> dict[str, int]:
    """The exponents of y in the golden schedule, by name."""
    return (TheoremB() if rule is Rule.B else TheoremA()).exponents(L)


@dataclass(frozen=True)
class Golden:
    """The golden schedule at the least y = c·β that is certified; of a y beyond 2^20 the first 20 digits are least."""

    y: int
    evaluation: Evaluation

    @property
    def constant(self) -> Fraction:
        """c = y/β."""
        return Fraction(self.y, self.evaluation.beta)


def least_golden(rule: Rule, L: int, beta: int, state_bits: Sequence[Size]) -> Golden:
    """The least y, by halving between one that is certified and one that is not.

    There is one that is, since every term of D_ℓ has a smaller power of y than its right side. Each level doubles c, as
    Θ_ℓ is half of what is drawn; so the search begins at 2^L·β.
    """

    def at(y: int) -> Evaluation:
        golden = golden_parameters(rule, L, y, int(simplest(state_bits[0])))  # type: ignore[arg-type]
        return theorem_b(golden, beta, state_bits) if rule is Rule.B else evaluate(rule, golden, beta, state_bits)

    high = beta << L
    while not (found := at(high)).certified:
        high *= 2
    low = high // 2
    while low and (tried := at(low)).certified:
        low, high, found = low // 2, low, tried
    while high - low > max(1, high >> DIGITS):
        middle = (low + high) // 2
        tried = at(middle)
        if tried.certified:
            high, found = middle, tried
        else:
            low = middle
    return Golden(high, found)


def cpw_parameters(L: int, product: int) -> Parameters:
    """K = (H·d·p·L)^8·8^{2L²}; x_ℓ = K^{8^{L-ℓ-1}}; n_ℓ = x_ℓ^4; m = K·Πx.

    where ``product`` is H·d·p: heads, head dimension and bits.
    """
    require_integer("L", L, 1, MAX_LEVELS)
    require_integer("H·d·p", product, 1)

    def power_of_k(exponent: int) -> Size:
        return simplest(PowerProduct(((product * L, 8 * exponent), (2, 6 * L * L * exponent))))

    x = [8 ** (L - level - 1) for level in range(L)]
    return Parameters(
        power_of_k(1 + sum(x)),
        tuple(power_of_k(4 * exponent) for exponent in x[1:]),
        tuple(power_of_k(exponent) for exponent in x),
    )


ROOM = 8
"""n_1..n_{L-2}, and in B_L m, are this many times their power of y, as Θ_ℓ of the N_{ℓ-1} values must be reached."""

KINDS: dict[str, tuple[Theorem, int]] = {"A_L": (TheoremAL(), 3), "B_L": (TheoremBL(), 2)}
"""The theorem, and the least number of tables."""


def delayed_exponent(kind: str, L: int) -> int:
    """(L²+L−4)/2 for A_L; B_L has that of one table more."""
    levels = L + (kind == "B_L")
    return (levels * levels + levels - 4) // 2


def delayed_schedule(kind: str, L: int, y: int, beta: int) -> Impossibility:
    """The theorem at the sizes of the schedule for this y."""
    if kind not in KINDS:
        raise InputError(f"the schedules are of {', '.join(KINDS)}, not of {kind!r}")
    theorem, least_tables = KINDS[kind]
    require_integer("L", L, least_tables)
    require_integer("y", y, 2)
    numbers = {name: y**power for name, power in theorem.exponents(L).items()}
    halved = int(kind == "B_L")  # Θ_1 is drawn in B_L alone
    for level in range(1, L):
        numbers[f"Theta_{level}"] >>= level - 1 + halved
        numbers[f"n_{level}"] *= ROOM if level < L - 1 else 1
    state_bits = (0,) * (L + halved)
    chosen = [numbers.get(name, 1) for name in theorem.variables(L, state_bits)]
    n = [numbers[f"n_{level}"] for level in range(1, L)]
    return theorem.at(ROOM**halved * numbers["m"], n, chosen, beta, state_bits, L)


def least_factor(kind: str, L: int, beta: int) -> int:
    """The least c, up to powers of two and halving in between, for which y = c·β is certified."""
    return least_that(lambda c: c * beta >= 2 and delayed_schedule(kind, L, c * beta, beta).certified, 1)
