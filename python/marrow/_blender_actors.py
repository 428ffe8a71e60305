# SPDX-License-Identifier: MIT
"""Whose bones the tracks of a clip move: of one actor, or of two in paired clips."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Optional

from . import _abi
from ._errors import NoSkeletonError
from ._library import lib, listed

if TYPE_CHECKING:
    from .clip import Clip
    from .skeleton import Skeleton

#: What the names of the second actor's bones start with.
SECOND = "2_"


@dataclass
class Actor:
    """One actor of a clip.

    Attributes:
        number: 0, or 1 for the second of a pair.
        skeleton: that it has.
        tracks: of the clip.
        bones: of the skeleton, one per track.
    """

    number: int
    skeleton: "Skeleton"
    tracks: list[int] = field(default_factory=list)
    bones: list[int] = field(default_factory=list)

    def add(self, track: int, bone: int) -> None:
        self.tracks.append(track)
        self.bones.append(bone)


def actors_of(clip: "Clip", second: Optional["Skeleton"] = None) -> list[Actor]:
    """Returns the actors of a clip with the tracks that move them. Tracks without a bone belong to nobody.

    Args:
        clip: with its skeleton.
        second: the skeleton of the second actor of a pair, if it is of another kind.
    """
    skeleton = clip.skeleton
    if skeleton is None:
        raise NoSkeletonError("there is no skeleton, neither in the file nor near it", file=clip.document.name or None)
    names = [str(row) for row in listed(_abi.Text, lib.marrow_get_track_names, *clip._key)]
    bones = clip.track_to_bone
    count = len(skeleton)
    is_named = len(names) == len(bones) and all(names)
    is_paired = any(name.startswith(SECOND) for name in names) or max(bones, default=-1) + 1 == 2 * count
    first = Actor(0, skeleton)
    if not is_paired:
        for track, bone in enumerate(bones):
            if 0 <= bone < count:
                first.add(track, bone)
        return [first]
    other = Actor(1, second or skeleton)
    for track, bone in enumerate(bones):
        if is_named:
            actor = other if names[track].startswith(SECOND) else first
            name = names[track][len(SECOND) :] if actor is other else names[track]
            if name in actor.skeleton:
                actor.add(track, actor.skeleton.index_of(name))
        elif 0 <= bone < 2 * count:
            (first if bone < count else other).add(track, bone % count)
    return [first, other]
