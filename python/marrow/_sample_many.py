# SPDX-License-Identifier: MIT
"""Samples of many clips in one call."""
from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence

from . import _abi
from ._errors import WrongTypeError, number
from ._library import lib
from ._clip import Clip
from ._pose import Pose


def sample_many(samples: Iterable[tuple[Clip, float]]) -> Sequence[Pose]:
    """Samples many clips, each at a time, and returns what `Clip.sample` gives for each but for rounding: one transform
    per track. Clips are prepared in a compact form when they are first sampled; faster than single calls if there are
    many clips.

    Args:
        samples: clips and seconds; a clip may come more than once.
    """
    listed = list(samples)
    poses: list[Pose] = []
    requests = (_abi.SampleRequest * len(listed))()
    prepared = [_prepared(clip, time) for clip, time in listed]
    for request, (handle, frame, width), (clip, _) in zip(requests, prepared, listed):
        buffer = (ctypes.c_float * width)()
        request.sampler, request.frame = handle, frame
        request.tracks, request.float_count = ctypes.addressof(buffer), width
        poses.append(Pose(buffer, clip._names))
    lib.marrow_sample_many(requests, len(listed))
    return poses


def _prepared(clip: object, time: float) -> tuple[int, float, int]:
    """The handle of a clip's compact sampler, the frame at a time, and the floats of a sample."""
    if not isinstance(clip, Clip):
        raise WrongTypeError(f"a clip and a time are needed, not {clip!r}", path="samples")
    return clip._compact_sampler().value, number(time, "samples") * clip.fps, clip.track_count * 10
