// SPDX-License-Identifier: MIT
#pragma once

#include "marrow/model/body.h"
#include "nif/record.h"

namespace marrow::nif {

/// Returns the looks that a shader and an alpha property state. Blocks that are not there or are too short leave their
/// part unset.
BodyMaterial read_material(const NifFile& file, std::int32_t shader, std::int32_t alpha, const Limits& limits);

}  // namespace marrow::nif
