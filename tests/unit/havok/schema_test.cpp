// SPDX-License-Identifier: MIT
#include "havok/object/schema.h"

#include <doctest/doctest.h>

#include <thread>
#include <utility>

#include "havok/object/schema_text.h"

using namespace marrow;
using namespace marrow::havok;

namespace {

struct Expected {
  std::string_view type, member;
  std::uint32_t offset32, offset64;
};

}  // namespace

TEST_CASE("the tables of both versions are whole") {
  REQUIRE(builtin_schema(kVersion2010));
  REQUIRE(builtin_schema(kVersion2014));
  CHECK(builtin_schema(kVersion2010)->names().size() == 678);
  CHECK(builtin_schema(kVersion2014)->names().size() == 693);
  CHECK(builtin_schema("hk_2009.two-r1") == nullptr);
}

TEST_CASE("a class that is read when it is asked for is the one that is read with all others") {
  for (const ClassTable& table : kClassTables) {
    const auto whole = Schema::parse(table.text, std::string(table.version));
    REQUIRE(whole);
    for (const std::string_view name : (*whole)->names()) {
      CAPTURE(name);
      const auto opened = Schema::open(table.text, std::string(table.version));
      REQUIRE(opened);
      const Class* lazy = (*opened)->find(name);
      const Class* eager = (*whole)->find(name);
      REQUIRE(lazy);
      CHECK(lazy == (*opened)->find(name));
      CHECK(lazy->layout.file_size == eager->layout.file_size);
      CHECK(lazy->layout.steps[1].size() == eager->layout.steps[1].size());
      REQUIRE(lazy->members.size() == eager->members.size());
      for (std::size_t i = 0; i < lazy->members.size(); ++i) {
        const Type &one = lazy->members[i].type, &other = eager->members[i].type;
        CHECK(lazy->members[i].file_offset == eager->members[i].file_offset);
        CHECK((one.record ? one.record->signature : 0) == (other.record ? other.record->signature : 0));
        CHECK((one.names ? one.names->items : Enum().items) == (other.names ? other.names->items : Enum().items));
      }
    }
  }
}

TEST_CASE("threads may ask for classes at the same time") {
  for (const ClassTable& table : kClassTables) {
    const auto schema = Schema::open(table.text, std::string(table.version));
    REQUIRE(schema);
    const std::vector<std::string_view> names = (*schema)->names();
    std::array<std::vector<const Class*>, 4> found;
    {
      std::vector<std::jthread> threads;
      for (auto& own : found)
        threads.emplace_back([&] {
          for (const std::string_view name : names) own.push_back((*schema)->find(name));
        });
    }
    for (const auto& own : found) CHECK(own == found.front());
    for (std::size_t i = 0; i < names.size(); ++i) CHECK(found.front()[i]->name == names[i]);
  }
}

TEST_CASE("an enum of another class is named with the class") {
  const Schema& schema = *builtin_schema(kVersion2010);
  const Member* curve = schema.find("hkbHandIkModifier")->find("fadeInOutCurve");
  REQUIRE(curve);
  REQUIRE(curve->type.names);
  CHECK(curve->type.names->name == "BlendCurve");
}

TEST_CASE("offsets of 2010 are those of the games' files, for 32 and 64 bit") {
  const Schema& schema = *builtin_schema(kVersion2010);
  for (const Expected& e : {Expected{"hkaSkeleton", "name", 0x08, 0x10},
                            {"hkaSkeleton", "floatSlots", 0x3C, 0x58},
                            {"hkaSplineCompressedAnimation", "duration", 0x0C, 0x14},
                            {"hkaSplineCompressedAnimation", "data", 0x74, 0x98},
                            {"hkaSplineCompressedAnimation", "endian", 0x80, 0xA8},
                            {"hkaAnimationBinding", "blendHint", 0x28, 0x40},
                            {"hkaDefaultAnimatedReferenceFrame", "referenceFrameSamples", 0x34, 0x38},
                            // Bytes of bases that have no members of their own.
                            {"hkpWorld", "broadPhaseExtents", 800, 1008},
                            {"hkpTriggerVolume", "overlappingBodies", 20, 40},
                            {"hkpConvexListShape", "minDistanceToUseConvexHullForGetClosestPoints", 24, 48}}) {
    CAPTURE(e.type);
    CAPTURE(e.member);
    const Class* type = schema.find(e.type);
    REQUIRE(type);
    // hkpTriggerVolume's arrays and the like are found by name although a base declares them.
    const Member* member = type->find(e.member);
    REQUIRE(member);
    CHECK(member->file_offset[0] == e.offset32);
    CHECK(member->file_offset[1] == e.offset64);
  }
  // Other layouts have a size once a test has asked for them.
  const auto sizes_of = [&](std::string_view name) {
    const auto& sizes = schema.find(name)->layout.file_size;
    return std::pair(sizes[0], sizes[1]);
  };
  CHECK(sizes_of("hkaSkeleton") == std::pair(0x54u, 0x78u));
  CHECK(sizes_of("hkaSplineCompressedAnimation") == std::pair(0x84u, 0xB0u));
  CHECK(sizes_of("hkpCompressedMeshShape") == std::pair(224u, 304u));
}

TEST_CASE("offsets of 2014 are those of Fallout 4's files") {
  const Schema& schema = *builtin_schema(kVersion2014);
  for (const Expected& e : {Expected{"hkaSkeleton", "partitions", 0, 0x78},
                            {"hkaAnimationBinding", "blendHint", 0, 0x50},
                            {"hknpPhysicsSystemData", "bodyCinfos", 0x2C, 0x40},
                            {"hknpCompressedMeshShape", "triangleIsInterior", 0, 0x80},
                            {"hknpShape", "properties", 0, 0x20}}) {
    CAPTURE(e.member);
    const Member* member = schema.find(e.type)->find(e.member);
    REQUIRE(member);
    if (e.offset32) CHECK(member->file_offset[0] == e.offset32);
    CHECK(member->file_offset[1] == e.offset64);
  }
  CHECK(schema.find("hknpCapsuleShape")->layout.file_size[1] == 0x70);
  CHECK(schema.find("hknpBSMaterial")->layout.file_size[1] == 0x18);
  CHECK(schema.find("hkRefCountedProperties")->layout.file_size[1] == 0x10);
  CHECK(schema.find("hknpBodyCinfo")->layout.file_size[1] == 0x60);
}

TEST_CASE("signatures, bases and enums are in the tables") {
  const Schema& schema = *builtin_schema(kVersion2010);
  const Class* spline = schema.find("hkaSplineCompressedAnimation");
  CHECK(spline->signature == 0x792EE0BB);
  CHECK(spline->is_a("hkReferencedObject"));
  CHECK_FALSE(spline->is_a("hkaSkeleton"));
  CHECK(spline->lineage().front()->name == "hkBaseObject");
  const Member* hint = schema.find("hkaAnimationBinding")->find("blendHint");
  REQUIRE(hint->type.names);
  CHECK(hint->type.names->items[1] == std::pair<std::string, std::int64_t>("ADDITIVE", 1));
}

TEST_CASE("a table with a mistake is refused with its line") {
  const auto line_of = [](std::string_view text) {
    const auto schema = Schema::parse(text, "test");
    return schema ? 0 : schema.error().offset;
  };
  CHECK(line_of("class A 0x1\n  int32 a\n") == 0);
  CHECK(line_of("  int32 a\n") == 1);
  CHECK(line_of("class A 0x1\n  int33 a\n") == 2);
  CHECK(line_of("class A 0x1\n  int32\n") == 2);
  CHECK(line_of("class A 0x1\n  int32 a sideways\n") == 2);
  CHECK(line_of("class A : B 0x1\n") != 0);
  CHECK(line_of("class A 0x1\nclass A 0x1\n") == 2);
  CHECK(line_of("class A 0x1\n  A a\n") != 0);
  CHECK(line_of("class A : A 0x1\n  enum:int8:E a\n") != 0);
  CHECK(line_of("class A 0x1\n  enum E { X }\n") == 2);
}
