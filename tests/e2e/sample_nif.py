# SPDX-License-Identifier: MIT
"""An authored Fallout 4 NIF for tests and pictures: a table with a chest, a ball and a lamp, each on a node of its own,
some of them moved and turned. It has visible shapes and no collision.

    sample_nif.py OUT.nif [FOLDER]     with a folder, also the meshes that its collision is built from
    sample_nif.py OUT.nif FIGURE.gltf  instead a NIF with the nodes of a glTF file, to attach a ragdoll to
"""
import json
import math
import os
import struct
import sys


def box(low, high):
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    return corners, [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6),
                     (0, 6, 4), (1, 5, 7), (1, 7, 3)]


def turned(profile, around=24):
    """A solid of revolution about z. The profile runs upwards, (radius, height)."""
    points, faces = [], []
    for radius, height in profile:
        points += [(radius * math.cos(2 * math.pi * i / around), radius * math.sin(2 * math.pi * i / around), height)
                   for i in range(around)]
    for ring in range(len(profile) - 1):
        for i in range(around):
            a, b = ring * around + i, ring * around + (i + 1) % around
            faces += [(a, b, b + around), (a, b + around, a + around)]
    return points, faces


def ball(radius, middle):
    rings = [(radius * math.sin(math.pi * i / 12), middle - radius * math.cos(math.pi * i / 12)) for i in range(13)]
    return turned(rings)


def joined(*meshes):
    points, faces = [], []
    for own, triangles in meshes:
        faces += [tuple(len(points) + i for i in face) for face in triangles]
        points += own
    return points, faces


LEGS = [box((x - 4, y - 4, 0), (x + 4, y + 4, 52)) for x in (-66, 66) for y in (-36, 36)]
TOP = box((-76, -46, 52), (76, 46, 58))
CHEST = joined(box((-22, -14, 0), (22, 14, 20)), turned([(0, -20), (14, -20), (14, 20), (0, 20)], 20))
CHEST = ([p if i < 8 else (p[2], p[0], max(p[1] + 20, 20)) for i, p in enumerate(CHEST[0])], CHEST[1])
LAMP = turned([(0, 0), (10, 0), (10, 2), (2, 4), (2, 30), (11, 32), (8, 46), (0, 46)])
# Name, parent, place, turn about z in degrees, visible shapes.
NODES = [("Table", None, (0, 0, 0), 0, [("TableTop", TOP), ("TableLegs", joined(*LEGS))]),
         ("Chest", 0, (-30, 4, 58), 25, [("ChestBody", CHEST)]),
         ("Ball", 0, (32, -18, 58), 0, [("BallShape", ball(13, 13))]),
         ("Lamp", 0, (48, 22, 58), 0, [("LampShape", LAMP)])]
# Node, kind of shape, options, objects.
COLLISION = [("Table", "compound", ["--material", "MaterialWoodHeavy"], [TOP, *LEGS]),
             ("Chest", "hull", ["--mass", "12", "--material", "Material_Wood"], [CHEST]),
             ("Ball", "sphere", ["--mass", "1", "--material", "Material_Cloth"], [ball(13, 13)]),
             ("Lamp", "capsule", ["--mass", "2", "--material", "Material_Metal"], [LAMP])]


def node_start(name, place, turn):
    """Returns the first fields of a node that is turned by degrees about z, or by a matrix."""
    if not isinstance(turn, tuple):
        c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        turn = (c, -s, 0, s, c, 0, 0, 0, 1)
    return struct.pack("<iIiI3f9ffi", name, 0, -1, 14, *place, *turn, 1.0, -1)


def shape_block(name, mesh):
    points, faces = mesh
    full_positions = 1 << 44 | 1 << 54 | 4  # four words per vertex, positions as three floats
    data = b"".join(struct.pack("<4f", *p, 0.0) for p in points) + b"".join(struct.pack("<3H", *f) for f in faces)
    low, high = [min(axis) for axis in zip(*points)], [max(axis) for axis in zip(*points)]
    middle = [(a + b) / 2 for a, b in zip(low, high)]
    radius = max(math.dist(middle, point) for point in points)
    return (node_start(name, (0, 0, 0), 0) + struct.pack("<4f3i", *middle, radius, -1, -1, -1) +
            struct.pack("<QIHI", full_positions, len(faces), len(points), len(data)) + data)


def nodes_of(gltf):
    """Returns the nodes of a glTF file whose nodes are not turned, in game units. The root turns y up into z up."""
    with open(gltf, encoding="utf-8") as file:
        listed = json.load(file)["nodes"]
    parents = {child: index for index, node in enumerate(listed) for child in node.get("children", ())}
    rows = []
    for index, node in enumerate(listed):
        x, y, z = (each / 0.01428 for each in node["translation"])
        rows.append((node["name"], parents[index], (x, y, z), 0, []) if index in parents else
                    (node["name"], None, (x, -z, y), (1, 0, 0, 0, 0, -1, 0, 1, 0), []))
    return rows


def write_nif(path, nodes=NODES):
    types, kinds, blocks, strings = ["NiNode", "BSTriShape"], [], [], []

    def named(text):
        strings.append(text)
        return len(strings) - 1

    next_shape = len(nodes)
    for index, (name, _, place, turn, shapes) in enumerate(nodes):
        children = [i for i, node in enumerate(nodes) if node[1] == index]
        children += range(next_shape, next_shape + len(shapes))
        next_shape += len(shapes)
        blocks.append(node_start(named(name), place, turn) + struct.pack(f"<I{len(children)}i", len(children), *children))
        kinds.append(0)
    for node in nodes:
        for name, mesh in node[4]:
            blocks.append(shape_block(named(name), mesh))
            kinds.append(1)
    out = b"Gamebryo File Format, Version 20.2.0.7\n" + struct.pack("<IBIII", 0x14020007, 1, 12, len(blocks), 130)
    out += b"\x01\x00" * 4 + struct.pack("<H", len(types))
    out += b"".join(struct.pack("<I", len(t)) + t.encode() for t in types)
    out += b"".join(struct.pack("<H", k) for k in kinds) + b"".join(struct.pack("<I", len(b)) for b in blocks)
    out += struct.pack("<II", len(strings), max(map(len, strings)))
    out += b"".join(struct.pack("<I", len(s)) + s.encode() for s in strings)
    out += struct.pack("<I", 0) + b"".join(blocks) + struct.pack("<Ii", 1, 0)
    open(path, "wb").write(out)


def write_meshes(folder):
    """Writes one .obj per node with collision, in the space of the node. Returns (node, kind, options, path) of each."""
    written = []
    for node, kind, options, meshes in COLLISION:
        path, first = os.path.join(folder, node + ".obj"), 1
        with open(path, "w") as out:
            for i, (points, faces) in enumerate(meshes):
                out.write(f"o {node}{i}\n" + "".join("v %r %r %r\n" % tuple(map(float, p)) for p in points))
                out.write("".join("f %d %d %d\n" % tuple(first + c for c in face) for face in faces))
                first += len(points)
        written.append((node, kind, options, path))
    return written


if __name__ == "__main__":
    out, more = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    write_nif(out, nodes_of(more) if more.endswith(".gltf") else NODES)
    for row in write_meshes(more) if more and not more.endswith(".gltf") else ():
        print(*row[:2], *row[2], row[3])
