// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"
#include "marrow/gltf/scene.h"

namespace marrow {

struct SceneOptions {
  std::span<const std::byte> skeleton = {};  ///< bytes of the file with the skeleton that clips are for
  bool ragdoll = false;                      ///< ragdoll skeletons too
  std::string name = {};                     ///< of a clip in formats that do not name them
  std::filesystem::path folder = {};         ///< where a .gltf finds its buffers
  std::vector<std::string> names = {};       ///< more Anvil bone names
  /// The unit to bring glTF files into that carry no record of theirs.
  float metres_per_unit = kMetresPerGameUnit;
  Limits limits = {};
};

/// The skeletons and clips of a file of any format. A rig's properties carry what other formats have no place for: the
/// `game`, and for Havok clips their `spline` as it is stored, so that motion nobody touches goes back unchanged,
/// and for Anvil skeletons all of their XML.
/// A clip without a skeleton, in the file or in the options, fails with the cure.
Result<gltf::Scene> load_scene(std::span<const std::byte> bytes, const SceneOptions& options = {},
                               Notes* notes = nullptr);

/// The first skeleton of a file of any format: the one that clips move.
Result<Skeleton> load_skeleton(std::span<const std::byte> bytes, const SceneOptions& options = {});

/// The skeleton that the games keep for the clips of a folder: `skeleton.hkx` beside the file, or in `character assets`
/// (`characterassets`) beside one of the folders above. Nothing where there is none.
std::optional<std::filesystem::path> find_skeleton_near(const std::filesystem::path& clip);

/// A clip of a rig as one that moves `target`. Where bones have the same names in the same order it stays as it is;
/// tracks follow their bones' names otherwise. A rig without a record may also have other units, axes and bone order
/// (`gltf/conform.h`); it then gets a track for every bone of `target`.
Clip fit_to_skeleton(const gltf::Armature& rig, const Clip& clip, const Skeleton& target, Notes* notes = nullptr);

}  // namespace marrow
