// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "marrow/ops/simulate.h"

namespace marrow {

// The error with the file that it is in at the head of its path.
inline std::unexpected<Error> in_file(const NamedBytes& file, Error error) {
  error.path = error.path.empty() ? file.name : file.name + ": " + error.path;
  return std::unexpected(std::move(error));
}

inline std::filesystem::path folder_of(const NamedBytes& file) {
  return std::filesystem::path(file.name).parent_path();
}

}  // namespace marrow
