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

struct ListRigOptions {
  std::string match = "*";                   ///< only bones whose name matches
  std::optional<std::string> below = {};     ///< only this bone and those below it
  std::optional<std::string> modifier = {};  ///< only bones with a modifier of this class
  bool moving = false;                       ///< only bones with modifiers
  std::vector<const Document*> addons = {};  ///< merged first
};

struct ShowBoneOptions {
  std::vector<std::string> bones = {};  ///< names, patterns or chains; empty: the skeleton itself
};

/// A rest pose, in metres.
struct RestPose {
  Vec3 position{0.0f};
  Quat rotation = make_quat(0, 0, 0, 1);
};

struct ListedModifier {
  std::string type = {};
  std::string origin = {};  ///< the file it is from
  Json fields = {};         ///< every field by the engine's name
  Json different = {};      ///< those that are not at their default
  Json defaults = {};       ///< the default of every field; null in a list
  Json units = {};          ///< the units of fields that have one; null in a list
};

struct ListedBone {
  std::size_t index = 0;  ///< in depth-first order, as files count
  std::uint64_t id = 0;
  std::string name = {};
  std::optional<std::string> parent = {};
  std::size_t depth = 0;
  std::string origin = {};  ///< the file it is from
  RestPose local = {}, global = {};
  std::optional<std::string> mirror = {};
  Json fields = {};  ///< the other fields of the bone: priority, mirroring, wrinkles
  std::vector<ListedModifier> modifiers = {};
};

struct ListRigReport {
  Json skeleton = {};  ///< the fields of the skeleton; PoseGroups, IKData and the like value by value
  std::vector<ListedBone> bones = {};
};

struct ModifierFieldsOptions {
  std::optional<std::string> modifier = {};  ///< only this one
};

/// One field of a part of a modifier, as the engine knows it.
struct PartFieldInfo {
  std::string name = {}, unit = {}, help = {};
  Json otherwise = {};               ///< its default
  std::optional<double> start = {};  ///< what a new modifier starts with instead
  std::optional<double> min = {}, max = {};
  std::optional<std::vector<std::string>> choices = {};
};

/// One field of a modifier.
struct ModifierFieldInfo : PartFieldInfo {
  /// Of a list of parts, such as `Constraints`: the fields of each part.
  std::optional<std::vector<PartFieldInfo>> fields = {};
};

struct ModifierInfo {
  std::string type = {}, class_name = {}, summary = {};
  std::vector<std::string> games = {};  ///< that have it
  std::vector<ModifierFieldInfo> fields = {};
};

struct ModifierFieldsReport {
  std::vector<ModifierInfo> modifiers = {};
};

void describe(FieldList& fields, ListRigOptions& options);
void describe(FieldList& fields, ShowBoneOptions& options);
void describe(FieldList& fields, RestPose& pose);
void describe(FieldList& fields, ListedModifier& modifier);
void describe(FieldList& fields, ListedBone& bone);
void describe(FieldList& fields, ListRigReport& report);
void describe(FieldList& fields, ModifierFieldsOptions& options);
void describe(FieldList& fields, PartFieldInfo& field);
void describe(FieldList& fields, ModifierFieldInfo& field);
void describe(FieldList& fields, ModifierInfo& modifier);
void describe(FieldList& fields, ModifierFieldsReport& report);

/// Lists the bones of an Anvil skeleton in depth-first order, with poses, mirrors and modifiers.
Result<ListRigReport> list_rig(const Document& document, const ListRigOptions& options, Context& context);
/// The same for the bones that are named, with unit and default of every field. Fails with `NotFound` and the nearest
/// name.
Result<ListRigReport> show_bones(const Document& document, const ShowBoneOptions& options, Context& context);
/// Lists the modifiers with every field: unit, range, default and effect. Fails with `BadOption` on an unknown one.
Result<ModifierFieldsReport> modifier_fields_of(const ModifierFieldsOptions& options);

}  // namespace marrow
