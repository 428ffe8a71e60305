// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/gltf/scene.h"

namespace marrow::gltf {

struct ReadOptions {
  std::filesystem::path folder = {};  ///< where a .gltf finds its .bin files; empty: only what is embedded is read
  /// The space to bring files into that carry no record of their own.
  float metres_per_unit = kMetresPerGameUnit;
  /// Frames a second for clips that carry no record of their own.
  float frame_rate = 30.0f;
  Limits limits = {};
};

/// Reads .glb or .gltf, by content. Safe on untrusted bytes: cycles, counts, offsets and sizes are checked before use.
///
/// Armatures come from Marrow's record in `extras` where it is there, also after a trip through another program; else
/// from the skins; else from the animated node tree. What was guessed or left out is told in `notes`, where given.
Result<Scene> read_gltf(std::span<const std::byte> bytes, const ReadOptions& options = {}, Notes* notes = nullptr);

}  // namespace marrow::gltf
