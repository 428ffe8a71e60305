// SPDX-License-Identifier: MIT
#include "marrow/anvil/from_model.h"

#include "marrow/anvil/diff.h"
#include "marrow/anvil/to_model.h"
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
}

}  // namespace marrow::anvil
