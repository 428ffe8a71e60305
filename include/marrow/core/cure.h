// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace marrow {

/// The value of one option of a cure.
using CureValue = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

struct CureOption {
  std::string name;  ///< as the operation describes it, e.g. `bone`
  CureValue value;

  bool operator==(const CureOption&) const = default;
};

/// The operation that repairs what an error, a note or a finding reports. It is data: a command line words it, a
/// program with windows offers it as a button.
struct Cure {
  std::string operation;                 ///< its name in the table of operations, e.g. `rig reparent`
  std::vector<CureOption> options = {};  ///< the options that are known; the others are the user's choice

  bool operator==(const Cure&) const = default;
};

/// Returns the cure of everything that has only one correct repair: a check that writes the repaired file.
inline Cure automatic_cure() { return {"check", {{"fix", true}}}; }

}  // namespace marrow
