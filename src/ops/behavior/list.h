// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "marrow/ops/document/load.h"
#include "ops/table/describe.h"

namespace marrow {

struct ListedVariable {
  std::size_t index = 0;
  std::string name;
  std::string type;
  Json value = {};
};

struct ListedTrigger {
  std::optional<std::string> event = {};
  float time = 0.0f;
  bool is_from_end = false;
};

struct ListedClip {
  std::string node, name, animation;
  float speed = 1.0f;
  float crop_start = 0.0f;
  float crop_end = 0.0f;
  std::string mode;
  std::vector<ListedTrigger> triggers;
};

struct ListedState {
  std::int32_t id = 0;
  std::string node, name;
  std::optional<std::string> generator = {};
};

struct ListedTransition {
  std::optional<std::int32_t> from = {};
  std::int32_t to = 0;
  std::optional<std::string> event = {};
  std::int32_t flags = 0;
  std::optional<float> blend = {};
  std::optional<std::string> condition = {};
};

struct ListedMachine {
  std::string node, name;
  std::int32_t start = 0;
  std::vector<ListedState> states;
  std::vector<ListedTransition> transitions;
};

struct ListedBinding {
  std::string node, member;
  std::optional<std::string> variable = {};
  bool is_property = false;
};

struct BehaviorListOptions {};

/// A project, character or behaviour as lists. What a kind of file does not have is null.
struct BehaviorListReport {
  std::string kind;
  std::string root;
  std::size_t nodes = 0;
  std::optional<std::vector<std::string>> characters = {};
  Json name = {};
  Json rig = {}, ragdoll = {}, behavior = {};
  std::optional<std::vector<std::string>> animations = {};
  std::optional<std::vector<std::string>> events = {};
  std::optional<std::vector<ListedVariable>> variables = {};
  Json properties = {};  ///< of a character: with types and values; of a behaviour: names
  std::optional<std::vector<std::string>> references = {};
  std::optional<std::vector<ListedClip>> clips = {};
  std::optional<std::vector<ListedMachine>> machines = {};
  std::optional<std::vector<ListedBinding>> bindings = {};
};

void describe(FieldList& fields, ListedVariable& variable);
void describe(FieldList& fields, ListedTrigger& trigger);
void describe(FieldList& fields, ListedClip& clip);
void describe(FieldList& fields, ListedState& state);
void describe(FieldList& fields, ListedTransition& transition);
void describe(FieldList& fields, ListedMachine& machine);
void describe(FieldList& fields, ListedBinding& binding);
void describe(FieldList& fields, BehaviorListOptions& options);
void describe(FieldList& fields, BehaviorListReport& report);

/// Lists what a file of a behaviour project holds. Fails with `WrongKind` on files that are not packfiles.
Result<BehaviorListReport> list_behavior(const Document& document, const BehaviorListOptions& options,
                                         Context& context);

struct BehaviorFindOptions {
  std::optional<std::string> event = {};
  std::optional<std::string> clip = {};
  std::optional<std::string> variable = {};
};

struct BehaviorUse {
  std::string node, class_name, field;
};

struct BehaviorFindReport {
  std::vector<BehaviorUse> uses;
};

void describe(FieldList& fields, BehaviorFindOptions& options);
void describe(FieldList& fields, BehaviorUse& use);
void describe(FieldList& fields, BehaviorFindReport& report);

/// Finds everything that uses an event, a clip (by its name or its animation) or a variable. Fails with `NotFound` if
/// the file does not have it.
Result<BehaviorFindReport> find_in_behavior(const Document& document, const BehaviorFindOptions& options,
                                            Context& context);

}  // namespace marrow
