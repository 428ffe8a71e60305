// SPDX-License-Identifier: MIT
// One file of a patch, read: a node with marks on what is new and what it replaces.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "havok/object/schema.h"
#include "marrow/core/error.h"
#include "marrow/core/limits.h"

namespace marrow::behavior {

enum class Mark : std::uint8_t {
  Normal,  ///< as in the game
  New,     ///< between OPEN and ORIGINAL or CLOSE
  Old,     ///< between ORIGINAL and CLOSE
};

struct PatchItem;
struct PatchParam;

/// A value as a patch states it: a text, a list, or a record.
struct PatchValue {
  std::string text = {};  ///< number, word, string or reference; the new one if there are marks in it
  std::vector<PatchItem> items = {};
  std::vector<PatchParam> params = {};
  bool is_marked = false;  ///< there are marks inside
  bool is_string = false;  ///< `text` is a string, not a number or reference
};

/// An element of a list.
struct PatchItem {
  Mark mark = Mark::Normal;
  std::uint32_t block = 0;  ///< counts the blocks of a file from 1; 0: none
  PatchValue value;
};

/// A parameter of a record. `member` is null if the class does not have it.
struct PatchParam {
  Mark mark = Mark::Normal;
  std::uint32_t block = 0;
  std::string name = {};
  const havok::Member* member = nullptr;
  PatchValue value;
};

/// How a member is written: as one text, as a record, or as a list of elements.
enum class Shape : std::uint8_t { Leaf, Record, List };
Shape shape_of(const havok::Type& type);
/// Returns the kind of the elements of a list. Of vectors they are numbers.
havok::Kind element_kind(const havok::Type& type);
/// Returns the class of the elements of a list of records; null for other lists.
const havok::Class* element_class(const havok::Type& type);
/// Returns the offsets of the numbers of one vector that texts have; the fourth of some groups is not written. Empty
/// for other kinds.
std::span<const std::uint8_t> written_lanes(havok::Kind kind);

struct PatchNode {
  std::string class_name = {};
  const havok::Class* type = nullptr;  ///< null if the schema does not have it
  PatchValue value = {};               ///< a record
};

/// Reads the text of a node. Safe on untrusted bytes, and linear in their number. Fails with the line if it is not one
/// node in XML, or if blocks are not closed.
Result<PatchNode> read_patch_node(std::string_view text, const havok::Schema& schema, const Limits& limits);

/// True if both state the same: numbers by value, texts exactly.
bool states_same(const PatchValue& a, const PatchValue& b);

/// Takes the next word off a list; brackets, blanks and commas separate.
std::string_view take_patch_word(std::string_view& text);

}  // namespace marrow::behavior
