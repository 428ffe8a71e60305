# SPDX-License-Identifier: MIT
"""Attacks by what is shared or repeated: one block that all shapes use, one long name that all objects have, many names
that are one, events that answer each other. `attacks.py` runs them with its own.
"""
import base64
import json
import struct

from attacks_of_readers import GRAPH, HEAD, MOTION, READ, SEEDS, TAIL, Nif, ba2, graph, machine, section, state, tagfile

BODY = (["info"], ["check"], ["body", "list"], ["body", "weights"], ["convert", "-o", "{out}.glb"], ["body", "picture", "-o", "{out}.png"])
TURN = struct.pack("<9f", 1, 0, 0, 0, 1, 0, 0, 0, 1)


# --- bodies: a NIF made of blocks of one's own
class Blocks(Nif):
    def __init__(self, strings=("Scene",)):
        super().__init__(SEEDS / "nif/skyrim-se-body.nif")
        self.blocks, self.end = [], struct.pack("<Ii", 1, 0)
        longest = max(map(len, strings))
        self.strings = struct.pack("<II", len(strings), longest) + b"".join(
            struct.pack("<I", len(each)) + each.encode() for each in strings) + struct.pack("<I", 0)

    def root(self, children, name=0):
        return self.add(b"NiNode", node(children, name))


def av_object(name=0, extra=()):
    return struct.pack(f"<iI{len(extra)}iiI3f", name, len(extra), *extra, -1, 14, 0, 0, 0) + TURN + struct.pack("<fi", 1.0, -1)


def node(children=(), name=0, extra=()):
    return av_object(name, extra) + struct.pack(f"<I{len(children)}iI", len(children), *children, 0)


def tri_shape(data, skin=-1, name=0, shader=-1):
    return av_object(name) + struct.pack("<iiIiBii", data, skin, 0, -1, 0, shader, -1)


def shape_data(vertices, triangles):
    points = b"".join(struct.pack("<3f", i % 64, i // 64, i % 3) for i in range(vertices))
    faces = b"".join(struct.pack("<3H", i % vertices, (i + 1) % vertices, (i + 2) % vertices) for i in range(triangles))
    return (struct.pack("<iHBBB", 0, vertices, 0, 0, 1) + points + struct.pack("<HIB4fBHiH", 0, 0, 0, 0, 0, 0, 1.0, 0, 0, -1, triangles) +
            struct.pack("<IB", 3 * triangles, 1) + faces + struct.pack("<H", 0))


def skin(blocks, bones):
    """A skin of that many bones, all of them the root."""
    bone = TURN + struct.pack("<3ff4fH", 0, 0, 0, 1.0, 0, 0, 0, 1.0, 0)
    data = blocks.add(b"NiSkinData", TURN + struct.pack("<3ffIB", 0, 0, 0, 1.0, bones, 0) + bone * bones)
    return blocks.add(b"NiSkinInstance", struct.pack(f"<iiiI{bones}i", data, -1, 0, bones, *[0] * bones))


def shapes_of(count, vertices=3, triangles=1, bones=0, strings=("Scene",), many_bones=False):
    blocks = Blocks(strings)
    blocks.root(range(1, count + 1))
    for i in range(count):
        blocks.add(b"NiTriShape", tri_shape(count + 1, count + 3 if bones else -1, len(strings) - 1))
    blocks.add(b"NiTriShapeData", shape_data(vertices, triangles))
    if bones:
        skin(blocks, bones)
    if many_bones:
        first = len(blocks.blocks)
        for i in range(bones):
            blocks.add(b"NiNode", node())
        body = bytearray(blocks.blocks[count + 3][1])
        struct.pack_into(f"<{bones}i", body, 16, *range(first, first + bones))
        blocks.blocks[count + 3] = (b"NiSkinInstance", bytes(body))
        blocks.blocks[0] = (b"NiNode", node([*range(1, count + 1), *range(first, first + bones)]))
    return blocks.bytes()


def nodes_of_one_name(count, name="n"):
    blocks = Blocks((name,))
    blocks.root(range(1, count + 3))
    for i in range(count):
        blocks.add(b"NiNode", node())
    blocks.add(b"NiTriShape", tri_shape(count + 2))
    blocks.add(b"NiTriShapeData", shape_data(3, 1))
    return blocks.bytes()


def textured(count, length):
    blocks = Blocks(("Scene",))
    blocks.root(range(1, count + 1))
    for i in range(count):
        blocks.add(b"NiTriShape", tri_shape(count + 1, -1, 0, count + 3))
    blocks.add(b"NiTriShapeData", shape_data(3, 1))
    blocks.add(b"BSShaderTextureSet", struct.pack("<I", 9) + (struct.pack("<I", length) + b"t" * length) * 9)
    seed = Nif(SEEDS / "nif/skyrim-se-body.nif")
    blocks.add(b"BSLightingShaderProperty", seed.blocks[seed.find(b"BSLightingShaderProperty")][1])
    at = len(blocks.blocks) - 1
    blocks.patch(at, 4, "<i", -1)
    blocks.patch(at, 40, "<i", count + 2)
    return blocks.bytes()


def many_empty_blocks(count):
    blocks = Blocks()
    blocks.root([])
    for i in range(count):
        blocks.add(b"NiUnknown", b"")
    return blocks.bytes()


def list_in_one_node(child, count):
    blocks = Blocks()
    blocks.root([child] * count)
    blocks.add(b"NiNode", node())
    return blocks.bytes()


def extra_data_of_itself(count):
    blocks = Blocks()
    blocks.add(b"NiNode", node((), 0, [1] * count))
    blocks.add(b"NiStringExtraData", struct.pack("<ii", 0, 0))
    return blocks.bytes()


def data_without_bones(count):
    """Skins without bones that share data of many."""
    blocks = Blocks()
    blocks.root(range(1, count + 1))
    for i in range(count):
        blocks.add(b"NiTriShape", tri_shape(count + 1, count + 3))
    blocks.add(b"NiTriShapeData", shape_data(3, 1))
    skin(blocks, 8000)
    blocks.blocks[count + 3] = (b"NiSkinInstance", struct.pack("<iiiI", count + 2, -1, 0, 0))
    return blocks.bytes()


def body_attacks(n):
    yield "skins without bones that share their data", ".nif", data_without_bones(n(5000)), BODY
    yield "shapes that share their data", ".nif", shapes_of(n(5000), 60000, 60000), BODY
    yield "small shapes that share their data", ".nif", shapes_of(n(20000)), BODY
    yield "a skin of many bones", ".nif", shapes_of(1, 3, 1, n(60000)), BODY
    yield "shapes that share a skin", ".nif", shapes_of(n(60), 3, 1, n(20000)), BODY
    yield "shapes that share a skin of nodes", ".nif", shapes_of(n(60), 3, 1, n(10000), many_bones=True), BODY
    yield "nodes of one name", ".nif", nodes_of_one_name(n(6000)), BODY
    yield "nodes of one long name", ".nif", nodes_of_one_name(n(6000), "n" * n(600000)), BODY
    yield "shapes of one long name", ".nif", shapes_of(n(6000), strings=("Scene", "s" * n(600000))), BODY
    yield "shapes that share long textures", ".nif", textured(n(3000), n(60000)), BODY
    yield "blocks without bytes", ".nif", many_empty_blocks(n(300000)), BODY
    yield "a node that lists a child often", ".nif", list_in_one_node(1, n(300000)), BODY
    yield "a node that lists itself often", ".nif", list_in_one_node(0, n(300000)), BODY
    yield "extra data that is listed often", ".nif", extra_data_of_itself(n(300000)), BODY


# --- Skyrim's collision that is shared
def bodies_of_one_mesh(count, seed):
    nif = Nif(SEEDS / f"bhk/{seed}.nif")
    object_, body = nif.find(b"bhkCollisionObject"), nif.find(b"bhkRigidBody")
    first = len(nif.blocks)
    for i in range(count):
        nif.add(b"NiNode", struct.pack("<iIiI3f", 0, 0, -1, 14, 0, 0, 0) + TURN + struct.pack("<fiII", 1.0, first + count + i, 0, 0))
    for i in range(count):
        nif.add(b"bhkCollisionObject", struct.pack("<iHi", first + i, 1, body))
    return nif.bytes()


def constraints_listed(count):
    nif = Nif(SEEDS / "bhk/box.nif")
    body = nif.find(b"bhkRigidBody")
    data = nif.blocks[body][1]
    # Its list of constraints is the last but one field, before a word of flags.
    nif.blocks[body] = (b"bhkRigidBody", data[:-6] + struct.pack("<I", count) + struct.pack("<i", len(nif.blocks)) * count + data[-2:])
    nif.add(b"bhkBallAndSocketConstraint", struct.pack("<IiiI", 2, body, body, 1) + bytes(32))
    return nif.bytes()


def shared_collision_attacks(n):
    shapes = (["info"], ["check"], ["collision", "list"], ["collision", "boxes"], ["collision", "joints"], ["collision", "export", "-o", "{out}.obj"])
    for seed in ("box", "mesh", "hull"):
        yield f"nodes that share the body of a {seed}", ".nif", bodies_of_one_mesh(n(8000), seed), shapes
    yield "a constraint that is listed often", ".nif", constraints_listed(n(100000)), shapes


# --- behaviours
EVENTS = '<hkparam name="eventNames" numelements="2"><hkcstring>e</hkcstring><hkcstring>f</hkcstring></hkparam>'


def transition(event, to, extra=""):
    return (f'<hkobject><hkparam name="eventId">{event}</hkparam><hkparam name="toStateId">{to}</hkparam><hkparam name="flags">'
            f'FLAG_DISABLE_CONDITION</hkparam>{extra}</hkobject>')


def transitions(name, rows):
    return (f'<hkobject name="{name}" class="hkbStateMachineTransitionInfoArray"><hkparam name="transitions" numelements="{len(rows)}">'
            + "".join(rows) + "</hkparam></hkobject>\n")


def live_state(name, generator, number, transitions="null", notify="null"):
    return (f'<hkobject name="{name}" class="hkbStateMachineStateInfo"><hkparam name="enterNotifyEvents">{notify}</hkparam><hkparam '
            f'name="transitions">{transitions}</hkparam><hkparam name="generator">{generator}</hkparam><hkparam name="name">s</hkparam>'
            f'<hkparam name="stateId">{number}</hkparam><hkparam name="enable">true</hkparam></hkobject>\n')


def clip(name, title="c"):
    return f'<hkobject name="{name}" class="hkbClipGenerator"><hkparam name="name">{title}</hkparam></hkobject>\n'


def blender(name, children, first):
    out = (f'<hkobject name="{name}" class="hkbBlenderGenerator"><hkparam name="name">b</hkparam><hkparam name="children" numelements='
           f'"{len(children)}">{" ".join(f"#{first + i}" for i in range(len(children)))}</hkparam></hkobject>\n')
    return out + "".join(f'<hkobject name="#{first + i}" class="hkbBlenderGeneratorChild"><hkparam name="generator">{each}</hkparam><hkparam '
                         f'name="weight">1</hkparam></hkobject>\n' for i, each in enumerate(children))


def events_that_answer(machines):
    """Machines side by side, each of which sends the event that all wait for."""
    notify = ('<hkobject name="#90" class="hkbStateMachineEventPropertyArray"><hkparam name="events" numelements="1"><hkobject><hkparam '
              'name="id">0</hkparam></hkobject></hkparam></hkobject>\n')
    rows = transitions("#91", [transition(0, 1)]) + transitions("#92", [transition(0, 0)]) + clip("#93")
    each = lambda i: machine(f"#{3 * i + 1000}", [f"#{3 * i + 1001}", f"#{3 * i + 1002}"]) + live_state(
        f"#{3 * i + 1001}", "#93", 0, "#91", "#90") + live_state(f"#{3 * i + 1002}", "#93", 1, "#92", "#90")
    names = [f"#{3 * i + 1000}" for i in range(machines)]
    return graph("#10", notify + rows + blender("#10", names, 3 * machines + 2000) + "".join(map(each, range(machines))), EVENTS)


def many_transitions(states):
    """One machine: each state has the same list of transitions, to all states."""
    rows = transitions("#91", [transition(0, i) for i in range(states)])
    body = machine("#10", [f"#{i + 100}" for i in range(states)]) + "".join(live_state(f"#{i + 100}", "null", i, "#91") for i in range(states))
    return graph("#10", rows + body, EVENTS)


def fast_triggers(clips):
    """Clips that play at an enormous speed, with a trigger at every moment."""
    triggers = ('<hkobject name="#90" class="hkbClipTriggerArray"><hkparam name="triggers" numelements="200">' + '<hkobject><hkparam '
                'name="localTime">0</hkparam><hkparam name="event"><hkobject><hkparam name="id">0</hkparam></hkobject></hkparam></hkobject>' * 200 +
                "</hkparam></hkobject>\n")
    one = lambda name: (f'<hkobject name="{name}" class="hkbClipGenerator"><hkparam name="name">c</hkparam><hkparam name="triggers">#90'
                        '</hkparam><hkparam name="playbackSpeed">3e38</hkparam><hkparam name="mode">MODE_LOOPING</hkparam></hkobject>\n')
    names = [f"#{i + 1000}" for i in range(clips)]
    return graph("#10", triggers + blender("#10", names, clips + 2000) + "".join(map(one, names)), EVENTS)


def long_names(count, length):
    """Clips below one blender whose name, and whose animation's, is long; the blender shares one of them."""
    name = "n" * length
    one = (f'<hkobject name="#1000" class="hkbClipGenerator"><hkparam name="name">{name}</hkparam><hkparam name="animationName">{name}.hkx'
           '</hkparam></hkobject>\n')
    return graph("#10", one + blender("#10", ["#1000"] * count, 2000), EVENTS)


def long_machine(count, length):
    states = [f"#{i + 100}" for i in range(count)]
    rows = transitions("#91", [transition(7, 2 * count)] * 20)
    body = machine("#10", states).replace(">m#10<", f">{'m' * length}<") + "".join(live_state(each, "null", 0, "#91") for each in states)
    return graph("#10", rows + body, EVENTS)


def expressions(count, text):
    rows = "".join('<hkobject><hkparam name="expression">' + text + "</hkparam></hkobject>" for _ in range(count))
    return graph("null", f'<hkobject name="#20" class="hkbExpressionDataArray"><hkparam name="expressionsData" numelements="{count}">{rows}'
                 '</hkparam></hkobject>\n<hkobject name="#21" class="hkbEvaluateExpressionModifier"><hkparam name="expressions">#20</hkparam>'
                 "</hkobject>\n", EVENTS)


def conditions(count, text):
    body = f'<hkobject name="#20" class="hkbExpressionCondition"><hkparam name="expression">{text}</hkparam></hkobject>\n'
    rows = transitions("#91", [transition(0, 1, '<hkparam name="condition">#20</hkparam>').replace("FLAG_DISABLE_CONDITION", "0")] * count)
    notify = ('<hkobject name="#90" class="hkbStateMachineEventPropertyArray"><hkparam name="events" numelements="1"><hkobject><hkparam '
              'name="id">0</hkparam></hkobject></hkparam></hkobject>\n')
    return graph("#10", body + rows + notify + machine("#10", ["#11", "#12"]) + live_state("#11", "null", 0, "#91", "#90") +
                 live_state("#12", "null", 1), EVENTS)


def asked_often(count, text):
    """Two states that answer each other, and an unanswered transition in front whose condition is long."""
    body = f'<hkobject name="#20" class="hkbExpressionCondition"><hkparam name="expression">{text} == 0</hkparam></hkobject>\n'
    asked = transition(0, 1, '<hkparam name="condition">#20</hkparam>').replace("FLAG_DISABLE_CONDITION", "0")
    notify = ('<hkobject name="#90" class="hkbStateMachineEventPropertyArray"><hkparam name="events" numelements="1"><hkobject><hkparam '
              'name="id">0</hkparam></hkobject></hkparam></hkobject>\n')
    rows = transitions("#91", [asked] * count + [transition(0, 1)]) + transitions("#92", [asked] * count + [transition(0, 0)])
    return graph("#10", body + rows + notify + machine("#10", ["#11", "#12"]) + live_state("#11", "null", 0, "#91", "#90") +
                 live_state("#12", "null", 1, "#92", "#90"), EVENTS)


def bindings(count, path):
    rows = (f'<hkobject><hkparam name="memberPath">{path}</hkparam><hkparam name="variableIndex">0</hkparam></hkobject>') * count
    return graph("#10", '<hkobject name="#10" class="hkbClipGenerator"><hkparam name="variableBindingSet">#11</hkparam><hkparam name="name">c'
                 f'</hkparam></hkobject>\n<hkobject name="#11" class="hkbVariableBindingSet"><hkparam name="bindings" numelements="{count}">{rows}'
                 "</hkparam></hkobject>\n", EVENTS)


def shared_binding_set(clips, count):
    rows = '<hkobject><hkparam name="memberPath">playbackSpeed</hkparam><hkparam name="variableIndex">0</hkparam></hkobject>' * count
    names = [f"#{i + 1000}" for i in range(clips)]
    one = lambda name: (f'<hkobject name="{name}" class="hkbClipGenerator"><hkparam name="variableBindingSet">#11</hkparam><hkparam name="name">c'
                        '</hkparam></hkobject>\n')
    return graph("#10", f'<hkobject name="#11" class="hkbVariableBindingSet"><hkparam name="bindings" numelements="{count}">{rows}</hkparam>'
                 "</hkobject>\n" + blender("#10", names, clips + 2000) + "".join(map(one, names)), EVENTS)


def shared_triggers(clips, count):
    triggers = (f'<hkobject name="#90" class="hkbClipTriggerArray"><hkparam name="triggers" numelements="{count}">' + '<hkobject><hkparam '
                'name="localTime">0</hkparam><hkparam name="event"><hkobject><hkparam name="id">0</hkparam></hkobject></hkparam></hkobject>' * count +
                "</hkparam></hkobject>\n")
    names = [f"#{i + 1000}" for i in range(clips)]
    one = lambda name: f'<hkobject name="{name}" class="hkbClipGenerator"><hkparam name="name">c</hkparam><hkparam name="triggers">#90</hkparam></hkobject>\n'
    return graph("#10", triggers + blender("#10", names, clips + 2000) + "".join(map(one, names)), EVENTS)


def repeated_behavior_attacks(n):
    graph_verbs = (*GRAPH, ["behavior", "find", "--event", "e"])
    yield "events that answer each other", ".xml", events_that_answer(n(1000)), graph_verbs
    yield "transitions that all states share", ".xml", many_transitions(n(3000)), graph_verbs
    yield "clips at an enormous speed", ".xml", fast_triggers(n(500)), graph_verbs
    yield "triggers that all clips share", ".xml", shared_triggers(n(3000), n(3000)), graph_verbs
    yield "bindings that all clips share", ".xml", shared_binding_set(n(3000), n(3000)), graph_verbs
    yield "a long name of a clip that is played often", ".xml", long_names(n(3000), n(400000)), graph_verbs
    yield "a long name of a machine with many faults", ".xml", long_machine(n(3000), n(400000)), graph_verbs
    yield "words of an expression that nobody knows", ".xml", expressions(1, "x y " * n(100000)), graph_verbs
    yield "expressions of many words", ".xml", expressions(n(300), "x y " * n(1000)), graph_verbs
    yield "a condition in parentheses", ".xml", conditions(n(3000), "(" * n(100000)), graph_verbs
    yield "a condition of many words", ".xml", conditions(n(3000), "1 + " * n(100000) + "1"), graph_verbs
    yield "bindings to long paths", ".xml", bindings(n(3000), "a/" * 200 + "b:0"), graph_verbs
    # Conditions that every event asks again.
    yield "conditions that are asked often", ".xml", asked_often(n(200), "1 + " * n(5000) + "1"), graph_verbs
    yield "a chain of generators", ".xml", graph("#1000", "".join(
        f'<hkobject name="#{i + 1000}" class="hkbModifierGenerator"><hkparam name="name">m</hkparam><hkparam name="generator">'
        f'{f"#{i + 1001}" if i + 1 < n(10000) else "null"}</hkparam></hkobject>\n' for i in range(n(10000))), EVENTS), graph_verbs


# --- binary tagfiles whose types have one name
def word(number):
    if number < 128:
        return bytes([number])
    return bytes([0x80 | number >> 8, number & 255]) if number < 0x4000 else bytes([0xC0 | number >> 16, number >> 8 & 255, number & 255])


def types_of_one_name(count):
    names = [b"hkRootLevelContainer"]
    record = lambda index: word(index) + word(0) + word(0x29) + word(7) + word(4) + word(4) + word(0)
    bodies = b"".join(record(i + 1) for i in range(count))
    items = [(0, 0, 0)] + [(0x10000000 | i + 1, 0, 1) for i in range(count)]
    return tagfile(bytes(64), names, [b"a"], bodies, word(count + 1) + (word(0) + word(0)) * count, items)


def parents_in_a_chain(count):
    names = [b"hkRootLevelContainer"] + [b"t%d" % i for i in range(count)]
    bodies = b"".join(word(i + 1) + word(i + 2 if i + 1 < count else 0) + word(0x29) + word(7) + word(4) + word(4) + word(0) for i in range(count))
    types = word(count + 1) + b"".join(word(i) + word(0) for i in range(count))
    return tagfile(bytes(64), names, [b"a"], bodies, types, [(0, 0, 0), (0x10000001, 0, 1)])


def tag_type_attacks(n):
    yield "types of a tagfile with one name", ".hkt", types_of_one_name(n(8000)), (*READ, ["dump", "-o", "{out}"])
    yield "parents of types in a chain", ".hkt", parents_in_a_chain(n(8000)), READ


# --- names that are one, in files of other programs
def gltf_of(**parts):
    return json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], **parts}, separators=(",", ":"))


def name_attacks(n):
    keys = "data:application/octet-stream;base64," + base64.b64encode(struct.pack("<8f", 0, 0.1, 0, 0, 0, 1, 1, 1)).decode()
    animation = {"name": "a", "samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}]}
    yield "animations of glTF with one name", ".gltf", gltf_of(
        nodes=[{"name": "b"}], skins=[{"joints": [0]}], animations=[animation] * n(10000), buffers=[{"byteLength": 32, "uri": keys}],
        bufferViews=[{"buffer": 0, "byteLength": 8}, {"buffer": 0, "byteOffset": 8, "byteLength": 24}],
        accessors=[{"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [0.1]},
                   {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}]), (*MOTION, ["convert", "--format", "hkx", "-o", "{out}/"])
    nodes = [{"name": "b", "children": list(range(1, n(40000)))}] + [{"name": "b"}] * (n(40000) - 1)
    yield "bones of glTF with one name", ".gltf", gltf_of(nodes=nodes, skins=[{"joints": list(range(n(40000)))}]), MOTION
    yield "skins of glTF that share their joints", ".gltf", gltf_of(nodes=nodes, skins=[{"joints": list(range(n(40000)))}] + [
        {"joints": [0]}] * n(5000)), MOTION
    yield "groups of an OBJ with one name", ".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" + "o x\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n" * n(20000), (
        ["info"], ["check"], ["collision", "build", "--shape", "compound", "-o", "{out}.hkx"], ["convert", "-o", "{out}.glb"])
    joints = "JOINT j\n{\nOFFSET 0 0 1\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 0 1\n}\n}\n" * n(20000)
    yield "joints of BVH with one name", ".bvh", ("HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n" + joints +
                                                 "}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n"), MOTION


# --- clips that say little and write much
def long_bone(length, frames):
    pose = "(0 0 0)(0 0 0 1)(1 1 1)"
    return (HEAD.replace("hkbBehaviorGraph", "hkaAnimationContainer") +
            '<hkobject name="#0002" class="hkaAnimationContainer"><hkparam name="skeletons" numelements="1">#0003</hkparam><hkparam '
            'name="animations" numelements="1">#0004</hkparam><hkparam name="bindings" numelements="1">#0005</hkparam></hkobject>\n'
            '<hkobject name="#0003" class="hkaSkeleton"><hkparam name="name">s</hkparam><hkparam name="parentIndices" numelements="1">-1'
            f'</hkparam><hkparam name="bones" numelements="1"><hkobject><hkparam name="name">{"b" * length}</hkparam></hkobject></hkparam>'
            f'<hkparam name="referencePose" numelements="1">{pose}</hkparam></hkobject>\n'
            '<hkobject name="#0004" class="hkaInterleavedUncompressedAnimation"><hkparam name="duration">1</hkparam><hkparam name='
            f'"numberOfTransformTracks">1</hkparam><hkparam name="transforms" numelements="{frames}">{pose * frames}</hkparam></hkobject>\n'
            '<hkobject name="#0005" class="hkaAnimationBinding"><hkparam name="animation">#0004</hkparam><hkparam '
            'name="transformTrackToBoneIndices" numelements="1">0</hkparam></hkobject>\n' + TAIL)


def clip_attacks(n):
    yield "a long name of a bone", ".xml", long_bone(n(1_000_000), n(5000)), (
        ["info"], ["check"], ["sample", "-o", "{out}.csv"], ["convert", "-o", "{out}.glb"], ["convert", "--format", "anvil-standard", "-o", "{out}.xml"])


# --- Anvil skeletons
def rig(bones, name="B{}", parent=lambda i: i - 1, modifiers=1, identity=lambda i: 1000 + 100 * i):
    text = ('<?xml version="1.0" encoding="utf-8"?>\n<?info tool="AnvilToolkit" toolVersion="1.2.10" type="1"?>\n<Object ID="1" Type="Skeleton">'
            '<DynamicSmallArray Name="Bones" Type="ObjectPtr">')
    for i in range(bones):
        above = (f'<ObjectPtr Name="FatherBone" PointerType="Link"><Link Name="FatherBone" Path="{identity(parent(i))}">{identity(parent(i))}'
                 '</Link></ObjectPtr>' if parent(i) >= 0 else '<ObjectPtr Name="FatherBone" PointerType="Null" />')
        own = "".join(f'<ObjectPtr ID="{identity(i) + 1 + k}" Type="BallJointBoneModifier" PointerType="Inlined"><Float Name="Mass">1</Float></ObjectPtr>'
                      for k in range(modifiers))
        text += (f'<ObjectPtr ID="{identity(i)}" Type="Bone" PointerType="Inlined"><Hash32 Name="BoneID" HashValue="{name.format(i)}">{i}</Hash32>{above}'
                 f'<DynamicSmallArray Name="Modifiers" Type="ObjectPtr">{own}</DynamicSmallArray></ObjectPtr>')
    return text + ('</DynamicSmallArray><ObjectPtr Name="RootBone" PointerType="Link"><Link Name="RootBone" Path="1000">1000</Link></ObjectPtr></Object>')


def rig_attacks(n):
    verbs = (["info"], ["check"], ["rig", "list"], ["convert", "-o", "{out}.glb"], ["convert", "--format", "anvil-schema", "-o", "{out}.xml"],
             ["simulate", "--seconds", "0.05", "-o", "{out}.csv"], ["rig", "extract-modifiers", "-o", "{out}.json"])
    yield "a chain of Anvil bones", ".xml", rig(n(5000), modifiers=0), verbs
    yield "Anvil bones of one name", ".xml", rig(n(5000), "B", lambda i: 0 if i else -1), verbs
    yield "Anvil bones of one id", ".xml", rig(n(5000), "B", lambda i: 0 if i else -1, identity=lambda i: 1000), verbs
    yield "Anvil bones that hang on each other", ".xml", rig(n(5000), parent=lambda i: (i + 1) % n(5000), modifiers=0), verbs
    yield "modifiers of one Anvil bone", ".xml", rig(1, modifiers=n(20000)), verbs
    yield "a long name of an Anvil bone", ".xml", rig(n(2000), "n" * 500 + "{}", lambda i: 0 if i else -1), verbs


# --- archives
def bsa(version, folders, files, flags=3, names=True):
    """folders: a count that is stated; files: (size, offset, bytes) of one folder."""
    body = b"".join(struct.pack("<QII", i, size, offset) for i, (size, offset) in enumerate(files))
    record = struct.pack("<QIIQ", 1, len(files), 0, 0) if version == 105 else struct.pack("<QII", 1, len(files), 0)
    text = b"".join(b"f%d.hkx\0" % i for i in range(len(files)))
    start = 36 + len(record)
    record = record[:-8] + struct.pack("<Q", start + len(text)) if version == 105 else record[:-4] + struct.pack("<I", start + len(text))
    return (b"BSA\0" + struct.pack("<8I", version, 36, flags, 1, len(files), 2, len(text), 0) + record + b"\x02m\0" + body + text)


def archive_attacks(n):
    verbs = (["archive", "list"], ["archive", "check"], ["archive", "extract", "-o", "{out}"], ["info"], ["check"])
    count = n(20000)
    size = 36 + 24 + 3 + 16 * count + sum(len(b"f%d.hkx\0" % i) for i in range(count))
    for packed in (0, 4):
        data = struct.pack("<I", 2**31 - 1) + b"\x04\x22\x4d\x18\x60\x40\x82" + bytes(n(200000))
        yield f"files of a BSA at one place, flags {packed}", ".bsa", bsa(105, 1, [(len(data), size)] * count, 3 | packed) + data, verbs
    chunks = b"".join(struct.pack("<QIIHHI", 200, 20, 2**31 - 1, 0, 15, 0xBAADF00D) for _ in range(255))
    textures = b"".join(struct.pack("<I4sIBBHHHBBH", i, b"dds\0", 0, 0, 255, 24, 65535, 65535, 16, 98, 0) + chunks for i in range(n(200)))
    head = b"BTDX" + struct.pack("<I4sIQ", 1, b"DX10", n(200), 24 + len(textures))
    yield "chunks of textures in a BA2", ".ba2", head + textures + b"".join(struct.pack("<H", 5) + b"%05d" % i for i in range(n(200))), verbs
    plain = bytes(n(300000))
    many = [(0, 0, len(plain))] * n(3000)
    yield "plain entries of a BA2 at one place", ".ba2", ba2(many, [b"meshes\\%d.hkx" % i for i in range(len(many))], plain), verbs


# --- caches that name one thing often
def cache_attacks(n):
    verbs = (["info"], ["check"], ["cache", "list"], ["cache", "check"])
    clips = ["Clip", "1", "1", "0", "0", "1", "Event:0.5", ""] * n(20000)
    motion = ["1", "1", "1", "1 0 0 0", "1", "1 0 0 0 1", ""] * n(20000)
    block = ["1", "1", "Behaviors\\A.hkx", "1", *clips]
    yield "clips and motions of one number in a cache", ".txt", "\n".join(
        ["1", "A.txt", str(len(block)), *block, str(len(motion)), *motion, ""]), verbs
    name = "n" * n(300000)
    block = ["1", "1", name, "0"]
    yield "a long name in a cache", ".txt", "\n".join(["2", name, name, str(len(block)), *block, str(len(block)), *block, ""]), verbs
    sets = [str(n(20000))] + ["FullBody.txt"] * n(20000)
    each = ["V3", "0", "0", "0", "0"]
    yield "sets of one name in a cache", ".txt", "\n".join(["1", "AData\\A.txt", *sets, *each * n(20000), ""]), verbs


def attacks(n):
    for group in (body_attacks, shared_collision_attacks, repeated_behavior_attacks, tag_type_attacks, name_attacks, clip_attacks,
                  rig_attacks, archive_attacks, cache_attacks):
        yield from group(n)
