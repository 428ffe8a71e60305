// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// What a graph is written as.
enum class GraphFormat : std::uint8_t { Svg, Dot, Json };
template <>
struct ChoiceWords<GraphFormat> {
  static constexpr std::array<std::string_view, 3> words = {"svg", "dot", "json"};
};

struct BehaviorGraphOptions {
  GraphFormat format = GraphFormat::Svg;
};

struct BehaviorGraphReport {
  std::size_t nodes = 0;
  std::size_t machines = 0;
  std::size_t states = 0;
  std::string extension = {};
  std::string drawn = {};

  SavedFile text() const;
};

void describe(FieldList& fields, BehaviorGraphOptions& options);
void describe(FieldList& fields, BehaviorGraphReport& report);

/// Draws a behaviour graph, or writes its nodes and pointers. Fails with `WrongKind` if the file has no graph.
Result<BehaviorGraphReport> draw_behavior(const Document& document, const BehaviorGraphOptions& options,
                                          Context& context);

}  // namespace marrow
