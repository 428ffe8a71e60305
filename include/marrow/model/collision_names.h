// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "marrow/core/error.h"
#include "marrow/model/game.h"

namespace marrow {

/// Whose names, enumerations and rules of mass a system follows.
enum class CollisionGame : std::uint8_t { Fallout4, Skyrim };

/// The material of a surface. It decides the sound and dust of a hit.
struct CollisionMaterial {
  std::uint32_t crc;                 ///< of the lower-case hashed name; what files hold
  std::string_view name;             ///< in the game, `Material_Wood`
  std::string_view hashed;           ///< `Wood`
  std::string_view other_game = {};  ///< Skyrim: the name in Fallout 4 of the material that stands for it
};

/// Returns whose rules the collision of a game follows; of a game without any, those of Fallout 4.
CollisionGame collision_game(Game game);

/// Returns the materials of a game and its add-ons, sorted by CRC.
std::span<const CollisionMaterial> collision_materials(CollisionGame game = CollisionGame::Fallout4);
/// A material that files of the game use, and that none of its lists names.
struct NamelessMaterial {
  std::uint32_t crc;
  std::string_view hashed;   ///< a name with this CRC, or empty if none is known
  std::string_view used_by;  ///< what has it, in files that were seen
};
std::span<const NamelessMaterial> nameless_materials(CollisionGame game = CollisionGame::Fallout4);
/// Returns the number in a text that is a CRC: 8 digits in hex, or any number of them after `0x`.
std::optional<std::uint32_t> parse_crc(std::string_view text);
/// Returns the game's name of a material, or its CRC as `0x1dd9c611` if the name is unknown.
std::string material_name(std::uint32_t crc, CollisionGame game = CollisionGame::Fallout4);
/// Finds a material by game name or plain name (`wood`, `WoodCrate`), both in any case, or by CRC in hex. A `NotFound`
/// error suggests what to do.
Result<std::uint32_t> find_material(std::string_view text, CollisionGame game = CollisionGame::Fallout4);
/// Returns the material that stands for one of another game. `is_exact` is set to false if there is no counterpart, and
/// the nearest by word, or stone, is returned.
std::uint32_t material_in(CollisionGame to, std::uint32_t crc, CollisionGame from, bool& is_exact);

/// Returns the name of a collision layer (`STATIC`), or its number.
std::string layer_name(std::uint8_t layer, CollisionGame game = CollisionGame::Fallout4);
/// Finds a layer by name, in any case, also with the prefix `FO4L_` or `L_`, or by number.
Result<std::uint8_t> find_layer(std::string_view text, CollisionGame game = CollisionGame::Fallout4);
/// Returns the layer that stands for one of another game.
std::uint8_t layer_in(CollisionGame to, std::uint8_t layer, CollisionGame from);

}  // namespace marrow
