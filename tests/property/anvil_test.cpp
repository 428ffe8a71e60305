// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>

#include "anvil/check.h"
#include "anvil/diff.h"
#include "anvil/edit.h"
#include "anvil/hierarchy.h"
#include "anvil/merge.h"
#include "anvil/xml.h"
#include "model/modifier_faults.h"
#include "model/modifiers_fields.h"

using namespace marrow;
using namespace marrow::anvil;

namespace {

float any_float() { return static_cast<float>(*rc::gen::inRange(-2'000'000, 2'000'000)) / 1024.0f; }

Quat any_rotation() {
  const Quat q = make_quat(any_float(), any_float(), any_float(), any_float() + 4096.0f);
  const float length = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
  return make_quat(q.x / length, q.y / length, q.z / length, q.w / length);
}

/// Fills every field of a modifier; links lead to bones of the skeleton.
struct Filler {
  const Skeleton& skeleton;
  std::uint64_t& next_id;
  std::uint64_t owner;  // links lead elsewhere

  BoneLink link() const {
    const Bone& bone = *rc::gen::elementOf(skeleton.bones);
    return bone.id == owner ? BoneLink{skeleton.bones[bone.id == skeleton.bones[0].id ? 1 : 0].id} : BoneLink{bone.id};
  }
  void operator()(const Field&, float& value) const { value = any_float(); }
  void operator()(const Field&, bool& value) const { value = *rc::gen::arbitrary<bool>(); }
  void operator()(const Field&, std::uint8_t& value) const { value = *rc::gen::arbitrary<std::uint8_t>(); }
  void operator()(const Field&, std::int32_t& value) const { value = *rc::gen::inRange(-2, 9); }
  void operator()(const Field&, std::uint32_t& value) const { value = *rc::gen::arbitrary<std::uint32_t>(); }
  void operator()(const Field&, Vec4& value) const { value = Vec4(any_float(), any_float(), any_float(), any_float()); }
  void operator()(const Field&, Quat& value) const { value = any_rotation(); }
  void operator()(const Field& field, BoneLink& value) const {
    if (field.name != "Owner") value = *rc::gen::inRange(0, 4) == 0 ? BoneLink{} : link();
  }
  void operator()(const Field&, FileReference& value) const {
    value = {*rc::gen::arbitrary<std::uint64_t>(), "Game/Some & <Path>", *rc::gen::arbitrary<bool>()};
  }
  template <class Item>
  void operator()(const Field& field, std::vector<Item>& list) const {
    for (int i = *rc::gen::inRange(0, 4); i > 0; --i) {
      Item item{};
      if constexpr (std::is_same_v<Item, Hinge>) {
        item.id = next_id++;
        walk_fields(hinge_fields(), item, *this);
      } else if constexpr (std::is_same_v<Item, RotationExpression>) {
        item.id = next_id++;
        walk_fields(rotation_expression_fields(), item, *this);
      } else {
        (*this)(field, item);
      }
      list.push_back(item);
    }
  }
};

void add_unknown_parts(Kept& kept) {
  if (*rc::gen::inRange(0, 3) == 0)
    kept.elements.push_back({-1, -1, Dialect::Standard, "<Value Name=\"Odd\" Type=\"Single\">1.5</Value>"});
  if (*rc::gen::inRange(0, 3) == 0)
    kept.elements.push_back({-1, -1, Dialect::Standard, "<Thing Kind=\"x\"><Deep>text</Deep></Thing>"});
  if (*rc::gen::inRange(0, 3) == 0) kept.attributes.push_back({-1, -1, "Remark", "a \"quoted\" & <odd> word"});
}

anvil::Modifier any_modifier(const Skeleton& skeleton, std::uint64_t owner, std::uint64_t& next_id) {
  const auto type = static_cast<ModifierType>(*rc::gen::inRange<int>(0, static_cast<int>(kModifierTypeCount)));
  anvil::Modifier modifier = anvil::make_modifier(type);
  modifier.id = next_id++;
  modifier.owner = {owner};
  if (auto* unknown = std::get_if<UnknownModifier>(&modifier.data)) unknown->class_name = "StrangeBoneModifier";
  walk_fields(modifier, Filler{skeleton, next_id, owner});
  modifier.kept.absent = 0;
  add_unknown_parts(modifier.kept);
  walk_fields(modifier, [&](const Field&, const auto& value) {
    if constexpr (kIsPartList<std::remove_cvref_t<decltype(value)>>)
      for (std::size_t i = 0; i < value.size(); ++i) add_unknown_parts(modifier.part_kept.emplace_back());
  });
  return modifier;
}

std::string bone_name(const std::string& prefix, std::size_t i) { return prefix + std::to_string(i); }

Bone any_bone(const std::string& name, std::uint64_t id) {
  Bone bone = make_bone();
  bone.id = id;
  bone.name = {hash_of(name), name};
  bone.mirror = {id};
  set_local_rest(bone, {Vec3(any_float() / 4096, any_float() / 4096, any_float() / 4096), any_rotation(), Vec3(1)});
  bone.mirroring_type = *rc::gen::inRange(0, 7);
  bone.wrinkle_factor = any_float();
  return bone;
}

/// A sound skeleton in depth-first order with modifiers of all types.
Skeleton any_skeleton(const std::string& prefix, std::uint64_t first_id, int most = 12) {
  Skeleton skeleton = make_skeleton();
  skeleton.id = first_id;
  std::uint64_t next_id = first_id + 1;
  const int count = *rc::gen::inRange(2, most);
  for (int i = 0; i < count; ++i) {
    Bone bone = any_bone(bone_name(prefix, static_cast<std::size_t>(i)), next_id++);
    if (i > 0) bone.parent = {skeleton.bones[static_cast<std::size_t>(*rc::gen::inRange(0, i))].id};
    skeleton.bones.push_back(std::move(bone));
  }
  skeleton.root = {skeleton.bones[0].id};
  set_global_rest(skeleton.bones[0], local_rest(skeleton.bones[0]));
  sort_depth_first(skeleton);
  rebuild_globals(skeleton);
  for (Bone& bone : skeleton.bones) {
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
      bone.modifiers.push_back(any_modifier(skeleton, bone.id, next_id));
    add_unknown_parts(bone.kept);
  }
  skeleton.key = *rc::gen::arbitrary<std::uint32_t>();
  return skeleton;
}

/// Modifiers whose rules do not matter here would make `merge` refuse: only those that are sound by construction.
void keep_sound_modifiers(Skeleton& skeleton) {
  for (Bone& bone : skeleton.bones)
    std::erase_if(bone.modifiers, [](const anvil::Modifier& modifier) {
      const ModifierType type = modifier.type();
      const std::vector<FieldFault> faults = find_faults(modifier);
      return type == ModifierType::Hinge || type == ModifierType::MaxLookAt ||
             std::ranges::find(faults, ValueFault::OutOfRange, &FieldFault::fault) != faults.end();
    });
}

/// An addon for `base`: a path of its bones from some bone down, and new bones on it.
Skeleton any_addon(const Skeleton& base, const std::string& prefix, std::uint64_t first_id) {
  const Bone& attach = *rc::gen::elementOf(base.bones);
  std::vector<std::uint32_t> paths;
  const Hierarchy tree = hierarchy_of(base);
  const std::int32_t root = tree.find_hash(attach.name.hash);
  for (std::size_t i = 0; i < base.bones.size(); ++i)
    if (tree.is_below(static_cast<std::int32_t>(i), root) && *rc::gen::arbitrary<bool>())
      paths.push_back(base.bones[i].name.hash);
  auto made = new_addon(base, attach.name.hash, paths);
  if (!made) RC_FAIL("new_addon: " + made.error().path + " " + made.error().message);
  Skeleton addon = std::move(*made);
  std::uint64_t next_id = first_id;
  const int count = *rc::gen::inRange(0, 6);
  for (int i = 0; i < count; ++i) {
    const Bone parent = *rc::gen::elementOf(addon.bones);
    REQUIRE(add_bone(addon, {.name = bone_name(prefix, static_cast<std::size_t>(i)),
                             .parent = parent.name.hash,
                             .local = Transform{Vec3(any_float() / 4096), any_rotation(), Vec3(1)},
                             .id = next_id++}));
  }
  if (addon.bones.size() > 1)
    for (Bone& bone : addon.bones)
      if (*rc::gen::inRange(0, 3) == 0) bone.modifiers.push_back(any_modifier(addon, bone.id, next_id));
  keep_sound_modifiers(addon);
  return addon;
}

Skeleton any_base() {
  Skeleton base = any_skeleton("Base", 1000);
  keep_sound_modifiers(base);
  return base;
}

Merge merged(const Skeleton& base, std::vector<const Skeleton*> addons) {
  std::vector<Part> parts;
  for (const Skeleton* addon : addons) parts.push_back({addon, "addon"});
  return merge(base, parts);
}

void require_success(const Merge& merge) {
  for (const Finding& finding : merge.findings)
    if (finding.level == Level::Error) RC_FAIL(finding.code + " " + finding.where + " " + finding.message);
}

std::set<std::uint32_t> names(const Skeleton& skeleton) {
  std::set<std::uint32_t> all;
  for (const Bone& bone : skeleton.bones) all.insert(bone.name.hash);
  return all;
}

/// Every bone as its parent's name and what it holds, whatever the order of siblings.
Skeleton with_sorted_siblings(Skeleton skeleton) {
  std::ranges::sort(skeleton.bones, {}, [](const Bone& bone) { return bone.name.hash; });
  sort_depth_first(skeleton);
  return skeleton;
}

void holds(const char* law, const std::function<void()>& property) { CHECK(rc::check(law, property)); }

}  // namespace

TEST_CASE("what is written is read back equal in both dialects, and by way of the other") {
  holds("read(write(s)) == s", [] {
    const Skeleton skeleton = any_skeleton("Bone", 500);
    for (const Dialect dialect : {Dialect::Standard, Dialect::Schema}) {
      const auto bytes = write_xml(skeleton, {.dialect = dialect});
      RC_ASSERT(bytes.has_value());
      const auto again = read_xml(*bytes);
      RC_ASSERT(again.has_value());
      RC_ASSERT(*again == skeleton);
      RC_ASSERT(diff(*again, skeleton).empty());
    }
  });
}

TEST_CASE("merging nothing changes nothing, and merging twice no more than once") {
  holds("merge laws", [] {
    const Skeleton base = any_base();
    RC_ASSERT(merged(base, {}).skeleton == base);
    const Skeleton addon = any_addon(base, "New", 50000);
    const Merge once = merged(base, {&addon});
    require_success(once);
    const Merge twice = merged(once.skeleton, {&addon});
    require_success(twice);
    RC_ASSERT(twice.skeleton == once.skeleton);
  });
}

TEST_CASE("the merged skeleton is the union of names, and provenance takes an addon out again") {
  holds("union and removal", [] {
    const Skeleton base = any_base();
    const Skeleton addon = any_addon(base, "New", 50000);
    const Merge merge = merged(base, {&addon});
    require_success(merge);
    std::set<std::uint32_t> both = names(base);
    both.merge(names(addon));
    RC_ASSERT(merge.skeleton.bones.size() == both.size());
    RC_ASSERT(names(merge.skeleton) == both);
    RC_ASSERT(without_addon(merge, 0) == base);
  });
}

TEST_CASE("the order of addons with different new bones matters for the order of siblings only") {
  holds("order", [] {
    const Skeleton base = any_base();
    Skeleton a = any_addon(base, "A", 50000), b = any_addon(base, "B", 70000);
    // Modifiers of both on one bone would follow each other in the order of the addons.
    for (Bone& bone : b.bones) bone.modifiers.clear();
    const Merge ab = merged(base, {&a, &b}), ba = merged(base, {&b, &a});
    require_success(ab);
    require_success(ba);
    RC_ASSERT(with_sorted_siblings(ab.skeleton) == with_sorted_siblings(ba.skeleton));
  });
}

TEST_CASE("extracting what was merged, and merging it again, gives the same skeleton") {
  holds("extract", [] {
    const Skeleton base = any_base();
    const Skeleton addon = any_addon(base, "New", 50000);
    const Merge merge = merged(base, {&addon});
    require_success(merge);
    const auto extracted = extract_addon(merge.skeleton, base);
    RC_PRE(extracted.has_value());
    const Merge again = merged(base, {&*extracted});
    require_success(again);
    RC_ASSERT(diff(again.skeleton, merge.skeleton).empty());
  });
}

TEST_CASE("a bone that is added and removed again leaves no trace") {
  holds("add, remove", [] {
    const Skeleton before = any_skeleton("Bone", 500);
    Skeleton skeleton = before;
    const Bone parent = *rc::gen::elementOf(before.bones);
    RC_ASSERT(add_bone(skeleton, {.name = "Extra", .parent = parent.name.hash}).has_value());
    RC_ASSERT(skeleton.bones.size() == before.bones.size() + 1);
    RC_ASSERT(remove_bone(skeleton, hash_of("Extra")).has_value());
    RC_ASSERT(skeleton == before);
  });
}

TEST_CASE("removing any bone leaves a skeleton whose links and poses hold") {
  holds("remove", [] {
    Skeleton skeleton = any_base();
    const Bone victim = *rc::gen::elementOf(skeleton.bones);
    if (!remove_bone(skeleton, victim.name.hash, {.promote = true})) return;
    const Findings findings = check(skeleton);
    for (const Finding& finding : findings)
      if (finding.level == Level::Error && finding.code != "E_SELF_TARGET")
        RC_FAIL(finding.code + " " + finding.where + " " + finding.message);
  });
}
