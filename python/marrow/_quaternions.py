# SPDX-License-Identifier: MIT
"""Arrays of quaternions x, y, z, w, in double precision."""
from __future__ import annotations

from typing import Any, TYPE_CHECKING, cast

from . import _arrays

if TYPE_CHECKING:
    from ._arrays import FloatArray


def quaternion_product(a: Any, b: Any) -> "FloatArray":
    """Returns a times b, of arrays of quaternions x, y, z, w: the turn b, then a."""
    np = _arrays.need_numpy()
    a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
    ax, ay, az, aw = (a[..., i] for i in range(4))
    bx, by, bz, bw = (b[..., i] for i in range(4))
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = aw * bx + ax * bw + ay * bz - az * by
    out[..., 1] = aw * by + ay * bw + az * bx - ax * bz
    out[..., 2] = aw * bz + az * bw + ax * by - ay * bx
    out[..., 3] = aw * bw - ax * bx - ay * by - az * bz
    return cast("FloatArray", out)


def inverse(q: Any) -> "FloatArray":
    """Returns the inverse of quaternions x, y, z, w of unit length."""
    np = _arrays.need_numpy()
    return cast("FloatArray", np.asarray(q, np.float64) * np.array([-1.0, -1.0, -1.0, 1.0]))


def rotated(q: Any, v: Any) -> "FloatArray":
    """Returns vectors turned by quaternions x, y, z, w."""
    np = _arrays.need_numpy()
    q, v = np.asarray(q, np.float64), np.asarray(v, np.float64)
    turn = 2.0 * _cross(q, v)
    return cast("FloatArray", v + q[..., 3:] * turn + _cross(q, turn))


def _cross(a: Any, b: Any) -> Any:
    """Returns cross products. numpy's own moves axes about, which takes longer than the products."""
    np = _arrays.need_numpy()
    out = np.empty((*np.broadcast_shapes(a.shape[:-1], b.shape[:-1]), 3))
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


def to_wxyz(q: Any) -> "FloatArray":
    """Returns quaternions of Havok's order x, y, z, w in Blender's order w, x, y, z."""
    return cast("FloatArray", _arrays.need_numpy().roll(q, 1, axis=-1))


def to_xyzw(q: Any) -> "FloatArray":
    """Returns quaternions of Blender's order w, x, y, z in Havok's order x, y, z, w."""
    return cast("FloatArray", _arrays.need_numpy().roll(q, -1, axis=-1))


def shortest_arc(a: Any, b: Any) -> "FloatArray":
    """Returns the smallest turns from unit vectors a to b; half a turn about X or Z if they are opposite."""
    np = _arrays.need_numpy()
    b = np.asarray(b, np.float64)
    a = np.broadcast_to(np.asarray(a, np.float64), b.shape)
    q = np.concatenate([np.cross(a, b), 1.0 + np.sum(a * b, axis=-1, keepdims=True)], axis=-1)
    opposite = q[..., 3] < 1e-9
    aside = np.where(np.abs(a[..., :1]) < 0.9, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0])
    aside = np.concatenate([aside, np.zeros((*b.shape[:-1], 1))], axis=-1)
    q = np.where(opposite[..., None], aside, q)
    return cast("FloatArray", q / np.linalg.norm(q, axis=-1, keepdims=True))


def from_matrix(m: Any) -> "FloatArray":
    """Returns the quaternions of rotation matrices, by the largest of the four components."""
    np = _arrays.need_numpy()
    m = np.asarray(m, np.float64)
    x, y, z = m[..., 0, 0], m[..., 1, 1], m[..., 2, 2]
    squares = np.stack([1 + x - y - z, 1 - x + y - z, 1 - x - y + z, 1 + x + y + z], axis=-1)
    a, b, c = m[..., 2, 1], m[..., 0, 2], m[..., 1, 0]
    d, e, f = m[..., 1, 2], m[..., 2, 0], m[..., 0, 1]
    rows = np.stack(
        [
            np.stack([squares[..., 0], c + f, b + e, a - d], axis=-1),
            np.stack([c + f, squares[..., 1], a + d, b - e], axis=-1),
            np.stack([b + e, a + d, squares[..., 2], c - f], axis=-1),
            np.stack([a - d, b - e, c - f, squares[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    best = np.argmax(squares, axis=-1)
    q = np.take_along_axis(rows, best[..., None, None], axis=-2)[..., 0, :]
    return cast("FloatArray", q / np.linalg.norm(q, axis=-1, keepdims=True))
