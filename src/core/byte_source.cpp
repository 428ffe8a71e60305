// SPDX-License-Identifier: MIT
#include "marrow/core/byte_source.h"

#include <algorithm>
#include <string>

namespace marrow {

std::unexpected<Error> beyond_end(std::uint64_t offset, std::uint64_t count, std::uint64_t size) {
  return fail(ErrorCode::Truncated,
              "needs " + std::to_string(count) + " bytes here; the file ends at " + std::to_string(size), offset);
}

Result<void> MemorySource::read(std::uint64_t offset, std::span<std::byte> out) const {
  return ByteSourceView(bytes_).read(offset, out);
}

Result<void> ByteSourceView::read(std::uint64_t offset, std::span<std::byte> out) const {
  if (offset > bytes_.size() || out.size() > bytes_.size() - offset)
    return beyond_end(offset, out.size(), bytes_.size());
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  return {};
}

}  // namespace marrow
