// SPDX-License-Identifier: MIT
// Names of files on Windows are UTF-16, and not always valid: half a pair may stand alone. It becomes three bytes, as a
// character of that number would (WTF-8), so that every name comes back as it was. Works on every host, for tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "core/utf8.h"

namespace marrow {

inline bool is_high_half(char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
inline bool is_low_half(char16_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/// Returns UTF-16 as UTF-8; a half pair becomes three bytes.
inline std::string utf8_of_utf16(std::u16string_view wide) {
  std::string out;
  out.reserve(wide.size());
  for (std::size_t i = 0; i < wide.size(); ++i) {
    char32_t code = wide[i];
    if (is_high_half(wide[i]) && i + 1 < wide.size() && is_low_half(wide[i + 1]))
      code = 0x10000 + ((code - 0xD800) << 10) + (wide[++i] - 0xDC00u);
    append_utf8(out, code);
  }
  return out;
}

/// Returns UTF-8 as UTF-16; three bytes that stand for half a pair become it, other bytes that are not UTF-8 become
/// U+FFFD.
inline std::u16string utf16_of_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  std::u16string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (const auto code = take_utf8(text)) {
      if (*code < 0x10000) {
        out += static_cast<char16_t>(*code);
      } else {
        out += static_cast<char16_t>(0xD800 + ((*code - 0x10000) >> 10));
        out += static_cast<char16_t>(0xDC00 + ((*code - 0x10000) & 0x3FF));
      }
    } else if (text.size() >= 3 && byte(0) == 0xED && byte(1) >= 0xA0 && byte(1) < 0xC0 && (byte(2) & 0xC0) == 0x80) {
      out += static_cast<char16_t>(0xD000 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F));
      text.remove_prefix(3);
    } else {
      out += u'\uFFFD';
      text.remove_prefix(1);
    }
  }
  return out;
}

inline constexpr std::u16string_view kLongPrefix = u"\\\\?\\", kLongNetworkPrefix = u"\\\\?\\UNC\\";

/// Returns an absolute Windows path in the form that may have more than 260 characters.
inline std::u16string long_form(std::u16string_view absolute) {
  if (absolute.starts_with(kLongPrefix) || absolute.starts_with(u"\\\\.\\")) return std::u16string(absolute);
  std::u16string path(absolute);
  std::ranges::replace(path, u'/', u'\\');
  if (path.starts_with(u"\\\\")) return std::u16string(kLongNetworkPrefix) + path.substr(2);
  return std::u16string(kLongPrefix) + path;
}

/// Returns the plain form of a path, as people write it.
inline std::u16string plain_form(std::u16string_view path) {
  if (path.starts_with(kLongNetworkPrefix)) return u"\\\\" + std::u16string(path.substr(kLongNetworkPrefix.size()));
  const bool has_drive = path.size() > kLongPrefix.size() + 1 && path[kLongPrefix.size() + 1] == u':';
  if (path.starts_with(kLongPrefix) && has_drive) path.remove_prefix(kLongPrefix.size());
  return std::u16string(path);
}

}  // namespace marrow
