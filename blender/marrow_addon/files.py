# SPDX-License-Identifier: MIT
"""Files: read and parsed once, written whole or left as they were."""
from collections import namedtuple
import os
import re

from .package import marrow

# The bytes of a file, and what it holds.
Loaded = namedtuple("Loaded", "data document")


#: Archives, which open as folders.
ARCHIVES = (".bsa", ".ba2")
#: What Windows takes in no name of a file, and names that it keeps for itself.
_NOT_IN_NAMES = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_DEVICES = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?$")


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


def file_name(name):
    """Returns the name of an action or strip as one that every disk takes. The games find clips by name, so that nothing
    else is changed."""
    name = _NOT_IN_NAMES.sub("_", name).rstrip(". ") or "_"
    return "_" + name if _DEVICES.match(name) else name


def write_file(path, data):
    """Writes a file by way of a temporary one beside it, so that a failure leaves what was there."""
    marrow._files.write_target(path, data)


def extension_of(path):
    """Returns the extension of a path in small letters, with its dot."""
    return os.path.splitext(path)[1].lower()
