# SPDX-License-Identifier: MIT
"""Many files, one after the other."""
from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Callable, Optional, Union

from ._context import Limits, ProgressCallback
from ._errors import CancelledError, Error, NotFoundError, WrongTypeError
from ._files import FileSource
from ._document import Document, load, skeleton_of

if TYPE_CHECKING:
    from ._skeleton import Skeleton


def load_all(
    folder: Union[str, "os.PathLike[str]"],
    *,
    match: str = "*.hkx",
    skeleton: Union["Skeleton", Document, FileSource, None] = None,
    progress: Optional[ProgressCallback] = None,
    on_error: Optional[Callable[[str, Exception], object]] = None,
    limits: Optional[Limits] = None,
) -> Iterator[Document]:
    """Reads the files of a folder and of the folders in it, in order, each when it is asked for. What was read before is
    closed when nobody holds it.

    Args:
        folder: where the files are.
        match: the names to read, "*.nif"; upper and lower case are the same.
        skeleton: the skeleton that clips move, read once; by default each file's own or the one near it.
        progress: called before each file with the share that is done; returning False stops the work.
        on_error: called with the path and the error of a file that cannot be read; then the next one is read. By default
            the error is raised.
        limits: bounds on what a file may ask for.

    Raises:
        NotFoundError: there is no such folder.
        CancelledError: `progress` returned False.
    """
    if not isinstance(folder, (str, os.PathLike)):
        raise WrongTypeError(f"a path is needed, not {type(folder).__name__}", path="folder")
    root = os.fspath(folder)
    if not os.path.isdir(root):
        raise NotFoundError("there is no such folder", file=root)
    on = None if skeleton is None else skeleton_of(skeleton)
    return _loaded(_paths(root, match), on, progress, on_error, limits)


def _paths(root: str, match: str) -> list[str]:
    found = []
    for place, _, names in os.walk(root):
        found += [os.path.join(place, name) for name in names if fnmatch.fnmatch(name.lower(), match.lower())]
    return sorted(found)


def _loaded(
    paths: list[str],
    skeleton: Optional["Skeleton"],
    progress: Optional[ProgressCallback],
    on_error: Optional[Callable[[str, Exception], object]],
    limits: Optional[Limits],
) -> Iterator[Document]:
    for done, path in enumerate(paths):
        if progress is not None and progress(done / len(paths)) is False:
            raise CancelledError(f"stopped after {done} of {len(paths)} files")
        try:
            document = load(path, skeleton=skeleton, limits=limits)
        except (Error, OSError) as error:
            if on_error is None:
                raise
            on_error(path, error)
            continue
        yield document
    if progress is not None and paths:
        progress(1.0)
