"""Are sharper bounds and ceilings true? Their formulas in closed form with mpmath, without code of the project.

Sums and products are written out term by term, where the kernel carries them from level to level.
"""

from __future__ import annotations

from itertools import pairwise
from math import factorial, prod
from typing import Any

import mpmath


def lg(value: Any) -> Any:
    """log2, and −∞ for 0."""
    return mpmath.log(value, 2) if value > 0 else -mpmath.inf


def lg_binomial(N: Any, k: Any) -> Any:
    return (mpmath.loggamma(N + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(N - k + 1)) / mpmath.log(2)


def times(draws: Any, log: Any) -> Any:
    return draws * log


def sharper_holds(
    theorem: str, tables: int, beta: Any, state_bits: list[Any], m: Any, n: list[Any], choice: Any
) -> bool:
    """The inequalities of one theorem, for the first `tables` tables."""
    b = theorem[0] == "B"
    if len(state_bits) != tables + b or any(a > c for a, c in pairwise(state_bits)) or tables > len(n) + 1:
        return False
    if b and state_bits[0] != 0:
        return False
    n = n[: tables - 1]
    N = [m * prod(n[:k]) for k in range(tables)]
    lam = [state_bits[0], *(c - a for a, c in pairwise(state_bits))]
    W = prod(n)
    if theorem == "B":
        return tables == 1 and choice is None and bool(beta + state_bits[1] < m * lg(m))
    theta = {int(k[6:]): v for k, v in choice.items() if k.startswith("Theta_")}
    x = {int(k[2:]): v for k, v in choice.items() if k.startswith("x_")}
    if min(choice.values()) < 1:
        return False
    if theorem == "A2" and tables == 2:
        t = choice["Theta"]
        first = times(m, lg(t - 1)) + state_bits[0] < m * lg(m)
        return bool(first and state_bits[0] + t * lam[1] + beta * n[0] < n[0] * t * lg(N[1]))
    if theorem == "B2" and tables == 2:
        t, v, e = choice["Theta"], choice["v"], x[0]
        first = e * v <= m and times(e, lg(t - 1)) + beta * n[0] + state_bits[1] < e * lg(e * v)
        told = state_bits[1] + beta * (n[0] + e + e * v + n[0] * e) + t * lam[2]
        return bool(first and told < n[0] * t * lg(N[1]))
    if theorem == "A3.free" and tables == 3:
        v, E = choice["v"], n[0] * theta[1]
        first = state_bits[1] == 0 and theta[1] <= m and E * v <= N[1]
        first = first and times(E, lg(theta[2] - 1)) + beta * W < E * lg(E * v)
        told = beta * (W + m + theta[1] + E * v + (n[0] - 1) * (m - theta[1]) + W * theta[1]) + theta[2] * lam[2]
        return bool(first and told < n[1] * theta[2] * lg(N[2]))
    if theorem == "A3" and tables == 3:
        g, u, t = choice["g"], choice["u"], x[2] * n[0] * theta[1]
        first = g <= m and u <= m and times(g, lg(theta[1] - 1)) + state_bits[0] < g * lg(u) and theta[2] <= N[1]
        if not first:
            return False
        some = lam[1] > 0
        drawn = lg_binomial(N[1], theta[2] - 1) + times(t, lg(theta[2] - 1))
        drawn += x[2] * (n[0] * state_bits[0] + beta * W + theta[1] * lam[1]) + some
        told = state_bits[0] + lam[1] + some * (1 + x[2] * theta[1] * lam[1]) + x[2] * theta[1] * lam[2]
        heard = W + 1 + (m - g + g * theta[1]) + x[2] * n[0] * u + (n[0] - 1) * (m - u) + W * theta[1]
        covered = drawn <= t * lg(N[1]) if some else drawn < t * lg(N[1])
        return bool(covered and told + beta * heard < n[1] * theta[2] * lg(N[2]))
    if theorem in ("B2c", "A3c") and tables == (2 if b else 3):
        g, v = choice["g"], choice["v"]
        if g > m or v > (m if b else N[1]) or ("omega" in choice) != (lam[2] > 0):
            return False
        size, groups = choice.get("omega", 1), choice.get("groups", n[-1])
        rows = 1 if b else n[0]
        lost = mpmath.mpf(v - 1) * (mpmath.mpf(size * beta) / g + (mpmath.mpf(state_bits[1]) / (g if b else rows)))
        told = state_bits[1] + beta * (
            2 * n[-1] + v + rows * g + (0 if b else m + mpmath.mpf((rows - 1) * (m - g)) / 2)
        )
        fair = n[-1] <= size * groups and v > lost and (b or state_bits[0] == 0)
        return bool(fair and (n[-1] * lg(N[-1]) - groups * lam[2]) * (v - lost) > told)
    return (
        theorem in ("AL", "BL") and tables >= (2 if b else 3) and many_hold(b, tables, beta, state_bits, m, n, choice)
    )


def many_hold(b: bool, L: int, beta: Any, state_bits: list[Any], m: Any, n: list[Any], choice: Any) -> bool:
    theta = [None, *(choice[f"Theta_{k}"] for k in range(1, L))]
    x = [None, None, *(choice[f"x_{k}"] for k in range(2, L))]
    lam = [state_bits[0], *(c - a for a, c in pairwise(state_bits))]
    rows = [*(choice.get(f"nu_{k}", n[k - 1]) for k in range(1, L - 1)), n[-1]]
    if any(used > size for used, size in zip(rows, n, strict=True)):
        return False
    N, W = [m * prod(n[:k]) for k in range(L)], prod(rows)
    if any(theta[k] > N[k - 1] for k in range(1 if b else 2, L)):
        return False
    if b:
        e, d = choice["x_0"], choice["x_1"]
        told = beta * W + state_bits[1]
        first = e <= m and lg_binomial(m, theta[1] - 1) + times(e * d, lg(theta[1] - 1)) + d * told < e * d * lg(m)
        P, D, table = told + beta * (m + e * d), beta * W * e + theta[1] * lam[2], m - e + e * d
    else:
        g = choice["g"]
        first = g <= m and times(g, lg(theta[1] - 1)) + state_bits[0] < g * lg(m)
        P, D, table = state_bits[0] + beta * W, theta[1] * lam[1], m - g + g * theta[1]
    held = [m, *(rows[k - 1] * N[k - 1] for k in range(1, L))]
    held = [own + ((n[k - 2] - rows[k - 2]) * N[k - 2] if k >= 2 else 0) for k, own in enumerate(held)]
    for k in range(2, L):
        t = x[k] * rows[k - 2] * theta[k - 1]
        drawn = lg_binomial(N[k - 1], theta[k] - 1) + times(t, lg(theta[k] - 1)) + x[k] * (P + D) + 1
        first = first and drawn <= t * lg(N[k - 1])
        Y = theta[1] * prod(x[2:k])
        bracket = (k - 1 + b) * x[k] * held[k - 1] + (Y if b or k > 2 else 1) + prod(x[2:k]) * table + W * Y
        bracket += sum(prod(x[i:k]) * held[i - 1] for i in range(2, k))
        D = 1 + x[k] * D + (state_bits[k - 1 + b] - state_bits[b]) + Y * x[k] * lam[k + b] + beta * bracket
    return bool(first and n[-1] * theta[L - 1] * lg(N[L - 1]) > P + D)


def share(q: Any, kappa: Any) -> Any:
    """⟨q;κ⟩ by bisection; 0 if q = 0."""
    if q == 0 or q >= 1:
        return min(q, 1)
    low, high = mpmath.mpf(q), mpmath.mpf(1)
    if -lg(low) <= kappa:
        return mpmath.mpf(1)
    for _ in range(200):
        p = (low + high) / 2
        entropy = p * lg(p / q) + (1 - p) * lg((1 - p) / (1 - mpmath.mpf(q)))
        low, high = (p, high) if entropy <= kappa else (low, p)
    return low


def union_share(N: int, bits: int) -> Any:
    weights = [mpmath.binomial(N, j) * mpmath.mpf(N - 1) ** (N - j) / mpmath.mpf(N) ** N for j in range(N + 1)]
    return sum(min(mpmath.mpf(1), mpmath.mpf(2) ** bits * sum(weights[a:])) for a in range(1, N + 1)) / N


def excess(tau: Any) -> Any:
    """c_τ = 1/log2 y, τ·ln y = y − 1, y > τ."""
    low, high = mpmath.mpf(tau), 4 * tau * (1 + mpmath.log(tau)) + 4
    for _ in range(400):
        y = (low + high) / 2
        low, high = (y, high) if tau * mpmath.log(y) >= y - 1 else (low, y)
    return 1 / lg(low)


def cube_excess(tau: Any) -> Any:
    """c'_τ = sup_{a>τ} (1−τ/a)/(1−h(1/(1+a))), which is unimodal: by trisection in log a."""

    def value(log_a: Any) -> Any:
        a = mpmath.exp(log_a)
        p = 1 / (1 + a)
        return (1 - tau / a) / (1 + p * lg(p) + (1 - p) * lg(1 - p))

    low, high = mpmath.log(tau), mpmath.log(tau) + 12
    for _ in range(300):
        third = (high - low) / 3
        low, high = (low + third, high) if value(low + third) < value(high - third) else (low, high - third)
    return value(low)


def theorem_e(layers: list[str], depth: int, beta: int, own: list[int], m: int, n: list[int], choice: Any) -> Any:
    """The sum of Theorem E's terms; None if it does not apply to the word."""
    L, full = len(n) + 1, len(own) - 1
    x, payment, blocks = choice["x"], choice["payment"], choice["blocks"]
    b = full == L
    if L < 2 or full > L or (b and (depth >= L or own[0] or payment == "delayed" or blocks != list(range(L + 1)))):
        return None
    if sorted(set(blocks)) != blocks or blocks[-1] >= L + b or min(x) < 1 or x[0] > m:
        return None
    lam = [0] * (L + b)
    for block, bits in zip(blocks, own, strict=True):
        lam[block] = bits
    Lambda = [sum(lam[: t + 1]) for t in range(L + b)]
    if payment == "quiet" and layers[-1:] != ["F"] and blocks[-1] == L - 1 + b:
        return None
    N, W = [m * prod(n[:k]) for k in range(L)], prod(n)
    D, t, total = beta * W + Lambda[1] if b else Lambda[0], [x[0]], 0
    for k in range(1, L):
        t.append(x[k] * (n[k - 2] if k > 1 else 1) * t[k - 1])
        total += share(mpmath.mpf(t[k] - 1) / (2 * N[k - 1]), mpmath.mpf(D) / (m if k == 1 else n[k - 2] * t[k - 1]))
        X, S = prod(x[:k]), sum(prod(x[i:k]) * N[i - 1] for i in range(1, k))
        V = W if not b and k == 1 and Lambda[0] == 0 else W * X
        last = k == L - 1
        if payment == "delayed":
            y = x[0] if k == 2 else X
            c = Lambda[k - 1] + prod(x[: k + 1]) * lam[k]
            c += beta * V if k == 1 else beta * ((k - 1) * x[k] * N[k - 1] + y + S + V)
        elif b and k == 1:
            c = {
                "full": Lambda[2] + beta * (2 * x[1] * m + V + x[0] + x[0] * x[1]),
                "late": Lambda[1] + x[1] * lam[2] + beta * (x[1] * m + V + x[0] + x[0] * x[1]),
                "quiet": Lambda[1] + beta * (x[1] * m + V + x[0]),
            }[payment if last else "full"]
        else:
            j = k + b
            c = {
                "full": Lambda[j] + beta * (j * x[k] * N[k - 1] + V + X + S),
                "late": Lambda[j - 1] + x[k] * lam[j] + beta * ((j - 1) * x[k] * N[k - 1] + V + X + S),
                "quiet": Lambda[j - 1] + beta * ((j - 1) * x[k] * N[k - 1] + V),
            }[payment if last else "full"]
        D = x[k] * D + c
    return total + share(mpmath.mpf(1) / N[-1], mpmath.mpf(D) / (n[-1] * t[-1]))


def ceiling_of(
    layers: list[str], depth: int, theorem: str, beta: int, state_bits: list[int], m: int, n: list[int], choice: Any
) -> Any:
    """What the theorem shows of the word at these sizes; None if it does not apply to it."""
    full, named = len(state_bits) - 1, choice["named"]
    own = [state_bits[0], *(c - a for a, c in pairwise(state_bits))]
    front = n[len(n) - len(named) :]
    n = n[: len(n) - len(named)]
    if min(own) < 0 or full != sum(layer != "R" for layer in layers):
        return None
    value: Any = None
    if theorem == "E":
        value = theorem_e(layers, depth, beta, own, m, n, choice)
    elif theorem[:2] == "A2" and full == 1 and len(n) == 1:
        N = m * n[0]
        if theorem == "A2 union":
            value = union_share(N, m * own[1] + beta * n[0]) if own[0] == 0 else None
        elif choice["tau"] > 1 or (choice["tau"] == 1 and own[0] == 0):
            tau = mpmath.mpf(choice["tau"].numerator) / choice["tau"].denominator
            kappa = mpmath.mpf(own[1]) / n[0] + tau * (beta * n[0] + own[0]) / N
            value = share(mpmath.mpf(1) / N, kappa) + (excess(tau) * own[0] / m if own[0] else 0)
    elif theorem[2] == "c" and full == 2 and own[0] == 0 and choice["tau"] > 1:
        rows, three = n[0] if len(n) == 2 else 1, theorem[0] == "A"
        if len(n) != 1 + three or (depth != 1 and not three) or not 1 <= choice["groups"] <= n[-1]:
            return None
        tau, N = mpmath.mpf(choice["tau"].numerator) / choice["tau"].denominator, m * rows * n[-1]
        first = mpmath.mpf(-(-n[-1] // choice["groups"]) * beta) / m + mpmath.mpf(own[1]) / (rows if three else m)
        told = own[1] + beta * (2 * n[-1] + 2 * m * rows + (m if three else 0))
        kappa = mpmath.mpf(choice["groups"] * own[2]) / n[-1] + tau * told / N
        value = cube_excess(tau) * first + share(mpmath.mpf(1) / N, kappa)
    elif theorem[0] == "C" and (full == 0 or (full == 1 and depth == 0 and not n)):
        N, bits = m * prod(n), beta + sum(own)
        value = union_share(N, bits) if "union" in theorem else share(mpmath.mpf(1) / N, mpmath.mpf(bits) / N)
    for k, size in zip(named, front, strict=True):
        value = None if value is None else k * value + mpmath.mpf(1) / (mpmath.mpf(size) ** k * factorial(k))
    return value
