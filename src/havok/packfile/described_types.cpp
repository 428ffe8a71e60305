// SPDX-License-Identifier: MIT
#include "havok/packfile/described_types.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "havok/packfile/format.h"
#include "marrow/core/byte_reader.h"

namespace marrow::havok {
namespace {

constexpr std::uint32_t kMostClassSize = 1u << 20;
constexpr std::size_t kMostClasses = 4096;

bool is_name(std::string_view text) {
  return !text.empty() && text.size() < 256 &&
         std::ranges::all_of(
             text,
             [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                      c == ':';
             });
}

class TypeSectionReader {
 public:
  TypeSectionReader(const TypeSection& types, std::span<const std::byte> class_names, FileLayout layout,
                    const Limits& limits)
      : bytes_(types.bytes),
        data_(bytes_.first(types.offsets[0])),
        class_names_(class_names),
        layout_(layout),
        pointer_(layout.pointer_size),
        limits_(limits) {
    const auto& [locals, globals, virtuals, exports, imports, end] = types.offsets;
    for (std::uint32_t at = locals; at + 8 <= globals; at += 8) add_pointer(table(at), table(at + 4));
    for (std::uint32_t at = globals; at + 12 <= virtuals; at += 12)
      if (table(at + 4) == kTypes) add_pointer(table(at), table(at + 8));
    for (std::uint32_t at = virtuals; at + 12 <= exports; at += 12)
      if (table(at) < data_.size() && name_of_class(table(at + 8)) == "hkClass") classes_.push_back(table(at));
  }

  StatedClasses run() {
    StatedClasses all;
    for (const std::uint32_t at : classes_) {
      auto [name, stated] = read_class(at);
      if (is_spent_ || all.size() >= kMostClasses) return {};
      if (stated) all.emplace(std::move(name), std::move(*stated));
    }
    return all;
  }

 private:
  static std::string_view text_in(std::span<const std::byte> bytes, std::size_t at) {
    if (at >= bytes.size()) return {};
    const std::string_view rest = as_text(bytes.subspan(at));
    const std::size_t end = rest.find('\0');
    return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
  }

  template <class T>
  T number_in(std::span<const std::byte> bytes, std::size_t at) const {
    if (at > bytes.size() || bytes.size() - at < sizeof(T)) return 0;
    const T value = load<T>(bytes, at);
    if constexpr (sizeof(T) == 1) return value;
    return layout_.is_big_endian ? std::byteswap(value) : value;
  }
  std::uint32_t table(std::uint32_t at) const { return number_in<std::uint32_t>(bytes_, at); }
  template <class T>
  T number(std::size_t at) const {
    return number_in<T>(data_, at);
  }

  std::string_view name_of_class(std::uint32_t at) const { return text_in(class_names_, at); }

  void add_pointer(std::uint32_t from, std::uint32_t to) {
    if (from < data_.size() && to < data_.size()) pointers_.emplace(from, to);
  }
  std::optional<std::uint32_t> follow(std::size_t at) const {
    const auto found = pointers_.find(static_cast<std::uint32_t>(at));
    return found == pointers_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Returns the text that a pointer leads to; empty if there is none, or it is not a name.
  std::string name_at(std::size_t at) const {
    const auto to = follow(at);
    const std::string_view text = to ? text_in(data_, *to) : std::string_view();
    return is_name(text) ? std::string(text) : std::string();
  }

  bool charge(std::size_t count, std::size_t each) {
    is_spent_ |= !limits_.charge(count, each);
    return !is_spent_;
  }

  std::pair<std::string, std::optional<StatedClass>> read_class(std::uint32_t at) {
    const std::uint32_t numbers = at + 2 * pointer_, enums = numbers + 8;
    const std::uint32_t members = enums + 2 * pointer_;  // a pointer, a count and its padding
    std::pair<std::string, std::optional<StatedClass>> out(name_at(at), std::nullopt);
    StatedClass stated;
    if (const auto parent = follow(at + pointer_)) {
      stated.parent = name_at(*parent);
      if (stated.parent.empty()) return out;
    }
    stated.size = number<std::uint32_t>(numbers);
    const auto list = follow(members);
    const auto count = number<std::uint32_t>(members + pointer_);
    if (out.first.empty() || stated.size == 0 || stated.size > kMostClassSize || (count > 0 && !list)) return out;
    const std::uint32_t stride = count > 0 ? member_stride(*list, count) : 0;
    if (count > 0 && stride == 0) return out;
    if (!charge(count, 2 * sizeof(StatedMember))) return out;
    for (std::uint32_t i = 0; i < count; ++i) stated.members.push_back(read_member(*list + i * stride));
    out.second = std::move(stated);
    return out;
  }

  // With or without a pointer to attributes at its end: each has a name at its start. 0 if neither fits.
  std::uint32_t member_stride(std::uint32_t list, std::uint32_t count) const {
    const std::uint32_t bare = 3 * pointer_ + 8;
    for (const std::uint32_t stride : {bare + pointer_, bare}) {
      if (std::uint64_t{count} * stride > data_.size() - list) continue;
      std::uint32_t i = 0;
      while (i < count && !name_at(list + i * stride).empty()) ++i;
      if (i == count) return stride;
    }
    return 0;
  }

  StatedMember read_member(std::uint32_t at) {
    const std::uint32_t rest = at + 3 * pointer_;
    StatedMember member;
    member.name = name_at(at);
    if (const auto type = follow(at + pointer_)) member.class_name = name_at(*type);
    member.kind = static_cast<StatedKind>(number<std::uint8_t>(rest));
    member.element = static_cast<StatedKind>(number<std::uint8_t>(rest + 1));
    member.repeat = std::max<std::uint32_t>(1, number<std::uint16_t>(rest + 2) & 0x7FFFu);
    member.flags = number<std::uint16_t>(rest + 4);
    member.offset = number<std::uint16_t>(rest + 6);
    if (const auto names = follow(at + 2 * pointer_)) member.names = read_enum(*names);
    return member;
  }

  Enum read_enum(std::uint32_t at) {
    Enum names;
    names.name = name_at(at);
    const auto items = follow(at + pointer_);
    const auto count = number<std::uint32_t>(at + 2 * pointer_);
    const std::uint32_t stride = 2 * pointer_;
    if (!items || std::uint64_t{count} * stride > data_.size() - *items) return names;
    if (!charge(count, 2 * sizeof names.items.front())) return names;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t item = *items + i * stride;
      if (std::string name = name_at(item + pointer_); !name.empty())
        names.items.emplace_back(std::move(name), static_cast<std::int32_t>(number<std::uint32_t>(item)));
    }
    return names;
  }

  std::span<const std::byte> bytes_, data_, class_names_;
  FileLayout layout_;
  std::uint32_t pointer_;
  const Limits& limits_;
  bool is_spent_ = false;
  std::unordered_map<std::uint32_t, std::uint32_t> pointers_;
  std::vector<std::uint32_t> classes_;
};

}  // namespace

StatedClasses read_stated_classes(const TypeSection& types, std::span<const std::byte> class_names, FileLayout layout,
                                  const Limits& limits) {
  if (!limits.charge(types.bytes.size(), 4)) return {};  // the index of its pointers
  return TypeSectionReader(types, class_names, layout, limits).run();
}

}  // namespace marrow::havok
