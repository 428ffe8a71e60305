// SPDX-License-Identifier: MIT
// Skyrim's collision blocks: what is read goes back as it was, and checks come through whatever the blocks hold.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "nif/bhk.h"
#include "nif/bhk_check.h"
#include "nif/bsx_flags.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto file = read_nif(bytes);
  if (!file) return 0;
  const Limits limits = Limits{}.for_input(size);
  (void)bhk::check(*file, limits);
  (void)expected_bsx_flags(*file);
  const auto systems = bhk::read_systems(*file, limits);
  if (!systems) return 0;
  NifFile same = *file;
  Notes notes;
  if (bhk::write_systems(same, *systems, notes, limits) && same != *file) std::abort();
  return 0;
}
