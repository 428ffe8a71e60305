// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/gltf/scene.h"

namespace marrow::gltf {

enum class Container : std::uint8_t {
  Glb,   ///< one binary file
  Gltf,  ///< JSON, with the numbers embedded in it
};

struct WriteOptions {
  Container container = Container::Glb;
  Units units = Units::Metre;
  bool show_bones = false;  ///< adds a mesh of octahedra that follows the bones, for viewers that draw no skeleton
};

/// Writes a glTF 2.0 file that says all of `scene`: what glTF has no word for goes into `extras`
/// (docs/formats/gltf-extras.md), and `read_gltf` gives it back. Fails with `Unrepresentable` or `Malformed` where a
/// value is not finite, a count contradicts itself or an armature has no bones.
Result<std::vector<std::byte>> write_gltf(const Scene& scene, const WriteOptions& options = {});

}  // namespace marrow::gltf
