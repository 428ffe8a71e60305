# SPDX-License-Identifier: MIT
"""What was imported, kept in the .blend file: the original file itself, and what import made of it.

Export compares what is there with that. What nobody touched goes back as it was, byte for byte.
"""
import base64
import json
import os
import zlib

from .package import marrow


def packed(data):
    """Returns bytes as text that Blender keeps."""
    return base64.b64encode(zlib.compress(data, 6)).decode("ascii")


def unpacked(text):
    """Returns the bytes of such a text."""
    return zlib.decompress(base64.b64decode(text))


def keep_source(record, data, name):
    record.source = packed(data)
    record.source_name = os.path.basename(name)


def has_source(record):
    return bool(record.source)


def source_bytes(record):
    return unpacked(record.source)


def open_source(record, **options):
    """Returns the original file as a document, under the name of its file only: nothing is looked for near it."""
    return marrow.load(unpacked(record.source), name=record.source_name, **options)


def read_json(text, default):
    """Returns what is written in a property, or a default if it is empty."""
    return json.loads(text) if text else default


def write_json(value):
    return json.dumps(value, separators=(",", ":"))
