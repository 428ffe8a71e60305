# SPDX-License-Identifier: MIT
"""Meshes of Blender as arrays, and rows of vertices that are put together."""
import bpy
import numpy


def widened(weights, count):
    """Returns weights with columns of zeros behind them."""
    return numpy.pad(weights, ((0, 0), (0, count - weights.shape[1])))


def read(values, name, width):
    """Returns the values of a collection of Blender's as rows."""
    out = numpy.empty(len(values) * width, numpy.float32)
    values.foreach_get(name, out)
    return out.reshape(-1, width).astype(numpy.float64)


def triangle_loops(mesh):
    """Returns the three corners of each triangle that polygons are cut into."""
    mesh.calc_loop_triangles()
    out = numpy.empty(len(mesh.loop_triangles) * 3, numpy.int32)
    mesh.loop_triangles.foreach_get("loops", out)
    return out


def corner_normals(mesh):
    """Returns the normals of corners."""
    if hasattr(mesh, "corner_normals"):  # 4.1 and later
        return read(mesh.corner_normals, "vector", 3)
    mesh.calc_normals_split()
    return read(mesh.loops, "normal", 3)


def evaluated(owner):
    """Returns the mesh of an object with its modifiers, but not moved by its armature; and the object whose copy it is."""
    others = [each for each in owner.modifiers if each.type != "ARMATURE" and each.show_viewport]
    if not others and owner.data.shape_keys is None:
        return owner.data, None
    hidden = [each for each in owner.modifiers if each.type == "ARMATURE" and each.show_viewport]
    for each in hidden:
        each.show_viewport = False
    try:
        graph = bpy.context.evaluated_depsgraph_get()
        graph.update()
        owned = owner.evaluated_get(graph)
        return owned.to_mesh(preserve_all_data_layers=True, depsgraph=graph), owned
    finally:
        for each in hidden:
            each.show_viewport = True


def gathered(rows):
    """Returns rows of vertices in the order of the file, new ones last, and where each row went. Those that are one vertex
    of the file become one again: parts of a mesh that was split each have those of the cut.

    `rows` are arrays by name; `old` has the numbers of vertices in the file, -1 for new ones.
    """
    old = rows["old"].astype(numpy.int64)
    own = numpy.where(old >= 0, old, -1 - numpy.arange(len(old)))  # new ones stay apart
    key = [own[:, None]]
    for name in ("points", "uvs", "normals", "colours", "weights"):
        values = rows[name]
        if values is None or not values.shape[1]:
            continue
        if name == "points":  # where the file has it, to the bit
            values = numpy.where(rows["still"][:, None], 0.0, values)
        key.append(numpy.round(numpy.nan_to_num(values) * 1e6).astype(numpy.int64))
    _, first, place = numpy.unique(numpy.concatenate(key, axis=1), axis=0, return_index=True, return_inverse=True)
    place = place.reshape(-1)
    order = numpy.lexsort((first, numpy.where(old[first] >= 0, old[first], len(old) + first)))
    went = numpy.empty(len(first), numpy.int64)
    went[order] = numpy.arange(len(first))
    chosen = first[order]
    return {name: None if values is None else values[chosen] for name, values in rows.items()}, went[place]
