# SPDX-License-Identifier: MIT
"""Makes the body of the pictures of docs/bodies.md and takes them: from .nif to .nif through Blender. By hand, in two runs:

    blender -b --factory-startup --python scripts/draw_body.py -- make MARROW SKELETON.hkx LIKE.nif FOLDER
    xvfb-run -s "-screen 0 1120x700x24" blender --factory-startup --enable-event-simulate --window-geometry 0 0 1120 700 \\
        --python scripts/draw_body.py -- show MARROW SKELETON.hkx CLIP.hkx FOLDER

The skeleton and the clip are those of `example_walk_cycle`, LIKE.nif is a skinned body of `write_bodies`.
"""
import os
import pathlib
import subprocess
import sys
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[1]
for folder in ("python", "blender"):
    sys.path.insert(0, str(ROOT / folder))

import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

import marrow_addon  # noqa: E402

WORDS = sys.argv[sys.argv.index("--") + 1 :]
HOW, MARROW, SKELETON, OTHER, FOLDER = *WORDS[:4], pathlib.Path(WORDS[4])
#: Thickness of the parts of the figure, in units of the game; the first that is in a bone's name counts.
THICK = (("Thigh", 7.5), ("Calf", 5.5), ("Foot", 4.5), ("Toe", 3.5), ("UpperArm", 4.5), ("Forearm", 3.8), ("Hand", 3.5),
         ("Clavicle", 5.0), ("Spine", 10.5), ("Pelvis", 9.5), ("COM", 9.5), ("Neck", 5.0), ("Head", 8.5))


def only(*owners):
    bpy.ops.object.select_all(action="DESELECT")
    for each in owners:
        each.select_set(True)
    bpy.context.view_layer.objects.active = owners[0]


def make():
    """Grows a figure around the bones, lets Blender weight it, and makes a NIF of it with `body new`."""
    assert bpy.ops.marrow.import_files(filepath=SKELETON, units="metre") == {"FINISHED"}
    rig = bpy.context.object
    scale = rig.data.marrow.scale
    ball = bpy.data.metaballs.new("Figure")
    ball.resolution, ball.threshold = 2.2 * scale, 0.1
    figure = bpy.data.objects.new("Figure", ball)
    bpy.context.collection.objects.link(figure)
    for bone in rig.data.bones:
        size = next((size for name, size in THICK if name in bone.name), None)
        if size is None or "Hair" in bone.name or "Twist" in bone.name:
            continue
        ends = [child.head_local for child in bone.children if any(name in child.name for name, _ in THICK)] or [bone.tail_local]
        for end in ends:
            for step in range(6):
                grown = ball.elements.new()
                grown.co = bone.head_local.lerp(end, step / 6.0)
                grown.radius = size * scale * 1.15
                grown.stiffness = 4.0
    only(figure)
    bpy.ops.object.convert(target="MESH")
    figure = bpy.context.object
    figure.name = figure.data.name = "Sheet"
    reduce = figure.modifiers.new("Reduce", "DECIMATE")
    reduce.ratio = min(6000 / max(len(figure.data.polygons), 1), 1.0)
    bpy.ops.object.modifier_apply(modifier=reduce.name)
    bpy.ops.object.shade_smooth()
    figure.data.uv_layers.new(name="UVMap")
    figure.select_set(True)
    rig.select_set(True)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    bpy.ops.export_scene.gltf(filepath=str(FOLDER / "figure.glb"), use_selection=True)
    words = [MARROW, "body", "new", FOLDER / "figure.glb", "--like", OTHER, "--skeleton", SKELETON, "-o", FOLDER / "figure.nif"]
    subprocess.run(words, check=True)


def view():
    return next(area for area in bpy.context.window_manager.windows[0].screen.areas if area.type == "VIEW_3D")


def close(kind):
    def now():
        window = bpy.context.window_manager.windows[0]
        area = next(each for each in window.screen.areas if each.type == kind)
        with bpy.context.temp_override(window=window, screen=window.screen, area=area, region=area.regions[-1]):
            bpy.ops.screen.area_close()

    return now


def arrange():
    space = view().spaces.active
    space.show_region_ui, space.show_gizmo, space.overlay.show_cursor, space.overlay.show_floor = True, False, False, False
    bpy.context.preferences.themes[0].view_3d.space.gradients.background_type = "SINGLE_COLOR"


def look(target, distance, direction):
    region = view().spaces.active.region_3d
    region.view_perspective, region.view_location, region.view_distance = "PERSP", target, distance
    region.view_rotation = Vector(direction).to_track_quat("Z", "Y")


def show():
    """Shows the body on its armature, in a step of the clip."""
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)
    bpy.ops.marrow.import_files(filepath=str(FOLDER / "figure.nif"), skeleton=SKELETON)
    rig = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    only(rig)
    bpy.ops.marrow.import_files(filepath=OTHER, root_motion="apart")
    bpy.context.scene.frame_set(8)
    rig.show_in_front = False
    rig.data.display_type = "STICK"
    figure = next(each for each in bpy.data.objects if each.marrow.role == "shape")
    only(figure)
    bpy.ops.marrow.check_body()
    view().spaces.active.shading.light = "STUDIO"
    look((0.0, 0.0, 6.3), 22.0, (0.9, 0.85, 0.15))


def edit():
    """Gives the figure a larger head, as an edit in Blender, and exports it."""
    figure = next(each for each in bpy.data.objects if each.marrow.role == "shape")
    for vertex in figure.data.vertices:
        share = max(0.0, min(1.0, (vertex.co.z - 11.0) / 1.2))
        neck = Vector((0.0, 0.2, 11.0))
        vertex.co = neck + (vertex.co - neck) * (1.0 + 0.5 * share * share * (3.0 - 2.0 * share))
    figure.data.update()
    only(figure)
    bpy.ops.marrow.export_body(filepath=str(FOLDER / "figure_edited.nif"))


def controls():
    """Shows the control rig on the armature."""
    rig = next(each for each in bpy.data.objects if each.type == "ARMATURE")
    only(rig)
    bpy.ops.marrow.add_control_rig()
    for each in bpy.data.objects:
        if each.marrow.role == "shape":
            each.display_type = "WIRE"
    rig.show_in_front = True
    bpy.ops.object.mode_set(mode="POSE")
    for bone in rig.data.bones:
        bone.select = bone.name == "CTL Foot.L"
        bone.hide = bone.hide or not bone.name.startswith(("CTL", "POLE"))
    bpy.context.scene.frame_set(8)


def mouse(x, y, press=True):
    def now():
        window = bpy.context.window_manager.windows[0]
        window.event_simulate(type="MOUSEMOVE", value="NOTHING", x=x, y=y)
        if press:
            window.event_simulate(type="LEFTMOUSE", value="PRESS", x=x, y=y)
            window.event_simulate(type="LEFTMOUSE", value="RELEASE", x=x, y=y)

    return now


def shoot(name):
    return lambda: bpy.ops.screen.screenshot(filepath=str(FOLDER / name))


def run(steps):
    """Takes one step after the other, with time for Blender to draw in between."""
    def next_step():
        try:
            steps.pop(0)()
        except BaseException:
            traceback.print_exc()
            sys.stdout.flush()
            os._exit(1)
        return 2.0 if steps else None

    bpy.app.timers.register(next_step, first_interval=1.0)


marrow_addon.register()
if HOW == "make":
    make()
else:
    bpy.context.preferences.view.show_splash = False
    run([close("OUTLINER"), close("PROPERTIES"), close("DOPESHEET_EDITOR"), arrange, show, mouse(1107, 451), mouse(450, 300, False),
         shoot("blender-body.png"), edit, mouse(451, 300, False), shoot("blender-body-edited.png"), controls, mouse(450, 301, False),
         shoot("blender-control-rig.png"), bpy.ops.wm.quit_blender])
