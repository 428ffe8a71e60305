# SPDX-License-Identifier: MIT
"""Errors of the library as exceptions."""
from __future__ import annotations

import json
import operator
from dataclasses import dataclass, field
from typing import Any

from . import _abi


@dataclass(frozen=True)
class Cure:
    """The operation that repairs what an error or a finding reports: `marrow.run(cure.operation, inputs, cure.options)`.

    Attributes:
        operation: its name, "rig reparent".
        options: those that are known; the others are your choice.
    """

    operation: str
    options: dict[str, Any] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        """The call in Python: `run marrow.ops.rig_reparent(..., bone='Head')`."""
        from ._run import descriptions

        flag = descriptions()[self.operation].get("output_flag")
        known = "".join(
            ", output=..." if name == flag else f", {name}={value!r}" for name, value in self.options.items()
        )
        return f"run marrow.ops.{self.operation.replace(' ', '_').replace('-', '_')}(...{known})"

    @classmethod
    def of(cls, described: dict[str, Any] | None) -> Cure | None:
        """Makes a cure of its JSON."""
        return cls(described["operation"], dict(described["options"])) if described else None


class Error(Exception):
    """Anything that Marrow refuses.

    Attributes:
        message: one sentence that states what is wrong.
        name: the kind as a word, "truncated".
        code: the kind as a number of the C ABI.
        file: the input it is in, as the caller named it, or None.
        offset: the byte in that input, or None.
        path: the place in the structure or the name of the option, or None.
        cure: the operation that helps, or None.
    """

    def __init__(
        self,
        message: str,
        *,
        name: str = "",
        code: int = 0,
        file: str | None = None,
        offset: int | None = None,
        path: str | None = None,
        cure: Cure | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.name = name
        self.code = code
        self.file = file
        self.offset = offset
        self.path = path
        self.cure = cure

    def __str__(self) -> str:
        """`file:offset: path: message; cure`, as the command line prints it."""
        place = self.file or ""
        if self.offset is not None:
            place += f":{self.offset}" if place else f"{self.offset}"
        text = ": ".join(part for part in (place, self.path, self.message) if part)
        return f"{text}; {self.cure}" if self.cure else text

    def __reduce__(self) -> Any:  # workers of a cluster send errors home
        state = (self.message, self.name, self.code, self.file, self.offset, self.path, self.cure)
        return _revived, (type(self), *state)


def _revived(
    kind: type[Error],
    message: str,
    name: str,
    code: int,
    file: str | None,
    offset: int | None,
    path: str | None,
    cure: Cure | None,
) -> Error:
    return kind(message, name=name, code=code, file=file, offset=offset, path=path, cure=cure)


class FormatError(Error, ValueError):
    """A file is broken, of another kind than is needed, or lacks something."""


class TruncatedError(FormatError):
    """The data end before the structure does."""


class UnknownFormatError(FormatError):
    """Not a format that Marrow knows."""


class UnsupportedError(FormatError):
    """A known format, but an unsupported version or variant; or a format that the operation does not take."""


class LimitError(FormatError):
    """A count or size exceeds the limits."""


class NoClipError(FormatError):
    """The file contains no clip."""


class NoSkeletonError(FormatError):
    """The file contains no skeleton, or the skeleton of a clip is neither given nor found."""


class NoCollisionError(FormatError):
    """The file contains no collision."""


class OptionError(Error, ValueError):
    """The value of an option or argument is impossible; `path` names the option."""


class WrongTypeError(OptionError, TypeError):
    """An argument is of a type that it cannot have."""


class ClosedError(Error, ValueError):
    """The document or archive is closed, or the clip was removed from its document."""


class NotFoundError(Error, LookupError):
    """A name, block, bone, file or operation does not exist."""


class OutOfRangeError(NotFoundError, IndexError):
    """There is no frame, track or bone of that number."""


class NoNameError(NotFoundError, KeyError):
    """There is nothing of that name."""


class NoBoneError(NoNameError):
    """There is no bone or track of that name."""


class CancelledError(Error):
    """A progress callback asked to stop."""


class InternalError(Error, RuntimeError):
    """A mistake in Marrow itself. Please report it."""


def number(value: Any, path: str) -> float:
    """Returns a number. Raises `WrongTypeError` with the name of the argument if it is not one."""
    try:
        if not isinstance(value, (str, bytes)):
            return float(value)
    except (TypeError, ValueError):
        pass
    raise WrongTypeError(f"a number is needed, not {value!r}", path=path)


def place_of(key: Any, count: int, has: str) -> int:
    """Returns an index, counted from the front. Raises `WrongTypeError` if it is not a whole number, `OutOfRangeError` if it
    is not below `count`; the message says what there is."""
    try:
        place = operator.index(key)
    except TypeError:
        raise WrongTypeError(f"an index is a whole number, not {key!r}") from None
    if not -count <= place < count:
        raise OutOfRangeError(f"{has}, and {place} is not one of them")
    return place + count if place < 0 else place


_KINDS: dict[str, type[Error]] = {
    "MARROW_IO": FormatError,
    "MARROW_TRUNCATED": TruncatedError,
    "MARROW_BAD_MAGIC": UnknownFormatError,
    "MARROW_UNSUPPORTED": UnsupportedError,
    "MARROW_MALFORMED": FormatError,
    "MARROW_LIMIT_EXCEEDED": LimitError,
    "MARROW_INVALID_ARGUMENT": OptionError,
    "MARROW_NOT_FOUND": NotFoundError,
    "MARROW_UNREPRESENTABLE": FormatError,
    "MARROW_BAD_OPTION": OptionError,
    "MARROW_NEEDS_SKELETON": NoSkeletonError,
    "MARROW_NEEDS_GAME": OptionError,
    "MARROW_NEEDS_CHOICE": OptionError,
    "MARROW_NO_CLIP": NoClipError,
    "MARROW_NO_SKELETON": NoSkeletonError,
    "MARROW_NO_COLLISION": NoCollisionError,
    "MARROW_WRONG_KIND": UnsupportedError,
    "MARROW_WRONG_GAME": OptionError,
    "MARROW_WRONG_SKELETON": FormatError,
    "MARROW_CANCELLED": CancelledError,
    "MARROW_BAD_HANDLE": InternalError,
    "MARROW_BAD_ARGUMENT": OptionError,
    "MARROW_OUT_OF_MEMORY": InternalError,
    "MARROW_INTERNAL": InternalError,
}
#: Arguments of the package that the C ABI calls otherwise.
_OWN_WORDS = {"duration_seconds": "duration"}
_BY_CODE = {code: _KINDS[word] for word, code in _abi.STATUS.items() if code}


def error_of(details: _abi.Error, cure: str = "") -> BaseException:
    """Returns the exception of an error; `cure` is JSON or empty."""
    code = int(details.code)
    if code == _abi.STATUS["MARROW_OUT_OF_MEMORY"]:
        return MemoryError(str(details.message))
    return _BY_CODE.get(code, InternalError)(
        str(details.message),
        name=str(details.name),
        code=code,
        file=str(details.file) or None,
        offset=None if details.offset == _abi.NO_OFFSET else int(details.offset),
        path=_OWN_WORDS.get(str(details.path), str(details.path)) or None,
        cure=Cure.of(json.loads(cure)) if cure else None,
    )
