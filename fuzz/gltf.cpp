// SPDX-License-Identifier: MIT
// Whatever the bytes are, reading ends with a scene or an error; a scene that was read can be written, and reads back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "exchange/gltf/read.h"
#include "exchange/gltf/write.h"
#include "limits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow::gltf;
  const ReadOptions options{
      .limits = {.max_file_bytes = 1 << 22, .max_expanded_bytes = marrow::fuzz::kMaxExpandedBytes}};
  const auto scene = read_gltf(std::as_bytes(std::span(data, size)), options);
  if (!scene) return 0;
  const auto bytes = write_gltf(*scene, {.show_bones = true});
  if (bytes && !read_gltf(*bytes, options)) std::abort();
  return 0;
}
