"""Whole-process times of `verify scenario` and of hand-written checks, in one run; the table is what the README shows.

usage: python3 benchmarks/compare.py PATH-TO-VERIFY     (in a Python with numpy and python-flint; what is missing is left out)
"""

import os
import subprocess
import sys
import time
from pathlib import Path

PEER = str(Path(__file__).with_name("peer.py"))
SIZES = [(128, 5, 5), (1024, 5, 5), (8192, 5, 5)]
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


def main():
    verify = sys.argv[1]
    print(f"| T, C, D | program | seconds | MB | times `verify` |\n| --- | --- | --- | --- | --- |")
    for size in SIZES:
        T, C, D = map(str, size)
        base = measure([verify, "scenario", "--T", T, "--C", C, "--D", D])
        rows = [("`verify scenario`: everything, exact", base)]
        if size[0] <= 1024:
            rows.append(("numpy, margins only, floats", measure([sys.executable, PEER, "floats", T, C, D])))
        if size[0] <= 128:
            rows.append(("python-flint, margins only, exact", measure([sys.executable, PEER, "exact", T, C, D])))
            turned = [verify, "scenario", "--T", T, "--C", C, "--D", D, "--basis", "rotated"]
            rows.append(("`verify scenario --basis rotated`", measure(turned)))
        for name, found in rows:
            if found is None:
                print(f"| {', '.join(map(str, size))} | {name} | failed or over {LIMIT} s | | |")
                continue
            seconds, memory = found
            print(f"| {', '.join(map(str, size))} | {name} | {seconds:.3f} | {memory:.0f} | {seconds / base[0]:.1f} |")


if __name__ == "__main__":
    main()
