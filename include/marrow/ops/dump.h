// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow {

struct DumpOptions {
  std::optional<std::uint32_t> object = {};  ///< only this one
  bool json = false;
  Limits limits = {};
};

/// Every object and field of a packfile, binary or XML, with its value and its offset in the file.
Result<std::string> dump(std::span<const std::byte> bytes, const DumpOptions& options = {});

}  // namespace marrow
