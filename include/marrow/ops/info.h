// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/ops/detect.h"

namespace marrow {

struct SkeletonInfo {
  std::string name;
  std::size_t bones = 0;
  std::size_t fx_bones = 0;  ///< Anvil: bones with an FX modifier
};

struct ClipInfo {
  std::int64_t frames = 0;
  std::int64_t tracks = 0;
  std::int64_t float_tracks = 0;
  double duration_seconds = 0;
  std::size_t annotations = 0;
  bool root_motion = false;
  bool additive = false;
};

/// What `info` tells of a file.
struct FileInfo {
  std::string format;   ///< `hkx`, `xml`, `nif`, `anvil-standard`, `glb`, ...
  std::string game;     ///< a word of the command line, empty where it is unknown
  std::string version;  ///< as the file states it
  std::optional<std::uint32_t> pointer_size;
  std::vector<std::pair<std::string, std::size_t>> classes;  ///< in order of first object
  std::vector<SkeletonInfo> skeletons;
  std::vector<ClipInfo> clips;
  std::vector<std::pair<std::string, std::string>> details;  ///< what only this format has, for people and programs
};

/// Reads a file of any format and sums it up. Fails where the file cannot be read. `folder` is where it lies: a .gltf
/// may have its numbers beside it.
Result<FileInfo> info(std::span<const std::byte> bytes, const Limits& limits = {},
                      const std::filesystem::path& folder = {});

}  // namespace marrow
