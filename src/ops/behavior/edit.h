// SPDX-License-Identifier: MIT
/// Edits of behaviours as operations. `marrow/behavior/edit.h` explains what each keeps right.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "behavior/graph.h"
#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

/// Types of variables that can be added.
enum class VariableChoice : std::uint8_t { Bool, Int8, Int16, Int32, Real, Pointer, Vector3, Vector4, Quaternion };
template <>
struct ChoiceWords<VariableChoice> {
  static constexpr std::array<std::string_view, 9> words = {"bool",    "int8",    "int16",   "int32",     "real",
                                                            "pointer", "vector3", "vector4", "quaternion"};
};

enum class ClipMode : std::uint8_t { Single, Looping, User, PingPong };
template <>
struct ChoiceWords<ClipMode> {
  static constexpr std::array<std::string_view, 4> words = {"single", "looping", "user", "ping-pong"};
};

/// What an edit did.
struct BehaviorEditReport {
  std::size_t nodes = 0;                   ///< of the file now
  std::optional<std::string> node = {};    ///< the state or clip that was added
  std::optional<std::int32_t> state = {};  ///< its id
  std::optional<std::int32_t> index = {};  ///< of a variable or animation that was added
  std::vector<std::string> changes = {};   ///< what was done, in sentences
};

struct AddBehaviorEventOptions {
  std::vector<std::string> names = {};
  std::optional<Game> game = {};
};
struct AddVariableOptions {
  std::string name = {};
  VariableChoice type = VariableChoice::Int32;
  std::string value = {};
  std::optional<Game> game = {};
};
struct AddAnimationOptions {
  std::vector<std::string> animations = {};
  std::optional<Game> game = {};
};
struct AddClipOptions {
  std::string machine = {}, name = {}, animation = {};
  ClipMode mode = ClipMode::Single;
  double speed = 1.0;
  std::vector<std::string> triggers = {};  ///< `EVENT:SECONDS`
  std::optional<std::int32_t> state = {};
  std::string on = {};
  std::optional<Game> game = {};
};
struct AddStateOptions {
  std::string machine = {}, name = {}, generator = {};
  std::optional<std::int32_t> state = {};
  std::string on = {};
  std::optional<Game> game = {};
};
struct AddTransitionOptions {
  std::string machine = {}, from = {};
  std::int32_t to = 0;
  std::string event = {};
};
struct SetFieldOptions {
  std::string node = {};
  std::vector<std::string> fields = {};  ///< `FIELD=VALUE`
  std::optional<Game> game = {};
};
struct RemoveNodeOptions {
  std::optional<std::string> node = {}, event = {}, variable = {}, animation = {};
  std::vector<std::string> elements = {};  ///< of lists of the node
  std::optional<Game> game = {};
};
struct RenameOptions {
  std::optional<std::string> event = {}, variable = {};
  std::string name = {};
  std::optional<Game> game = {};
};
struct BehaviorScriptOptions {
  std::vector<NamedText> scripts = {};
  std::optional<Game> game = {};
};

void describe(FieldList& fields, BehaviorEditReport& report);
void describe(FieldList& fields, AddBehaviorEventOptions& options);
void describe(FieldList& fields, AddVariableOptions& options);
void describe(FieldList& fields, AddAnimationOptions& options);
void describe(FieldList& fields, AddClipOptions& options);
void describe(FieldList& fields, AddStateOptions& options);
void describe(FieldList& fields, AddTransitionOptions& options);
void describe(FieldList& fields, SetFieldOptions& options);
void describe(FieldList& fields, RemoveNodeOptions& options);
void describe(FieldList& fields, RenameOptions& options);
void describe(FieldList& fields, BehaviorScriptOptions& options);

/// Each changes the packfile of a document. Fails with `WrongKind` on other documents, and leaves the document as it
/// was if it fails.
Result<BehaviorEditReport> add_behavior_event(Document& document, const AddBehaviorEventOptions& options,
                                              Context& context);
Result<BehaviorEditReport> add_variable(Document& document, const AddVariableOptions& options, Context& context);
Result<BehaviorEditReport> add_animation(Document& document, const AddAnimationOptions& options, Context& context);
Result<BehaviorEditReport> add_clip(Document& document, const AddClipOptions& options, Context& context);
Result<BehaviorEditReport> add_state(Document& document, const AddStateOptions& options, Context& context);
Result<BehaviorEditReport> add_transition(Document& document, const AddTransitionOptions& options, Context& context);
Result<BehaviorEditReport> set_field(Document& document, const SetFieldOptions& options, Context& context);
Result<BehaviorEditReport> remove_node(Document& document, const RemoveNodeOptions& options, Context& context);
Result<BehaviorEditReport> rename_in_behavior(Document& document, const RenameOptions& options, Context& context);
/// Runs a script of edits, one per line.
Result<BehaviorEditReport> run_behavior_script(Document& document, const BehaviorScriptOptions& options,
                                               Context& context);

}  // namespace marrow
