// SPDX-License-Identifier: MIT
#include "nif/nif_header.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/try.h"
#include "marrow/core/byte_reader.h"
#include "marrow/core/text.h"
#include "nif/nif_file.h"

namespace marrow {
namespace {

// A header line longer than this is no header line.
constexpr std::size_t kLongestLine = 128;

// Versions at which the header got its parts.
constexpr std::uint32_t kFirstNumber = 0x03010001, kFirstTypeTable = 0x05000001, kFirstUserVersion = 0x0A000108,
                        kFirstEndian = 0x14000003, kFirstMetadata = 0x1E000000;
constexpr std::uint32_t kOblivion = 0x14000005, kBethesda = 0x14020007;

struct NamedVersions {
  std::uint32_t version;
  std::uint32_t first, last;  ///< Bethesda versions
  std::string_view name;
  std::string_view why = {};  ///< why files of the game are not read, if there is more to say
};
constexpr std::array kGames = {
    NamedVersions{0x04000002, 0, 0xFFFFFFFF, "Morrowind"},
    NamedVersions{0x14000004, 1, 33, "Oblivion"},
    NamedVersions{0x14000005, 1, 33, "Oblivion"},
    NamedVersions{kBethesda, 14, 82, "Fallout 3 or New Vegas"},
    NamedVersions{kBethesda, 83, 99, "Skyrim LE"},
    NamedVersions{kBethesda, 100, 129, "Skyrim SE"},
    NamedVersions{kBethesda, 130, 130, "Fallout 4"},
    NamedVersions{kBethesda, 131, 139, "Fallout 4 (a development version)"},
    NamedVersions{kBethesda, 140, 169, "Fallout 76"},
    NamedVersions{kBethesda, 170, 0xFFFFFFFF, "Starfield",
                  "its meshes are files of their own, and its collision is a tagfile of a later Havok"},
};

// The version in the header line, `Version 4.0.0.2`; 0 if it has none.
std::uint32_t version_in(std::string_view line) {
  const std::size_t at = line.rfind(' ');
  if (at == std::string_view::npos) return 0;
  std::uint32_t version = 0;
  int shift = 24;
  for (std::string_view rest = line.substr(at + 1); !rest.empty() && shift >= 0; shift -= 8) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const auto number = parse_uint(rest.substr(0, dot));
    if (!number || *number > 255) return 0;
    version |= static_cast<std::uint32_t>(*number) << shift;
    rest.remove_prefix(std::min(dot + 1, rest.size()));
  }
  return version;
}

bool has_bethesda_part(const NifHeader& header) {
  if (header.version == 0x0A000102) return true;
  if (header.user_version < 3) return false;
  return header.version == kBethesda || header.version == kOblivion ||
         (header.version >= 0x0A010000 && header.version <= 0x14000004 && header.user_version <= 11);
}

void skip_short_string(ByteReader& reader) { reader.skip(reader.u8()); }

void read_bethesda_part(ByteReader& reader, NifHeader& header) {
  header.bethesda_version = reader.u32();
  skip_short_string(reader);                                      // author
  if (header.bethesda_version > 130) reader.skip(4);              // unknown
  if (header.bethesda_version < 131) skip_short_string(reader);   // process script
  skip_short_string(reader);                                      // export script
  if (header.bethesda_version >= 103) skip_short_string(reader);  // source path
}

Result<void> read_types(ByteReader& reader, NifHeader& header, const Limits& limits) {
  const std::uint16_t count = reader.u16();
  for (std::uint16_t i = 0; i < count && reader.ok(); ++i)
    header.types.emplace_back(std::string(as_text(reader.bytes(reader.u32()))), 0);
  if (header.block_count > limits.max_objects)
    return fail(ErrorCode::LimitExceeded, std::to_string(header.block_count) + " blocks are more than the limit",
                reader.offset());
  if (reader.ok() && header.block_count > reader.remaining() / 2)
    return fail(ErrorCode::Truncated, std::to_string(header.block_count) + " blocks do not fit into the file",
                reader.offset());
  for (std::uint32_t i = 0; i < header.block_count && reader.ok(); ++i) {
    const std::size_t type = reader.u16() & kTypeIndexMask;
    if (reader.ok() && type >= header.types.size())
      reader.set_error(ErrorCode::Malformed,
                       "a block names type " + std::to_string(type) + " of " + std::to_string(header.types.size()));
    else if (reader.ok())
      ++header.types[type].second;
  }
  return reader.status();
}

}  // namespace

namespace {

const NamedVersions* named(std::uint32_t version, std::uint32_t bethesda_version) {
  const auto found = std::ranges::find_if(kGames, [&](const NamedVersions& game) {
    return game.version == version && bethesda_version >= game.first && bethesda_version <= game.last;
  });
  return found == kGames.end() ? nullptr : &*found;
}

}  // namespace

std::string_view nif_game(std::uint32_t version, std::uint32_t bethesda_version) {
  const NamedVersions* game = named(version, bethesda_version);
  return game ? game->name : std::string_view();
}

std::string_view why_not_read(std::uint32_t version, std::uint32_t bethesda_version) {
  const NamedVersions* game = named(version, bethesda_version);
  return game ? game->why : std::string_view();
}

std::string nif_version_text(std::uint32_t version) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    append_uint(text, (version >> shift) & 0xFF);
    if (shift != 0) text += '.';
  }
  return text;
}

bool is_legacy_collision(std::string_view type) {
  constexpr std::array<std::string_view, 3> kPresent = {"bhkNPCollisionObject", "bhkPhysicsSystem", "bhkRagdollSystem"};
  const bool is_shape = type == "hkPackedNiTriStripsData";
  return (type.starts_with("bhk") && std::ranges::find(kPresent, type) == kPresent.end()) || is_shape;
}

Result<NifHeader> read_nif_header(std::span<const std::byte> bytes, const Limits& limits) {
  const std::string_view text = as_text(bytes);
  if (!text.starts_with("Gamebryo File Format") && !text.starts_with("NetImmerse File Format"))
    return fail(ErrorCode::BadMagic, "not a NIF: the file does not start with 'Gamebryo File Format'", 0);
  const std::size_t end = text.substr(0, kLongestLine).find('\n');
  if (end == std::string_view::npos)
    return fail(ErrorCode::Truncated, "the NIF header line has no end", std::min(text.size(), kLongestLine));
  NifHeader header;
  header.line = std::string(trim(text.substr(0, end)));
  ByteReader reader(bytes);
  reader.skip(end + 1);
  header.version = version_in(header.line);
  if (header.version < kFirstNumber) return header;  // lines of text follow
  header.version = reader.u32();
  MARROW_CHECK(reader.status());
  if (header.version >= kFirstMetadata) return header;  // has parts that no game here has
  if (header.version >= kFirstEndian) header.is_little_endian = reader.u8() == 1;
  MARROW_CHECK(reader.status());
  if (!header.is_little_endian) return header;
  if (header.version >= kFirstUserVersion) header.user_version = reader.u32();
  header.block_count = reader.u32();
  if (has_bethesda_part(header)) read_bethesda_part(reader, header);
  MARROW_CHECK(reader.status());
  header.game = nif_game(header.version, header.bethesda_version);
  if (header.version >= kFirstTypeTable) MARROW_CHECK(read_types(reader, header, limits));
  return header;
}

std::string describe(const NifHeader& header) {
  std::string text = header.game.empty() ? std::string("NIF of an unknown game") : "NIF of " + std::string(header.game);
  text += " (" + nif_version_text(header.version) + ", user version " + std::to_string(header.user_version) +
          ", Bethesda version " + std::to_string(header.bethesda_version) + "), " + std::to_string(header.block_count) +
          " blocks";
  if (!header.is_little_endian) text += ", big-endian (console)";
  constexpr std::size_t kMostTypes = 16;  // one line stays one line
  std::string content;
  for (const auto& [type, count] : std::span(header.types).first(std::min(header.types.size(), kMostTypes)))
    if (count > 0) content += (content.empty() ? "" : ", ") + std::to_string(count) + " " + type;
  if (header.types.size() > kMostTypes) content += ", ...";
  if (!content.empty()) text += " (" + content + ")";
  std::string legacy;
  for (const auto& [type, count] : header.types)
    if (count > 0 && is_legacy_collision(type)) legacy += (legacy.empty() ? "" : ", ") + type;
  if (!legacy.empty()) text += "; collision of the old kind: " + legacy;
  return text;
}

}  // namespace marrow
