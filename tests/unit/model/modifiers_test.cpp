// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cctype>
#include <cmath>
#include <set>
#include <string>

#include "core/crc32.h"
#include "marrow/core/byte_reader.h"
#include "marrow/model/modifiers.h"
#include "model/modifiers_fields.h"
#include "support/corpus.h"
#include "support/fields.h"

namespace marrow {
namespace {

std::vector<ModifierType> known_types() {
  std::vector<ModifierType> types;
  for (const ModifierRow& row : known_modifiers()) types.push_back(row.type);
  return types;
}

bool is_fragment(std::string_view text) {
  return !text.empty() && !text.ends_with('.') && text.find('\n') == std::string_view::npos;
}

// `BallJoint` as the pages of docs/modifiers are called.
std::string page_name(std::string_view name) {
  std::string page;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z' && !page.empty()) page += '-';
    page += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return page;
}

std::string text_of(const std::string& path) {
  const std::vector<std::byte> bytes = test::bytes_of(path);
  return std::string(as_text(bytes));
}

// What a form or a help text needs of every field.
template <class T>
void check_field(std::string_view owner, const Field& field, const T& value) {
  CAPTURE(owner);
  CAPTURE(field.name);
  CHECK(is_fragment(field.help));
  const bool number = std::is_same_v<T, float> || std::is_same_v<T, std::vector<float>>;
  if (number) CHECK_MESSAGE(field.has_range(), "a number without a range has no slider");
  if (field.has_range()) {
    CHECK(field.min < field.max);
    CHECK(std::isfinite(field.max));
    CHECK_MESSAGE(!field.words, "words are the range");
    const bool has_numbers =
        number || std::is_same_v<T, std::int32_t> || std::is_same_v<T, Vec4> || std::is_same_v<T, Quat>;
    CHECK_MESSAGE(has_numbers, "a range of what is not a number");
  }
  for (const float each : test::numbers_of(value)) {
    CHECK_MESSAGE(each >= field.min, "the default is below the range");
    CHECK_MESSAGE(each <= field.max, "the default is above the range");
  }
  if constexpr (std::is_same_v<T, std::int32_t>)
    if (field.words) CHECK(static_cast<std::size_t>(value) < field.words->words.size());
}

}  // namespace

TEST_CASE("class names hash to what the games store") {
  CHECK(crc32(class_name(ModifierType::BallJoint)) == 0x4BF66801);
  CHECK(crc32(class_name(ModifierType::Hinge)) == 0x324796C7);
  CHECK(crc32(class_name(ModifierType::HingeVector)) == 0xC0DD28A9);
  CHECK(crc32(class_name(ModifierType::Pendulum)) == 0x0544175B);
  CHECK(crc32(class_name(ModifierType::SpringBox)) == 0xF9D25748);
  CHECK(crc32(class_name(ModifierType::PositionConstraint)) == 0xD0C34A81);
  CHECK(crc32(class_name(ModifierType::OrientationConstraint)) == 0x75116750);
  CHECK(crc32(class_name(ModifierType::RotationConstraint)) == 0xA2A0524C);
  CHECK(crc32(class_name(ModifierType::SplineConstraint)) == 0xB6FC82EE);
  CHECK(crc32(class_name(ModifierType::MaxLookAt)) == 0x49F4CA3E);
  CHECK(crc32(class_name(ModifierType::AnvilLookAt)) == 0x88BB496A);
  CHECK(crc32(class_name(ModifierType::LookAt)) == 0x08D774B2);
  CHECK(crc32(class_name(ModifierType::Follow)) == 0x13AE4B43);
  CHECK(crc32(class_name(ModifierType::Roll)) == 0x76D082F6);
  CHECK(crc32(class_name(ModifierType::Compress)) == 0x844987D6);
  CHECK(crc32(class_name(ModifierType::Stretch)) == 0xCF6D16FA);
  CHECK(crc32(class_name(ModifierType::RotationExpression)) == 0xF465CC0F);
  CHECK(crc32(class_name(ModifierType::RotationPaste)) == 0x711759AF);
  CHECK(crc32(class_name(ModifierType::Fx)) == 0xCA0CFEE7);
}

TEST_CASE("a type is found by its full and its short names") {
  for (const ModifierType type : known_types()) CHECK(find_modifier_type(class_name(type)) == type);
  CHECK(find_modifier_type("ball-joint") == ModifierType::BallJoint);
  CHECK(find_modifier_type("MaxLookAt") == ModifierType::MaxLookAt);
  CHECK(find_modifier_type("fx") == ModifierType::Fx);
  CHECK(find_modifier_type("") == std::nullopt);
  CHECK(find_modifier_type("WrinkleBoneModifier") == std::nullopt);
}

TEST_CASE("rows stand in the order of types and say what a modifier does") {
  CHECK(known_modifiers().size() + 1 == kModifierTypeCount);
  for (std::size_t i = 0; i < known_modifiers().size(); ++i) {
    const ModifierRow& row = known_modifiers()[i];
    CAPTURE(row.name);
    CHECK(static_cast<std::size_t>(row.type) == i);
    CHECK(find_modifier_type(row.name) == row.type);
    CHECK(class_name(row.type) == row.class_name);
    CHECK(make_modifier(row.type).type() == row.type);
    CHECK(is_fragment(row.summary));
  }
}

TEST_CASE("every field of a type has a name and a place of its own") {
  for (const ModifierType type : known_types()) {
    Modifier modifier = make_modifier(type);
    REQUIRE(modifier.type() == type);
    std::set<std::string_view> names;
    std::set<const void*> places;
    walk_fields(modifier, [&](const Field& field, auto& value) {
      CHECK_MESSAGE(names.insert(field.name).second, class_name(type), " ", field.name);
      CHECK_MESSAGE(places.insert(&value).second, class_name(type), " ", field.name);
    });
    CHECK(names.size() == modifier_base_fields().size() + modifier_fields(type).size());
  }
}

TEST_CASE("every field says what it does, and its default lies in its range") {
  for (const ModifierType type : known_types())
    walk_fields(default_modifier(type),
                [&](const Field& field, const auto& value) { check_field(class_name(type), field, value); });
  const Hinge hinge;
  walk_fields(hinge_fields(), hinge, [](const Field& field, const auto& value) { check_field("Hinge", field, value); });
  const RotationExpression term;
  walk_fields(rotation_expression_fields(), term,
              [](const Field& field, const auto& value) { check_field("RotationExpression", field, value); });
}

TEST_CASE("defaults are what the structs have") {
  CHECK(default_modifier(ModifierType::Stretch).data == ModifierData(StretchModifier{}));
  CHECK(default_modifier(ModifierType::Pendulum).data == ModifierData(PendulumModifier{}));
  for (const ModifierType type : known_types()) CHECK(default_modifier(type) == make_modifier(type));
}

TEST_CASE("every modifier has a page in the docs that names its fields") {
  const std::string index = text_of("docs/modifiers/README.md");
  REQUIRE_FALSE(index.empty());
  for (const ModifierRow& row : known_modifiers()) {
    CAPTURE(row.name);
    const std::string file = page_name(row.name) + ".md", page = text_of("docs/modifiers/" + file);
    CHECK(index.find("](" + file + ")") != std::string::npos);
    CHECK(page.starts_with("# " + std::string(row.class_name)));
    for (const Field& field : modifier_fields(row.type))
      CHECK_MESSAGE(page.find(field.name) != std::string::npos, field.name, " is not on the page");
  }
}

TEST_CASE("links are reached wherever they are, and remapped") {
  Modifier modifier = make_modifier(ModifierType::RotationConstraint);
  auto& data = std::get<RotationConstraintModifier>(modifier.data);
  modifier.owner = {7};
  data.constraint_associated_bone = {8};
  data.constraints.resize(2);
  data.constraints[1].constraint_associated_bone = {9};
  remap_links(modifier, [](BoneLink link) { return BoneLink{link.target + 100}; });
  CHECK(modifier.owner.target == 107);
  CHECK(data.constraint_associated_bone.target == 108);
  CHECK(data.constraints[0].constraint_associated_bone.is_null());
  CHECK(data.constraints[1].constraint_associated_bone.target == 109);
}

TEST_CASE("modifiers that do the same differ at most in ids") {
  Modifier a = make_modifier(ModifierType::Hinge);
  std::get<HingeModifier>(a.data).constraints.resize(1);
  Modifier b = a;
  b.id = 5;
  std::get<HingeModifier>(b.data).constraints[0].id = 6;
  CHECK(same_effect(a, b));
  CHECK(a != b);
  std::get<HingeModifier>(b.data).constraints[0].max_angle = 1.0f;
  CHECK_FALSE(same_effect(a, b));
  CHECK_FALSE(same_effect(a, make_modifier(ModifierType::Fx)));
}

}  // namespace marrow
