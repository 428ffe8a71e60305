// SPDX-License-Identifier: MIT
#include "ops/formats.h"

#include <string>

namespace marrow {

std::unexpected<Error> refuse_format(std::span<const std::byte> bytes, std::string_view operation) {
  if (bytes.empty()) return fail(ErrorCode::Truncated, "the file is empty", 0);
  switch (const Format format = detect(bytes)) {
    case Format::Unknown:
      return fail(ErrorCode::BadMagic,
                  "not a format that is known: Havok packfile (binary or XML), NIF, Anvil XML, glTF or OBJ", 0);
    case Format::HavokTagfile:
      return fail(ErrorCode::Unsupported,
                  "a Havok tagfile (TAG0, 2015 and later) is not supported; packfiles of 2010.2 and 2014.1 are", 0);
    default:
      return fail(ErrorCode::Unsupported,
                  std::string(operation) + " does not take " + std::string(to_string(format)) + " files", 0);
  }
}

}  // namespace marrow
