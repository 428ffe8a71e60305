# SPDX-License-Identifier: MIT
"""The movement of a whole character."""
from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional, TYPE_CHECKING, cast

from . import _abi, _arrays
from ._errors import WrongTypeError
from ._library import lib
from ._pose import Quaternion

if TYPE_CHECKING:
    from ._arrays import FloatArray


@dataclass
class RootMotion:
    """The movement of a whole character.

    Attributes:
        samples: rows of x, y, z and the turn about `up` in radians; one per frame.
        duration: seconds.
        up: the axis of turns.
        forward: the way that the character faces.
    """

    samples: Sequence[Sequence[float]]
    duration: float
    up: Quaternion = (0.0, 0.0, 1.0, 0.0)
    forward: Quaternion = (0.0, 1.0, 0.0, 0.0)

    @property
    def array(self) -> "FloatArray":
        """The samples as an array of its own, samples by four."""
        return cast("FloatArray", _arrays.need_numpy().array(self.samples, dtype="f4").reshape(-1, 4))

    def __repr__(self) -> str:
        way = f", to {tuple(round(float(x), 3) for x in self.samples[-1])}" if len(self.samples) else ""
        return f"<marrow.RootMotion: {len(self.samples)} samples, {self.duration:.3f} s{way}>"


def read_root_motion(key: tuple[int, int]) -> Optional[RootMotion]:
    out = _abi.RootMotion()
    lib.marrow_get_root_motion(*key, ctypes.byref(out))
    if not out.sample_count:
        return None
    numbers = out.samples[: out.sample_count * 4]
    samples = [tuple(numbers[at : at + 4]) for at in range(0, len(numbers), 4)]
    up: Any = tuple(out.up)
    forward: Any = tuple(out.forward)
    return RootMotion(samples, out.duration_seconds, up, forward)


def write_root_motion(key: tuple[int, int], motion: Optional[RootMotion]) -> None:
    struct = _abi.RootMotion()
    if motion is not None:
        if not isinstance(motion, RootMotion):
            raise WrongTypeError(f"a RootMotion or None is needed, not {motion!r}", path="root_motion")
        numbers = _arrays.flat_floats(motion.samples, 4)
        struct.samples = numbers
        struct.sample_count = len(numbers) // 4
        struct.duration_seconds = motion.duration
        struct.up[:] = motion.up
        struct.forward[:] = motion.forward
    lib.marrow_set_root_motion(*key, ctypes.byref(struct))
