// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "marrow/havok/packfile.h"

namespace marrow::havok {

/// The games whose packfiles are read and written.
enum class Game : std::uint8_t {
  SkyrimLe,  ///< hk_2010.2.0-r1, 32 bit
  SkyrimSe,  ///< hk_2010.2.0-r1, 64 bit
  Fallout4,  ///< hk_2014.1.0-r1, 64 bit
};

/// The word of the command line, `skyrim-se`.
std::string_view to_string(Game game);
std::optional<Game> find_game(std::string_view word);

std::string_view version_of(Game game);
std::uint32_t pointer_size_of(Game game);
/// The game that a file of this version and pointer size is for.
Game game_of(const Packfile& file);

/// Turns a file into one for another game of the same version of Havok: that is, changes its pointer size. Between
/// versions classes differ; clips and skeletons cross through the model instead (`ops/convert.h`).
Result<Packfile> retargeted(Packfile file, Game game);

}  // namespace marrow::havok
