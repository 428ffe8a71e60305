// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace marrow::image {

/// A picture of 8 bits per channel: red, green, blue, opacity; rows from the top.
struct Image {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels = {};  ///< 4 * width * height

  bool operator==(const Image&) const = default;

  std::uint8_t* at(std::uint32_t x, std::uint32_t y) { return &pixels[4 * (static_cast<std::size_t>(y) * width + x)]; }
  const std::uint8_t* at(std::uint32_t x, std::uint32_t y) const {
    return &pixels[4 * (static_cast<std::size_t>(y) * width + x)];
  }
};

/// Returns a transparent black picture.
Image blank(std::uint32_t width, std::uint32_t height);

/// Makes the normals of a map whole, which has two channels: blue is what is missing to unit length.
void complete_normals(Image& map);

/// Turns the direction of green: the games' normal maps point down the picture, glTF's point up.
void flip_green(Image& map);

/// Makes a picture opaque.
void drop_opacity(Image& picture);

}  // namespace marrow::image
