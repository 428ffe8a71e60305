// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

/// How bad a finding of `check` is.
enum class Level : std::uint8_t {
  Info,     ///< worth knowing
  Warning,  ///< works, but not as its author thinks
  Error,    ///< the game crashes, T-poses or refuses the file
};

std::string_view to_string(Level level);

/// One thing that `check` has to say of a file.
struct Finding {
  std::string code;     ///< stable, for programs: `E_ODD_STRING`
  Level level = Level::Error;
  std::string message;  ///< what it is, what it does in the game, and the cure
  std::string where;    ///< object, field, bone, line or offset

  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

}  // namespace marrow
