// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/read_armature.h"

namespace marrow::gltf {

/// The clips of an armature, from the animations that move its nodes. Those in its record get back all that the record
/// keeps; the others are sampled at `options.frame_rate`, a track a bone.
Result<std::vector<NamedClip>> read_clips(const tinygltf::Model& model, const NodeTree& tree,
                                          const FoundArmature& armature, const ReadOptions& options, Notes& notes);

}  // namespace marrow::gltf
