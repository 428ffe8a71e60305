# SPDX-License-Identifier: MIT
"""Attacks on the readers of motion, archives, Skyrim's collision, behaviours, patches, caches, textures, binary tagfiles
and big-endian packfiles. `attacks.py` runs them with its own.
"""
import json
import pathlib
import struct
import zlib

SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"
READ = (["info"], ["check"])
MOTION = (["info"], ["convert", "-o", "{out}.glb"], ["sample", "--frames", "0", "-o", "{out}.csv"])
COLLISION = (["info"], ["check"], ["collision", "list"], ["collision", "boxes"], ["collision", "export", "-o", "{out}.obj"])
GRAPH = (["info"], ["check"], ["behavior", "list"], ["behavior", "graph", "-o", "{out}.svg"],
         ["behavior", "run", "--seconds", "1", "-o", "{out}.csv"])


# --- FBX: a tree of records, in text or binary.
class Node:
    def __init__(self, name, *values, below=()):
        self.name, self.values, self.below = name, values, below


def array(kind, count, data, packed=None):
    """A value that is an array; the count may lie, and so may the data."""
    body = zlib.compress(data, 9) if packed else data
    return kind.encode() + struct.pack("<III", count, 1 if packed else 0, len(body)) + body


def value(each):
    if isinstance(each, bytes):
        return each
    if isinstance(each, str):
        return b"S" + struct.pack("<I", len(each)) + each.encode()
    return b"L" + struct.pack("<q", each) if isinstance(each, int) else b"D" + struct.pack("<d", each)


def binary_fbx(nodes):
    out = bytearray(b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", 7400))

    def add(node):
        start, values = len(out), b"".join(map(value, node.values))
        out.extend(struct.pack("<IIIB", 0, len(node.values), len(values), len(node.name)) + node.name.encode() + values)
        for each in node.below:
            add(each)
        if node.below:
            out.extend(bytes(13))
        struct.pack_into("<I", out, start, len(out))

    for node in nodes:
        add(node)
    return bytes(out + bytes(13) + bytes(160))


def fbx_scene(objects, links):
    return binary_fbx([Node("FBXHeaderExtension", below=[Node("FBXVersion", 7400)]), Node("Objects", below=objects),
                       Node("Connections", below=[Node("C", "OO" if len(each) == 2 else "OP", *each) for each in links])])


def bone(i, name="b"):
    return Node("Model", i, f"{name}{i}\0\1Model", "LimbNode", below=[Node("Version", 232)])


def curve(i, times, values):
    return Node("AnimationCurve", i, "\0\1AnimCurve", "", below=[
        Node("KeyTime", array("l", len(times), struct.pack(f"<{len(times)}q", *times))),
        Node("KeyValueFloat", array("f", len(values), struct.pack(f"<{len(values)}f", *values))),
        Node("KeyAttrFlags", array("i", 1, struct.pack("<i", 4))), Node("KeyAttrDataFloat", array("f", 4, bytes(16))),
        Node("KeyAttrRefCount", array("i", 1, struct.pack("<i", len(times))))])


def animated(bones, stacks, times):
    """Stacks that all move all bones by one curve."""
    objects = [bone(i + 1) for i in range(bones)] + [curve(900000, times, [float(i % 7) for i in range(len(times))])]
    links = [(1, 0)] + [(i + 1, i) for i in range(1, bones)]
    for s in range(stacks):
        stack, layer = 100000 + 2 * s, 100001 + 2 * s
        objects += [Node("AnimationStack", stack, f"s{s}\0\1AnimStack", ""), Node("AnimationLayer", layer, "l\0\1AnimLayer", "")]
        links.append((layer, stack))
        for i in range(bones):
            node = 1000000 + s * bones + i
            objects.append(Node("AnimationCurveNode", node, "T\0\1AnimCurveNode", ""))
            links += [(node, layer), (node, i + 1, "Lcl Translation"), (900000, node, "d|X")]
    return fbx_scene(objects, links)


def fbx_attacks(n):
    bomb = Node("Geometry", 5, "g\0\1Geometry", "Mesh", below=[
        Node("Vertices", array("d", 3 * n(30_000_000), bytes(24 * n(30_000_000)), packed=True))])
    yield "packed array of FBX", ".fbx", fbx_scene([bone(1), bomb], [(1, 0), (5, 1)]), MOTION
    yield "counts of FBX", ".fbx", fbx_scene([Node("Geometry", 5, "g\0\1Geometry", "Mesh", below=[
        Node("Vertices", array("d", 2**31 - 1, bytes(64)))])], [(5, 0)]), MOTION
    yield "empty records of FBX", ".fbx", binary_fbx([Node("a")] * n(200000)), MOTION
    yield "nested records of FBX", ".fbx", "; FBX 7.4.0 project file\nObjects: {\n" + "A: {\n" * n(100000), MOTION
    yield "array in text of FBX", ".fbx", "; FBX 7.4.0 project file\nObjects:  {\nVertices: *2000000000 {\na: 1,2\n}\n}\n", MOTION
    yield "bones of FBX that hang on themselves", ".fbx", fbx_scene([bone(1), bone(2)], [(1, 2), (2, 1), (1, 1), (1, 0)]), MOTION
    yield "a chain of bones in FBX", ".fbx", fbx_scene([bone(i + 1) for i in range(n(20000))],
                                                       [(1, 0)] + [(i + 1, i) for i in range(1, n(20000))]), MOTION
    yield "keys of FBX far apart", ".fbx", animated(3, 1, [-2**62, 0, 2**62]), MOTION
    yield "stacks of FBX that share a curve", ".fbx", animated(40, n(300), [i * 1539538600 for i in range(2000)]), MOTION
    yield "connections of FBX", ".fbx", fbx_scene([bone(1), bone(2)], [(1, 0)] + [(2, 1)] * n(100000)), MOTION


# --- BVH
def bvh_of(joints, motion, channels="3 Zrotation Xrotation Yrotation"):
    head = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS " + channels + "\n"
    return head + joints + "End Site\n{\nOFFSET 0 0 1\n}\n}\nMOTION\n" + motion


def bvh_attacks(n):
    yield "nested joints of BVH", ".bvh", bvh_of("JOINT j\n{\nOFFSET 0 0 1\nCHANNELS 0\n" * n(60000), ""), MOTION
    yield "frames of BVH that are not there", ".bvh", bvh_of("", "Frames: 2000000000\nFrame Time: 0.03\n1 2 3\n"), MOTION
    for what, time in (("tiny", "1e-300"), ("huge", "1e300"), ("infinite", "inf"), ("negative", "-1"), ("missing", "")):
        yield f"{what} frame time of BVH", ".bvh", bvh_of("", f"Frames: 2\nFrame Time: {time}\n1 2 3\n4 5 6\n"), MOTION
    yield "a long name of BVH", ".bvh", bvh_of("", "Frames: 1\nFrame Time: 0.1\n1 2 3\n").replace("ROOT r", "ROOT " + "r" * n(3_000_000)), MOTION
    yield "numbers of BVH", ".bvh", bvh_of("", "Frames: 1\nFrame Time: 0.1\n1e39 nan 1e999999999\n"), MOTION
    yield "channels of BVH", ".bvh", bvh_of("", "Frames: 1\nFrame Time: 0.1\n", "2000000000 Xrotation"), MOTION


# --- archives
def ba2(records, names, data=b"", kind=b"GNRL"):
    """records: (offset in data, packed, size)."""
    start = 24 + 36 * len(records)  # the flags state a header of 16 bytes
    head = b"BTDX" + struct.pack("<I4sIQ", 1, kind, len(records), start + len(data))
    rows = b"".join(struct.pack("<I4sIIQIII", i, b"hkx\0", 0, 0x00100100, start + at, packed, size, 0xBAADF00D)
                    for i, (at, packed, size) in enumerate(records))
    return head + rows + data + b"".join(struct.pack("<H", len(name)) + name for name in names)


ARCHIVE = (["archive", "list"], ["archive", "check"], ["info"])


def archive_attacks(n):
    bomb = zlib.compress(bytes(20_000_000), 9)
    count = n(400)
    names = [b"meshes\\%d.hkx" % i for i in range(count)]
    yield "entries of a BA2 that share a bomb", ".ba2", ba2([(0, len(bomb), 20_000_000)] * count, names, bomb), ARCHIVE
    yield "sizes of a BA2", ".ba2", ba2([(0, 0, 2**32 - 1), (2**40, 12, 9)], [b"a.hkx", b"b.hkx"], b"x" * 64), ARCHIVE
    long = [b"m\\" + b"x" * 60000] * n(30)
    yield "long names of a BA2", ".ba2", ba2([(0, 0, 1)] * len(long), long, b"x"), ARCHIVE
    yield "count of a BA2", ".ba2", b"BTDX" + struct.pack("<I4sIQ", 1, b"GNRL", 2**32 - 1, 2**63) + bytes(64), ARCHIVE
    for name, version in (("Oblivion", 103), ("Skyrim", 105)):
        yield f"counts of a BSA of {name}", ".bsa", b"BSA\0" + struct.pack("<8I", version, 36, 3, 2**32 - 1, 2**32 - 1, 2**32 - 1,
                                                                          2**32 - 1, 0) + bytes(256), ARCHIVE


# --- Skyrim's collision: a NIF made of the blocks of a seed.
class Nif:
    def __init__(self, path):
        data = path.read_bytes()
        at = data.index(b"\n") + 1
        self.front = data[:at + 9]  # with version, byte order and user version
        count, stream = struct.unpack_from("<II", data, at + 9)
        self.stream, at = stream, at + 17
        start = at
        for _ in range(3):
            at += 1 + data[at]
        self.words = data[start:at]
        kinds = []
        kind_count, at = struct.unpack_from("<H", data, at)[0], at + 2
        for _ in range(kind_count):
            size = struct.unpack_from("<I", data, at)[0]
            kinds.append(data[at + 4:at + 4 + size])
            at += 4 + size
        index, at = struct.unpack_from(f"<{count}H", data, at), at + 2 * count
        sizes, at = struct.unpack_from(f"<{count}I", data, at), at + 4 * count
        strings, start, at = struct.unpack_from("<I", data, at)[0], at, at + 8
        for _ in range(strings):
            at += 4 + struct.unpack_from("<I", data, at)[0]
        at += 4 + 4 * struct.unpack_from("<I", data, at)[0]
        self.strings, self.blocks = data[start:at], []
        for i, size in enumerate(sizes):
            self.blocks.append((kinds[index[i]], data[at:at + size]))
            at += size
        self.end = data[at:]

    def find(self, kind):
        return next(i for i, (name, _) in enumerate(self.blocks) if name == kind)

    def add(self, kind, body):
        self.blocks.append((kind, body))
        return len(self.blocks) - 1

    def patch(self, block, at, form, number):
        body = bytearray(self.blocks[block][1])
        struct.pack_into(form, body, at, number)
        self.blocks[block] = (self.blocks[block][0], bytes(body))

    def bytes(self):
        kinds = sorted({kind for kind, _ in self.blocks})
        head = struct.pack("<II", len(self.blocks), self.stream) + self.words + struct.pack("<H", len(kinds))
        head += b"".join(struct.pack("<I", len(kind)) + kind for kind in kinds)
        head += b"".join(struct.pack("<H", kinds.index(kind)) for kind, _ in self.blocks)
        head += b"".join(struct.pack("<I", len(body)) for _, body in self.blocks)
        return self.front + head + self.strings + b"".join(body for _, body in self.blocks) + self.end


def list_shape(children):
    return struct.pack(f"<I{len(children)}i", len(children), *children) + struct.pack("<I6II", 0, 0, 0, 2**31, 0, 0, 2**31, 0)


def transform_shape(child):
    turn = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
    return struct.pack("<iIf8x16f", child, 0, 0.0, *map(float, turn))


def mopp_shape(child, code):
    return struct.pack("<i12xfI3ffB", child, 1.0, len(code), 0, 0, 0, 1.0, 1) + code


def on_body(make):
    nif = Nif(SEEDS / "bhk/box.nif")
    nif.patch(nif.find(b"bhkRigidBody"), 0, "<i", make(nif))
    return nif.bytes()


def nested_lists(depth, children):
    def make(nif):
        inner = nif.find(b"bhkBoxShape")
        for _ in range(depth):
            inner = nif.add(b"bhkListShape", list_shape([inner] * children))
        return inner
    return on_body(make)


def shapes_in_a_circle(kind, body):
    def make(nif):
        own = len(nif.blocks)
        return nif.add(kind, body(own))
    return on_body(make)


def deep_nodes(depth):
    nif = Nif(SEEDS / "bhk/box.nif")
    root = struct.pack("<iIiI3f9ffi", -1, 0, -1, 14, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1.0, -1)
    first = len(nif.blocks)
    for i in range(depth):
        nif.add(b"NiNode", root + struct.pack("<IiI", 1, first + i + 1 if i + 1 < depth else 0, 0))
    return nif.bytes()


def bhk_attacks(n):
    yield "nested lists of shapes", ".nif", nested_lists(40, 2), COLLISION
    yield "wide lists of shapes", ".nif", nested_lists(3, n(300)), COLLISION
    yield "lists of shapes below the limit of uses", ".nif", nested_lists(3, 90), COLLISION
    yield "a list of shapes that lists itself", ".nif", shapes_in_a_circle(b"bhkListShape", lambda own: list_shape([own, own])), COLLISION
    yield "a transform of itself", ".nif", shapes_in_a_circle(b"bhkTransformShape", transform_shape), COLLISION
    # Both branches of a split lead to the next split: 2 ** 60 ways through 240 bytes.
    ways = b"".join(bytes([0x10, 0, 255, 0]) for _ in range(60)) + bytes([0x30])
    yield "a MOPP of itself", ".nif", shapes_in_a_circle(b"bhkMoppBvTreeShape", lambda own: mopp_shape(own, ways)), COLLISION
    yield "branches of MOPP that meet", ".nif", on_body(lambda nif: nif.add(
        b"bhkMoppBvTreeShape", mopp_shape(nif.find(b"bhkBoxShape"), ways))), COLLISION
    yield "a jump of MOPP to itself", ".nif", on_body(lambda nif: nif.add(
        b"bhkMoppBvTreeShape", mopp_shape(nif.find(b"bhkBoxShape"), bytes([0x05, 0x00, 0x06, 0xFF, 0xFE])))), COLLISION
    yield "a chain of nodes", ".nif", deep_nodes(n(20000)), (*COLLISION, ["convert", "-o", "{out}.nif"])
    big = Nif(SEEDS / "bhk/hull.nif")
    hull = big.find(b"bhkConvexVerticesShape")
    big.patch(hull, 8 + 24, "<I", 2**31 - 1)
    yield "vertices of a hull that are not there", ".nif", big.bytes(), COLLISION


# --- behaviours, as XML
HEAD = ('<?xml version="1.0" encoding="ascii"?>\n<hkpackfile classversion="8" contentsversion="hk_2010.2.0-r1" '
        'toplevelobject="#0001">\n<hksection name="__data__">\n<hkobject name="#0001" class="hkRootLevelContainer" signature="0x2772c11e">'
        '<hkparam name="namedVariants" numelements="1"><hkobject><hkparam name="name">hkbBehaviorGraph</hkparam><hkparam name="className">'
        'hkbBehaviorGraph</hkparam><hkparam name="variant">#0002</hkparam></hkobject></hkparam></hkobject>\n')
TAIL = "</hksection>\n</hkpackfile>\n"


def graph(root, rest, events=""):
    return (HEAD + f'<hkobject name="#0002" class="hkbBehaviorGraph"><hkparam name="name">g</hkparam><hkparam name="rootGenerator">{root}'
            '</hkparam><hkparam name="data">#0003</hkparam></hkobject>\n<hkobject name="#0003" class="hkbBehaviorGraphData"><hkparam '
            'name="stringData">#0004</hkparam></hkobject>\n<hkobject name="#0004" class="hkbBehaviorGraphStringData">' + events +
            "</hkobject>\n" + rest + TAIL)


def machine(name, states, extra=""):
    return (f'<hkobject name="{name}" class="hkbStateMachine"><hkparam name="name">m{name}</hkparam><hkparam name="states" '
            f'numelements="{len(states)}">{" ".join(states)}</hkparam>{extra}</hkobject>\n')


def state(name, generator, number=0):
    return (f'<hkobject name="{name}" class="hkbStateMachineStateInfo"><hkparam name="generator">{generator}</hkparam><hkparam '
            f'name="name">s</hkparam><hkparam name="stateId">{number}</hkparam></hkobject>\n')


def shared_blenders(depth, children):
    out = ""
    for i in range(depth):
        child, inner = f"#{5000 + i}", f"#{1000 + i + 1}"
        out += (f'<hkobject name="#{1000 + i}" class="hkbBlenderGenerator"><hkparam name="name">b{i}</hkparam><hkparam name="children" '
                f'numelements="{children}">{" ".join([child] * children)}</hkparam></hkobject>\n<hkobject name="{child}" '
                f'class="hkbBlenderGeneratorChild"><hkparam name="generator">{inner}</hkparam><hkparam name="weight">1</hkparam></hkobject>\n')
    return out + f'<hkobject name="#{1000 + depth}" class="hkbClipGenerator"><hkparam name="name">c</hkparam></hkobject>\n'


def behavior_attacks(n):
    yield "a state machine in itself", ".xml", graph("#0010", machine("#0010", ["#0011"]) + state("#0011", "#0010")), GRAPH
    yield "blenders that share their child", ".xml", graph("#1000", shared_blenders(40, 2)), GRAPH
    yield "many events", ".xml", graph("null", "", f'<hkparam name="eventNames" numelements="{n(60000)}">' +
                                       "<hkcstring>e</hkcstring>" * n(60000) + "</hkparam>"), GRAPH
    states = "".join(state(f"#{i + 100}", "null", 0) for i in range(n(8000)))
    yield "states of one number", ".xml", graph("#0010", machine("#0010", [f"#{i + 100}" for i in range(n(8000))]) + states), GRAPH
    chain = "".join(machine(f"#{2 * i + 100}", [f"#{2 * i + 101}"]) + state(f"#{2 * i + 101}", f"#{2 * i + 102}" if i + 1 < n(8000) else "null") for i in range(n(8000)))
    yield "machines in machines", ".xml", graph("#100", chain), GRAPH


# --- caches
CACHE = (["info"], ["check"], ["cache", "list"], ["cache", "check"])


def cache_attacks(n):
    yield "counts of a cache", ".txt", "2147483647\nA.txt\n", CACHE
    yield "a negative count of a cache", ".txt", "-1\n", CACHE
    yield "projects of a cache", ".txt", f"{n(60000)}\n" + "p.txt\n" * n(60000), CACHE
    yield "one project of a cache, many lines", ".txt", "1\nA.txt\n2000000000\n1\n0\n1\n" + "x\n" * n(300000), CACHE
    yield "numbers of a cache", ".txt", "1\nA.txt\n9\n1\n1\nBehaviors\\A.hkx\n1\nClip\n99999999999999999999\n1e999\nnan\n-5\n\n", CACHE


# --- textures: only bodies take them, so they are read by their own verbs
def dds(width, height, mips, four=b"DXT1", extra=b"", data=b""):
    head = struct.pack("<4sI6I44x", b"DDS ", 124, 0x2100F, height, width, 0, 0, mips)
    return head + struct.pack("<II4s5I", 32, 4, four, 0, 0, 0, 0, 0) + struct.pack("<5I", 0x401008, 0, 0, 0, 0) + extra + data


def dds_attacks(n):
    yield "a texture without its pixels", ".dds", dds(65535, 65535, 1), READ
    yield "mips of a texture", ".dds", dds(4, 4, 2**32 - 1, data=bytes(64)), READ
    yield "arrays of textures", ".dds", dds(4, 4, 1, b"DX10", struct.pack("<5I", 98, 3, 0, 2**32 - 1, 0), bytes(64)), READ
    yield "sides of a texture", ".dds", dds(2**32 - 1, 2**32 - 1, 33), READ


# --- binary tagfiles
def section(tag, *parts, leaf=True):
    body = b"".join(parts)
    return struct.pack(">I", (0x40000000 if leaf else 0) | (len(body) + 8)) + tag + body


def tagfile(data, names, members, bodies, type_names, items, patches=b""):
    types = section(b"TYPE", section(b"TSTR", b"".join(each + b"\0" for each in names)), section(b"TNAM", type_names),
                    section(b"FSTR", b"".join(each + b"\0" for each in members)), section(b"TBOD", bodies), leaf=False)
    index = section(b"INDX", section(b"ITEM", b"".join(struct.pack("<III", *each) for each in items)), section(b"PTCH", patches), leaf=False)
    return section(b"TAG0", section(b"SDKV", b"20150100"), section(b"DATA", data), types, index, leaf=False)


def tag_attacks(n):
    word = lambda number: bytes([number]) if number < 128 else bytes([0x80 | number >> 8, number & 255])
    names = [b"hkRootLevelContainer", b"int"]
    two = word(3) + word(0) + word(0) + word(1) + word(0)
    record = lambda size, members: word(1) + word(0) + word(0x29) + word(7) + word(size) + word(4) + members
    integer = word(2) + word(0) + word(9) + b"\xc0\x02\x04" + word(4) + word(4)
    plain = record(4, word(1) + word(0) + word(0x20) + word(0) + word(2)) + integer
    root = (0x10000001, 0, 1)
    yield "objects of a tagfile at one place", ".hkt", tagfile(bytes(1024), names, [b"a"], plain, two, [(0, 0, 0)] + [root] * n(200000)), READ
    yield "a long item of a tagfile", ".hkt", tagfile(bytes(64), names, [b"a"], plain, two, [(0, 0, 0), root, (0x20000002, 0, 2**32 - 1)]), READ
    yield "types of a tagfile that do not end", ".hkt", tagfile(bytes(64), names, [b"a"], plain, b"\xf7" + b"\xff" * 7, [(0, 0, 0), root]), READ
    itself = record(4, word(1) + word(0) + word(0x20) + word(0) + word(1)) + integer
    yield "a record of a tagfile in itself", ".hkt", tagfile(bytes(64), names, [b"a"], itself, two, [(0, 0, 0), root]), READ
    parents = word(1) + word(2) + word(0) + word(2) + word(1) + word(0)
    yield "types of a tagfile that are each other's parents", ".hkt", tagfile(bytes(64), names, [b"a"], parents, two, [(0, 0, 0), root]), READ
    yield "sections of a tagfile in sections", ".hkt", section(b"TAG0", *[struct.pack(">I", 8 * (n(50000) - i)) + b"TYPE" for i in range(n(50000))], leaf=False), READ


# --- packfiles of consoles
def packfile_attacks(n):
    for name in ("clip-2010-4001", "clip-2010-8011", "clip-2010-4111"):
        data = bytearray((SEEDS / f"packfile/{name}.hkx").read_bytes())
        order = "<" if data[0x11] else ">"
        for header in range(0x40, 0x40 + 3 * 48, 48):
            if data[header:header + 8] == b"__data__":
                start, local = struct.unpack_from(order + "2i", data, header + 20)
        # Every count of an array becomes as large as it can be.
        for at in range(start, start + local - 8, 4):
            count, capacity = struct.unpack_from(order + "II", data, at)
            if capacity & 0x3FFFFFFF == count and capacity >> 31 and count:
                struct.pack_into(order + "II", data, at, 0x3FFFFFFF, 0xBFFFFFFF)
        yield f"counts of {name}", ".hkx", bytes(data), (*READ, ["dump", "-o", "{out}"], ["convert", "-o", "{out}.xml"])


# --- glTF that shares what it has
def gltf_attacks(n):
    head = {"asset": {"version": "2.0"}, "scene": 0}
    text = lambda **parts: json.dumps({**head, "scenes": [{"nodes": [0]}], **parts}, separators=(",", ":"))
    yield "nodes of glTF in a circle", ".gltf", text(nodes=[{"children": [1]}, {"children": [0]}]), MOTION
    yield "a chain of nodes in glTF", ".gltf", text(nodes=[{"children": [i + 1]} for i in range(n(50000))] + [{}]), MOTION
    keys = struct.pack("<2f", 0.0, 1e30) + bytes(24)
    import base64
    buffers = {"buffers": [{"byteLength": len(keys), "uri": "data:application/octet-stream;base64," + base64.b64encode(keys).decode()}],
               "bufferViews": [{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
               "accessors": [{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1e30]},
                             {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}]}
    channel = {"sampler": 0, "target": {"node": 0, "path": "translation"}}
    yield "keys of glTF far apart", ".gltf", text(nodes=[{"name": "b"}], skins=[{"joints": [0]}], animations=[
        {"samplers": [{"input": 0, "output": 1}], "channels": [channel]}], **buffers), MOTION
    yield "animations of glTF that share a sampler", ".gltf", text(nodes=[{"name": "b"}], skins=[{"joints": [0]}], animations=[
        {"samplers": [{"input": 0, "output": 1}], "channels": [channel] * 10}] * n(3000), **buffers), MOTION
    yield "views of glTF past their buffer", ".gltf", text(nodes=[{"mesh": 0}], meshes=[{"primitives": [{"attributes": {"POSITION": 0}}]}],
        buffers=[{"byteLength": 2**31 - 1, "uri": "data:,x"}], bufferViews=[{"buffer": 0, "byteOffset": 2**31 - 9, "byteLength": 2**31 - 1}],
        accessors=[{"bufferView": 0, "componentType": 5126, "count": 2**28, "type": "VEC3"}]), MOTION


def attacks(n):
    for group in (fbx_attacks, bvh_attacks, archive_attacks, bhk_attacks, behavior_attacks, cache_attacks, dds_attacks, tag_attacks,
                  packfile_attacks, gltf_attacks):
        yield from group(n)
