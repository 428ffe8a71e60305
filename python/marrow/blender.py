# SPDX-License-Identifier: MIT
"""Blender's conventions: poses as deltas from the rest pose, quaternions as w, x, y, z, events as markers.

    motion = marrow.blender.to_blender(clip)      # pose_bone.location = motion.locations[frame, bone] ...
    marrow.blender.from_blender(clip, motion)

For a bone with rest pose (R, t, s) and a clip's transform (r, p, k) Blender's pose bone has the rotation inverse(R) r,
the location inverse(R) (p - t) and the scale k / s. Frames of additive clips are deltas already and stay as they are.

The Blender add-on builds on `limbs` (how bones lie), `BlenderRest` (channels of pose bones and back), `curve_keys` (whole
curves, right between frames too), `events_of` (markers) and `actors_of` (paired clips). None of it needs Blender.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _arrays
from ._blender_actors import Actor, actors_of
from ._blender_body import BodyRest, unit
from ._blender_curves import (
    CurveKeys,
    MotionSamples,
    all_curve_keys,
    continuous,
    curve_keys,
    events_of,
    fingerprint,
    marker_name,
    markers_of,
    sampled_thirds,
)
from ._blender_properties import ForeignProperties, foreign_properties
from ._blender_rest import UNITS, BlenderRest, Limbs, limbs, transform_inverse, transform_product, unit_scale
from ._errors import NoSkeletonError
from ._body_edit import rest_matrices, textures_of
from ._names import blender_names, match_bones
from ._quaternions import from_matrix, inverse, quaternion_product, rotated, to_wxyz, to_xyzw
from ._annotations import Annotation

if TYPE_CHECKING:
    from ._arrays import FloatArray
    from ._clip import Clip


@dataclass
class BlenderMotion:
    """The motion of pose bones, one per track of the clip.

    Attributes:
        bone_names: of the pose bones.
        locations: frames by bones by three.
        quaternions: frames by bones by four: w, x, y, z.
        scales: frames by bones by three.
        markers: pairs of a frame and a text, for the timeline.
        fps: frames per second, for the frames of markers.
    """

    bone_names: tuple[str, ...]
    locations: "FloatArray"
    quaternions: "FloatArray"
    scales: "FloatArray"
    markers: list[tuple[float, str]] = field(default_factory=list)
    fps: float = 30.0


def _rest(clip: "Clip") -> tuple[Any, Any, Any]:
    """Returns the rest pose of each track: translations, rotations, scales."""
    np = _arrays.need_numpy()
    if clip.is_additive:
        count = clip.track_count
        return np.zeros((count, 3)), np.tile([0.0, 0.0, 0.0, 1.0], (count, 1)), np.ones((count, 3))
    skeleton = clip.skeleton
    if skeleton is None:
        raise NoSkeletonError("Blender's deltas are from the rest pose of a skeleton, and there is none")
    rest = skeleton.rest_pose.array.astype(np.float64)[list(clip.track_to_bone)]
    return rest[:, :3], rest[:, 3:7], rest[:, 7:]


def to_blender(clip: "Clip", fps: float = 30.0) -> BlenderMotion:
    """Returns the motion of a clip as Blender's pose bones have it. Needs the clip's skeleton, unless it is additive."""
    np = _arrays.need_numpy()
    place, turn, size = _rest(clip)
    back = np.broadcast_to(inverse(turn), clip.rotations.shape)
    return BlenderMotion(
        clip.bone_names,
        rotated(back, np.asarray(clip.translations) - place),
        to_wxyz(quaternion_product(back, np.asarray(clip.rotations))),
        np.asarray(clip.scales) / size,
        [(each.time * fps, each.text) for each in clip.annotations],
        fps,
    )


def from_blender(clip: "Clip", motion: BlenderMotion) -> None:
    """Sets the motion and the events of a clip from Blender's. Bones are found by name, in any order; the number of
    frames may change. Tracks that Blender has no bone for keep their first frame throughout if it does."""
    np = _arrays.need_numpy()
    place, turn, size = _rest(clip)
    count = len(motion.locations)
    frames = np.array(clip.frames, np.float32)
    if count != len(frames):
        frames = np.repeat(frames[:1], count, axis=0)
    tracks = [clip.track_of(name) for name in motion.bone_names]
    out_turn = np.broadcast_to(turn[tracks], (count, len(tracks), 4))
    frames[:, tracks, :3] = place[tracks] + rotated(out_turn, motion.locations)
    quaternions = quaternion_product(out_turn, to_xyzw(np.asarray(motion.quaternions, np.float64)))
    frames[:, tracks, 3:7] = quaternions / np.linalg.norm(quaternions, axis=-1, keepdims=True)
    frames[:, tracks, 7:] = size[tracks] * motion.scales
    if count == clip.frame_count:
        np.copyto(clip.frames, _closest(frames, clip.frames))
    else:
        clip.set_frames(frames, fps=motion.fps)
    clip.annotations = [Annotation(frame / motion.fps, text) for frame, text in motion.markers]  # type: ignore[assignment]


def _closest(made: Any, now: Any) -> Any:
    """Returns what was made, with what did not change left as it is: a round trip through doubles moves the last bit, and
    a quaternion and its negative are the same turn."""
    np = _arrays.need_numpy()
    now = np.asarray(now)
    made = made.copy()
    flipped = np.sum(made[..., 3:7] * now[..., 3:7], axis=-1) < 0
    made[..., 3:7][flipped] *= -1.0
    near = np.abs(made - now) <= 1e-5 * np.maximum(1.0, np.abs(now))
    for part in (slice(0, 3), slice(3, 7), slice(7, 10)):
        same = near[..., part].all(axis=-1)
        made[..., part][same] = now[..., part][same]
    return made


__all__ = [
    "UNITS",
    "Actor",
    "BlenderMotion",
    "BlenderRest",
    "BodyRest",
    "CurveKeys",
    "ForeignProperties",
    "Limbs",
    "MotionSamples",
    "actors_of",
    "all_curve_keys",
    "blender_names",
    "continuous",
    "curve_keys",
    "events_of",
    "fingerprint",
    "foreign_properties",
    "from_blender",
    "from_matrix",
    "inverse",
    "limbs",
    "marker_name",
    "markers_of",
    "match_bones",
    "quaternion_product",
    "rest_matrices",
    "rotated",
    "sampled_thirds",
    "textures_of",
    "to_blender",
    "to_wxyz",
    "to_xyzw",
    "transform_inverse",
    "transform_product",
    "unit",
    "unit_scale",
]
