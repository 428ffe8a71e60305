# SPDX-License-Identifier: MIT
"""What the tests share that run one long story on one folder and list at the end what failed."""
import os
import shutil
import subprocess
import sys


class Trial:
    def __init__(self, marrow, folder):
        self.marrow, self.folder, self.failures = marrow, folder, []
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)

    def out(self, name):
        return os.path.join(self.folder, name)

    def run(self, *arguments, expect=0):
        result = subprocess.run([self.marrow, *arguments], capture_output=True, text=True, timeout=120)
        if result.returncode != expect:
            self.failures.append(f"marrow {' '.join(arguments)}: exit {result.returncode}, not {expect}")
            print(result.stdout[-1500:], result.stderr[-1500:])
        return result

    def check(self, what, good):
        if not good:
            self.failures.append(what)

    def end(self):
        for failure in self.failures:
            print("FAILED:", failure)
        sys.exit(1 if self.failures else 0)
