#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Damage that `check` must find: collision_damage_test.py MARROW PROJECT FOLDER

Authored NIFs, and those of the corpus if it is there, must be clean; then one number after another is damaged in them, at the
offsets of docs/formats/hknp.md and not by Marrow's own code, and every damage must be an error or a warning."""
import glob
import json
import os
import shutil
import struct
import subprocess
import sys

import sample_nif

marrow, project, folder = sys.argv[1:4]
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
failed = []
NAN, INF = float("nan"), float("inf")


def run(*words):
    done = subprocess.run([marrow, *words], capture_output=True, text=True)
    if done.returncode:
        failed.append(f"{' '.join(words[:3])}: {done.stderr.strip()}")
    return done.stdout


def findings(path):
    """The codes of errors and warnings. A file that cannot be read is found too, unless the program crashes."""
    done = subprocess.run([marrow, "check", path, "--json"], capture_output=True, text=True)
    if done.returncode < 0 or done.returncode > 3:
        return ["CRASH"]
    try:
        return [f["code"] for f in json.loads(done.stdout)[0]["findings"] if f["level"] != "info"]
    except (ValueError, IndexError, KeyError):
        return []


class Blob:
    """The first packfile inside a NIF, changed in place."""

    def __init__(self, path):
        self.file = bytearray(open(path, "rb").read())
        self.at = self.file.index(struct.pack("<II", 0x57E0E057, 0x10C0C010))
        header = self.at + 0x40 + struct.unpack_from("<h", self.file, self.at + 0x3E)[0]
        names = self.at + struct.unpack_from("<I", self.file, header + 0x14)[0]
        start, local, glob_, virtual, _, _, end = struct.unpack_from("<7I", self.file, header + 0x80 + 0x14)
        self.data, self.names = self.at + start, names
        rows = lambda a, b, n: [struct.unpack_from(f"<{n}I", self.file, self.data + i) for i in range(a, b - 4 * n + 1, 4 * n)]
        self.local = {r[0]: r[1] for r in rows(local, glob_, 2) if r[0] != 0xFFFFFFFF}
        self.pointer = {r[0]: r[2] for r in rows(glob_, virtual, 3) if r[0] != 0xFFFFFFFF}
        self.classes = {}
        for offset, _, name in [r for r in rows(virtual, end, 3) if r[0] != 0xFFFFFFFF]:
            text = self.file[names + name:self.file.index(b"\0", names + name)].decode()
            self.classes.setdefault(text, []).append(offset)
        self.root = self.classes.get("hknpPhysicsSystemData", self.classes.get("hknpRagdollData"))[0]

    def array(self, slot):
        return self.local.get(slot), struct.unpack_from("<I", self.file, self.data + slot + 8)[0]

    def inline(self, slot):
        count, distance = struct.unpack_from("<HH", self.file, self.data + slot)
        return slot + distance, count

    def get(self, kind, at):
        return struct.unpack_from("<" + kind, self.file, self.data + at)[0]

    def set(self, kind, at, *values):
        struct.pack_into("<" + kind, self.file, self.data + at, *values)


def element(blob, array, stride, index=0):
    """An element of one of the arrays of the system, by the offset of the array."""
    start, count = blob.array(blob.root + array)
    return start + stride * index if start is not None and index < count else None


MATERIAL, PROPERTIES, MOTION, BODY, CONSTRAINT = (0x10, 0x50), (0x20, 0x40), (0x30, 0x70), (0x40, 0x60), (0x50, 0x18)


def number(where, offset, kind, *values):
    def damage(blob):
        at = element(blob, *where)
        if at is None:
            return False
        blob.set(kind, at + offset, *values)
        return True
    return damage


def times(where, offset, count, factor):
    """Numbers of a motion; only one with a mass has some that follow from it."""
    def damage(blob):
        at = element(blob, *where)
        if at is None or blob.get("f", at + 4) == 0:
            return False
        for i in range(count):
            blob.set("f", at + offset + 4 * i, blob.get("f", at + offset + 4 * i) * factor)
        return True
    return damage


def of_class(name, offset, kind, *values, inner=None, inner_inline=None):
    """A number of the first object of a class; `inner` and `inner_inline` are the slot of an array in it."""
    def damage(blob):
        if name not in blob.classes:
            return False
        at = blob.classes[name][0]
        if inner is not None:
            at, count = blob.array(at + inner)
            if at is None or not count:
                return False
        if inner_inline is not None:
            at, count = blob.inline(at + inner_inline)
            if not count:
                return False
        blob.set(kind, at + offset, *values)
        return True
    return damage


def joint(offset, kind, *values):
    def damage(blob):
        at = element(blob, *CONSTRAINT)
        if at is None or at not in blob.pointer:
            return False
        data = blob.pointer[at]
        # One that can break holds the joint itself.
        blob.set(kind, blob.pointer.get(data + 0x18, data) + offset, *values)
        return True
    return damage


def limits(blob):
    for name, at in (("hkpLimitedHingeConstraintData", 0xFC), ("hkpRagdollConstraintData", 0x138)):
        if name in blob.classes:
            low, high = (blob.get("f", blob.classes[name][0] + at + 4 * i) for i in range(2))
            blob.set("2f", blob.classes[name][0] + at, high + 0.5, low)
            return True
    return False


def rename_class(blob):
    """A sphere becomes a class that nobody knows."""
    at = blob.file.find(b"hknpSphereShape\0", blob.names)
    if at < 0:
        return False
    blob.file[at:at + 15] = b"hknpBubbleShape"
    return True


def keyframed(blob):
    start, count = blob.array(blob.root + 0x30)
    for i in range(count):
        if blob.get("f", start + 0x70 * i + 4) == 0:
            blob.set("H", start + 0x70 * i, 0)
            return blob.array(blob.root + 0x20)[1] > 0
    return False


def link(offset, kind, *values):
    """A number of the first collision object of the NIF."""
    def damage(blob):
        file = blob.file
        p = file.index(b"\n") + 1 + 9
        count, = struct.unpack_from("<I", file, p)
        p += 8
        for _ in range(4):
            p += 1 + file[p]
        types, = struct.unpack_from("<H", file, p)
        p += 2
        names = []
        for _ in range(types):
            length, = struct.unpack_from("<I", file, p)
            names.append(bytes(file[p + 4:p + 4 + length]))
            p += 4 + length
        of = struct.unpack_from(f"<{count}H", file, p)
        sizes = struct.unpack_from(f"<{count}I", file, p + 2 * count)
        p += 6 * count
        strings, = struct.unpack_from("<I", file, p)
        p += 8
        for _ in range(strings):
            p += 4 + struct.unpack_from("<I", file, p)[0]
        p += 4
        for i in range(count):
            if names[of[i]] == b"bhkNPCollisionObject":
                struct.pack_into("<" + kind, file, p + offset, *values)
                return True
            p += sizes[i]
        return False
    return damage


HULL, BALL, CAPSULE, COMPOUND, TREE, MESH = ("hknpConvexPolytopeShape", "hknpSphereShape", "hknpCapsuleShape",
                                             "hknpDynamicCompoundShape", "hknpDynamicCompoundShapeData",
                                             "hknpCompressedMeshShapeData")
DAMAGES = {
    "body: position not a number": number(BODY, 0x30, "f", NAN),
    "body: position infinite": number(BODY, 0x34, "f", INF),
    "body: rotation not a number": number(BODY, 0x40, "f", NAN),
    "body: rotation zero": number(BODY, 0x40, "4f", 0, 0, 0, 0),
    "body: rotation of length 2": number(BODY, 0x40, "4f", 0, 0, 0, 2),
    "body: layer 72": number(BODY, 0x14, "B", 72),
    "body: flags that no body has": number(BODY, 0x18, "I", 0x240),
    "body: surface that is not there": number(BODY, 0x12, "H", 99),
    "body: motion that is not there": number(BODY, 0x0C, "I", 99),
    "body: look-ahead not a number": number(BODY, 0x1C, "f", NAN),
    "surface: friction not a number": number(MATERIAL, 0x12, "H", 0x7FC0),
    "surface: friction infinite": number(MATERIAL, 0x14, "H", 0x7F80),
    "surface: friction -1": number(MATERIAL, 0x12, "H", 0xBF80),
    "surface: restitution not a number": number(MATERIAL, 0x16, "H", 0x7FC0),
    "surface: restitution -1": number(MATERIAL, 0x16, "H", 0xBF80),
    "surface: impulse not a number": number(MATERIAL, 0x1C, "f", NAN),
    "damping not a number": number(PROPERTIES, 0x18, "f", NAN),
    "damping -1": number(PROPERTIES, 0x1C, "f", -1),
    "gravity infinite": number(PROPERTIES, 0x08, "f", INF),
    "largest speed -1": number(PROPERTIES, 0x10, "f", -1),
    "motion: properties that are not there": number(MOTION, 0x00, "H", 77),
    "motion: mass not a number": number(MOTION, 0x04, "f", NAN),
    "motion: mass negative": number(MOTION, 0x04, "f", -1),
    "motion: mass factor ten times as large": times(MOTION, 0x08, 1, 10),
    "motion: inertia ten times as small": times(MOTION, 0x20, 3, 10),
    "motion: centre of mass not a number": number(MOTION, 0x30, "f", NAN),
    "motion: rotation zero": number(MOTION, 0x40, "4f", 0, 0, 0, 0),
    "motion: speed not a number": number(MOTION, 0x50, "f", NAN),
    "motion: keyframed with properties": keyframed,
    "joint: body that is not there": number(CONSTRAINT, 0x08, "I", 99),
    "joint: pivot not a number": joint(0x60, "f", NAN),
    "joint: axes not numbers": joint(0x30, "f", NAN),
    "joint: smallest angle above the largest": limits,
    "hull: vertex not a number": of_class(HULL, 0x00, "f", NAN, inner_inline=0x30),
    "hull: vertex far outside": of_class(HULL, 0x00, "3f", 9, 9, 9, inner_inline=0x30),
    "hull: plane not a number": of_class(HULL, 0x00, "f", NAN, inner_inline=0x40),
    "hull: corner past the vertices": of_class(HULL, 0x00, "B", 250, inner_inline=0x48),
    "hull: radius not a number": of_class(HULL, 0x14, "f", NAN),
    "hull: radius negative": of_class(HULL, 0x14, "f", -0.1),
    "sphere: radius 0": of_class(BALL, 0x14, "f", 0),
    "sphere: centre not a number": of_class(BALL, 0x00, "f", NAN, inner_inline=0x30),
    "capsule: end moved": of_class(CAPSULE, 0x50, "3f", 3, 3, 3),
    "capsule: core moved": of_class(CAPSULE, 0x00, "3f", 3, 3, 3, inner_inline=0x30),
    "compound: child's place not a number": of_class(COMPOUND, 0x30, "f", NAN, inner=0x60),
    "compound: child's rotation not a number": of_class(COMPOUND, 0x00, "f", NAN, inner=0x60),
    "compound: child's rotation zero": of_class(COMPOUND, 0x10, "3f", 0, 0, 0, inner=0x60),
    "compound: child's scale 0": of_class(COMPOUND, 0x40, "f", 0, inner=0x60),
    "compound: child's scale not a number": of_class(COMPOUND, 0x40, "f", NAN, inner=0x60),
    "compound: child not enabled": of_class(COMPOUND, 0x0C, "I", 0x3F000000, inner=0x60),
    "compound: the word at 0x1c": of_class(COMPOUND, 0x1C, "I", 0x3F000000, inner=0x60),
    "compound: wrong box": of_class(COMPOUND, 0x80, "3f", 0, 0, 0),
    "compound: box not a number": of_class(COMPOUND, 0x90, "f", NAN),
    "compound: key bits": of_class(COMPOUND, 0x12, "B", 31),
    "compound: root past the nodes": of_class(TREE, 0x30, "H", 999),
    "compound: number of leaves": of_class(TREE, 0x28, "I", 1),
    "compound: box of a node": of_class(TREE, 0x20, "3f", 5, 5, 5, inner=0x10),
    "mesh: box not a number": of_class(MESH, 0x20, "f", NAN),
    "mesh: corner past the vertices": of_class(MESH, 0x00, "4B", 253, 254, 255, 255, inner=0x60),
    "mesh: material that is not there": of_class(MESH, 0x00, "H", 99, inner=0xA0),
    "mesh: scale of vertices not a number": of_class(MESH, 0x3C, "f", NAN, inner=0x50),
    "a shape of an unknown class": rename_class,
    "link: no node": link(0, "i", -1),
    "link: flags 0": link(4, "H", 0),
    "link: body that is not there": link(10, "I", 99),
}


def author(name, table, extra):
    """An authored NIF whose table is of some kind."""
    path = os.path.join(folder, name)
    sample_nif.write_nif(path)
    for node, kind, options, mesh in sample_nif.write_meshes(folder):
        more = os.path.join(folder, "more.nif")
        kind = table if node == "Table" else kind
        run("collision", "add-body", path, mesh, "--node", node, "--shape", kind, *options, "-o", more)
        os.replace(more, path)
    more = os.path.join(folder, "more.nif")
    for words in extra:
        run(*words[:2], path, *words[2:], "-o", more)
        os.replace(more, path)
    return path


hinge = ("collision", "add-joint", "--body", "Ball", "--to", "Chest", "--kind", "limited-hinge", "--angle", "-45,45")
paths = [author("Compound.nif", "compound", [hinge]),
         author("Mesh.nif", "mesh", [("collision", "set", "--node", "Lamp", "--motion", "keyframed")])]
corpus = os.path.join(os.environ.get("MARROW_CORPUS", os.path.join(project, "..", "shared", "corpus")), "nif")
real = sorted(glob.glob(corpus + "/*.nif"))
if not real:
    print("the corpus is missing (MARROW_CORPUS): only authored NIFs are checked")
for path in paths + real:
    codes = findings(path)
    if codes:
        failed.append(f"{os.path.basename(path)} is right, but check finds {codes}")
applied, missed = set(), []
for path in paths + [p for p in real if os.path.basename(p) in ("GibAttachRThigh.nif", "skeleton.nif", "BOSRadarDish.nif")]:
    for name, damage in DAMAGES.items():
        blob = Blob(path)
        if not damage(blob):
            continue
        out = os.path.join(folder, "damaged.nif")
        open(out, "wb").write(blob.file)
        codes = findings(out)
        applied.add(name)
        if not codes or "CRASH" in codes:
            missed.append(f"{os.path.basename(path)}: {name}: {codes}")
untried = [name for name in DAMAGES if name not in applied]
print(f"{len(applied)} of {len(DAMAGES)} damages tried, {len(missed)} not found; {len(real)} files of the game")
for line in failed + missed + [f"never tried: {name}" for name in untried]:
    print(line)
sys.exit(1 if failed or missed or untried else 0)
