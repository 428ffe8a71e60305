#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What hardening costs: runs the same work compiled with and without it, in turn, and prints the best of each.

    hardening.py BUILD [FOLDER of .hkx]
"""
import json
import pathlib
import subprocess
import sys

TURNS = 7


def main():
    programs = {kind: pathlib.Path(sys.argv[1]) / "bin" / f"hardening_{kind}" for kind in ("hardened", "plain")}
    best = {kind: {} for kind in programs}
    for _ in range(TURNS):
        for kind, program in programs.items():
            run = json.loads(subprocess.run([program, *sys.argv[2:3]], capture_output=True, check=True).stdout)
            for work, cost in run.items():
                best[kind][work] = min(cost, best[kind].get(work, cost))
    print(f"{best['plain']['files']} files, best of {TURNS} turns\n{'':20} {'hardened':>9} {'plain':>9}  ns per byte")
    for work in ("read", "read and decode", "read and write"):
        hardened, plain = best["hardened"][work], best["plain"][work]
        print(f"{work:20} {hardened:9.3f} {plain:9.3f}  {100 * (hardened / plain - 1):+.1f} %")


if __name__ == "__main__":
    main()
