// SPDX-License-Identifier: MIT
#include "marrow/ops/check.h"

#include <algorithm>

#include "marrow/core/text.h"
#include "ops/formats.h"

namespace marrow {
namespace {

Result<Findings> check_by_format(std::span<const std::byte> bytes, const CheckOptions& options) {
  switch (detect(bytes)) {
    case Format::HavokPackfile:
    case Format::HavokXml: return check_havok(bytes, options);
    case Format::AnvilXml: return check_anvil(bytes, options);
    case Format::Glb:
    case Format::Gltf: return check_gltf(bytes, options);
    case Format::Nif: return check_nif(bytes, options);
    default: return refuse_format(bytes, "check");
  }
}

}  // namespace

Finding finding_of(const Error& error) {
  std::string code = "E_";
  for (const char c : to_string(error.code))
    code += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  std::string where = error.path;
  if (error.offset != kNoOffset) where += (where.empty() ? "offset " : ", offset ") + std::to_string(error.offset);
  return {std::move(code), Level::Error, error.message, std::move(where)};
}

Result<Findings> check(std::span<const std::byte> bytes, const CheckOptions& options) {
  const Format format = detect(bytes);
  auto findings = check_by_format(bytes, options);
  if (findings || bytes.empty() || format == Format::Unknown) return findings;
  return Findings{finding_of(findings.error())};
}

}  // namespace marrow
