// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "anvil/hierarchy.h"
#include "anvil/skeleton.h"
#include "marrow/core/finding.h"

namespace marrow::anvil {

/// Collects findings on one skeleton and says where each is: bone, chain and line. The level is that of the code's
/// first letter.
class Report {
 public:
  Report(const Skeleton& skeleton, const Hierarchy& tree, Findings& findings, std::string label = {})
      : skeleton_(skeleton), tree_(tree), findings_(findings), label_(std::move(label)) {}

  void add(std::string_view code, std::string message, std::optional<Cure> cure = {});
  void add(std::string_view code, std::size_t bone, std::string message, std::optional<Cure> cure = {});
  void add(std::string_view code, std::size_t bone, const Modifier& modifier, std::string message,
           std::optional<Cure> cure = {});

  /// Returns the cure that runs an operation on a bone.
  Cure cure_of(std::size_t bone, std::string operation) const { return {std::move(operation), {{"bone", name(bone)}}}; }
  /// Returns the cure that sets fields of a modifier.
  Cure set_cure(std::size_t bone, const Modifier& modifier) const;

  std::string name(std::size_t bone) const { return display_name(skeleton_.bones[bone].name); }
  /// The name of the bone that a link leads to, or the id where it leads nowhere.
  std::string name(BoneLink link) const;

  const Skeleton& skeleton() const { return skeleton_; }
  const Hierarchy& tree() const { return tree_; }

 private:
  void push(std::string_view code, std::string message, std::string where, std::uint32_t line,
            std::optional<Cure> cure);

  const Skeleton& skeleton_;
  const Hierarchy& tree_;
  Findings& findings_;
  std::string label_;
};

/// The checks that look at modifiers; `check` calls it.
void check_modifiers(Report& report);
/// The checks that compare what a file says twice: mirrors with names, words with numbers.
void check_agreement(Report& report);

/// True if two modifiers of a bone do the same job, so that the second adds to the first: they are of one class, and
/// not meant for different axes.
bool acts_twice(const Modifier& a, const Modifier& b);

}  // namespace marrow::anvil
