#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Textures of bodies, judged by Pillow: textures_test.py MARROW FOLDER

Files are written here, header and blocks, and read by two decoders that share nothing. Blocks are random, so that every
mode and every corner of each format is met."""
import io
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

try:
    from PIL import Image
    import numpy
except ImportError:
    print("SKIPPED: Pillow and numpy are not there (python3-pil, python3-numpy)")
    sys.exit(77)

PROGRAM, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
BODY = ROOT / "fuzz" / "seeds" / "nif" / "skyrim-se-body.nif"
WIDTH, HEIGHT = 64, 32
#: Name, four letters or number of DXGI, bytes per block, channels that both decoders give, largest difference.
FORMATS = (
    ("BC1", b"DXT1", 8, 4, 1),
    ("BC2", b"DXT3", 16, 4, 1),
    ("BC3", b"DXT5", 16, 4, 1),
    ("BC4", b"ATI1", 8, 1, 1),
    ("BC4 by number", 80, 8, 1, 1),
    ("BC4 signed", 81, 8, 1, 1),
    ("BC5", b"ATI2", 16, 2, 1),
    ("BC5 by number", 83, 16, 2, 1),
    ("BC5 signed", 84, 16, 2, 1),
    ("BC6H", 95, 16, 3, 1),
    ("BC7", 98, 16, 4, 1),
    ("BC7 sRGB", 99, 16, 4, 1),
)


def dds(kind, blocks):
    """Returns a .dds file with one level."""
    code = kind if isinstance(kind, bytes) else b"DX10"
    head = struct.pack("<4s7I44x", b"DDS ", 124, 0x81007, HEIGHT, WIDTH, len(blocks), 0, 1)
    head += struct.pack("<2I4s5I", 32, 4, code, 0, 0, 0, 0, 0) + struct.pack("<4I4x", 0x1000, 0, 0, 0)
    assert len(head) == 128
    if code == b"DX10":
        head += struct.pack("<5I", kind, 3, 0, 1, 0)
    return head + blocks


def blocks_of(name, size):
    """Returns random blocks; of formats with modes that mean nothing, only the others."""
    chance = random.Random(name)
    out = bytearray()
    for number in range(WIDTH // 4 * HEIGHT // 4):
        block = bytearray(chance.randbytes(size))
        if name.startswith("BC7"):
            mode = number % 8
            block[0] = (block[0] & ~((2 << mode) - 1) | 1 << mode) & 0xFF
        elif name == "BC6H":
            mode = (0x00, 0x01, 0x02, 0x06, 0x0A, 0x0E, 0x12, 0x16, 0x1A, 0x1E, 0x03, 0x07, 0x0B, 0x0F)[number % 14]
            block[0] = block[0] & ~(0x1F if mode > 1 else 3) & 0xFF | mode
        out += block
    return bytes(out)


def by_rule(blocks, channels, is_signed):
    """Returns channels of BC4 and BC5 by the rule of Direct3D, in floating point. Pillow halves signed values."""
    out = numpy.zeros((HEIGHT, WIDTH, channels))
    for number in range(WIDTH // 4 * HEIGHT // 4):
        row, column = number // (WIDTH // 4) * 4, number % (WIDTH // 4) * 4
        for channel in range(channels):
            half = blocks[(number * channels + channel) * 8 :][:8]
            ends = [max(each / 127.0, -1.0) for each in struct.unpack("2b", half[:2])] if is_signed else [each / 255.0 for each in half[:2]]
            a, b = ends
            levels = [a, b] + [((7 - i) * a + i * b) / 7 for i in range(1, 7)]
            if a <= b:
                levels = [a, b] + [((5 - i) * a + i * b) / 5 for i in range(1, 5)] + [-1.0 if is_signed else 0.0, 1.0]
            indices = int.from_bytes(half[2:], "little")
            for i in range(16):
                level = levels[indices >> 3 * i & 7]
                out[row + i // 4, column + i % 4, channel] = 255.0 * ((level + 1.0) / 2.0 if is_signed else level)
    return numpy.round(out).astype(int)


def judged(name, data, blocks, channels):
    """Returns what another decoder makes of a texture."""
    if "signed" in name or name == "BC4 by number":
        return by_rule(blocks, channels, "signed" in name)
    return numpy.array(Image.open(io.BytesIO(data))).astype(int)


def by_marrow(folder, data):
    """Returns what `convert --textures` embeds of the diffuse map."""
    (folder / "textures").mkdir(exist_ok=True)
    (folder / "textures" / "sheet_d.dds").write_bytes(data)
    glb = folder / "out.glb"
    done = subprocess.run([PROGRAM, "convert", BODY, "--textures", "--data", folder, "-o", glb], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    data = glb.read_bytes()
    size = struct.unpack_from("<I", data, 12)[0]
    document = json.loads(data[20 : 20 + size])
    image = next((each for each in document.get("images", ()) if "sheet_d" in each["name"]), None)
    assert image is not None, done.stdout + done.stderr
    view = document["bufferViews"][image["bufferView"]]
    at = 28 + size + view.get("byteOffset", 0)
    return numpy.array(Image.open(io.BytesIO(data[at : at + view["byteLength"]])).convert("RGBA")).astype(int)


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        for name, kind, size, channels, limit in FORMATS:
            blocks = blocks_of(name, size)
            data = dds(kind, blocks)
            ours = by_marrow(folder, data)
            try:
                theirs = judged(name, data, blocks, channels)
            except (NotImplementedError, OSError) as error:
                print(f"SKIPPED: Pillow does not read {name}: {error}")
                continue
            theirs = theirs.reshape(*theirs.shape[:2], -1)
            assert ours.shape[:2] == theirs.shape[:2] == (HEIGHT, WIDTH), (name, ours.shape, theirs.shape)
            count = min(channels, theirs.shape[2])
            apart = numpy.abs(ours[..., :count] - theirs[..., :count])
            seen = ours[..., 3] > 0 if count == 4 else numpy.ones(ours.shape[:2], bool)
            worst = int(apart[seen].max())
            spread = int(numpy.ptp(ours[..., 0]))
            is_right = worst <= limit and spread > 50
            failed += not is_right
            print(f"{'ok' if is_right else 'FAILED'}: {name}: {count} channels, off by {worst} at most, mean {apart[seen].mean():.3f}")
    sys.exit(1 if failed else 0)


main()
