# SPDX-License-Identifier: MIT
"""Whose bones the tracks of a clip move: of one actor, or of two in paired clips."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Optional

from . import _abi
from ._errors import NoSkeletonError
from ._library import lib, listed

if TYPE_CHECKING:
    from ._clip import Clip
    from ._skeleton import Skeleton


@dataclass
class Actor:
    """One actor of a clip.

    Attributes:
        number: 0, or 1 for the second of a pair.
        skeleton: that it has.
        tracks: of the clip.
        bones: of the skeleton, one per track.
        root: the track of the root of both actors, or None.
        place: the track of where the actor stands, below the root, or None.
        floats: its float tracks, with the name of each.
    """

    number: int
    skeleton: "Skeleton"
    tracks: list[int] = field(default_factory=list)
    bones: list[int] = field(default_factory=list)
    root: Optional[int] = None
    place: Optional[int] = None
    floats: list[tuple[int, str]] = field(default_factory=list)

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
    rows = listed(
        _abi.TrackOwner,
        lib.marrow_get_track_owners,
        *clip._key,
        skeleton.document._handle.value,
        skeleton.index,
        second.document._handle.value if second is not None else 0,
        second.index if second is not None else 0,
    )
    actors = [Actor(0, skeleton), Actor(1, second or skeleton)]
    counts = len(skeleton), len(actors[1].skeleton)
    for track, row in enumerate(rows):
        if row.place == 1:
            actors[0].root = actors[1].root = track
        elif row.place == 2:
            actors[row.actor].place = track
        elif row.actor >= 0 and 0 <= row.bone < counts[row.actor]:
            actors[row.actor].add(track, row.bone)
    is_paired = bool(actors[1].tracks) or actors[1].place is not None
    _give_floats(clip, actors, is_paired)
    return actors if is_paired else actors[:1]


def _give_floats(clip: "Clip", actors: list[Actor], is_paired: bool) -> None:
    """Gives each actor its float tracks: in paired clips the slots of the second follow those of the first."""
    border = len(actors[0].skeleton.float_slots) if is_paired else 1 << 15
    for column, slot in enumerate(clip.track_to_slot):
        actor = actors[1] if slot >= border else actors[0]
        own = slot - border if slot >= border else slot
        known = actor.skeleton.float_slots
        actor.floats.append((column, known[own].name if 0 <= own < len(known) else f"float {slot}"))
