// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/gltf/scene.h"
#include "marrow/core/error.h"

namespace marrow::gltf {

enum class Container : std::uint8_t {
  Glb,   ///< one binary file
  Gltf,  ///< JSON, with embedded buffers
};

struct WriteOptions {
  Container container = Container::Glb;
  Units units = Units::Metre;
  RootMotionAs root_motion =
      RootMotionAs::None;   ///< what shows the root motion of clips; the record keeps it in any case
  bool show_bones = false;  ///< adds a mesh of octahedra that follows the bones, for viewers that do not draw skeletons
};

/// Writes a glTF 2.0 file with everything in `scene`. Data that glTF cannot express go into `extras`
/// (docs/formats/gltf-extras.md), and `read_gltf` restores them. Fails with `Unrepresentable` or `Malformed` if a value
/// is not finite, counts contradict each other or an armature has no bones.
Result<std::vector<std::byte>> write_gltf(const Scene& scene, const WriteOptions& options = {});

}  // namespace marrow::gltf
