// SPDX-License-Identifier: MIT
// The skeleton that bodies stand on: bones of a skeleton.hkx, of skeleton.nif files and of the bodies, joined by name.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/model/skeleton.h"
#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "nif/node.h"

namespace marrow {

/// Places the bodies of a document on one rig. The base is the skeleton that clips move, or the first of `given` that
/// is not a NIF; bones that it lacks come from the NIF files of `given`, then from the bodies, each below its parent.
/// Names are equal in any case. Without a skeleton the rig is the bodies' own nodes. Bones that no skeleton leads to
/// are noted.
Result<void> place_bodies(Document& document, std::span<const Document* const> given, Context& context);

/// Returns the nodes of a NIF as a skeleton, parents first. `bone_of`, if given, gets a bone per node of `nodes`.
Skeleton skeleton_of_nodes(const std::vector<NifNode>& nodes, std::vector<std::int32_t>* bone_of = nullptr);

/// A bone of Fallout 4's human that only skins use.
struct SkinBone {
  std::string_view name, parent;
  Transform local;
};
std::span<const SkinBone> fallout4_skin_bones();

}  // namespace marrow
