// SPDX-License-Identifier: MIT
// The NIF container, its nodes, skins and embedded packfiles; what is read is written again as it was.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "nif/embedded.h"
#include "nif/nif_header.h"
#include "nif/record.h"
#include "nif/references.h"
#include "nif/shape.h"
#include "nif/skin.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  (void)read_nif_header(bytes);
  auto file = read_nif(bytes);
  if (!file) return 0;
  const std::vector<std::byte> written = write_nif(*file);
  if (!std::equal(written.begin(), written.end(), bytes.begin(), bytes.end())) std::abort();
  // What the tables read, they write again as it was.
  for (std::size_t i = 0; i < file->blocks.size(); ++i) {
    const auto record = nif::read_block(*file, static_cast<std::int32_t>(i));
    if (!record) continue;
    const auto block = nif::write_record(*record);
    if (!block || *block != file->blocks[i].bytes) std::abort();
  }
  (void)read_nodes(*file);
  (void)read_skins(*file);
  (void)read_embedded(*file);
  (void)read_collision_objects(*file);
  (void)read_shapes(*file);
  (void)read_shapes(*file, {.keep_faults = true});
  (void)orphaned_blocks(*file);
  Notes notes;
  const std::vector<Attachment> where = {{"Door", 0}, {"Shelf", 1}};
  if (attach(*file, bytes, EmbeddedKind::Physics, where, notes) && !read_nif(write_nif(*file))) std::abort();
  for (std::int32_t node = 0; node < static_cast<std::int32_t>(file->blocks.size()) && node < 64; ++node)
    if (detach(*file, node, notes) && !read_nif(write_nif(*file))) std::abort();
  return 0;
}
