# SPDX-License-Identifier: MIT
"""What `check` and `diff` find."""
from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Optional

from ._errors import Cure
from ._run import run


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a file.

    Attributes:
        code: of the rule, "E_TRUNCATED".
        level: "error", "warning" or "info".
        message: what is wrong, and what it does.
        where: the place in the file.
        cure: the operation that repairs it, or None.
    """

    code: str
    level: str
    message: str
    where: str = ""
    cure: Optional[Cure] = None

    def __str__(self) -> str:
        return f"{self.level} {self.code}: {self.where + ': ' if self.where else ''}{self.message}" + (
            f"; {self.cure}" if self.cure else ""
        )


@dataclass(frozen=True)
class Difference:
    """One difference between two files.

    Attributes:
        kind: "clip", "track", "event", "skeleton", "bone", "object", "block".
        object: the bone, track, body or class.
        field: of the object.
        left: its value in the first file, or None if there is nothing.
        right: its value in the second file, or None.
        size: how far apart, if that can be measured.
        unit: of `size`.
    """

    kind: str
    object: str
    field: str
    left: Optional[str] = None
    right: Optional[str] = None
    size: Optional[float] = None
    unit: str = ""

    def __str__(self) -> str:
        by = "" if self.size is None else f" (by {self.size:g} {self.unit})"
        return f"{self.kind} {self.object}: {self.field}: {self.left} | {self.right}{by}"


def _made(kind: Any, rows: list[dict[str, Any]]) -> list[Any]:
    known = {each.name for each in fields(kind)}
    return [kind(**{name: value for name, value in row.items() if name in known}) for row in rows]


def check(source: Any, *, game: Optional[str] = None, base: Any = None, skeleton: Any = None) -> list[Finding]:
    """Returns what would crash, T-pose or jitter in the game, before the game does. An empty list is good news.

    Args:
        source: a path, bytes, an open file, a document or a clip. Broken files are findings too.
        game: whose rules; by default what the file is for.
        base: the skeleton that an Anvil addon hangs on.
        skeleton: that a clip or mesh is for.
    """
    inputs = [("file", source), ("base", base), ("skeleton", skeleton)]
    rows = run("check", inputs, {"game": game}, wants_files=False).report["findings"]
    return _made(Finding, [{**row, "cure": Cure.of(row["cure"])} for row in rows])


def diff(a: Any, b: Any) -> list[Difference]:
    """Returns the differences of meaning between two files or documents; an empty list if they mean the same."""
    return _made(Difference, run("diff", [("a", a), ("b", b)]).report["differences"])
