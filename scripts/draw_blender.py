# SPDX-License-Identifier: MIT
"""Takes the pictures of docs/blender.md. Run in a window, by hand (an X server, or Xvfb):

    xvfb-run -s "-screen 0 1120x700x24" blender --factory-startup --window-geometry 0 0 1120 700 \\
        --python scripts/draw_blender.py -- CLIP.hkx SKELETON.hkx COLLISION.nif FOLDER

In the repository they are of `make demo` (walk-hair.hkx and its skeleton) and of examples/ragdoll:

    tests/e2e/sample_nif.py FIGURE.nif examples/ragdoll/figure.gltf
    marrow collision ragdoll examples/ragdoll/figure.gltf examples/ragdoll/figure.csv -o RAGDOLL.hkx
    marrow collision attach FIGURE.nif RAGDOLL.hkx -o COLLISION.nif
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
for folder in ("python", "blender"):
    sys.path.insert(0, str(ROOT / folder))

import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

import marrow_addon  # noqa: E402

CLIP, SKELETON, COLLISION, FOLDER = sys.argv[sys.argv.index("--") + 1 :][:4]
#: Where the tab of the sidebar is in a window of 1120 by 700.
TAB = ("1107", "325")

COLOURS = {"left": (0.25, 0.5, 0.85), "right": (0.9, 0.4, 0.18), "middle": (0.85, 0.7, 0.37), "hair": (0.2, 0.68, 0.56)}


def areas(kind):
    return [area for area in bpy.context.window_manager.windows[0].screen.areas if area.type == kind]


def close(kind):
    def now():
        window, area = bpy.context.window_manager.windows[0], areas(kind)[0]
        with bpy.context.temp_override(window=window, screen=window.screen, area=area, region=area.regions[-1]):
            bpy.ops.screen.area_close()

    return now


def arrange():
    """Shows the view on a plain ground, with its sidebar."""
    view = areas("VIEW_3D")[0].spaces.active
    view.show_region_ui, view.show_gizmo, view.overlay.show_cursor, view.overlay.show_floor = True, False, False, False
    bpy.context.preferences.themes[0].view_3d.space.gradients.background_type = "SINGLE_COLOR"


def look(target, distance, direction):
    region = areas("VIEW_3D")[0].spaces.active.region_3d
    region.view_perspective, region.view_location, region.view_distance = "PERSP", target, distance
    region.view_rotation = Vector(direction).to_track_quat("Z", "Y")


def clear():
    for thing in list(bpy.data.objects):
        bpy.data.objects.remove(thing)


def colour_sides(owner):
    """Colours bones by side. Blender 4 has a colour per bone, 3 has groups of bones."""
    for bone in owner.pose.bones:
        kind = "hair" if "Hair" in bone.name else "left" if " L " in bone.name else "right" if " R " in bone.name else "middle"
        if hasattr(owner.pose, "bone_groups"):
            groups = owner.pose.bone_groups
            bone.bone_group = groups.get(kind) or groups.new(name=kind)
            bone.bone_group.color_set, colours = "CUSTOM", bone.bone_group.colors
        else:
            bone.bone.color.palette, colours = "CUSTOM", bone.bone.color.custom
        colours.normal, colours.select, colours.active = COLOURS[kind], (1, 1, 1), (1, 1, 1)


def show_clip():
    """Shows the walk in pose mode, with the sidebar at the Marrow tab."""
    clear()
    bpy.ops.marrow.import_files(filepath=CLIP, skeleton=SKELETON, root_motion="apart")
    owner = bpy.context.object
    bpy.context.scene.frame_set(bpy.context.scene.frame_start + 8)
    bpy.ops.marrow.check()
    bpy.ops.marrow.estimate()
    owner.show_in_front = False
    bpy.ops.object.mode_set(mode="POSE")
    colour_sides(owner)
    for bone in owner.data.bones:
        bone.hide, bone.select = "Root" in bone.name or "COM" in bone.name, False
    thigh = next(bone for bone in owner.data.bones if "R Thigh" in bone.name)
    owner.data.bones.active, thigh.select = thigh, True
    look((0.0, 0.0, 6.1), 18.0, (0.9, 0.75, 0.15))


def show_joint():
    """Shows the ragdoll with the joint of a thigh selected."""
    bpy.ops.object.mode_set(mode="OBJECT")
    clear()
    bpy.ops.marrow.import_files(filepath=COLLISION)
    joints = [each for each in bpy.data.objects if each.marrow.role == "joint"]
    for each in joints:
        each.empty_display_size, each.show_in_front = 0.9, True
    chosen = next((each for each in joints if "Thigh" in each.marrow.joint.body.name), joints[0])
    for each in bpy.data.objects:
        each.select_set(each == chosen)
    bpy.context.view_layer.objects.active = chosen
    areas("VIEW_3D")[0].spaces.active.shading.color_type = "RANDOM"
    look((0.0, 0.0, 6.3), 18.5, (0.5, -1.0, 0.2))


def mouse(*words):
    """Until 4.1 a tab can only be chosen with the mouse."""
    return lambda: subprocess.run(["xdotool", *words], check=False)


def shoot(name):
    def now():
        bpy.ops.screen.screenshot(filepath=str(pathlib.Path(FOLDER) / name))

    return now


def run(steps):
    """Takes one step after the other, with time for Blender to draw in between."""
    def next_step():
        steps.pop(0)()
        return 2.5 if steps else None

    bpy.app.timers.register(next_step, first_interval=1.0)


marrow_addon.register()
bpy.context.preferences.view.show_splash = False
run([close("OUTLINER"), close("PROPERTIES"), close("DOPESHEET_EDITOR"), arrange, show_clip, mouse("mousemove", *TAB), mouse("click", "1"), mouse("mousemove", "450", "600"),
     shoot("blender-panel.png"), show_joint, mouse("mousemove", "451", "600"), shoot("blender-joint.png"), bpy.ops.wm.quit_blender])
