"""Whole-process times of `verify scenario` and of hand-written checks, in one run; the table is what the README shows.

usage: python3 benchmarks/compare.py PATH-TO-VERIFY     (in a Python with numpy and python-flint; what is missing is left out)
"""

import os
import subprocess
import sys
import time
from pathlib import Path

PEER = str(Path(__file__).with_name("peer.py"))
PEER_CLUSTERS = str(Path(__file__).with_name("peer_clusters.py"))
SIZES = [(128, 5, 5), (1024, 5, 5), (8192, 5, 5)]
CLUSTERS = [(3, 4), (10, 20)]
RUNS = 3
LIMIT = 120


def measure(command):
    """Least wall time of several runs in seconds, and the peak memory of the last one in MB; None if it fails."""
    best, peak = None, None
    for _ in range(RUNS):
        start = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid:
                break
            if time.perf_counter() - start > LIMIT:
                child.kill()
                os.wait4(child.pid, 0)
                return None
            time.sleep(0.0005)
        if status != 0:
            return None
        spent = time.perf_counter() - start
        best, peak = min(best or spent, spent), usage.ru_maxrss / 1024
        if spent > 5:
            break
    return best, peak


def backcopy(verify):
    for size in SIZES:
        T, C, D = map(str, size)
        rows = [("`verify scenario`: everything, exact", [verify, "scenario", "--T", T, "--C", C, "--D", D])]
        if size[0] <= 1024:
            rows.append(("numpy, margins only, floats", [sys.executable, PEER, "floats", T, C, D]))
        if size[0] <= 128:
            rows.append(("python-flint, margins only, exact", [sys.executable, PEER, "exact", T, C, D]))
            turned = [verify, "scenario", "--T", T, "--C", C, "--D", D, "--basis", "rotated"]
            rows.append(("`verify scenario --basis rotated`", turned))
        yield ", ".join(map(str, size)), rows


def clusters(verify):
    for groups, dormants in CLUSTERS:
        C, N = str(groups), str(dormants)
        place = [verify, "scenario", "--task", "clusters", "--C", C, "--dormants", N, "--delta"]
        yield f"{C} groups of {N}", [
            ("`verify scenario`: everything, exact", place + ["5/13"]),
            ("numpy, margins, norms, r_eff, floats", [sys.executable, PEER_CLUSTERS, "floats", C, N]),
            ("python-flint, margins only, exact", [sys.executable, PEER_CLUSTERS, "exact", C, N]),
            ("`verify scenario`, lambda irrational", place + ["1/2", "--phi", "1/80"]),
        ]
    yield "family A, n = 512", [("`verify scenario`", [verify, "scenario", "--task", "family-a", "--n", "512", "--k", "1024"])]
    yield "family B, n = 64", [("`verify scenario`", [verify, "scenario", "--task", "family-b", "--n", "64", "--k", "400000"])]


def main():
    verify = sys.argv[1]
    print("| place | program | seconds | MB | times `verify` |\n| --- | --- | --- | --- | --- |")
    for place, rows in [*backcopy(verify), *clusters(verify)]:
        base = None
        for name, command in rows:
            found = measure(command)
            if found is None:
                print(f"| {place} | {name} | failed or over {LIMIT} s | | |")
                continue
            seconds, memory = found
            base = base or seconds
            print(f"| {place} | {name} | {seconds:.3f} | {memory:.0f} | {seconds / base:.1f} |")


if __name__ == "__main__":
    main()
