// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "marrow/ops/document/context.h"
#include "marrow/ops/document/document.h"
#include "ops/table/describe.h"

namespace marrow {

/// One difference between two files.
struct Difference {
  std::string kind = {};    ///< `clip`, `track`, `event`, `skeleton`, `bone`, `object`, `block`
  std::string object = {};  ///< bone, track, body or class name
  std::string field = {};
  std::optional<std::string> left = {};  ///< none if the left file has nothing there
  std::optional<std::string> right = {};
  std::optional<double> size = {};  ///< how far apart, if that can be measured
  std::string unit = {};            ///< of `size`: `degrees`, `units`

  bool operator==(const Difference&) const = default;
};

struct DiffOptions {};

struct DiffReport {
  std::string a = {}, b = {};  ///< names of the files
  std::vector<Difference> differences = {};

  bool found() const { return !differences.empty(); }
};

void describe(FieldList& fields, DiffOptions& options);
void describe(FieldList& fields, Difference& difference);
void describe(FieldList& fields, DiffReport& report);

/// Compares two documents by meaning: counts that are computed, encodings, dialects and pointer sizes are no
/// difference. They are compared as they would be saved. Fails with `WrongKind` if they are of two kinds.
Result<DiffReport> diff(const Document& a, const Document& b, const DiffOptions& options, Context& context);

}  // namespace marrow
