// SPDX-License-Identifier: MIT
// Rectangles side by side in as little space as a page wants.
#pragma once

#include <span>
#include <vector>

namespace marrow::behavior {

struct PackedSize {
  double width = 0.0, height = 0.0;
};

struct PackedPlace {
  double x = 0.0, y = 0.0;
};

/// Places rectangles without overlap and with a gap between them, in their order from the top left, in the shape of a
/// screen if they allow it. Returns the size of the whole.
PackedSize pack_boxes(std::span<const PackedSize> sizes, double gap, std::vector<PackedPlace>& places);

}  // namespace marrow::behavior
