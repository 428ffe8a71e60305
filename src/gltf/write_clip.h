// SPDX-License-Identifier: MIT
#pragma once

#include "gltf/document.h"
#include "gltf/extras.h"

namespace marrow::gltf {

/// Writes the motion of a clip as an animation of the nodes `first_bone_node + bone`, and returns the record of the
/// rest. Times are shared between the channels of one clip. A channel that keeps one value is one key.
ClipRecord write_clip(DocumentBuilder& document, const Skeleton& skeleton, const NamedClip& named,
                      const std::string& animation_name, int first_bone_node);

/// The time of a frame: the same sum on writing and on reading, so that keys are met exactly.
float frame_time(const Clip& clip, std::int32_t frame);

}  // namespace marrow::gltf
