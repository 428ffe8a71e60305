// SPDX-License-Identifier: MIT
// Build tables from any bytes: they are read or refused, and a change of ids can be undone.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "anvil/build_table.h"

using namespace marrow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(reinterpret_cast<const std::byte*>(data), size);
  const std::uint64_t ids[] = {882909070};
  (void)anvil::find_references(bytes, ids);
  std::vector<std::byte> table(bytes.begin(), bytes.end());
  if (!anvil::replace_ids(table, {{4242424242, 1}}).empty()) return 0;
  anvil::replace_ids(table, {{882909070, 4242424242}});
  anvil::replace_ids(table, {{4242424242, 882909070}});
  if (!std::ranges::equal(table, bytes)) std::abort();
  return 0;
}
