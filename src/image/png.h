// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "image/image.h"
#include "marrow/core/error.h"

namespace marrow::image {

/// Writes a picture as PNG: 24 bits per pixel if all of it is opaque, else 32. The same bytes on every machine. Fails
/// with `InvalidArgument` if it has no pixels.
Result<std::vector<std::byte>> write_png(const Image& picture);

}  // namespace marrow::image
