# SPDX-License-Identifier: MIT
"""Armatures of other add-ons: what their properties say, and how they stand beside the skeleton of the game."""
import numpy

from .package import marrow

#: How far bones may be from where the skeleton has them and still be its bones, moved all together: a share of its extent.
_NEAR = 1e-2


def said_by(owner):
    """Returns what `PYN_*` properties of an object or of its armature say."""
    properties = dict(owner.data.items())
    properties.update(owner.items())
    return marrow.blender.foreign_properties(properties)


def refuse_other_axes(owner, said):
    """Raises `marrow.NotFoundError` if the bones have other axes or another size than in the game, so that only the game's
    skeleton says which."""
    is_scaled = said.is_scaled and abs(owner.matrix_world.median_scale - 1.0) < 1e-3  # else the object has the scale
    if said.is_turned or is_scaled:
        property = "PYN_ROTATE_BONES_PRETTY" if said.is_turned else "PYN_BLENDER_XF"
        raise marrow.NotFoundError(
            f"the bones of {owner.name!r} have other axes or another size than in the game ({property}); choose the game's skeleton"
        )


def measured_scale(skeleton, heads):
    """Returns the length in Blender of one unit of the game, as the distances between bones say."""
    model = skeleton.to_model(skeleton.rest_pose).translations.astype(float)
    pairs = [(bone.index, bone.parent_index) for bone in skeleton if bone.parent_index >= 0]
    if not pairs:
        return 1.0
    child, parent = numpy.array(pairs).T
    far = numpy.linalg.norm(model[child] - model[parent], axis=1)
    drawn = numpy.linalg.norm(heads[child] - heads[parent], axis=1)
    scale = float(far @ drawn / max(far @ far, 1e-12))
    return scale if scale > 1e-6 else 1.0


def straightened(skeleton, matrices, scale):
    """Returns the rest matrices of bones as they are if the whole armature faces the way of the game, and stands where the
    game has it: others turn and move it. Single bones that were edited stay as they are."""
    model = skeleton.to_model(skeleton.rest_pose).translations.astype(float) * scale
    heads = matrices[:, :3, 3]
    wanted, found = model - model.mean(axis=0), heads - heads.mean(axis=0)
    extent = numpy.abs(wanted).max(initial=0.0)
    # The rotation that brings one set of points nearest to another (Kabsch, 1976).
    u, sizes, vt = numpy.linalg.svd(found.T @ wanted)
    if sizes[1] < 1e-6 * max(sizes[0], 1e-12):
        return matrices  # points on one line do not say which way they face
    turn = u @ numpy.diag((1.0, 1.0, numpy.sign(numpy.linalg.det(u @ vt)))) @ vt
    if numpy.abs(found - wanted @ turn.T).max() > _NEAR * extent:
        return matrices
    shift = heads.mean(axis=0) - turn @ model.mean(axis=0)
    if numpy.abs(turn - numpy.eye(3)).max() < 1e-2 and numpy.abs(shift).max() < _NEAR * extent:
        return matrices
    out = matrices.copy()
    out[:, :3, :3] = turn.T @ matrices[:, :3, :3]
    out[:, :3, 3] = (heads - shift) @ turn
    return out
