// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "marrow/core/finding.h"
#include "marrow/model/body.h"
#include "nif/nif_file.h"

namespace marrow {

/// Returns the place of a shape in findings: its name and block.
std::string place_of(const BodyShape& shape);

/// True for what `mend_bodies` repairs: there is one right repair.
bool is_mended(std::string_view code);

/// Collects what is found about one shape.
class ShapeFindings {
 public:
  ShapeFindings(const BodyShape& shape, Findings& findings) : place_(place_of(shape)), findings_(findings) {}

  void error(std::string code, std::string message) { add(std::move(code), Level::Error, std::move(message)); }
  void warning(std::string code, std::string message) { add(std::move(code), Level::Warning, std::move(message)); }
  void info(std::string code, std::string message) { add(std::move(code), Level::Info, std::move(message)); }

 private:
  void add(std::string code, Level level, std::string message) {
    Finding finding{std::move(code), level, std::move(message), place_};
    if (is_mended(finding.code)) finding.cure = automatic_cure();
    findings_.push_back(std::move(finding));
  }

  std::string place_;
  Findings& findings_;
};

/// Checks the blocks of a shape's skin: bones, bind transforms, partitions.
void check_skin(const NifFile& nif, const BodyShape& shape, ShapeFindings& out);

}  // namespace marrow
