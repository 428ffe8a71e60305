// SPDX-License-Identifier: MIT
#pragma once

#include "exchange/gltf/document.h"
#include "exchange/gltf/extras.h"

namespace marrow::gltf {

/// Where a clip is written to.
struct ClipTarget {
  int animation = 0;        ///< an animation of the document, to which channels are added
  int root_node = 0;        ///< the node above the bones
  int first_bone_node = 0;  ///< bone i is the node `first_bone_node + i`
  RootMotionAs root_motion = RootMotionAs::None;
  Transform root_place = {};  ///< of the root node at rest
};

/// Writes the motion of a clip into an animation, and returns the record of the rest. Times are shared between the
/// channels of one clip. A constant channel is one key.
ClipRecord write_clip(DocumentBuilder& document, const Skeleton& skeleton, const NamedClip& named,
                      const ClipTarget& target);

/// Returns the pose that an additive track is shown on: the rest pose with a rotation of exactly unit length. Those of
/// files are not, and what is multiplied by them does not come back.
Transform additive_base(const Transform& rest);

/// Returns the root motion at a frame; identity if the clip has none.
Transform motion_at(const Clip& clip, std::size_t frame);

/// Returns the time of a frame. Writing and reading use the same formula, so that keys are hit exactly.
float frame_time(const Clip& clip, std::int32_t frame);

}  // namespace marrow::gltf
