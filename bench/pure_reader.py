# SPDX-License-Identifier: MIT
"""A reader of spline-compressed clips in pure Python, written plainly, as a measure for the package.

It reads 64-bit packfiles of Skyrim SE and Fallout 4 (docs/formats/packfile.md, docs/formats/spline-animation.md) and
decodes every frame of every track.
"""
import math
import struct

ROTATION_BYTES = {1: 5, 2: 6, 5: 16}
ROTATION_ALIGNMENT = {1: 1, 2: 2, 5: 4}


class Packfile:
    """Sections, fixups and objects of a packfile."""

    def __init__(self, data):
        self.data = data
        version = self.u32(0x0C)
        if data[0x10] != 8:
            raise ValueError("only 64-bit packfiles")
        header, size = (0x40, 0x30) if version < 11 else (0x40 + self.u16(0x3E), 0x40)
        self.names = self.u32(header + 0x14)
        section = header + 2 * size
        self.start, local, glob, virtual, exports = (self.u32(section + 0x14 + 4 * i) for i in range(5))
        self.pointers, self.objects = {}, {}
        for at in range(self.start + local, self.start + glob - 7, 8):
            source, target = struct.unpack_from("<II", data, at)
            if source == 0xFFFFFFFF:
                break
            self.pointers[source] = target
        for at in range(self.start + virtual, self.start + exports - 11, 12):
            place, _, name = struct.unpack_from("<III", data, at)
            if place == 0xFFFFFFFF:
                break
            self.objects.setdefault(self.text(self.names + name), []).append(place)

    def u16(self, at):
        return struct.unpack_from("<H", self.data, at)[0]

    def u32(self, at):
        return struct.unpack_from("<I", self.data, at)[0]

    def text(self, at):
        return self.data[at : self.data.index(b"\0", at)].decode()

    def array(self, at, code):
        count = self.u32(self.start + at + 8)
        if not count:
            return ()
        return struct.unpack_from(f"<{count}{code}", self.data, self.start + self.pointers[at])


class Cursor:
    """Reads one block of a spline blob."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def read(self, code, size):
        value = struct.unpack_from(code, self.data, self.at)[0]
        self.at += size
        return value

    def align(self, to):
        self.at = (self.at + to - 1) // to * to

    def header(self):
        controls = self.read("<H", 2) + 1
        degree = self.read("B", 1)
        knots = list(self.data[self.at : self.at + controls + degree + 1])
        self.at += len(knots)
        return controls, degree, knots

    def rotation(self, kind):
        if kind == 5:
            self.at += 16
            return list(struct.unpack_from("<4f", self.data, self.at - 16))
        raw = int.from_bytes(self.data[self.at : self.at + ROTATION_BYTES[kind]], "little")
        self.at += ROTATION_BYTES[kind]
        if kind == 1:
            parts = [((raw >> shift) & 4095) - 2047 for shift in (0, 12, 24)]
            omitted, sign, step = (raw >> 36) & 3, (raw >> 38) & 1, math.sqrt(0.5) / 2047
        else:
            words = [(raw >> shift) & 65535 for shift in (0, 16, 32)]
            parts = [(word & 32767) - 16383 for word in words]
            omitted, sign, step = (words[0] >> 15) | (words[1] >> 15) << 1, words[2] >> 15, math.sqrt(0.5) / 16383
        values = [part * step for part in parts]
        rest = math.sqrt(max(0.0, 1.0 - sum(value * value for value in values)))
        values.insert(omitted, -rest if sign else rest)
        return values


def read_vector(cursor, flags, quantisation, identity):
    """Returns knots, degree and control points of a translation or scale."""
    controls, degree, knots = 1, 0, []
    if flags & 0x70:
        controls, degree, knots = cursor.header()
        cursor.align(4)
    low, high, moves = [identity] * 3, [identity] * 3, [False] * 3
    for axis in range(3):
        if flags >> axis & 1:
            low[axis] = cursor.read("<f", 4)
        elif flags >> (4 + axis) & 1:
            moves[axis] = True
            low[axis], high[axis] = cursor.read("<f", 4), cursor.read("<f", 4)
    points = []
    for _ in range(controls):
        point = list(low)
        for axis in range(3):
            if moves[axis]:
                share = cursor.read("<H", 2) / 65535.0 if quantisation else cursor.read("B", 1) / 255.0
                point[axis] = low[axis] + (high[axis] - low[axis]) * share
        points.append(point)
    cursor.align(4)
    return knots, degree, points


def read_rotation(cursor, flags, kind):
    knots, degree, points = [], 0, [[0.0, 0.0, 0.0, 1.0]]
    if flags & 0xF0:
        controls, degree, knots = cursor.header()
        cursor.align(ROTATION_ALIGNMENT[kind])
        points = [cursor.rotation(kind) for _ in range(controls)]
    elif flags & 0x0F:
        cursor.align(ROTATION_ALIGNMENT[kind])
        points = [cursor.rotation(kind)]
    cursor.align(4)
    return knots, degree, points


def evaluate(curve, frame):
    """De Boor's algorithm at a frame of the block."""
    knots, degree, points = curve
    if not knots or knots[-1] == 0:
        return points[0]
    span = degree
    while span < len(points) - 1 and (frame >= knots[span + 1] or knots[span] == knots[span + 1]):
        span += 1
    while knots[span] == knots[span + 1]:
        span -= 1
    triangle = [points[span - degree + j] for j in range(degree + 1)]
    for r in range(1, degree + 1):
        for j in range(degree, r - 1, -1):
            left, right = knots[span - degree + j], knots[span + 1 + j - r]
            share = (frame - left) / (right - left)
            triangle[j] = [(1 - share) * a + share * b for a, b in zip(triangle[j - 1], triangle[j])]
    return triangle[degree]


def read_clip(data):
    """Returns all frames of the first clip: a list per frame of a list per track of ten numbers."""
    file = Packfile(data)
    clip = file.objects["hkaSplineCompressedAnimation"][0]
    field = lambda offset: file.u32(file.start + clip + offset)
    tracks, frames, blocks, longest, mask_bytes = (field(at) for at in (0x18, 0x38, 0x3C, 0x40, 0x44))
    offsets = file.array(clip + 0x58, "I")
    blob = bytes(file.array(clip + 0x98, "B"))
    poses = []
    for block in range(blocks):
        masks = blob[offsets[block] : offsets[block] + 4 * tracks]
        cursor = Cursor(blob, offsets[block] + mask_bytes)
        curves = []
        for track in range(tracks):
            kinds, translation, rotation, scale = masks[4 * track : 4 * track + 4]
            curves.append((
                read_vector(cursor, translation, kinds & 3, 0.0),
                read_rotation(cursor, rotation, kinds >> 2 & 15),
                read_vector(cursor, scale, kinds >> 6, 1.0),
            ))
        first = block * (longest - 1)
        last = frames if block == blocks - 1 else first + longest - 1
        for frame in range(first, last):
            poses.append([pose_of(curve, frame - first) for curve in curves])
    return poses


def pose_of(curves, frame):
    translation, rotation, scale = (evaluate(curve, frame) for curve in curves)
    length = math.sqrt(sum(part * part for part in rotation))
    return [*translation, *(part / length for part in rotation), *scale]
