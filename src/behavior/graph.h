// SPDX-License-Identifier: MIT
/// The files of a behaviour project as plain values: what a project, a character or a behaviour graph names and holds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "behavior/nodes.h"
#include "core/json.h"
#include "havok/packfile/packfile.h"

namespace marrow::behavior {

enum class FileKind : std::uint8_t { Other, Project, Character, Behavior };

/// Returns what a file is by the classes it holds.
FileKind kind_of(const havok::Packfile& file);
std::string_view to_string(FileKind kind);

/// Type of a variable or character property, as the file numbers them.
enum class VariableType : std::int8_t {
  Invalid = -1,
  Bool,
  Int8,
  Int16,
  Int32,
  Real,
  Pointer,
  Vector3,
  Vector4,
  Quaternion
};

std::string_view to_string(VariableType type);
/// Returns the type of that name; nothing if there is none.
std::optional<VariableType> find_variable_type(std::string_view name);
/// True if the word of a variable of this type is an index into the quads.
bool is_quad(VariableType type);

/// A variable or property with its start value.
struct Variable {
  std::string name;
  VariableType type = VariableType::Invalid;
  Json value = {};  ///< true or false, an integer, a number, four numbers; null for pointers and damaged tables
};

struct Trigger {
  std::int32_t event = -1;
  float time_seconds = 0.0f;
  bool is_from_end = false;
};

/// A clip generator.
struct ClipNode {
  havok::ObjectId id;
  std::string name;
  std::string animation;
  float speed = 1.0f;
  float crop_start_seconds = 0.0f;
  float crop_end_seconds = 0.0f;
  float start_seconds = 0.0f;
  std::int32_t mode = 0;  ///< 0 single, 1 looping, 2 user, 3 ping-pong
  std::int32_t flags = 0;
  std::vector<Trigger> triggers = {};
};

struct StateNode {
  havok::ObjectId id;
  std::int32_t number = 0;  ///< `stateId`
  std::string name;
  havok::ObjectId generator;
};

namespace transition_flag {
inline constexpr std::int32_t kDisabled = 0x20;
inline constexpr std::int32_t kNoCondition = 0x100;
inline constexpr std::int32_t kToItself = 0x200;
inline constexpr std::int32_t kGlobalWildcard = 0x400;
inline constexpr std::int32_t kLocalWildcard = 0x800;
inline constexpr std::int32_t kFromNested = 0x1000;
inline constexpr std::int32_t kToNested = 0x2000;
}  // namespace transition_flag

struct Transition {
  std::optional<std::int32_t> from = {};  ///< state id; none for a wildcard
  std::int32_t to = 0;
  std::int32_t event = -1;
  std::int32_t flags = 0;
  std::int32_t priority = 0;
  std::int32_t from_nested = 0;
  std::int32_t to_nested = 0;
  std::optional<float> blend_seconds = {};  ///< of the transition effect, if it has one
  std::string condition = {};
  havok::ObjectId holder;     ///< the array object that it is an element of
  std::uint32_t element = 0;  ///< of that array
};

/// A state machine.
struct MachineNode {
  havok::ObjectId id;
  std::string name;
  std::int32_t start = 0;
  std::int32_t start_mode = 0;  ///< 0 `start`, 1 by the sync variable, 2 random, 3 chooser
  std::int32_t sync_variable = -1;
  std::vector<StateNode> states = {};
  std::vector<Transition> transitions = {};  ///< wildcards first, then by state
};

struct Binding {
  havok::ObjectId id;  ///< the object that it drives
  std::string member;  ///< path of the member that it sets
  std::int32_t variable = -1;
  bool is_property = false;
};

/// A behaviour graph. Lists are by ascending node number.
struct Graph {
  std::string name;
  havok::ObjectId id;
  havok::ObjectId root;  ///< the root generator
  std::vector<std::string> events = {};
  std::vector<Variable> variables = {};
  std::vector<std::string> properties = {};
  std::vector<std::string> references = {};  ///< further behaviour files
  std::vector<ClipNode> clips = {};
  std::vector<MachineNode> machines = {};
  std::vector<Binding> bindings = {};
  bool is_cut = false;  ///< nodes share lists so often that not all of them were read
};

/// A character: its rig, its graph and the animations that it may play.
struct Character {
  std::optional<std::string> name = {};
  std::optional<std::string> rig = {};
  std::optional<std::string> ragdoll = {};
  std::optional<std::string> behavior = {};
  std::vector<std::string> animations = {};
  std::vector<Variable> properties = {};
};

/// Read the values of a file of that kind. Safe on damaged files: what is not there is empty.
Graph read_graph(const havok::Packfile& file, const NodeNames& names);
/// The same. Fails with `LimitExceeded` if nodes share lists so often that they were not all read.
Result<Graph> read_whole_graph(const havok::Packfile& file, const NodeNames& names);
Character read_character(const havok::Packfile& file);
/// Returns the character files that a project names.
std::vector<std::string> read_project(const havok::Packfile& file);

/// Returns the name of an event; nothing for -1 and ids out of range.
std::optional<std::string> event_name(const Graph& graph, std::int32_t event);
/// Returns `single`, `looping`, `user`, `ping-pong`; the number of any other mode.
std::string mode_text(std::int32_t mode);
/// Returns the name that a node has: that of a generator, modifier, state or graph; empty if it has none.
std::string name_of_node(const havok::Object& object);

}  // namespace marrow::behavior
