// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "marrow/core/error.h"
#include "marrow/model/rig.h"

namespace marrow::motion {

/// Adds the modifiers of a JSON file to a rig, so that any skeleton can carry them (docs/modifiers/sidecar.md). `bones`
/// are what `$bone` stands for in the file, names or patterns. Fails with the place in the JSON as path where a bone,
/// type or field is not known, and leaves the rig as it was. Safe on untrusted input.
Result<void> apply_sidecar(std::span<const std::byte> json, Rig& rig, std::span<const std::string> bones = {});

/// Fills what ball joints leave at 0 from shared data, JSON or XML: for those whose `CommonData` names the id of an
/// entry, and for all where an entry has none. Returns how many were filled. Safe on untrusted input.
Result<std::size_t> apply_common_data(std::span<const std::byte> file, Rig& rig);

}  // namespace marrow::motion
