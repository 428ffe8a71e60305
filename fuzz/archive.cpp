// SPDX-License-Identifier: MIT
// Any bytes either are refused with a place, or become an archive whose files unpack to the size that it states or
// fail.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "archive/archive.h"
#include "archive/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const auto* bytes = reinterpret_cast<const std::byte*>(data);
  const Limits limits{.max_file_bytes = std::size_t{1} << 20};
  const auto opened =
      archive::open_archive(std::make_shared<MemorySource>(std::vector<std::byte>(bytes, bytes + size)), limits);
  if (!opened) return 0;
  for (const archive::Entry& entry : opened->entries)
    if (const auto content = archive::read_entry(*opened, entry, limits); content && content->size() != entry.size())
      std::abort();
  archive::check_archive(*opened, limits);
  return 0;
}
