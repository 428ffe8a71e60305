# SPDX-License-Identifier: MIT
"""Run inside Blender, by the scripts that draw pictures of the documentation: one light and camera for all.
There is nothing behind what is drawn but its shadow, so that a picture fits light and dark pages."""
import struct
import tempfile
import zlib

import numpy

numpy.bool = bool  # the importer of Blender 3.4 uses a name that numpy has dropped

import bpy
from mathutils import Vector

# Right limbs are warm, left ones cool, as in docs/images/walk.svg.
LEFT, RIGHT, MIDDLE, HAIR = (0.06, 0.24, 0.66), (0.85, 0.16, 0.03), (0.78, 0.58, 0.28), (0.03, 0.42, 0.30)


def side_colour(bone):
    """Returns the colour for a bone with this name."""
    return HAIR if "Hair" in bone else LEFT if " L " in bone else RIGHT if " R " in bone else MIDDLE


def start(source=None):
    """Empties the scene, loads a glTF file into it, and returns its meshes."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if source:
        bpy.ops.import_scene.gltf(filepath=source)
    return [thing for thing in bpy.context.scene.objects if thing.type == "MESH"]


def material(colour):
    """Makes a material that is lit by the sun, and more from above than from below by the sky. That light is a part of
    the material, so that a few samples draw it without noise."""
    made = bpy.data.materials.new("colour")
    made.use_nodes = True
    if hasattr(made.cycles, "sample_as_light"):
        made.cycles.sample_as_light = False
    else:  # from 3.5 on
        made.cycles.emission_sampling = "NONE"
    nodes, links = made.node_tree.nodes, made.node_tree.links
    nodes.clear()
    normal, parts, sky, lit, glow, both, out = (nodes.new(f"ShaderNode{kind}") for kind in
        ("NewGeometry", "SeparateXYZ", "Math", "BsdfDiffuse", "Emission", "AddShader", "OutputMaterial"))
    sky.operation = "MULTIPLY_ADD"
    sky.inputs[1].default_value, sky.inputs[2].default_value = 0.2, 0.42
    lit.inputs["Color"].default_value = glow.inputs["Color"].default_value = (*colour[:3], 1)
    for source, target in ((normal.outputs["Normal"], parts.inputs[0]), (parts.outputs["Z"], sky.inputs[0]),
                           (sky.outputs[0], glow.inputs["Strength"]), (lit.outputs[0], both.inputs[0]),
                           (glow.outputs[0], both.inputs[1]), (both.outputs[0], out.inputs["Surface"])):
        links.new(source, target)
    return made


def points_of(things):
    """Returns the points of meshes, as they are in the scene."""
    bpy.context.view_layer.update()
    graph = bpy.context.evaluated_depsgraph_get()
    return [thing.matrix_world @ vertex.co for thing in things for vertex in thing.evaluated_get(graph).data.vertices]


def bounds(points):
    """Returns the lowest and the highest corner of some points."""
    return tuple(Vector(f(point[i] for point in points) for i in range(3)) for f in (min, max))


def shadows(things, light, floor):
    """Makes flat black copies of objects, where the light throws them on the floor."""
    graph = bpy.context.evaluated_depsgraph_get()
    black = material((0, 0, 0))
    for thing in things:
        mesh = bpy.data.meshes.new_from_object(thing.evaluated_get(graph))
        for vertex in mesh.vertices:
            place = thing.matrix_world @ vertex.co
            vertex.co = place - light * ((place.z - floor) / light.z)
        mesh.materials.clear()
        mesh.materials.append(black)
        yield bpy.data.objects.new("shadow", mesh)


def draw(things):
    """Draws some objects by themselves. Returns rows of pixels from the bottom up, colours times alpha."""
    scene = bpy.context.scene
    for thing in scene.objects:
        thing.hide_render = thing not in things
    with tempfile.TemporaryDirectory() as folder:
        scene.render.filepath = f"{folder}/layer.png"
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(scene.render.filepath)
        pixels = numpy.empty(len(image.pixels), numpy.float32)
        image.pixels.foreach_get(pixels)
        bpy.data.images.remove(image)
    pixels = pixels.reshape(scene.render.resolution_y, scene.render.resolution_x, 4)
    pixels[..., :3] *= pixels[..., 3:]
    return pixels


def blurred(pixels, radius):
    weights = {step: numpy.exp(-2.0 * (step / radius) ** 2) for step in range(-radius, radius + 1)}
    for axis in (0, 1):
        pixels = sum(weight * numpy.roll(pixels, step, axis) for step, weight in weights.items()) / sum(weights.values())
    return pixels


def save(picture, pixels):
    """Writes a PNG. Blender's own ones are larger, as it does not compress as well."""
    alpha = pixels[..., 3:]
    colours = numpy.divide(pixels[..., :3], alpha, out=numpy.zeros_like(pixels[..., :3]), where=alpha > 0.002)
    rows = (numpy.concatenate([colours, alpha], 2).clip(0, 1) * 255 + 0.5).astype(numpy.uint8)[::-1]

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    with open(picture, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", rows.shape[1], rows.shape[0], 8, 6, 0, 0, 0)) +
                  chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row.tobytes() for row in rows), 9)) + chunk(b"IEND", b""))


def look(points, view, lens, border):
    """Makes the camera, as near as all of the points are in the picture."""
    scene = bpy.context.scene
    low, high = bounds(points)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.lens, camera.data.clip_end = lens, 100 * (high - low).length
    camera.rotation_euler = (-view).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(camera)
    scene.camera = camera
    bpy.context.view_layer.update()
    fitted, _ = camera.camera_fit_coords(bpy.context.evaluated_depsgraph_get(), [n for point in points for n in point])
    camera.location = fitted + view * (border - 1) * (fitted - (low + high) / 2).length


def render(picture, size, layers, direction, lens=80, border=1.03):
    """Draws layers of (objects, opacity), from the lowest to the topmost, as seen from `direction`. All of them throw
    shadows on a floor below the lowest point."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = 24, False, 0
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.film_transparent, scene.render.dither_intensity = True, 0.0
    scene.render.image_settings.file_format, scene.render.image_settings.color_mode = "PNG", "RGBA"
    scene.view_settings.view_transform = "Standard"
    view = Vector(direction).normalized()
    light = view - view.cross(Vector((0, 0, 1))).normalized() * 0.7 + Vector((0, 0, 1.6))  # from above and the side
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy, sun.data.angle = 2.6, 0.0
    sun.rotation_euler = (-light).to_track_quat("-Z", "Y").to_euler()
    things = [thing for each, _ in layers for thing in each]
    shade = list(shadows(things, light, bounds(points_of(things))[0].z))
    for thing in (*shade, sun):
        scene.collection.objects.link(thing)
    for thing in (*things, *shade):
        thing.visible_diffuse = False  # things do not light each other
    look(points_of([*things, *shade]), view, lens, border)
    pixels = 0.28 * blurred(draw([*shade, sun]), max(size[0] // 250, 1))
    for each, opacity in layers:
        above = opacity * draw([*each, sun])
        pixels = above + pixels * (1 - above[..., 3:])
    save(picture, pixels)
    print("drawn", picture)
