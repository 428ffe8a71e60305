# SPDX-License-Identifier: MIT
"""Draws the pictures of docs/blender.md. Run in a window, by hand (an X server, or Xvfb):

    xvfb-run -s "-screen 0 1600x1000x24" blender --factory-startup --window-geometry 0 0 1600 1000 \\
        --python scripts/draw_blender.py -- CLIP.hkx SKELETON.hkx COLLISION.nif FOLDER

The files are the reader's own; nothing of a game is in the repository but what a picture shows of it.
"""
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
for folder in ("python", "blender"):
    sys.path.insert(0, str(ROOT / folder))

import bmesh  # noqa: E402
import bpy  # noqa: E402
from mathutils import Vector  # noqa: E402

import marrow_addon  # noqa: E402

CLIP, SKELETON, COLLISION, FOLDER = sys.argv[sys.argv.index("--") + 1 :][:4]
#: Where the tab of the sidebar is in a window of 1600 by 1000.
TAB = ("1306", "355")


def look_at(camera, target, distance, direction):
    place = Vector(target) + Vector(direction).normalized() * distance
    camera.location = place
    camera.rotation_euler = (Vector(target) - place).to_track_quat("-Z", "Y").to_euler()


def octahedron(tip, width):
    """Returns points and faces of a bone from 0 to its tip."""
    along = Vector(tip)
    turn = along.to_track_quat("Y", "Z")
    ring = [turn @ Vector((x, along.length * 0.16, z)) for x, z in ((width, 0), (0, width), (-width, 0), (0, -width))]
    faces = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 1, 4), (5, 1, 2), (5, 2, 3), (5, 3, 4), (5, 4, 1)]
    return [Vector(), *ring, along], faces


def is_of_body(bone):
    return bone.name.startswith("NPC ") and not any(word in bone.name for word in ("Root", "LookNode", "Magic", "Thumb", "Finger", "Twist", "Pauldron"))


def limbs_as_meshes(owner):
    """Gives bones a body for the render, from joint to joint: Blender renders no armatures."""
    bone_material, joint_material = bpy.data.materials.new("Bone"), bpy.data.materials.new("Joint")
    bone_material.diffuse_color, joint_material.diffuse_color = (0.95, 0.83, 0.58, 1.0), (0.86, 0.36, 0.2, 1.0)
    for bone in filter(is_of_body, owner.data.bones):
        back = bone.matrix_local.inverted()
        for child in filter(is_of_body, bone.children):
            tip = back @ child.head_local
            if tip.length > 0.05:
                limb(owner, bone, *octahedron(tip, min(tip.length * 0.13, 0.32)), bone_material)
        mesh = bpy.data.meshes.new("joint")
        made = bmesh.new()
        bmesh.ops.create_icosphere(made, subdivisions=3, radius=0.62 if "Head" in bone.name else 0.17)
        lift = Vector((0.0, 0.45, 0.0)) if "Head" in bone.name else Vector()
        points, faces = [vertex.co + lift for vertex in made.verts], [[v.index for v in face.verts] for face in made.faces]
        made.free()
        bpy.data.meshes.remove(mesh)
        limb(owner, bone, points, faces, bone_material if "Head" in bone.name else joint_material)


def limb(owner, bone, points, faces, material):
    """Makes an object of points in the space of a bone."""
    mesh = bpy.data.meshes.new(bone.name)
    mesh.from_pydata([tuple(point) for point in points], [], faces)
    mesh.materials.append(material)
    mesh.polygons.foreach_set("use_smooth", [len(points) > 6] * len(mesh.polygons))
    body = bpy.data.objects.new(bone.name, mesh)
    bpy.context.scene.collection.objects.link(body)
    body.parent, body.parent_type, body.parent_bone = owner, "BONE", bone.name
    body.location = (0, -bone.length, 0)


def floor(low, high, height):
    """Makes the ground that shadows fall on."""
    mesh = bpy.data.meshes.new("Ground")
    mesh.from_pydata([(low[0], low[1], height), (high[0], low[1], height), (high[0], high[1], height), (low[0], high[1], height)], [], [(0, 1, 2, 3)])
    material = bpy.data.materials.new("Ground")
    material.diffuse_color = (0.16, 0.2, 0.27, 1.0)
    mesh.materials.append(material)
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Ground", mesh))


def render(path, camera_target, distance, direction, size, colours):
    scene = bpy.context.scene
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    look_at(camera, camera_target, distance, direction)
    scene.camera = camera
    scene.render.engine = "BLENDER_WORKBENCH"
    shading = scene.display.shading
    shading.light, shading.color_type, shading.show_shadows, shading.show_cavity = "STUDIO", colours, True, True
    shading.show_object_outline = True
    scene.world = scene.world or bpy.data.worlds.new("World")
    scene.world.color = (0.02, 0.03, 0.05)
    scene.view_settings.view_transform = "Standard"
    scene.display.render_aa = "16"
    scene.render.film_transparent = False
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)


def clear():
    for owner in list(bpy.data.objects):
        bpy.data.objects.remove(owner)


def draw_clip():
    """Renders several moments of the clip side by side."""
    clear()
    bpy.ops.marrow.import_files(filepath=CLIP, skeleton=SKELETON, root_motion="apart")
    owner = bpy.context.object
    limbs_as_meshes(owner)
    end = bpy.context.scene.frame_end
    shown = []
    for place, share in enumerate((0.0, 0.35, 0.7, 1.0)):
        bpy.context.scene.frame_set(int(end * share))
        graph = bpy.context.evaluated_depsgraph_get()
        for child in owner.children:
            mesh = bpy.data.meshes.new_from_object(child.evaluated_get(graph))
            copy = bpy.data.objects.new(child.name, mesh)
            copy.matrix_world = child.evaluated_get(graph).matrix_world
            copy.location.x -= place * 9.0
            bpy.context.scene.collection.objects.link(copy)
            shown.append(copy)
    for child in owner.children:
        child.hide_render = True
    floor((-200, -120), (200, 40), 0.0)
    render(os.path.join(FOLDER, "blender-clip.png"), (-13.5, 0.0, 5.8), 56.0, (0.2, 1.0, 0.16), (1400, 560), "MATERIAL")


def draw_collision():
    clear()
    bpy.ops.marrow.import_files(filepath=COLLISION)
    for owner in bpy.data.objects:
        owner.hide_render = owner.marrow.system > 0  # the bumper around the whole character
    points = [owner.matrix_world @ Vector(corner) for owner in bpy.data.objects if owner.type == "MESH" and not owner.hide_render for corner in owner.bound_box]
    low = Vector([min(point[i] for point in points) for i in range(3)])
    high = Vector([max(point[i] for point in points) for i in range(3)])
    render(os.path.join(FOLDER, "blender-collision.png"), (low + high) / 2, (high - low).length * 1.75, (0.5, 1.0, 0.2), (1000, 800), "RANDOM")


def show_panel():
    """Opens the sidebar at the Marrow tab, with an armature posed in the view."""
    clear()
    bpy.ops.marrow.import_files(filepath=CLIP, skeleton=SKELETON, root_motion="apart")
    owner = bpy.context.object
    bpy.context.scene.frame_set(int(bpy.context.scene.frame_end * 0.35))
    bpy.ops.marrow.check()
    bpy.ops.marrow.estimate()
    owner.data.display_type = "OCTAHEDRAL"
    owner.show_in_front = False
    for area in bpy.context.window.screen.areas:
        if area.type == "VIEW_3D":
            space = area.spaces.active
            space.show_region_ui = True
            space.overlay.show_floor = True
            region = space.region_3d
            region.view_perspective = "PERSP"
            region.view_location = (0.0, 0.0, 6.2)
            region.view_distance = 19.0
            region.view_rotation = (Vector((0.45, 1.0, 0.12))).to_track_quat("Z", "Y")
            for part in area.regions:
                if part.type == "UI" and hasattr(part, "active_panel_category"):
                    try:
                        part.active_panel_category = "Marrow"
                    except (AttributeError, TypeError):
                        pass
    bpy.ops.object.mode_set(mode="POSE")
    thigh = next(bone for bone in owner.data.bones if "Thigh" in bone.name)
    owner.data.bones.active, thigh.select = thigh, True
    # Until 4.1 a tab can only be chosen with the mouse: this clicks on it.
    subprocess.run(["xdotool", "mousemove", *TAB, "click", "1"], check=False)


def shoot():
    path = os.path.join(FOLDER, "blender-panel.png")
    bpy.ops.screen.screenshot(filepath=path)
    print("drawn", path)
    show_joint()
    bpy.app.timers.register(shoot_joint, first_interval=3.0)
    return None


def show_joint():
    """Shows the ragdoll with the joint of a knee selected."""
    bpy.ops.object.mode_set(mode="OBJECT")
    clear()
    bpy.ops.marrow.import_files(filepath=COLLISION)
    for owner in list(bpy.data.objects):
        if owner.marrow.system > 0:
            bpy.data.objects.remove(owner)
    joints = [each for each in bpy.data.objects if each.marrow.role == "joint"]
    for each in joints:
        each.empty_display_size, each.show_in_front = 0.9, True
    chosen = next((each for each in joints if "Thigh" in each.marrow.joint.body.name), joints[0])
    for each in bpy.data.objects:
        each.select_set(each == chosen)
    bpy.context.view_layer.objects.active = chosen
    for area in bpy.context.window_manager.windows[0].screen.areas:
        if area.type == "VIEW_3D":
            shading = area.spaces.active.shading
            shading.color_type, shading.show_cavity = "RANDOM", True


def shoot_joint():
    path = os.path.join(FOLDER, "blender-joint.png")
    bpy.ops.screen.screenshot(filepath=path)
    print("drawn", path)
    bpy.ops.wm.quit_blender()
    return None


def run():
    show_panel()
    bpy.app.timers.register(shoot, first_interval=4.0)
    return None


def begin():
    marrow_addon.register()
    bpy.context.preferences.view.show_splash = False
    bpy.context.preferences.view.ui_scale = 1.1
    draw_clip()
    draw_collision()
    bpy.app.timers.register(run, first_interval=1.0)


begin()
