// SPDX-License-Identifier: MIT
// Any bytes as a texture: every pixel that comes out has bytes that went in.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "image/dds.h"
#include "limits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  for (const std::uint32_t most : {0u, 16u}) {
    const auto picture = marrow::image::read_dds(
        bytes, {.max_size = most, .limits = {.max_expanded_bytes = marrow::fuzz::kMaxExpandedBytes}});
    if (picture && picture->pixels.size() != std::size_t{4} * picture->width * picture->height) std::abort();
  }
  return 0;
}
