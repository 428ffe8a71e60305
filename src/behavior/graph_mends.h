// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "behavior/generators.h"
#include "behavior/report.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

/// Operations that give a graph back what a pointer to a generator should lead to.
class GraphMends {
 public:
  GraphMends(const havok::Packfile& file, const Report& report) : file_(file), report_(report) {}

  /// Returns the operation that mends the generator at a path of a node, `generator` or `children[2]`. What nothing
  /// leads to any more was probably cut off there, and is tied to it again; otherwise the pointer goes, with the node
  /// if that cannot be without it.
  Cure of_generator(havok::ObjectId node, std::string_view path);

  /// Returns the path of the first pointer from a node to another one in the tree of generators.
  std::string path_to(havok::ObjectId node, havok::ObjectId to);

 private:
  void find_cut_off();
  bool holds(havok::ObjectId root, havok::ObjectId node);

  const havok::Packfile& file_;
  const Report& report_;
  GeneratorTable table_;
  int tries_ = 0;
  std::optional<std::vector<havok::ObjectId>> cut_off_ = {};  ///< roots of trees that nothing leads to
};

}  // namespace marrow::behavior
