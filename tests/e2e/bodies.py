# SPDX-License-Identifier: MIT
"""Bodies and clips made here, written as glTF without Marrow's record, as another program would."""
import json
import math
import struct

METRES = 0.01428  # per game unit

# Game space: X to the right, Y ahead, Z up, in units; each bone relative to its parent.
HUMAN = [("NPC Root [Root]", None, (0, 0, 0)), ("NPC COM [COM ]", 0, (0, 0, 68)), ("NPC Pelvis [Pelv]", 1, (0, 0, 0)),
         ("NPC L Thigh [LThg]", 2, (-6, 0, -2)), ("NPC L Calf [LClf]", 3, (0, 1, -30)), ("NPC L Foot [Lft ]", 4, (0, -2, -28)), ("NPC L Toe0 [LToe]", 5, (0, 8, -5)),
         ("NPC R Thigh [RThg]", 2, (6, 0, -2)), ("NPC R Calf [RClf]", 7, (0, 1, -30)), ("NPC R Foot [Rft ]", 8, (0, -2, -28)), ("NPC R Toe0 [RToe]", 9, (0, 8, -5)),
         ("NPC Spine [Spn0]", 1, (0, 0, 5)), ("NPC Spine1 [Spn1]", 11, (0, 0, 9)), ("NPC Spine2 [Spn2]", 12, (0, 0, 10)), ("NPC Neck [Neck]", 13, (0, 0, 18)), ("NPC Head [Head]", 14, (0, 1, 8)),
         ("NPC L Clavicle [LClv]", 13, (-2, 0, 14)), ("NPC L UpperArm [LUar]", 16, (-10, 0, 0)), ("NPC L Forearm [LLar]", 17, (-18, 0, -3)), ("NPC L Hand [LHnd]", 18, (-15, 3, -3)),
         ("NPC R Clavicle [RClv]", 13, (2, 0, 14)), ("NPC R UpperArm [RUar]", 20, (10, 0, 0)), ("NPC R Forearm [RLar]", 21, (18, 0, -3)), ("NPC R Hand [RHnd]", 22, (15, 3, -3)),
         ("SkirtLBone01", 2, (-7, 1, 0)), ("SkirtRBone01", 2, (7, 1, 0)), ("NPC BLHair", 15, (-2, -4, 6)), ("NPC BRHair", 15, (2, -4, 6)),
         ("NPC L ForearmTwist1 [LLt1]", 18, (-5, 1, -1)), ("NPC R ForearmTwist1 [RLt1]", 22, (5, 1, -1))]

# A four-legged creature whose names say nothing.
BEAST = [("Beast", None, (0, 0, 0)), ("Body", 0, (0, -14, 30)), ("Croup", 1, (0, -4, 0)),
         ("hind_a_L", 2, (-5, -1, -2)), ("hind_b_L", 3, (0, 4, -11)), ("hind_c_L", 4, (0, -6, -9)), ("hind_d_L", 5, (0, 3, -6)), ("hind_e_L", 6, (0, 3, -2)),
         ("hind_a_R", 2, (5, -1, -2)), ("hind_b_R", 8, (0, 4, -11)), ("hind_c_R", 9, (0, -6, -9)), ("hind_d_R", 10, (0, 3, -6)), ("hind_e_R", 11, (0, 3, -2)),
         ("back1", 1, (0, 8, 1)), ("back2", 13, (0, 9, 1)), ("back3", 14, (0, 9, 0)), ("throat", 15, (0, 8, 5)), ("skull", 16, (0, 7, 4)), ("ear_L", 17, (-2, -1, 3)), ("ear_R", 17, (2, -1, 3)),
         ("blade_L", 15, (-3, 2, 2)), ("fore_a_L", 20, (-2, 1, -8)), ("fore_b_L", 21, (0, -4, -10)), ("fore_c_L", 22, (0, 3, -13)),
         ("blade_R", 15, (3, 2, 2)), ("fore_a_R", 24, (2, 1, -8)), ("fore_b_R", 25, (0, -4, -10)), ("fore_c_R", 26, (0, 3, -13)),
         ("wag1", 2, (0, -5, 1)), ("wag2", 28, (0, -6, 0)), ("wag3", 29, (0, -6, 0)), ("wag4", 30, (0, -6, 0))]


def turn(axis, degrees):
    """A quaternion x, y, z, w about an axis of game space."""
    s = math.sin(math.radians(degrees) / 2)
    return (axis[0] * s, axis[1] * s, axis[2] * s, math.cos(math.radians(degrees) / 2))


def to_file(v):
    """Game space to glTF's, which is Y up and in metres."""
    return [v[0] * METRES, v[2] * METRES, -v[1] * METRES]


def to_file_turn(q):
    return [q[0], q[2], -q[1], q[3]]


def write_glb(path, bones, actions=None):
    """`actions`: name -> (times in seconds, {bone: [quaternion per time]}, {bone: [offset from rest per time]})."""
    data, views, accessors = bytearray(), [], []

    def add(values, kind):
        flat = [x for v in values for x in (v if isinstance(v, (list, tuple)) else [v])]
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": 4 * len(flat)})
        data.extend(struct.pack(f"<{len(flat)}f", *flat))
        accessor = {"bufferView": len(views) - 1, "componentType": 5126, "count": len(values), "type": kind}
        if kind == "SCALAR":
            accessor.update(min=[min(flat)], max=[max(flat)])
        accessors.append(accessor)
        return len(accessors) - 1

    names = [name for name, _, _ in bones]
    nodes = [{"name": name, "translation": to_file(place)} for name, _, place in bones]
    for i, (_, parent, _) in enumerate(bones):
        if parent is not None:
            nodes[parent].setdefault("children", []).append(i)
    animations = []
    for name, (times, turns, moves) in (actions or {}).items():
        at = add(times, "SCALAR")
        samplers, channels = [], []
        for what, values in (("rotation", {b: [to_file_turn(q) for q in v] for b, v in turns.items()}),
                             ("translation", {b: [[r + m for r, m in zip(to_file(bones[names.index(b)][2]), to_file(o))] for o in v] for b, v in moves.items()})):
            for bone, keys in values.items():
                samplers.append({"input": at, "output": add(keys, "VEC4" if what == "rotation" else "VEC3"), "interpolation": "LINEAR"})
                channels.append({"sampler": len(samplers) - 1, "target": {"node": names.index(bone), "path": what}})
        animations.append({"name": name, "samplers": samplers, "channels": channels})
    document = {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
                "skins": [{"joints": list(range(len(nodes))), "skeleton": 0}]}
    if animations:
        document.update(animations=animations, accessors=accessors, bufferViews=views, buffers=[{"byteLength": len(data)}])
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if animations:
        chunks += struct.pack("<I4s", len(data), b"BIN\0") + bytes(data)
    with open(path, "wb") as out:
        out.write(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def walk(frames, fps, lift=4.0):
    """An uneven walk on the spot: legs and arms swing, one arm rolls, the skirt and the hair move."""
    times = [i / fps for i in range(frames)]
    wave = [math.sin(2 * math.pi * t * 1.3) for t in times]
    other = [math.sin(2 * math.pi * t * 0.9 + 1) for t in times]
    turns = {"NPC L Thigh [LThg]": [turn((1, 0, 0), 35 * w) for w in wave], "NPC R Thigh [RThg]": [turn((1, 0, 0), -28 * w) for w in wave],
             "NPC L Calf [LClf]": [turn((1, 0, 0), -25 - 20 * w) for w in other], "NPC R Calf [RClf]": [turn((1, 0, 0), -30 + 15 * w) for w in wave],
             "NPC L UpperArm [LUar]": [turn((0, 0.6, 0.8), 40 * w) for w in other], "NPC R UpperArm [RUar]": [turn((0, 0.8, 0.6), 30 * w) for w in wave],
             "NPC R Hand [RHnd]": [turn((1, 0, 0), 60 * w) for w in other], "NPC Spine1 [Spn1]": [turn((0, 0, 1), 12 * w) for w in wave],
             "SkirtLBone01": [turn((1, 0, 0), 18 * w) for w in wave], "NPC BLHair": [turn((0, 1, 0), 14 * w) for w in other]}
    return times, turns, {"NPC COM [COM ]": [(2 * w, 0, lift * o) for w, o in zip(wave, other)]}
