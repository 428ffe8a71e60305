// SPDX-License-Identifier: MIT
#include "havok/animation/names.h"

#include <algorithm>
#include <array>
#include <vector>

#include "havok/object/version.h"

namespace marrow::havok {
namespace {

/// The names that version 5 has for classes of animations.
struct OldName {
  std::string_view name, old;
};
constexpr std::array<OldName, 4> kOldNames = {{{kSplineAnimation, "hkaSplineSkeletalAnimation"},
                                               {kInterleavedAnimation, "hkaInterleavedSkeletalAnimation"},
                                               {kDeltaAnimation, "hkaDeltaCompressedSkeletalAnimation"},
                                               {kWaveletAnimation, "hkaWaveletSkeletalAnimation"}}};

std::string_view old_name(std::string_view name) {
  const auto found = std::ranges::find(kOldNames, name, &OldName::name);
  return found == kOldNames.end() ? std::string_view() : found->old;
}

void add_variant(Packfile& file, std::string_view name, std::string_view class_name, ObjectId object) {
  Fields root = file.at(file.root).fields();
  const ArrayView old = root.view().array("namedVariants");
  struct Row {
    std::string name, class_name;
    ObjectId object;
  };
  std::vector<Row> rows;
  for (std::uint32_t i = 0; i < old.size(); ++i)
    rows.push_back({std::string(old.record(i).text("name").value_or("")),
                    std::string(old.record(i).text("className").value_or("")), old.record(i).pointer("variant")});
  rows.push_back({std::string(name), std::string(class_name), object});
  root.reset_array("namedVariants", static_cast<std::uint32_t>(rows.size()));
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    Fields variant = root.element("namedVariants", i);
    variant.set_text("name", rows[i].name);
    variant.set_text("className", rows[i].class_name);
    variant.set_pointer("variant", rows[i].object);
  }
}

}  // namespace

bool is_kind(const Class& type, std::string_view name) { return type.is_a(name) || type.is_a(old_name(name)); }

std::string_view name_in(const Schema& schema, std::string_view name) {
  return schema.find(name) || old_name(name).empty() ? name : old_name(name);
}

std::int64_t animation_type(const Schema& schema, std::string_view class_name) {
  const auto types = version_of(schema).animation_types;
  const auto found = std::ranges::find(types, class_name, &AnimationType::class_name);
  return found == types.end() ? 0 : found->number;
}

std::int64_t blend_hint_number(const Schema& schema, BlendHint hint) {
  const HavokVersion& version = version_of(schema);
  if (hint == BlendHint::Normal) return 0;
  return hint == BlendHint::Additive ? version.additive.value_or(version.additive_deprecated)
                                     : version.additive_deprecated;
}

BlendHint blend_hint_of(const Schema& schema, std::int64_t number) {
  if (number == 0) return BlendHint::Normal;
  return number == version_of(schema).additive ? BlendHint::Additive : BlendHint::AdditiveDeprecated;
}

ObjectId start_file(Packfile& file) {
  file.root = file.add(kRootContainer);
  const ObjectId container = file.add(kAnimationContainer);
  add_variant(file, "Merged Animation Container", kAnimationContainer, container);
  return container;
}

void finish_file(Packfile& file) {
  if (!file.schema->find(kResourceContainer)) return;
  const ObjectId resources = file.add(kResourceContainer);
  file.at(resources).fields().set_text("name", "");
  add_variant(file, "Resource Data", kResourceContainer, resources);
}

}  // namespace marrow::havok
