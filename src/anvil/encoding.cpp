// SPDX-License-Identifier: MIT
#include "anvil/encoding.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/large_pages.h"
#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"

namespace marrow::anvil {
namespace {

struct Form {
  std::size_t unit_bytes;
  bool big_endian;
  std::size_t mark_bytes;
};

// Detects the encoding from the first four bytes: a mark, or the `<` that every XML file starts with.
Form form_of(std::string_view text) {
  using namespace std::literals;
  struct Sign {
    std::string_view bytes;
    Form form;
  };
  // The marks of UTF-32 come first: the little-endian one starts like that of UTF-16.
  static constexpr std::array<Sign, 9> signs = {{
      {"\xFF\xFE\0\0"sv, {4, false, 4}},
      {"\0\0\xFE\xFF"sv, {4, true, 4}},
      {"\xFF\xFE"sv, {2, false, 2}},
      {"\xFE\xFF"sv, {2, true, 2}},
      {"\xEF\xBB\xBF"sv, {1, false, 3}},
      {"<\0\0\0"sv, {4, false, 0}},
      {"\0\0\0<"sv, {4, true, 0}},
      {"<\0"sv, {2, false, 0}},
      {"\0<"sv, {2, true, 0}},
  }};
  for (const Sign& sign : signs)
    if (text.starts_with(sign.bytes)) return sign.form;
  return {1, false, 0};
}

void append_utf8(std::string& out, std::uint32_t c) {
  const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | c >> 6);
    put(0x80 | (c & 63));
  } else if (c < 0x10000) {
    put(0xE0 | c >> 12);
    put(0x80 | (c >> 6 & 63));
    put(0x80 | (c & 63));
  } else {
    put(0xF0 | c >> 18);
    put(0x80 | (c >> 12 & 63));
    put(0x80 | (c >> 6 & 63));
    put(0x80 | (c & 63));
  }
}

// How many bytes of ASCII stand at `at`: almost all text of these files, so runs of it are copied as a whole.
std::size_t ascii_run(std::string_view text, std::size_t at) {
  const std::size_t start = at;
  for (std::array<std::uint64_t, 4> words; text.size() - at >= sizeof words; at += sizeof words) {
    std::memcpy(&words, text.data() + at, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080u) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at - start;
}

constexpr std::size_t kBlock = 64;

// Narrows `kBlock` units of UTF-16. False if one is not ASCII. Without a branch per unit, it is done sixteen at a time.
bool narrow_block(const std::byte* from, bool big_endian, std::array<char, kBlock>& to) {
  std::array<std::uint16_t, kBlock> units;
  std::memcpy(&units, from, sizeof units);
  std::uint16_t all = 0;
  if (big_endian != (std::endian::native == std::endian::big))
    for (std::uint16_t& unit : units) unit = static_cast<std::uint16_t>(unit << 8 | unit >> 8);
  for (std::size_t i = 0; i < kBlock; ++i) {
    all |= units[i];
    to[i] = static_cast<char>(units[i]);
  }
  return all < 0x80;
}

// Appends the ASCII at the start of UTF-16 text in whole blocks, and returns how many characters that was.
std::size_t append_ascii(std::string& out, std::span<const std::byte> bytes, bool big_endian) {
  std::size_t count = 0;
  for (std::array<char, kBlock> block; bytes.size() - 2 * count >= 2 * kBlock; count += kBlock) {
    if (!narrow_block(bytes.data() + 2 * count, big_endian, block)) break;
    out.append(block.data(), kBlock);
  }
  return count;
}

bool is_surrogate(std::uint32_t c) { return c >= 0xD800 && c < 0xE000; }

// Reads one character of UTF-8 at `at` and moves past it. Returns 0xFFFFFFFF if it is not valid.
std::uint32_t next_utf8(std::string_view text, std::size_t& at) {
  constexpr std::uint32_t bad = 0xFFFFFFFF;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(at++);
  if (first < 0x80) return first;
  const std::size_t more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4 || text.size() - at < more) return bad;
  std::uint32_t c = first & (0x3Fu >> more);
  for (std::size_t i = 0; i < more; ++i) {
    const std::uint32_t next = byte(at++);
    if ((next & 0xC0) != 0x80) return bad;
    c = c << 6 | (next & 63);
  }
  constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  return c < least[more] || c > 0x10FFFF || is_surrogate(c) ? bad : c;
}

Result<std::string> from_units(std::span<const std::byte> bytes, const Form& form) {
  if ((bytes.size() - form.mark_bytes) % form.unit_bytes != 0)
    return fail(ErrorCode::Truncated, "the text ends inside a character", bytes.size());
  const auto unit = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < form.unit_bytes; ++i)
      value |= std::to_integer<std::uint32_t>(bytes[at + i]) << 8 * (form.big_endian ? form.unit_bytes - 1 - i : i);
    return value;
  };
  std::string text;
  text.reserve(bytes.size() / form.unit_bytes + 16);
  use_large_pages(text.data(), text.capacity());
  std::size_t next_block = form.mark_bytes;  // blocks are not tried again while one that has other characters is read
  for (std::size_t at = form.mark_bytes; at < bytes.size(); at += form.unit_bytes) {
    if (form.unit_bytes == 2 && at >= next_block) {
      at += 2 * append_ascii(text, bytes.subspan(at), form.big_endian);
      next_block = at + 2 * kBlock;
      if (at >= bytes.size()) break;
    }
    std::uint32_t c = unit(at);
    if (form.unit_bytes == 2 && c >= 0xD800 && c < 0xDC00 && at + 2 < bytes.size()) {
      const std::uint32_t low = unit(at + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        at += 2;
      }
    }
    if (c > 0x10FFFF || is_surrogate(c)) return fail(ErrorCode::Malformed, "not a character of Unicode", at);
    append_utf8(text, c);
  }
  return text;
}

bool names_latin1(std::string_view text) {
  const std::string prolog = to_lower(text.substr(0, std::min(text.find("?>"), std::size_t{200})));
  return prolog.starts_with("<?xml") &&
         (prolog.find("iso-8859-1") != std::string::npos || prolog.find("windows-1252") != std::string::npos ||
          prolog.find("latin1") != std::string::npos);
}

}  // namespace

Result<SourceText> SourceText::decode(std::span<const std::byte> bytes) {
  const std::string_view raw = as_text(bytes);
  const Form form = form_of(raw.substr(0, 4));
  SourceText source;
  source.file_ = raw.substr(form.mark_bytes);
  source.mark_bytes_ = form.mark_bytes;
  source.unit_bytes_ = form.unit_bytes;
  if (form.unit_bytes > 1) {
    MARROW_TRY(source.decoded_, from_units(bytes, form));
  } else if (names_latin1(raw)) {
    source.latin1_ = true;
    for (const char c : raw) append_utf8(source.decoded_, static_cast<unsigned char>(c));
  } else {
    const std::string_view text = source.file_;
    for (std::size_t at = ascii_run(text, 0); at < text.size(); at += ascii_run(text, at)) {
      const std::size_t start = at;
      if (next_utf8(text, at) == 0xFFFFFFFF)
        return fail(ErrorCode::Malformed, "the text is not UTF-8 here; save the file as UTF-8 or UTF-16",
                    start + form.mark_bytes);
    }
  }
  return source;
}

std::uint32_t LineCounter::line_of(std::size_t at) {
  at = std::min(at, text_.size());
  if (at < counted_) *this = LineCounter(text_);
  for (; at - counted_ >= kBlock; counted_ += kBlock) {
    // A byte holds the lines of a block: many bytes are counted by one instruction.
    std::uint8_t lines = 0;
    for (std::size_t i = 0; i < kBlock; ++i) lines = static_cast<std::uint8_t>(lines + (text_[counted_ + i] == '\n'));
    line_ += lines;
  }
  for (; counted_ < at; ++counted_) line_ += text_[counted_] == '\n';
  return line_;
}

std::uint64_t SourceText::file_offset(std::size_t at) const {
  at = std::min(at, utf8().size());
  if (is_utf8()) return mark_bytes_ + at;
  std::uint64_t units = 0;
  for (std::size_t i = 0; i < at; ++units)
    if (next_utf8(decoded_, i) > 0xFFFF && unit_bytes_ == 2) ++units;
  return mark_bytes_ + units * unit_bytes_;
}

std::vector<std::byte> encode_utf16(std::string_view utf8) {
  // No byte of UTF-8 becomes more than one unit.
  std::vector<std::byte> bytes;
  const std::size_t most = utf8.size() * 2 + 2;
  bytes.reserve(most);
  use_large_pages(bytes.data(), most);
  bytes.resize(most);
  std::byte* to = bytes.data();
  const auto put = [&](std::uint32_t unit) {
    *to++ = static_cast<std::byte>(unit & 255);
    *to++ = static_cast<std::byte>(unit >> 8);
  };
  put(0xFEFF);
  for (std::size_t at = 0; at < utf8.size();) {
    const std::size_t run = ascii_run(utf8, at);
    for (std::size_t i = 0; i < run; ++i) {
      to[2 * i] = static_cast<std::byte>(utf8[at + i]);
      to[2 * i + 1] = std::byte{0};
    }
    to += 2 * run;
    at += run;
    if (at == utf8.size()) break;
    const std::uint32_t c = next_utf8(utf8, at);
    if (c > 0xFFFF && c <= 0x10FFFF) {
      put(0xD800 + ((c - 0x10000) >> 10));
      put(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      put(c > 0x10FFFF ? 0xFFFD : c);
    }
  }
  bytes.resize(static_cast<std::size_t>(to - bytes.data()));
  return bytes;
}

}  // namespace marrow::anvil
