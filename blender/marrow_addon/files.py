# SPDX-License-Identifier: MIT
"""Files that export writes: whole, or as they were."""
import os


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
