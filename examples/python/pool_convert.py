#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an operation over a folder with the processes of this machine, by `concurrent.futures` alone.

    pool_convert.py IN OUT [--operation convert] [--options '{"to": "skyrim-le"}'] [--workers N] [--tries 3]

A file that is broken is reported, and the others go on. A worker that dies (no memory, a signal) breaks the pool: a new one
is made, and what was not done is tried again. Exit 1 if a file failed.
"""
import argparse
import json
import os
import pathlib
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

import marrow


def work(operation, role, source, target, options):
    """Runs an operation on one file; returns its report, or the error. Runs in a worker."""
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        result = marrow.run(operation, [(role, source)], options, output=target)
        return {"path": source, "report": result.report}
    except (marrow.Error, OSError) as error:
        return {"path": source, "error": str(error)}


def run_all(jobs, workers, tries, task=work):
    """Yields what became of each job (arguments of `task`, the file third) as it is done."""
    left = list(jobs)
    with ProcessPoolExecutor(workers) as pool:
        futures = {pool.submit(task, *job): job for job in left}
        for future in as_completed(futures):
            try:
                done = future.result()
            except BrokenProcessPool:
                continue  # a worker died, and the pool with it; what is left is tried again
            left.remove(futures[future])
            yield done
    for job in left:  # each with a worker of its own, so that one that kills it does no harm to others
        yield alone(job, tries - 1, task)


def alone(job, tries, task):
    """Returns what became of a job that has a process of its own, tried again if that dies."""
    for _ in range(tries):
        with ProcessPoolExecutor(1) as pool:
            try:
                return pool.submit(task, *job).result()
            except BrokenProcessPool:
                continue
    return {"path": job[2], "error": "its worker died each time"}


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("--operation", default="convert")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--tries", type=int, default=3)
    given = parser.parse_args(words)
    role = next(each["name"] for each in marrow.descriptions()[given.operation]["inputs"] if each["main"])
    jobs = [
        (given.operation, role, str(path), str(given.target / path.relative_to(given.source)), given.options)
        for path in sorted(given.source.rglob("*.hkx"))
    ]
    failed = 0
    for done in run_all(jobs, given.workers, given.tries):
        print(json.dumps(done), flush=True)
        failed += "error" in done
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
