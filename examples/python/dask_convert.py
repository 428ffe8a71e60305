#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an operation over a folder with Dask: on the cores of this machine, or on a cluster.

    dask_convert.py IN OUT [--operation convert] [--options '{"to": "skyrim-le"}'] [--input skeleton=skeleton.hkx]
                    [--workers N | --scheduler tcp://HOST:8786] [--match '*.hkx']

Folders keep their tree, and files are written as the command line writes them: whole or not at all. A file is one task.
A worker that dies in the middle loses nothing: its files are done again by another one. Exit 1 if a file failed.

On a real cluster IN and OUT are on a disk that all workers see, and each of them has the package installed.
"""
import argparse
import glob
import json
import os
import pathlib
import sys

import marrow


def work(operation, role, source, target, inputs, options):
    """Runs an operation on one file; returns its report, or the error. Runs in a worker."""
    try:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        for left in glob.glob(glob.escape(target) + ".*.tmp"):  # by a worker that was killed while it wrote
            os.remove(left)
        given = [(role, source), *inputs]
        result = marrow.run(operation, given, options, output=target)
        return {"path": source, "output": list(result.paths), "report": result.report}
    except (marrow.Error, OSError) as error:
        return {"path": source, "error": str(error)}


def main_role(operation):
    """Returns the input that an operation runs on, one file at a time."""
    for each in marrow.descriptions()[operation]["inputs"]:
        if each["main"]:
            return each["name"]
    raise SystemExit(f"{operation} does not work file by file")


def connect(given):
    """Returns a client of a cluster: the one that is named, or a local one of processes."""
    from distributed import Client, LocalCluster

    if given.scheduler:
        return Client(given.scheduler)
    cluster = LocalCluster(n_workers=given.workers, threads_per_worker=1, processes=True, dashboard_address=None)
    return Client(cluster)


def convert_folder(client, given):
    """Yields what became of each file, in the order in which they are done."""
    from distributed import as_completed

    role = main_role(given.operation)
    inputs = [tuple(each.split("=", 1)) for each in given.input]
    tasks = []
    for source in sorted(path for path in given.source.rglob(given.match) if path.is_file()):
        target = given.target / source.relative_to(given.source)
        arguments = (given.operation, role, str(source), str(target), inputs, given.options)
        tasks.append(client.submit(work, *arguments, pure=False, retries=3))
    for task in as_completed(tasks):
        yield task.result()


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("target", type=pathlib.Path)
    parser.add_argument("--operation", default="convert")
    parser.add_argument("--options", type=json.loads, default={})
    parser.add_argument("--input", action="append", default=[], metavar="ROLE=FILE")
    parser.add_argument("--match", default="*.hkx")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    parser.add_argument("--scheduler")
    given = parser.parse_args(words)
    failed = 0
    client = connect(given)
    try:
        for done in convert_folder(client, given):
            print(json.dumps(done), flush=True)
            failed += "error" in done
    finally:
        client.close()
        if client.cluster is not None:
            client.cluster.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
