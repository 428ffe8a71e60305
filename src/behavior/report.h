// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "behavior/nodes.h"
#include "marrow/core/finding.h"

namespace marrow::behavior {

/// Findings about the nodes of one file.
class Report {
 public:
  Report(const NodeNames& names, Findings& findings) : names_(names), findings_(findings) {}

  void add(std::string_view code, Level level, havok::ObjectId id, std::string_view path, std::string message,
           std::optional<Cure> cure = {}) {
    std::string where(names_.of(id));
    if (!where.empty() && !path.empty()) where += ' ';
    where += path;
    findings_.push_back({std::string(code), level, std::move(message), std::move(where), std::move(cure)});
  }
  void error(std::string_view code, havok::ObjectId id, std::string_view path, std::string message,
             std::optional<Cure> cure = {}) {
    add(code, Level::Error, id, path, std::move(message), std::move(cure));
  }

  std::string node(havok::ObjectId id) const { return std::string(names_.of(id)); }
  /// Returns the operation that gives a member of a node another value.
  Cure set(havok::ObjectId id, std::string_view path, std::string_view value) const {
    return {"behavior set", {{"node", node(id)}, {"field", std::vector{std::string(path) + "=" + std::string(value)}}}};
  }
  /// Returns the same if the value is the user's choice.
  Cure set(havok::ObjectId id) const { return {"behavior set", {{"node", node(id)}}}; }
  /// Returns the operation that takes an element out of a list of a node.
  Cure remove_element(havok::ObjectId id, std::string_view path) const {
    return {"behavior remove", {{"node", node(id)}, {"element", std::vector{std::string(path)}}}};
  }
  Cure remove(havok::ObjectId id) const { return {"behavior remove", {{"node", node(id)}}}; }

 private:
  const NodeNames& names_;
  Findings& findings_;
};

}  // namespace marrow::behavior
