// SPDX-License-Identifier: MIT
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "anvil/check.h"
#include "anvil/hierarchy.h"
#include "anvil/names.h"
#include "anvil/xml.h"
#include "marrow/core/byte_reader.h"
#include "support/corpus.h"

namespace marrow::anvil {

inline std::span<const std::byte> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline Skeleton parse(std::string_view text) {
  auto skeleton = read_xml(bytes_of(text));
  REQUIRE_MESSAGE(skeleton.has_value(), skeleton.error().message);
  return std::move(*skeleton);
}

/// One of the rigs that the project carries.
inline Skeleton sample(const std::string& name) {
  const auto bytes = test::bytes_of("examples/anvil/" + name + ".xml");
  auto skeleton = read_xml(bytes);
  REQUIRE_MESSAGE(skeleton.has_value(), skeleton.error().message);
  return std::move(*skeleton);
}

inline std::vector<std::byte> written(const Skeleton& skeleton, const WriteOptions& options = {}) {
  auto bytes = write_xml(skeleton, options);
  REQUIRE_MESSAGE(bytes.has_value(), bytes.error().message);
  return std::move(*bytes);
}

inline Skeleton reread(const Skeleton& skeleton, const WriteOptions& options = {}) {
  auto again = read_xml(written(skeleton, options));
  REQUIRE_MESSAGE(again.has_value(), again.error().message);
  return std::move(*again);
}

inline Bone& bone(Skeleton& skeleton, std::string_view name) {
  const auto found =
      std::ranges::find(skeleton.bones, hash_of(name), [](const Bone& candidate) { return candidate.name.hash; });
  REQUIRE_MESSAGE(found != skeleton.bones.end(), name);
  return *found;
}

inline bool has_code(const Findings& findings, std::string_view code) {
  return std::ranges::find(findings, code, &Finding::code) != findings.end();
}

}  // namespace marrow::anvil
