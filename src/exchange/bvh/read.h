// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>

#include "marrow/model/motion_source.h"

namespace marrow::bvh {

/// Reads a BVH file: bones by their offsets, one clip unless it has no frames. Y is taken for up and centimetres for
/// the unit, since the file states neither. Safe to use for untrusted input; errors name the line.
Result<std::shared_ptr<const MotionSource>> read_bvh(std::string_view text, const Limits& limits, Notes& notes);

}  // namespace marrow::bvh
