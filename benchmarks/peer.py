"""The check a careful person would write by hand: eq. (7) as a dense matrix, all token pairs, every sink margin.

usage: peer.py floats|exact T C D     (floats needs numpy, exact needs python-flint)

Labels, costs, bounds and thresholds are not computed, so it does less than `verify scenario`.
"""

import sys


def margins(score, T, C, D):
    """Least margin over all queries; score(key, query) gives a logit, tokens are (t, i)."""
    everyone = range(1, C + D + 1)
    least = None
    for t in range(1, T + 1):
        for j in everyone:
            query = (t, j)
            if j > C:
                winners = [(0, 0)]
                losers = [(s, i) for s in range(1, t) for i in everyone] + [query]
            elif t > 1:
                winners = [(t - 1, i) for i in everyone]
                losers = [(s, i) for s in range(1, t - 1) for i in everyone] + [query, (0, 0)]
            else:
                continue
            margin = min(score(k, query) for k in winners) - max(score(k, query) for k in losers)
            least = margin if least is None else min(least, margin)
    return least


def entries(T, C, D):
    """The nonzero entries of B in the order h_0, h_1.., p_0, p_1.."""
    p = C + D + 1
    for k in range(C + 1, C + D + 1):
        yield 0, k
        yield p, k
    for t in range(1, T):
        yield p + t, p + t + 1


def floats(T, C, D):
    import numpy as np

    d, p = T + C + D + 2, C + D + 1
    B = np.zeros((d, d))
    for i, j in entries(T, C, D):
        B[i, j] = 1.0
    tokens = [(0, 0)] + [(t, i) for t in range(1, T + 1) for i in range(1, C + D + 1)]
    X = np.zeros((d, len(tokens)))
    for n, (t, i) in enumerate(tokens):
        X[i, n] = X[p + t, n] = 1.0
    S = X.T @ B @ X
    position = np.array([t for t, _ in tokens])
    least = np.inf
    for n, (t, j) in enumerate(tokens):
        if j > C:
            losers = (position > 0) & (position < t)
            losers[n] = True
            least = min(least, S[0, n] - S[losers, n].max())
        elif t > 1:
            losers = position < t - 1
            losers[n] = losers[0] = True
            least = min(least, S[position == t - 1, n].min() - S[losers, n].max())
    return least


def exact(T, C, D):
    from flint import fmpq_mat

    d, p = T + C + D + 2, C + D + 1
    B = fmpq_mat(d, d)
    for i, j in entries(T, C, D):
        B[i, j] = 1
    tokens = [(0, 0)] + [(t, i) for t in range(1, T + 1) for i in range(1, C + D + 1)]
    place = {token: n for n, token in enumerate(tokens)}
    X = fmpq_mat(d, len(tokens))
    for n, (t, i) in enumerate(tokens):
        X[i, n] = X[p + t, n] = 1
    S = X.transpose() * (B * X)
    return margins(lambda key, query: S[place[key], place[query]], T, C, D)


if __name__ == "__main__":
    kind, T, C, D = sys.argv[1], *map(int, sys.argv[2:])
    print({"floats": floats, "exact": exact}[kind](T, C, D))
