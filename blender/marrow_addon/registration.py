# SPDX-License-Identifier: MIT
"""Makes the classes of a module known to Blender, and takes them back."""
import bpy
from bpy.props import PointerProperty


class Registration:
    """What a module adds to Blender: classes, records on Blender's own types, entries of menus."""

    def __init__(self, classes, owners=(), menus=()):
        """`owners` are types with the group that they get as `marrow`, `menus` are menus with what draws an entry."""
        self.classes, self.owners, self.menus = classes, owners, menus

    def register(self):
        for each in self.classes:
            bpy.utils.register_class(each)
        for owner, group in self.owners:
            owner.marrow = PointerProperty(type=group)
        for menu, draw in self.menus:
            menu.append(draw)

    def unregister(self):
        for menu, draw in self.menus:
            menu.remove(draw)
        for owner, _ in self.owners:
            del owner.marrow
        for each in reversed(self.classes):
            bpy.utils.unregister_class(each)
