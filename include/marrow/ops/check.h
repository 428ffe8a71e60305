// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "marrow/core/finding.h"
#include "marrow/marrow.h"
#include "marrow/ops/describe.h"

namespace marrow {

struct CheckOptions {
  std::optional<Game> game = {};              ///< whose rules; by default what the file is for
  const Document* base = nullptr;             ///< the skeleton that an Anvil addon hangs on
  const Document* skeleton = nullptr;         ///< the skeleton that a clip or mesh is for
  const Document* second_skeleton = nullptr;  ///< of the second actor of a paired clip; by default the first's
};

struct CheckReport {
  Findings findings = {};

  /// True if there is an error or a warning.
  bool found() const;
};

/// A check with the cure: what is left to be found in the fixed file.
struct FixReport {
  Findings findings = {};
  Findings left = {};

  bool found() const;
};

void describe(FieldList& fields, CheckOptions& options);
void describe(FieldList& fields, CheckReport& report);
void describe(FieldList& fields, FixReport& report);

/// Reports what is wrong with a file of any format. A file that is broken is a finding too; only what is none of our
/// formats, or empty, fails. Some rules ask what lies around the file `name` (`Context::lookup`).
Result<CheckReport> check(std::span<const std::byte> bytes, const std::string& name, const CheckOptions& options,
                          Context& context);

/// Returns a document of the file with what can be put right without asking put right. Written anew by the rules, it
/// also loses what breaks a rule of its container: odd strings, alignment, counts, indices.
Result<Document> fixed(std::span<const std::byte> bytes, const std::string& name, const CheckOptions& options,
                       Context& context);

/// Returns a read error as a finding, its code made from the error's (`E_TRUNCATED`).
Finding finding_of(const Error& error);

}  // namespace marrow
