# SPDX-License-Identifier: MIT
"""What the tests inside Blender share: the add-on, real and made files, comparison with what `marrow sample` prints."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
for folder in ("python", "blender"):
    sys.path.insert(0, os.environ.get("MARROW_" + folder.upper(), str(ROOT / folder)))

import bpy  # noqa: E402
import numpy  # noqa: E402

import marrow  # noqa: E402
import marrow_addon  # noqa: E402

PROGRAM = os.environ.get("MARROW_PROGRAM", str(ROOT / "build" / "bin" / "marrow"))
CORPUS = pathlib.Path(os.environ.get("MARROW_CORPUS", ROOT.parent / "shared" / "corpus"))
SCRATCH = pathlib.Path(tempfile.mkdtemp(prefix="marrow-blender-"))
os.environ["BLENDER_USER_SCRIPTS"] = str(SCRATCH / "scripts")  # presets that tests make
#: Limits of the promise: units of the game, and degrees.
DISTANCE, ANGLE = 1e-4, 1e-3


def start():
    """Empties the file and registers the add-on."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if not hasattr(bpy.types.Action, "marrow"):
        marrow_addon.register()
    bpy.context.scene.render.fps = 30


def corpus(*parts):
    """Returns a real file, or None with a line that says so."""
    path = CORPUS.joinpath(*parts)
    if path.is_file():
        return path
    print(f"SKIPPED: {path} is not there")
    return None


def program(*arguments):
    """Runs the program; returns what it prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise AssertionError(f"marrow {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def sampled(path, skeleton, frames, space="local"):
    """Returns what `marrow sample` prints: one array of tracks by ten per frame."""
    words = ["sample", path, "--frames", ",".join(repr(float(frame)) for frame in frames), "--space", space, "--json"]
    report = json.loads(program(*words, "--skeleton", skeleton))[0]
    out, first = {}, report["columns"].index("tx")
    for row in report["rows"]:
        out.setdefault(row[0], []).append(row[first : first + 10])
    return [numpy.array(out[frame]) for frame in sorted(out)]


def in_model_space(parents, local):
    """Returns positions and rotations of local transforms, in double precision."""
    from marrow._blender_rest import model_rest

    made = model_rest(parents, local)
    return made.positions, made.rotations


def angle_between(a, b):
    """Returns the angles between quaternions x y z w, in degrees."""
    a = a / numpy.linalg.norm(a, axis=-1, keepdims=True)
    b = b / numpy.linalg.norm(b, axis=-1, keepdims=True)
    b = numpy.where(numpy.sum(a * b, axis=-1, keepdims=True) < 0, -b, b)
    return numpy.degrees(4.0 * numpy.arcsin(numpy.minimum(numpy.linalg.norm(a - b, axis=-1) / 2.0, 1.0)))


def seen_pose(owner, skeleton, frame):
    """Returns where Blender shows the bones, in model space of the game: positions and rotations."""
    from marrow_addon import armature

    scene = bpy.context.scene
    scene.frame_set(int(frame // 1), subframe=frame % 1)
    names = armature.game_names(owner)
    pose = owner.evaluated_get(bpy.context.evaluated_depsgraph_get()).pose
    matrices = numpy.array([pose.bones[names[bone.name]].matrix for bone in skeleton])
    turns = marrow.blender.from_matrix(matrices[:, :3, :3] / numpy.linalg.norm(matrices[:, :3, :3], axis=1)[:, None, :])
    axes = numpy.array(json.loads(owner.data.marrow.axes))
    turns = marrow.blender.quaternion_product(turns, marrow.blender.inverse(axes))
    return matrices[:, :3, 3] / owner.data.marrow.scale, turns


def run(*tests):
    """Runs tests and ends Blender with 1 if one fails."""
    failures = 0
    for test in tests:
        start()
        try:
            test()
            print(f"ok: {test.__name__.replace('_', ' ')}")
        except Exception:
            failures += 1
            traceback.print_exc()
            print(f"FAILED: {test.__name__.replace('_', ' ')}")
    print(f"Blender {bpy.app.version_string}: {len(tests)} tests, {failures} failed")
    sys.stdout.flush()
    sys.exit(1 if failures else 0)
