# SPDX-License-Identifier: MIT
"""Archives whose bytes depend on their contents and one time only."""
import gzip
import io
import pathlib
import tarfile
import time
import zipfile


def tree(folder):
    """Returns the files and links of a folder, sorted by name."""
    return sorted((path for path in folder.rglob("*") if path.is_symlink() or path.is_file()),
                  key=lambda path: path.relative_to(folder).as_posix())


def is_program(path):
    return bool(path.stat().st_mode & 0o111)


def write_gzip(path, data):
    with open(path, "wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        packed.write(data)


def write_tar_gz(output, folder, prefix, epoch):
    """Packs a folder under the name `prefix`."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for path in tree(folder):
            entry = archive.gettarinfo(path, f"{prefix}/{path.relative_to(folder).as_posix()}")
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = epoch
            if entry.issym():
                entry.mode = 0o777
                archive.addfile(entry)
                continue
            entry.mode = 0o755 if is_program(path) else 0o644
            with open(path, "rb") as data:
                archive.addfile(entry, data)
    write_gzip(output, buffer.getvalue())


def write_zip(output, files, epoch):
    """Packs `files`, names and bytes. Programs are known by their extension: it is for Windows."""
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, time.gmtime(max(epoch, 315532800))[:6])
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)


def clear_times(folder, epoch):
    """Gives every file and folder one time, and modes that do not depend on who made them."""
    import os
    for path in sorted(pathlib.Path(folder).rglob("*"), reverse=True):
        if path.is_symlink():
            os.utime(path, (epoch, epoch), follow_symlinks=False)
            continue
        path.chmod(0o755 if path.is_dir() or is_program(path) else 0o644)
        os.utime(path, (epoch, epoch))
