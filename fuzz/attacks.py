#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes files that are aimed at the bounds of SECURITY.md, runs verbs on each and measures time and memory.

    attacks.py MARROW FOLDER [--scale S] [--only NAME]     prints one line per attack and the worst; exit 1 past a bound
    attacks.py --write FOLDER                              only writes the files

The bounds: 2 seconds and 1 per megabyte of the file; 64 MB and 20 times the file, beside the program itself.
"""
import argparse
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import attacks_of_readers
import attacks_of_scenes
import attacks_of_sharing

PROGRAM_MEGABYTES = 30
HEAD = ('<?xml version="1.0" encoding="ascii"?>\n<hkpackfile classversion="{0}" contentsversion="{1}" '
        'toplevelobject="#0001">\n<hksection name="__data__">\n')
TAIL = "</hksection>\n</hkpackfile>\n"
OLD, NEW = HEAD.format(8, "hk_2010.2.0-r1"), HEAD.format(11, "hk_2014.1.0-r1")
READERS = (["info"], ["check"], ["dump", "-o", "{out}"], ["convert", "--format", "hkx", "-o", "{out}"])
CLIPS = (*READERS, ["sample", "--frames", "0", "-o", "{out}"], ["annotations", "list"])
SHAPES = (["collision", "list"], ["collision", "boxes"], ["collision", "export", "-o", "{out}.obj"],
          ["info"], ["check"], ["convert", "-o", "{out}.glb"])


def container(classname="hkaAnimationContainer"):
    return f'<hkobject name="#0001" class="{classname}"></hkobject>\n'


def empty_objects(count):
    objects = "".join(f'<hkobject name="#{i + 10}" class="hkaSkeleton"></hkobject>\n' for i in range(count))
    return OLD + container() + objects + TAIL


def many_animations(count):
    one = ('<hkobject name="#{}" class="hkaInterleavedUncompressedAnimation"><hkparam name="duration">1</hkparam>'
           '<hkparam name="numberOfTransformTracks">1</hkparam></hkobject>\n')
    names = " ".join(f"#{i + 10}" for i in range(count))
    return (OLD + '<hkobject name="#0001" class="hkaAnimationContainer"><hkparam name="animations" '
            f'numelements="{count}">{names}</hkparam></hkobject>\n' + "".join(one.format(i + 10) for i in range(count)) + TAIL)


def chained_objects(count):
    one = ('<hkobject name="#{}" class="hkRootLevelContainer"><hkparam name="namedVariants" numelements="1"><hkobject>'
           '<hkparam name="name">n</hkparam><hkparam name="className">hkRootLevelContainer</hkparam><hkparam '
           'name="variant">#{}</hkparam></hkobject></hkparam></hkobject>\n')
    return NEW + "".join(one.format(f"{i + 1:04}", f"{min(i + 2, count):04}") for i in range(count)) + TAIL


def nested_compounds(depth, children):
    """Compounds whose children all are the next compound: children ** depth of them, in a small file."""
    body = ('<hkobject name="#0001" class="hknpPhysicsSystemData"><hkparam name="materials" numelements="1"><hkobject>'
            '</hkobject></hkparam><hkparam name="bodyCinfos" numelements="1"><hkobject><hkparam name="shape">#0010</hkparam>'
            '<hkparam name="motionId">2147483647</hkparam></hkobject></hkparam></hkobject>\n')
    out = NEW + body
    for level in range(depth):
        instance = f'<hkobject><hkparam name="shape">#{level + 11:04}</hkparam></hkobject>'
        out += (f'<hkobject name="#{level + 10:04}" class="hknpDynamicCompoundShape"><hkparam name="instances"><hkobject>'
                f'<hkparam name="elements" numelements="{children}">{instance * children}</hkparam></hkobject></hkparam>'
                '</hkobject>\n')
    return out + (f'<hkobject name="#{depth + 10:04}" class="hknpSphereShape"><hkparam name="vertices" numelements="4">'
                  '(0 0 0 0)(0 0 0 0)(0 0 0 0)(0 0 0 0)</hkparam></hkobject>\n') + TAIL


TAGFILE = '<?xml version="1.0" encoding="us-ascii"?>\n<hktagfile version="1" sdkversion="hk_2013.1.0-r1">\n'


def shared_records(count):
    """Records that are named often by a record that is named often: count ** 2 copies in a small file."""
    return (TAGFILE + f'<object id="#1" type="hkaSplineCompressedAnimation"><array name="annotationTracks" size="{count}">'
            + "<ref>#2</ref>" * count + '</array></object>\n<object id="#2" type="hkaAnnotationTrack"><array '
            'name="annotations">' + "<ref>#3</ref>" * count + '</array></object>\n<object id="#3" '
            'type="hkaAnnotationTrackAnnotation"><real name="time">x3f800000</real></object>\n</hktagfile>')


def overlapping_arrays(program, folder, count, elements):
    """A packfile whose arrays, each as long as the longest, all lie at the place of that one."""
    pose = "(0 0 0)(0 0 0 1)(1 1 1)"
    names = " ".join(f"#{i + 10}" for i in range(count))
    text = OLD + f'<hkobject name="#0001" class="hkaAnimationContainer"><hkparam name="skeletons" numelements="{count}">{names}' \
        "</hkparam></hkobject>\n"
    for i in range(count):
        length = elements if i == 0 else 1
        text += (f'<hkobject name="#{i + 10}" class="hkaSkeleton"><hkparam name="referencePose" numelements="{length}">'
                 f"{pose * length}</hkparam></hkobject>\n")
    source, packed = folder / "overlap-source.xml", folder / "overlap-source.hkx"
    source.write_text(text + TAIL)
    subprocess.run([program, "convert", str(source), "-o", str(packed), "--to", "skyrim-le", "-q"], capture_output=True)
    data = bytearray(packed.read_bytes())
    sections = struct.unpack_from("<i", data, 0x14)[0]
    for header in range(0x40, 0x40 + 48 * sections, 48):
        if not data[header:].startswith(b"__data__"):
            continue
        start, local, following = struct.unpack_from("<3i", data, header + 20)
        size_of = lambda pointer: struct.unpack_from("<i", data, start + pointer + 4)[0]
        fixups = [(at, *struct.unpack_from("<2i", data, at)) for at in range(start + local, start + following, 8)]
        fixups = [each for each in fixups if each[1] >= 0]
        long_one = next(target for _, pointer, target in fixups if size_of(pointer) == elements)
        for at, pointer, _ in fixups:
            if size_of(pointer) == 1:
                struct.pack_into("<i", data, at + 4, long_one)
                struct.pack_into("<iI", data, start + pointer + 4, elements, elements | 0x80000000)
    return bytes(data)


def gltf(**parts):
    return json.dumps({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], **parts}, separators=(",", ":"))


def faces(count):
    """Triangles that use every vertex, since others are not part of a mesh."""
    return "".join(f"f {i} {i + 1} {i + 2}\n" for i in range(1, count - 1))


def flat_plate(count):
    return "".join(f"v {i % 64} {i // 64} 0\n" for i in range(count)) + faces(count)


def round_plate(count):
    import math
    half = count // 2
    rim = [(math.cos(2 * math.pi * i / half), math.sin(2 * math.pi * i / half)) for i in range(half)]
    text = "".join(f"v {x:.6f} {y:.6f} {z}\n" for z in (0, 0.1) for x, y in rim)
    return text + faces(2 * half)


def ball(count):
    import math
    text, turn = "", math.pi * (3 - math.sqrt(5))
    for i in range(count):
        z = 1 - 2 * (i + 0.5) / count
        r = math.sqrt(1 - z * z)
        text += f"v {r * math.cos(turn * i):.6f} {r * math.sin(turn * i):.6f} {z:.6f}\n"
    return text + faces(count)


SEEDS = pathlib.Path(__file__).resolve().parent / "seeds"
RIG_SCRIPT = (["rig", "edit", str(SEEDS / "anvil/ball_joint.xml"), "{in}", "-o", "{out}.xml"],)
HULL = (["collision", "build", "--shape", "hull", "-o", "{out}.hkx"],)


def attacks(scale, program=None, folder=None):
    """(name, extension, content, verbs), each for one way to make little take much. Without the program, those that it
    has to help with are left out."""
    n = lambda count: max(int(count * scale), 4)
    yield "empty objects", ".xml", empty_objects(n(20000)), CLIPS
    yield "many animations", ".xml", many_animations(n(10000)), CLIPS
    yield "chained objects", ".xml", chained_objects(n(12000)), READERS
    yield "nested compounds", ".xml", nested_compounds(40, 2), SHAPES
    yield "wide compounds", ".xml", nested_compounds(3, n(400)), SHAPES
    yield "unknown fields", ".xml", OLD + '<hkobject name="#0001" class="hkaSkeleton">' + "".join(
        f'<hkparam name="x{i}">1</hkparam>' for i in range(n(20000))) + "</hkobject>\n" + TAIL, READERS
    yield "shared records", ".xml", shared_records(n(20000)), CLIPS
    yield "unknown members of a tagfile", ".xml", TAGFILE + '<object id="#1" type="hkaSkeleton">' + "".join(
        f'<int name="u{i}">1</int>' for i in range(n(30000))) + "</object></hktagfile>", READERS
    if program:
        yield "overlapping arrays", ".hkx", overlapping_arrays(program, folder, n(4000), n(20000)), READERS
    json_head = '{"format":"havok-packfile","version":"hk_2010.2.0-r1","pointer_size":4,"root":0,"objects":['
    yield "values of JSON", ".json", json_head + "[]," * n(300000) + "[]]}", READERS
    yield "unknown keys of JSON", ".json", json_head + '{"object":0,"class":"hkaSkeleton","fields":{' + ",".join(
        f'"x{i}":1' for i in range(n(60000))) + "}}]}", READERS
    yield "deep JSON", ".json", json_head + "[" * n(20000), (["info"],)
    yield "nodes of glTF", ".gltf", gltf(nodes=[{"name": "b"}] * n(150000)), (["info"], ["convert", "-o", "{out}.hkx"])
    yield "objects of glTF", ".gltf", gltf(nodes=[{"name": "b"}], extras=[{}] * n(400000)), (["info"],)
    yield "accessor without data", ".gltf", gltf(nodes=[{"mesh": 0}], meshes=[{"primitives": [
        {"attributes": {"POSITION": 0}}]}], accessors=[{"componentType": 5126, "count": 2**31 - 1, "type": "VEC3"}]), (["info"],)
    yield "flat plate", ".obj", flat_plate(n(4093)), HULL
    yield "round plate", ".obj", round_plate(n(4093)), HULL
    yield "ball", ".obj", ball(n(4000)), HULL
    yield "lines of a rig script", ".txt", "".join(f"add-bone Bone{i} --parent Head\n" for i in range(n(20000))), RIG_SCRIPT
    yield "counts of a packfile", ".hkx", bytes.fromhex("57e0e05710c0c010") + struct.pack("<iI", 0, 8) + b"\x04\x01\x00\x01" + \
        struct.pack("<5i", 2**30, 0, 0, 0, 0) + b"hk_2010.2.0-r1\0\xff" + b"\xff" * 4096, READERS
    yield from attacks_of_readers.attacks(n)
    yield from attacks_of_sharing.attacks(n)
    yield from attacks_of_scenes.attacks(n)


def measured(program, words):
    """Runs a command; returns its exit code, the most memory in megabytes and seconds of the processor."""
    script = ("import resource,subprocess,sys\ntry:\n r=subprocess.run(sys.argv[1:],capture_output=True,timeout=120).returncode\n"
              "except subprocess.TimeoutExpired:\n r=124\nu=resource.getrusage(resource.RUSAGE_CHILDREN)\n"
              "print(r,u.ru_maxrss/1024,u.ru_utime+u.ru_stime)")
    run = subprocess.run([sys.executable, "-c", script, program, *words], capture_output=True, text=True)
    code, memory, seconds = run.stdout.split()
    return int(code), float(memory), float(seconds)


def with_input(verb, path, out):
    if "{in}" in verb:
        return [word.format(**{"in": path, "out": out}) for word in verb]
    words = [word.format(out=out) for word in verb]
    verb_words = 2 if verb[0] in ("annotations", "archive", "behavior", "body", "cache", "collision", "rig") else 1
    return [*words[:verb_words], str(path), *words[verb_words:]]


def run_all(program, folder, scale, only):
    worst_time, worst_memory, failed = (0.0, ""), (0.0, ""), 0
    for name, extension, content, verbs in attacks(scale, program, folder):
        if only and only not in name:
            continue
        path = folder / (name.replace(" ", "-").replace(",", "") + extension)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        size = path.stat().st_size / 2**20
        for verb in verbs:
            with tempfile.TemporaryDirectory() as out:
                code, memory, seconds = measured(program, with_input(verb, path, f"{out}/out"))
            what = f"{name}, {' '.join(word for word in verb[:2] if not word.startswith('-'))}"
            wrong = [word for word, is_wrong in (("exit", code not in (0, 1, 2, 3)), ("time", seconds > 2 + size),
                                                 ("memory", memory > PROGRAM_MEGABYTES + 64 + 20 * size)) if is_wrong]
            failed += bool(wrong)
            print(f"{'FAIL ' + ', '.join(wrong) if wrong else 'ok':18} {what}: {size:.2f} MB, exit {code}, {seconds:.2f} s, {memory:.0f} MB",
                  flush=True)
            worst_time, worst_memory = max(worst_time, (seconds, what)), max(worst_memory, (memory, what))
    print(f"worst: {worst_time[0]:.2f} s ({worst_time[1]}), {worst_memory[0]:.0f} MB ({worst_memory[1]}); {failed} past a bound")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--scale", type=float, default=1.0, help="a part of the sizes, for a quick run")
    parser.add_argument("--only", help="attacks with this in their name")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    if given.write:
        for name, extension, content, _ in attacks(given.scale):
            if given.only and given.only not in name:
                continue
            path = given.folder / (name.replace(" ", "-").replace(",", "") + extension)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return 0
    return 1 if run_all(given.program, given.folder, given.scale, given.only) else 0


if __name__ == "__main__":
    sys.exit(main())
