// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "marrow/model/motion_source.h"

namespace marrow::fbx {

/// True if these first bytes of a file are those of FBX, binary or text.
bool is_fbx(std::string_view head);

/// Reads an FBX file of version 7000 to 7999, binary or text: bones, one clip per stack with curves evaluated as they
/// are stored, meshes with the bones that bend them. Safe to use for untrusted input. Fails with `Unsupported` for
/// other versions and for axes that mirror.
Result<std::shared_ptr<const MotionSource>> read_fbx(std::span<const std::byte> bytes, const Limits& limits,
                                                     Notes& notes);

}  // namespace marrow::fbx
