// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/error.h"
#include "marrow/core/finding.h"
#include "marrow/core/limits.h"

namespace marrow {

struct CheckOptions {
  std::string game = {};                     ///< whose rules; empty: what the file is for
  std::string path = {};                     ///< where the file lies: some rules ask for the folder. May be empty
  std::span<const std::byte> base = {};      ///< bytes of the skeleton that an addon hangs on (`--base`)
  std::span<const std::byte> skeleton = {};  ///< bytes of the skeleton that a clip or mesh is for (`--skeleton`)
  std::vector<std::string> names = {};       ///< more Anvil bone names (`--names`)
  Limits limits = {};
};

/// Tells what is wrong with a file of any format. A file that is broken is a finding too; only what is none of our
/// formats, or empty, fails.
Result<Findings> check(std::span<const std::byte> bytes, const CheckOptions& options = {});

/// A read error as a finding, its code made from the error's (`E_TRUNCATED`).
Finding finding_of(const Error& error);

}  // namespace marrow
