// SPDX-License-Identifier: MIT
// Ids: new ones, other ones, and ids that two files share.
#include <set>

#include "anvil/edit.h"
#include "anvil/merge.h"
#include "anvil/rig_set.h"
#include "samples.h"

namespace marrow::anvil {
namespace {

std::set<std::uint64_t> ids_of(const Skeleton& skeleton) {
  std::set<std::uint64_t> ids = {skeleton.id};
  for (const Bone& each : skeleton.bones) {
    ids.insert(each.id);
    for (const Modifier& modifier : each.modifiers) ids.insert(modifier.id);
  }
  return ids;
}

Skeleton addon_for(const std::string& file, std::string_view attach = "Head") {
  Skeleton base = sample("generic_male");
  base.origin.ids.file = file;
  auto addon = new_addon(base, hash_of(attach), {});
  REQUIRE(addon.has_value());
  REQUIRE(add_bone(*addon, {.name = "BJ_New_01", .parent = hash_of(attach)}));
  REQUIRE(add_modifier(*addon, hash_of("BJ_New_01"), ModifierType::BallJoint, {}));
  return *addon;
}

}  // namespace

TEST_CASE("the ids of an addon are the same in every run, and others in every file") {
  CHECK(ids_of(addon_for("hat")) == ids_of(addon_for("hat")));
  const auto hat = ids_of(addon_for("hat")), coat = ids_of(addon_for("coat")), hips = ids_of(addon_for("hat", "Hips"));
  for (const std::uint64_t id : hat) {
    CHECK_FALSE(coat.contains(id));
    CHECK_FALSE(hips.contains(id));
    CHECK_FALSE(ids_of(sample("generic_male")).contains(id));
    CHECK(id >= 0xF8000000);
    CHECK(id < 0xFFFFFFFF);
  }
  CHECK(hat.size() == 4);
}

TEST_CASE("two files that get a bone of the same name give it different ids, and a base counts from a number") {
  Skeleton a = sample("generic_male"), b = sample("addon_sword");
  REQUIRE(add_bone(a, {.name = "BJ_New", .parent = hash_of("Spine")}));
  REQUIRE(add_bone(b, {.name = "BJ_New", .parent = hash_of("Spine")}));
  CHECK(bone(a, "BJ_New").id != bone(b, "BJ_New").id);
  a.origin.ids.base = 1091164575;  // that of a bone of the file: taken
  REQUIRE(add_bone(a, {.name = "BJ_Next", .parent = hash_of("Spine")}));
  const std::uint64_t next = bone(a, "BJ_Next").id;
  CHECK(next > 1091164575);
  CHECK(next < 1091164575 + 2000);
}

TEST_CASE("an object gets another id with every reference") {
  Skeleton skeleton = sample("every_modifier");
  const std::uint64_t old = bone(skeleton, "Neck").id;
  const Skeleton before = skeleton;
  const Assignment id[] = {{"ID", "700000123"}};
  REQUIRE(set_bone(skeleton, hash_of("Neck"), id));
  CHECK(bone(skeleton, "Neck").id == 700000123);
  const auto bytes = written(skeleton);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string wide;
  for (const char c : std::to_string(old)) wide += std::string{c, '\0'};
  CHECK_FALSE(text.contains(wide));
  CHECK_FALSE(has_errors(check(skeleton)));
  const Assignment taken[] = {{"ID", std::to_string(bone(skeleton, "Spine2").id)}};
  CHECK_FALSE(set_bone(skeleton, hash_of("Neck"), taken));
  const Assignment back[] = {{"id", std::to_string(old)}};
  REQUIRE(set_bone(skeleton, hash_of("Neck"), back));
  CHECK(skeleton == before);
}

TEST_CASE("all ids of a copy change, and nothing else") {
  Skeleton copy = sample("every_modifier");
  const Skeleton original = copy;
  copy.origin.ids.file = "copy";
  renumber_all(copy);
  for (const std::uint64_t id : ids_of(copy)) CHECK_FALSE(ids_of(original).contains(id));
  CHECK_FALSE(has_errors(check(copy)));
  CHECK(copy.bones.size() == original.bones.size());
  const Findings before = check(original), after = check(copy);
  CHECK(before.size() == after.size());
}

TEST_CASE("files of a mod that share ids are found, and renumbered") {
  Skeleton base = sample("generic_male"), hair = sample("addon_hair_strand"), sword = sample("addon_sword");
  // The hair uses an id of the sword.
  const std::uint64_t shared = bone(sword, "P_Sword_Tag").id;
  const Assignment id[] = {{"ID", std::to_string(shared)}};
  REQUIRE(set_bone(hair, hash_of("T_Hair"), id));
  const RigSet set({{"sword.xml", sword}, {"hair.xml", hair}, {"base.xml", base}});
  CHECK(set.is_base(2));
  CHECK_FALSE(set.is_base(0));
  CHECK(set.base_of(0) != nullptr);
  CHECK(set.base_of(2) == nullptr);
  CHECK_FALSE(has_code(set.check(0, sword), "E_ID_SHARED"));  // the first keeps its id
  CHECK(has_code(set.check(1, hair), "E_ID_SHARED"));
  CHECK_FALSE(has_code(set.check(2, base), "E_ID_SHARED"));
  const auto to = set.renumbering(1);
  REQUIRE(to.size() == 1);
  renumber(hair, to);
  CHECK(bone(hair, "T_Hair").id != shared);
  CHECK_FALSE(has_code(set.check(1, hair), "E_ID_SHARED"));
  CHECK_FALSE(has_errors(check(hair)));
  // Bones of the character with both addons.
  const Findings budget = set.check(2, base);
  REQUIRE(has_code(budget, "I_BONE_BUDGET"));
  CHECK(std::ranges::find(budget, "I_BONE_BUDGET", &Finding::code)->message.starts_with("91 bones"));
}

TEST_CASE("two versions of a skeleton are not a clash, and an addon without its base is no fault") {
  const Skeleton hair = sample("addon_hair_strand");
  Skeleton edited = hair;
  const Assignment mass[] = {{"Mass", "0.5"}};
  REQUIRE(set_modifier(edited, {.bone = hash_of("BJ_Hair01"), .index = 0}, mass));
  const RigSet set({{"a.xml", hair}, {"b.xml", edited}});
  CHECK(has_code(set.check(1, edited), "W_SAME_SKELETON"));
  CHECK_FALSE(has_code(set.check(1, edited), "E_ID_SHARED"));
  CHECK(set.renumbering(1).empty());
  CHECK(has_code(set.check(0, hair), "I_NO_BASE"));
}

}  // namespace marrow::anvil
