// SPDX-License-Identifier: MIT
// What mods have changed of a node so far. Elements of arrays have slots: a value, a mark that it is removed, and what
// is inserted before it. Only what a mod touches is in the tree; all else is the game's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/nodes.h"
#include "behavior/patch.h"
#include "behavior/patch_node.h"
#include "havok/object/object.h"

namespace marrow::behavior {

/// A mod by its place in the order; nobody: the game.
inline constexpr int kNobody = -1;

struct MergeRecord;

struct MergeInsertion {
  PatchValue value;
  int by;
};

struct MergeSlot {
  PatchValue value = {};                    ///< if it is replaced
  std::unique_ptr<MergeRecord> edits = {};  ///< of fields inside it
  std::vector<MergeInsertion> before = {};  ///< in the order of mods
  int by = kNobody;                         ///< who replaced, removed or edited it last
  int owner = kNobody;                      ///< whose `value` is: names in it are those of that mod
  int inside = kNobody;                     ///< who edited it inside last
  bool is_replaced = false, is_removed = false;
};

struct MergeField {
  const havok::Member* member = nullptr;
  PatchValue value = {};                     ///< of a whole value that is replaced
  std::unique_ptr<MergeRecord> record = {};  ///< edits inside a record
  std::vector<MergeSlot> slots = {};         ///< of a list: one per element of the game, and one at the end
  int by = kNobody;                          ///< who replaced the whole value last
  bool is_replaced = false;
};

struct MergeRecord {
  std::vector<MergeField> fields = {};

  MergeField& field(const havok::Member& member);
  const MergeField* find(const havok::Member& member) const;
};

/// One element of a list that is written: of the game, of a mod, or of the game with edits.
struct MergeSource {
  std::uint32_t base = UINT32_MAX;  ///< index of the game's element; none if it is a mod's
  const PatchValue* value = nullptr;
  const MergeRecord* edits = nullptr;
  int by = kNobody;
  bool is_inserted = false;
};

/// Returns the elements of a list after all mods.
std::vector<MergeSource> flattened(const MergeField& field);

/// Returns how many elements a list of the game has: of vectors, numbers.
std::uint32_t list_size(const havok::FieldsView& fields, const havok::Member& member);

/// True if a patch's view of a value of the game is the game's; numbers within the digits of XML, strings without
/// blanks at their end. `at` is the element of a list; none: the whole value.
bool is_as_in_game(const PatchValue& value, const havok::FieldsView& game, const havok::Member& member,
                   std::optional<std::uint32_t> at, const NodeNames& names);

/// Takes the edits of one mod's file for one node into the tree, with notes on what does not fit.
class NodeEdit {
 public:
  NodeEdit(std::string node, int mod, std::span<const Patch> mods, const NodeNames& names, const Limits& limits,
           MergeReport& report)
      : node_(std::move(node)), mod_(mod), mods_(mods), names_(names), limits_(limits), report_(report) {}

  void apply(const PatchValue& patch, MergeRecord& record, const havok::FieldsView& game, const std::string& path = {});

 private:
  void note(std::string_view code, Level level, const std::string& path, std::string message);
  void conflict(int& by, const std::string& path, const PatchValue* before = nullptr, const PatchValue* now = nullptr);
  void removed(int by, const std::string& path);
  void replace(const PatchParam& now, const PatchParam* before, MergeRecord& record, const havok::FieldsView& game,
               const std::string& path);
  void inside(const PatchParam& param, MergeRecord& record, const havok::FieldsView& game, const std::string& path);
  void list(const PatchValue& patch, MergeRecord& record, const havok::FieldsView& game, const havok::Member& member,
            const std::string& path);
  void block(std::uint32_t at, const std::vector<const PatchValue*>& now, const std::vector<const PatchValue*>* before,
             std::size_t old_count, MergeField& field, const havok::FieldsView& game, const std::string& path);
  bool make_slots(MergeField& field, const havok::FieldsView& game, const std::string& path);

  std::string node_;
  int mod_;
  std::span<const Patch> mods_;
  const NodeNames& names_;
  const Limits& limits_;
  MergeReport& report_;
};

}  // namespace marrow::behavior
