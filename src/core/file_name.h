// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/unused_names.h"

namespace marrow {

/// True for names that Windows keeps for devices, with any extension: NUL, con.txt, com1.
bool is_device_name(std::string_view name);

/// Returns a name that every disk takes for a file: characters that some disk refuses become `_`, and so does a dot or
/// blank at the end; names of devices start with `_`. An empty name becomes `otherwise`.
std::string portable_file_name(std::string name, std::string_view otherwise);

/// Makes names of files of any texts, no two of which any disk takes for the same: later ones get a number.
class FileNames {
 public:
  explicit FileNames(std::string otherwise) : otherwise_(std::move(otherwise)) {}
  /// Returns the name without its extension, which is only compared.
  std::string add(std::string_view name, std::string_view extension);

 private:
  std::string otherwise_;
  UnusedNames taken_;
};

}  // namespace marrow
