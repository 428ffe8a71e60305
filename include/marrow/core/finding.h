// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "marrow/core/bounded_list.h"
#include "marrow/core/cure.h"

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
  std::string message;            ///< what is wrong, and its effect in the game
  std::string where;              ///< object, field, bone, line or offset
  std::optional<Cure> cure = {};  ///< the operation that repairs it, if there is one

  bool operator==(const Finding&) const = default;
};

std::string kind_of(const Finding& finding);
std::size_t text_size_of(const Finding& finding);
Finding shortened(const Finding& finding);
Finding remark_on(const Finding& finding, std::size_t count);

/// Findings of a file. Only the first few hundred of a code are kept.
using Findings = BoundedList<Finding>;

}  // namespace marrow
