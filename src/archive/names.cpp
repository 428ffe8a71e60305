// SPDX-License-Identifier: MIT
#include "archive/names.h"

#include <algorithm>
#include <array>
#include <bit>

#include "archive/archive.h"
#include "core/crc32.h"
#include "core/utf8.h"

namespace marrow::archive {
namespace {

constexpr std::size_t kLongestPath = 260;
constexpr std::size_t kLongestExtension = 16;

std::uint32_t fold(std::string_view bytes) {
  std::uint32_t hash = 0;
  for (const char c : bytes) hash = hash * 0x1003F + static_cast<std::uint8_t>(c);
  return hash;
}

// The parts of a hash, before they are put together.
struct HashParts {
  std::uint8_t last = 0, last_but_one = 0, length = 0, first = 0;
  std::uint32_t crc = 0;

  std::uint64_t joined() const {
    return std::uint64_t{last} | std::uint64_t{last_but_one} << 8 | std::uint64_t{length} << 16 |
           std::uint64_t{first} << 24 | std::uint64_t{crc} << 32;
  }
};

// Of normalised text that is not empty.
HashParts parts_of(std::string_view text) {
  const std::size_t n = text.size();
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  HashParts parts{.last = byte(n - 1), .length = static_cast<std::uint8_t>(n & 0xFF), .first = byte(0)};
  if (n >= 3) parts.last_but_one = byte(n - 2);
  if (n % 256 > 3 && n > 3) parts.crc = fold(text.substr(1, n - 3));
  return parts;
}

// The characters of Windows-1252 from 0x80 to 0x9F; the five that it leaves open are control characters.
constexpr std::array<char16_t, 32> kWindows1252 = {0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                   0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,   0x017D, 0x8F,
                                                   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                   0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

}  // namespace

std::string normalised(std::string_view path) {
  std::string text(path);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c == '/' ? '\\' : c;
  const std::size_t start = text.find_first_not_of('\\');
  if (start == std::string::npos) return ".";
  text = text.substr(start, text.find_last_not_of('\\') + 1 - start);
  return text.size() < kLongestPath ? text : ".";
}

SplitPath split_folder(std::string_view path) {
  const std::size_t slash = path.find_last_of("\\/");
  if (slash == std::string_view::npos) return {{}, path};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

SplitName split_extension(std::string_view file) {
  const std::size_t dot = std::min(file.rfind('.'), file.size());
  return {file.substr(0, dot), file.substr(dot)};
}

std::uint64_t bsa_folder_hash(std::string_view folder) { return parts_of(normalised(folder)).joined(); }

std::uint64_t bsa_file_hash(std::string_view file) {
  const std::string text = normalised(file);
  const auto [stem, extension] = split_extension(text);
  if (stem.empty() || extension.size() >= kLongestExtension) return 0;
  HashParts parts = parts_of(stem);
  parts.crc += fold(extension);
  constexpr std::array<std::string_view, 6> kMarked = {"", ".nif", ".kf", ".dds", ".wav", ".adp"};
  if (const auto found = std::ranges::find(kMarked, extension); found != kMarked.end()) {
    const auto index = static_cast<std::uint32_t>(found - kMarked.begin());
    parts.first = static_cast<std::uint8_t>(parts.first + 32 * (index & 0xFC));
    parts.last = static_cast<std::uint8_t>(parts.last + ((index & 0xFE) << 6));
    parts.last_but_one = static_cast<std::uint8_t>(parts.last_but_one + (index << 7));
  }
  return parts.joined();
}

std::uint64_t bsa_sort_key(std::uint64_t hash, bool xbox_order) { return xbox_order ? __builtin_bswap64(hash) : hash; }

Ba2Hash ba2_hash(std::string_view path) {
  const std::string text = normalised(path);
  const auto [folder, file] = split_folder(text);
  const auto [stem, extension] = split_extension(file);
  Ba2Hash hash{.stem = crc32_plain(stem), .folder = crc32_plain(folder)};
  for (std::size_t i = 1; i < std::min<std::size_t>(extension.size(), 5); ++i)
    hash.extension |= std::uint32_t{static_cast<std::uint8_t>(extension[i])} << (8 * (i - 1));
  return hash;
}

std::string stored_path(std::string_view utf8) {
  std::string stored;
  for (std::string_view rest = utf8; !rest.empty();) {
    const auto code = take_utf8(rest);
    if (!code) return std::string(utf8);
    const auto special = std::ranges::find(kWindows1252, *code);
    if (special != kWindows1252.end())
      stored += static_cast<char>(0x80 + (special - kWindows1252.begin()));
    else if (*code < 0x80 || (*code >= 0xA0 && *code < 0x100))
      stored += static_cast<char>(*code);
    else
      return std::string(utf8);
  }
  // What would be taken for UTF-8 when it is read is stored as it is.
  return shown_path(stored) == shown_path(utf8) ? stored : std::string(utf8);
}

std::string shown_path(std::string_view bytes) {
  std::string shown;
  if (is_utf8(bytes)) {
    shown = bytes;
  } else {
    for (const char c : bytes) {
      const auto byte = static_cast<std::uint8_t>(c);
      append_utf8(shown, byte >= 0x80 && byte < 0xA0 ? kWindows1252[byte - 0x80] : byte);
    }
  }
  std::ranges::replace(shown, '\\', '/');
  return shown;
}

std::string_view unsafe_because(std::string_view path) {
  if (path.empty()) return "it is empty";
  if (path.starts_with('/') || path.starts_with('\\')) return "it starts at the root of the disk";
  if (std::ranges::any_of(path, [](char c) { return static_cast<std::uint8_t>(c) < 0x20 || c == 0x7F; }))
    return "it has a control character";
  if (path.contains(':')) return "it names a drive or a stream";
  while (true) {
    const std::size_t end = std::min(path.find_first_of("\\/"), path.size());
    const std::string_view part = path.substr(0, end);
    if (part.empty()) return "it has a folder without a name";
    if (part == "." || part == "..") return "it leaves the folder";
    if (end == path.size()) return {};
    path.remove_prefix(end + 1);
  }
}

}  // namespace marrow::archive
