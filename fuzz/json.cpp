// SPDX-License-Identifier: MIT
// JSON: what is read is written on one line and on many, and reads as the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "marrow/core/json.h"

using namespace marrow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = parse_json({reinterpret_cast<const char*>(data), size});
  if (!json) return 0;
  for (const bool indented : {false, true}) {
    const auto again = parse_json(to_text(*json, indented));
    if (!again || !(*again == *json)) std::abort();
  }
  return 0;
}
