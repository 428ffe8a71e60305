// SPDX-License-Identifier: MIT
// From slots to objects: what mods wrote as text becomes values of the types of the class.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "behavior/merge_tree.h"

namespace marrow::behavior {

/// Names of events or variables, by index.
class NameTable {
 public:
  NameTable() = default;
  explicit NameTable(std::vector<std::string> names);
  /// Returns the index of a name: the first that is equal, else the first that is equal in any case; -1 if there is
  /// none.
  std::int64_t find(std::string_view name) const;
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int64_t> exact_, any_case_;
};

/// What the texts of mods refer to.
struct MergeNames {
  const NodeNames* base = nullptr;
  std::map<std::pair<int, std::string>, havok::ObjectId> own = {};  ///< by mod and what follows the `$`
  NameTable events = {}, variables = {};
  /// Elements that are left out of lists, by object and member: ascending indices after flattening.
  std::map<std::pair<std::uint32_t, const havok::Member*>, std::vector<std::uint32_t>> dropped = {};
};

/// Writes the values of one node.
class NodeStore {
 public:
  NodeStore(std::string node, std::uint32_t object, const MergeNames& names, std::span<const Patch> mods,
            MergeReport& report)
      : node_(std::move(node)), object_(object), names_(names), mods_(mods), report_(report) {}

  /// Lays edits over the fields of the game, of which `to` is a copy.
  void store(havok::Fields to, const MergeRecord& record, const havok::FieldsView& game, const std::string& path = {});
  /// Fills a node of a mod's own, which is zero so far.
  void store_new(havok::Fields to, const PatchValue& record, int mod, const std::string& path = {});

 private:
  struct Place;

  void note(std::string_view code, Level level, int mod, const std::string& path, std::string message);
  void value(havok::Fields& to, const havok::Member& member, const PatchValue& value, int mod, const std::string& path);
  void list(havok::Fields& to, const havok::Member& member, const havok::FieldsView* game,
            const std::vector<MergeSource>& sources, const std::string& path);
  void vectors(havok::Fields& to, const havok::Member& member, const havok::FieldsView* game,
               const std::vector<MergeSource>& sources, const std::string& path);
  void element(const Place& place, std::uint32_t i, const MergeSource& source, const havok::FieldsView* game,
               const std::string& path);
  void leaf(const havok::Type& type, const havok::Element& element, std::span<std::byte> pods,
            std::span<havok::Ref> refs, std::string_view text, int mod, const std::string& path);
  void number(const havok::Type& type, havok::Kind kind, std::span<std::byte> pods, std::string_view text, int mod,
              const std::string& path);
  void pointer(havok::Ref& ref, std::string_view text, int mod, const std::string& path);

  std::string node_;
  std::uint32_t object_;
  const MergeNames& names_;
  std::span<const Patch> mods_;
  MergeReport& report_;
};

}  // namespace marrow::behavior
