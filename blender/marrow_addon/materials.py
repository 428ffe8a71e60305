# SPDX-License-Identifier: MIT
"""Materials of bodies: what their shaders say, with the textures that are found."""
import os
import tempfile

import bpy

from .package import marrow

_DIFFUSE, _NORMAL = 0, 1


class Maker:
    """Makes the materials of one file."""

    def __init__(self, path, with_textures=True, folders=()):
        self.notes, self._images = [], {}
        self._pictures = self._found(path, folders) if with_textures else {}

    def _found(self, path, folders):
        try:
            return {name.lower(): data for name, data in marrow.blender.textures_of(os.fspath(path), folders).items()}
        except marrow.Error as error:
            self.notes.append(f"textures: {error}")
            return {}

    def make(self, shape):
        """Returns the material of a shape. All texture paths are in the custom property `textures`."""
        made = bpy.data.materials.new(os.path.basename(shape.material.replace("\\", "/")) or shape.name or "Material")
        made["textures"] = list(shape.textures)
        if shape.material:
            made["material"] = shape.material
        made.use_nodes = True
        made.use_backface_culling = not shape.is_double_sided
        shader = made.node_tree.nodes.get("Principled BSDF")
        if shader is None:
            return made
        shader.inputs["Roughness"].default_value = 0.7
        diffuse = self._texture(made, shape, _DIFFUSE)
        if diffuse is not None:
            made.node_tree.links.new(diffuse.outputs["Color"], shader.inputs["Base Color"])
            if shape.alpha != "opaque":
                made.node_tree.links.new(diffuse.outputs["Alpha"], shader.inputs["Alpha"])
        if shape.alpha != "opaque" and hasattr(made, "blend_method"):
            made.blend_method = "CLIP" if shape.alpha == "mask" else "BLEND"
            if shape.alpha == "mask" and hasattr(made, "alpha_threshold"):
                made.alpha_threshold = shape.alpha_threshold
        normal = self._texture(made, shape, _NORMAL) if shape.normals is not None else None
        if normal is not None:
            normal.image.colorspace_settings.name = "Non-Color"
            turned = made.node_tree.nodes.new("ShaderNodeNormalMap")
            turned.location = (-260, -260)
            made.node_tree.links.new(normal.outputs["Color"], turned.inputs["Color"])
            made.node_tree.links.new(turned.outputs["Normal"], shader.inputs["Normal"])
        return made

    def _texture(self, made, shape, slot):
        """Returns a node of a texture that was found, or None."""
        name = shape.textures[slot] if slot < len(shape.textures) else ""
        data = self._pictures.get(name.lower())
        if not data:
            return None
        if name.lower() not in self._images:
            self._images[name.lower()] = _image(os.path.basename(name.replace("\\", "/")), data)
        node = made.node_tree.nodes.new("ShaderNodeTexImage")
        node.image = self._images[name.lower()]
        node.location = (-560, 260 - 380 * slot)
        return node


def _image(name, data):
    """Returns an image of PNG bytes, packed into the .blend file."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, os.path.splitext(name)[0] + ".png")
        with open(path, "wb") as file:
            file.write(data)
        image = bpy.data.images.load(path)
        image.pack()
    image.name = name
    return image
