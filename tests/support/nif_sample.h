// SPDX-License-Identifier: MIT
#pragma once

#include "nif/nif_file.h"
#include "nif/node.h"

namespace marrow::test {

/// The bytes of a NiNode without extra data.
std::vector<std::byte> node_bytes(std::int32_t name, Vec3 translation, std::int32_t collision_object,
                                  std::vector<std::int32_t> children);
/// A small scene: a root "Shelf" at (0, 0, 10) with two children, "Door" at (100, 0, 0) and "Lamp".
NifFile sample_nif();

}  // namespace marrow::test
