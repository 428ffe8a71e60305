# SPDX-License-Identifier: MIT
"""Files: read and parsed once, written whole or left as they were."""
from collections import namedtuple
import os

from .package import marrow

# The bytes of a file, and what it holds.
Loaded = namedtuple("Loaded", "data document")


#: Archives, which open as folders.
ARCHIVES = (".bsa", ".ba2")


def is_archive(path):
    """True if a path is an archive itself, and not a file in one."""
    return extension_of(path) in ARCHIVES and os.path.isfile(path)


def load(path):
    """Reads and parses a file, which may lie in an archive: `Skyrim - Meshes.bsa/meshes/a.nif`. Raises `marrow.Error` or
    `OSError`."""
    place = marrow.place_in_archive(path)
    if place is not None:
        with marrow.Archive(place[0]) as archive:
            data = archive.read(place[1])
    else:
        with open(path, "rb") as file:
            data = file.read()
    return Loaded(data, marrow.load(data, name=os.fspath(path)))


def write_file(path, data):
    """Writes a file by way of a temporary one beside it, so that a failure leaves what was there."""
    marrow._files.write_target(path, data)


def extension_of(path):
    """Returns the extension of a path in small letters, with its dot."""
    return os.path.splitext(path)[1].lower()
