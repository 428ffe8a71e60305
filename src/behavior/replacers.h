// SPDX-License-Identifier: MIT
/// Folders of animation replacers: Open Animation Replacer and Dynamic Animation Replacer. A clip in one of their
/// folders plays instead of the clip of the same name in the folder of animations above, if the conditions beside it
/// hold. docs/formats/behavior.md has the layouts.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "behavior/check.h"
#include "marrow/core/finding.h"

namespace marrow::behavior {

/// What is known of the files around replacers.
struct ReplacerFiles {
  std::span<const std::string> names;  ///< all files that are checked together, with `/` or `\`
  /// Returns a text file; nothing if it is not there.
  std::function<std::optional<std::string>(const std::string& name)> read;
  /// Animations that characters list, by the folder of their project. May lack the project of a replacer.
  const ProjectAnimations& animations;
};

/// True if a file lies in the folder of a replacer.
bool is_below_replacer(std::string_view name);

/// Finds folders that a replacer skips, conditions that are missing or cannot be read, and clips that replace nothing.
/// A finding about a folder is reported once, with its first clip. Clips are only compared with a project or with the
/// animations of the same folder that are among the files: what the game's archives hold is not known.
ProjectFindings check_replacers(const ReplacerFiles& files);

}  // namespace marrow::behavior
