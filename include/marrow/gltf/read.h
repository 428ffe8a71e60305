// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/gltf/scene.h"

namespace marrow::gltf {

struct ReadOptions {
  /// Reads a file beside a .gltf. If empty, only embedded data is read.
  std::function<Result<std::vector<std::byte>>(std::string_view name)> read_beside = {};
  /// Unit of the result for files without Marrow's record.
  float metres_per_unit = kMetresPerGameUnit;
  /// Frames per second for clips without Marrow's record.
  float frame_rate = 30.0f;
  /// Clips without Marrow's record follow cubic paths through their own keys, at a multiple of the rate of the keys
  /// that is at least 240 frames per second, instead of straight ones at `frame_rate`. `NamedClip::key_rate` is set.
  bool dense = false;
  Limits limits = {};
};

/// Reads .glb or .gltf, by content. Safe on untrusted bytes: cycles, counts, offsets and sizes are checked before use.
///
/// Armatures come from Marrow's record in `extras` if it exists, even after the file went through another program; else
/// from the skins; else from the animated node tree. If `notes` is given, it reports what was guessed or left out.
Result<Scene> read_gltf(std::span<const std::byte> bytes, const ReadOptions& options = {}, Notes* notes = nullptr);

}  // namespace marrow::gltf
