// SPDX-License-Identifier: MIT
#include "marrow/model/collision_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <vector>

#include "core/crc32.h"
#include "core/nearest.h"
#include "marrow/core/text.h"

namespace marrow {
namespace {

constexpr CollisionMaterial kMaterials[] = {
#include "model/collision_materials.inc"
};

constexpr CollisionMaterial kSkyrimMaterials[] = {
#include "model/skyrim_materials.inc"
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

constexpr std::string_view kSkyrimLayers[] = {
#include "model/skyrim_layers.inc"
};

std::span<const std::string_view> layers_of(CollisionGame game) {
  return game == CollisionGame::Skyrim ? std::span<const std::string_view>(kSkyrimLayers) : kLayers;
}

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
std::string near_names(std::string_view text, CollisionGame game) {
  std::string names;
  int count = 0;
  for (const CollisionMaterial& material : collision_materials(game)) {
    if (text.empty() || plain(material.name).find(text) == std::string::npos || ++count > 5) continue;
    names += (names.empty() ? "" : ", ") + std::string(material.name);
  }
  if (!names.empty()) return "; near it are " + names;
  std::vector<std::string_view> known;
  for (const CollisionMaterial& material : collision_materials(game)) known.push_back(material.hashed);
  return did_you_mean(text, known);
}

}  // namespace

std::span<const CollisionMaterial> collision_materials(CollisionGame game) {
  return game == CollisionGame::Skyrim ? std::span<const CollisionMaterial>(kSkyrimMaterials) : kMaterials;
}

std::span<const NamelessMaterial> nameless_materials(CollisionGame game) {
  return game == CollisionGame::Fallout4 ? std::span<const NamelessMaterial>(kNameless)
                                         : std::span<const NamelessMaterial>();
}

CollisionGame collision_game(Game game) {
  return game == Game::SkyrimLe || game == Game::SkyrimSe ? CollisionGame::Skyrim : CollisionGame::Fallout4;
}

std::optional<std::uint32_t> parse_crc(std::string_view text) {
  const std::string_view digits = text.starts_with("0x") || text.starts_with("0X") ? text.substr(2) : text;
  if (digits.empty() || digits.size() > 8 || (digits.size() == text.size() && digits.size() != 8)) return std::nullopt;
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::string material_name(std::uint32_t crc, CollisionGame game) {
  const std::span<const CollisionMaterial> all = collision_materials(game);
  const auto found = std::ranges::lower_bound(all, crc, {}, &CollisionMaterial::crc);
  const bool has_name = found != all.end() && found->crc == crc && !found->name.empty();
  return has_name ? std::string(found->name) : hex_text(crc, 8);
}

namespace {

// The first word of a name of Fallout 4 that says what it is made of, and what Skyrim calls that.
struct WordMaterial {
  std::string_view word, skyrim;
};
constexpr WordMaterial kWords[] = {
    {"metal", "SolidMetal"}, {"wood", "Wood"},   {"stone", "Stone"},  {"glass", "Glass"}, {"dirt", "Dirt"},
    {"ground", "Dirt"},      {"cloth", "Cloth"}, {"organic", "Skin"}, {"actor", "Skin"},  {"paper", "MaterialBook"}};

}  // namespace

Result<std::uint32_t> find_material(std::string_view text, CollisionGame game) {
  const std::string wanted = plain(text);
  const std::span<const CollisionMaterial> all = collision_materials(game);
  // The game's full names come first: a plain name of one material may be the full name of another.
  for (const CollisionMaterial& material : all)
    if (!wanted.empty() && plain(material.name) == wanted) return material.crc;
  for (const CollisionMaterial& material : all)
    if (!wanted.empty() && (plain(material.hashed) == wanted || without(plain(material.name), "material") == wanted))
      return material.crc;
  // `Material_Wood` is Skyrim's `Wood`.
  for (const CollisionMaterial& material : all)
    if (!wanted.empty() && plain(material.name) == without(wanted, "material")) return material.crc;
  if (game == CollisionGame::Skyrim)
    for (const WordMaterial& each : kWords)
      if (without(wanted, "material") == each.word) return find_material(each.skyrim, game);
  if (const auto crc = parse_crc(trim(text))) return *crc;
  return fail(ErrorCode::NotFound, "no material '" + std::string(text) + "'" + near_names(wanted, game) +
                                       ". A material of a mod is given by the CRC of its name, in hex: " +
                                       hex_text(crc32_plain(to_lower(trim(text))), 8));
}

std::uint32_t material_in(CollisionGame to, std::uint32_t crc, CollisionGame from, bool& is_exact) {
  is_exact = true;
  if (to == from) return crc;
  const auto by_crc = [&](CollisionGame game) -> const CollisionMaterial* {
    const std::span<const CollisionMaterial> all = collision_materials(game);
    const auto found = std::ranges::lower_bound(all, crc, {}, &CollisionMaterial::crc);
    return found != all.end() && found->crc == crc ? &*found : nullptr;
  };
  const CollisionMaterial* own = by_crc(from);
  if (to == CollisionGame::Fallout4) {
    if (own && !own->other_game.empty())
      if (const auto found = find_material(own->other_game)) return *found;
    if (by_crc(to)) return crc;
    is_exact = false;
    return find_material("Material_Stone").value_or(crc);
  }
  const std::string name = own ? std::string(own->name) : material_name(crc);
  for (const CollisionMaterial& material : kSkyrimMaterials)
    if (own && material.other_game == own->name) return material.crc;
  if (by_crc(to)) return crc;
  is_exact = false;
  const std::string words = to_lower(name);
  for (const WordMaterial& each : kWords)
    if (words.find(each.word) != std::string::npos) return find_material(each.skyrim, to).value_or(crc);
  return find_material("Stone", to).value_or(crc);
}

std::string layer_name(std::uint8_t layer, CollisionGame game) {
  const std::span<const std::string_view> names = layers_of(game);
  return layer < names.size() ? std::string(names[layer]) : std::to_string(layer);
}

Result<std::uint8_t> find_layer(std::string_view text, CollisionGame game) {
  const std::span<const std::string_view> names = layers_of(game);
  const std::string given = plain(text);
  for (const std::string_view prefix : {"", "fo4l", "skyl", "l"}) {
    const std::string wanted(without(given, prefix));
    for (std::size_t i = 0; i < names.size(); ++i)
      if (plain(names[i]) == wanted) return static_cast<std::uint8_t>(i);
  }
  if (const auto number = parse_uint(text); number && *number < 128) return static_cast<std::uint8_t>(*number);
  std::string near = did_you_mean(text, names);
  if (near.empty()) near = "; common ones are STATIC, ANIMSTATIC, CLUTTER, WEAPON, BIPED, PROPS, TREES";
  return fail(ErrorCode::NotFound, "no collision layer '" + std::string(text) + "'" + near);
}

std::uint8_t layer_in(CollisionGame to, std::uint8_t layer, CollisionGame from) {
  if (to == from) return layer;
  const auto named = [&](std::string_view name) { return find_layer(name, to).value_or(layer); };
  const std::string name = layer_name(layer, from);
  if (name == "WARD" || name == "FX_COLLIDER") return named("NONCOLLIDABLE");
  if (name == "CUSTOMPICK2") return named("CUSTOMPICK1");
  if (name == "CLUTTER_LARGE" || name == "CLUTTER_NO_NAVCUT") return named("CLUTTER");
  if (name == "CHARBUMPER") return named("CHARCONTROLLER");
  return layer;
}

}  // namespace marrow
