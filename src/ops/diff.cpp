// SPDX-License-Identifier: MIT
#include "marrow/ops/diff.h"

#include "ops/formats.h"

namespace marrow {
namespace {

// Formats that hold the same things are compared with each other.
Format family(std::span<const std::byte> bytes) {
  const Format format = detect(bytes);
  return format == Format::HavokXml ? Format::HavokPackfile : format;
}

}  // namespace

Result<std::vector<Difference>> diff(std::span<const std::byte> left, std::span<const std::byte> right,
                                     const Limits& limits) {
  const Format format = family(left);
  if (format != family(right))
    return fail(ErrorCode::InvalidArgument,
                "files of two kinds cannot be compared: " + std::string(to_string(detect(left))) + " and " +
                    std::string(to_string(detect(right))));
  switch (format) {
    case Format::HavokPackfile: return diff_havok(left, right, limits);
    case Format::AnvilXml: return diff_anvil(left, right, limits);
    case Format::Nif: return diff_nif(left, right, limits);
    default: return refuse_format(left, "diff");
  }
}

}  // namespace marrow
