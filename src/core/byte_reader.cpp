// SPDX-License-Identifier: MIT
#include "marrow/core/byte_reader.h"

#include <utility>

namespace marrow {

const std::byte* ByteReader::take(std::size_t count) {
  if (error_) return nullptr;
  if (count > remaining()) {
    set_error(ErrorCode::Truncated,
              "needs " + std::to_string(count) + " bytes, but only " + std::to_string(remaining()) + " are left");
    return nullptr;
  }
  const std::byte* at = bytes_.data() + position_;
  position_ += count;
  return at;
}

std::span<const std::byte> ByteReader::bytes(std::size_t count) {
  const std::byte* at = take(count);
  return at ? std::span(at, count) : std::span<const std::byte>{};
}

std::string_view ByteReader::c_string() {
  if (error_) return {};
  const std::string_view rest = as_text(bytes_.subspan(position_));
  const std::size_t length = rest.find('\0');
  if (length == std::string_view::npos) {
    set_error(ErrorCode::Truncated, "a string has no terminating NUL");
    return {};
  }
  position_ += length + 1;
  return rest.substr(0, length);
}

void ByteReader::seek(std::size_t position) {
  if (error_) return;
  if (position > bytes_.size()) {
    set_error(ErrorCode::Truncated, "position " + std::to_string(position) + " is past the end");
    return;
  }
  position_ = position;
}

void ByteReader::align(std::size_t alignment) {
  const std::size_t over = position_ % alignment;
  if (over != 0) skip(alignment - over);
}

Result<void> ByteReader::status() const {
  if (error_) return std::unexpected(*error_);
  return {};
}

void ByteReader::set_error(ErrorCode code, std::string message) {
  if (!error_) error_ = Error{code, std::move(message), offset(), {}};
}

}  // namespace marrow
