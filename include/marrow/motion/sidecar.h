// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/model/rig.h"

namespace marrow::motion {

/// What becomes of the modifiers of a class on a bone that gets others of that class.
enum class SameClass : std::uint8_t {
  Replace,  ///< the new ones take their place, in their order; what is left over is removed
  Add,      ///< they stay, and the new ones come after them: physics acts twice
};

/// Gives a rig the modifiers of a JSON file, so that any skeleton can have them (docs/modifiers/sidecar.md). `bones`
/// are the names, patterns or chains (`FIRST..LAST`) that `$bone` stands for in the file. Returns the origin of each
/// modifier of the rig. A modifier that replaces another keeps its id. Fails if a bone, type or field is not known,
/// with the place in the JSON as path, and leaves the rig unchanged. Safe on untrusted input.
Result<std::vector<ModifierOrigin>> apply_sidecar(std::span<const std::byte> json, Rig& rig,
                                                  std::span<const std::string> bones = {},
                                                  SameClass same_class = SameClass::Replace);

/// Fills fields that ball joints leave at 0 from shared data, JSON or XML. An entry with an id applies to joints whose
/// `CommonData` names it, an entry without an id to all. Returns how many were filled. Safe on untrusted input.
Result<std::size_t> apply_common_data(std::span<const std::byte> file, Rig& rig);

}  // namespace marrow::motion
