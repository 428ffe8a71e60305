// SPDX-License-Identifier: MIT
// The C ABI, called as another language calls it: through the shared library.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "marrow/core/file.h"
#include "marrow/marrow_c.h"
#include "support/documents.h"

namespace marrow::test {

inline std::string_view view(const marrow_text& text) { return {text.data, text.size}; }

inline marrow_error last_error() {
  marrow_error error;
  marrow_last_error(&error);
  return error;
}

inline marrow_document open_bytes(const Bytes& bytes, const char* name = "test.hkx") {
  marrow_document document = 0;
  REQUIRE(marrow_load(bytes.data(), bytes.size(), name, nullptr, &document) == MARROW_OK);
  return document;
}

inline Bytes result_bytes(marrow_result result, std::uint32_t index = 0) {
  marrow_file file;
  REQUIRE(marrow_get_file(result, index, &file) == MARROW_OK);
  const auto* first = static_cast<const std::byte*>(file.bytes);
  return {first, first + file.byte_count};
}

inline Bytes save(marrow_document document, const char* options = nullptr) {
  const marrow_input input{.role = "file", .name = nullptr, .bytes = nullptr, .byte_count = 0, .document = document};
  marrow_result result = 0;
  const marrow_status status = marrow_run("convert", options, &input, 1, nullptr, nullptr, &result);
  INFO(view(last_error().message));
  REQUIRE(status == MARROW_OK);
  const Bytes bytes = result_bytes(result);
  REQUIRE(marrow_release(result) == MARROW_OK);
  return bytes;
}

inline Bytes clip_bytes(std::int32_t bones = 5, std::int32_t frames = 20) {
  return saved(clip_document(bones, frames));
}
inline Bytes skeleton_bytes(std::int32_t bones = 5) { return saved(skeleton_document_of(bones)); }

inline Bytes file_bytes(const char* path) {
  auto bytes = read_file(path, Limits{});
  REQUIRE(bytes);
  return *bytes;
}

inline marrow_text text(const char* from) { return {from, std::strlen(from)}; }

/// A context through which the skeleton of folder/a.hkx is found beside it.
inline marrow_context context_with_skeleton(const Bytes& bones) {
  marrow_context context{};
  context.user = const_cast<Bytes*>(&bones);
  context.read = [](void* user, const char* name, std::size_t at_most, marrow_sink sink, void* state) -> std::int32_t {
    const auto& bytes = *static_cast<const Bytes*>(user);
    if (std::string_view(name) != "folder/skeleton.hkx") return 0;
    sink(state, bytes.data(), std::min(at_most, bytes.size()));
    return 1;
  };
  return context;
}

/// A rig with every bone modifier, and the modifier of one type in it.
struct OpenRig {
  explicit OpenRig(std::string_view type) {
    document = open_bytes(file_bytes("examples/anvil/every_modifier.xml"), "rig.xml");
    REQUIRE(marrow_open_rig(document, nullptr, 0, nullptr, nullptr, nullptr, &rig) == MARROW_OK);
    std::uint32_t count = 0;
    REQUIRE(marrow_get_modifiers(rig, nullptr, 0, &count) == MARROW_OK);
    std::vector<marrow_modifier> all(count);
    REQUIRE(marrow_get_modifiers(rig, all.data(), count, &count) == MARROW_OK);
    while (index < count && view(all[index].type) != type) ++index;
    REQUIRE(index < count);
  }
  ~OpenRig() {
    marrow_release(rig);
    marrow_release(document);
  }
  OpenRig(const OpenRig&) = delete;
  OpenRig& operator=(const OpenRig&) = delete;

  marrow_document document = 0;
  marrow_rig rig = 0;
  std::uint32_t index = 0;
};

}  // namespace marrow::test
