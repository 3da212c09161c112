"""The same check for Theorem 7.2: both query-key matrices of D.1 as dense matrices, orthogonal nuisances, all margins, r_eff.

usage: peer_clusters.py floats|exact C N      (N dormants a group, delta = 5/13, phi = 0; exact needs python-flint)

Labels, costs of the MLP, bounds and thresholds are not computed, so it does less than `verify scenario --task clusters`.
"""

import sys


def builds(C, N, number):
    """Entries of both matrices (query, key), in units of kappa/sqrt d, and all tokens as lists of (coordinate, value)."""
    lam, delta = number(12, 13), number(5, 13)
    one = number(1, 1)
    dbar, copy, eta = lambda c: 1 + c, lambda c: 1 + C + c, lambda c, i: 1 + 2 * C + c * N + i
    sink, diagonal = {}, {}
    for c in range(C):
        sink[dbar(c), 0] = sink[copy(c), 0] = one / lam
        sink[copy(c), dbar(c)] = (one + lam) / (lam * lam)
        diagonal[dbar(c), dbar(c)] = one / (lam * lam)
        diagonal[copy(c), copy(c)] = one
        diagonal[copy(c), dbar(c)] = 2 * one / lam
        for i in range(N):
            # alpha = 2/Delta, Delta = 2 delta^2.
            diagonal[eta(c, i), eta(c, i)] = one / (delta * delta)
    tokens = [[(0, one)]] + [[(copy(c), one)] for c in range(C)]
    tokens += [[(dbar(c), lam), (eta(c, i), delta)] for c in range(C) for i in range(N)]
    return sink, diagonal, tokens


def margins(S, C, N, pattern):
    """Least margin of a pattern, from the logits S[query][key]."""
    first = lambda c: 1 + C + c * N
    count, least = 1 + C + C * N, None
    for q in range(1, count):
        own = 0 if pattern == "sink" else q
        gaps = []
        if q <= C:
            correct = range(first(q - 1), first(q - 1) + N)
            losers = [k for k in range(count) if k not in correct]
            worst = max(S[q][k] for k in losers)
            gaps.append(min(S[q][k] for k in correct) - worst)
            gaps.append(S[q][own] - max(S[q][k] for k in losers if k != own))
        else:
            gaps.append(S[q][own] - max(S[q][k] for k in range(count) if k != own))
        least = min(gaps) if least is None else min(least, min(gaps))
    return least


def floats(C, N):
    import numpy as np

    sink, diagonal, tokens = builds(C, N, lambda p, q: p / q)
    d = 1 + 2 * C + C * N
    X = np.zeros((d, len(tokens)))
    for n, token in enumerate(tokens):
        for k, x in token:
            X[k, n] = x
    found = []
    for name, entries in [("sink", sink), ("diagonal", diagonal)]:
        B = np.zeros((d, d))
        for (i, j), x in entries.items():
            B[i, j] = x
        S = (X.T @ B @ X).tolist()
        found += [margins(S, C, N, name), np.linalg.norm(B, "nuc")]
    sigma = np.zeros((d, d))
    for c in range(C):
        D = X[:, 1 + C + c * N : 1 + C + (c + 1) * N]
        for i in range(N):
            for j in range(i):
                x = D[:, i] - D[:, j]
                sigma += np.outer(x, x)
    return found + [np.trace(sigma) / np.linalg.norm(sigma, 2)]


def exact(C, N):
    from flint import fmpq, fmpq_mat

    sink, diagonal, tokens = builds(C, N, fmpq)
    d = 1 + 2 * C + C * N
    X = fmpq_mat(d, len(tokens))
    for n, token in enumerate(tokens):
        for k, x in token:
            X[k, n] = x
    found = []
    for name, entries in [("sink", sink), ("diagonal", diagonal)]:
        B = fmpq_mat(d, d)
        for (i, j), x in entries.items():
            B[i, j] = x
        S = X.transpose() * (B * X)
        rows = [[S[i, j] for j in range(len(tokens))] for i in range(len(tokens))]
        found.append(margins(rows, C, N, name))
    return found


if __name__ == "__main__":
    kind, C, N = sys.argv[1], *map(int, sys.argv[2:])
    print({"floats": floats, "exact": exact}[kind](C, N))
