// SPDX-License-Identifier: MIT
// Any text either is refused with a place, or becomes objects whose indices are good and which survive being written.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "exchange/obj/obj.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow::geometry;
  const auto file = read_obj({reinterpret_cast<const char*>(data), size});
  if (!file) return 0;
  std::size_t triangles = 0;
  for (const ObjObject& object : file->objects) {
    triangles += object.mesh.triangles.size();
    for (const auto& triangle : object.mesh.triangles)
      for (std::uint32_t corner : triangle)
        if (corner >= object.mesh.vertices.size()) std::abort();
    for (std::uint16_t material : object.mesh.materials)
      if (material >= file->materials.size()) std::abort();
  }
  const auto again = read_obj(write_obj(*file));
  if (!again) std::abort();
  std::size_t triangles_again = 0;
  for (const ObjObject& object : again->objects) triangles_again += object.mesh.triangles.size();
  if (triangles_again != triangles) std::abort();
  return 0;
}
