// SPDX-License-Identifier: MIT
#include "samples.h"

#include "anvil/diff.h"
#include "model/modifiers_fields.h"

namespace marrow::anvil {
namespace {

Modifier& sword(Skeleton& skeleton) { return bone(skeleton, "P_Sword_Tag").modifiers.at(0); }

Kept odd_element() {
  Kept kept;
  kept.elements.push_back({-1, -1, Dialect::Standard, "<Value Name=\"Odd\" Type=\"Single\">1.5</Value>"});
  return kept;
}

}  // namespace

TEST_CASE("what a file says of a hinge beyond its fields is kept with the modifier and written back") {
  const Skeleton plain = sample("addon_sword");
  Skeleton odd = plain;
  REQUIRE(sword(odd).part_kept.size() == 1);  // the reader fills one per hinge
  sword(odd).part_kept[0].elements = odd_element().elements;
  CHECK(odd != plain);
  CHECK_FALSE(diff(odd, plain).empty());
  for (const Dialect dialect : {Dialect::Standard, Dialect::Schema}) {
    Skeleton again = reread(odd, {.dialect = dialect});
    CHECK(again == odd);
    CHECK(sword(again).part_kept.at(0).elements.size() == 1);
  }
}

TEST_CASE("attributes that mean something in the other dialect only come back from it") {
  Skeleton odd = sample("addon_sword");
  for (const char* name : {"PointerType", "Standard.Type", "Type"})
    odd.bones.at(1).kept.attributes.push_back({Kept::kObject, -1, name, "Skeleton"});
  for (const Dialect dialect : {Dialect::Standard, Dialect::Schema}) CHECK(reread(odd, {.dialect = dialect}) == odd);
}

TEST_CASE("parts with nothing kept are equal, whether they are listed or not") {
  Modifier a = anvil::make_modifier(ModifierType::Hinge);
  std::get<HingeModifier>(a.data).constraints.resize(2);
  Modifier b = a;
  b.part_kept.resize(2);
  CHECK(a == b);
  b.part_kept[1] = odd_element();
  CHECK(a != b);
  a.part_kept = {{}, odd_element()};
  CHECK(a == b);
}

TEST_CASE("modifiers of files do the same if they keep the same, whatever was left out") {
  Modifier a = anvil::make_modifier(ModifierType::Hinge);
  std::get<HingeModifier>(a.data).constraints.resize(1);
  Modifier b = a;
  b.id = 5;
  b.kept.absent = 0;
  b.part_kept.resize(1);
  b.part_kept[0].absent = 2;
  CHECK(same_effect(a, b));
  CHECK(a != b);
  b.part_kept[0] = odd_element();
  CHECK_FALSE(same_effect(a, b));
  b = a;
  b.kept = odd_element();
  CHECK_FALSE(same_effect(a, b));
}

TEST_CASE("a new modifier leaves out what files may leave out") {
  const Modifier modifier = anvil::make_modifier(ModifierType::Stretch);
  std::uint64_t optional = 0;
  unsigned field = 0;
  walk_fields(modifier, [&](const Field& each, const auto&) {
    if (each.optional) optional |= std::uint64_t{1} << field;
    ++field;
  });
  CHECK(modifier.kept.absent == optional);
  CHECK(optional != 0);
}

}  // namespace marrow::anvil
