# SPDX-License-Identifier: MIT
"""Names of bones in Blender (`UpperArm.L` for `NPC L UpperArm [LUar]`) and back, and of files. The rules are the library's."""
from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable
from typing import Any, Optional

from . import _abi
from ._library import encoded, lib, opened


def _texts(names: list[bytes]) -> Any:
    """Returns names as the library takes them; they point into the list."""
    return (_abi.Text * len(names))(*(_abi.Text.of(each) for each in names))


def blender_names(names: Iterable[str]) -> list[str]:
    """Returns the names of all bones of a skeleton as Blender's mirroring needs them, in the same order. A bone is on a
    side only if the skeleton also has it on the other; names that would be equal stay as they are."""
    return _made(lib.marrow_get_blender_names, names)


def file_name(name: str) -> str:
    """Returns a name that every disk takes for a file: "NUL" becomes "_NUL", "a/b" "a_b". A name that is fine stays."""
    return _made(lib.marrow_get_file_names, [name])[0]


def _made(function: Any, names: Iterable[str]) -> list[str]:
    rows = [encoded(each) for each in names]
    handle = opened(function, _texts(rows), len(rows))
    info = _abi.ResultInfo()
    lib.marrow_get_result(handle.value, ctypes.byref(info))
    made: list[str] = json.loads(str(info.report))["names"]
    return made


def match_bones(names: Iterable[str], known: Iterable[str]) -> list[Optional[int]]:
    """Returns for each name the place in `known` of the bone that it stands for, exactly or renamed by this or another
    program; None if none or more than one fits."""
    given, others = [encoded(each) for each in names], [encoded(each) for each in known]
    out = (ctypes.c_int32 * max(len(given), 1))()
    lib.marrow_match_bones(_texts(given), len(given), _texts(others), len(others), out)
    return [place if place >= 0 else None for place in out[: len(given)]]
