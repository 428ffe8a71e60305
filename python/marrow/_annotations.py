# SPDX-License-Identifier: MIT
"""Events of clips: footsteps, sounds, hits."""
from __future__ import annotations

import ctypes
import math
import operator
import re
from collections.abc import Iterable, MutableSequence
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Sequence, Union

from . import _abi
from ._errors import OptionError, WrongTypeError, place_of
from ._library import encoded, lib, listed

if TYPE_CHECKING:
    from ._clip import Clip


class Annotation(NamedTuple):
    """An event at a time in the clip."""

    time: float  #: seconds
    text: str
    track: int = 0  #: the games put theirs on track 0


AnnotationLike = Union[Annotation, Sequence[Any]]


def matches(pattern: str, text: str) -> bool:
    """True if a pattern fits a whole text, in any case: `*` stands for any run of characters, `?` for any one."""
    expression = "".join({"*": ".*", "?": "."}.get(c, re.escape(c)) for c in pattern)
    return re.fullmatch(expression, text, re.IGNORECASE | re.DOTALL) is not None


def _checked(event: AnnotationLike) -> Annotation:
    """Returns an event. Raises `WrongTypeError` if it is not a time, a text and the number of a track."""
    try:
        made = Annotation(*event)
        time, track = float(made.time), operator.index(made.track)
    except (TypeError, ValueError):
        made, time, track = Annotation(0.0, ""), None, 0
    if time is None or not isinstance(made.text, str):
        raise WrongTypeError(f"an event is a time, a text and optionally a track, not {event!r}", path="annotations")
    if not math.isfinite(time) or track < 0:
        raise OptionError(f"an event is a time, a text and optionally a track, not {event!r}", path="annotations")
    return Annotation(time, made.text, track)


class Annotations(MutableSequence[Annotation]):
    """The events of a clip, as a list that writes through to it. Events may also be given as tuples."""

    def __init__(self, clip: "Clip") -> None:
        self._clip = clip

    def _read(self) -> list[Annotation]:
        rows = listed(_abi.Annotation, lib.marrow_get_annotations, *self._clip._key)
        return [Annotation(row.time_seconds, str(row.text), row.track) for row in rows]

    def _write(self, events: Iterable[AnnotationLike]) -> None:
        kept = [_checked(each) for each in events]
        self._refuse_outside(kept)
        texts = [encoded(each.text) for each in kept]
        rows = (_abi.Annotation * len(kept))(
            *(_abi.Annotation(_abi.Text.of(text), each.time, each.track) for each, text in zip(kept, texts))
        )
        self._clip.document._touch()
        lib.marrow_set_annotations(*self._clip._key, rows, len(rows))

    def _refuse_outside(self, events: list[Annotation]) -> None:
        """Refuses new events outside the clip. What a file has stays as it is."""
        end = self._clip.duration
        if all(0.0 <= each.time <= end + 1e-4 for each in events):
            return
        now = self._read()
        for each in events:
            if each not in now and not 0.0 <= each.time <= end + 1e-4:
                raise OptionError(f"{each.text!r} at {each.time:g} s is outside the clip, which has {end:g} s", path="time")

    def add(
        self, time: Optional[float] = None, text: str = "", track: int = 0, *, frame: Optional[float] = None
    ) -> Annotation:
        """Adds an event at a time in seconds, or at a frame, after those of its own time."""
        if (time is None) == (frame is None):
            raise OptionError("an event has a time in seconds or a frame", path="time")
        if time is None:
            rate = self._clip.fps
            time = float(frame or 0.0) / rate if rate else 0.0
        time = _checked((time, text, track)).time
        events = self._read()
        mine = [index for index, each in enumerate(events) if each.track == track]
        at = next((index for index in mine if events[index].time > time), mine[-1] + 1 if mine else len(events))
        events.insert(at, Annotation(time, text, track))
        self._write(events)
        return events[at]

    def matching(self, pattern: str) -> list[Annotation]:
        """Returns the events whose text fits a pattern, in any case: "SoundPlay.*"."""
        return [each for each in self._read() if matches(pattern, each.text)]

    def remove_matching(self, pattern: str) -> int:
        """Removes the events whose text fits a pattern; returns how many."""
        events = self._read()
        left = [each for each in events if not matches(pattern, each.text)]
        if len(left) != len(events):
            self._write(left)
        return len(events) - len(left)

    def replace(self, pattern: str, text: str) -> int:
        """Gives the events whose text fits a pattern another text; returns how many."""
        events = self._read()
        count = sum(matches(pattern, each.text) for each in events)
        if count:
            self._write(each._replace(text=text) if matches(pattern, each.text) else each for each in events)
        return count

    def insert(self, index: int, value: AnnotationLike) -> None:
        """Inserts an event before a place in the list, whatever its time."""
        events = self._read()
        events.insert(index, _checked(value))
        self._write(events)

    def extend(self, values: Iterable[AnnotationLike]) -> None:
        """Appends events."""
        self._write([*self._read(), *values])

    def clear(self) -> None:
        """Removes all events."""
        self._write([])

    def sort(self) -> None:
        """Puts the events in order of time; those of one time stay as they are."""
        events = self._read()
        events.sort(key=lambda each: (each.track, each.time))
        self._write(events)

    def __len__(self) -> int:
        count = ctypes.c_uint32()
        lib.marrow_get_annotations(*self._clip._key, None, 0, ctypes.byref(count))
        return count.value

    def __iter__(self) -> Any:
        return iter(self._read())

    def _at(self, key: Any) -> list[Annotation]:
        """Returns all events. Raises `OutOfRangeError` if an index is not one of them."""
        events = self._read()
        if not isinstance(key, slice):
            place_of(key, len(events), f"the clip has {len(events)} events")
        return events

    def __getitem__(self, key: Any) -> Any:
        return self._at(key)[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        events: Any = self._at(key)
        events[key] = [_checked(each) for each in value] if isinstance(key, slice) else _checked(value)
        self._write(events)

    def __delitem__(self, key: Any) -> None:
        events = self._at(key)
        del events[key]
        self._write(events)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Annotations, list, tuple)):
            return NotImplemented
        return self._read() == [Annotation(*each) for each in other]

    def __repr__(self) -> str:
        return f"<marrow.Annotations {[(round(each.time, 4), each.text) for each in self._read()]}>"
