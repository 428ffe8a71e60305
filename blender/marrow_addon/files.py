# SPDX-License-Identifier: MIT
"""Files: read and parsed once, written whole or left as they were."""
from collections import namedtuple
import os

from .package import marrow

# The bytes of a file, and what it holds.
Loaded = namedtuple("Loaded", "data document")


def load(path):
    """Reads and parses a file. Raises `marrow.Error` or `OSError`."""
    with open(path, "rb") as file:
        data = file.read()
    return Loaded(data, marrow.load(data, name=os.fspath(path)))


def write_file(path, data):
    """Writes a file by way of a temporary one beside it, which is gone if that fails."""
    part = path + ".part"
    try:
        with open(part, "wb") as file:
            file.write(data)
        os.replace(part, path)
    finally:
        if os.path.exists(part):
            os.remove(part)


def extension_of(path):
    """Returns the extension of a path in small letters, with its dot."""
    return os.path.splitext(path)[1].lower()
