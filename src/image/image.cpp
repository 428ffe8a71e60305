// SPDX-License-Identifier: MIT
#include "image/image.h"

#include <algorithm>
#include <cmath>

namespace marrow::image {

Image blank(std::uint32_t width, std::uint32_t height) {
  Image picture{.width = width, .height = height};
  picture.pixels.resize(4 * std::size_t{width} * height);
  return picture;
}

void complete_normals(Image& map) {
  for (std::size_t i = 0; i + 3 < map.pixels.size(); i += 4) {
    const double x = map.pixels[i] / 127.5 - 1.0, y = map.pixels[i + 1] / 127.5 - 1.0;
    const double z = std::sqrt(std::max(0.0, 1.0 - x * x - y * y));
    map.pixels[i + 2] = static_cast<std::uint8_t>(std::lround((z + 1.0) * 127.5));
  }
}

void flip_green(Image& map) {
  for (std::size_t i = 1; i < map.pixels.size(); i += 4) map.pixels[i] = static_cast<std::uint8_t>(255 - map.pixels[i]);
}

void drop_opacity(Image& picture) {
  for (std::size_t i = 3; i < picture.pixels.size(); i += 4) picture.pixels[i] = 255;
}

}  // namespace marrow::image
