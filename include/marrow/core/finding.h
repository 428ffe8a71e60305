// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace marrow {

/// Severity of a finding of `check`.
enum class Level : std::uint8_t {
  Info,     ///< worth knowing
  Warning,  ///< works, but probably not as its author intended
  Error,    ///< the game crashes, T-poses or refuses the file
};

std::string_view to_string(Level level);

/// One result of `check` about a file.
struct Finding {
  std::string code;  ///< stable, for programs, e.g. `E_ODD_STRING`
  Level level = Level::Error;
  std::string message;  ///< what is wrong, its effect in the game, and the cure
  std::string where;    ///< object, field, bone, line or offset

  bool operator==(const Finding&) const = default;
};

using Findings = std::vector<Finding>;

}  // namespace marrow
