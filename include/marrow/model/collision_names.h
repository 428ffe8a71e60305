// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "marrow/core/error.h"

namespace marrow {

/// What a surface is made of: which sound and which dust a hit makes.
struct CollisionMaterial {
  std::uint32_t crc;        ///< of the lower-case hashed name; what files hold
  std::string_view name;    ///< in the game, `Material_Wood`
  std::string_view hashed;  ///< `Wood`
};

/// The materials of Fallout 4 and its add-ons, by rising CRC.
std::span<const CollisionMaterial> collision_materials();
/// The game's name of a material, or its CRC as `0x1dd9c611` where it has no known one.
std::string material_name(std::uint32_t crc);
/// By game name, by plain name (`wood`, `WoodCrate`), both in any case, or by CRC in hex. NotFound suggests a cure.
Result<std::uint32_t> find_material(std::string_view text);

/// The name of a collision layer (`STATIC`), or its number.
std::string layer_name(std::uint8_t layer);
/// By name, in any case, also with `FO4L_` or `L_` in front, or by number.
Result<std::uint8_t> find_layer(std::string_view text);

}  // namespace marrow
