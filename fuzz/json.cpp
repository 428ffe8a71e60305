// SPDX-License-Identifier: MIT
// JSON: what is read is written on one line and on many, and reads as the same text.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/json.h"

using namespace marrow;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = parse_json({reinterpret_cast<const char*>(data), size});
  if (!json) return 0;
  for (const bool indented : {false, true}) {
    // Whole doubles may come back as integers, with the same text.
    const std::string text = to_text(*json, indented);
    const auto again = parse_json(text);
    if (!again || to_text(*again, indented) != text) std::abort();
  }
  return 0;
}
