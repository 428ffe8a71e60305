// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "marrow/anvil/hierarchy.h"
#include "marrow/anvil/skeleton.h"
#include "marrow/core/finding.h"

namespace marrow::anvil {

/// Collects findings on one skeleton and says where each is: bone, chain and line. The level is that of the code's
/// first letter.
class Report {
 public:
  Report(const Skeleton& skeleton, const Hierarchy& tree, Findings& findings, std::string label = {})
      : skeleton_(skeleton), tree_(tree), findings_(findings), label_(std::move(label)) {}

  void add(std::string_view code, std::string message);
  void add(std::string_view code, std::size_t bone, std::string message);
  void add(std::string_view code, std::size_t bone, const Modifier& modifier, std::string message);

  std::string name(std::size_t bone) const { return display_name(skeleton_.bones[bone].name); }
  /// The name of the bone that a link leads to, or the id where it leads nowhere.
  std::string name(BoneLink link) const;

  const Skeleton& skeleton() const { return skeleton_; }
  const Hierarchy& tree() const { return tree_; }

 private:
  void push(std::string_view code, std::string message, std::string where, std::uint32_t line);

  const Skeleton& skeleton_;
  const Hierarchy& tree_;
  Findings& findings_;
  std::string label_;
};

/// The checks that look at modifiers; `check` calls it.
void check_modifiers(Report& report);

}  // namespace marrow::anvil
