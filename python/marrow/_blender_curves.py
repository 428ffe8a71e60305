# SPDX-License-Identifier: MIT
"""Curves: the motion between frames as cubic pieces, and events as markers on whole frames.

The games' splines are cubic between frames, and so is a Bézier curve in time whose handles lie a third of the way along.
Sampling each piece at its thirds therefore gives curves that equal the file at any time, not only on frames.
"""
from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any, TYPE_CHECKING, cast

from . import _arrays
from ._annotations import Annotation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ._arrays import FloatArray
    from ._clip import Clip


#: How long before the end of a block its last value stands, in frames, if the next block starts elsewhere.
_BEFORE = 1.0 / 256.0


@dataclass
class MotionSamples:
    """The motion of a clip in cubic pieces.

    Attributes:
        frames: where pieces begin, and where the last one ends.
        thirds: samples by tracks by ten, four per piece with the ends shared. Rotations between the ends of a piece are
            not of unit length: the games' splines are cubic before they are normalised, so lengths are found that make
            the cubic through the thirds point where the clip does halfway between them, too.
    """

    frames: "FloatArray"
    thirds: "FloatArray"


def sampled_thirds(clip: "Clip", places: Any = None) -> MotionSamples:
    """Samples a clip so that `curve_keys` can draw it. Pieces are frames; where a block of the file does not end at the
    value that the next one starts with, a short piece leads over.

    Args:
        clip: to sample.
        places: where pieces begin and end instead, in frames: at the frames of a scene that has another rate.
    """
    np = _arrays.need_numpy()
    ends = _piece_ends(clip) if places is None else np.asarray(places, np.float64)
    steps = np.diff(ends)
    sixths = np.append((ends[:-1, None] + steps[:, None] * (np.arange(6) / 6.0)).ravel(), ends[-1])
    out = np.empty((len(sixths), clip.track_count, 10), np.float64)
    for row, place in enumerate(sixths):
        out[row] = clip.sample(frame=float(place)).array
    for piece in np.flatnonzero((steps < 0.5) & (places is None)):  # from one block to the next, straight
        first, last = out[6 * piece], out[6 * piece + 6]
        for part in range(1, 6):
            out[6 * piece + part] = first + (last - first) * (part / 6.0)
    is_turning = (out[:, :, 3:7] != out[:1, :, 3:7]).any(axis=(0, 2))
    turns = continuous(out[:, is_turning, 3:7])
    turns /= np.maximum(np.linalg.norm(turns, axis=-1, keepdims=True), 1e-12)
    if len(ends) > 1 and is_turning.any():
        count = len(sixths) - 1
        lengths = _lengths_between([turns[place : count + place // 6 : 6] for place in range(7)])
        turns[2::6] *= lengths[..., 0:1]
        turns[4::6] *= lengths[..., 1:2]
    out = out[::2]
    out[:, is_turning, 3:7] = turns[::2]
    return MotionSamples(ends, out)


def _piece_ends(clip: "Clip") -> Any:
    """Returns the whole frames, and a place just before those where the motion jumps."""
    np = _arrays.need_numpy()
    ends: list[float] = []
    for frame in range(clip.frame_count):
        if frame:
            here, before = clip.sample(frame=float(frame)).array, clip.sample(frame=frame - 1e-7).array
            apart = np.minimum(np.abs(here - before), np.abs(here + before))  # -q is the same turn
            if max(apart[:, 3:7].max(), np.abs(here - before)[:, [0, 1, 2, 7, 8, 9]].max()) > 2e-5:
                ends.append(frame - _BEFORE)
        ends.append(float(frame))
    return np.array(ends or [0.0])


def _weights(at: float) -> list[float]:
    """Returns the shares of the four samples of a cubic piece at 0 to 1."""
    nodes, out = (0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0), []
    for own in nodes:
        share = 1.0
        for other in nodes:
            share *= 1.0 if other == own else (at - other) / (own - other)
        out.append(share)
    return out


def _lengths_between(sixths: "Sequence[FloatArray]") -> "FloatArray":
    """Returns the lengths of the rotations at both thirds of each piece. Linear least squares: what the cubic has across
    the true direction at the odd sixths should vanish."""
    np = _arrays.need_numpy()
    rows, right = [], []
    for place in (1, 3, 5):
        way, share = sixths[place], _weights(place / 6.0)
        across = [share[i] * (q - np.sum(q * way, axis=-1, keepdims=True) * way) for i, q in enumerate(sixths[::2])]
        rows.append(np.stack(across[1:3], axis=-1))
        right.append(-sum(across))
    matrix, vector = np.concatenate(rows, axis=-2), np.concatenate(right, axis=-1)
    turned = np.swapaxes(matrix, -1, -2)
    # The small addition decides for unit length if nothing turns.
    return cast("FloatArray", 1.0 + np.linalg.solve(turned @ matrix + 1e-10 * np.eye(2), turned @ vector[..., None])[..., 0])


def continuous(quaternions: Any) -> "FloatArray":
    """Returns quaternions, samples first, with the sign that is nearest to the sample before."""
    np = _arrays.need_numpy()
    q = np.array(quaternions, np.float64)
    steps = np.where(np.sum(q[1:] * q[:-1], axis=-1) < 0, -1.0, 1.0)
    q[1:] *= np.cumprod(steps, axis=0)[..., None]
    return cast("FloatArray", q)


@dataclass
class CurveKeys:
    """The keys of one curve. `right[i]` and `left[i + 1]` are the heights of the handles of piece i; None if constant."""

    values: "FloatArray"
    right: Any = None
    left: Any = None

    @property
    def is_constant(self) -> bool:
        return self.right is None

    def rows(self, frames: Any) -> tuple[Any, Any, Any]:
        """Returns keys, left handles and right handles as Blender takes them: rows of frame and value, in one list each.

        Args:
            frames: of the keys, in frames of the scene; of a constant only the first is used.
        """
        np = _arrays.need_numpy()
        count = len(self.values)
        frames = np.asarray(frames, np.float64)[:count]
        keys, left, right = np.empty((3, count, 2), np.float32)
        thirds = np.diff(frames) / 3.0
        edge = thirds[0] if count > 1 else 1.0 / 3.0
        keys[:, 0], left[:, 0], right[:, 0] = frames, frames, frames
        keys[:, 1], left[:, 1], right[:, 1] = self.values, self.values, self.values
        left[1:, 0] -= thirds
        right[:-1, 0] += thirds
        left[0, 0] -= edge
        right[-1, 0] += edge
        if not self.is_constant:
            left[1:, 1], right[:-1, 1] = self.left, self.right
        return keys.ravel(), left.ravel(), right.ravel()


def curve_keys(thirds: Any) -> CurveKeys:
    """Returns the keys of a curve that was sampled at the thirds of its pieces. One that does not move has one key."""
    return all_curve_keys(_arrays.need_numpy().asarray(thirds)[:, None])[0]


def all_curve_keys(thirds: Any) -> list[CurveKeys]:
    """Returns the keys of many curves: samples by curves."""
    np = _arrays.need_numpy()
    y = np.asarray(thirds, np.float64)
    single = y.astype(np.float32)
    if len(y) == 1:
        return [CurveKeys(column) for column in single.T]
    is_still = (single == single[:1]).all(axis=0)
    moving = np.ascontiguousarray(y[:, ~is_still].T)
    start, one, two, end = moving[:, :-1:3], moving[:, 1::3], moving[:, 2::3], moving[:, 3::3]
    right = ((-5.0 * start + 18.0 * one - 9.0 * two + 2.0 * end) / 6.0).astype(np.float32)
    left = ((2.0 * start - 9.0 * one + 18.0 * two - 5.0 * end) / 6.0).astype(np.float32)
    values = moving[:, ::3].astype(np.float32)
    made = iter(zip(values, right, left))
    return [CurveKeys(single[:1, place]) if still else CurveKeys(*next(made)) for place, still in enumerate(is_still)]


def fingerprint(*parts: Any) -> int:
    """Returns a number that changes if any of the arrays, texts or numbers does."""
    sum_ = 0
    for part in parts:
        data = part.tobytes() if hasattr(part, "tobytes") else repr(part).encode()
        sum_ = zlib.crc32(data, zlib.crc32(len(data).to_bytes(8, "little"), sum_))
    return sum_


#: Blender cuts the names of markers there (bytes of UTF-8).
MARKER_BYTES = 63


def marker_name(text: str) -> str:
    """Returns a text as Blender keeps it as the name of a marker."""
    return text.encode("utf-8", "replace")[:MARKER_BYTES].decode("utf-8", "ignore")


def markers_of(events: "Sequence[Annotation]", frames_per_second: float) -> list[tuple[int, str]]:
    """Returns events as markers: whole frames and names."""
    return [(round(each.time * frames_per_second), marker_name(each.text)) for each in events]


def events_of(
    markers: "Sequence[tuple[int, str]]", imported: "Sequence[Annotation]", frames_per_second: float
) -> list[Annotation]:
    """Returns markers as events. Markers that stand where an imported event put them keep its exact time; those that were
    moved keep its whole text, which Blender may have cut. Events keep their order in the file; new ones follow by time."""
    was = markers_of(imported, frames_per_second)
    left = list(range(len(imported)))
    made: list[Any] = [None] * len(markers)
    for is_exact in (True, False):
        for place, marker in enumerate(markers):
            if made[place] is not None:
                continue
            found = next((old for old in left if was[old] == marker or (not is_exact and was[old][1] == marker[1])), None)
            if found is None:
                continue
            left.remove(found)
            event = imported[found]
            is_moved = was[found] != marker
            made[place] = (found, event._replace(time=marker[0] / frames_per_second) if is_moved else event)
    rows = [
        each if each is not None else (len(imported), Annotation(marker[0] / frames_per_second, marker[1]))
        for each, marker in zip(made, markers)
    ]
    rows.sort(key=lambda row: (row[0], row[1].time if row[0] == len(imported) else 0.0))
    return [event for _, event in rows]
