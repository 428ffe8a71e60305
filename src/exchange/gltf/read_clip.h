// SPDX-License-Identifier: MIT
#pragma once

#include "exchange/gltf/read_armature.h"

namespace marrow::gltf {

/// Returns the clips of an armature, from the animations that move its nodes. Clips in its record are restored with
/// everything that the record holds; others are sampled at the rate of their keys or of the options, with one track per
/// bone.
Result<std::vector<NamedClip>> read_clips(const tinygltf::Model& model, const NodeTree& tree,
                                          const FoundArmature& armature, const ReadOptions& options, Notes& notes);

}  // namespace marrow::gltf
