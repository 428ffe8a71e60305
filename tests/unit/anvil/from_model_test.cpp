// SPDX-License-Identifier: MIT
#include "anvil/from_model.h"

#include "anvil/diff.h"
#include "anvil/to_model.h"
#include "samples.h"

namespace marrow::anvil {

TEST_CASE("a skeleton that follows its own model stays what it was") {
  for (const char* name : {"generic_male", "every_modifier", "addon_sword", "schema/addon_sword"}) {
    Skeleton skeleton = sample(name);
    const auto notes = follow_model(skeleton, to_model(skeleton).value().skeleton);
    REQUIRE(notes);
    CHECK(notes->empty());
    CHECK(diff(sample(name), skeleton).empty());
  }
}

TEST_CASE("what was moved in a model moves, with what hangs on it and nothing else") {
  const Skeleton before = sample("generic_male");
  Skeleton after = before;
  marrow::Skeleton model = to_model(before).value().skeleton;
  const auto moved = static_cast<std::size_t>(marrow::find_bone(model, "LeftArm").value());
  model.bones[moved].rest.translation.x += 0.25f;
  REQUIRE(follow_model(after, model));
  const Hierarchy tree = hierarchy_of(before);
  const std::int32_t arm = tree.find_hash(hash_of("LeftArm"));
  for (std::size_t i = 0; i < before.bones.size(); ++i) {
    const bool below = static_cast<std::int32_t>(i) == arm || tree.is_below(static_cast<std::int32_t>(i), arm);
    CHECK((global_rest(before.bones[i]) != global_rest(after.bones[i])) == below);
    CHECK((local_rest(before.bones[i]) != local_rest(after.bones[i])) == (static_cast<std::int32_t>(i) == arm));
  }
  CHECK_FALSE(has_errors(check(after)));
}

TEST_CASE("a bone that was hung elsewhere in a model follows, with its place and everything that it had") {
  const Skeleton before = sample("generic_male");
  Skeleton after = before;
  marrow::Skeleton model = to_model(before).value().skeleton;
  const auto jaw = static_cast<std::size_t>(marrow::find_bone(model, "Fx_Jaw").value());
  model.bones[jaw].parent = marrow::find_bone(model, "Neck").value();
  model.bones[jaw].rest.translation = Vec3(0.125f, 0.25f, 0.0f);
  REQUIRE(follow_model(after, model));
  CHECK(bone(after, "Fx_Jaw").parent.target == bone(after, "Neck").id);
  CHECK(bone(after, "Fx_Jaw").id == bone(const_cast<Skeleton&>(before), "Fx_Jaw").id);
  CHECK(local_rest(bone(after, "Fx_Jaw")).translation == Vec3(0.125f, 0.25f, 0.0f));
  CHECK(check(after).size() == check(before).size());
  CHECK_FALSE(has_code(check(after), "W_GLOBAL_LOCAL"));
}

TEST_CASE("a bone that was renamed in a model keeps its id, its modifiers and the links to it") {
  const Skeleton before = sample("generic_male");
  Skeleton after = before;
  marrow::Skeleton model = to_model(before).value().skeleton;
  for (const char* name : {"LeftArm", "LeftForeArm", "L_LeftUpLeg_Roll"})
    model.bones[static_cast<std::size_t>(marrow::find_bone(model, name).value())].name = std::string("My_") + name;
  REQUIRE(follow_model(after, model));
  CHECK(after.bones.size() == before.bones.size());
  for (std::size_t i = 0; i < before.bones.size(); ++i) {
    const Bone &was = before.bones[i], &is = after.bones[i];
    const bool renamed = display_name(is.name) != display_name(was.name);
    if (renamed) CHECK(display_name(is.name) == "My_" + display_name(was.name));
    Bone same = is;
    same.name = was.name;
    CHECK(same == was);
  }
}

TEST_CASE("a bone that takes the place of another one that is gone is not a rename") {
  const Skeleton before = sample("generic_male");
  Skeleton after = before;
  marrow::Skeleton model = to_model(before).value().skeleton;
  const auto jaw = static_cast<std::size_t>(marrow::find_bone(model, "Fx_Jaw").value());
  model.bones[jaw].name = "Fx_Beard";
  model.bones[jaw].rest.translation += Vec3(0.0f, 0.0f, 0.2f);  // another place, and no children in common
  REQUIRE(follow_model(after, model));
  CHECK(bone(after, "Fx_Beard").id != bone(const_cast<Skeleton&>(before), "Fx_Jaw").id);
}

TEST_CASE("bones of several roots become one sound skeleton, and two of one hash are refused") {
  marrow::Skeleton model;
  const Transform up{Vec3(0, 1, 0), make_quat(0, 0, 0, 1), Vec3(1.0f)};
  model.bones = {{"Tail", kNoBone, {}, false}, {"Tip", 0, up, false}, {"Wing", kNoBone, {}, false}};
  EditNotes notes;
  const auto skeleton = from_model(model, notes);
  REQUIRE(skeleton);
  CHECK(skeleton->bones.size() == 4);
  CHECK(skeleton->bones[0].name.text == "Reference");
  CHECK(skeleton->type == 0);
  CHECK(check(*skeleton).empty());
  marrow::Skeleton tail;
  tail.bones = {model.bones[0]};
  CHECK(from_model(tail, notes).value().type == kCustomSkeleton);
  model.bones[2].name = unknown_name(hash_of("Tip"));
  CHECK_FALSE(from_model(model, notes));
  CHECK_FALSE(from_model({}, notes));
  tail.bones[0].parent = 25955;
  CHECK_FALSE(from_model(tail, notes));
}

TEST_CASE("bones of a new skeleton that are named for the two sides are mirrors of each other") {
  marrow::Skeleton model;
  model.bones = {{"Reference", kNoBone, {}, false}, {"LeftArm", 0, {}, false},   {"RightArm", 0, {}, false},
                 {"LeftLeg", 0, {}, false},         {"P_LeftBag", 0, {}, false}, {"P_RightBag", 0, {}, false}};
  EditNotes notes;
  Skeleton skeleton = from_model(model, notes).value();
  const auto mirror_of = [&](const char* name) { return bone(skeleton, name).mirror.target; };
  CHECK(mirror_of("LeftArm") == bone(skeleton, "RightArm").id);
  CHECK(mirror_of("RightArm") == bone(skeleton, "LeftArm").id);
  for (const char* alone : {"Reference", "LeftLeg", "P_LeftBag", "P_RightBag"})
    CHECK(mirror_of(alone) == bone(skeleton, alone).id);
  CHECK(check(skeleton).empty());
}

}  // namespace marrow::anvil
