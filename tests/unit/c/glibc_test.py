#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library and the program load wherever glibc is 2.34 or newer: RHEL 9 has it, Ubuntu 22.04 has 2.35.

    glibc_test.py FILE...
"""
import re
import subprocess
import sys

NEWEST = (2, 34)


def newer(file):
    """Returns the symbols that a file asks of a newer glibc."""
    printed = subprocess.run(["nm", "-D", "--undefined-only", file], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"(\S+)@GLIBC_(\d+)\.(\d+)", printed)
    if not found:
        raise SystemExit(f"{file} asks nothing of glibc: is it the right file?")
    return [f"{name}, glibc {major}.{minor}" for name, major, minor in found if (int(major), int(minor)) > NEWEST]


def main(files):
    failed = False
    for file in files:
        for line in newer(file):
            print(f"{file}: {line}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
