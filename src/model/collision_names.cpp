// SPDX-License-Identifier: MIT
#include "marrow/model/collision_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include "marrow/core/crc32.h"
#include "marrow/core/nearest.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

constexpr CollisionMaterial kMaterials[] = {
#include "model/collision_materials.inc"
};

constexpr NamelessMaterial kNameless[] = {
    {0x26067D15, "",
     "volumes and simple shapes without a sound of their own: actor zones, stair helpers, navmesh cuts, balls"},
    {0x4CCACC3B, "Solid Metal", "triangles of static meshes"},
    {0x5DD8A028, "CharacterBumper", "the capsule CharacterBumper of skeletons, on layer CHARCONTROLLER"},
    {0xFCB37EA0, "", "triangles of static meshes and compounds: buildings, scaffolds, heaps of rubbish"},
};

constexpr std::string_view kLayers[] = {
#include "model/collision_layers.inc"
};

// What is left of a name when case, blanks and underscores do not count.
std::string plain(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c))) text += c;
  return to_lower(text);
}

std::string_view without(std::string_view text, std::string_view prefix) {
  return text.starts_with(prefix) && text.size() > prefix.size() ? text.substr(prefix.size()) : text;
}

// Materials whose name holds the text, for a message.
std::string near_names(std::string_view text) {
  std::string names;
  int count = 0;
  for (const CollisionMaterial& material : kMaterials) {
    if (text.empty() || plain(material.name).find(text) == std::string::npos || ++count > 5) continue;
    names += (names.empty() ? "" : ", ") + std::string(material.name);
  }
  if (!names.empty()) return "; near it are " + names;
  std::vector<std::string_view> known;
  for (const CollisionMaterial& material : kMaterials) known.push_back(material.hashed);
  return did_you_mean(text, known);
}

}  // namespace

std::span<const CollisionMaterial> collision_materials() { return kMaterials; }

std::span<const NamelessMaterial> nameless_materials() { return kNameless; }

std::optional<std::uint32_t> parse_crc(std::string_view text) {
  const std::string_view digits = text.starts_with("0x") || text.starts_with("0X") ? text.substr(2) : text;
  if (digits.empty() || digits.size() > 8 || (digits.size() == text.size() && digits.size() != 8)) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::string material_name(std::uint32_t crc) {
  const auto found = std::ranges::lower_bound(kMaterials, crc, {}, &CollisionMaterial::crc);
  return found != std::end(kMaterials) && found->crc == crc ? std::string(found->name) : hex_text(crc, 8);
}

Result<std::uint32_t> find_material(std::string_view text) {
  const std::string wanted = plain(text);
  // The game's full names come first: a plain name of one material may be the full name of another.
  for (const CollisionMaterial& material : kMaterials)
    if (!wanted.empty() && plain(material.name) == wanted) return material.crc;
  for (const CollisionMaterial& material : kMaterials)
    if (!wanted.empty() && (plain(material.hashed) == wanted || without(plain(material.name), "material") == wanted))
      return material.crc;
  if (const auto crc = parse_crc(trim(text))) return *crc;
  return fail(ErrorCode::NotFound, "no material '" + std::string(text) + "'" + near_names(wanted) +
                                       ". A material of a mod is given by the CRC of its name, in hex: " +
                                       hex_text(crc32_plain(to_lower(trim(text))), 8));
}

std::string layer_name(std::uint8_t layer) {
  return layer < std::size(kLayers) ? std::string(kLayers[layer]) : std::to_string(layer);
}

Result<std::uint8_t> find_layer(std::string_view text) {
  const std::string given = plain(text);
  for (const std::string_view prefix : {"", "fo4l", "l"}) {
    const std::string wanted(without(given, prefix));
    for (std::size_t i = 0; i < std::size(kLayers); ++i)
      if (plain(kLayers[i]) == wanted) return static_cast<std::uint8_t>(i);
  }
  if (const auto number = parse_uint(text); number && *number < 128) return static_cast<std::uint8_t>(*number);
  std::string near = did_you_mean(text, kLayers);
  if (near.empty()) near = "; common ones are STATIC, ANIMSTATIC, CLUTTER, WEAPON, BIPED, PROPS, TREES";
  return fail(ErrorCode::NotFound, "no collision layer '" + std::string(text) + "'" + near);
}

}  // namespace marrow
