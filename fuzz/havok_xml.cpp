// SPDX-License-Identifier: MIT
// XML packfiles from hostile bytes: what reads must survive being written as XML again.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "havok/text/xml.h"
#include "limits.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace marrow;
  const havok::ReadOptions options{.limits = {.max_expanded_bytes = fuzz::kMaxExpandedBytes}};
  const auto file = havok::read_xml(std::as_bytes(std::span(data, size)), options);
  if (!file) return 0;
  const auto text = havok::write_xml(*file);
  if (!text) return 0;  // the name of a class may be no text
  const auto back = havok::read_xml(*text, options);
  if (!back || !(*back == *file)) std::abort();
  // Names that were given once stay.
  const auto again = havok::write_xml(*back);
  if (!again || *again != *text) std::abort();
  (void)havok::write_xml(*file, {.style = havok::XmlStyle::Plain});
  return 0;
}
