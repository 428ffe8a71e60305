# SPDX-License-Identifier: MIT
"""Properties that armatures of existing .blend files carry for export: `PYN_*`."""
from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Optional

_GAMES = {"SKYRIM": "skyrim-le", "SKYRIMLE": "skyrim-le", "SKYRIMSE": "skyrim-se", "SSE": "skyrim-se"}
_GAMES.update({"FO4": "fallout4", "FALLOUT4": "fallout4", "LE": "skyrim-le", "SE": "skyrim-se"})


@dataclass(frozen=True)
class ForeignProperties:
    """What existing files say about export.

    Attributes:
        bones: names in the order of the game; empty if it is not said.
        game: "skyrim-le", "skyrim-se", "fallout4" or None.
        is_additive: True if clips are deltas.
        locked: names of bones whose translation the game takes from the rest pose.
        locks_all: True if that goes for all bones.
        float_slots: names of float tracks.
        is_renamed: True if the bones were given other names than the game's (`PYN_RENAME_BONES`).
        is_turned: True if the bones were given other axes than the game's (`PYN_ROTATE_BONES_PRETTY`).
        is_scaled: True if the armature was made smaller and turned (`PYN_BLENDER_XF`).
    """

    bones: tuple[str, ...] = ()
    game: Optional[str] = None
    is_additive: bool = False
    locked: frozenset[str] = frozenset()
    locks_all: bool = False
    float_slots: tuple[str, ...] = ()
    is_renamed: bool = False
    is_turned: bool = False
    is_scaled: bool = False


def _names(value: Any) -> tuple[str, ...]:
    """Returns a list of names: a list, JSON, or text with one name per line or between commas or semicolons."""
    if value is None or isinstance(value, (bool, int, float)):
        return ()
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("["):
            try:
                return tuple(str(each) for each in json.loads(text))
            except ValueError:
                pass
        mark = "\n" if "\n" in text else ";" if ";" in text else ","
        return tuple(part if mark == "\n" else part.strip() for part in text.split(mark) if part.strip())
    if isinstance(value, Mapping):
        return tuple(map(str, value))
    return tuple(str(each) for each in value) if isinstance(value, Iterable) else ()


def _is_set(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() not in ("", "0", "false", "no", "none", "[]")
    return bool(value)


def foreign_properties(properties: Mapping[str, Any]) -> ForeignProperties:
    """Reads `PYN_HKX_BONES`, `_GAME`, `_PTR_SIZE`, `_ADDITIVE`, `_LOCK_TRANSLATION`, `_FLOAT_SLOTS`, and
    `PYN_RENAME_BONES`, `PYN_ROTATE_BONES_PRETTY` and `PYN_BLENDER_XF`."""
    def get(name: str) -> Any:
        return properties.get("PYN_HKX_" + name)

    game = _GAMES.get(re.sub(r"[^A-Z0-9]", "", str(get("GAME") or "").upper()))
    size = get("PTR_SIZE")
    if game in (None, "skyrim-le", "skyrim-se") and size is not None:
        game = "skyrim-le" if int(size) == 4 else "skyrim-se"  # both games call themselves Skyrim
    lock = get("LOCK_TRANSLATION")
    bones = _names(get("BONES"))
    locked: tuple[str, ...] = _names(lock)
    locks_all = isinstance(lock, (bool, int)) and bool(lock)
    if len(locked) == len(bones) and locked and all(each.strip().lower() in ("0", "1", "true", "false") for each in locked):
        locked = tuple(bone for bone, flag in zip(bones, locked) if flag.strip().lower() in ("1", "true"))
    elif len(locked) == 1 and locked[0].lower() in ("0", "1", "true", "false"):
        locks_all, locked = _is_set(locked[0]), ()
    slots = _names(get("FLOAT_SLOTS"))
    is_renamed = any(_is_set(properties.get(name)) for name in ("PYN_RENAME_BONES", "PYN_RENAME_BONES_NIFTOOLS"))
    return ForeignProperties(
        bones, game, _is_set(get("ADDITIVE")), frozenset(locked), locks_all, slots, is_renamed,
        is_turned=_is_set(properties.get("PYN_ROTATE_BONES_PRETTY")), is_scaled=_is_set(properties.get("PYN_BLENDER_XF")),
    )
