// SPDX-License-Identifier: MIT
/// Values of the library as values of C, and back.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "c/failure.h"
#include "core/json.h"
#include "marrow/model/skeleton.h"
#include "marrow/model/transform.h"
#include "marrow/ops/document/context.h"

namespace marrow::c {

/// `text` must end with a zero: a std::string or a literal.
inline marrow_text text_of(std::string_view text) { return {text.data() ? text.data() : "", text.size()}; }
inline std::string_view view_of(const marrow_text& text) {
  return text.data ? std::string_view(text.data, text.size) : std::string_view();
}
inline std::string_view view_of(const char* text) { return text ? std::string_view(text) : std::string_view(); }

inline std::span<const std::byte> bytes_of(const void* bytes, std::size_t size) {
  return {static_cast<const std::byte*>(bytes), size};
}

/// A pose of the library is the caller's floats: a transform is ten of them, and a quaternion keeps w last.
inline std::span<Transform> transforms_of(float* floats, std::size_t count) {
  return {reinterpret_cast<Transform*>(floats), count};
}
inline std::span<const Transform> transforms_of(const float* floats, std::size_t count) {
  return {reinterpret_cast<const Transform*>(floats), count};
}
inline void copy_transform(const Transform& from, float* to) {
  std::copy_n(reinterpret_cast<const float*>(&from), 10, to);
}

/// Writes a list by the rule of the header: as many elements as fit, and how many there are.
template <class Item, class Make>
Outcome<void> write_list(std::size_t size, Item* out, std::uint32_t capacity, std::uint32_t* count, Make&& make) {
  if (!count) return required(count, "count");
  if (capacity > 0 && !out) return required(out, "out");
  for (std::size_t i = 0; i < std::min<std::size_t>(size, capacity); ++i) out[i] = make(i);
  *count = static_cast<std::uint32_t>(size);
  return {};
}

/// Fails with `MARROW_NOT_FOUND` if there is no element `index` of what `name` says.
inline Outcome<void> in_range(std::uint64_t index, std::size_t size, const char* name) {
  if (index < size) return {};
  return fail_with(MARROW_NOT_FOUND,
                   "there is no " + std::string(name) + ' ' + std::to_string(index) + ", only " + std::to_string(size));
}

/// Returns options of the caller: an object, empty if the text is null or empty.
inline Outcome<Json> options_of(const char* text) {
  const std::string_view view = view_of(text);
  if (view.empty()) return Json::object();
  auto parsed = parse_json(view);
  if (!parsed) return std::unexpected(Failure(std::move(parsed).error()));
  return std::move(*parsed);
}

/// Parts a document from the packfile that it was read from: with other clips or skeletons than that has, it is written
/// as a new file.
void leave_packfile(Document& document);

std::string json_of(const Notes& notes);

marrow_bone bone_of(const Bone& bone);
/// Fails with `MARROW_MALFORMED` unless parents come before their children, as poses need it.
Outcome<void> check_order(const Skeleton& skeleton);

/// The context of a call, made from the caller's.
class CallContext {
 public:
  explicit CallContext(const marrow_context* from);
  CallContext(const CallContext&) = delete;
  CallContext& operator=(const CallContext&) = delete;

  Context& operator*() { return context_; }
  Context* operator->() { return &context_; }

 private:
  std::optional<Lookup> lookup_;
  Context context_;
};

}  // namespace marrow::c
