// SPDX-License-Identifier: MIT
// What the checks of bodies share: how a finding names its shape, its reason and its cure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "marrow/core/finding.h"
#include "marrow/model/body.h"

namespace marrow {

/// Returns the place of a shape in findings: its name and block.
std::string place_of(const BodyShape& shape);

/// Collects what is found about one shape. The cure of each code is added to its message.
class ShapeFindings {
 public:
  ShapeFindings(const BodyShape& shape, Findings& findings) : place_(place_of(shape)), findings_(findings) {}

  void error(std::string code, std::string reason) { add(std::move(code), Level::Error, std::move(reason)); }
  void warning(std::string code, std::string reason) { add(std::move(code), Level::Warning, std::move(reason)); }
  void info(std::string code, std::string reason) { add(std::move(code), Level::Info, std::move(reason)); }

  /// Adds a finding that a fix repairs although others of its code have no single repair; `fixed` says what it writes.
  void mended_warning(std::string code, std::string reason, std::string_view fixed);
  /// Adds an error that an operation cures.
  void cured_error(std::string code, std::string reason, Cure cure);

 private:
  void add(std::string code, Level level, std::string reason);

  std::string place_;
  Findings& findings_;
};

/// Returns the part of a texture's path that lies below the data folder, `textures\...`, if a path with a drive or from
/// the root has one.
std::optional<std::string> below_data(const std::string& path);
/// True if a path of a texture names a drive or starts at the root.
bool has_drive_or_root(std::string_view path);

}  // namespace marrow
