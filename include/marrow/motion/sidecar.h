// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "marrow/core/error.h"
#include "marrow/model/rig.h"

namespace marrow::motion {

/// Adds the modifiers of a JSON file to a rig, so that any skeleton can have them (docs/modifiers/sidecar.md). `bones`
/// are the names, patterns or chains (`FIRST..LAST`) that `$bone` stands for in the file. Fails if a bone, type or
/// field is not known, with the place in the JSON as path, and leaves the rig unchanged. Safe on untrusted input.
Result<void> apply_sidecar(std::span<const std::byte> json, Rig& rig, std::span<const std::string> bones = {});

/// Fills fields that ball joints leave at 0 from shared data, JSON or XML. An entry with an id applies to joints whose
/// `CommonData` names it, an entry without an id to all. Returns how many were filled. Safe on untrusted input.
Result<std::size_t> apply_common_data(std::span<const std::byte> file, Rig& rig);

}  // namespace marrow::motion
