// SPDX-License-Identifier: MIT
#include "support/nif_sample.h"

#include "core/byte_writer.h"

namespace marrow::test {

std::vector<std::byte> node_bytes(std::int32_t name, Vec3 translation, std::int32_t collision_object,
                                  std::vector<std::int32_t> children) {
  ByteWriter writer;
  writer.i32(name);
  writer.u32(0);         // extra data
  writer.i32(kNoBlock);  // controller
  writer.u32(14);        // flags
  for (int i = 0; i < 3; ++i) writer.f32(translation[i]);
  for (int i = 0; i < 9; ++i) writer.f32(i % 4 == 0 ? 1.0f : 0.0f);
  writer.f32(1.0f);
  writer.i32(collision_object);
  writer.u32(static_cast<std::uint32_t>(children.size()));
  for (const std::int32_t child : children) writer.i32(child);
  return writer.take();
}

NifFile sample_nif() {
  NifFile file;
  file.export_info = {std::string("someone\0", 8), std::string("\0", 1), std::string("\0", 1), std::string("\0", 1)};
  const std::int32_t shelf = add_string(file, "Shelf"), door = add_string(file, "Door"),
                     lamp = add_string(file, "Lamp");
  add_block(file, "NiNode", node_bytes(shelf, {0, 0, 10}, kNoBlock, {1, 2}));
  add_block(file, "NiNode", node_bytes(door, {100, 0, 0}, kNoBlock, {}));
  add_block(file, "BSFadeNode", node_bytes(lamp, {0, 5, 0}, kNoBlock, {}));
  file.roots = {0};
  return file;
}

}  // namespace marrow::test
