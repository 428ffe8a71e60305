# SPDX-License-Identifier: MIT
"""Run inside Blender, by the scripts that draw pictures of the documentation: one floor, sky, light and camera for all."""
import bpy
from mathutils import Vector

FLOOR = (0.62, 0.64, 0.67)


def material(colour, roughness=0.5, specular=0.5):
    made = bpy.data.materials.new("colour")
    made.use_nodes = True
    inputs = made.node_tree.nodes["Principled BSDF"].inputs
    inputs["Base Color"].default_value = (*colour, 1)
    inputs["Roughness"].default_value, inputs["Specular"].default_value = roughness, specular
    return made


def bounds(points):
    """Returns the lowest and the highest corner of some points."""
    return tuple(Vector(f(point[i] for point in points) for i in range(3)) for f in (min, max))


def render(picture, size, target, direction, distance, lens, sun_turn, floor):
    """Draws the scene from `distance` along `direction`, looking at `target`; `floor` is its height."""
    scene = bpy.context.scene
    bpy.ops.mesh.primitive_plane_add(size=200, location=(0, 0, floor))
    bpy.context.object.data.materials.append(material(FLOOR, specular=0))
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.lens = lens
    camera.location = target + Vector(direction).normalized() * distance
    camera.rotation_euler = (target - camera.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle, sun.rotation_euler = 3.0, 0.15, sun_turn
    scene.collection.objects.link(sun)
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    sky = scene.world.node_tree.nodes["Background"].inputs
    sky[0].default_value, sky[1].default_value = (0.80, 0.84, 0.90, 1), 0.55
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.max_bounces, scene.cycles.use_denoising = 48, 3, False
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.view_settings.view_transform = "Standard"
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)
