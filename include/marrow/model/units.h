// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace marrow {

/// What one unit of a mesh or glTF file is.
enum class Units : std::uint8_t {
  Metre,    ///< true size, as glTF asks
  Game,     ///< the numbers of the game: one unit is one unit
  Blender,  ///< a tenth of the game's numbers, facing the viewer of Blender's front view
};

}  // namespace marrow
