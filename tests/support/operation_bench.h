// SPDX-License-Identifier: MIT
// Operations by name on files in memory, as every door runs them.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/collision/check.h"
#include "ops/files/check.h"
#include "ops/table/operation.h"
#include "support/documents.h"

namespace marrow::test {

inline Bytes text_bytes(std::string_view text) { return {as_bytes(text).begin(), as_bytes(text).end()}; }

/// Runs operations on files that are held by name.
struct OperationBench {
  std::map<std::string, Bytes> files = {};
  Json report = {};
  std::string error = {};
  Notes notes = {};

  Result<OperationResult> try_run(std::string_view operation, std::string_view options,
                                  const std::vector<std::pair<std::string_view, std::string>>& inputs) {
    std::vector<OperationInput> given;
    for (const auto& [role, file] : inputs) given.push_back({.role = role, .name = file, .bytes = files.at(file)});
    const Json json = parse_json(options).value();
    Context context;
    OperationCall call{.options = json, .inputs = given, .context = context};
    auto result = run_operation(operation, call);
    notes = std::move(context.notes);
    return result;
  }

  /// Runs an operation; the first file that it writes is kept as `output`. False, with `error` set, if it fails.
  bool run(std::string_view operation, std::string_view options,
           const std::vector<std::pair<std::string_view, std::string>>& inputs, const std::string& output = {}) {
    auto result = try_run(operation, options, inputs);
    error = result ? "" : describe(result.error());
    if (!result) return false;
    report = std::move(result->report);
    if (!output.empty()) files[output] = std::move(result->files.at(0).bytes);
    return true;
  }

  Document load_collision(const std::string& file) {
    Context context;
    auto document = load(files.at(file), {.parts = Parts::Collision}, context);
    REQUIRE(document);
    return std::move(*document);
  }

  /// Returns the codes of all findings about the collision of a file.
  std::vector<std::string> findings_in(const std::string& file) {
    std::vector<std::string> codes;
    for (const Finding& finding : check_collision(load_collision(file))) codes.push_back(finding.code);
    return codes;
  }
};

}  // namespace marrow::test
