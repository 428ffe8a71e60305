// SPDX-License-Identifier: MIT
/// Edits of behaviours and characters. Every function keeps references right: tables that belong together grow
/// together, indices and names follow, nodes that nothing leads to any more go. If one fails, the file is unchanged.
///
/// New nodes are numbered after the highest number in files that carry numbers (XML, packfiles with node ids). Plain
/// packfiles carry none and are numbered anew whenever they are read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/graph.h"
#include "havok/packfile/packfile.h"
#include "marrow/core/error.h"

namespace marrow::behavior {

/// Adds events that the file does not have. Returns the names that were added.
Result<std::vector<std::string>> add_events(havok::Packfile& file, std::span<const std::string> names);

/// Adds a variable; to a character, a property. `value` is a text: `true`, `3`, `2.5`, or four numbers for vectors and
/// quaternions; zero if it is empty. Returns its index. Fails if there is one of that name.
Result<std::int32_t> add_variable(havok::Packfile& file, std::string_view name, VariableType type,
                                  std::string_view value);

/// Adds an animation to the list of a character. Returns its index, or that of the entry that is there already. A
/// character whose list holds `\female\` files gets the female file for a male one.
Result<std::int32_t> add_animation(havok::Packfile& file, std::string_view animation);

struct NewTrigger {
  std::string event;
  float time_seconds = 0.0f;  ///< from the start of the clip
};

struct NewClip {
  std::string machine;  ///< node or name
  std::string name;
  std::string animation;
  std::int32_t mode = 0;
  float speed = 1.0f;
  std::vector<NewTrigger> triggers = {};
  std::optional<std::int32_t> state = {};  ///< id; by default one more than the highest
  std::string on = {};                     ///< event of a wildcard transition to it; empty: none
};

struct NewState {
  std::string machine;  ///< node or name
  std::string name;
  std::string generator;  ///< node
  std::optional<std::int32_t> state = {};
  std::string on = {};
};

/// What was added.
struct Added {
  havok::ObjectId state;
  havok::ObjectId generator;
  std::int32_t number = 0;               ///< id of the state
  std::vector<std::string> events = {};  ///< that were missing
};

/// Adds a clip generator, a state that plays it, and with `on` a wildcard transition to it. Events that are missing are
/// added. Fails with `BadOption` if several machines have the name.
Result<Added> add_clip(havok::Packfile& file, const NewClip& clip);
/// Adds a state that plays a generator of the file.
Result<Added> add_state(havok::Packfile& file, const NewState& state);

/// Adds a transition from a state, or from any, to another on an event, which is added if it is missing.
Result<std::vector<std::string>> add_transition(havok::Packfile& file, std::string_view machine,
                                                std::optional<std::int32_t> from, std::int32_t to,
                                                std::string_view event);

/// A member of a node and what it gets.
struct FieldValue {
  std::string_view path, value;
};
/// Gives members of a node other values, one after another; nodes have the names that they had before. See `set_field`.
Result<void> set_fields(havok::Packfile& file, std::string_view node, std::span<const FieldValue> fields);

/// Gives a member of a node another value. `path` is `startStateId`, `transitions[2].eventId`; a value is a number, the
/// name of an enumeration's item, a text, a node or `null`; events and variables are also taken by name. The element
/// just after the last one of a list is made, unless the list is part of a table that is complete.
Result<void> set_field(havok::Packfile& file, std::string_view node, std::string_view path, std::string_view value);

/// Removes a node and what only it led to. States and blender children that play it go with it; of a state, also the
/// transitions to it. Returns the names of all nodes that went. Fails if the graph cannot do without it.
Result<std::vector<std::string>> remove_node(havok::Packfile& file, std::string_view node);
/// Removes elements of lists of a node, `transitions[2]`, and what only they led to; all indices are those before the
/// edit. Bindings and selections by index follow. Returns the names of nodes that went. Fails on lists that other nodes
/// name by their indices, and if a node would be left without its generators.
Result<std::vector<std::string>> remove_list_elements(havok::Packfile& file, std::string_view node,
                                                      std::span<const std::string> paths);
/// Remove an event or variable; the indices of those after it move down. Fail if something uses it.
Result<void> remove_event(havok::Packfile& file, std::string_view name);
Result<void> remove_variable(havok::Packfile& file, std::string_view name);
/// Removes an entry of a character's list, by its index. All indices after it move down.
Result<void> remove_animation(havok::Packfile& file, std::int32_t index);

/// Rename an event or variable, in its table and in all expressions. Return the number of expressions that changed.
/// Fail if the new name is taken.
Result<std::size_t> rename_event(havok::Packfile& file, std::string_view old_name, std::string_view new_name);
Result<std::size_t> rename_variable(havok::Packfile& file, std::string_view old_name, std::string_view new_name);

/// Returns the machine of that node or name. Fails with `BadOption` if there is none, or if several have the name.
Result<havok::ObjectId> find_machine(const havok::Packfile& file, const NodeNames& names, std::string_view machine);

}  // namespace marrow::behavior
