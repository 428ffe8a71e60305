// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "exchange/gltf/scene.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::gltf {

struct ReadOptions {
  /// Reads a file beside a .gltf. If empty, only embedded data is read.
  std::function<Result<std::vector<std::byte>>(std::string_view name)> read_beside = {};
  /// Unit of the result for files without Marrow's record.
  float metres_per_unit = kMetresPerGameUnit;
  /// Frames per second for clips without Marrow's record. By default the rate of their keys, or 30 if the keys lie on
  /// no frames of any usual rate.
  std::optional<float> frame_rate = {};
  /// Clips without Marrow's record follow cubic paths through their own keys, at a multiple of the rate of the keys
  /// that is at least 240 frames per second, instead of straight ones. `NamedClip::key_rate` is set.
  bool dense = false;
  /// Reads meshes with all attributes and skins into `Scene::bodies`, too.
  bool bodies = false;
  Limits limits = {};
};

/// Reads .glb or .gltf, by content. Safe on untrusted bytes: cycles, counts, offsets and sizes are checked before use.
///
/// Armatures come from Marrow's record in `extras` if it exists, even after the file went through another program; else
/// from the skins; else from the animated node tree. If `notes` is given, it reports what was guessed or left out.
Result<Scene> read_gltf(std::span<const std::byte> bytes, const ReadOptions& options = {}, Notes* notes = nullptr);

}  // namespace marrow::gltf
