// SPDX-License-Identifier: MIT
#include "anvil/merge.h"

#include "anvil/diff.h"
#include "anvil/edit.h"
#include "samples.h"

namespace marrow::anvil {
namespace {

struct Stack {
  std::vector<Skeleton> skeletons;
  std::vector<Part> parts;

  explicit Stack(const std::vector<std::string>& names) {
    for (const std::string& name : names) skeletons.push_back(sample(name));
    for (std::size_t i = 0; i < names.size(); ++i) parts.push_back({&skeletons[i], names[i]});
  }
};

const std::vector<std::string> kAddons = {"addon_hidden_blade", "addon_sword", "addon_neck_setup", "addon_quad_pistols",
                                          "addon_hair_strand"};

// A skeleton of a root and `count - 1` children.
Skeleton fan(std::size_t count, std::uint64_t first_id, std::string_view prefix) {
  Skeleton skeleton = make_skeleton();
  skeleton.id = first_id;
  skeleton.root = {first_id + 1};
  for (std::size_t i = 0; i < count; ++i) {
    Bone each = make_bone();
    each.id = first_id + 1 + i;
    const std::string name = i == 0 ? "Reference" : std::string(prefix) + std::to_string(i);
    each.name = {hash_of(name), name};
    each.mirror = {each.id};
    if (i > 0) each.parent = skeleton.root;
    skeleton.bones.push_back(std::move(each));
  }
  return skeleton;
}

}  // namespace

TEST_CASE("matched bones are counted once") {
  const Skeleton base = sample("generic_male");
  const Stack stack(kAddons);
  const Merge merged = merge(base, stack.parts, {.game = Game::Rogue});
  REQUIRE(merged.succeeded());
  std::vector<std::size_t> totals;
  for (const AddonSummary& addon : merged.addons) {
    totals.push_back(addon.total);
    CHECK(addon.bones == addon.matched + addon.added);
  }
  CHECK(totals == std::vector<std::size_t>{86, 88, 93, 99, 104});
  CHECK(merged.skeleton.bones.size() == 104);
  CHECK_FALSE(has_errors(check(merged.skeleton, {.game = Game::Rogue})));
  CHECK(std::ranges::is_sorted(hierarchy_of(merged.skeleton).depth_first));
}

TEST_CASE("every bone and modifier knows the file it is from") {
  const Skeleton base = sample("generic_male");
  const Stack stack({"addon_sword"});
  const Merge merged = merge(base, stack.parts);
  std::size_t from_addon = 0, modifiers = 0;
  for (std::size_t i = 0; i < merged.sources.size(); ++i) {
    from_addon += merged.sources[i].part == 0;
    REQUIRE(merged.sources[i].modifiers.size() == merged.skeleton.bones[i].modifiers.size());
    modifiers += static_cast<std::size_t>(std::ranges::count(merged.sources[i].modifiers, 0));
  }
  CHECK(from_addon == 2);
  CHECK(modifiers == 2);
  CHECK(without_addon(merged, 0) == base);
}

TEST_CASE("global poses come from the base, not from the addon") {
  Skeleton base = sample("generic_male");
  const Stack stack({"addon_sword"});
  Merge merged = merge(base, stack.parts);
  Bone& sword = bone(merged.skeleton, "P_Sword_Tag");
  const Transform expected = global_rest(bone(base, "Spine")) * local_rest(sword);
  CHECK(global_rest(sword) == expected);
  CHECK(sword.global_position != stack.skeletons[0].bones[1].global_position);
}

TEST_CASE("a modifier on a path bone is carried to the bone of the base, its links resolved") {
  Skeleton base = sample("generic_male");
  Stack stack({"addon_hidden_blade"});
  REQUIRE(add_modifier(stack.skeletons[0], hash_of("LeftForeArm"), ModifierType::Follow,
                       std::vector<Assignment>{{"AssociatedBone", "RightForeArm"}}));
  Merge merged = merge(base, stack.parts);
  REQUIRE(merged.succeeded());
  const Bone& arm = bone(merged.skeleton, "LeftForeArm");
  REQUIRE(arm.modifiers.size() == bone(base, "LeftForeArm").modifiers.size() + 1);
  CHECK(arm.modifiers.back().owner.target == arm.id);
  CHECK(std::get<FollowModifier>(arm.modifiers.back().data).associated_bone.target == bone(base, "RightForeArm").id);
  const Part again{&stack.skeletons[0], "again"};
  const Merge twice = merge(merged.skeleton, std::span(&again, 1));
  CHECK(twice.skeleton == merged.skeleton);
  CHECK(twice.addons[0].modifiers_dropped == 1);
  CHECK(has_code(twice.findings, "I_DUP_MODIFIER"));
}

TEST_CASE("links inside modifiers that are not known follow the bones too") {
  Skeleton base = sample("generic_male");
  Stack stack({"addon_sword"});
  Skeleton& addon = stack.skeletons[0];
  Modifier odd;
  odd.id = 5555;
  odd.owner = {addon.bones[1].id};
  odd.data = UnknownModifier{"OddModifier"};
  odd.kept.elements.push_back({-1, -1, Dialect::Standard,
                               "<ObjectPtr Name=\"Aim\"><Link><Value Name=\"Value\" Type=\"UInt64\">" +
                                   std::to_string(addon.bones[0].id) + "</Value></Link></ObjectPtr>"});
  addon.bones[1].modifiers.push_back(odd);
  Merge merged = merge(base, stack.parts);
  REQUIRE(merged.succeeded());
  CHECK(bone(merged.skeleton, "P_Sword_Tag")
            .modifiers.back()
            .kept.elements[0]
            .xml.find(std::to_string(bone(base, "Spine").id)) != std::string::npos);
}

TEST_CASE("links in what is kept of a hinge follow the bones too") {
  Skeleton base = sample("generic_male");
  Stack stack({"addon_sword"});
  Skeleton& addon = stack.skeletons[0];
  Modifier& hinge = bone(addon, "P_Sword_Tag").modifiers.at(0);
  hinge.part_kept.at(0).elements.push_back({-1, -1, Dialect::Standard,
                                            "<ObjectPtr Name=\"Aim\"><Link><Value Name=\"Value\" Type=\"UInt64\">" +
                                                std::to_string(addon.bones[0].id) + "</Value></Link></ObjectPtr>"});
  Merge merged = merge(base, stack.parts);
  REQUIRE(merged.succeeded());
  const auto& elements = bone(merged.skeleton, "P_Sword_Tag").modifiers.at(0).part_kept.at(0).elements;
  CHECK(elements.at(0).xml.find(std::to_string(bone(base, "Spine").id)) != std::string::npos);
}

TEST_CASE("ids that are taken become new ones, and the change is reported") {
  const Skeleton base = sample("generic_male");
  Stack stack({"addon_sword"});
  const std::uint64_t taken = base.bones[5].id, was = stack.skeletons[0].bones[1].id;
  for (Bone& each : stack.skeletons[0].bones) {
    if (each.id == was) each.id = taken;
    if (each.parent.target == was) each.parent = {taken};
    if (each.mirror.target == was) each.mirror = {taken};
    for (Modifier& modifier : each.modifiers) modifier.owner = {each.id};
  }
  Merge merged = merge(base, stack.parts);
  REQUIRE(merged.succeeded());
  REQUIRE(merged.id_changes.size() == 1);
  CHECK(merged.id_changes[0].from == taken);
  CHECK(merged.id_changes[0].to >= 0xF8000000);
  CHECK(bone(merged.skeleton, "P_LeftWaist_Tag").parent.target == merged.id_changes[0].to);
  CHECK_FALSE(has_errors(check(merged.skeleton)));
}

TEST_CASE("an addon may hang on the bone of another, in any order of files, unless strict") {
  const Skeleton base = sample("generic_male");
  Stack stack({"addon_sword", "addon_sword"});
  Skeleton& second = stack.skeletons[1];
  REQUIRE(rename_bone(second, hash_of("Spine"), "P_LeftWaist_Tag2"));
  REQUIRE(rename_bone(second, hash_of("P_LeftWaist_Tag"), "Sheath_Tip"));
  REQUIRE(rename_bone(second, hash_of("P_Sword_Tag"), "Sheath"));
  REQUIRE(rename_bone(second, hash_of("P_LeftWaist_Tag2"), "P_LeftWaist_Tag"));
  std::swap(stack.skeletons[0], stack.skeletons[1]);
  const Merge merged = merge(base, stack.parts);
  CHECK(merged.succeeded());
  CHECK(merged.skeleton.bones.size() == 88);
  CHECK(has_code(merge(base, stack.parts, {.strict = true}).findings, "E_ADDON_ROOT_MISSING"));
}

TEST_CASE("the main skeleton is found wherever it stands") {
  const Stack stack({"addon_quad_pistols", "addon_sword", "generic_male"});
  CHECK(find_main(stack.parts) == 2);
  CHECK(find_main(std::span(stack.parts).first(2)) == 0);
}

TEST_CASE("256 bones are refused for Rogue and fine for Unity; 65536 are refused for all") {
  const Skeleton base = fan(200, 1000, "Base");
  const auto stack = [&](std::size_t bones, Game game) {
    const Skeleton addon = fan(bones - 200 + 1, 900000, "Addon");
    const Part part{&addon, "addon"};
    return merge(base, std::span(&part, 1), {.game = game});
  };
  CHECK(stack(255, Game::Rogue).succeeded());
  CHECK(has_code(stack(255, Game::Rogue).findings, "W_BONE_LIMIT_NEAR"));
  CHECK(has_code(stack(256, Game::Rogue).findings, "E_BONE_LIMIT"));
  CHECK(stack(256, Game::Unity).succeeded());
  CHECK(stack(65535, Game::Unity).succeeded());
  CHECK(has_code(stack(65536, Game::Unity).findings, "E_BONE_LIMIT"));
  const Skeleton many = fan(256, 1, "Bone");
  CHECK(has_code(check(many, {.game = Game::Rogue}), "E_BONE_LIMIT"));
  CHECK_FALSE(has_code(check(many), "E_BONE_LIMIT"));
  Skeleton narrow = many;
  narrow.origin.dialect = Dialect::Schema;
  CHECK(has_code(check(narrow), "E_BONE_LIMIT"));
  narrow.origin.wide_indices = true;
  CHECK_FALSE(has_code(check(narrow), "E_BONE_LIMIT"));
  CHECK_FALSE(write_xml(many, {.dialect = Dialect::Schema, .game = Game::Rogue}).has_value());
  CHECK(write_xml(many, {.dialect = Dialect::Schema, .game = Game::Unity}).has_value());
}

TEST_CASE("new bones can follow all bones of the base, whose indices stay") {
  const Skeleton base = sample("generic_male");
  const Stack stack(kAddons);
  const Merge merged = merge(base, stack.parts, {.append = true});
  for (std::size_t i = 0; i < base.bones.size(); ++i) CHECK(merged.skeleton.bones[i].id == base.bones[i].id);
  CHECK(has_code(merged.findings, "I_NOT_CONTIGUOUS"));
}

TEST_CASE("what was merged can be extracted, and merged again to the same") {
  const Skeleton base = sample("generic_male");
  for (const std::string& name : kAddons) {
    const Stack stack({name});
    const Merge merged = merge(base, stack.parts);
    const auto addon = extract_addon(merged.skeleton, base);
    REQUIRE_MESSAGE(addon.has_value(), name);
    CHECK(addon->type == kCustomSkeleton);
    const Part part{&*addon, "extracted"};
    const Merge again = merge(base, std::span(&part, 1));
    CHECK_MESSAGE(again.succeeded(), name);
    const auto differences = diff(again.skeleton, merged.skeleton);
    CHECK_MESSAGE(differences.empty(), name, " ",
                  differences.empty() ? "" : differences[0].object + " " + differences[0].field);
  }
  CHECK_FALSE(extract_addon(base, base).has_value());
}

TEST_CASE("a new addon has its root, its path and nothing else") {
  const Skeleton base = sample("generic_male");
  const std::uint32_t paths[] = {hash_of("LeftForeArm"), hash_of("Neck")};
  const auto addon = new_addon(base, hash_of("Spine2"), paths);
  REQUIRE(addon.has_value());
  CHECK(addon->bones.size() == 5);
  CHECK(addon->bones.front().name.text == "Spine2");
  for (const Finding& finding : check(*addon, {.base = &base}))
    CHECK_MESSAGE(finding.level == Level::Info, finding.code);
  CHECK_FALSE(new_addon(base, hash_of("Neck"), paths).has_value());
  CHECK_FALSE(new_addon(base, hash_of("NoSuchBone"), {}).has_value());
}

}  // namespace marrow::anvil
