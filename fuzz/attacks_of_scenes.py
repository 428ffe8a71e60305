# SPDX-License-Identifier: MIT
"""Attacks on what is made of meshes and scenes: parts that share their vertices, curves that share their keys, meshes that
are fine, flat or no surface at all. `attacks.py` runs them with its own.
"""
import base64
import json
import math
import random
import struct

# Decompositions are not held to the bound of time: SECURITY.md says what they take.
SHAPES = ("hull", "mesh", "box", "sphere", "capsule", "compound")
BUILD = tuple(["collision", "build", "--shape", shape, "-o", "{out}.hkx"] for shape in SHAPES)
NIF = (["collision", "build", "--shape", "mesh", "--to", "skyrim-se", "-o", "{out}.nif"],)
SCENE = (["info"], ["check"], ["convert", "-o", "{out}.glb"], ["convert", "--format", "hkx", "-o", "{out}.hkx"],
         ["convert", "--to", "skyrim-se", "-o", "{out}/"], ["sample", "--frames", "0", "-o", "{out}.csv"])
POSITION = {"attributes": {"POSITION": 0}}


def gltf(**parts):
    return json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], **parts}, separators=(",", ":"))


def buffer(data, *views):
    """One buffer with views of it, each (offset, length)."""
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    return {"buffers": [{"byteLength": len(data), "uri": uri}],
            "bufferViews": [{"buffer": 0, "byteOffset": at, "byteLength": size} for at, size in views]}


def vectors(view, count):
    return {"bufferView": view, "componentType": 5126, "count": count, "type": "VEC3"}


def triangle():
    return {**buffer(struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0), (0, 36)), "accessors": [vectors(0, 3)]}


def many_nodes(nodes, primitives):
    below = [{"children": list(range(1, nodes))}] + [{"mesh": 0}] * (nodes - 1)
    return gltf(nodes=below, meshes=[{"primitives": [POSITION] * primitives}], **triangle())


def shared_sampler(bones, keys):
    data = struct.pack(f"<{keys}f", *[i / 30 for i in range(keys)]) + bytes(12 * keys)
    times = {"bufferView": 0, "componentType": 5126, "count": keys, "type": "SCALAR", "min": [0], "max": [(keys - 1) / 30]}
    nodes = [{"name": "b0", "children": list(range(1, bones))}] + [{"name": f"b{i}"} for i in range(1, bones)]
    channels = [{"sampler": 0, "target": {"node": i, "path": "translation"}} for i in range(bones)]
    return gltf(nodes=nodes, skins=[{"joints": list(range(bones))}],
                animations=[{"samplers": [{"input": 0, "output": 1}], "channels": channels}],
                accessors=[times, vectors(1, keys)], **buffer(data, (0, 4 * keys), (4 * keys, 12 * keys)))


def points(places):
    return "".join(f"v {x:.6g} {y:.6g} {z:.6g}\n" for x, y, z in places)


def groups(count):
    faces = "f 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
    return points([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]) + "".join(f"o g{i}\nusemtl m{i}\n{faces}" for i in range(count))


def two_rims(count):
    half = count // 2
    turn = [2 * math.pi * i / half for i in range(half)]
    strip = "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, count - 1))
    return points([(math.cos(a), math.sin(a), z) for z in (0, 0.1) for a in turn]) + strip


def ball(count):
    places = []
    for i in range(count):
        z = 1 - 2 * (i + 0.5) / count
        r, a = math.sqrt(1 - z * z), i * math.pi * (3 - math.sqrt(5))
        places.append((r * math.cos(a), r * math.sin(a), z))
    return points(places) + "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, count - 1))


def cloud(count, faces):
    rng = random.Random(1)
    return points([(rng.random(), rng.random(), rng.random()) for _ in range(count)]) + "".join(map(faces, range(count)))


def attacks(n):
    yield "primitives of glTF that share their vertices", ".gltf", many_nodes(2, n(60000)), (*SCENE, *BUILD, *NIF)
    yield "nodes of glTF that share a mesh", ".gltf", many_nodes(n(60000), 50), (*SCENE, *BUILD, *NIF)
    yield "channels of glTF that share a sampler", ".gltf", shared_sampler(n(2000), n(60000)), SCENE
    yield "groups of an OBJ", ".obj", groups(n(20000)), (["info"], ["convert", "-o", "{out}.glb"], *BUILD, *NIF)
    yield "two rims of a plate", ".obj", two_rims(n(40000)), BUILD
    yield "a fine ball", ".obj", ball(n(40000)), BUILD
    every = " ".join(str(i + 1) for i in range(n(60000)))
    yield "one face of all vertices", ".obj", points((i % 100, i // 100 % 100, i // 10000) for i in range(n(60000))) + f"f {every}\n", BUILD
    yield "one face of three vertices", ".obj", points([(0, 0, 0), (1, 0, 0), (0, 1, 0)]) + "f " + "1 2 3 " * n(200000) + "\n", BUILD
    rng = random.Random(2)
    corner = lambda: rng.randrange(n(10000)) + 1
    yield "triangles of an edge", ".obj", cloud(n(20000), lambda i: f"f 1 2 {max(i + 1, 3)}\n"), BUILD
    yield "triangles that are no surface", ".obj", cloud(n(10000), lambda i: f"f {corner()} {corner()} {corner()}\n" * 2), BUILD
