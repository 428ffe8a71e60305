// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/document.h"
#include "gltf/extras.h"

namespace marrow::gltf {

/// Writes the motion of a clip as an animation of the nodes `first_bone_node + bone`, and returns the record of the
/// rest. Times are shared between the channels of one clip. A constant channel is one key.
ClipRecord write_clip(DocumentBuilder& document, const Skeleton& skeleton, const NamedClip& named,
                      const std::string& animation_name, int first_bone_node);

/// Returns the time of a frame. Writing and reading use the same formula, so that keys are hit exactly.
float frame_time(const Clip& clip, std::int32_t frame);

}  // namespace marrow::gltf
