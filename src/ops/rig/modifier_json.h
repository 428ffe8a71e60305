// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <vector>

#include "anvil/hierarchy.h"
#include "core/json.h"
#include "marrow/core/text.h"
#include "model/modifiers_fields.h"

namespace marrow {

/// Values of modifier fields as JSON; links become the names of bones.
struct FieldJson {
  const anvil::Skeleton* skeleton = nullptr;
  const anvil::Hierarchy* tree = nullptr;

  // With as many digits as tell the float from others: 0.4, not 0.4000000059604645.
  Json operator()(float value) const { return parse_double(float_text(value)).value_or(static_cast<double>(value)); }
  Json operator()(bool value) const { return value; }
  Json operator()(std::integral auto value) const { return value; }
  Json operator()(const Vec4& v) const { return Json::Array{(*this)(v.x), (*this)(v.y), (*this)(v.z), (*this)(v.w)}; }
  Json operator()(const Quat& q) const { return Json::Array{(*this)(q.x), (*this)(q.y), (*this)(q.z), (*this)(q.w)}; }
  Json operator()(const FileReference& file) const { return file.id; }
  Json operator()(BoneLink link) const {
    const std::int32_t bone = tree ? tree->find(link) : -1;
    return bone < 0 ? Json() : Json(anvil::display_name(skeleton->bones[static_cast<std::size_t>(bone)].name));
  }
  Json operator()(const Hinge& hinge) const { return record(hinge_fields(), hinge); }
  Json operator()(const RotationExpression& term) const { return record(rotation_expression_fields(), term); }
  template <class T>
  Json operator()(const std::vector<T>& list) const {
    Json json = Json::array();
    for (const auto& item : list) json.push((*this)(static_cast<const T&>(item)));
    return json;
  }
  template <class Object>
  Json record(std::span<const Field> table, const Object& object) const {
    Json json = Json::object();
    walk_fields(table, object, [&](const Field& field, const auto& value) { json.set(field.name, (*this)(value)); });
    return json;
  }
};

/// The owner is the bone that holds the modifier, and not listed among its fields.
inline bool is_owner(const Field& field) { return field.name == "Owner"; }

/// Returns all fields of a modifier by name.
Json fields_json(const Modifier& modifier, const FieldJson& json_of);
/// Returns those that are not at their default.
Json different_fields_json(const Modifier& modifier, const FieldJson& json_of);

}  // namespace marrow
