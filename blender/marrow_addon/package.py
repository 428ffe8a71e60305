# SPDX-License-Identifier: MIT
"""Finds the Python package: the one that the add-on carries, else the one that is installed."""
import importlib.util

if importlib.util.find_spec(__package__ + ".marrow") is not None:
    from . import marrow
else:
    import marrow  # a source tree, or a wheel in Blender's Python

__all__ = ["marrow"]
