// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace marrow::behavior {

/// Finds the entry of a character's list that a name most likely stands for. What all of its searches cost is bounded,
/// since files choose how many names are wrong.
class AnimationGuess {
 public:
  explicit AnimationGuess(const std::vector<std::string>& listed);

  /// Returns an animation of the same name in another folder or with another extension, else one whose name differs by
  /// a few letters; not one that differs by a number, which is an animation of its own. Empty if there is none.
  std::string_view find(std::string_view name);

 private:
  std::vector<std::string> stems_;                        ///< by entry: without folder and extension, in lower case
  std::unordered_map<std::string, std::size_t> by_stem_;  ///< the first entry
  const std::vector<std::string>& listed_;
  std::size_t left_;  ///< names that may still be compared letter by letter
};

}  // namespace marrow::behavior
